"""Run lengths: the decoder against a plain one, character by character, and dense counts."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from inspector.core.columns import read_masks
from inspector.core.errors import InspectorError
from inspector.core.mask import Mask, unite
from inspector.core.overlap import measure_overlap
from tests.fuzz.cases import agree
from tests.fuzz.mutation import hostile, mutate, mutate_bytes

MAX_PIXELS = 100_000_000


def decode_plainly(counts: bytes, size_hw: tuple[int, int]) -> np.ndarray | None:
    """Decode compressed counts as COCO's ``rleFrString`` does; None where they are not sound."""
    runs: list[int] = []
    at = 0
    while at < len(counts):
        value, shift, more = 0, 0, True
        while more:
            if at == len(counts) or not 0 <= counts[at] - 48 < 64 or shift == 30:
                return None
            code = counts[at] - 48
            value |= (code & 31) << shift
            shift += 5
            more = bool(code & 32)
            at += 1
        if code & 16:
            value -= 1 << shift
        runs.append(value + runs[-2] if len(runs) > 2 else value)
    return dense(runs, size_hw)


def dense(runs: list[int], size_hw: tuple[int, int]) -> np.ndarray | None:
    """Write runs out as pixels; None where they do not fit."""
    height, width = size_hw
    if not runs or min(runs) < 0 or sum(runs) != height * width:
        return None
    pixels: list[bool] = []
    for place, run in enumerate(runs):
        pixels += [place % 2 == 1] * run
    return np.array(pixels, bool).reshape(width, height).T


def encode_plainly(runs: list[int], rng: Random) -> bytes:
    """Write runs as compressed counts, now and then with more characters than are needed."""
    out = bytearray()
    for place, run in enumerate(runs):
        value = run - runs[place - 2] if place > 2 else run
        while True:
            code, value = value & 31, value >> 5
            is_last = value == (-1 if code & 16 else 0) and rng.random() > 0.02
            out.append(48 + code + (0 if is_last else 32))
            if is_last or len(out) > 10_000:
                break
    return bytes(out)


def random_runs(rng: Random, pixels: int) -> list[int]:
    """Cut a number of pixels into runs, some of them of length zero."""
    cuts = sorted(rng.randrange(pixels + 1) for _ in range(rng.randrange(9)))
    return [b - a for a, b in zip([0, *cuts], [*cuts, pixels], strict=True)]


def compressed(rng: Random) -> str:
    """Try one string of counts, sound or broken, against the plain decoder."""
    size = rng.randrange(1, 40), rng.randrange(1, 40)
    counts = encode_plainly(random_runs(rng, size[0] * size[1]), rng)
    if rng.random() < 0.6:
        counts = mutate_bytes(counts, rng, rng.randrange(1, 3))
    expected = decode_plainly(counts, size)
    value: Any = {"size": list(size), "counts": counts}
    form = rng.randrange(3)
    if form and counts.isascii():
        text = counts.decode()
        is_literal = text[:2] in ("b'", 'b"') and text[-1:] == text[1:2]
        value["counts"] = str(counts) if form == 2 and not is_literal else text
        if form == 1 and is_literal:
            return "loaded"
    try:
        mask = Mask.from_coco(value, size)
    except InspectorError as error:
        agree(expected is None, True, f"{value} is refused ({error})")
        _, faults = read_masks([value], [size])
        agree(str(faults.get(0)), str(error), "the error of a column")
        return type(error).__name__
    agree(expected is None, False, f"{value} is accepted")
    column, faults = read_masks([value], [size])
    agree(faults, {}, "the faults of a column")
    agree(column[0], mask, "the mask of a column")
    agree(column.areas.tolist(), [mask.area], "the area of a column")
    check_dense(mask, expected)
    return "loaded"


def check_dense(mask: Mask, expected: Any) -> None:
    """Compare everything that a mask says of itself with its pixels."""
    agree((mask.to_array() == expected).all(), True, f"the pixels of {mask}")
    agree(mask.area, int(expected.sum()), f"the area of {mask}")
    agree(Mask.from_array(expected), mask, "the one form of a mask")
    agree(Mask.from_coco(mask.to_json()), mask, "a mask written and read")
    ys, xs = np.nonzero(expected)
    box = (0.0, 0.0, 0.0, 0.0)
    if len(xs):
        box = (float(xs.min()), float(ys.min()), float(np.ptp(xs) + 1), float(np.ptp(ys) + 1))
    agree(mask.box_xywh, box, f"the box of {mask}")


def runs(rng: Random) -> str:
    """Try uncompressed run lengths: short, long, negative, huge, of other types."""
    size = rng.randrange(1, 12), rng.randrange(1, 12)
    values: Any = random_runs(rng, size[0] * size[1])
    if rng.random() < 0.6:
        values = mutate(values, rng, rng.randrange(1, 3))
    if rng.random() < 0.2 and isinstance(values, list):
        values = [float(v) if isinstance(v, int) and abs(v) < 1e9 else v for v in values]
    value = {"size": list(size), "counts": values}
    is_whole = isinstance(values, list) and all(
        isinstance(v, (int, float)) and not isinstance(v, bool) and v == v
        and abs(v) < 1e9 and int(v) == v
        for v in values
    )
    expected = dense([int(v) for v in values], size) if is_whole else None
    try:
        mask = Mask.from_coco(value, size)
    except InspectorError as error:
        agree(expected is None, True, f"{value} is refused ({error})")
        return type(error).__name__
    if isinstance(values, str):
        expected = decode_plainly(values.encode("ascii"), size)
    agree(expected is None, False, f"{str(value)[:300]} is accepted")
    check_dense(mask, expected)
    return "loaded"


def overlaps(rng: Random) -> str:
    """Compare union, intersection and a list of masks with dense counts."""
    size = rng.randrange(1, 40), rng.randrange(1, 40)
    arrays = []
    for _ in range(rng.randrange(2, 5)):
        array = dense(random_runs(rng, size[0] * size[1]), size)
        arrays.append(np.zeros(size, bool) if array is None else array)
    masks = [Mask.from_array(array) for array in arrays]
    found = measure_overlap(masks[0], masks[1])
    agree((found.intersection, found.union),
          (int((arrays[0] & arrays[1]).sum()), int((arrays[0] | arrays[1]).sum())), "the overlap")
    joined = np.logical_or.reduce(arrays)
    check_dense(unite(masks), joined)
    check_dense(Mask.from_coco([mask.to_json() for mask in masks], size), joined)
    return "loaded"


def anything(rng: Random) -> str:
    """Read values that are seldom masks, with sizes that are seldom sizes."""
    size: Any = [rng.randrange(1, 12), rng.randrange(1, 12)]
    given = rng.choice((None, (6, 5), (size[0], size[1])))
    value: Any = rng.choice((
        {"size": size, "counts": "7330;"},
        [{"size": size, "counts": [size[0] * size[1]]}] * 2,
        [[1, 1, 5, 1, 5, 5], [0.5, 0.5, 3, 0.5, 3, 9, 0, 4]],
        [[1, 1, 5, 1, 5, 5, 1, 5]],
    ))
    value = mutate(value, rng, rng.randrange(1, 4)) if rng.random() < 0.9 else hostile(rng)
    try:
        mask = Mask.from_coco(value, given)
    except InspectorError as error:
        _, faults = read_masks([value], [given])
        agree(type(faults.get(0)), type(error), f"the error of a column for {str(value)[:200]}")
        return type(error).__name__
    agree(given in (None, mask.size_hw), True, "the size that was asked for")
    column, faults = read_masks([value], [given])
    agree((column[0], faults), (mask, {}), "a mask in a column")
    if mask.size_hw[0] * mask.size_hw[1] < 1_000_000:
        check_dense(mask, decode_plainly(mask.counts, mask.size_hw))
    return "loaded"


def read(rng: Random) -> str:
    """Try one case of any of these kinds."""
    return rng.choice((compressed, compressed, runs, overlaps, anything))(rng)
