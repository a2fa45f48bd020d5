"""The compiled loops against numpy, pycocotools and dense arrays: the same to the bit."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco

from inspector.core import compiled, polygons, rle
from inspector.core.columns import column_of, read_masks
from inspector.core.crops import read_boxes
from inspector.core.mask import Mask, compress_runs
from inspector.core.overlap import measure_groups, measure_pairs
from inspector.core.polygons import pack_outline, rasterise, rasterise_many
from inspector.core.scores import score_run
from tests.core.test_failures import random_scores
from tests.core.test_rle import FAULTY, SOUND, check
from tests.drawing import draw, random_array, random_arrays

ROOT = Path(__file__).resolve().parents[2]
FIELDS = ("fault", "area", "total", "canonical", "runs", "starts")


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    compiled.load()


@pytest.fixture
def always(monkeypatch):
    """Give to the compiled loops whatever they can do."""
    set_limits(monkeypatch, 0)


def set_limits(monkeypatch, count: int) -> None:
    monkeypatch.setattr(compiled, "WORTH_IT", count)
    monkeypatch.setattr(compiled, "ONCE_LOADED", count)


def both_ways(monkeypatch, work):
    """Do some work with numpy and pycocotools, then by the compiled loops."""
    set_limits(monkeypatch, sys.maxsize)
    slow = work()
    set_limits(monkeypatch, 0)
    return slow, work()


class TestChecking:
    def test_hundreds_of_sound_and_faulty_masks(self, monkeypatch):
        rng = np.random.default_rng(2)
        bad = [parameter.values[0] for parameter in FAULTY]
        masks = []
        for array in random_arrays(300, seed=3):
            masks.append((coco.encode(np.asfortranarray(array, np.uint8))["counts"], array.size))
            masks += [(bad[i], 4) for i in rng.integers(0, len(bad), rng.integers(0, 3))]
        slow, fast = both_ways(monkeypatch, lambda: check(*masks))
        for field in FIELDS:
            assert getattr(fast, field).tolist() == getattr(slow, field).tolist(), field
            assert getattr(fast, field).dtype == getattr(slow, field).dtype, field

    @settings(max_examples=300, deadline=None)
    @given(st.lists(st.tuples(
        st.one_of(st.binary(max_size=12), st.text("0123456789PQ_o`n", max_size=12).map(str.encode)),
        st.integers(1, 40),
    ), max_size=4))
    def test_any_bytes(self, masks):
        with pytest.MonkeyPatch.context() as patch:
            slow, fast = both_ways(patch, lambda: check(*masks))
        for field in FIELDS:
            assert getattr(fast, field).tolist() == getattr(slow, field).tolist(), field

    @pytest.mark.parametrize(("counts", "fault", "text"), FAULTY)
    def test_a_fault_is_named(self, always, counts, fault, text):
        checked = check((SOUND, 4), (counts, 4), (SOUND, 4))
        assert checked.fault.tolist() == [rle.OK, fault, rle.OK]
        assert checked.area.tolist() == [2, 0, 2]

    def test_a_sum_that_wraps_around_is_refused(self, always):
        growing = b"0" + b"ooooo?" * 40
        assert check((SOUND, 4), (growing, 4)).fault.tolist() == [rle.OK, rle.HUGE]

    def test_runs_that_are_not_kept(self, always):
        kept = rle.check_counts(np.frombuffer(SOUND, np.uint8), np.array([0, len(SOUND)]),
                                np.array([4]), keep_runs=False)
        assert (len(kept.runs), kept.fault.tolist(), kept.area.tolist()) == (0, [rle.OK], [2])

    @pytest.mark.parametrize("offsets", [[0, 4], [-1, 3], [0, 2, 1, 3]], ids=str)
    def test_offsets_outside_of_the_buffer_are_not_followed(self, offsets):
        with pytest.raises(IndexError, match="begin or end outside of their buffer"):
            compiled.check_masks(np.frombuffer(b"121", np.uint8), np.array(offsets),
                                 np.full(len(offsets) - 1, 4))


class TestCounting:
    def test_a_thousand_random_pairs(self, monkeypatch):
        rng = np.random.default_rng(8)
        left = list(random_arrays(1000, seed=9))
        right = [random_array(array.shape, rng) for array in left]
        one = column_of([Mask.from_array(array) for array in left])
        other = column_of([Mask.from_array(array) for array in right])
        rows = np.arange(1000)
        slow, fast = both_ways(monkeypatch, lambda: measure_pairs(one, rows, other, rows))
        assert fast.tolist() == slow.tolist()
        assert fast.tolist() == [(a & b).sum() for a, b in zip(left, right, strict=True)]
        mixed = rng.integers(-1, 1000, 400)
        assert measure_pairs(one, mixed, one, mixed).tolist() == [
            one.areas[row] if row >= 0 else 0 for row in mixed.tolist()
        ]

    def test_the_largest_masks(self, always):
        size = (9999, 9999)
        whole, almost = Mask.from_runs([0, 9999**2], size), Mask.from_runs([1, 9999**2 - 1], size)
        column, rows = column_of([whole, almost]), np.array([0, 1])
        assert measure_pairs(column, rows, column, rows[::-1]).tolist() == [9999**2 - 1] * 2

    def test_one_pixel_runs_of_a_whole_picture(self, always):
        stripes = Mask.from_runs([1] * 90_000, (300, 300))
        others = Mask.from_runs([0] + [1] * 90_000, (300, 300))
        column = column_of([stripes, others])
        assert measure_pairs(column, np.array([0, 0]), column, np.array([0, 1])).tolist() == [
            45_000, 0
        ]

    @pytest.mark.parametrize("rows", [[2], [-1]], ids=["beyond the last", "before the first"])
    def test_rows_that_are_not_there(self, rows):
        column = column_of([draw("#."), draw(".#")])
        with pytest.raises(IndexError, match="a pair names a mask that is not there"):
            compiled.intersect(column.buffer, column.offsets, np.array(rows),
                               column.buffer, column.offsets, np.array([0]))

    def test_groups_leave_out_only_what_is_apart(self, monkeypatch):
        rng = np.random.default_rng(4)
        arrays = [random_array((20, 30), rng) for _ in range(60)]
        column = column_of([Mask.from_array(array) for array in arrays])
        groups = [(row, rng.integers(0, 60, rng.integers(0, 9)).tolist()) for row in range(60)]
        boxes = read_boxes(column)
        slow, fast = both_ways(
            monkeypatch, lambda: measure_groups(column, groups, column, boxes, boxes)
        )
        assert fast == slow == [
            [(arrays[row] & arrays[other]).sum() for other in others] for row, others in groups
        ]


def test_boxes_of_random_masks(monkeypatch):
    arrays = [*random_arrays(500, seed=5), np.ones((400, 3), bool), np.eye(300, dtype=bool)]
    column = column_of([Mask.from_array(array) for array in arrays])
    slow, fast = both_ways(monkeypatch, lambda: read_boxes(column))
    assert fast.tolist() == slow.tolist()
    for array, (x, y, width, height) in zip(arrays, fast.tolist(), strict=True):
        inside = array[y : y + height, x : x + width]
        assert inside.sum() == array.sum()
        assert not inside.size or (inside.any(axis=1)[[0, -1]].all() and
                                   inside.any(axis=0)[[0, -1]].all())


def outlines(count: int, *, seed: int) -> list[tuple[list[float], tuple[int, int]]]:
    """Give polygons of many kinds with the sizes of their pictures."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        height, width = rng.integers(1, 200, 2).tolist()
        corners = int(rng.integers(3, 30))
        points = rng.uniform(-30, max(height, width) + 30, 2 * corners)
        match number % 6:
            case 1:
                points = np.rint(points)  # on the grid, where rounding has most to decide
            case 2:
                points = np.round(points, 1)
                points[4:6] = points[2:4]  # a corner twice
            case 3:
                points = np.cumsum(rng.normal(0, 2, 2 * corners)) + 40  # thin and tangled
            case 4:
                points = np.round(points * 5) / 5 + 0.1 * rng.integers(0, 2)  # at fifths
            case 5:
                points *= rng.choice([1e-3, 30.0])  # a speck, or far beyond the picture
        found.append((points.tolist(), (height, width)))
    return found


class TestRasterising:
    def test_thousands_of_outlines_against_pycocotools(self, always):
        made = outlines(3000, seed=6)
        found = rasterise_many([points for points, _ in made], [size for _, size in made])
        for row, (points, size) in enumerate(made):
            assert found[row] == coco.frPyObjects([points], *size)[0]["counts"], (points, size)

    def test_the_largest_picture_and_the_farthest_corners(self, always):
        far = [-100_000, -100_000, 100_000, -100_000, 100_000, 100_000, -100_000, 100_000]
        size = (10_000, 10_000)
        found = rasterise_many([far, far[:6]], [size, size])
        for row, points in enumerate((far, far[:6])):
            assert found[row] == coco.frPyObjects([points], *size)[0]["counts"]

    def test_what_is_refused_alone_is_left_out(self, always, monkeypatch):
        square = [0, 0, 4, 0, 4, 4, 0, 4]
        given = [
            square, [0, 0, 1, 1], [*square, 1], [0, 0, float("nan"), 0, 4, 4],
            [0, 0, 1e6, 0, 4, 4], [0, 0, 90_000, 90_000] * 30, square,
        ]
        found = rasterise_many(given, [(6, 6)] * len(given))
        assert list(found) == [0, 6]
        assert found[0] == rasterise([square], (6, 6))[0]
        for polygon in given[1:-1]:
            with pytest.raises(polygons.MaskError):
                rasterise([polygon], (6, 6))

    @pytest.mark.parametrize("odd", [["a"] * 6, [[0, 1]] * 6, [None] * 6, [10**400] * 6], ids=str)
    def test_what_is_no_number_leaves_all_to_who_reads_one_alone(self, always, odd):
        square = [0, 0, 4, 0, 4, 4, 0, 4]
        column, faults = read_masks([[square], [odd], [square]], [(6, 6)] * 3)
        assert list(faults) == [1]
        assert "polygon" in str(faults[1])
        assert column.areas.tolist() == [16, 0, 16]

    def test_lists_and_packed_outlines_are_the_same(self, monkeypatch):
        made = outlines(200, seed=7)
        sizes = [size for _, size in made]
        plain, packed = [[p] for p, _ in made], [[pack_outline(p)] for p, _ in made]
        slow, fast = both_ways(monkeypatch, lambda: read_masks(plain, sizes)[0].buffer)
        assert slow == fast == read_masks(packed, sizes)[0].buffer
        set_limits(monkeypatch, sys.maxsize)
        assert read_masks(packed, sizes)[0].buffer == slow

    def test_batches_change_nothing(self, always, monkeypatch):
        made = outlines(50, seed=8)
        whole = rasterise_many([p for p, _ in made], [s for _, s in made])
        monkeypatch.setattr(polygons, "_BATCH", 7)
        assert rasterise_many([p for p, _ in made], [s for _, s in made]) == whole


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_the_same_either_way(monkeypatch, seed):
    given = random_scores(400 + seed, pictures=15)[0]
    dataset, run = given.dataset, given.run

    def score():
        for thing in (dataset, run):
            for name in ("object_boxes", "target_boxes", "mask_boxes"):
                thing.__dict__.pop(name, None)
        return score_run(dataset, run)

    slow, fast = both_ways(monkeypatch, score)
    for field in fields(slow):
        one, other = getattr(slow, field.name), getattr(fast, field.name)
        if isinstance(one, np.ndarray):
            assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f"), field.name
            assert one.dtype == other.dtype
        else:
            assert is_dataclass(one) or one is None


def test_threads_change_nothing(always, monkeypatch):
    column = column_of([Mask.from_array(array) for array in random_arrays(300, seed=14)])
    rows = np.arange(300)
    alone = measure_pairs(column, rows, column, rows)
    monkeypatch.setattr(compiled, "_AT_LEAST", 10)
    monkeypatch.setattr(compiled, "_processors", lambda: 5)
    assert measure_pairs(column, rows, column, rows).tolist() == alone.tolist()
    assert read_masks(list(map(column.__getitem__, rows)), [None] * 300)[0].buffer == column.buffer


@pytest.mark.parametrize("values", [[], [5], [0, 4]], ids=str)
def test_needless_runs_are_merged_as_ever(always, values):
    mask = Mask((2, 2), compress_runs(np.array([1, 0, 3]), (2, 2)))
    assert mask.area == 0
    assert len(read_masks([mask] * len(values), [(2, 2)] * len(values))[0]) == len(values)


class TestLoading:
    def test_few_masks_do_not_import_numba(self):
        assert loads_numba("column_of([Mask.from_runs([4], (2, 2))] * 2999)") == "False"
        assert loads_numba("column_of([Mask.from_runs([4], (2, 2))] * 3000)") == "True"

    def test_a_configuration_beside_the_data_is_not_obeyed(self, tmp_path):
        # numba reads it from the folder it is started in; it can name classes to import
        (tmp_path / ".numba_config.yaml").write_text("cache_locator_classes: evil.Locator\n")
        (tmp_path / "evil.py").write_text("open('trace', 'w')\nLocator = None\n")
        work = "column_of([Mask.from_runs([4], (2, 2))] * 3000)"
        assert loads_numba(work, folder=tmp_path) == "False"
        assert not (tmp_path / "trace").exists()


def loads_numba(work: str, *, folder: Path = ROOT) -> str:
    """Say whether a fresh process that does some work has imported numba."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from inspector.core.columns import column_of\n"
        f"from inspector.core.mask import Mask\n{work}\nprint('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, check=True,
                          capture_output=True, text=True, timeout=100)
    return done.stdout.strip()
