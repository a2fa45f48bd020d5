"""One workspace as the routes serve it; opening the data anew makes another one of these."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from inspector.browse import FILTERS, SORTS, make_browser
from inspector.cache import keep, read_cached
from inspector.care import CareWords, read_care_words, veil_blocks
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.metrics import METRICS
from inspector.drawing import is_too_large, make_thumbnail
from inspector.findings import Store
from inspector.formats import DEMO_FOLDER
from inspector.formats.pictures import PictureStore
from inspector.leaderboards import boards_digest
from inspector.server.blocks import words
from inspector.server.found_rows import FoundSource
from inspector.server.items import Items
from inspector.server.jobs import ClosedError, Jobs
from inspector.server.panels import PANELS
from inspector.server.panels.panel import Progress
from inspector.server.rules import CHOICES, threshold_of
from inspector.server.second import with_second_as_run
from inspector.summary import dataset_json, describe_coverage, describe_gap, describe_protocol
from inspector.thumbnails import KeptThumbnails, ThumbnailShelf
from inspector.workspace import Workspace

_KINDS = (
    (b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"), (b"RIFF", "image/webp"),
)
"""Kinds of pictures that a browser draws; anything else is not sent."""


class NoPictureError(Exception):
    """There is no picture to send; says why."""


class GoneError(Exception):
    """What an address is about is not kept any more."""

    def __init__(self) -> None:
        super().__init__(
            "These numbers are not kept any more: the files were read again, or other visitors "
            "have switched the rules of scoring since; reload the page."
        )


class Opened:
    """A workspace with what is made of it once: tables, descriptions, addresses.

    Attributes:
        version: Stands in every data address.
        asked: The workspace as it was opened.
        workspace: The same with a second ground truth among its runs.
    """

    def __init__(
        self, workspace: Workspace, care: CareWords | None = None, findings: Store | None = None
    ) -> None:
        self.care = care or read_care_words()
        self.asked, self.version = workspace, workspace.version
        self.workspace = with_second_as_run(workspace)
        self._found = FoundSource(findings, self.workspace) if findings else None
        self.browser = make_browser(self.workspace, self._found)
        self.items = Items(self.workspace, self.browser, self.care)
        self.run_names = [scores.run.name for scores in self.workspace.scores]
        self._jobs = Jobs()
        self.pictures = PictureStore()
        self._shelf = ThumbnailShelf()
        self._kept_thumbnails = KeptThumbnails()

    @property
    def is_behind(self) -> bool:
        """Whether the findings could not be read, so that filters by them may answer too little."""
        return self._found is not None and self._found.is_behind

    def close(self) -> None:
        """Begin no analysis any more: nobody can ask for this again."""
        self._jobs.close()

    @cached_property
    def ids(self) -> bytes:
        """The ids of all examples as JSON."""
        return json.dumps(
            self.workspace.dataset.expressions.ids, separators=(",", ":")
        ).encode()

    def panel(self, key: str, query: Mapping[str, str]) -> dict[str, Any]:
        """Give the blocks of an analysis, or how far it is.

        Raises:
            InspectorError: If the question cannot be answered.
            GoneError: If this was closed in the meantime.
        """
        panel = next(p for p in PANELS if p.key == key)
        if not panel.applies(self.asked):
            return {"result": [words(panel.otherwise)]}
        asked = json.dumps([self.version, boards_digest(), key, sorted(query.items())])
        workspace = self.workspace if panel.with_second else self.asked

        def compute(progress: Progress) -> Any:
            blocks = read_cached(asked)
            if blocks is None:
                blocks = panel.make(workspace, query, progress)
                keep(asked, blocks)
            return blocks

        try:
            answer = self._jobs.ask(asked, compute)
        except ClosedError as error:
            raise GoneError from error
        if "result" in answer:
            answer = {"result": veil_blocks(answer["result"], self.care)}
        return answer

    def picture(self, row: int) -> tuple[bytes, str]:
        """Give the bytes of a picture and their content type.

        Raises:
            NoPictureError: If the file is gone, cannot be read, or is nothing that a browser draws.
        """
        try:
            content = self.pictures.read(self.workspace.dataset.images[row].location)
        except FileNotFoundError:
            raise NoPictureError("The picture file is gone.") from None
        except OSError as error:
            raise NoPictureError(
                f"The picture file cannot be read ({error.strerror or type(error).__name__})."
            ) from None
        if content and is_too_large(content):
            raise NoPictureError("The picture has more pixels than a browser should be given.")
        kind = next((kind for magic, kind in _KINDS if content and content.startswith(magic)), "")
        if not content or not kind:
            raise NoPictureError("There is no picture that a browser can draw.")
        return content, kind

    def thumbnail(self, row: int) -> bytes:
        """Give a small JPEG of a picture.

        Raises:
            NoPictureError: If there is none, or it cannot be read.
        """
        small = self._shelf.get(row)
        if small is None:
            picture = self.picture(row)[0]
            small = self._kept_thumbnails.get(picture)
            if small is None:
                small = make_thumbnail(picture)
                if small is None:
                    raise NoPictureError("The picture cannot be read.")
                self._kept_thumbnails.put(picture, small)
            self._shelf.put(row, small)
        return small

    def start(self, *, can_reload: bool) -> dict[str, Any]:
        """Everything that the page needs once: names, counts, metrics, menus."""
        workspace = self.workspace
        dataset = workspace.dataset
        thresholds = workspace.scores[0].thresholds if workspace.scores else Thresholds()
        return {
            "version": self.version,
            "dataset": dataset_json(dataset),
            "isDemo": _is_demo(self.asked),
            "canReload": can_reload,
            "othersKnown": dataset.distractors_known,
            "hasSecond": workspace.second is not None,
            "protocol": workspace.protocol.to_json(),
            "choices": CHOICES,
            "threshold": threshold_of(workspace),
            "rules": describe_protocol(workspace.protocol),
            "runs": [
                {
                    "name": scores.run.name,
                    "coverage": scores.coverage.to_json(),
                    "coverageText": describe_coverage(scores),
                    "gap": "" if row >= len(self.asked.scores) else describe_gap(
                        scores, workspace.protocol),
                    "metrics": metrics,
                    "isTruth": row >= len(self.asked.scores),
                }
                for row, (scores, metrics) in enumerate(
                    zip(workspace.scores, workspace.metrics, strict=True)
                )
            ],
            "metrics": [
                {"key": m.key, "label": m.label, "description": m.description} for m in METRICS
            ],
            "failures": [
                {"key": m.key, "label": m.label, "icon": m.icon,
                 "description": m.describe(thresholds)}
                for m in FAILURE_MODES
            ],
            "filters": [
                {"key": entry.key, "kind": entry.kind, "step": entry.step, "more": entry.is_more}
                for entry in FILTERS
                if (workspace.scores or not entry.needs_run)
                and (workspace.second or not entry.needs_second)
            ],
            "sorts": [
                {"key": sort.key, "needsRun": sort.needs_run, "descending": sort.descending}
                for sort in SORTS
                if workspace.second or not sort.needs_second
            ],
            "panels": [{"key": panel.key} for panel in PANELS],
            "problems": len(workspace.problems),
            "problemCount": sum(problem.count for problem in workspace.problems),
            "errorCount": sum(p.count for p in workspace.problems if p.severity == "error"),
        }


def _is_demo(workspace: Workspace) -> bool:
    """Say whether this is the demo with its own runs, of which the page tells the story."""
    return workspace.dataset.source == "demo" and all(
        DEMO_FOLDER in Path(scores.run.source).parents for scores in workspace.scores
    )
