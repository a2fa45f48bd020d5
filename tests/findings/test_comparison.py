"""Which prediction a verdict was given on, and what became of it in another run."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.findings import Evidence, Finding, compare_with_now
from inspector.findings.evidence import is_another
from inspector.findings.records import Judged
from tests.building import BROKEN
from tests.drawing import draw
from tests.findings.making import FULL, HALF, LITTLE, OFF, make_now


class TestEvidence:
    def test_numbers_of_the_rules_in_force(self):
        now = make_now({"1": HALF, "2": OFF, "3": BROKEN})
        assert [(now.of(n).iou, now.of(n).failure) for n in range(4)] == [
            (0.5, "correct"), (0.0, "background"), (0.0, "invalid"), (0.0, "missing"),
        ]

    def test_the_same_prediction_has_the_same_digest(self):
        one = make_now({"1": HALF, "2": OFF})
        two = make_now({"2": OFF, "1": draw("##........")}, name="again")
        assert [one.digest_of(n) for n in range(3)] == [two.digest_of(n) for n in range(3)]

    @pytest.mark.parametrize("masks", [
        {"1": LITTLE}, {"1": None}, {"1": BROKEN}, {}, {"1": FULL},
    ], ids=["mask", "no target", "invalid", "missing", "another mask"])
    def test_another_prediction_has_another(self, masks):
        digests = {make_now({"2": OFF, **m}).digest_of(0) for m in ({"1": HALF}, masks)}
        assert len(digests) == 2
        assert is_another(*digests)

    def test_a_run_changes_with_any_prediction_and_with_its_name(self):
        digest = make_now({"1": HALF}).digest
        assert make_now({"1": HALF}).digest == digest
        assert make_now({"1": FULL}).digest != digest
        assert make_now({"1": HALF}, name="other").digest != digest

    def test_counts_without_a_mask_tell_nothing_of_a_mask(self):
        now = make_now({"1": HALF})
        run = now.scores.run
        run.rows[0] = -1  # as if its numbers came from a table without the masks
        without = make_now({"1": HALF})
        assert now.digest_of(0)[0] == "c" and without.digest_of(0)[0] == "m"
        assert not is_another(without.digest_of(0), now.digest_of(0))
        now.scores.intersection[0] = 1
        now.digest_of.cache_clear()
        assert not np.array_equal(now.scores.intersection, without.scores.intersection)
        assert is_another("c0", now.digest_of(0))

    def test_what_has_no_digest_is_no_other(self):
        assert not is_another("", "m1")


def judged(verdict: str, evidence: Evidence, run: str = "old") -> Finding:
    return Finding({run: Judged(verdict, "Ann", "", evidence)})


def test_what_became_of_verdicts():
    now = make_now({"1": HALF, "2": FULL, "3": LITTLE, "4": LITTLE, "5": FULL})
    findings = {
        0: judged("model_wrong", Evidence(0.5, "correct", now.digest_of(0))),
        1: judged("model_wrong", Evidence(0.1, "part", "m0")),
        2: judged("label_wrong", Evidence(0.1, "part", "m0")),
        3: judged("ambiguous", Evidence(0.9, "correct", "m0")),
        4: judged("ambiguous", Evidence(0.9, "correct", "m0")),
        5: judged("model_wrong", Evidence()),  # written by hand
    }
    comparison = compare_with_now(findings, now)
    assert comparison.places == {
        "unchanged": {"model_wrong": (0,)}, "fixed": {"model_wrong": (1,)},
        "still_wrong": {"label_wrong": (2,)}, "broken": {"ambiguous": (3,)},
        "changed": {"ambiguous": (4,), "model_wrong": (5,)},
    }
    assert comparison.counts == {
        "unchanged": 1, "fixed": 1, "still_wrong": 1, "broken": 1, "changed": 2
    }
    assert (comparison.run, comparison.verdicts) == ("model", 6)


def test_verdicts_on_two_runs_count_twice_and_the_place_stands_once():
    now = make_now({"1": FULL})
    wrong = Judged("model_wrong", "Ann", "", Evidence(0.1, "part", "m0"))
    findings = {0: Finding({"a": wrong, "b": wrong})}
    comparison = compare_with_now(findings, now)
    assert (comparison.counts["fixed"], comparison.places["fixed"]) == (2, {"model_wrong": (0,)})
