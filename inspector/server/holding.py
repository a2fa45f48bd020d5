"""What is served: the workspace under its own rules, and under those that viewers switch to."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from fastapi import HTTPException

from inspector.care import CareWords
from inspector.findings import Store
from inspector.server.opened import GoneError, Opened
from inspector.server.rules import Rules, read_rules, under_rules
from inspector.workspace import Workspace

MOST_RULES = 6
"""Other rules than the workspace's own that are kept at once."""


class Holder:
    """Keeps what is open by its rules; safe for several threads.

    Scoring a workspace under other rules and reading its files again take seconds. They are done
    one after the other and beside everything else: what is there already is given meanwhile.

    Args:
        workspace: What is shown. Under its own rules it is never let go.
        reopen: Reads the files again; gives the same workspace if nothing has changed. None where
            that is not offered.
        findings: Where findings are kept.
        care: Words for which a sentence is veiled; those of the list if None.
    """

    def __init__(
        self, workspace: Workspace, reopen: Callable[[Workspace], Workspace] | None,
        findings: Store, care: CareWords | None = None,
    ) -> None:
        self.reopen = reopen
        self._findings, self._care = findings, care
        self._making = threading.Lock()  # one at a time: each takes a processor and memory
        self._lock = threading.Lock()  # of the fields below, held for moments only
        self._own = self._open(workspace)
        self._switched: OrderedDict[Rules, Opened] = OrderedDict()

    @property
    def workspace(self) -> Workspace:
        """The workspace under its own rules."""
        return self._own.asked

    def under(self, rules: Rules) -> Opened:
        """Give the workspace under some rules; the last few of them are kept."""
        found = self._find(rules)
        if found is not None:
            return found
        with self._making:
            found = self._find(rules)  # somebody else may have asked for the same
            if found is None:
                found = self._open(under_rules(self.workspace, rules))
                self._keep(rules, found)
            return found

    def reload(self) -> None:
        """Read the files again; what was made of the earlier ones is let go."""
        if self.reopen is None:
            raise HTTPException(404)
        with self._making:
            workspace = self.reopen(self.workspace)
            if workspace is self.workspace:
                return
            opened = self._open(workspace)
            with self._lock:
                gone = [self._own, *self._switched.values()]
                self._own = opened
                self._switched.clear()
        for one in gone:
            one.close()

    def at(self, version: str) -> Opened:
        """Give what stands under a version.

        Raises:
            GoneError: If it is not kept any more.
        """
        with self._lock:
            for opened in (self._own, *self._switched.values()):
                if opened.version == version:
                    return opened
        raise GoneError

    def _open(self, workspace: Workspace) -> Opened:
        return Opened(workspace, findings=self._findings, care=self._care)

    def _find(self, rules: Rules) -> Opened | None:
        with self._lock:
            if rules == read_rules({}, self.workspace):
                return self._own
            if rules in self._switched:
                self._switched.move_to_end(rules)
            return self._switched.get(rules)

    def _keep(self, rules: Rules, opened: Opened) -> None:
        with self._lock:
            self._switched[rules] = opened
            gone = [
                self._switched.popitem(last=False)[1]
                for _ in range(len(self._switched) - MOST_RULES)
            ]
        for one in gone:
            one.close()
