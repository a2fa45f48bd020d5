"""``check`` and ``convert``: the data set alone."""

from __future__ import annotations

import argparse

from inspector.commands.opening import open_named, read_request
from inspector.commands.outputs import check_targets
from inspector.core.errors import UsageError


def check(options: argparse.Namespace) -> int:
    """Print counts and every problem found; 1 if one of them is an error."""
    from inspector import checks, summary

    workspace = open_named(options)
    print(summary.describe_dataset(workspace.dataset))
    for scores in workspace.scores:
        print(f"{scores.run.name}: {summary.describe_coverage(scores)}")
    problems = workspace.problems + checks.check_dataset(workspace.dataset)
    print(summary.describe_problems(problems) or "No problems found.")
    return int(any(problem.severity == "error" for problem in problems))


def convert(options: argparse.Namespace) -> int:
    """Write a data set as JSON Lines."""
    from inspector import summary
    from inspector.formats import load_dataset
    from inspector.formats.saving import save
    from inspector.paths import user_path

    check_targets([options.out], options)
    out = user_path(options.out)
    if out.suffix not in (".jsonl", ".json"):
        raise UsageError(f"{out} must end in .jsonl, so that it is known again.")
    dataset = load_dataset(read_request(options))
    saved = save(dataset, out)
    print(summary.describe_dataset(dataset))
    print(f"Written to {out}.")
    if saved.copied:
        print(f"{saved.copied:,} pictures were copied to {out.stem}-pictures beside it.")
    for folder in saved.elsewhere:
        print(f"Pictures lie in {folder}: open with --images {folder}.")
    problems = summary.describe_problems(dataset.problems, most=3)
    print(problems or "No problems found.")
    return 0
