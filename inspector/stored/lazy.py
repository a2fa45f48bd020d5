"""Per-example IoU of many runs, made when it is looked at; the last few are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import overload

from inspector.core.protocol import Protocol, ScoredExamples, apply_protocol
from inspector.core.scores import Scores

_KEPT = 4


class ScoredAsNeeded(Sequence[ScoredExamples]):
    """What ``apply_protocol`` gives for each run; safe for several threads."""

    def __init__(self, scores: Sequence[Scores], protocol: Protocol) -> None:
        self._scores, self._protocol = scores, protocol
        self._made: OrderedDict[int, ScoredExamples] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._scores)

    @overload
    def __getitem__(self, index: int) -> ScoredExamples: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ScoredExamples]: ...
    def __getitem__(self, index: int | slice) -> ScoredExamples | Sequence[ScoredExamples]:
        if isinstance(index, slice):
            return ScoredAsNeeded(self._scores[index], self._protocol)
        row = range(len(self._scores))[index]  # IndexError ends a loop over it
        with self._lock:
            if row in self._made:
                self._made.move_to_end(row)
                return self._made[row]
        made = apply_protocol(self._scores[row], self._protocol)
        with self._lock:
            self._made[row] = made
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return made
