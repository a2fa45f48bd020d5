"""Parquet of another schema, of no rows, cut off, or with nothing where something should be."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.core.errors import FormatError, InspectorError
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.writers import SCENES, WRITERS
from tests.fuzz.invariants import check_dataset

KEYS = ("refcoco-m", "jxu124", "jxu124-benchmark", "lmms-lab", "ricky06662")
every_format = pytest.mark.parametrize("key", KEYS)


def made(key: str, root):
    source = WRITERS[key](root)
    [path] = source.rglob("*.parquet")
    return str(source), path, pq.read_table(path)


@every_format
def test_no_rows(key, tmp_path):
    source, path, table = made(key, tmp_path)
    pq.write_table(table.slice(0, 0), path)
    with pytest.raises(InspectorError, match="holds no example|holds no record|No split"):
        load_dataset(LoadRequest(source, split="val"))
    with pytest.raises(InspectorError):
        load_dataset(LoadRequest(source))


@every_format
def test_cut_off_or_changed_anywhere(key, tmp_path):
    source, path, _ = made(key, tmp_path)
    whole = path.read_bytes()
    for at in range(0, len(whole), max(len(whole) // 80, 1)):
        for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            path.write_bytes(content)
            try:
                dataset = load_dataset(LoadRequest(source, format=key))
            except InspectorError:
                continue
            check_dataset(dataset, Random(at))


@every_format
def test_each_column_in_turn_is_not_there_or_of_another_type(key, tmp_path):
    source, path, table = made(key, tmp_path)
    for column in table.schema.names:
        kinds = (pa.null(), pa.string(), table[column].type)
        others = [pa.nulls(len(table), kind) for kind in kinds]
        others += [pa.array([value] * len(table)) for value in ("x", 7, [1])]
        for other in (None, *others):
            changed = table.drop_columns([column])
            pq.write_table(changed if other is None else changed.append_column(column, other), path)
            try:
                dataset = load_dataset(LoadRequest(source, format=key))
            except InspectorError as error:
                assert str(error)
                continue
            check_dataset(dataset, Random(0))
            assert len(dataset) <= len(SCENES[key])


def nothing_in(value):
    """Give all variants of a nested value in which one part is null."""
    yield None
    if isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: other} for other in nothing_in(part))
    elif isinstance(value, list):
        for place, part in enumerate(value[:2]):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in nothing_in(part))


@every_format
def test_nothing_in_each_nested_place_in_turn(key, tmp_path):
    source, path, table = made(key, tmp_path)
    first, *others = table.to_pylist()
    for row in nothing_in({k: v for k, v in first.items() if k != "mask"}):
        if row is None:
            continue
        row = {**row, "mask": first["mask"]} if "mask" in first else row
        pq.write_table(pa.Table.from_pylist([row, *others], schema=table.schema), path)
        try:
            dataset = load_dataset(LoadRequest(source))
        except InspectorError:
            continue
        check_dataset(dataset, Random(0))


@pytest.mark.parametrize("mask", [None, [], [None], [[]], [[None]], [[True], [True, False]],
                                  [[True, None]]], ids=str)
def test_nested_masks_that_are_none(mask, tmp_path):
    source, path, table = made("ricky06662", tmp_path)
    rows = table.to_pylist()
    rows[-1]["mask"] = mask
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    dataset = load_dataset(LoadRequest(source))
    assert dataset.is_scorable.tolist() == [True, True, True, False]


def test_text_that_is_no_parquet(tmp_path):
    for content in (b"PAR1", b"PAR1PAR1", b"PAR1" + b"\xff" * 100 + b"PAR1", b"text"):
        path = tmp_path / "val.parquet"
        path.write_bytes(content)
        with pytest.raises(FormatError, match="cannot be read as parquet"):
            load_dataset(LoadRequest(str(path)))
