"""``slices``, ``compare`` and ``truths``: analyses as text and JSON."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from inspector.commands.opening import open_named
from inspector.commands.outputs import read_outputs
from inspector.commands.progress import progress
from inspector.core.errors import UsageError, say_choices

if TYPE_CHECKING:
    from inspector.workspace import Workspace


def slices(options: argparse.Namespace) -> int:
    """Print which kinds of examples fail more."""
    import json

    from inspector import summary
    from inspector.analysis.coding import check_keys, code_dataset
    from inspector.analysis.measures import measure_of
    from inspector.analysis.slices import find_slices
    from inspector.commands import analysis_text

    read_outputs(options)
    check_keys(options.by)  # what is wrong with these is said before anything is read
    measure_of(options.measure)
    workspace = open_named(options)
    runs = {s.run.name: scored for s, scored in
            zip(workspace.scores, workspace.scored, strict=True)}
    if not runs:
        raise UsageError("There is no run to slice. Add --run [NAME=]PATH.")
    if options.against is not None and options.against not in runs:
        raise UsageError(f"No run '{options.against}'. {say_choices(options.against, list(runs))}")
    against = runs.pop(options.against) if options.against is not None else None
    if not runs:
        raise UsageError("There is no other run to set against it. Add --run [NAME=]PATH.")
    coded = code_dataset(workspace.dataset, options.by)
    reports = [
        (name, find_slices(
            coded, workspace.dataset.expressions.image, scored, against=against,
            measure=options.measure, pairs=options.pairs, progress=progress(),
        ))
        for name, scored in runs.items()
    ]
    if options.json:
        found = analysis_text.slices_json(workspace, reports, options.against)
        summary.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", options.json)
    if options.json != "-":
        print(summary.describe_setting(workspace))
        for name, report in reports:
            print(f"\n{analysis_text.describe_slices(name, report, options.against)}")
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print whether runs differ, with intervals."""
    import json
    from itertools import combinations

    from inspector import summary
    from inspector.analysis.compare import compare_runs
    from inspector.analysis.outcomes import agree
    from inspector.commands import analysis_text

    read_outputs(options)
    _check_number(options)
    workspace = open_named(options)
    measures = _measures_of(workspace)
    named = [(s.run.name, scored) for s, scored in
             zip(workspace.scores, workspace.scored, strict=True)]
    found = compare_runs(
        named, workspace.dataset.expressions.image, measures=measures, progress=progress()
    )
    both = list(zip(workspace.scores, workspace.scored, strict=True))
    agreements = [
        agree((first, second), (one, other))
        for (first, one), (second, other) in combinations(both, 2)
    ]
    if options.json:
        results = analysis_text.comparison_json(workspace, found, agreements)
        summary.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", options.json)
    if options.json != "-":
        print(summary.describe_setting(workspace))
        print()
        print(analysis_text.describe_comparison(found, agreements))
    return 0


def _check_number(options: argparse.Namespace) -> None:
    """Refuse too few or too many runs before the data is read and scored."""
    from inspector.analysis.compare import MOST_RUNS
    from inspector.formats import DEMO_TRUTHS
    from inspector.paths import user_path
    from inspector.predictions import parse_run_option
    from inspector.predictions.options import RunOptions
    from inspector.run_files import RunFile, RunFiles

    if options.dataset in DEMO_TRUTHS and not options.run and not options.runs:
        return  # it brings its own
    named = tuple(RunFile(*parse_run_option(value)) for value in options.run)
    folder = user_path(options.runs) if options.runs else None
    runs, _ = RunFiles(named, folder, RunOptions(options.resize, options.box_scale)).list()
    if len(runs) < 2:
        raise UsageError(f"It takes two runs to compare, but got {len(runs)}. Add --run "
                         "[NAME=]PATH.")
    if len(runs) > MOST_RUNS:
        raise UsageError(
            f"At most {MOST_RUNS} runs can be compared, but got {len(runs)}. Leave some out."
        )


def _measures_of(workspace: Workspace) -> tuple[str, ...]:
    """Choose the measures: of boxes if runs hold nothing else and the others have boxes too.

    Raises:
        UsageError: If there are not two runs that have one measure in common.
    """
    from inspector.analysis.compare import COMPARED

    boxes_only = [scores.run.is_boxes_only for scores in workspace.scores]
    if any(boxes_only) and all(scores.boxes is not None for scores in workspace.scores):
        return "box_mIoU", "box_Acc@0.5"
    if any(boxes_only) and boxes_only.count(False) < 2:
        first = workspace.scores[boxes_only.index(True)].run.name
        raise UsageError(
            f"'{first}' holds boxes alone and another run no boxes: no number is defined on both. "
            "Leave one of the two kinds out."
        )
    return COMPARED


def truths(options: argparse.Namespace) -> int:
    """Print what becomes of the scores under another ground truth."""
    from inspector import summary, truths_files, truths_summary

    to_stdout = read_outputs(options)
    workspace = open_named(options)
    for kind in ("csv", "parquet"):
        if getattr(options, kind):
            truths_files.write_referents(workspace, getattr(options, kind), kind)
    if options.json:
        truths_files.write_json(workspace, options.json)
    if not to_stdout:
        print(truths_summary.describe_truths(workspace))
        problems = summary.describe_problems(workspace.problems, most=3)
        print(f"\n{problems}" if problems else "\nNo problems found.")
    return 0
