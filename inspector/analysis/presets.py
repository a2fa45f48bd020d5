"""What known evaluators compute, as far as their code is documented.

Sources and edge cases stand in ``docs/metrics.md``; each preset is tested against them by name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inspector.analysis.counting import Material
from inspector.analysis.protocols import (
    Evaluation,
    Rules,
    compute_quantity,
    evaluate,
    has_statements,
)
from inspector.core.errors import UsageError, say_choices

_SOFT = "it turns soft masks into pixels itself ({}); here the masks are finished"


@dataclass(frozen=True, slots=True)
class Number:
    """One number as an evaluator prints it, and the quantity of ours that it is.

    ``level`` takes the examples of one level alone; ``both`` those of all levels, where the data
    has levels.
    """

    printed: str
    quantity: str
    level: str = ""


def _precisions(*tenths: int, name: str = "Pr@0.{}") -> tuple[Number, ...]:
    return tuple(Number(name.format(tenth), f"P@0.{tenth}") for tenth in tenths)


@dataclass(frozen=True, slots=True)
class Preset:
    """One evaluator.

    Attributes:
        key: As after ``--preset``.
        label: Its name.
        source: Repository and file, or card.
        description: What it computes, in a sentence.
        rules: The same as rules.
        numbers: What it prints.
        not_reproduced: What it does besides, that cannot be done with finished masks.
    """

    key: str
    label: str
    source: str
    description: str
    rules: Rules
    numbers: tuple[Number, ...]
    not_reproduced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresetResult:
    """A preset's numbers on one run; None where one is not defined, as ``notes`` say."""

    preset: Preset
    numbers: dict[str, float | None]
    notes: tuple[str, ...]


PRESETS: tuple[Preset, ...] = (
    Preset(
        "mattnet", "REFER / MAttNet", "lichengunc/MAttNet: tools/eval_masks.py",
        "Sum of intersections over sum of unions, and P@X with >=, over sentences at the "
        "picture's size; no mean IoU.",
        Rules(empty_union="zero"),
        (Number("overall IoU", "oIoU"), *_precisions(5, 6, 7, 8, 9)),
        ("it stops with a division by zero where prediction and target are both empty",),
    ),
    Preset(
        "lavt", "LAVT", "yz93/LAVT-RIS: test.py",
        "Mean and overall IoU and P@X with >= over sentences, in a frame of 480 x 480; both empty "
        "counts 0, and pixels where polygons of one object overlap are cut out of the target.",
        Rules(empty_union="zero", truth="once", frame="square"),
        (Number("mIoU", "mIoU"), Number("overall IoU", "oIoU"),
         *_precisions(5, 6, 7, 8, 9, name="precision@0.{}")),
        ("its log while training takes one random sentence a referent",),
    ),
    Preset(
        "cris", "CRIS", "DerrickWang005/CRIS.pytorch: engine/engine.py",
        "Mean IoU with 1e-6 added to every union, and P@X with > and thresholds of 32 bits, over "
        "sentences; no overall IoU.",
        Rules(empty_union="zero", reached=">", thresholds="float32", epsilon=1e-6),
        (Number("IoU", "mIoU"), *(Number(f"Pr@{t}0", f"P@0.{t}") for t in (5, 6, 7, 8, 9))),
        (_SOFT.format("sigmoid > 0.35, brought back by a bicubic warp"),
         "its validation while training takes the first sentence of a referent only"),
    ),
    Preset(
        "rela", "ReLA", "henghuiding/ReLA: gres_model/evaluation/refer_evaluation.py",
        "gIoU and cIoU with the no-target rule: what the model says decides, not its mask; P@X "
        "over examples with a target; in a frame of 480 x 480.",
        Rules(empty_union="stated", precision_over="target", frame="square", rejected="dropped"),
        (Number("gIoU", "mIoU"), Number("cIoU", "oIoU"), Number("T_acc", "T-acc"),
         Number("N_acc", "N-acc"), *_precisions(7, 8, 9)),
        ("it prints 0 for T_acc and N_acc where no example is without target; here they are not "
         "defined then",),
    ),
    Preset(
        "gsva", "GSVA", "LeapLabTHU/GSVA: solver.eval_gres",
        "As ReLA at the picture's own size, by its [REJ] token, with 1e-8 added to every union; a "
        "rejected sentence that has a target keeps its mask in cIoU.",
        Rules(empty_union="stated", epsilon=1e-8),
        (Number("gIoU", "mIoU"), Number("cIoU", "oIoU"), Number("N_acc", "N-acc"),
         Number("T_acc", "T-acc")),
        ("on Ref-ZOM, pixels marked where nothing is meant add to no union: rule false_area",),
    ),
    Preset(
        "lisa", "LISA, GLaMM", "dvlab-research/LISA: train_ds.py validate",
        "Mean and overall IoU over sentences; both empty counts 1; 1e-5 added to every union; "
        "pixels added up in 32-bit floats.",
        Rules(epsilon=1e-5, sums="float32"),
        (Number("giou", "mIoU"), Number("ciou", "oIoU")),
        (_SOFT.format("logit > 0"), "on ReasonSeg, only the first text of a picture"),
    ),
    Preset(
        "seg-zero", "Seg-Zero", "dvlab-research/Seg-Zero: evaluation_scripts",
        "Mean IoU over rows of one expression an object; an answer that cannot be read scores 0, "
        "a mask that could not be made drops the row, and so does both empty; ignored regions "
        "count as target.",
        Rules(average="first", empty_union="skip", missing="invalid-skip", truth="ignored"),
        (Number("gIoU", "mIoU"),),
        ("which expression of an object it takes is not documented; here it is the first",),
    ),
    Preset(
        "visionreasoner", "VisionReasoner", "dvlab-research/VisionReasoner: calculate_iou.py",
        "Mean and overall IoU over rows of one expression an object; both empty counts 0; ignored "
        "regions count as target.",
        Rules(average="first", empty_union="zero", truth="ignored"),
        (Number("gIoU", "mIoU"), Number("cIoU", "oIoU"), Number("bbox_AP", "box>0.5")),
        ("bbox_AP takes any predicted box or all joined; here it is the one box of the run",),
    ),
    Preset(
        "visionreasoner-nonobj", "VisionReasoner (objects that are not there)",
        "dvlab-research/VisionReasoner: calculate_iou script for non-objects",
        "The same, but an example without target counts 1 if no box was predicted.",
        Rules(average="first", empty_union="stated", truth="ignored"),
        (Number("gIoU", "mIoU"), Number("cIoU", "oIoU"), Number("N-Acc", "N-acc")),
    ),
    Preset(
        "refcoco-m", "RefCOCO-M card", "moondream/refcoco-m, Evaluation Protocol",
        "Mean IoU over examples at the picture's own size; the data has no example without target.",
        Rules(), (Number("mIoU", "mIoU"),),
    ),
    Preset(
        "refcocom", "RefCOCOm (MRES)", "Rubics-Xuan/MRES; its metric code is not released",
        "Mean IoU over sentences of parts, and of objects and parts together.",
        Rules(),
        (Number("mIoU, Part", "mIoU", "part"), Number("mIoU, Obj & Part", "mIoU", "both")),
        ("the rules for empty masks are not published",),
    ),
    Preset(
        "sa2va", "Sa2VA", "magic-research/Sa2VA: evaluation/dataset/RES.py",
        "Mean and overall IoU over sentences; both empty counts 1; a missing prediction scores 0 "
        "in the mean and is left out of the sums, which raises cIoU.",
        Rules(missing="mean"), (Number("GIoU", "mIoU"), Number("CIoU", "oIoU")),
    ),
    Preset(
        "padt", "PaDT", "PaDT: eval_refcoco.py",
        "\"RES CIoU\" is the mean IoU over sentences, not the cumulative one; both empty counts 0.",
        Rules(empty_union="zero"), (Number("RES CIoU", "mIoU"),),
        ("of several predictions for one sentence its best counts; here the first does",),
    ),
)
"""Known evaluators."""


def find_preset(key: str) -> Preset:
    """Give the preset of a key.

    Raises:
        UsageError: If there is none.
    """
    keys = [preset.key for preset in PRESETS]
    if key not in keys:
        raise UsageError(f"No preset '{key}'. {say_choices(key, keys)}")
    return PRESETS[keys.index(key)]


def compute_preset(material: Material, preset: Preset) -> PresetResult:
    """Compute what an evaluator would print for a run; what cannot be computed says why."""
    evaluation = evaluate(material, preset.rules)
    notes = [f"Not reproduced: {text}." for text in preset.not_reproduced]
    if evaluation is None:
        notes.append(
            "Not computed: the run's file holds no masks, which another frame or target needs."
        )
        return PresetResult(preset, {n.printed: None for n in preset.numbers}, tuple(notes))
    if preset.rules.empty_union == "stated" and not has_statements(material):
        notes.append(
            "The run never says in so many words that nothing is meant; empty masks stand for it."
        )
    doubled = len(material.scores.dataset.doubled)
    if preset.rules.truth == "once":
        notes.append(
            f"{doubled:,} objects have overlapping polygons, which are cut out of the target."
            if doubled else "No polygons of one object overlap here, or the data has none."
        )
    numbers = {
        number.printed: _compute(material, evaluation, number) for number in preset.numbers
    }
    levels = material.scores.dataset.level_names
    if any(number.level for number in preset.numbers) and not levels:
        notes.append("Not defined: the data does not tell objects and parts apart.")
    return PresetResult(preset, numbers, tuple(notes))


def _compute(material: Material, evaluation: Evaluation, number: Number) -> float | None:
    if number.quantity == "box>0.5":
        box_iou = material.scored.box_iou
        return evaluation.mean(box_iou > 0.5, evaluation.is_looked_at & ~np.isnan(box_iou))
    if number.level:
        names = material.scores.dataset.level_names
        if not names:
            return None
        levels = np.array(material.scores.dataset.expressions.levels, object)
        chosen = np.isin(levels, names if number.level == "both" else [number.level])
        return evaluation.mean(evaluation.iou, evaluation.is_averaged & chosen)
    return compute_quantity(evaluation, number.quantity)
