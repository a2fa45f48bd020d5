"""Which examples are shown, in which order."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest

from inspector.browse import FILTERS, SORTS, Browser, Selection
from inspector.browse.columns import second_columns
from inspector.core.failures import FAILURE_MODES, TEACHING_RANKS
from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.truths.results import pair_truths
from inspector.workspace import Workspace
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    make_workspace,
    modes_of,
    random_scores,
    score,
    score_strips,
)
from tests.drawing import draw

MOST_TELLING_FIRST = (
    "wrong_referent", "wrong_object", "several_objects", "background", "loose", "spill", "part",
    "false_target", "empty", "correct", "missing", "invalid",
)


def shown(workspace: Workspace, **selection) -> list[str]:
    """Give the ids of the selected examples in their order."""
    names = [scores.run.name for scores in workspace.scores]
    chosen = Selection(**{"run": names[0] if names else "", **selection})
    return [workspace.dataset.expressions.ids[i] for i in Browser(workspace).order(chosen)]


def without_runs(dataset) -> Workspace:
    return Workspace(dataset, (), Protocol())


class TestWorstFirst:
    def test_low_iou_first_then_missing_then_invalid(self):
        scores = score_strips(
            ("####", BROKEN), ("####", "####"), ("####", None), ("####", "#..."), ("####", "##..")
        )
        assert shown(make_workspace(scores)) == ["4", "5", "2", "3", "1"]

    def test_of_equal_iou_the_failure_that_teaches_more(self):
        things = [
            Thing("a", "cup", draw("##........")), Thing("b", "cup", draw("...##.....")),
            Thing("c", "dog", draw("......##..")),
        ]
        dataset = make_dataset(Picture(
            "1", (1, 10), things, [Said(f"{n}", "cup", ("a",)) for n in range(1, 5)]
        ))
        scores = score(dataset, {
            "1": draw(".........."), "2": draw(".........#"), "3": draw("......##.."),
            "4": draw("...##....."),
        })
        assert modes_of(scores) == ["empty", "background", "wrong_object", "wrong_referent"]
        assert shown(make_workspace(scores)) == ["4", "3", "2", "1"]

    def test_of_equal_failures_the_larger_target_then_the_order_of_the_data_set(self):
        scores = score_strips(
            ("#.........", "........##"), ("###.......", "........##"), ("###.......", "........##")
        )
        assert shown(make_workspace(scores)) == ["2", "3", "1"]

    def test_what_a_rule_skips_comes_after_what_has_a_number(self):
        scores = score_strips(("....", "...."), ("####", "####"), ("####", None))
        skipping = Protocol(empty_union="skip", missing="skip")
        assert shown(make_workspace(scores, protocol=skipping)) == ["2", "1", "3"]

    def test_an_example_without_truth_comes_last(self):
        dataset = make_dataset(Picture(
            "1", (1, 4), (Thing("a", "cup", BROKEN), Thing("b", "cup", draw("####"))),
            (Said("1", "bad", ("a",)), Said("2", "good", ("b",)), Said("3", "gone", ("b",))),
        ))
        scores = score(dataset, {"1": draw("####"), "2": draw("####")})
        assert shown(make_workspace(scores)) == ["2", "3", "1"]

    def test_every_failure_mode_has_its_rank(self):
        ranks = dict(zip([mode.key for mode in FAILURE_MODES], TEACHING_RANKS, strict=False))
        assert tuple(sorted(ranks, key=ranks.__getitem__)) == MOST_TELLING_FIRST
        assert TEACHING_RANKS[-1] > max(ranks.values())  # without truth


def test_best_first_is_the_other_way_round_with_missing_and_invalid_last():
    scores = score_strips(
        ("####", BROKEN), ("####", "##.."), ("####", None), ("####", "#..."), ("####", "####")
    )
    assert shown(make_workspace(scores), sort="best") == ["5", "2", "4", "3", "1"]


def test_the_other_orders():
    workspace = make_workspace(score_strips(("#...", None), ("####", None), ("##..", "#...")))
    assert shown(workspace, sort="id") == ["1", "2", "3"]
    assert shown(workspace, sort="area") == ["2", "3", "1"]


def test_sentences_are_ordered_without_regard_to_case():
    dataset = make_dataset(Picture("1", (1, 2), (), [
        Said(f"{n}", text) for n, text in enumerate(["banana", "Apple", "cherry", "apple"])
    ]))
    assert shown(without_runs(dataset), sort="sentence") == ["1", "3", "0", "2"]


@pytest.fixture(scope="module")
def opened_twice() -> tuple[Browser, Browser]:
    workspace = make_workspace(*random_scores(11, pictures=30, runs=2))
    return Browser(workspace), Browser(workspace)


@pytest.mark.parametrize("sort", [sort.key for sort in SORTS])
def test_every_order_has_each_example_once_and_is_always_the_same(sort, opened_twice):
    orders = [browser.order(Selection("run1", sort)).tolist() for browser in opened_twice]
    assert sorted(orders[0]) == list(range(150))
    assert orders[0] == orders[1]


def test_orders_follow_the_run():
    dataset = score_strips(("####", None), ("####", None)).dataset
    one = score(dataset, {"1": draw("####"), "2": draw("#...")}, name="one")
    two = score(dataset, {"1": draw("#..."), "2": draw("####")}, name="two")
    workspace = make_workspace(one, two)
    assert shown(workspace, run="one") == ["2", "1"]
    assert shown(workspace, run="two") == ["1", "2"]


def test_worst_first_agrees_with_sorting_in_plain_python():
    scores, = random_scores(12, pictures=40)
    iou = make_workspace(scores).scored[0].iou
    keys = [
        (status != Status.SCORED, status if status != Status.SCORED else 0,
         iou[i] if iou[i] == iou[i] else 2,
         MOST_TELLING_FIRST.index(mode) if mode else 99, -area, i)
        for i, (status, mode, area) in enumerate(zip(
            scores.status.tolist(), modes_of(scores), scores.target_area.tolist(), strict=True
        ))
    ]
    expected = sorted(range(len(keys)), key=keys.__getitem__)
    order = Browser(make_workspace(scores)).order(Selection("run0"))
    assert order.tolist() == expected


SENTENCES = [
    "left cup", "the LEFT dog", 'the "left" one', "it's 100% wool", "under_score", "under score",
    "'; DROP TABLE examples; --", "back\\slash", "a  wide\tgap", "🐈 on the left", "straße", "",
]
WORDS = make_dataset(
    Picture(
        "1", (1, 4),
        (Thing("a", "cup", draw("#...")), Thing("b", "dog", draw("..##")),
         Thing("c", "o'neill %_;", draw("...#"))),
        [Said(f"{n}", text, ("a",) if n % 2 else ("b",)) for n, text in enumerate(SENTENCES)]
        + [Said("both", "cup and dog", ("a", "b")), Said("odd", "odd", ("c",))],
    ),
)


@pytest.mark.parametrize(("value", "expected"), [
    pytest.param("left", ["0", "1", "2", "9"], id="a word, in any case"),
    pytest.param("LEFT  cup", ["0"], id="two words"),
    pytest.param('"left"', ["2"], id="double quotes"),
    pytest.param("it's", ["3"], id="single quote"),
    pytest.param("%", ["3"], id="percent sign"),
    pytest.param("r_s", ["4"], id="underscore"),
    pytest.param("'; DROP TABLE examples; --", ["6"], id="SQL"),
    pytest.param("' OR '1'='1", [], id="SQL that is always true"),
    pytest.param("\\", ["7"], id="backslash"),
    pytest.param("wide gap", ["8"], id="any gap is a space"),
    pytest.param("🐈", ["9"], id="emoji"),
    pytest.param("a\0b", [], id="zero byte"),
    pytest.param("STRASSE", ["10"], id="folded letters"),
    pytest.param("no such words", [], id="nothing"),
])
def test_sentences_that_contain(value, expected):
    found = shown(without_runs(WORDS), sort="id", filters={"sentence": value})
    assert found == expected


@pytest.mark.parametrize(("value", "expected"), [
    pytest.param("dog", ["0", "2", "4", "6", "8", "10", "both"], id="also where it is one of two"),
    pytest.param("Dog", [], id="as it is written"),
    pytest.param("do", [], id="whole"),
    pytest.param("' OR 1=1 --", [], id="SQL"),
])
def test_categories(value, expected):
    assert shown(without_runs(WORDS), sort="id", filters={"category": value}) == expected


def test_filters_narrow_together():
    filters = {"category": "dog", "sentence": "left"}
    assert shown(without_runs(WORDS), sort="id", filters=filters) == ["0", "2"]


def test_the_categories_are_counted_most_frequent_first():
    counts = Browser(without_runs(WORDS)).counts(Selection(sort="id"))
    assert counts["facets"]["category"][:2] == [["cup", 7], ["dog", 7]]


def test_filters_and_order_together():
    scores = score_strips(("####", "####"), ("####", "#..."), ("####", None))
    workspace = make_workspace(scores)
    assert shown(workspace, filters={"category": "cup"}) == ["2", "1", "3"]
    assert shown(workspace, filters={"category": "dog"}) == []


def test_the_order_is_made_of_little_endian_int32():
    order = Browser(without_runs(WORDS)).order(Selection(sort="id"))
    assert order.dtype == np.dtype("<i4")


def test_several_threads_may_ask_at_once():
    browser = Browser(make_workspace(*random_scores(13, pictures=20)))
    expected = browser.order(Selection("run0", "worst")).tolist()
    answers: list[list[int]] = []

    def ask() -> None:
        for _ in range(5):
            answers.append(browser.order(Selection("run0", "worst")).tolist())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 20


def test_selections_are_immutable():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Selection().sort = "best"


@pytest.mark.parametrize("entries", [FILTERS, SORTS], ids=["filters", "sorts"])
def test_keys_and_labels_are_unique(entries):
    assert len({entry.key for entry in entries}) == len(entries)
    assert len({entry.label for entry in entries}) == len(entries)


def test_what_is_known_of_a_second_truth():
    """B fills the hole of a square, has lost one dot and gained two; the other thing it dropped."""
    a = draw(
        "#####...",
        "#####...",
        "##.##...",
        "#####...",
        "#####...",
        "........",
        "#.......",
    )
    b = draw(
        "#####..#",
        "#####...",
        "#####...",
        "#####...",
        "#####...",
        "........",
        ".......#",
    )
    things = [Thing("1", "cup", a), Thing("2", "cup", draw(*["......##"] * 7))]
    said = [Said("1", "left", ["1"]), Said("2", "right", ["2"])]
    first = make_dataset(Picture("p", (7, 8), things, said))
    second = make_dataset(Picture("p", (7, 8), [Thing("1", "cup", b)], said[:1]))
    columns = second_columns(pair_truths(first, second), 2)
    assert all(values[1].as_py() is None for values in columns.values())
    known = {name: values[0].as_py() for name, values in columns.items()}
    assert known.pop("truth_shift") < 0  # A lies inside
    assert known == pytest.approx({
        "truth_iou": 24 / 28, "truth_ratio": 27 / 25,
        "truth_boundary": 16 / (25 + 18 - 16),  # A has no pixel away from an edge, B has nine
        "truth_parts": 3, "truth_holes": -1,
    })
