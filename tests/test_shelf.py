"""Every order and every filter on eight sentences whose values can be counted by eye."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from inspector.browse import ALL_RUNS, FILTERS, SORTS, Browser, Selection, make_browser
from inspector.browse import across as across_module
from inspector.browse.found import FoundRows
from inspector.core.dataset import Dataset
from inspector.truths.results import pair_truths
from inspector.workspace import Workspace
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, modes_of, score
from tests.drawing import draw
from tests.stored.tables import stored
from tests.test_browse import MOST_TELLING_FIRST

CUP, OTHER_CUP, DOG = "####........", ".......###..", "....###....."
APPLES, BOWL, EGG = ("#####.......", ".......#....", ".........#.."), "..........##", "#..........."


def make_shelf(*, cup: str = CUP, dog: str = DOG, apple: str = APPLES[0], whole: bool = True):
    """Build the data set; the second truth has other masks and only some of the sentences."""
    def thing(name: str, category: str, mask: str) -> Thing:
        return Thing(name, category, draw(mask))

    kept = (
        (Said("0", "wide cup here now", ["cup"], "r2"), Said("1", "Dog", ["dog"], "r1"),
         Said("2", "cup on top", ["cup"], "r2"), Said("3", "right cup", ["other cup"], "r5")),
        (Said("4", "an apple", ["apple"], "r4"),
         Said("5", "big bowl of fine red fruit", ["bowl"], "r3"),
         Said("6", "first apple", ["apple"], "r4")),
        (Said("7", "egg in a dish", ["egg"], "r0"),),
    )
    pictures = [
        Picture("z", (1, 12), [thing("cup", "cup", cup), thing("other cup", "cup", OTHER_CUP),
                               thing("dog", "dog", dog)], kept[0]),
        Picture("y", (1, 12), [thing("apple", "apple", apple), thing("2", "apple", APPLES[1]),
                               thing("3", "apple", APPLES[2]), thing("bowl", "bowl", BOWL)],
                kept[1]),
        Picture("x", (1, 12), [thing("egg", "egg", EGG)], kept[2]),
    ]
    if not whole:
        pictures = [
            replace(picture, said=[said for said in picture.said if said.sent_id in "01246"])
            for picture in pictures[:2]
        ]
    return replace(
        make_dataset(*pictures),
        supercategories=("ware", "animal", "fruit", "ware", "food")[:5 if whole else 4],
    )


SHELF: Dataset = make_shelf()
MODEL = score(SHELF, {
    "0": draw("##.........."),  # 2 / 4
    "1": draw("...#######.."),  # 3 / 7, and all of the other cup
    "2": draw(".#.....###.."),  # 1 / 7, and 3 / 4 with the other cup
    "3": draw("...........#"),
    "4": draw("#..........."),  # 1 / 5
    "5": draw("............"),
    "6": draw(".####......."),  # 4 / 5
})
TWIN = score(SHELF, {
    "0": draw(CUP), "1": draw(DOG), "2": draw("##.........."), "4": draw(".#.........."),
    "5": draw("..........#."), "6": draw("##.........."), "7": draw(EGG),
}, name="twin")  # IoU 1, 1, 1/2, missing, 1/5, 1/2, 2/5, 1
TRUTH_B = make_shelf(cup="##..........", dog="....####....", apple="####........", whole=False)

COLUMNS = ("place", "iou", "scored", "mode", "area", "predicted", "sentence", "words", "category",
           "same", "picture", "referent", "spread", "agreement", "found",
           "truth_iou", "truth_ratio", "truth_shift")
NONE = None, None, None
# Of the shift only the sign. That of the cup is not known: its edges are nearer to the picture's.
CUPS, DOGS, FRUIT = (0.5, 0.5, None), (0.75, 4 / 3, -1), (0.8, 0.8, 1)
ROWS = [SimpleNamespace(**dict(zip(COLUMNS, row, strict=True))) for row in [
    (0, 0.5, True, "correct", 4, 2, "wide cup here now", 4, "cup", 1, 0, 0, 5 / 14, 0.2, None,
     *CUPS),
    (1, 3 / 7, True, "several_objects", 3, 7, "dog", 1, "dog", 0, 0, 1, None, None, 5, *DOGS),
    (2, 1 / 7, True, "wrong_referent", 4, 4, "cup on top", 3, "cup", 1, 0, 0, 5 / 14, 0.2, None,
     *CUPS),
    (3, 0, True, "background", 3, 1, "right cup", 2, "cup", 1, 0, 2, None, None, 1, *NONE),
    (4, 0.2, True, "part", 5, 1, "an apple", 2, "apple", 2, 1, 3, 0.6, 0.0, None, *FRUIT),
    (5, 0, True, "empty", 2, 0, "big bowl of fine red fruit", 6, "bowl", 0, 1, 4, None, None, 3,
     *NONE),
    (6, 0.8, True, "correct", 5, 4, "first apple", 2, "apple", 2, 1, 3, 0.6, 0.0, None, *FRUIT),
    (7, 0, False, "missing", 1, -1, "egg in a dish", 4, "egg", 0, 2, 5, None, None, None, *NONE),
]]

FOUND = FoundRows(1, [  # verdicts of both runs, tags, a note
    ("verdict", 0, 1, "label_wrong", 5), ("tag", -1, 1, "old", 2), ("noted", -1, 1, "any", 5),
    ("noted", -1, 1, "note", 5), ("verdict", 1, 5, "label_wrong", 3), ("noted", -1, 5, "any", 3),
    ("tag", -1, 3, "odd", 1), ("noted", -1, 3, "any", 1),
])


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return replace(make_workspace(MODEL, TWIN), second=pair_truths(SHELF, TRUTH_B))


@pytest.fixture(scope="module", params=["memory", "table"])
def browser(workspace: Workspace, request) -> Browser:
    opened = stored(workspace) if request.param == "table" else workspace
    return make_browser(opened, lambda revision: FOUND if revision < 1 else None)


def test_the_shelf_is_as_it_is_said(workspace):
    assert modes_of(MODEL) == [row.mode for row in ROWS]
    assert workspace.scored[0].iou.tolist() == pytest.approx([row.iou for row in ROWS])
    assert workspace.scored[1].iou.tolist() == [1, 1, 0.5, 0, 0.2, 0.5, 0.4, 1]


def mode_rank(row: SimpleNamespace) -> int:
    return MOST_TELLING_FIRST.index(row.mode)


ORDERS = {  # what an order goes by, whether the largest comes first, and what decides ties
    "worst": (lambda row: row.iou, False, lambda row: (mode_rank(row), -row.area)),
    "best": (lambda row: row.iou, True, lambda row: -row.area),
    "id": (lambda row: row.place, False, lambda row: 0),
    "area": (lambda row: row.area, True, lambda row: 0),
    "prediction": (lambda row: row.predicted, True, lambda row: 0),
    "sentence": (lambda row: row.sentence, False, lambda row: 0),
    "words": (lambda row: row.words, True, lambda row: row.sentence),
    "category": (lambda row: row.category, False, lambda row: -row.area),
    "failure": (mode_rank, False, lambda row: (row.iou, -row.area)),
    "same": (lambda row: row.same, True, lambda row: -row.area),
    "image": (lambda row: row.picture, False, lambda row: 0),
    "ref": (lambda row: row.referent, False, lambda row: 0),
    "found": (lambda row: row.found, True, lambda row: 0),
    "spread": (lambda row: row.spread, True, lambda row: (row.referent, row.iou)),
    "agreement": (lambda row: row.agreement, False, lambda row: (row.referent, row.iou)),
    "truth_iou": (lambda row: row.truth_iou, False, lambda row: 0),
    "truth_shift": (lambda row: row.truth_shift, True, lambda row: 0),
    "truth_ratio": (lambda row: row.truth_ratio, False, lambda row: 0),
}


def in_order(sort: str, *, reverse: bool) -> list[int]:
    """Order the rows in plain Python; what has no value, or was not scored, comes last."""
    value, descending, ties = ORDERS[sort]
    of_run = next(entry for entry in SORTS if entry.key == sort).needs_run
    rows = sorted(ROWS, key=lambda row: (ties(row), row.place) if ties else row.place)
    known = [row for row in rows if value(row) is not None]
    known.sort(key=value, reverse=descending != reverse)  # equal ones stay as they are
    found = known + [row for row in rows if value(row) is None]
    return [row.place for row in sorted(found, key=lambda row: of_run and not row.scored)]


def test_every_order_is_written_out_here():
    assert list(ORDERS) == [sort.key for sort in SORTS]


@pytest.mark.parametrize("reverse", [False, True], ids=["as named", "reversed"])
@pytest.mark.parametrize("sort", ORDERS)
def test_orders(sort, reverse, browser, workspace):
    if sort == "agreement" and type(browser) is not Browser:
        pytest.skip("a table has no masks to compare")
    found = browser.order(Selection("model", sort, reverse=reverse)).tolist()
    assert found == in_order(sort, reverse=reverse)


CHOSEN = [
    ("failure", "correct", "06"), ("failure", "part,empty", "45"),
    ("iou", "0.2..0.5", "014"), ("iou", "0.2..<0.5", "14"), ("iou", "..0", "357"),
    ("iou", "0.5..", "06"),
    ("category", "cup", "023"), ("sentence", "apple", "46"),
    ("area", "3..4", "0123"), ("area", "3..<4", "13"), ("area", "5..", "46"), ("area", "..1", "7"),
    ("verdict", "label_wrong", "1"), ("tag", "odd", "3"),
    ("noted", "note", "1"), ("noted", "any", "135"), ("noted", "none", "02467"),
    ("supercategory", "ware", "0235"), ("supercategory", "food", "7"),
    ("same", "1..", "02346"), ("same", "1..1", "023"), ("same", "..<1", "157"),
    ("words", "2..3", "2346"), ("words", "6..", "5"), ("words", "..<2", "1"),
    ("split", "val", "01234567"), ("split", "train", ""),
    ("image", "y", "456"), ("image", "Y", ""), ("ref", "r2", "02"), ("ref", "2", ""),
    ("flag", "near_threshold", "0"),
    ("other_iou", "twin:0.5..", "01257"), ("other_iou", "twin:..<0.5", "346"),
    ("other_iou", "twin:0.2..0.4", "46"), ("other_iou", "twin:0.2..<0.4", "4"),
    ("slice", "same=1", "023"), ("slice", "length=2-3;same=1", "23"),
    ("outcome", "wins:twin", "6"), ("outcome", "ties:twin", "34"),
    ("outcome", "losses:twin", "01257"), ("outcome", "first_only:twin", "6"),
    ("outcome", "second_only:twin", "1257"), ("outcome", "both_right:twin", "0"),
    ("outcome", "both_wrong:twin", "34"),
    ("truth_iou", "0.75..", "146"), ("truth_iou", "..<0.75", "02"),
    ("truth_shift", "0..", "46"), ("truth_shift", "..<0", "1"),
    ("truth_ratio", "..<1", "0246"), ("truth_ratio", "1..", "1"),
    ("truth_boundary", "..<0.75", "02"), ("truth_boundary", "0.75..", "146"),
    ("truth_parts", "0..0", "01246"), ("truth_parts", "1..", ""),
    ("truth_holes", "0..0", "01246"), ("truth_holes", "1..", ""),
    ("second", "matched", "01246"), ("second", "removed", "357"),
    ("second", "better:model", "0"), ("second", "better:twin", "2"),
]


def test_every_filter_is_written_out_here():
    assert list(dict.fromkeys(key for key, _, _ in CHOSEN)) == [entry.key for entry in FILTERS]


@pytest.mark.parametrize(("key", "value", "expected"), CHOSEN, ids=lambda text: text or "none")
def test_filters(key, value, expected, browser):
    if key in ("flag", "second") and type(browser) is not Browser:
        pytest.skip("a table of scores alone does not say it")
    found = browser.order(Selection("model", "id", {key: value})).tolist()
    assert "".join(map(str, found)) == expected


def test_findings_flags_and_outcomes_are_those_of_the_run_on_show(browser):
    def chosen(run: str, key: str, value: str) -> list[int]:
        return browser.order(Selection(run, "id", {key: value})).tolist()

    assert chosen("twin", "verdict", "label_wrong") == [5]
    assert chosen("twin", "outcome", "wins:model") == [0, 1, 2, 5, 7]
    assert chosen("twin", "outcome", "first_only:model") == [1, 2, 5, 7]
    if type(browser) is Browser:
        assert chosen("twin", "flag", "near_threshold") == [2, 5]
    for run in ("model", "twin"):
        facets = browser.counts(Selection(run, "id"))["facets"]
        assert facets["verdict"] == [["label_wrong", 1]]


def test_scatter_sets_the_area_or_another_run_across_and_the_run_on_show_up(browser):
    def points(against: str) -> list[list[float]]:
        answer = browser.scatter(Selection("model", "id"), against)
        assert answer["total"] == 7  # one is missing
        return sorted(answer["points"])

    assert points("") == [[row.place, row.area, pytest.approx(row.iou)] for row in ROWS[:7]]
    twin = [1, 1, 0.5, 0, 0.2, 0.5, 0.4]
    assert points("twin") == [
        [row.place, other, pytest.approx(row.iou)] for row, other in zip(ROWS, twin, strict=False)
    ]


def test_the_iou_of_another_run_may_be_asked_for_over_all_runs(browser):
    chosen = Selection(ALL_RUNS, "id", {"other_iou": "twin:0.2..0.4"})
    assert sorted(browser.order(chosen).tolist()) == [4, 6, 8 + 4, 8 + 6]


def test_a_window_of_all_runs_is_never_longer_than_the_longest(browser, monkeypatch):
    monkeypatch.setattr(across_module, "MOST_WINDOW", 3)
    window = browser.window(Selection(ALL_RUNS, "id"), 0, 100)
    assert (window.total, len(window.rows)) == (16, 3)


def test_no_word_is_suggested_for_what_is_not_to_stand_there(browser):
    assert browser.suggest(Selection("model", "id", {"sentence": "appel"})) == "apple"
    assert browser.suggest(Selection("model", "id", {"sentence": "appel", "match": "n"})) == ""
