"""The command line and a program ask for the same data sets in the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.cli import _parser
from inspector.commands.opening import read_data_options
from inspector.core.errors import UsageError
from inspector.data_options import DataOptions
from inspector.formats.request import LoadRequest

BOTH = DataOptions(
    split="val", split_by="unc", images="pictures", instances=["a.json"], format="refer",
    refs="refs.p", texts="all", second="other", instances_b=["b.json"],
)


def test_what_holds_for_both_and_what_for_the_first_alone():
    assert BOTH.first_request("one") == LoadRequest(
        "one", split="val", split_by="unc", images=Path("pictures"), instances=(Path("a.json"),),
        format="refer", refs=Path("refs.p"), texts="all", is_of_pair=True,
    )
    assert BOTH.second_request() == LoadRequest(
        "other", split="val", split_by="unc", images=Path("pictures"),
        instances=(Path("b.json"),), texts="all", is_of_pair=True,
    )


def test_the_second_may_have_its_own():
    options = DataOptions(
        split="val", images="pictures", second="other", split_b="test", images_b="more",
        format_b="jsonl",
    )
    assert options.second_request() == LoadRequest(
        "other", split="test", images=Path("more"), format="jsonl", is_of_pair=True
    )


def test_the_command_line_gives_the_same():
    options = _parser().parse_args([
        "open", "one", "--split", "val", "--split-by", "unc", "--images", "pictures",
        "--instances", "a.json", "--format", "refer", "--refs", "refs.p", "--texts", "all",
        "--second-truth", "other", "--instances-b", "b.json",
    ])
    assert read_data_options(options) == BOTH


def test_what_is_of_the_second_alone_needs_one():
    assert DataOptions(split="val").second_request() is None
    with pytest.raises(UsageError, match="--format-b is of use only with a second ground truth"):
        DataOptions(format_b="jsonl").second_request()


def test_what_was_asked_for():
    assert DataOptions().named() == []
    assert DataOptions(instances=(), texts="first", split="").named() == []
    assert DataOptions(texts="all", split_b="val").named() == ["texts", "split_b"]
