"""Why a number differs, which settings come closest, and where a run stands among others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.counting import gather
from inspector.analysis.differences import RuleEffect, explain_differences
from inspector.analysis.finder import find_protocol, read_published
from inspector.analysis.leaderboard import Board, Placement, Result, place_run
from inspector.analysis.presets import PRESETS, compute_preset
from inspector.analysis.protocols import PHRASES, Rules, compute_quantity, evaluate
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.metrics import compute_metrics
from inspector.core.problems import Problem
from inspector.core.protocol import Protocol
from inspector.core.run import Coverage
from inspector.core.scores import Scores, score_run
from inspector.leaderboards import load_boards
from tests.building import random_scores, score_strips

MIXED = score_strips(
    ("####......", "##........"), ("####......", "####......"), ("####......", None),
    ("..........", ".........."), ("..........", "##........"), ("##########", "#####....."),
    referents=["a", "a", "b", "", "", "c"],
)


def differences(scores: Scores, **options) -> list[RuleEffect]:
    return explain_differences(gather(scores), **options)


def named(found: list[RuleEffect], metric: str, rule: str, value: object) -> RuleEffect:
    return next(d for d in found if (d.metric, d.rule, d.value) == (metric, rule, value))


class TestDifferences:
    def test_each_is_the_number_with_just_that_rule_changed(self):
        # IoU .5, 1, missing, both empty, false target, .5
        found = differences(MIXED)
        zero = named(found, "mIoU", "empty_union", "zero")
        assert (zero.before, zero.after) == (pytest.approx(3 / 6), pytest.approx(2 / 6))
        assert zero.difference == pytest.approx(-1 / 6)
        assert zero.examples == 2
        missing = named(found, "mIoU", "missing", "skip")
        assert missing.after == pytest.approx(3 / 5)
        assert missing.examples == 1
        assert named(found, "P@0.5", "reached", ">").after == pytest.approx(2 / 6)

    def test_who_does_so(self):
        zero = named(differences(MIXED), "mIoU", "empty_union", "zero")
        assert {"LAVT", "CRIS"} <= set(zero.used_by)

    def test_the_largest_stands_first_and_those_without_effect_last(self):
        found = differences(MIXED)
        sizes = [abs(d.difference) for d in found if d.difference is not None]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > 0 and sizes[-1] == 0

    def test_without_effect_is_said_with_the_reason(self):
        found = differences(score_strips(("####", "##..")))
        rule = named(found, "mIoU", "missing", "skip")
        assert not rule.has_effect
        assert rule.note == "No effect on this data: it concerns no example."
        assert named(found, "mIoU", "truth", "once").note.startswith("No effect")

    def test_what_cannot_be_computed_says_so(self):
        scores = score_strips(("####", "####"))
        run = replace(scores.run, rows=np.full(1, -1, np.int32), counts=np.array([[3, 4]]))
        found = differences(score_run(scores.dataset, run))
        frame = named(found, "mIoU", "frame", "square")
        assert frame.difference is None
        assert frame.note == "Not computed: the run's file holds no masks."

    def test_the_other_average_is_among_them(self):
        other = named(differences(MIXED), "mIoU", "metric", "oIoU")
        assert other.after == compute_metrics(MIXED, Protocol())["oIoU"]

    def test_they_start_from_the_rules_in_force(self):
        protocol = Protocol("referent", "zero", "skip")
        found = differences(MIXED, protocol=protocol)
        assert named(found, "mIoU", "average", "sentence").before == compute_metrics(
            MIXED, protocol
        )["mIoU"]
        assert not [d for d in found if (d.rule, d.value) == ("empty_union", "zero")]

    @pytest.mark.parametrize("seed", range(3))
    def test_every_difference_can_be_had_by_the_rules(self, seed):
        material = gather(random_scores(1100 + seed)[0])
        for d in explain_differences(material):
            if d.rule != "metric" and d.after is not None:
                rules = replace(Rules(), **{d.rule: d.value})
                assert d.after == compute_quantity(evaluate(material, rules), d.metric)
                assert d.label == PHRASES[d.rule, d.value]


class TestPublished:
    @pytest.mark.parametrize(("text", "value", "tolerance"), [
        ("0.743", 0.743, 0.0005), ("74.3", 0.743, 0.0005), ("74.3 %", 0.743, 0.0005),
        ("74", 0.74, 0.005), ("74,30", 0.743, 0.00005), ("1.0", 1.0, 0.05), ("1 %", 0.01, 0.005),
        ("0.5 %", 0.005, 0.0005), (".743", 0.743, 0.0005), ("100", 1.0, 0.005),
    ])
    def test_reading(self, text, value, tolerance):
        found = read_published(text)
        assert (found.value, found.tolerance) == (pytest.approx(value), pytest.approx(tolerance))

    @pytest.mark.parametrize("text", [
        "", "good", "101", "-1", "1/2", "nan", "7_4", "0.", "1e-3", "1e1000000", "1e-999999999",
        "0." + 21 * "1",
    ])
    def test_no_number(self, text):
        with pytest.raises(UsageError, match="no published number"):
            read_published(text)  # at once: 1e-999999999 was worked out, which never ended

    @pytest.mark.parametrize("text", ["0", "1"])
    def test_a_number_that_everything_would_fit(self, text):
        with pytest.raises(UsageError, match=rf"Write its decimals, such as {text}\.00, or"):
            read_published(text)


class TestFinder:
    def test_the_setting_that_made_a_number_is_among_the_nearest(self):
        material = gather(MIXED)
        for rules, metric in (
            (Rules(empty_union="zero"), "mIoU"), (Rules(missing="skip"), "oIoU"),
            (Rules(average="referent"), "mIoU"), (Rules(reached=">"), "P@0.5"),
        ):
            value = compute_quantity(evaluate(material, rules), metric)
            found = find_protocol(material, f"{value:.12f}")
            assert abs(found.candidates[0].distance) < 1e-11
            assert any(c.metric == metric and c.within_rounding for c in found.candidates)

    def test_they_are_sorted_by_distance(self):
        found = find_protocol(gather(MIXED), "0.4")
        sizes = [abs(c.distance) for c in found.candidates]
        assert sizes == sorted(sizes)

    def test_several_within_rounding_are_warned_of(self):
        found = find_protocol(gather(MIXED), "0.50")
        assert sum(c.within_rounding for c in found.candidates) > 1
        assert "does not tell which was used" in found.verdict

    def test_nothing_near_names_the_nearest(self):
        found = find_protocol(gather(score_strips(("####", "####"))), "0.31")
        assert found.verdict.startswith("Nothing comes to 0.31; the nearest is ")
        assert "points off" in found.verdict

    def test_only_rules_that_matter_are_named(self):
        found = find_protocol(gather(score_strips(("####", "##.."))), "0.5")
        assert all("missing" not in c.settings for c in found.candidates if not c.preset)

    def test_presets_are_tried(self):
        material = gather(MIXED)
        value = compute_preset(material, PRESETS[2]).numbers["IoU"]
        found = find_protocol(material, f"{value:.15f}")
        assert "cris" in {c.preset for c in found.candidates if c.within_rounding}

    def test_a_setting_can_be_repeated_from_its_rules(self):
        material = gather(random_scores(1200)[0])
        for candidate in find_protocol(material, "0.3", most=400).candidates:
            if candidate.rules is not None and not candidate.preset:
                again = compute_quantity(evaluate(material, candidate.rules), candidate.metric)
                assert again == candidate.value


def on(split_by: str, split: str, name: str = "refcocog") -> Dataset:
    dataset = score_strips(("####", "####")).dataset
    return replace(dataset, name=name, split_by=split_by, split=split)


WHOLE = Coverage(1, 1, 0, 0, 0, 0)


def place(
    dataset: Dataset, metric: str = "mIoU", value: float | None = 0.7, *,
    protocol: Protocol | None = None, coverage: Coverage = WHOLE,
    boards: Sequence[Board] | None = None,
) -> Placement:
    return place_run(
        boards or load_boards(), name="mine", dataset=dataset, value=value, metric=metric,
        protocol=protocol or Protocol(), coverage=coverage,
    )


class TestBoards:
    def test_the_table_of_refcocog_is_whole(self):
        board = next(b for b in load_boards() if b.key == "sota2-refcocog-umd-test")
        values = [(r.method, round(100 * r.value, 1)) for r in board.results]
        assert len(values) == 13
        assert (values[0], values[-1]) == (("GETok-R1", 75.2), ("CRIS", 60.4))
        assert [r.mask_decoder for r in board.results].count(True) == 5
        assert {r.learning for r in board.results} == {"supervised", "reinforcement"}
        assert sum(r.learning == "reinforcement" for r in board.results) == 5

    def test_its_mixed_metrics_are_said(self):
        board = next(b for b in load_boards() if b.key == "sota2-refcocog-umd-test")
        assert "mixes metrics" in board.notes[0]
        really = {r.method: r.quantity for r in board.results}
        assert (really["LAVT"], really["ReLA"], really["CRIS"]) == ("oIoU", "oIoU", "mIoU")

    def test_the_invariant_of_lavt_holds_on_all_nine_rows(self):
        rows: dict[tuple[str, str, str], dict[str, float]] = {}
        for board in load_boards():
            for r in board.results:
                if r.method == "LAVT" and r.board == "published":
                    rows.setdefault((r.dataset, r.split_by, r.split), {})[r.quantity] = r.value
        assert len(rows) == 9
        assert all(row["oIoU"] < row["mIoU"] for row in rows.values())

    def test_recorded_precisions_bound_the_mean(self):
        for board in load_boards():
            by: dict[tuple[str, ...], dict[str, float]] = {}
            for r in board.results:
                key = (r.method, r.dataset, r.split_by, r.split)
                by.setdefault(key, {})[r.quantity or ""] = r.value
            for row in by.values():
                if {"mIoU", "P@0.5"} <= set(row):
                    half = row["P@0.5"]
                    assert 0.5 * half <= row["mIoU"] <= half + 0.5 * (1 - half)
                    tenths = [row[f"P@0.{t}"] for t in range(5, 10)]
                    assert tenths == sorted(tenths, reverse=True)

    def test_every_row_is_well_formed(self):
        for board in load_boards():
            for r in board.results:
                assert 0 < r.value < 1 and r.kind in ("reported", "reproduced")
                assert r.source and r.method and r.dataset


class TestPlacement:
    def test_among_the_same_split_and_metric_only(self):
        found = place(on("umd", "test"))
        ranked = {row.method for row in found.rows}
        assert {"GETok-R1", "CRIS", "mine", "LAVT", "CRIS R101"} <= ranked
        assert [row.value for row in found.rows if row.method == "LAVT"] == [0.6362]
        for result, reason in found.unranked:
            if result.method == "LAVT" and result.board != "published":
                assert reason == "another metric: printed as mIoU, but it is oIoU"

    def test_overall_iou_takes_the_mislabelled_ones(self):
        found = place(on("umd", "test"), "oIoU", 0.6)
        assert {"LAVT", "ReLA", "LISA", "Moondream Segmentation"} <= {r.method for r in found.rows}
        assert "GETok-R1" not in {row.method for row in found.rows}

    def test_measured_and_reported_are_told_apart(self):
        own = [row for row in place(on("umd", "test")).rows if row.kind == "measured"]
        assert [(row.method, row.result) for row in own] == [("mine", None)]

    def test_what_nobody_confirmed_says_so(self):
        row = next(r for r in place(on("umd", "test")).rows if r.method == "GETok-R1")
        assert not row.is_confirmed
        assert "nobody confirmed it" in row.note

    def test_ranks_count_from_the_best_and_equal_values_share_one(self):
        found = place(on("umd", "test"), value=0.709)
        tied = [row.rank for row in found.rows if row.value == 0.709]
        assert len(tied) == 3 and len(set(tied)) == 1
        assert found.rows[0].rank == 1

    @pytest.mark.parametrize(("split_by", "split", "reason"), [
        ("google", "val", "another split: umd test"), ("umd", "val", "another split: umd test"),
    ])
    def test_another_split_is_listed_unranked(self, split_by, split, reason):
        found = place(on(split_by, split))
        reasons = {r.method: why for r, why in found.unranked
                   if r.board == "sota2-refcocog-umd-test"}
        assert len(reasons) == 13
        assert set(reasons.values()) == {reason}

    def test_another_data_set_has_no_company(self):
        found = place(on("", "val", "mine"))
        assert [row.method for row in found.rows] == ["mine"]
        assert found.notes == ()

    def test_another_average_keeps_it_apart(self):
        found = place(on("umd", "test"), protocol=Protocol(average="referent"))
        assert len(found.rows) == 1
        assert any("averaged over sentences, the run over referents" in why
                   for _, why in found.unranked)

    def test_leaving_missing_ones_out_keeps_it_apart(self):
        protocol = Protocol(missing="skip")
        assert len(place(on("umd", "test"), protocol=protocol).rows) > 1
        part = Coverage(2, 1, 1, 0, 0, 0)
        assert len(place(on("umd", "test"), protocol=protocol, coverage=part).rows) == 1

    def test_a_part_of_a_split_is_not_the_split(self):
        problem = Problem("counts-differ", "warning", "", "fewer", 1)
        dataset = replace(on("umd", "test"), problems=(problem,))
        assert len(place(dataset).rows) == 1

    def test_the_rule_for_no_target_matters_only_where_there_are_such_examples(self):
        board = Board("b", "", "", "", (), (Result(
            "theirs", "refcocog", "umd", "test", "gIoU", "mIoU", 0.6, "reported", "paper", None,
            "", {"empty_union": "stated"}, board="b",
        ),))
        assert len(place(on("umd", "test"), boards=[board]).rows) == 2
        with_none = replace(
            score_strips(("####", "####"), ("....", "....")).dataset,
            name="refcocog", split_by="umd", split="test",
        )
        found = place(with_none, boards=[board])
        assert len(found.rows) == 1
        assert "rule for no target is 'stated'" in found.unranked[0][1]

    def test_no_number_is_not_ranked(self):
        assert place(on("umd", "test"), value=None).rows == ()
