"""Who asks a model waits in a line: one question at a time, nobody twice in it."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from inspector.core.errors import InspectorError
from inspector.live.comparing import LiveAnswer

MOST_WAITING = 8
_MOST_KEPT = 64
_MOST_BYTES = 64_000_000

REPLACED = "You asked something newer, so this question was left out."
CANCELLED = "The question was taken back."

Work = Callable[[], LiveAnswer]


class LineFullError(InspectorError):
    """More viewers wait than may."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Not asked yet; ``ahead`` questions come first, the one that is being answered too."""

    ahead: int


@dataclass(frozen=True, slots=True)
class Running:
    """The model is at it, for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """There is an answer; it took so many seconds."""

    answer: LiveAnswer
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """There is none; says why."""

    why: str


State = Waiting | Running | Done | Failed


@dataclass(eq=False)
class _Place:
    viewer: str
    work: Work
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(18))


class Line:
    """Answers questions one after the other in a thread of its own.

    Each viewer has at most one question waiting, so that the order of coming is fair to all: who
    asks often does not come first. A newer one takes the place of his older one. Nothing but that
    thread ever waits for the model.

    Args:
        most_waiting: How many may wait besides the one that is being answered.
        clock: Seconds; for tests.
    """

    def __init__(
        self, *, most_waiting: int = MOST_WAITING, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most_waiting = most_waiting
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[_Place] = []
        self._running: _Place | None = None
        self._since = 0.0
        self._ended: OrderedDict[str, Done | Failed] = OrderedDict()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def ask(self, viewer: str, work: Work) -> str:
        """Put a question into the line.

        Args:
            viewer: Tells who asks.
            work: Asks the model and measures what it says; called in the line's thread.

        Returns:
            A ticket that nobody can guess.

        Raises:
            LineFullError: If too many wait.
        """
        with self._changed:
            if self._is_closed:
                raise LineFullError("The model is not asked any more; the inspector is ending.")
            place = _Place(viewer, work)
            own = next((at for at, w in enumerate(self._waiting) if w.viewer == viewer), None)
            if own is not None:
                self._end(self._waiting[own].ticket, Failed(REPLACED))
                self._waiting[own] = place
            elif len(self._waiting) >= self._most_waiting:
                raise LineFullError(
                    f"{len(self._waiting)} others wait for the model already. Ask again later."
                )
            else:
                self._waiting.append(place)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="live model", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            return place.ticket

    def look(self, ticket: str) -> State | None:
        """Say how far a question is; None for a ticket that is not known (any more)."""
        with self._changed:
            if ticket in self._ended:
                self._ended.move_to_end(ticket)
                return self._ended[ticket]
            if self._running is not None and self._running.ticket == ticket:
                return Running(self._clock() - self._since)
            for at, place in enumerate(self._waiting):
                if place.ticket == ticket:
                    return Waiting(at + (self._running is not None))
            return None

    def cancel(self, ticket: str) -> bool:
        """Take a question back.

        One that the model is at goes on, since ending it would cost the others a new start; its
        answer is thrown away.

        Returns:
            Whether there was such a question.
        """
        with self._changed:
            for place in self._waiting:
                if place.ticket == ticket:
                    self._waiting.remove(place)
                    self._end(ticket, Failed(CANCELLED))
                    return True
            if self._running is not None and self._running.ticket == ticket:
                self._end(ticket, Failed(CANCELLED))
                return True
            return ticket in self._ended

    def close(self) -> None:
        """Answer nothing more; who waits is told."""
        with self._changed:
            self._is_closed = True
            for place in self._waiting:
                self._end(place.ticket, Failed("The inspector is ending."))
            self._waiting.clear()
            self._changed.notify_all()

    def _end(self, ticket: str, state: Done | Failed) -> None:
        if ticket in self._ended:  # taken back while the model was at it
            return
        self._ended[ticket] = state
        weight = sum(_weight(ended) for ended in self._ended.values())
        while len(self._ended) > _MOST_KEPT or (weight > _MOST_BYTES and len(self._ended) > 1):
            weight -= _weight(self._ended.popitem(last=False)[1])

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._is_closed:
                    self._changed.wait()
                if self._is_closed:
                    return
                place = self._running = self._waiting.pop(0)
                begun = self._since = self._clock()
            state: Done | Failed
            try:
                state = Done(place.work(), self._clock() - begun)
            except InspectorError as error:
                state = Failed(str(error))
            except Exception as error:  # ours to mend; the line goes on for the others
                logging.getLogger(__name__).exception("A question to the live model failed")
                state = Failed(f"The inspector failed at this ({type(error).__name__}).")
            with self._changed:
                self._end(place.ticket, state)
                self._running = None


def _weight(state: Done | Failed) -> int:
    mask = state.answer.mask if isinstance(state, Done) else None
    return len(mask.counts) if mask is not None else 0
