"""Boundaries, pieces, holes, flags, leverage and geometry against plain numpy."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest

from inspector.analysis.flags import FLAGS, FlagThresholds, find_flags, list_flags
from inspector.analysis.geometry import GROWTHS, SHIFTS, _errors, check_geometry
from inspector.analysis.leverage import measure_leverage
from inspector.core.boundary import measure_boundary
from inspector.core.columns import column_of
from inspector.core.crops import read_crops
from inspector.core.failures import Thresholds
from inspector.core.mask import Mask
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import Scores, score_run, with_shapes
from inspector.core.shapes import measure_shapes
from tests.analysis.planting import ellipse, plant
from tests.building import Picture, Said, Thing, make_dataset, random_scores, score, score_strips
from tests.drawing import draw, random_arrays


def test_crops_are_the_mask_inside_its_box():
    arrays = list(random_arrays(200, seed=5))
    for array, crop in zip(arrays, read_crops(column_of([Mask.from_array(a) for a in arrays])),
                           strict=True):
        rebuilt = np.zeros_like(array)
        width, height = crop.pixels.shape
        rebuilt[crop.y : crop.y + height, crop.x : crop.x + width] = crop.pixels.T
        assert (rebuilt == array).all()
        assert array.sum() == crop.pixels.sum()


def big_scores(seed: int) -> Scores:
    """Score random masks that are wide enough for a band of several pixels and real holes."""
    rng = np.random.default_rng(seed)
    pictures, masks = [], {}
    for number in range(40):
        truth, guess = (
            cv2.GaussianBlur(rng.normal(size=(130, 170)), (0, 0), 9) > rng.choice([-0.02, 0, 0.03])
            for _ in range(2)
        )
        if rng.random() < 0.1:
            guess = np.zeros_like(guess)
        things = (Thing("a", "cup", Mask.from_array(truth)),)
        said = (Said(f"{number}", "cup", ("a",)),)
        pictures.append(Picture(f"{number}", truth.shape, things, said))
        masks[f"{number}"] = Mask.from_array(guess)
    return score(make_dataset(*pictures), masks)


@pytest.mark.parametrize("scores", [
    pytest.param(lambda: big_scores(1), id="large"),
    *(pytest.param(lambda seed=seed: random_scores(900 + seed)[0], id=f"small {seed}")
      for seed in range(3)),
])
def test_shapes_equal_dense_counts(scores):
    scores = scores()
    shapes = measure_shapes(scores.dataset, scores.run)
    for index in np.flatnonzero(scores.status == Status.SCORED).tolist():
        assert shapes.is_measured[index]
        prediction = scores.run.masks[scores.run.rows[index]]
        target = scores.dataset[index].target
        a, b = eroded_away(prediction), eroded_away(target)
        overlap = int((a & b).sum()), int((a | b).sum())
        assert overlap == (shapes.boundary_intersection[index], shapes.boundary_union[index])
        assert overlap == measure_boundary(prediction, target)
        pieces, largest, hole = by_labels(prediction.to_array())
        assert (shapes.pieces[index], shapes.largest_piece[index]) == (pieces, largest)
        assert shapes.hole_area[index] == hole
        assert (shapes.target_largest_piece[index], shapes.target_hole_area[index]) == by_labels(
            target.to_array())[1:]


@pytest.mark.parametrize(("mask", "expected"), [
    pytest.param(("####", "#..#", "####"), (1, 10, 2), id="a hole"),
    pytest.param(("#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"),
                 (2, 24, 17), id="a hole with an island with a hole"),
    pytest.param((".#.", "#.#", ".#."), (1, 4, 1), id="a hole closed by corners"),
    pytest.param(("##.", "#.#", "##."), (1, 6, 1), id="a corner closes it too"),
    pytest.param(("###", "#.#", "#.#"), (1, 7, 0), id="open at the picture's edge"),
])
def test_pieces_and_holes(mask, expected):
    assert by_labels(draw(*mask).to_array()) == expected
    dataset = make_dataset(Picture("1", draw(*mask).size_hw, (Thing("a", "cup", draw(*mask)),),
                                   (Said("1", "cup", ("a",)),)))
    scores = score(dataset, {"1": draw(*mask)})
    shapes = measure_shapes(scores.dataset, scores.run)
    assert (shapes.pieces[0], shapes.largest_piece[0], shapes.hole_area[0]) == expected


def eroded_away(mask: Mask) -> np.ndarray:
    """Give what ``d`` erosions by a square of 3 take away, as boundary-iou-api does it."""
    height, width = mask.size_hw
    framed = np.pad(mask.to_array().astype(np.uint8), 1)
    passes = max(1, round(0.02 * np.hypot(height, width)))
    inner = cv2.erode(framed, np.ones((3, 3), np.uint8), iterations=passes)
    return (framed != inner)[1:-1, 1:-1]


def by_labels(mask: np.ndarray) -> tuple[int, int, int]:
    """Count pieces, pixels of the largest, and background that does not reach the edge."""
    pieces, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    largest = int(np.bincount(labels.ravel())[1:].max(initial=0))
    outside = np.pad(~mask, 1, constant_values=True).astype(np.uint8)
    _, labels = cv2.connectedComponents(outside, connectivity=4)
    enclosed = (outside == 1) & (labels != labels[0, 0])
    return pieces - 1, largest, int(enclosed.sum())


def test_progress_comes_to_its_end():
    seen = []
    scores = big_scores(2)
    with_shapes(scores, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (40, 40)


def test_measured_once_a_run_and_data_set():
    scores = big_scores(3)
    seen = []
    count = lambda done, total: seen.append(done)  # noqa: E731
    with ThreadPoolExecutor(2) as pool:  # who asks meanwhile waits
        one, other = pool.map(lambda _: with_shapes(scores, progress=count), range(2))
    assert seen.count(40) == 1
    assert one.shapes is other.shapes
    assert with_shapes(one) is one
    strict = score_run(scores.dataset, scores.run, thresholds=Thresholds(iou=0.9))
    assert with_shapes(strict).shapes is one.shapes  # other thresholds, the same masks
    again = big_scores(3)
    assert with_shapes(again, progress=count).shapes is not one.shapes  # another run
    assert seen.count(40) == 2
    known = weakref.ref(one.shapes.boundary_union)
    scores = one = other = strict = None
    gc.collect()
    assert known() is None  # what is closed is not held


class TestFlags:
    def flags(self, *runs: Scores) -> list[list[list[str]]]:
        return [list_flags(found) for found in find_flags([with_shapes(run) for run in runs])]

    def scene(self, target: np.ndarray, *guesses: np.ndarray, sentence: str = "cup") -> Scores:
        things = (Thing("a", "cup", Mask.from_array(target)),)
        said = tuple(Said(f"{n}", sentence, ("a",)) for n in range(len(guesses)))
        dataset = make_dataset(Picture("1", target.shape, things, said))
        return score(dataset, {f"{n}": Mask.from_array(g) for n, g in enumerate(guesses)})

    def test_poor_edges(self):
        target = ellipse(60, 45, 40, 35)
        ragged = target & ~((np.arange(120) % 9 < 4)[None, :] & ~ellipse(60, 45, 36, 31))
        shifted = ellipse(67, 45, 40, 35)
        flags = self.flags(self.scene(target, target, shifted, ragged))[0]
        assert flags[0] == []
        assert flags[1] == ["boundary"]  # IoU .79, but the band is 3 pixels wide

    def test_pieces_and_holes(self):
        target = ellipse(60, 45, 40, 35)
        split = target & (np.abs(np.arange(120) - 60) > 2)[None, :]
        holed = target & ~ellipse(60, 45, 10, 10)
        crumb = target | ellipse(115, 85, 2, 2)
        flags = self.flags(self.scene(target, split, holed, crumb))[0]
        assert "fragmented" in flags[0] and "holes" not in flags[0]
        assert "holes" in flags[1] and "fragmented" not in flags[1]
        assert not {"fragmented", "holes"} & set(flags[2])

    def test_not_where_the_target_is_so_itself(self):
        target = ellipse(60, 45, 40, 35) & (np.abs(np.arange(120) - 60) > 2)[None, :]
        ring = ellipse(60, 45, 40, 35) & ~ellipse(60, 45, 10, 10)
        assert self.flags(self.scene(target, target)) == [[[]]]
        assert self.flags(self.scene(ring, ring)) == [[[]]]

    @pytest.mark.parametrize(("marked", "near"), [(44, False), (45, True), (55, True), (56, False)])
    def test_near_the_threshold_to_the_pixel(self, marked, near):
        scores = score_strips(("#" * 100, "#" * marked + "." * (100 - marked)))
        assert bool(find_flags([scores])[0]["near_threshold"][0]) is near

    @pytest.mark.parametrize(("sentence", "flagged"), [
        ("left cup", True), ("Leftmost cup", True), ("the cup", False), ("right cup", False),
        ("left of the right one", False), ("leftover cup", False),
    ])
    def test_mirror(self, sentence, flagged):
        dataset = make_dataset(Picture("1", (1, 10), (
            Thing("a", "cup", draw("###.......")), Thing("b", "cup", draw(".......###")),
        ), (Said("1", sentence, ("a",)),)))
        scores = score(dataset, {"1": draw(".......###")})
        assert bool(find_flags([scores])[0]["mirror"][0]) is flagged

    def test_mirror_of_right(self):
        dataset = make_dataset(Picture("1", (1, 10), (
            Thing("a", "cup", draw("###.......")), Thing("b", "cup", draw(".......###")),
        ), (Said("1", "right cup", ("b",)), Said("2", "left cup", ("b",)))))
        scores = score(dataset, {"1": draw("###......."), "2": draw("###.......")})
        assert find_flags([scores])[0]["mirror"].tolist() == [True, False]

    def test_label_suspect_needs_two_that_agree_against_it(self):
        target, other = ellipse(30, 45, 20, 20), ellipse(90, 45, 20, 20)
        near = ellipse(91, 45, 20, 20)
        runs = [
            self.scene(target, *guesses)
            for guesses in ([other, other, target], [near, target, target], [target, other, other])
        ]
        dataset = runs[0].dataset
        runs = [replace(run, dataset=dataset) for run in runs]
        found = [found["label_suspect"].tolist() for found in find_flags(runs)]
        # first sentence: runs 1 and 2; second: runs 1 and 3; third: run 3 alone
        assert found == [[True, True, False], [True, False, False], [False, True, False]]

    def test_one_run_never_suspects_a_label(self):
        assert not find_flags([self.scene(ellipse(30, 45, 20, 20), ellipse(90, 45, 20, 20))])[0][
            "label_suspect"
        ].any()

    def test_thresholds_can_be_moved(self):
        scores = score_strips(("#" * 100, "#" * 60 + "." * 40))
        limits = FlagThresholds(near=0.1)
        assert find_flags([scores], limits=limits)[0]["near_threshold"].tolist() == [True]

    def test_every_flag_has_words(self):
        assert all(flag.label and flag.description.endswith(".") for flag in FLAGS)
        assert [flag.key for flag in FLAGS] == [
            "boundary", "fragmented", "holes", "near_threshold", "mirror", "label_suspect",
        ]


class TestLeverage:
    @pytest.mark.parametrize("seed", range(4))
    def test_equals_leaving_each_out(self, seed):
        scored = apply_protocol(random_scores(1000 + seed)[0], Protocol())
        found = measure_leverage(scored)
        keep = np.flatnonzero(scored.counts)
        for index in keep.tolist():
            rest = keep[keep != index]
            without = scored.intersection[rest].sum() / scored.union[rest].sum()
            assert found.change[index] == pytest.approx(without - found.overall)
        assert np.isnan(found.change[~scored.counts]).all()
        assert found.share.sum() == pytest.approx(1)
        sizes = np.nan_to_num(np.abs(found.change))
        assert sizes[found.top].tolist() == sorted(sizes, reverse=True)[: len(found.top)]

    def test_by_hand(self):
        scored = apply_protocol(score_strips(
            ("#" * 90, "#" * 45 + "." * 45), ("#" * 10, "#" * 9 + ".")
        ), Protocol())
        found = measure_leverage(scored)
        assert found.overall == 0.54
        assert found.change.tolist() == pytest.approx([0.9 - 0.54, 0.5 - 0.54])
        assert (found.top.tolist(), found.half, found.counted) == ([0, 1], 1, 2)

    def test_of_one_example_there_is_no_rest(self):
        found = measure_leverage(apply_protocol(score_strips(("##", "#.")), Protocol()))
        assert found.overall == 0.5
        assert np.isnan(found.change).all()
        assert not len(found.top)


class TestGeometry:
    def test_equals_moving_whole_pictures(self):
        scores, _ = plant(4, seed=9)
        found = check_geometry(scores)
        chosen = np.flatnonzero((scores.status == Status.SCORED) & (scores.intersection > 0))
        expected = []
        for index in chosen.tolist():
            guess = scores.run.masks[scores.run.rows[index]].to_array()
            truth = scores.dataset[index].target.to_array()
            expected.append([iou(move(guess, *shift), truth) for shift in SHIFTS]
                            + [iou(grow(guess, pixels), truth) for pixels in GROWTHS])
        means = np.mean(expected, axis=0)
        assert found.examples == len(chosen)
        assert [v.mean_iou for v in found.variations] == pytest.approx(means.tolist())

    def pair(self, change, count: int = 30) -> Scores:
        rng = np.random.default_rng(4)
        pictures, masks = [], {}
        for number in range(count):
            truth = ellipse(rng.uniform(30, 90), rng.uniform(30, 60), 15, 12)
            things = (Thing("a", "cup", Mask.from_array(truth)),)
            pictures.append(Picture(f"{number}", truth.shape, things,
                                    (Said(f"{number}", "cup", ("a",)),)))
            masks[f"{number}"] = Mask.from_array(change(truth))
        return score(make_dataset(*pictures), masks)

    def test_an_offset_is_found(self):
        found = check_geometry(self.pair(lambda mask: move(mask, -2, 1)))
        assert (found.best.right, found.best.down) == (2, -1)
        assert found.best.mean_iou == 1.0
        assert "moved 2 px right and 1 px up it is 1.0000" in found.line
        assert "resize or offset bug" in found.line

    @pytest.mark.parametrize("count", [1, 9])
    def test_a_few_pictures_are_no_verdict(self, count):
        found = check_geometry(self.pair(lambda mask: move(mask, -2, 1), count))
        assert found.best.mean_iou == 1.0
        assert f"{count} pictures are too few to tell an offset from chance" in found.line
        assert "bug" not in found.line
        assert (found.best.standard_error is None) == (count == 1)  # and not a NaN in a JSON file

    def test_sentences_of_one_picture_are_one_of_many(self):
        # Twenty sentences about one picture that rises, and one each about nine that fall a bit.
        rises = np.array([0.1] * 20 + [-0.01] * 9)[:, None]
        pictures, errors = _errors(rises, np.array([0] * 20 + list(range(1, 10))))
        assert pictures == 10
        mean = rises.mean()
        sums = [20 * (0.1 - mean)] + [-0.01 - mean] * 9
        assert errors.tolist() == pytest.approx([np.sqrt(np.square(sums).sum() * 10 / 9) / 29])
        each = _errors(rises, np.arange(29))[1]
        assert each.tolist() == pytest.approx([rises.std(ddof=1) / np.sqrt(29)])
        assert 3 * errors[0] > mean > 3 * each[0]  # no rise; of independent examples it were one

    def test_masks_that_are_too_small_are_found(self):
        found = check_geometry(self.pair(lambda mask: grow(mask, -2)))
        assert found.best.grown == 2
        assert "ground truth is inflated" in found.line

    def test_what_is_right_stays_so(self):
        found = check_geometry(self.pair(lambda mask: mask))
        assert "no shift or growth of up to 3 px raises it" in found.line
        assert found.mean_iou == 1.0

    def test_a_sample_is_the_same_each_time_and_said(self):
        scores = self.pair(lambda mask: move(mask, 1, 0))
        found = check_geometry(scores, sample=10)
        assert (found.examples, found.available) == (10, 30)
        assert "10 of 30 examples, chosen by a fixed seed" in found.line
        assert check_geometry(scores, sample=10) == found

    def test_nothing_to_measure(self):
        assert check_geometry(score_strips(("##..", "..##"))).mean_iou is None


def move(mask: np.ndarray, right: int, down: int) -> np.ndarray:
    """Shift a mask inside its picture; what leaves is lost."""
    moved = np.zeros_like(mask)
    rows, columns = np.nonzero(mask)
    rows, columns = rows + down, columns + right
    inside = (rows >= 0) & (rows < mask.shape[0]) & (columns >= 0) & (columns < mask.shape[1])
    moved[rows[inside], columns[inside]] = True
    return moved


def grow(mask: np.ndarray, pixels: int) -> np.ndarray:
    """Dilate or erode by squares of 3; the picture's edge does not shrink."""
    size, outside = 2 * abs(pixels) + 1, pixels < 0
    framed = np.pad(mask, abs(pixels), constant_values=outside)
    windows = np.lib.stride_tricks.sliding_window_view(framed, (size, size))
    return windows.any(axis=(2, 3)) if pixels > 0 else windows.all(axis=(2, 3))


def iou(one: np.ndarray, other: np.ndarray) -> float:
    return (one & other).sum() / (one | other).sum()


class TestNothingToMeasure:
    def test_where_no_example_has_a_target(self):
        scores = with_shapes(score_strips(("....", "...."), ("....", "##..")))
        assert scores.shapes.boundary_union.tolist() == [0, 2]
        assert scores.shapes.pieces.tolist() == [0, 1]

    def test_where_nothing_was_predicted(self):
        scores = with_shapes(score_strips(("####", None)))
        assert scores.shapes.is_measured.tolist() == [False]
        assert list_flags(find_flags([scores])[0]) == [[]]
