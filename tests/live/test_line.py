"""The line before a model: in order, nobody twice, bounded, and fair."""

from __future__ import annotations

import threading

import pytest

from inspector.core.mask import Mask
from inspector.live import line as lines
from inspector.live.comparing import LiveAnswer
from inspector.live.line import Done, Failed, Line, LineFullError, Running, Waiting
from inspector.live.model import ModelError
from tests.drawing import draw

ANSWER = LiveAnswer(draw("##"), (1, 2))


class Gate:
    """Work that the model is at until the test lets it end."""

    def __init__(self, answer: LiveAnswer | Exception = ANSWER) -> None:
        self.begun, self._end, self._answer = threading.Event(), threading.Event(), answer

    def __call__(self) -> LiveAnswer:
        self.begun.set()
        assert self._end.wait(60)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def open(self) -> None:
        self._end.set()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def line():
    made = Line(most_waiting=3)
    yield made
    made.close()


def ended(line: Line, ticket: str) -> Done | Failed:
    """Wait for the end of a question by asking a further one that is known to come after it."""
    after = Gate()
    line.ask("the test", after)
    assert after.begun.wait(60)
    after.open()
    state = line.look(ticket)
    assert isinstance(state, Done | Failed)
    return state


def test_one_question():
    clock, gate = Clock(), Gate()
    line = Line(clock=clock)
    ticket = line.ask("a", gate)
    assert gate.begun.wait(60)
    clock.now = 2.5
    assert line.look(ticket) == Running(2.5)
    clock.now = 4.0
    gate.open()
    assert ended(line, ticket) == Done(ANSWER, 4.0)
    assert line.look(ticket) == Done(ANSWER, 4.0)
    line.close()


def test_each_sees_how_many_come_first(line):
    gates = [Gate() for _ in range(3)]
    tickets = [line.ask(f"viewer {at}", gate) for at, gate in enumerate(gates)]
    assert gates[0].begun.wait(60)
    assert [line.look(ticket) for ticket in tickets[1:]] == [Waiting(1), Waiting(2)]
    gates[0].open()
    assert gates[1].begun.wait(60)
    assert line.look(tickets[2]) == Waiting(1)
    for gate in gates:
        gate.open()
    assert ended(line, tickets[2]).answer == ANSWER


def test_a_newer_question_takes_the_place_of_the_older(line):
    first, second, other, newer = (Gate() for _ in range(4))
    running = line.ask("a", first)
    assert first.begun.wait(60)
    older = line.ask("a", second)
    behind = line.ask("b", other)
    ticket = line.ask("a", newer)
    assert isinstance(line.look(running), Running)
    assert line.look(older) == Failed("You asked something newer, so this question was left out.")
    assert (line.look(ticket), line.look(behind)) == (Waiting(1), Waiting(2))
    for gate in (first, newer, other):
        gate.open()
    assert ended(line, behind).answer == ANSWER
    assert not second.begun.is_set()


def test_who_asks_often_does_not_come_first(line):
    order: list[str] = []
    gate = Gate()

    def note(name: str) -> LiveAnswer:
        order.append(name)
        return ANSWER

    line.ask("eager", gate)
    assert gate.begun.wait(60)
    line.ask("eager", lambda: note("eager"))
    line.ask("calm", lambda: note("calm"))
    for _ in range(20):
        ticket = line.ask("eager", lambda: note("eager again"))
    gate.open()
    ended(line, ticket)
    assert order == ["eager again", "calm"]


def test_no_more_than_so_many_wait(line):
    gate = Gate()
    line.ask("a", gate)
    assert gate.begun.wait(60)
    for viewer in "bcd":
        line.ask(viewer, Gate())
    with pytest.raises(LineFullError) as caught:
        line.ask("e", Gate())
    assert str(caught.value) == "3 others wait for the model already. Ask again later."
    line.ask("d", Gate())  # in place of his own
    gate.open()


def test_taking_a_question_back(line):
    first, second = Gate(), Gate()
    running, waiting = line.ask("a", first), line.ask("b", second)
    assert first.begun.wait(60)
    assert line.cancel(waiting)
    assert line.cancel(running)
    taken_back = Failed("The question was taken back.")
    assert (line.look(running), line.look(waiting)) == (taken_back, taken_back)
    after = line.ask("a", Gate(ModelError("no")))
    assert line.look(after) == Waiting(1)  # the model is still at the first
    line.cancel(after)
    first.open()
    assert ended(line, running) == taken_back
    assert not second.begun.is_set()
    assert not line.cancel("no such ticket")


@pytest.mark.parametrize(("error", "said"), [
    (ModelError("It hangs."), "It hangs."),
    (KeyError("x"), "The inspector failed at this (KeyError)."),
])
def test_what_fails_does_not_end_the_line(line, error, said):
    gate = Gate(error)
    ticket = line.ask("a", gate)
    gate.open()
    assert ended(line, ticket) == Failed(said)


def test_tickets_cannot_be_guessed(line):
    gate = Gate()
    tickets = {line.ask("a", gate) for _ in range(50)}
    gate.open()
    assert len(tickets) == 50
    assert min(map(len, tickets)) == 24  # 18 random bytes
    assert line.look("x" * 24) is None


def test_old_answers_go(line, monkeypatch):
    monkeypatch.setattr(lines, "_MOST_KEPT", 2)
    tickets = []
    for _ in range(3):
        tickets.append(line.ask("a", lambda: ANSWER))
        ended(line, tickets[-1])
    assert line.look(tickets[0]) is None


def test_large_answers_go_sooner(line, monkeypatch):
    monkeypatch.setattr(lines, "_MOST_BYTES", 30)
    large = LiveAnswer(Mask((1, 100), draw("#." * 50).counts), (1, 100))
    assert len(large.mask.counts) > 15
    first, second = (line.ask(viewer, lambda: large) for viewer in "ab")
    ended(line, second)
    assert line.look(first) is None


def test_closing_tells_who_waits():
    line, gate = Line(), Gate()
    line.ask("a", gate)
    assert gate.begun.wait(60)
    waiting = line.ask("b", Gate())
    line.close()
    assert line.look(waiting) == Failed("The inspector is ending.")
    with pytest.raises(LineFullError, match="The model is not asked any more"):
        line.ask("c", Gate())
    gate.open()
