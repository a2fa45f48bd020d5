"""The results of a workspace in words, as JSON and as files."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from inspector import __version__
from inspector.analysis.flags import find_flags, list_flags
from inspector.core.arrow import text_column
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.metrics import METRICS
from inspector.core.problems import Problem
from inspector.core.protocol import Protocol
from inspector.core.run import Run, Status
from inspector.core.scores import Scores
from inspector.core.table import score_table
from inspector.stored.files import METADATA_KEY
from inspector.workspace import Workspace
from inspector.writing import whole_file


def summary_json(
    workspace: Workspace, more: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Give what ``score --json`` writes; ``more`` adds to the entries of runs, by their names."""
    more = more or {}
    return {
        "inspector": __version__,
        "dataset": dataset_json(workspace.dataset),
        "protocol": workspace.protocol.to_json(),
        "runs": [
            {
                "name": scores.run.name,
                "source": scores.run.source,
                "coverage": scores.coverage.to_json(),
                "metrics": metrics_json(scores, metrics),
                **_levels_json(scores, levels),
                **_frames_json(scores.run),
                **more.get(scores.run.name, {}),
            }
            for scores, metrics, levels in zip(
                workspace.scores, workspace.metrics, workspace.levels, strict=True
            )
        ],
        "problems": [problem.to_json() for problem in workspace.problems],
    }


def _levels_json(
    scores: Scores, levels: dict[str, dict[str, float | None]]
) -> dict[str, dict[str, dict[str, float | None]]]:
    """Give the numbers of each level, where the data set has levels."""
    if not levels:
        return {}
    return {"levels": {name: metrics_json(scores, own) for name, own in levels.items()}}


def metrics_json(scores: Scores, metrics: dict[str, float | None]) -> dict[str, float | None]:
    """Give the metrics; of boxes only where there are boxes, of edges where they were measured."""
    boxes, edges = scores.boxes is not None, scores.shapes is not None
    return {
        key: value
        for key, value in metrics.items()
        if (boxes or not key.startswith("box_")) and (edges or key != "boundary_mIoU")
    }


def _frames_json(run: Run) -> dict[str, Any]:
    """Name the frames that are not the pictures' own, in which masks or counts were given."""
    found: dict[str, Any] = {}
    if run.frames_hw:
        found["resized"] = [
            {"size": [height, width], "count": count} for height, width, count in run.frames_hw
        ]
    if run.counts_frame_hw:
        found["counts_frame"] = list(run.counts_frame_hw)
    return found


def dataset_json(dataset: Dataset) -> dict[str, Any]:
    """Describe a data set with its counts."""
    return {
        "name": dataset.name,
        "format": dataset.format,
        "split": dataset.split,
        "split_by": dataset.split_by,
        "source": dataset.source,
        "images": len(dataset.images),
        "referents": dataset.referent_count,
        "examples": len(dataset),
    }


def describe_dataset(dataset: Dataset) -> str:
    """Write the counts of a data set as one line."""
    split_by = f" ({dataset.split_by})" if dataset.split_by else ""
    return (
        f"{dataset.name}{split_by}, split {dataset.split}: {len(dataset.images):,} pictures, "
        f"{dataset.referent_count:,} referents, {len(dataset):,} examples"
    )


def describe_protocol(protocol: Protocol) -> str:
    """Write the rules in force as one line."""
    missing = {"zero": "score 0", "skip": "are left out"}[protocol.missing]
    empty = {"one": "counts 1", "zero": "counts 0", "skip": "is left out"}[protocol.empty_union]
    resized = protocol.resize == "nearest"
    return (
        f"average over {protocol.average}s; missing and invalid predictions {missing}; "
        f"an empty prediction of an empty target {empty}"
        + ("; masks of another size are resized by nearest neighbour" if resized else "")
    )


def coverage_json(workspace: Workspace) -> dict[str, dict[str, int]]:
    """Give each run's coverage by its name, as JSON holds it."""
    return {scores.run.name: scores.coverage.to_json() for scores in workspace.scores}


def describe_setting(workspace: Workspace) -> str:
    """Write what every number is read beside: the data set, the rules, each run's coverage."""
    return "\n".join([
        describe_dataset(workspace.dataset),
        f"Rules: {describe_protocol(workspace.protocol)}.",
        *_coverage_lines(workspace),
    ])


def describe_runs(workspace: Workspace) -> str:
    """Write metrics and coverage of each run as a table."""
    names = [scores.run.name for scores in workspace.scores]
    keys = [m.key for m in METRICS if any(run[m.key] is not None for run in workspace.metrics)]
    rows = []
    for name, metrics, levels in zip(names, workspace.metrics, workspace.levels, strict=True):
        rows += [(f"{name}, {level} level", numbers) for level, numbers in levels.items()]
        rows.append((f"{name}, {' and '.join(levels)}" if levels else name, metrics))
    width = max(len(name) for name in [*(name for name, _ in rows), "run"])
    lines = ["  ".join([f"{'run':<{width}}", *(f"{key:>6}" for key in keys)])]
    for name, metrics in rows:
        values = [metrics[key] for key in keys]
        cells = [
            f"{'–' if value is None else f'{value:.4f}':>{max(len(key), 6)}}"
            for key, value in zip(keys, values, strict=True)
        ]
        lines.append("  ".join([f"{name:<{width}}", *cells]))
    return "\n".join([*lines, "", *_coverage_lines(workspace)])


def _coverage_lines(workspace: Workspace) -> list[str]:
    lines = []
    for scores in workspace.scores:
        lines.append(f"{scores.run.name}: {describe_coverage(scores)}")
        if gap := describe_gap(scores, workspace.protocol):
            lines.append(f"warning: {scores.run.name}: {gap}")
    return lines


def describe_gap(scores: Scores, protocol: Protocol) -> str:
    """Warn where so many predictions are missing that the numbers speak of them; else ``""``."""
    coverage = scores.coverage
    if not coverage.has_gap:
        return ""
    if not coverage.matched:
        return (
            "No prediction can be used, so its numbers say nothing about a model. Predictions are "
            "expected for the examples of this data set; 'check' lists what was found."
        )
    share = min(round(100 * (1 - coverage.matched / coverage.examples)), 99)  # not all of them
    rule = {"zero": "score 0", "skip": "are left out"}[protocol.missing]
    return (
        f"{share} % of the examples have no usable prediction and {rule}, so its numbers do "
        "not compare with those of a run that has them all."
    )


def describe_coverage(scores: Scores) -> str:
    """Write which share of the examples a run covers, and how it was aligned."""
    coverage = scores.coverage
    parts = [f"{coverage.matched:,} of {coverage.examples:,} examples matched"]
    parts += [
        f"{count:,} {word}"
        for word in ("missing", "invalid", "duplicate", "unmatched")
        if (count := getattr(coverage, word))
    ]
    ways = "; ".join([*scores.run.alignment, *filter(None, [scores.run.describe_frames()])])
    return ", ".join(parts) + (f" ({ways})" if ways else "")


def describe_problems(problems: Iterable[Problem], *, most: int | None = None) -> str:
    """List problems, the worst first, one line each; at most ``most`` of one kind."""
    rank = {"error": 0, "warning": 1, "info": 2}
    lines: list[str] = []
    shown: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    for problem in sorted(problems, key=lambda problem: rank[problem.severity]):
        if most is not None and shown[problem.code] >= most:
            hidden[problem.code] += problem.count
            continue
        shown[problem.code] += 1
        where = f" {problem.where}:" if problem.where else ""
        lines.append(f"{problem.severity}: {problem.code}:{where} {problem.message}")
    lines += [f"… and {n:,} more of {code}; 'check' lists them" for code, n in hidden.items()]
    return "\n".join(lines)


def write_text(text: str, target: str) -> None:
    """Write to a file as a whole or not at all; ``-`` is standard output."""
    if target == "-":
        sys.stdout.buffer.write(text.encode())
        return
    with whole_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(
    workspace: Workspace, target: str, more: Mapping[str, Mapping[str, Any]] | None = None
) -> None:
    """Write the summary as JSON, with what else is to be said of each run."""
    text = json.dumps(summary_json(workspace, more), ensure_ascii=False, indent=1)
    write_text(text + "\n", target)


def write_table(workspace: Workspace, target: str, kind: str) -> None:
    """Write one row an example and run as ``csv`` or ``parquet``; ``-`` is standard output."""
    if not workspace.scores:
        raise UsageError("There is no run to write rows of. Add --run [NAME=]PATH.")
    table = score_table(workspace.scores, workspace.protocol)
    if all(scores.shapes is not None for scores in workspace.scores):
        table = table.append_column("flags", text_column(_flags(workspace)))
    if kind == "parquet":
        table = table.replace_schema_metadata(table_metadata(workspace))
    write_rows(table, target, kind)


def table_metadata(workspace: Workspace) -> dict[bytes, bytes]:
    """Give what a Parquet file says of itself: by which rules, and on which data, it was scored."""
    said = {
        "inspector": __version__,
        "dataset": dataset_json(workspace.dataset),
        "protocol": workspace.protocol.to_json(),
        "thresholds": asdict(workspace.scores[0].thresholds),
    }
    return {METADATA_KEY: json.dumps(said).encode()}


def _flags(workspace: Workspace) -> list[str]:
    """Give the flags of every row of the table of scores, joined by semicolons."""
    return [
        ";".join(flags)
        for scores, found in zip(workspace.scores, find_flags(workspace.scores), strict=True)
        for flags, status in zip(list_flags(found), scores.status.tolist(), strict=True)
        if status != Status.NO_TRUTH
    ]


def write_rows(table: Any, target: str, kind: str) -> None:
    """Write an Arrow table as ``csv`` or ``parquet``; ``-`` is standard output."""
    import pyarrow as pa

    if target == "-":
        sink = pa.BufferOutputStream()
        _write(table, sink, kind)
        sys.stdout.buffer.write(sink.getvalue().to_pybytes())
        return
    with whole_file(target) as temporary:
        _write(table, str(temporary), kind)


def _write(table: Any, sink: Any, kind: str) -> None:
    if kind == "csv":
        import pyarrow.csv

        pyarrow.csv.write_csv(table, sink)
    else:
        import pyarrow.parquet

        pyarrow.parquet.write_table(
            table, sink, compression="zstd", write_page_checksum=True
        )
