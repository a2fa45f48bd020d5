"""The results in words."""

from __future__ import annotations

import pytest

from inspector.core.problems import Problem
from inspector.core.protocol import Protocol
from inspector.summary import (
    describe_coverage,
    describe_dataset,
    describe_gap,
    describe_problems,
    describe_protocol,
    describe_runs,
    describe_setting,
)
from tests.building import (
    BROKEN,
    make_workspace,
    score,
    score_strips,
)
from tests.drawing import draw


def test_a_data_set_as_one_line():
    assert describe_dataset(score_strips(("##", "##"), ("##", None)).dataset) == (
        "toy, split val: 2 pictures, 2 referents, 2 examples"
    )


@pytest.mark.parametrize(("protocol", "said"), [
    pytest.param(Protocol(), "average over sentences; missing and invalid predictions score 0; "
                 "an empty prediction of an empty target counts 1", id="default"),
    pytest.param(Protocol("referent", "skip", "skip"), "average over referents; missing and "
                 "invalid predictions are left out; an empty prediction of an empty target is "
                 "left out", id="skip"),
    pytest.param(Protocol(empty_union="zero"), "average over sentences; missing and invalid "
                 "predictions score 0; an empty prediction of an empty target counts 0", id="zero"),
])
def test_the_rules_as_one_line(protocol, said):
    assert describe_protocol(protocol) == said


def test_coverage_names_only_what_there_is():
    scores = score_strips(("##", "##"), ("##", None), ("##", BROKEN))
    assert describe_coverage(scores) == (
        "1 of 3 examples matched, 1 missing, 1 invalid (2 by example_id)"
    )
    assert describe_coverage(score_strips(("##", "##"))) == (
        "1 of 1 examples matched (1 by example_id)"
    )


def test_metrics_as_a_table():
    lines = describe_runs(make_workspace(score_strips(("####", "###.")))).split("\n")
    assert lines[:2] == [
        "run      mIoU    oIoU   P@0.5   P@0.6   P@0.7   P@0.8   P@0.9  mIoU_category  grounding",
        "model  0.7500  0.7500  1.0000  1.0000  1.0000  0.0000  0.0000         0.7500     1.0000",
    ]


def test_a_number_that_is_not_defined_is_a_dash():
    empty = score_strips(("....", "...."))
    marked = score(empty.dataset, {"1": draw("#...")}, name="marked")
    lines = describe_runs(make_workspace(empty, marked)).split("\n")
    assert lines[1].startswith("model   1.0000       –  1.0000")
    assert lines[2].startswith("marked  0.0000  0.0000  0.0000")


class TestProblems:
    LINE = Problem("bad-record", "error", "a.jsonl, line 3", "It was left out.")
    LOOK = Problem("shared-key", "warning", "", "Taken in order.")

    def test_the_worst_come_first(self):
        assert describe_problems([self.LOOK, self.LINE]) == (
            "error: bad-record: a.jsonl, line 3: It was left out.\n"
            "warning: shared-key: Taken in order."
        )

    def test_only_some_of_a_kind_and_how_many_more(self):
        assert describe_problems([self.LINE] * 5 + [self.LOOK], most=2).split("\n")[2:] == [
            "warning: shared-key: Taken in order.",
            "… and 3 more of bad-record; 'check' lists them",
        ]

    def test_those_that_were_only_counted_are_counted(self):
        rest = Problem("bad-record", "error", "", "800 more of the same kind.", 800)
        text = describe_problems([self.LINE] * 5 + [rest], most=2)
        assert "… and 803 more of bad-record; 'check' lists them" in text

    def test_none(self):
        assert describe_problems([]) == ""


@pytest.mark.parametrize(("without", "rule", "said"), [
    (0, "zero", ""),
    (1, "zero", ""),  # 1 of 21
    (2, "zero", "10 % of the examples have no usable prediction and score 0,"),  # 2 of 21
    (2, "skip", "10 % of the examples have no usable prediction and are left out,"),
    (21, "zero", "No prediction can be used, so its numbers say nothing about a model."),
])
def test_a_run_of_which_much_is_missing_is_warned_of(without, rule, said):
    scores = score_strips(*[("##", None)] * without, *[("##", "##")] * (21 - without))
    protocol = Protocol(missing=rule)
    assert describe_gap(scores, protocol).startswith(said)
    assert bool(describe_gap(scores, protocol)) == bool(said)
    workspace = make_workspace(scores)
    warned = f"warning: {scores.run.name}: " in describe_setting(workspace)
    assert warned == (f"warning: {scores.run.name}: " in describe_runs(workspace)) == bool(said)


def test_one_in_twenty_is_much():
    assert not describe_gap(score_strips(*[("##", "##")] * 20, ("##", None)), Protocol())
    gap = describe_gap(score_strips(*[("##", "##")] * 19, ("##", None)), Protocol())
    assert gap.startswith("5 % ")
