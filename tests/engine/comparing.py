"""Holds scoring in pieces against scoring in one go: every column, metric and problem."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np

from inspector.core.problems import Problem
from inspector.core.scores import Scores
from inspector.core.table import score_table
from inspector.engine.opening import Asked, score_in_pieces
from inspector.engine.running import Effort, Engine, Here
from inspector.formats.request import LoadRequest
from inspector.summary import summary_json
from inspector.workspace import Workspace, measured, open_workspace


def in_pieces(
    request: LoadRequest, *runs: str, megabytes: float = 0.001, engine: Engine | None = None,
    effort: Effort | None = None, **asked: object,
) -> Workspace:
    """Score in pieces, in this process if no engine is given."""
    return score_in_pieces(
        Asked(request, runs, megabytes=megabytes, **{"boundary": True, **asked}),  # type: ignore[arg-type]
        engine or Here(), effort=effort,
    )


def in_one_go(request: LoadRequest, *runs: str, boundary: bool = True, **options) -> Workspace:
    """Score on one machine."""
    workspace = open_workspace(request, runs, **options)
    return measured(workspace) if boundary else workspace


def joined(paths: list[Path], target: Path) -> Path:
    """Put the lines of shards into one file."""
    target.write_bytes(b"".join(path.read_bytes() for path in paths))
    return target


def assert_same(one: Workspace, other: Workspace, *, same_places: bool = True) -> None:
    """Hold two workspaces against each other.

    ``same_places`` says that problems stand in the same lines of the same file.
    """
    for mine, theirs in zip(one.scores, other.scores, strict=True):
        assert_same_scores(mine, theirs)
    assert score_table(one.scores, one.protocol).equals(score_table(other.scores, other.protocol))
    mine, theirs = summary_json(one), summary_json(other)
    for found in (mine, theirs):
        for run in found["runs"]:
            del run["source"]
    if not same_places:
        mine["problems"], theirs["problems"] = _by_kind(one.problems), _by_kind(other.problems)
    assert mine == theirs


def _by_kind(problems: tuple[Problem, ...]) -> list[tuple[str, str, str]]:
    return [(problem.code, problem.severity, problem.message) for problem in problems]


def assert_same_scores(one: Scores, other: Scores) -> None:
    for field in fields(Scores):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype, field.name
            np.testing.assert_array_equal(mine, theirs, field.name)
    assert (one.shapes is None) == (other.shapes is None)
    if one.shapes is not None and other.shapes is not None:
        for field in fields(one.shapes):
            mine, theirs = getattr(one.shapes, field.name), getattr(other.shapes, field.name)
            assert mine.dtype == theirs.dtype, field.name
            np.testing.assert_array_equal(mine, theirs, field.name)
    np.testing.assert_array_equal(one.box_iou, other.box_iou)
    np.testing.assert_array_equal(one.run.evidence_codes, other.run.evidence_codes)
    np.testing.assert_array_equal(one.run.says_no_target, other.run.says_no_target)
    assert one.run.reasons == other.run.reasons
    assert one.run.alignment == other.run.alignment
