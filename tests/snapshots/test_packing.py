"""What is packed comes back equal in every type and bit, and nothing else is ever made."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from inspector.core.problems import Problem
from inspector.core.records import ImageRef
from inspector.snapshots.packing import PackingError, known_classes, pack, unpack
from tests.building import random_scores


def again(value, known=None):
    return unpack(pack(value, known), known)


@pytest.mark.parametrize("value", [
    None, True, 7, -(10**30), 0.1 + 0.2, float("inf"), "Zoë \ud83d", [], (), {}, [1, "a", None],
    (1, (2.5, [True])), {1: "a", 2: ("b",)}, {"k": {"l": []}}, b"", b"\0\xff",
    Path("a") / "b", [Path("a"), Path("b")] * 5, [(1, 2)] * 9, [(1, (2,))] * 9, [(1,), [2]] * 9,
    [("a", None)] * 9, [b"x"] * 9, (Path("a"), None),
], ids=repr)
def test_plain_values(value):
    found = again(value)
    assert found == value
    assert type(found) is type(value)
    assert repr(found) == repr(value)  # tells 1 from 1.0 and True inside


@pytest.mark.parametrize("array", [
    np.arange(6, dtype=np.int32).reshape(2, 3), np.zeros((0, 4)), np.array([np.nan, -0.0, 1e-300]),
    np.array(5, np.int64), np.array([True, False]), np.arange(6).reshape(2, 3).T,
    np.arange(10, dtype=np.int8)[::3], np.array([1], ">i4"),
], ids=lambda a: f"{a.dtype}{a.shape}")
def test_arrays(array):
    found = again(array)
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tobytes() == array.tobytes()


def test_numbers_of_numpy_stay_so():
    found = again((np.int32(5), np.float64(0.1)))
    assert [type(n) for n in found] == [np.int32, np.float64]


def test_records_of_one_class_are_a_table_and_come_back():
    images = tuple(ImageRef(str(n), f"{n}.jpg", (n, 2), Path(f"{n}.jpg")) for n in range(20))
    assert '"rows":"ImageRef"' in pack(images).tree
    assert again(images) == images
    mixed = (*images, replace(images[0], location=None))
    assert again(mixed) == mixed
    assert again(images[:2]) == images[:2]


def test_one_object_stays_one_object():
    array = np.arange(3)
    first, second, third = again((array, array, np.arange(3)))
    assert first is second
    assert first is not third


def test_what_is_known_is_not_written():
    scores, = random_scores(1)
    packed = pack(scores, {"dataset": scores.dataset})
    assert "ExpressionTable" not in packed.tree
    assert unpack(packed, {"dataset": scores.dataset}).dataset is scores.dataset
    with pytest.raises(PackingError):
        unpack(packed)


def test_scores_come_back_whole():
    scores, = random_scores(2)
    found = again(scores)
    assert found.dataset is not scores.dataset
    assert pack(found).digest == pack(scores).digest
    assert_same(found, scores)


def test_the_digest_changes_with_every_part():
    problem = Problem("no-pictures", "info", "here", "text.", 2)
    digests = {pack(problem).digest} | {
        pack(replace(problem, **{field.name: "other"})).digest for field in fields(problem)
    }
    assert len(digests) == 6
    assert pack(np.array([1, 0], "i4")).digest != pack(np.array([1], "i8")).digest


@pytest.mark.parametrize("value", [
    {1, 2}, object(), lambda: 0, 1j, np.array([object()]), np.array(["text"]), Exception("x"),
], ids=lambda v: type(v).__name__)
def test_other_things_are_refused(value):
    with pytest.raises(PackingError):
        pack((value,))


def test_a_class_of_the_same_name_is_another():
    @dataclass(frozen=True)
    class Problem:
        code: str

    with pytest.raises(PackingError, match="Problem cannot be kept"):
        pack(Problem("x"))


@pytest.mark.parametrize("tree", [
    "", "{", "[1]", '{"class":"Path","fields":{}}', '{"class":"Problem","fields":{"x":1}}',
    '{"blob":9}', '{"blob":0}', '{"known":"x"}', '{"same":3}', '{"list":5}', '{"eval":"1"}', "{}",
    '{"number":["O",1]}', '{"map":[[1],[]]}', '{"list":{"rows":"Problem","columns":{"code":[1]}}}',
])
def test_what_was_not_packed_is_refused(tree):
    with pytest.raises(PackingError):
        unpack(replace(pack(1), tree=tree, kinds=(("|O", (1,)),), blobs=(b"12345678",)))


def test_the_known_classes_are_frozen_and_named_apart():
    for name, cls in known_classes().items():
        assert is_dataclass(cls) and cls.__dataclass_params__.frozen, name
        assert all(field.init for field in fields(cls)), name


def assert_same(found, expected, seen=None):
    """Compare all fields of two records, arrays bit by bit, independently of the packing."""
    seen = set() if seen is None else seen
    if id(expected) in seen:
        return
    seen.add(id(expected))
    assert type(found) is type(expected)
    if isinstance(expected, np.ndarray):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert found.tobytes() == expected.tobytes()
    elif is_dataclass(expected):
        for field in fields(expected):
            assert_same(getattr(found, field.name), getattr(expected, field.name), seen)
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, seen)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        assert_same(list(found.values()), list(expected.values()), seen)
    else:
        assert found == expected or json.dumps(found) == json.dumps(expected)
