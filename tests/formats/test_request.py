from __future__ import annotations

from pathlib import Path

import pytest

from inspector.core.errors import UsageError
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

REFCOCO = ["train", "train", "val", "testA", "testB"]
REFCOCOG = ["train", "val", "test"]


def choose(asked, found):
    name, splits = choose_splits(asked, found, what="refcoco/unc")
    return name, sorted(splits)


@pytest.mark.parametrize("name", ["val", "validation", "valid", "Validation", " validation "])
def test_val_and_validation_are_the_same(name):
    assert canonical_split(name) == "val"
    assert choose(name, ["train", "val"]) == ("val", ["val"])
    assert choose(name, ["train", "validation"]) == ("val", ["val"])


@pytest.mark.parametrize(
    ("found", "name", "splits"),
    [
        pytest.param(REFCOCO, "val", ["val"], id="val where there is one"),
        pytest.param(["test", "validation"], "val", ["val"], id="validation is val"),
        pytest.param(["train"], "train", ["train"], id="the only one"),
        pytest.param(["all", "all"], "all", ["all"], id="the only one, many records"),
        pytest.param(["train", "test"], "test", ["test"], id="test before train"),
    ],
)
def test_default_split(found, name, splits):
    assert choose(None, found) == (name, splits)


@pytest.mark.parametrize(("found", "text"), [
    pytest.param(["train", "testA"], "Choose one with --split, or --split all", id="two"),
    pytest.param([], "refcoco/unc holds no record that can be used", id="none"),
])
def test_no_default_split(found, text):
    with pytest.raises(UsageError, match=text):
        choose(None, found)


@pytest.mark.parametrize(
    ("asked", "found", "name", "splits"),
    [
        pytest.param("testA", REFCOCO, "testA", ["testA"], id="one"),
        pytest.param("test", REFCOCO, "test", ["testA", "testB"], id="test is both halves"),
        pytest.param("test", REFCOCOG, "test", ["test"], id="test is test where there is one"),
        pytest.param("test", ["testA", "val"], "test", ["testA"], id="test with one half"),
        pytest.param("val,testB", REFCOCO, "val,testB", ["testB", "val"], id="several"),
        pytest.param("val, val", REFCOCO, "val", ["val"], id="one twice"),
        pytest.param("val,test", REFCOCO, "val,testA,testB", ["testA", "testB", "val"], id="mix"),
        pytest.param("all", REFCOCOG, "all", ["test", "train", "val"], id="all"),
        pytest.param("ALL", REFCOCOG, "all", ["test", "train", "val"], id="all in capitals"),
    ],
)
def test_asked_split(asked, found, name, splits):
    assert choose(asked, found) == (name, splits)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        pytest.param(
            "testa",
            r"No split 'testa'\. refcoco/unc has: train \(2\), val \(1\), testA \(1\), testB \(1\)"
            r"\. Did you mean 'testA'\?",
            id="letter case",
        ),
        pytest.param("tran", r"No split 'tran'\..* Did you mean 'train'\?", id="misspelt"),
        pytest.param("zebra", r"No split 'zebra'\. .*testB \(1\)\.$", id="nothing near"),
        pytest.param("val,zebra", "No split 'zebra'", id="one of several"),
        pytest.param("", "No split ''", id="empty"),
    ],
)
def test_unknown_split(asked, text):
    with pytest.raises(UsageError, match=text):
        choose(asked, REFCOCO)


def test_large_counts_are_readable():
    with pytest.raises(UsageError, match=r"has: val \(10,834\)\."):
        choose("x", ["val"] * 10_834)


def test_the_source_is_a_path_and_may_begin_at_home():
    assert LoadRequest("~/data").path == Path.home() / "data"
