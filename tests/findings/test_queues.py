"""The review queue: what is drawn, in which order, and what it says at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector.core.errors import UsageError
from inspector.findings.queues import (
    Queue,
    QueuePlace,
    Stratum,
    allocate,
    count_outdated,
    draw_queue,
    failures_by_mode,
    keep_queue,
    read_queue,
    read_queues,
    verdicts_on,
)
from inspector.findings.results import judge_queue
from inspector.findings.telling import tell_review
from tests.findings.making import DATA, FULL, LITTLE, OFF, make_now, new_store

NOW = make_now(
    {**{f"{n}": LITTLE for n in range(1, 31)}, **{f"{n}": OFF for n in range(31, 41)},
     **{f"{n}": FULL for n in range(41, 47)}}, examples=50,
)
"""50 examples: 30 part, 10 background, 6 correct, 4 missing."""


def test_failures_by_mode():
    failures, examples, correct = failures_by_mode(NOW)
    assert {mode: len(places) for mode, places in failures.items()} == {
        "missing": 4, "part": 30, "background": 10
    }
    assert (examples, correct) == (50, 6)


@pytest.mark.parametrize(("failures", "size", "how", "expected"), [
    ([30, 10, 4], 22, "proportional", [15, 5, 2]),
    ([30, 10, 4], 12, "equal", [4, 4, 4]),
    ([30, 10, 4], 20, "equal", [8, 8, 4]),  # what the small one cannot take goes to the others
    ([100, 1, 1], 10, "proportional", [8, 1, 1]),  # each is looked into
    ([100, 1, 1], 500, "proportional", [100, 1, 1]),
    ([5, 9, 7], 2, "proportional", [0, 1, 1]),  # fewer places than modes: the largest
    ([7], 3, "equal", [3]),
])
def test_allocate(failures, size, how, expected):
    assert allocate(failures, size, how) == expected


class TestDrawing:
    def test_sizes_and_the_order_mixes_the_strata(self):
        queue = draw_queue(NOW, DATA, size=22, seed=7)
        assert [(s.mode, s.failures, s.drawn) for s in queue.strata] == [
            ("missing", 4, 2), ("part", 30, 15), ("background", 10, 5)
        ]
        modes = [place.mode for place in queue.places]
        assert len({place.example_id for place in queue.places}) == len(modes) == 22
        for end in range(4, 22):  # every beginning is a sample of much the same make-up
            assert abs(modes[:end].count("part") - end * 15 / 22) <= 1.5
            assert abs(modes[:end].count("background") - end * 5 / 22) <= 1.5

    def test_the_same_seed_draws_the_same_wherever_the_examples_stand(self):
        first, again = (draw_queue(NOW, DATA, size=22, seed=7) for _ in range(2))
        assert first == again
        fewer = make_now({**{f"{n}": LITTLE for n in range(1, 31)}}, examples=30)
        one = [p.example_id for p in draw_queue(fewer, DATA, size=5, seed=7).places]
        part = [p.example_id for p in first.places if p.mode == "part"]
        assert one == part[:5]
        assert draw_queue(NOW, DATA, size=22, seed=8).places != first.places

    def test_every_failure_is_as_likely_as_another(self):
        drawn = [0] * 50
        for seed in range(400):
            for place in draw_queue(NOW, DATA, size=22, seed=seed).places:
                drawn[int(place.example_id) - 1] += 1
        assert set(drawn[40:46]) == {0}
        for count in drawn[:40] + drawn[46:]:  # 200 expected, standard deviation 10
            assert 160 < count < 240

    def test_what_cannot_be_drawn(self):
        right = make_now({f"{n}": FULL for n in range(1, 7)})
        for now, asked, said in (
            (right, {}, "'model' has no failures that could be reviewed."),
            (NOW, {"size": 0}, "A review queue has 1 to 1,000 places, but 0 are asked."),
            (NOW, {"how": "best"}, "No way to draw 'best'. Choose one of: proportional, equal."),
            (NOW, {"seed": -1}, "A seed is a whole number from 0 to 9007199254740991."),
        ):
            with pytest.raises(UsageError) as refused:
                draw_queue(now, DATA, **asked)
            assert str(refused.value) == said


def test_kept_and_read_again(tmp_path):
    store = new_store(tmp_path)
    drawn = draw_queue(NOW, DATA, size=10, seed=3, who="Ann")
    kept = keep_queue(store, drawn)
    assert kept == replace(drawn, id=1, at=kept.at)
    second = keep_queue(store, draw_queue(NOW, DATA, size=5, how="equal"))
    assert read_queues(store, DATA) == [second, kept]
    assert read_queues(store, "other") == []
    for key, number in ((DATA, 3), ("other", 1)):
        with pytest.raises(UsageError, match=f"There is no review queue {number}"):
            read_queue(store, key, number)


def make_queue(*strata: tuple[str, int, str], examples: int = 100, correct: int = 40) -> Queue:
    """Make a queue of modes, their failures, and a letter for each place drawn."""
    places = [QueuePlace(f"{mode}{n}", mode, "m1") for mode, _, drawn in strata
              for n in range(len(drawn))]
    return Queue(1, "", "", DATA, "model", "", "proportional", 1, 0.5, examples, correct,
                 tuple(Stratum(mode, failures, len(drawn)) for mode, failures, drawn in strata),
                 tuple(places))


VERDICT = {"m": "model_wrong", "l": "label_wrong", "a": "ambiguous", ".": ""}


def judge(*strata: tuple[str, int, str], **more):
    verdicts = [VERDICT[letter] for _, _, drawn in strata for letter in drawn]
    return judge_queue(make_queue(*strata, **more), verdicts)


class TestResults:
    def test_shares_are_weighted_by_the_failures_of_each_mode(self):
        result = judge(("part", 45, "lm"), ("loose", 15, "lllm"))
        # 45/60 of the failures with half of them, 15/60 with three quarters
        assert result.shares["label_wrong"].value == pytest.approx(0.75 * 0.5 + 0.25 * 0.75)
        assert result.shares["model_wrong"].value == pytest.approx(0.75 * 0.5 + 0.25 * 0.25)
        assert sum(share.value for share in result.shares.values()) == pytest.approx(1)
        assert [(s.mode, s.reviewed, s.found["label_wrong"]) for s in result.strata] == [
            ("part", 2, 1), ("loose", 4, 3)
        ]

    def test_scores_where_all_failures_were_looked_at(self):
        result = judge(("part", 5, "llamm"), examples=20, correct=15)
        assert result.published == 0.75
        right = result.labels_right
        assert (right.value, right.low, right.high) == pytest.approx((17 / 20,) * 3)
        left = result.left_out
        assert (left.value, left.low, left.high) == pytest.approx((15 / 17,) * 3)

    def test_intervals_hold_what_was_seen(self):
        result = judge(("part", 40, "lmmm"), ("loose", 20, "al"))
        for share in result.shares.values():
            assert 0 <= share.low <= share.value <= share.high <= 1
        assert result.shares["label_wrong"].low >= 2 / 60
        right = result.labels_right
        assert 0.4 < right.low < right.value < right.high <= 1
        assert result.left_out.low < result.left_out.value < result.left_out.high

    def test_modes_that_were_not_looked_into_count_as_anything(self):
        result = judge(("part", 40, "llll"), ("loose", 20, "...."))
        share = result.shares["label_wrong"]
        assert (share.value, share.high, result.unseen) == (1, 1, pytest.approx(1 / 3))
        assert share.low < 2 / 3
        none = result.shares["ambiguous"]
        assert (none.value, none.low) == (0, 0)
        assert none.high > 1 / 3

    def test_skipped(self):
        assert judge(("part", 40, "l.m.")).skipped == 1  # the last was not come to yet

    def test_nothing_judged(self):
        assert judge(("part", 40, "....")) is None

    def test_where_nothing_would_be_left(self):
        assert judge(("part", 3, "aaa"), examples=3, correct=0).left_out is None


def test_only_verdicts_on_the_prediction_that_was_drawn():
    queue = make_queue(("part", 40, "...."))
    assert verdicts_on(queue, {
        "part0": ("label_wrong", "m1"), "part1": ("label_wrong", "m2"), "part2": ("ambiguous", ""),
    }) == ["label_wrong", "", "ambiguous", ""]


def test_verdicts_on_other_predictions_are_counted_and_told():
    queue = make_queue(("part", 40, "...."))
    given = {"part0": ("label_wrong", "m1"), "part1": ("ambiguous", "m2"), "part9": ("x", "m2")}
    assert count_outdated(queue, given) == 1
    told = tell_review(queue, None, outdated=1, has_changed=True)
    assert (told.rows, told.lines[0]) == ((), "Nothing was judged yet.")
    assert told.lines[1].startswith("1 judged on other predictions than the drawn ones do not")
    told = tell_review(queue, None, has_changed=True)
    assert told.lines[1].startswith("The run has been read anew since the sample was drawn")


def test_a_review_is_told_in_rows_and_sentences():
    queue = make_queue(("part", 5, "llamm"), examples=20, correct=15)
    result = judge(("part", 5, "llamm"), examples=20, correct=15)
    told = tell_review(queue, result)
    assert [(row.label, row.value, row.low) for row in told.rows[3:5]] == [
        ("Share correct at IoU 0.5", 0.75, None),
        ("Share correct at IoU 0.5, wrong labels counted as correct", 17 / 20, 17 / 20),
    ]
    assert told.lines == ("5 of 5 judged, out of 5 failures among 20 examples.",)
    assert told.notes[0] == "Drawn proportional by failure mode, seed 1."
