"""The statistics keep their promises on made-up data whose truth is known.

Small by default; INSPECTOR_LONG=1 runs them at full size and narrows what is allowed. Seeds are
fixed. ``pytest -s`` prints the rates.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from inspector.analysis.coding import Coded
from inspector.analysis.compare import compare_runs
from inspector.analysis.slices import find_slices
from tests.analysis.simulating import clustered, scored_of

IS_LONG = bool(os.environ.get("INSPECTOR_LONG"))
ROUNDS = 2_000 if IS_LONG else 150
PICTURES = 100
WIDEN = 0.0 if IS_LONG else 0.04  # three standard errors of a rate over 150 rounds, about

pytestmark = pytest.mark.timeout(1_800 if IS_LONG else 120)


def sizes_of(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Unions of very different size, alike inside a picture."""
    scale = rng.lognormal(8, 0.8, image.max() + 1)[image]
    return np.maximum(scale * rng.lognormal(0, 0.5, len(image)), 100).astype(np.int64)


@pytest.fixture(scope="module")
def truth() -> dict[str, float]:
    """The numbers of a population of half a million pictures."""
    rng = np.random.default_rng(1)
    image, _, (iou,) = clustered(rng, 500_000)
    scored = scored_of(iou, union=sizes_of(image, rng))
    return {
        "mIoU": float(scored.iou.mean()),
        "oIoU": float(scored.intersection.sum() / scored.union.sum()),
        "P@0.5": float(scored.passes(5, 10).mean()),
    }


def test_intervals_cover_the_truth(truth):
    rng = np.random.default_rng(2)
    covered = {**dict.fromkeys(truth, 0), **{f"{key} difference": 0 for key in truth}}
    for _ in range(ROUNDS):
        image, _, (iou, other) = clustered(rng, PICTURES, runs=2)
        union = sizes_of(image, rng)
        found = compare_runs(
            [("a", scored_of(iou, union=union)), ("b", scored_of(other, union=union))], image,
            measures=list(truth), resamples=1_000 if IS_LONG else 400, permutations=1,
        )
        for number in found.numbers:
            if number.run == "a":
                ends = number.interval
                covered[number.measure] += ends.low <= truth[number.measure] <= ends.high
        for number in found.differences:
            covered[f"{number.measure} difference"] += (
                number.interval.low <= 0 <= number.interval.high)
    for key, times in covered.items():
        print(f"coverage of {key}: {times / ROUNDS:.4f} of {ROUNDS}")
        assert 0.93 - WIDEN <= times / ROUNDS <= 0.97 + WIDEN, key


def test_the_permutation_test_keeps_its_level():
    rng = np.random.default_rng(3)
    rejected = dict.fromkeys(("mIoU", "oIoU", "P@0.5"), 0)
    for _ in range(ROUNDS):
        image, _, (iou, other) = clustered(rng, PICTURES, runs=2)
        union = sizes_of(image, rng)
        found = compare_runs(
            [("a", scored_of(iou, union=union)), ("b", scored_of(other, union=union))], image,
            measures=list(rejected), resamples=10, permutations=999 if IS_LONG else 399,
        )
        for number in found.differences:
            rejected[number.measure] += number.p <= 0.05
    allowed = 3 * (0.05 * 0.95 / ROUNDS) ** 0.5
    for key, times in rejected.items():
        print(f"level of {key}: {times / ROUNDS:.4f} of {ROUNDS}")
        assert abs(times / ROUNDS - 0.05) <= allowed, key


def attributes_of(
    image: np.ndarray, target: np.ndarray, rng: np.random.Generator
) -> list[Coded]:
    """Attributes as real ones: of sentences, of targets, of pictures, and a category."""
    n = len(image)
    made = []
    for number, share in enumerate((0.5, 0.3, 0.15, 0.08, 0.04, 0.02, 0.6, 0.25)):
        of = (np.arange(n), target, image)[number % 3]
        codes = (rng.random(of.max() + 1) >= share)[of].astype(np.int8)
        made.append(Coded(f"flag{number}", f"flag {number}", ("yes", "no"), codes, True))
    kinds = rng.choice(20, target.max() + 1, p=np.arange(20, 0, -1) / 210)[target]
    made.append(Coded("category", "Category", tuple(f"kind {k}" for k in range(20)), kinds, False))
    bins = rng.integers(0, 4, n)
    made.append(Coded("length", "Length", ("1", "2", "3", "4"), bins, False))
    return made


@pytest.mark.parametrize("measure", ["mIoU", "P@0.5"])
@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
def test_slices_report_nothing_where_there_is_nothing(measure, pairs):
    rng = np.random.default_rng(4)
    silent, tested = 0, []
    for _ in range(ROUNDS):
        image, target, (iou,) = clustered(rng, 250)
        found = find_slices(
            attributes_of(image, target, rng), image, scored_of(iou), measure=measure,
            pairs=pairs, resamples=0,
        )
        silent += not any(one.is_found for one in found.slices)
        tested.append(found.tested)
    print(f"silent, {measure}: {silent / ROUNDS:.4f} of {ROUNDS}, {np.mean(tested):.0f} slices")
    assert silent / ROUNDS >= 0.93 - WIDEN


def test_slices_of_the_difference_report_nothing_where_there_is_nothing():
    rng = np.random.default_rng(5)
    silent = 0
    for _ in range(ROUNDS):
        image, target, (iou, other) = clustered(rng, 250, runs=2)
        found = find_slices(
            attributes_of(image, target, rng), image, scored_of(iou), against=scored_of(other),
            pairs=True, resamples=0,
        )
        silent += not any(one.is_found for one in found.slices)
    print(f"silent, difference of two runs: {silent / ROUNDS:.4f} of {ROUNDS}")
    assert silent / ROUNDS >= 0.93 - WIDEN


def test_a_planted_slice_is_found():
    # 200 sentences of other targets lose 15 points of IoU on average: more of them fail.
    rng = np.random.default_rng(6)
    rounds, found_it, named_first = ROUNDS // 5, 0, 0
    for _ in range(rounds):
        image, target, (iou,) = clustered(rng, 600)
        chosen = rng.permutation(len(iou))[:200]
        iou = iou.copy()
        failing = rng.random(200) < 0.15 / iou[chosen].mean()
        iou[chosen] = np.where(failing, 0.0, iou[chosen])
        codes = np.ones(len(iou), np.int8)
        codes[chosen] = 0
        planted = Coded("planted", "Planted", ("yes", "no"), codes, True)
        found = find_slices(
            [*attributes_of(image, target, rng), planted], image, scored_of(iou), pairs=True,
            resamples=0,
        )
        names = [one.label for one in found.slices if one.is_found]
        found_it += "Planted" in names
        named_first += bool(names) and "Planted" in names[0]
    print(f"planted: found in {found_it / rounds:.3f}, first in {named_first / rounds:.3f}")
    assert found_it / rounds >= 0.9
