"""A selection and its address are the same thing."""

from __future__ import annotations

import itertools

import pytest

from inspector.browse import FILTERS, SORTS, Selection, read_selection
from inspector.core.errors import UsageError
from inspector.core.metrics import Protocol
from inspector.workspace import Workspace
from tests.building import make_workspace, score_strips

SCORES = score_strips(("##", "##"))
WITH_RUN = make_workspace(SCORES)
WITHOUT_RUN = Workspace(SCORES.dataset, (), Protocol())


@pytest.mark.parametrize("sort", [sort.key for sort in SORTS])
@pytest.mark.parametrize("count", range(len(FILTERS) + 1))
def test_every_sort_and_filter_comes_back_from_its_address(sort, count):
    for entries in itertools.combinations(FILTERS, count):
        filters = {entry.key: "50% \"café\" & 🐈 \\ '" for entry in entries}
        query = {"run": "model", "sort": sort, **filters}
        assert read_selection(query, WITH_RUN) == Selection("model", sort, filters)


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.key) for entry in FILTERS])
def test_every_filter_has_a_label_and_a_phrase(entry):
    assert entry.label
    assert "left" in entry.phrase("left")


@pytest.mark.parametrize("sort", [pytest.param(sort, id=sort.key) for sort in SORTS])
def test_every_sort_has_a_label_and_is_total(sort):
    assert sort.label
    assert sort.sql.endswith("place")


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
                 r"No run 'modell'\. There is: model\. Did you mean 'model'\?", id="run"),
    pytest.param({"run": "model"}, WITHOUT_RUN, r"No run 'model'\. There is: none\.$", id="no run"),
    pytest.param({"sort": "wurst"}, WITH_RUN,
                 r"No order 'wurst'\. There is: worst, best, id, area, sentence\.$", id="sort"),
    pytest.param({"sort": "place; DROP TABLE x"}, WITH_RUN, "No order 'place; DROP", id="SQL"),
])
def test_what_does_not_exist_is_said(query, workspace, text):
    with pytest.raises(UsageError, match=text):
        read_selection(query, workspace)


@pytest.mark.parametrize(("filters", "said"), [
    pytest.param({}, "", id="none"),
    pytest.param({"category": "cup"}, "category is cup", id="one"),
    pytest.param({"sentence": "left", "category": "cup"},
                 "category is cup AND sentence contains “left”", id="two"),
])
def test_filters_in_words(filters, said):
    assert Selection(filters=filters).describe() == said
