"""Long questions are answered beside the page turns, each once."""

from __future__ import annotations

import threading

import pytest

from inspector.core.errors import UsageError
from inspector.server.jobs import MOST_KEPT, MOST_WAITING, ClosedError, Jobs


def test_a_quick_answer_comes_at_once():
    assert Jobs().ask("a", lambda progress: 7, wait_seconds=5) == {"result": 7}


def test_a_slow_one_says_how_far_it_is_and_is_computed_once():
    jobs, go, begun, calls = Jobs(), threading.Event(), threading.Event(), []

    def compute(progress):
        calls.append(1)
        progress(1, 4)
        begun.set()
        assert go.wait(10)
        return "done"

    jobs.ask("a", compute, wait_seconds=0.01)
    assert begun.wait(10)
    assert jobs.ask("a", compute, wait_seconds=0.01) == {"progress": 0.25}
    go.set()
    assert jobs.ask("a", compute, wait_seconds=10) == {"result": "done"}
    assert calls == [1]


def test_what_cannot_be_answered_is_said_and_tried_again():
    jobs, answers = Jobs(), [UsageError("No run 'x'."), "done"]

    def compute(progress):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(UsageError, match="No run 'x'"):
        jobs.ask("a", compute, wait_seconds=10)
    assert jobs.ask("a", compute, wait_seconds=10) == {"result": "done"}


def test_after_any_other_fault_it_is_tried_again_too():
    jobs, faults = Jobs(), [ZeroDivisionError("a bug"), TimeoutError("of the work itself")]

    def compute(progress):
        if faults:
            raise faults.pop(0)
        return "done"

    for fault in (ZeroDivisionError, TimeoutError):
        with pytest.raises(fault):
            jobs.ask("a", compute, wait_seconds=10)
    assert jobs.ask("a", compute, wait_seconds=10) == {"result": "done"}


def test_the_last_answers_are_kept_and_no_more():
    jobs, calls = Jobs(), []

    def ask(number):
        jobs.ask(f"{number}", lambda progress: calls.append(number), wait_seconds=10)

    for number in range(MOST_KEPT + 1):
        ask(number)
    ask(MOST_KEPT)
    ask(1)
    assert calls == list(range(MOST_KEPT + 1)), "both are kept"
    ask(0)
    assert calls[-1] == 0, "the one that nobody asked for longest was let go"


def test_more_than_some_do_not_wait():
    jobs, go = Jobs(), threading.Event()
    for number in range(MOST_WAITING):
        assert jobs.ask(f"{number}", lambda progress: go.wait(10), wait_seconds=0) == {
            "progress": 0.0
        }
    with pytest.raises(UsageError, match="Other analyses are being made"):
        jobs.ask("one more", lambda progress: 7, wait_seconds=0)
    go.set()
    assert jobs.ask("0", lambda progress: 7, wait_seconds=10) == {"result": True}


def test_when_it_is_over_no_question_is_begun():
    jobs, go, begun = Jobs(), threading.Event(), []
    jobs.ask("a", lambda progress: go.wait(10), wait_seconds=0)
    jobs.ask("b", lambda progress: begun.append(1), wait_seconds=0)
    jobs.close()
    go.set()
    with pytest.raises(ClosedError):
        jobs.ask("b", lambda progress: begun.append(1), wait_seconds=10)
    assert not begun
