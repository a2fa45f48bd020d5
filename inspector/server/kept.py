"""The findings file as the routes know it: by the places of the data that is open."""

from __future__ import annotations

import getpass
import threading
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import Request

from inspector.core.errors import UsageError, say_choices
from inspector.findings import (
    Finding,
    RunEvidence,
    Store,
    dataset_key,
    read_findings,
)
from inspector.findings.evidence import is_another
from inspector.findings.records import MOST_WHO, check_name
from inspector.server.access import is_local
from inspector.server.opened import Opened
from inspector.server.sessions import viewer_of


class Kept:
    """Findings of one store, against whatever version of the data a viewer has open.

    Args:
        store: Where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        self._evidence: WeakKeyDictionary[Opened, tuple[RunEvidence, ...]] = WeakKeyDictionary()

    def evidence(self, opened: Opened) -> tuple[RunEvidence, ...]:
        """Give the runs of one version; what was worked out of them lives as long as it does."""
        workspace = opened.workspace
        with self._lock:
            if opened not in self._evidence:
                self._evidence[opened] = tuple(
                    RunEvidence(scores, lambda row=row: workspace.scored[row])
                    for row, scores in enumerate(workspace.scores)
                )
            return self._evidence[opened]

    def run(self, opened: Opened, name: str) -> RunEvidence:
        """Give a run by its name.

        Raises:
            UsageError: If there is none of that name.
        """
        if name not in opened.run_names:
            raise UsageError(f"No run '{name[:80]}'. {say_choices(name, opened.run_names)}")
        return self.evidence(opened)[opened.run_names.index(name)]

    def here(self, opened: Opened, *, since: int = 0) -> tuple[int, dict[int, Finding]]:
        """Give the revision and the findings of the examples that are open, by place."""
        index_of = opened.workspace.dataset.index_of
        revision, findings = read_findings(self.store, key_of(opened), since=since)
        return revision, {
            index_of[example]: finding for example, finding in findings.items()
            if example in index_of
        }

    def to_json(self, opened: Opened, place: int, finding: Finding) -> dict[str, Any] | None:
        """Write a finding as the page takes it; None for an empty one."""
        if finding.is_empty:
            return None
        runs = self.evidence(opened)
        verdicts = {}
        for run, judged in finding.verdicts.items():
            stale = run in opened.run_names and is_another(
                judged.evidence.digest, runs[opened.run_names.index(run)].digest_of(place)
            )
            verdicts[run] = {
                "verdict": judged.verdict, "who": judged.who, "when": judged.at, "stale": stale,
            }
        return {
            "verdicts": verdicts, "tags": list(finding.tags), "note": finding.note,
            "noteRevision": finding.note_revision, "who": finding.who, "when": finding.at,
        }


def key_of(opened: Opened) -> str:
    """Name the data set that is open."""
    return dataset_key(opened.workspace.dataset)


def is_here(request: Request) -> bool:
    """Tell whether somebody asks from this machine."""
    return request.client is not None and is_local(request.client.host)


def name_of(request: Request, said: str = "") -> str:
    """Say who writes: the name that was sent, that of the login, or whose machine this is.

    Raises:
        UsageError: If the name that was sent is none.
    """
    if name := " ".join(check_name(said, "A name", MOST_WHO).split()):
        return name
    viewer = viewer_of(request.scope)
    if viewer.name or viewer.is_logged_in:
        return viewer.name[:MOST_WHO]
    if not is_here(request):
        return ""  # whoever that is, it is not the one who started the server
    try:
        return getpass.getuser()[:MOST_WHO]
    except (OSError, KeyError, ImportError):
        return ""
