"""Broken input of every kind; ``python -m tests.fuzz`` throws as much of it as one likes."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import runner
from tests.fuzz.runner import KINDS, READERS, kind_of, run

CASES = {"mask": 500, "pickle": 300, **dict.fromkeys(READERS, 50)}
LONG = 100_000


@pytest.mark.parametrize("kind", KINDS)
def test_broken_input_is_refused_or_read_right(kind):
    @settings(max_examples=CASES[kind], derandomize=True, deadline=None, database=None,
              suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def check(rng: Random) -> None:
        KINDS[kind](rng)

    check()


@pytest.mark.skipif(not os.environ.get("INSPECTOR_LONG"), reason="make test-long runs this")
@pytest.mark.timeout(1200)
def test_a_hundred_thousand_cases():
    report = run(LONG, seed=0)
    assert report.is_clean, report.describe()
    assert report.cases == LONG


def test_every_kind_gets_its_share():
    kinds = [kind_of(number) for number in range(1400)]
    assert kinds.count("mask") == 560
    assert kinds.count("pickle") == 280
    assert {kinds.count(key) for key in READERS} == {40}


class TestTheRunner:
    """A fuzzer that cannot see faults finds none."""

    def report_of(self, monkeypatch, statement: str):
        monkeypatch.setenv("INSPECTOR_FUZZ_FAULT", statement)
        return run(30, 0, processes=1)

    def test_the_end_of_a_process_is_a_crash_of_one_case(self, monkeypatch):
        report = self.report_of(monkeypatch, "if number == 7: os.abort()")
        [(number, kind, text)] = report.crashes
        assert (number, kind, report.cases) == (7, "mask" if 7 % 10 < 4 else kind_of(7), 30)
        assert "ended with -6" in text

    def test_an_error_that_nobody_words_is_a_crash(self, monkeypatch):
        report = self.report_of(monkeypatch, "if number == 12: {}['x']")
        [(number, _, text)] = report.crashes
        assert number == 12
        assert "KeyError" in text

    def test_a_case_without_end_is_a_hang(self, monkeypatch):
        monkeypatch.setenv("INSPECTOR_FUZZ_SECONDS", "1")
        report = self.report_of(monkeypatch, "while number == 3: pass")
        assert [number for number, _, _ in report.hangs] == [3]
        assert report.cases == 30

    def test_a_wrong_count_is_a_disagreement(self, monkeypatch):
        report = self.report_of(monkeypatch, "number != 5 or agree(1, 2, 'a count')")
        assert [(number, text) for number, _, text in report.disagreements] == [
            (5, "'a count: 1 instead of 2'")
        ]

    def test_a_case_can_be_repeated(self):
        for number in (0, 4, 6, 7, 8, 9):
            assert runner.try_case(3, number) == runner.try_case(3, number)
