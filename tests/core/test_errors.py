from __future__ import annotations

from pathlib import Path

import pytest

from inspector.core.errors import (
    FormatError,
    InspectorError,
    MaskError,
    SizeMismatchError,
    UsageError,
    describe_size,
    nearest,
)


def test_a_format_error_says_where_what_and_what_to_do():
    error = FormatError(
        "names annotation 7, which is not among the 49,865 annotations of instances.json",
        path=Path("data/refcoco/refs(unc).p"),
        record="ref 4512",
        hint="Take both files from the same release.",
    )
    assert str(error) == (
        "refs(unc).p, ref 4512: names annotation 7, which is not among the 49,865 annotations of "
        "instances.json. Take both files from the same release. (file: data/refcoco/refs(unc).p)"
    )
    assert (error.record, error.hint) == ("ref 4512", "Take both files from the same release.")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        pytest.param(FormatError("is empty"), "is empty.", id="problem only"),
        pytest.param(FormatError("is empty."), "is empty.", id="no second full stop"),
        pytest.param(FormatError("is it a pickle?"), "is it a pickle?", id="question"),
        pytest.param(FormatError("is empty", record="line 3"), "line 3: is empty.", id="record"),
        pytest.param(FormatError("is empty", hint="Fill it."), "is empty. Fill it.", id="hint"),
        pytest.param(
            FormatError("is empty", path="a/b.json"), "b.json: is empty. (file: a/b.json)",
            id="path as text",
        ),
    ],
)
def test_parts_of_a_format_error_may_be_left_out(error, text):
    assert str(error) == text


def test_one_base_class_catches_everything_that_a_person_can_mend():
    for kind in (FormatError, MaskError, SizeMismatchError, UsageError):
        assert issubclass(kind, InspectorError)


def test_sizes_are_written_width_first():
    assert describe_size((480, 640)) == "640 x 480 pixels (width x height)"


@pytest.mark.parametrize(
    ("word", "text"),
    [
        pytest.param("testa", " Did you mean 'testA'?", id="letter case"),
        pytest.param("tran", " Did you mean 'train'?", id="letter missing"),
        pytest.param("zebra", "", id="nothing near"),
    ],
)
def test_nearest(word, text):
    assert nearest(word, ["train", "val", "testA", "testB"]) == text


def test_nearest_of_nothing():
    assert nearest("val", []) == ""
