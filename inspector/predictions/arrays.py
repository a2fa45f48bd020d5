"""NumPy files: many masks in one array, or one array a mask."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from functools import partial

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, MaskError
from inspector.core.ids import id_text
from inspector.core.mask import Mask, check_size
from inspector.core.problems import ProblemLog
from inspector.predictions.array_file import (
    RowSource,
    StoredArray,
    open_file,
    open_member,
    read_header,
    read_small,
)
from inspector.predictions.dump import Dump
from inspector.predictions.foreground import PLAIN, Rule, find_rule
from inspector.predictions.index import ExampleIndex
from inspector.predictions.records import PredictionRecord

_ID_ARRAYS = {
    "example_ids": "example_id", "sent_ids": "sent_id", "ids": "", "ref_ids": "ref_id",
    "ann_ids": "ann_id", "image_ids": "image_id", "sentences": "",
}
_MASK_ARRAYS = ("masks", "mask", "predictions", "preds", "logits", "packed", "arr_0")
_SIZE_ARRAYS = ("shape", "size", "sizes")
_KINDS = "biuf"
_HINT = "Save masks (N, H, W) of bool with np.savez_compressed(path, masks=masks, sent_ids=ids)."


def looks_like(dump: Dump) -> bool:
    """Say whether this is an ``.npy`` file, or a zip file of such."""
    if dump.start.startswith(b"\x93NUMPY"):
        return True
    return dump.start.startswith(b"PK") and dump.path.suffix in (".npz", "")


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read masks one by one, so that the whole array is never in memory.

    Ways to write them, of which the first is the best::

        np.savez_compressed(path, masks=masks, sent_ids=ids)      # (N, H, W) and (N,)
        np.savez_compressed(path, **{str(sent_id): mask, …})      # one (H, W) array a mask
        np.savez_compressed(path, packed=np.packbits(flat, axis=1), size=[h, w], sent_ids=ids)
        np.save(path, masks)                                      # no ids: order of the data set

    What is foreground is decided for the file as a whole: above 0 where the values are 0 and one
    other, or some are negative (logits); from 0.5 on for probabilities, also where resizing took
    some beyond 0 and 1; else as in a grey picture. The problem ``mask-values`` says which.

    Raises:
        FormatError: If an array holds Python objects, is cut off, or larger than the data set
            could need.
    """
    try:
        if dump.start.startswith(b"\x93NUMPY"):
            yield from _read_npy(dump, dataset, log)
        else:
            yield from _read_npz(dump, dataset, log)
    except (zipfile.BadZipFile, EOFError, ValueError, zipfile.LargeZipFile,
            NotImplementedError) as error:
        raise FormatError(
            f"cannot be read as NumPy arrays ({str(error)[:100]})", path=dump.path
        ) from error


def _read_npy(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    with dump.path.open("rb") as file:
        array = read_header(file, dump.path.name)
        expected = array.nbytes
        found = dump.path.stat().st_size - file.tell()
    if not array.shape:
        raise FormatError("holds a single number, expected masks (N, H, W)", path=dump.path)
    if found < expected:
        raise FormatError(
            f"is cut off: {found:,} of {expected:,} bytes of its array are there", path=dump.path
        )
    source = RowSource(partial(open_file, dump.path), array)
    yield from _masks(source, [({}, "")] * array.shape[0], dump, dataset, log, size_hw=None)


def _read_npz(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    with zipfile.ZipFile(dump.path) as archive:
        arrays = {}
        for info in archive.infolist():
            if not info.filename.endswith(".npy"):
                continue
            with archive.open(info) as member:
                array = read_header(member, info.filename.removesuffix(".npy"))
            expected = array.nbytes
            if info.file_size < expected:
                raise FormatError(
                    f"holds {info.file_size:,} bytes for {array.name}, which needs {expected:,}",
                    path=dump.path,
                )
            arrays[array.name] = array
    name = next((n for n in _MASK_ARRAYS if n in arrays and len(arrays[n].shape) >= 2), None)
    if name is None:
        yield from _one_array_a_mask(arrays, dump, dataset, log)
        return
    array = arrays[name]
    keys = _keys(arrays, array.shape[0], dump, dataset)
    size = next((read_small(dump.path, arrays[n]) for n in _SIZE_ARRAYS if n in arrays), None)
    source = RowSource(partial(open_member, dump.path, f"{name}.npy"), array)
    yield from _masks(source, keys, dump, dataset, log, size_hw=size)


def _one_array_a_mask(
    arrays: dict[str, StoredArray], dump: Dump, dataset: Dataset, log: ProblemLog
) -> Iterator[PredictionRecord]:
    """Read arrays that are named by the ids of their examples; list those of another shape."""
    index = ExampleIndex(dataset)
    sources, keys = [], []
    for name, array in arrays.items():
        key = next((k for k in ("sent_id", "example_id") if index.direct(k, name) is not None), "")
        if len(array.shape) == 2 or (len(array.shape) == 3 and array.shape[0] == 1):
            mask = array.shaped((1, *array.shape[-2:]))
            sources.append(RowSource(partial(open_member, dump.path, f"{name}.npy"), mask))
            keys.append({key or "example_id": name})
            continue
        said = f"the array {name} has the shape {array.shape}, expected (H, W)"
        where = f"{dump.path.name}, {name}"
        if key:
            yield PredictionRecord(where, {key: name}, fault=said)
        else:
            log.add("bad-record", "warning", where, f"{_capital(said)}, and was left out.")
    if not sources:
        raise FormatError(
            f"holds the arrays {', '.join(list(arrays)[:8]) or '(none)'}, but no 'masks'",
            path=dump.path, hint=_HINT,
        )
    for source in sources:
        _check_array(source.array, dump, dataset, packed=False)
    rule = _find_rule(sources, dump, log)
    for source, ids in zip(sources, keys, strict=True):
        yield from _records(source, [(ids, "")], rule, dump)


def _masks(
    source: RowSource, keys: list[tuple[dict[str, str], str]], dump: Dump, dataset: Dataset,
    log: ProblemLog, *, size_hw: np.ndarray | None,
) -> Iterator[PredictionRecord]:
    array = source.array
    packed_hw = None
    if len(array.shape) == 2 and size_hw is not None:
        packed_hw = np.broadcast_to(np.atleast_2d(size_hw), (array.shape[0], 2))
    elif len(array.shape) == 2:  # one mask
        array, keys = array.shaped((1, *array.shape)), keys[:1]
    elif len(array.shape) == 4 and array.shape[1] == 1:
        array = array.shaped((array.shape[0], *array.shape[2:]))
    _check_array(array, dump, dataset, packed=packed_hw is not None)
    source = RowSource(source.open, array)
    rule = PLAIN if packed_hw is not None else _find_rule([source], dump, log)
    yield from _records(source, keys, rule, dump, packed_hw)


def _find_rule(sources: list[RowSource], dump: Dump, log: ProblemLog) -> Rule:
    """Decide once what is foreground in all masks of the file, and say it."""
    if all(source.array.dtype.kind == "b" for source in sources):
        return PLAIN
    try:
        rule = find_rule(values for source in sources for values in source.rows())
    except MaskError as error:
        raise FormatError(str(error), path=dump.path, hint=_HINT) from error
    if rule.severity is not None:
        where = sources[0].array.name if len(sources) == 1 else dump.path.name
        said = ""
        if rule.severity == "error":
            said = " No value reaches that: every mask is empty."
        if rule.severity == "warning":
            said = " If they are logits, save masks > 0 instead."
        log.add("mask-values", rule.severity, where, f"Foreground is {rule.phrase}.{said}")
    return rule


def _records(
    source: RowSource, keys: list[tuple[dict[str, str], str]], rule: Rule, dump: Dump,
    packed_hw: np.ndarray | None = None,
) -> Iterator[PredictionRecord]:
    for row, values in enumerate(source.rows()):
        ids, sentence = keys[row]
        try:
            size = None if packed_hw is None else check_size(packed_hw[row].tolist())
            mask, fault = _mask(values, rule, size), ""
        except MaskError as error:
            mask, fault = Mask.empty((1, 1)), str(error)
        where = f"{dump.path.name}, {source.array.name}[{row}]"
        yield PredictionRecord(where, ids, sentence, mask, fault=fault)


def _mask(values: np.ndarray, rule: Rule, packed_hw: tuple[int, int] | None) -> Mask:
    """Make a mask of one row of values.

    Raises:
        MaskError: If there are too few bits, or values that are no number.
    """
    if packed_hw is not None:
        height, width = packed_hw
        bits = np.unpackbits(values)[: height * width]
        if len(bits) < height * width:
            raise MaskError(f"{len(bits):,} bits are too few for {height} x {width}")
        return Mask.from_array(bits.reshape(height, width).astype(bool))
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise MaskError("the mask holds values that are no number")
    return Mask.from_array(rule.of(values))


def _check_array(array: StoredArray, dump: Dump, dataset: Dataset, *, packed: bool) -> None:
    """Refuse what no run on this data set can be, before memory is taken.

    Raises:
        FormatError: If the array has the wrong shape, order or type, or far too many masks.
    """
    said, hint = "", _HINT
    if array.dtype.kind not in _KINDS or (packed and array.dtype != np.uint8):
        expected = "uint8, as np.packbits gives" if packed else "bool, whole numbers or floats"
        said = f"has the type {array.dtype}, expected {expected}"
    elif len(array.shape) != (2 if packed else 3):
        said = f"has the shape {array.shape}, expected {'(N, bytes)' if packed else '(N, H, W)'}"
    elif array.fortran and array.shape[0] > 1:
        said, hint = "is stored in Fortran order", "Save np.ascontiguousarray(masks)."
    elif array.shape[0] > 20 * len(dataset) + 1000:
        said = f"has {array.shape[0]:,} masks for {len(dataset):,} examples"
        hint = "Was it made on another split or data set? Choose with --split and --split-by."
    elif not packed:
        try:
            check_size(array.shape[1:])
        except MaskError as error:
            said = f"has the shape {array.shape}: {error}"
    if said:
        name = None if array.name == dump.path.name else f"array {array.name}"
        raise FormatError(said, path=dump.path, record=name, hint=hint)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _keys(
    arrays: dict[str, StoredArray], count: int, dump: Dump, dataset: Dataset
) -> list[tuple[dict[str, str], str]]:
    """Read the arrays of ids and sentences, one entry a mask."""
    found: list[tuple[dict[str, str], str]] = [({}, "") for _ in range(count)]
    for name, key in _ID_ARRAYS.items():
        if name not in arrays:
            continue
        values = read_small(dump.path, arrays[name]).tolist()
        if len(values) != count:
            raise FormatError(
                f"has {len(values):,} {name} for {count:,} masks", path=dump.path
            )
        if name == "sentences":
            found = [(ids, str(text)) for (ids, _), text in zip(found, values, strict=True)]
            continue
        texts = [id_text(value) for value in values]
        if name == "ids":
            index = ExampleIndex(dataset)
            fits = sum(index.direct("sent_id", text) is not None for text in texts)
            key = "sent_id" if fits * 2 > len(texts) else "example_id"
        for (ids, _), text in zip(found, texts, strict=True):
            ids[key] = text
    return found
