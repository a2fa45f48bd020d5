from __future__ import annotations

import numpy as np
import pytest
from pycocotools import mask as coco

from inspector.core import rle
from inspector.core.errors import MaskError
from inspector.core.mask import Mask, compress_runs
from tests.drawing import random_arrays

FIELDS = ("fault", "area", "total", "canonical", "runs", "starts")


def check(*masks: tuple[bytes, int]) -> rle.CheckedCounts:
    """Check masks given as compressed counts and number of pixels."""
    counts = [mask[0] for mask in masks]
    offsets = np.concatenate(([0], np.cumsum([len(c) for c in counts]))).astype(np.int64)
    pixels = np.array([mask[1] for mask in masks], np.int64)
    return rle.check_counts(np.frombuffer(b"".join(counts), np.uint8), offsets, pixels)


def runs_of(checked: rle.CheckedCounts, row: int) -> list[int]:
    return checked.runs[checked.starts[row] : checked.starts[row + 1]].tolist()


SOUND = compress_runs(np.array([1, 2, 1]), (2, 2))
FAULTY = [
    pytest.param(b"", rle.EMPTY, "the run lengths are empty", id="empty"),
    pytest.param(b"1 1", rle.CHARACTER, "a character that COCO's", id="space"),
    pytest.param(b"1\xff1", rle.CHARACTER, "a character that COCO's", id="byte above the alphabet"),
    pytest.param(b"12P", rle.CUT_OFF, "cut off in the middle of a number", id="cut off"),
    pytest.param(b"PPPPPP01", rle.TOO_LONG, "a number of more than 30 bits", id="too long"),
    pytest.param(b"o" * 40 + b"0", rle.TOO_LONG, "of more than 30 bits", id="far too long"),
    pytest.param(b"5O", rle.NEGATIVE, "hold a negative run", id="negative"),
    pytest.param(b"ooooo?", rle.HUGE, "a run of more than 100,000,000 pixels", id="huge"),
    pytest.param(b"111", rle.SUM, "sum to 3 pixels, but 2 x 2", id="too short"),
    pytest.param(b"131", rle.SUM, "sum to 5 pixels, but 2 x 2", id="longer than the mask"),
]


def test_hundreds_of_random_masks_against_pycocotools():
    arrays = list(random_arrays(500, seed=1))
    encoded = [coco.encode(np.asfortranarray(array, np.uint8)) for array in arrays]
    checked = check(*((e["counts"], a.size) for e, a in zip(encoded, arrays, strict=True)))
    assert (checked.fault == rle.OK).all()
    assert checked.canonical.all()
    for row, (mask, array) in enumerate(zip(encoded, arrays, strict=True)):
        runs = runs_of(checked, row)
        colours = np.arange(len(runs)) % 2
        dense = np.repeat(colours, runs).reshape(array.shape, order="F")
        assert (dense == coco.decode(mask)).all()
        assert checked.area[row] == array.sum()
        assert checked.total[row] == array.size


@pytest.mark.parametrize(("counts", "fault", "text"), FAULTY)
def test_a_fault_is_named(counts, fault, text):
    checked = check((counts, 4))
    assert checked.fault.tolist() == [fault]
    assert checked.area.tolist() == [0]
    with pytest.raises(MaskError, match=text):
        Mask((2, 2), counts)


@pytest.mark.parametrize(("counts", "fault", "text"), FAULTY)
def test_a_fault_does_not_spill_into_neighbours(counts, fault, text):
    checked = check((SOUND, 4), (counts, 4), (SOUND, 4), (counts, 4))
    assert checked.fault.tolist() == [rle.OK, fault, rle.OK, fault]
    assert checked.area.tolist() == [2, 0, 2, 0]
    assert runs_of(checked, 0) == runs_of(checked, 2) == [1, 2, 1]


@pytest.mark.parametrize("batch_bytes", [1, 2, 3, 7, 50])
def test_batches_change_nothing(monkeypatch, batch_bytes):
    rng = np.random.default_rng(2)
    bad = [parameter.values[0] for parameter in FAULTY]
    masks = []
    for array in random_arrays(120, seed=3):
        masks.append((coco.encode(np.asfortranarray(array, np.uint8))["counts"], array.size))
        masks += [(bad[i], 4) for i in rng.integers(0, len(bad), rng.integers(0, 3))]
    whole = check(*masks)
    monkeypatch.setattr(rle, "_BATCH_BYTES", batch_bytes)
    parts = check(*masks)
    for field in FIELDS:
        assert getattr(parts, field).tolist() == getattr(whole, field).tolist(), field
    alone = [int(check(mask).fault[0]) for mask in masks]
    assert whole.fault.tolist() == alone


def test_no_masks_at_all():
    checked = check()
    assert [len(getattr(checked, field)) for field in FIELDS] == [0, 0, 0, 0, 0, 1]


def test_masks_that_are_all_empty_text():
    checked = check((b"", 4), (b"", 9))
    assert checked.fault.tolist() == [rle.EMPTY, rle.EMPTY]


@pytest.mark.parametrize(
    "runs", [[1, 0, 3], [0, 4, 0], [4, 0], [0, 0, 4], [1, 1, 0, 0, 2]], ids=str
)
def test_zero_runs_inside_are_sound_but_not_canonical(runs):
    checked = check((compress_runs(np.array(runs), (2, 2)), 4))
    assert checked.fault.tolist() == [rle.OK]
    assert checked.canonical.tolist() == [False]
    assert runs_of(checked, 0) == runs


def test_a_length_with_needless_characters_is_sound_but_not_canonical():
    # "1" and "Q0" both say 1; "o?" would be -1 + 32 * 15, "oO" is a long way to write -1
    assert runs_of(check((b"1Q02", 4)), 0) == [1, 1, 2]
    assert check((b"1Q02", 4), (b"112", 4)).canonical.tolist() == [False, True]
    assert runs_of(check((b"111oO1", 4)), 0) == [1, 1, 1, 0, 2]


@pytest.mark.parametrize(
    ("runs", "merged"),
    [
        pytest.param([1, 2, 1], [1, 2, 1], id="nothing to do"),
        pytest.param([0, 4], [0, 4], id="begins with foreground"),
        pytest.param([1, 0, 3], [4], id="zero foreground joins background"),
        pytest.param([1, 1, 0, 2], [1, 3], id="zero background joins foreground"),
        pytest.param([0, 0, 4], [4], id="two zeros first"),
        pytest.param([0, 0, 0, 4], [0, 4], id="three zeros first"),
        pytest.param([2, 2, 0], [2, 2], id="zero last"),
        pytest.param([1, 0, 0, 0, 3], [4], id="three zeros inside"),
        pytest.param([0], [0], id="only a zero"),
    ],
)
def test_merge_zero_runs(runs, merged):
    assert rle.merge_zero_runs(np.array(runs)).tolist() == merged


def test_a_sum_that_wraps_around_64_bits_is_refused():
    # Foreground runs grow by 2**29 - 1 each until their sum is just below 2**64; two steps of the
    # background runs bring the sum to 2**64 + 4, which int64 would take for the 4 of 2 x 2.
    step, steps, pixels = 2**29 - 1, 262_143, 4
    rest = 2**64 + pixels - step * steps * (steps + 1) // 2
    first, last = divmod(rest, steps)
    assert 0 < first <= step
    background = [first] + [0] * (steps - 2) + [last]
    counts = b"0" + b"".join(b"ooooo?" + written(value) for value in background)
    checked = check((SOUND, 4), (counts, pixels), (SOUND, 4))
    assert checked.total.tolist() == [4, 4, 4]  # wrapped around, so the sum alone proves nothing
    assert checked.fault.tolist() == [rle.OK, rle.HUGE, rle.OK]
    with pytest.raises(MaskError, match="a run of more than 100,000,000 pixels"):
        Mask((2, 2), counts)


def written(value: int) -> bytes:
    """Write a number >= 0 in six characters, five bits each, lowest first."""
    digits = [value >> shift & 31 for shift in range(0, 30, 5)]
    return bytes(48 + digit + 32 * (place < 5) for place, digit in enumerate(digits))
