"""A selection is read from its address, whole."""

from __future__ import annotations

import itertools

import pytest

from inspector.browse import FILTERS, SORTS, Selection, read_selection
from inspector.browse.slice_names import read_slice, slice_name, write_slice
from inspector.core.errors import UsageError
from inspector.core.protocol import Protocol
from inspector.workspace import Workspace
from tests.building import make_workspace, score_strips

SCORES = score_strips(("##", "##"))
WITH_RUN = make_workspace(SCORES)
WITHOUT_RUN = Workspace(SCORES.dataset, (), Protocol())


STRANGE = "50% \"café\" & 🐈 \\ '"


def sample(entry) -> str:
    own = {"outcome": "wins:model", "other_iou": "model:0.2..0.5", "noted": "none"}
    if entry.key in own:
        return own[entry.key]
    return "3..7" if entry.kind == "range" else STRANGE


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("sort", [sort.key for sort in SORTS])
def test_every_sort_and_filter_comes_back_from_its_address(sort, reverse):
    for count in (0, 1, 2, len(FILTERS)):
        for entries in itertools.combinations(FILTERS, count):
            filters = {entry.key: sample(entry) for entry in entries}
            if "sentence" in filters:
                filters["match"] = "wn"
            query = {"run": "model", "sort": sort, **filters, "reverse": "1" if reverse else ""}
            assert read_selection(query, WITH_RUN) == Selection(
                "model", sort, filters, reverse=reverse
            )


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.key) for entry in FILTERS])
def test_every_filter_has_a_label_and_a_phrase(entry):
    assert entry.label
    own = {"outcome": "wins:left", "other_iou": "left:0.2..0.5", "noted": "none"}
    value = "3..7" if entry.kind == "range" else own.get(entry.key, "left")
    said = "from 3 to 7" if entry.kind == "range" else (
        "no finding" if entry.key == "noted" else "left"
    )
    assert said in entry.phrase({entry.key: value})


@pytest.mark.parametrize("sort", [pytest.param(sort, id=sort.key) for sort in SORTS])
def test_every_sort_has_a_label_and_is_total(sort):
    assert sort.label
    assert sort.order_by(reverse=False).endswith("place")
    assert sort.order_by(reverse=True).endswith("place")


@pytest.mark.parametrize("value", ["x", "1", "1..x", "..x", "one..two", "1-2", "1..<", "<1..2"])
def test_a_range_that_cannot_be_read_is_said(value):
    with pytest.raises(UsageError, match=r"is not a range for 'area'\. Write low\.\.high"):
        read_selection({"area": value}, WITH_RUN)


@pytest.mark.parametrize(("value", "said"), [
    pytest.param("..1000", "Target area is at most 1,000", id="up to"),
    pytest.param("5..", "Target area is at least 5", id="from"),
    pytest.param("5..5", "Target area is 5", id="just"),
    pytest.param("5..7", "Target area is from 5 to 7", id="between"),
    pytest.param("5..<7", "Target area is from 5 to below 7", id="below"),
    pytest.param("..<7", "Target area is below 7", id="just below"),
    pytest.param("1234567..1234568", "Target area is from 1,234,567 to 1,234,568", id="digits"),
])
def test_ranges_in_words(value, said):
    assert Selection(filters={"area": value}).describe() == said


@pytest.mark.parametrize("value", ["7..5", "5..<5"])
def test_a_range_that_holds_nothing_is_said(value):
    with pytest.raises(UsageError, match=r"ends before it begins\. Write 5\.\.[57]\.$"):
        read_selection({"area": value}, WITH_RUN)


@pytest.mark.parametrize("parts", [
    pytest.param([("category", "cup")], id="one"),
    pytest.param([("category", "cat;dog"), ("category", "a=b")], id="several categories"),
    pytest.param([("category", "back\\"), ("category", "\\;")], id="backslashes"),
])
def test_a_slice_comes_back_whatever_its_values_hold(parts):
    assert read_slice(write_slice(parts)) == [slice_name(*part) for part in parts]


def test_more_parts_than_a_slice_has_are_refused():
    with pytest.raises(UsageError, match=r"The slice has 2,000 parts; at most 8 are joined\."):
        read_selection({"slice": ";".join(["a=b"] * 2000)}, WITH_RUN)


@pytest.mark.parametrize(("match", "said"), [
    pytest.param("", "sentence contains “left”", id="part"),
    pytest.param("w", "sentence contains the word “left”", id="word"),
    pytest.param("n", "sentence does not contain “left”", id="not"),
    pytest.param("r", "sentence matches “left”", id="pattern"),
    pytest.param("rn", "sentence does not match “left”", id="not pattern"),
    pytest.param("wc", "sentence contains the word “left” in this letter case", id="case"),
])
def test_ways_to_compare_sentences_in_words(match, said):
    assert Selection(filters={"sentence": "left", "match": match}).describe() == said


def test_an_empty_address_is_the_worst_of_the_first_run():
    assert read_selection({}, WITH_RUN) == Selection("model", "worst", {})


def test_without_a_run_the_order_is_that_of_the_data_set():
    assert read_selection({}, WITHOUT_RUN) == Selection("", "id", {})


@pytest.mark.parametrize("sort", [sort.key for sort in SORTS if sort.needs_run])
def test_without_a_run_no_order_by_scores(sort):
    assert read_selection({"sort": sort}, WITHOUT_RUN).sort == "id"


def test_empty_values_and_keys_of_others_are_ignored():
    query = {"category": "", "sentence": "", "example": "7", "layer": "fill", "utm": "x"}
    assert read_selection(query, WITH_RUN) == Selection("model", "worst", {})


@pytest.mark.parametrize(("query", "workspace", "text"), [
    pytest.param({"run": "modell"}, WITH_RUN,
                 r"No run 'modell'\. Choose one of: model\. Did you mean 'model'\?", id="run"),
    pytest.param({"run": "model"}, WITHOUT_RUN, r"No run 'model'\. There is none\.$", id="no"),
    pytest.param({"sort": "wurst"}, WITH_RUN,
                 r"No order 'wurst'\. Choose one of: worst, best, id, .*truth_ratio\. ", id="sort"),
    pytest.param({"sort": "place; DROP TABLE x"}, WITH_RUN, "No order 'place; DROP", id="SQL"),
])
def test_what_does_not_exist_is_said(query, workspace, text):
    with pytest.raises(UsageError, match=text):
        read_selection(query, workspace)


@pytest.mark.parametrize(("filters", "said"), [
    pytest.param({}, "", id="no"),
    pytest.param({"category": "cup"}, "category is cup", id="one"),
    pytest.param({"sentence": "left", "category": "cup"},
                 "category is cup AND sentence contains “left”", id="two"),
])
def test_filters_in_words(filters, said):
    assert Selection(filters=filters).describe() == said
