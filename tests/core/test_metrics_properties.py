"""What holds for metrics on any data, and the same numbers from plain numpy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.core.metrics import METRICS, compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.records import Example
from inspector.core.run import Status
from inspector.core.scores import Scores, with_shapes
from tests.building import random_scores, score_strips

PROTOCOLS = [
    Protocol(*rules)
    for rules in itertools.product(
        ("sentence", "referent"), ("one", "zero", "skip"), ("zero", "skip")
    )
]
every_protocol = pytest.mark.parametrize(
    "protocol", [pytest.param(p, id="-".join(p.to_json().values())) for p in PROTOCOLS]
)

WIDTH = 10
strips = st.tuples(st.integers(0, WIDTH), st.integers(0, WIDTH)).map(
    lambda ends: "." * min(ends) + "#" * abs(ends[0] - ends[1]) + "." * (WIDTH - max(ends))
)
pairs = st.lists(st.tuples(strips, st.none() | strips), min_size=1, max_size=8)


def precision(values: dict[str, float | None]) -> list[float]:
    return [values[f"P@0.{tenths}"] for tenths in range(5, 10)]


@every_protocol
@settings(max_examples=15, deadline=None, derandomize=True)
@given(pairs=pairs)
def test_every_metric_is_undefined_or_a_fraction(protocol, pairs):
    values = compute_metrics(score_strips(*pairs), protocol)
    assert list(values) == [metric.key for metric in METRICS]
    for value in values.values():
        assert value is None or (type(value) is float and 0.0 <= value <= 1.0)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(pairs=pairs)
def test_precision_falls_and_bounds_the_mean(pairs):
    values = compute_metrics(score_strips(*pairs), Protocol())
    falling = precision(values)
    assert falling == sorted(falling, reverse=True)
    assert values["mIoU"] >= 0.5 * falling[0] - 1e-12
    assert values["mIoU"] <= falling[0] + 0.5 * (1 - falling[0]) + 1e-12


@settings(max_examples=40, deadline=None, derandomize=True)
@given(target=strips.filter(lambda strip: "#" in strip), prediction=st.none() | strips)
def test_of_one_example_mean_and_overall_are_equal(target, prediction):
    values = compute_metrics(score_strips((target, prediction)), Protocol())
    assert values["mIoU"] == values["oIoU"]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(inside=st.lists(st.integers(0, WIDTH), min_size=1, max_size=8))
def test_of_equal_unions_mean_and_overall_are_equal(inside):
    scores = score_strips(*(("#" * WIDTH, "#" * n + "." * (WIDTH - n)) for n in inside))
    values = compute_metrics(scores, Protocol())
    assert values["mIoU"] == pytest.approx(values["oIoU"])


@every_protocol
def test_perfect_predictions_give_one_everywhere(protocol):
    drawings = ["###.......", ".....#####", "#" * WIDTH]
    values = compute_metrics(score_strips(*((d, d) for d in drawings)), protocol)
    assert [values["mIoU"], values["oIoU"], *precision(values)] == [1.0] * 7


@every_protocol
def test_the_order_of_the_examples_does_not_matter(protocol):
    pairs = [("####......", "##........"), ("#" * WIDTH, None), ("." * WIDTH, "." * WIDTH),
             ("####......", "..####....")]
    forward = compute_metrics(score_strips(*pairs), protocol)
    assert compute_metrics(score_strips(*reversed(pairs)), protocol) == pytest.approx(forward)


@every_protocol
@pytest.mark.parametrize("seed", range(3))
def test_metrics_agree_with_plain_numpy(protocol, seed):
    scores = with_shapes(random_scores(400 + seed, pictures=8)[0])
    assert compute_metrics(scores, protocol) == pytest.approx(metrics_by_pixels(scores, protocol))


def metrics_by_pixels(scores: Scores, protocol: Protocol) -> dict[str, float | None]:
    """Compute all metrics as the contract says it, example by example on dense arrays."""
    rows, no_target, with_target, grounded = [], [], [], []
    for index, example in enumerate(scores.dataset):
        status = scores.status[index]
        if status == Status.NO_TRUTH or (
            status != Status.SCORED and protocol.missing == "skip"
        ):
            continue
        target = example.target.to_array()
        usable = status == Status.SCORED
        predicted = (
            scores.run.masks[scores.run.rows[index]].to_array() if usable
            else np.zeros_like(target)
        )
        group = with_target if target.any() else no_target
        group.append(usable and predicted.any() == target.any())
        intersection, union = int((predicted & target).sum()), int((predicted | target).sum())
        referent = scores.dataset.expressions.referent[index]
        if target.any():
            grounded.append((referent, usable and fits_target_best(example, predicted)))
        if union == 0 and usable:
            if protocol.empty_union == "skip":
                continue
            right = protocol.empty_union == "one"
        passes = [
            usable and (right if union == 0 else 10 * intersection >= tenths * union)
            for tenths in range(5, 10)
        ]
        iou = intersection / union if union else float(usable and right)
        bands = band(predicted), band(target)
        edge = (bands[0] & bands[1]).sum() / max((bands[0] | bands[1]).sum(), 1)
        edge = edge if union else iou
        rows.append((referent, intersection, union, iou, *passes, edge, example.category))
    return {
        "mIoU": average(rows, 3, protocol),
        "oIoU": divide(sum(row[1] for row in rows), sum(row[2] for row in rows)),
        **{f"P@0.{tenths}": average(rows, tenths - 1, protocol) for tenths in range(5, 10)},
        "boundary_mIoU": average(rows, 9, protocol),
        "N-acc": divide(sum(no_target), len(no_target)),
        "T-acc": divide(sum(with_target), len(with_target)),
        "mIoU_category": over_categories(rows),
        "box_mIoU": None,
        "box_Acc@0.5": None,
        "grounding": divide(sum(row[1] for row in grounded), len(grounded)),
    }


def over_categories(rows: list[tuple]) -> float | None:
    """Average the mIoU of each category; examples without a target have none."""
    groups: dict[str, list[tuple]] = {}
    for row in rows:
        if row[10]:
            groups.setdefault(row[10], []).append(row)
    means = [divide(sum(row[3] for row in group), len(group)) for group in groups.values()]
    return divide(sum(means), len(means))


def band(mask: np.ndarray) -> np.ndarray:
    """Take what is lost when a mask is eroded d times by a square of 3, as the paper does it."""
    width = max(1, round(0.02 * np.hypot(*mask.shape)))
    inner = np.pad(mask, 1)
    for _ in range(width):
        inner = np.pad(
            np.lib.stride_tricks.sliding_window_view(inner, (3, 3)).all(axis=(2, 3)), 1
        )
    return mask & ~inner[1:-1, 1:-1]


def fits_target_best(example: Example, predicted: np.ndarray) -> bool:
    """Compare the prediction's IoU with the target and with every other object, on pixels."""
    def iou(one: np.ndarray, other: np.ndarray) -> float:
        return (one & other).sum() / max((one | other).sum(), 1)

    target = example.target.to_array()
    own = iou(predicted, target)
    others = [o.mask.to_array() for o in example.distractors or () if not o.is_crowd]
    rivals = [iou(predicted, other) for other in others if iou(other, target) < 0.8]
    return own > 0 and own >= max(rivals, default=0)


def average(rows: list[tuple], column: int, protocol: Protocol) -> float | None:
    """Average one column over rows, or inside each referent first."""
    if protocol.average == "sentence":
        return divide(sum(row[column] for row in rows), len(rows))
    groups: dict[int, list[float]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[column])
    return divide(sum(np.mean(group) for group in groups.values()), len(groups))


def divide(value: float, by: float) -> float | None:
    return value / by if by else None
