"""Views kept by name."""

from __future__ import annotations

import pytest

from inspector.core.errors import UsageError
from inspector.findings import views
from inspector.findings.views import (
    TakenError,
    check_view_name,
    delete_view,
    keep_view,
    read_views,
    rename_view,
)
from tests.findings.making import DATA, new_store

KNOWN = ("run", "sort", "sentence")


@pytest.fixture
def store(tmp_path):
    store = new_store(tmp_path)
    keep_view(store, DATA, " Hard  cases ", {"run": "model", "sentence": "left & right"},
              known=KNOWN, who="Ann")
    return store


def names(store):
    return [view.name for view in read_views(store, DATA, KNOWN)]


def test_kept_under_its_name(store):
    view, = read_views(store, DATA, KNOWN)
    assert (view.name, view.who) == ("Hard cases", "Ann")
    assert view.query == {"run": "model", "sentence": "left & right"}
    assert read_views(store, "other", KNOWN) == []


def test_only_keys_that_the_page_knows(store):
    keep_view(store, DATA, "b", {"run": "model", "next": "http://evil.example", "sort": ""},
              known=KNOWN)
    assert read_views(store, DATA, KNOWN)[0].query == {"run": "model"}
    assert read_views(store, DATA, ("sort",))[1].query == {}  # nor keys that it once knew


def test_a_name_that_is_taken(store):
    with pytest.raises(TakenError, match="There is a view “Hard cases” already."):
        keep_view(store, DATA, "Hard cases", {"sort": "best"}, known=KNOWN)
    assert read_views(store, DATA, KNOWN)[0].query["run"] == "model"
    keep_view(store, DATA, "Hard cases", {"sort": "best"}, known=KNOWN, replace=True)
    assert read_views(store, DATA, KNOWN)[0].query == {"sort": "best"}


def test_renamed_and_deleted(store):
    keep_view(store, DATA, "another", {"sort": "best"}, known=KNOWN)
    rename_view(store, DATA, "Hard cases", "Zebras")
    assert names(store) == ["another", "Zebras"]
    with pytest.raises(TakenError):
        rename_view(store, DATA, "Zebras", "another")
    delete_view(store, DATA, "another")
    assert names(store) == ["Zebras"]
    for change in (lambda: delete_view(store, DATA, "another"),
                   lambda: rename_view(store, DATA, "another", "b")):
        with pytest.raises(UsageError, match="There is no view “another”."):
            change()


@pytest.mark.parametrize("name", ["", "  ", "x" * 81])
def test_names_that_are_none(name):
    with pytest.raises(UsageError, match="The name of a view has 1 to 80 characters."):
        check_view_name(name)


def test_values_have_an_end(store):
    said = "'sentence' has at most 1,000 characters, but this has 1,001."
    with pytest.raises(UsageError, match=said):
        keep_view(store, DATA, "b", {"sentence": "x" * 1_001}, known=KNOWN)


def test_where_there_are_too_many_one_can_still_be_replaced(store, monkeypatch):
    monkeypatch.setattr(views, "MOST_VIEWS", 2)
    keep_view(store, DATA, "b", {"sort": "best"}, known=KNOWN)
    with pytest.raises(UsageError, match="There are 2 views already. Delete one first."):
        keep_view(store, DATA, "c", {}, known=KNOWN)
    keep_view(store, DATA, "b", {"sort": "worst"}, known=KNOWN, replace=True)
    assert read_views(store, DATA, KNOWN)[0].query == {"sort": "worst"}
