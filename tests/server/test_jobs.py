"""Long questions are answered beside the page turns, each once."""

from __future__ import annotations

import threading

import pytest

from inspector.core.errors import UsageError
from inspector.server.jobs import Jobs


def test_a_quick_answer_comes_at_once():
    assert Jobs().ask("a", lambda progress: 7, wait=5) == {"result": 7}


def test_a_slow_one_says_how_far_it_is_and_is_computed_once():
    jobs, go, begun, calls = Jobs(), threading.Event(), threading.Event(), []

    def compute(progress):
        calls.append(1)
        progress(1, 4)
        begun.set()
        assert go.wait(10)
        return "done"

    jobs.ask("a", compute, wait=0.01)
    assert begun.wait(10)
    assert jobs.ask("a", compute, wait=0.01) == {"progress": 0.25}
    go.set()
    assert jobs.ask("a", compute, wait=10) == {"result": "done"}
    assert calls == [1]


def test_what_cannot_be_answered_is_said_and_tried_again():
    jobs, answers = Jobs(), [UsageError("No run 'x'."), "done"]

    def compute(progress):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(UsageError, match="No run 'x'"):
        jobs.ask("a", compute, wait=10)
    assert jobs.ask("a", compute, wait=10) == {"result": "done"}
