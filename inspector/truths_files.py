"""Two ground truths as JSON and as tables: what ``truths`` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inspector import __version__
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.formats.counts import published_counts
from inspector.summary import dataset_json, metrics_json, write_rows, write_text
from inspector.truths.effects import RankChange, RunEffects
from inspector.truths.resampling import METRIC_KEYS, Interval
from inspector.truths.results import TruthPair, Truths
from inspector.truths.table import referent_table
from inspector.workspace import Workspace


def truths_of(workspace: Workspace) -> Truths:
    """Give the comparison of a workspace that has a second ground truth.

    Raises:
        UsageError: If it has none.
    """
    if workspace.truths is None:
        raise UsageError("There is no second ground truth. Add --second-truth DATASET_B.")
    return workspace.truths


def truths_json(workspace: Workspace) -> dict[str, Any]:
    """Give what ``truths --json`` writes."""
    truths = truths_of(workspace)
    pair = truths.pair
    return {
        "inspector": __version__,
        "dataset_a": _dataset_json(pair.a),
        "dataset_b": _dataset_json(pair.b),
        "protocol": truths.protocol.to_json(),
        "match": match_json(pair),
        "truths": pair.summary,
        "runs": [_run_json(run) for run in truths.runs],
        "rank_change": {key: _rank_json(change) for key, change in truths.rank_change.items()},
        "problems": [problem.to_json() for problem in workspace.problems],
    }


def _dataset_json(dataset: Dataset) -> dict[str, Any]:
    """Describe a data set with its own counts and, beside them, the published ones."""
    published = published_counts(dataset)
    return {
        **dataset_json(dataset),
        "published": None if published is None else {
            "images": published.images, "referents": published.referents,
            "examples": published.sentences,
        },
    }


def match_json(pair: TruthPair) -> dict[str, Any]:
    """Count what was matched.

    ``matched + only_a + ambiguous`` are the referents of A, ``matched + only_b + ambiguous_b``
    those of B; ``by`` adds up to ``matched``.
    """
    match = pair.match
    return {
        "matched": len(match),
        "only_a": len(match.only_a),
        "only_b": len(match.only_b),
        "ambiguous": len(match.ambiguous_a),
        "ambiguous_b": len(match.ambiguous_b),
        "by": match.by,
        "examples_matched": len(match.examples_a),
        "examples_removed": len(pair.removed),
        "examples_added": len(pair.b) - len(match.examples_b),
        "notes": list(match.notes),
    }


def _run_json(run: RunEffects) -> dict[str, Any]:
    scores = run.scores_a
    return {
        "name": run.name,
        "source": scores.run.source,
        "coverage": scores.coverage.to_json(),
        "examples": {"a_all": run.examples_all, "matched": run.examples_matched},
        "a_all": metrics_json(scores, run.a_all),
        "a_matched": metrics_json(scores, run.a_matched),
        "b_matched": metrics_json(scores, run.b_matched),
        "selection_effect": _intervals_json(run.selection_effect),
        "mask_effect": _intervals_json(run.mask_effect),
        "ceiling": {key: run.ceiling[key] for key in METRIC_KEYS},
        "better_than_label": (
            None if run.better_than_label is None else len(run.better_than_label)
        ),
    }


def _intervals_json(effects: Mapping[str, Interval]) -> dict[str, dict[str, float | None]]:
    return {key: effect.to_json() for key, effect in effects.items()}


def _rank_json(change: RankChange) -> dict[str, Any]:
    return {
        "a_all": list(change.a_all), "a_matched": list(change.a_matched),
        "b_matched": list(change.b_matched),
        "tau": {
            "selection": change.selection.to_json(), "mask": change.mask.to_json(),
            "whole": change.whole.to_json(),
        },
        "turned": change.turned,
    }


def write_json(workspace: Workspace, target: str) -> None:
    """Write the comparison as JSON; ``-`` is standard output."""
    write_text(json.dumps(truths_json(workspace), ensure_ascii=False, indent=1) + "\n", target)


def write_referents(workspace: Workspace, target: str, kind: str) -> None:
    """Write one row a referent as ``csv`` or ``parquet``; ``-`` is standard output."""
    write_rows(referent_table(truths_of(workspace).pair), target, kind)
