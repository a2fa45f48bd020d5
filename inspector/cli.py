"""The commands; each is a few lines over the rest of the package."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from inspector import __version__, command_options, explain_commands, report_command
from inspector.core.errors import InspectorError, UsageError
from inspector.engine import command as engines
from inspector.language import HelpFormatter


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Errors that a person can mend become one line on standard error and the status 2.
    """
    if sys.stdout is None:  # closed by who called
        print("error: standard output is closed. Open it, or write to a file.", file=sys.stderr)
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # terminals that cannot show all signs
    try:
        options = _parser().parse_args(arguments)
        options.arguments = list(sys.argv[1:] if arguments is None else arguments)
        status = int(options.command(options))
        sys.stdout.flush()  # here, where a full disk can still be reported
        return status
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _discard_output()
        return 0
    except (InspectorError, OSError) as error:
        if isinstance(error, OSError):
            _discard_output()
        message = " ".join(_in_words(error).split())
        print(f"error: {message}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _in_words(error: InspectorError | OSError) -> str:
    """Say what the system refused, without its number; our own errors are sentences already."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror}. Is there room, and may it be read and written?"


def _discard_output() -> None:
    """Keep Python from writing to standard output once more at its end, and failing again."""
    with contextlib.suppress(OSError), Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the options as every other error is said: in one line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, **options})

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. See {self.prog} --help.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m inspector",
        description="Look at what a model of referring expression segmentation gets wrong.",
    )
    parser.add_argument("--version", action="version", version=f"inspector {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    opener = commands.add_parser("open", help="open the page in the browser")
    command_options.add_data(opener, default="demo")
    command_options.add_protocol(opener)
    explain_commands.add_thresholds(opener)
    opener.add_argument(
        "--second-truth", dest="second", metavar="DATASET_B",
        help="another ground truth of the same referents, to be set against the first",
    )
    command_options.add_second(opener)
    command_options.add_serving(opener)
    command_options.add_findings(opener)
    command_options.add_model(opener)
    opener.add_argument(
        "--scores", metavar="TABLE",
        help="open on numbers that were scored before: a Parquet file of 'score', a folder of "
        "them or a pattern; nothing is scored, and --run only adds the masks",
    )
    opener.add_argument(
        "--no-cache", action="store_true",
        help="read and score everything anew, and keep nothing for the next opening",
    )
    opener.set_defaults(command=_open)

    scorer = commands.add_parser("score", help="print the metrics of each run")
    command_options.add_data(scorer)
    command_options.add_protocol(scorer)
    command_options.add_outputs(scorer, "one row an example and run")
    explain_commands.add_thresholds(scorer)
    explain_commands.add_score_options(scorer)
    engines.add_engine(scorer)
    scorer.set_defaults(command=_score)

    def with_runs(parser: argparse.ArgumentParser) -> None:
        command_options.add_data(parser)
        command_options.add_protocol(parser)

    explain_commands.add_commands(commands, with_runs, _scored_workspace, _progress)

    checker = commands.add_parser("check", help="print counts and every problem found")
    command_options.add_data(checker)
    checker.set_defaults(command=_check, empty_union="one", missing="zero", average="sentence")

    truths = commands.add_parser(
        "truths", help="compare two ground truths of the same referents"
    )
    command_options.add_data(truths)
    truths.add_argument(
        "second", metavar="DATASET_B", help="the other ground truth; runs are aligned to the first"
    )
    command_options.add_second(truths)
    command_options.add_protocol(truths)
    command_options.add_outputs(truths, "one row a referent")
    truths.set_defaults(command=_truths)

    report_command.add_report(
        commands, explain_commands.add_thresholds, _workspace, _progress
    )

    slicer = commands.add_parser("slices", help="print which kinds of examples fail more")
    command_options.add_data(slicer)
    command_options.add_protocol(slicer)
    slicer.add_argument(
        "--by", nargs="+", metavar="KEY", help="attributes to slice by (default: all)"
    )
    slicer.add_argument("--pairs", action="store_true", help="look at pairs of values too")
    slicer.add_argument(
        "--against", metavar="RUN", help="slice the difference to the run of this name"
    )
    slicer.add_argument("--measure", default="mIoU", metavar="KEY", help="default: mIoU")
    slicer.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")
    slicer.set_defaults(command=_slices)

    comparer = commands.add_parser("compare", help="print whether runs differ, with intervals")
    command_options.add_data(comparer)
    command_options.add_protocol(comparer)
    comparer.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")
    comparer.set_defaults(command=_compare)

    converter = commands.add_parser(
        "convert", help="write a data set in the inspector's own format"
    )
    command_options.add_data(converter, runs=False)
    converter.add_argument("--out", metavar="FILE", required=True, help="the .jsonl to write")
    converter.set_defaults(command=_convert)
    return parser


def _request(options: argparse.Namespace):  # noqa: ANN202 - its import is deferred
    from inspector.formats.parquet import is_hub_id
    from inspector.formats.request import LoadRequest
    from inspector.paths import user_path

    if is_hub_id(options.dataset) and sys.stderr.isatty():
        print(f"Asking the hub for {options.dataset} …", file=sys.stderr, flush=True)
    return LoadRequest(
        source=options.dataset,
        split=options.split,
        split_by=options.split_by,
        images=user_path(options.images) if options.images else None,
        instances=tuple(user_path(path) for path in options.instances),
        format=options.format,
        refs=user_path(options.refs) if options.refs else None,
        texts=options.texts,
    )


def _second_request(options: argparse.Namespace):  # noqa: ANN202
    """Say what the second ground truth is; ``--split``, ``--images`` … hold for both."""
    from inspector.formats.request import LoadRequest
    from inspector.paths import user_path

    if getattr(options, "second", None) is None:
        given = [name for name in ("split_b", "images_b", "instances_b", "format_b")
                 if getattr(options, name, None)]
        if given:
            option = given[0].replace("_", "-")
            raise UsageError(f"--{option} is of use only with a second ground truth: add "
                             "--second-truth DATASET_B.")
        return None
    images = options.images_b or options.images
    return LoadRequest(
        source=options.second,
        split=options.split_b or options.split,
        split_by=options.split_by,
        images=user_path(images) if images else None,
        instances=tuple(user_path(path) for path in options.instances_b),
        format=options.format_b,
        texts=options.texts,
    )


def _workspace(options: argparse.Namespace):  # noqa: ANN202
    from inspector.core.protocol import Protocol
    from inspector.paths import user_path
    from inspector.predictions.box_scale import check_scale
    from inspector.predictions.options import RunOptions
    from inspector.workspace import open_workspace

    check_scale(options.box_scale)
    if getattr(options, "scores", None) is not None:
        return _table_workspace(options)
    return open_workspace(
        _request(options), options.run,
        folder=user_path(options.runs) if options.runs else None,
        options=RunOptions(options.resize, options.box_scale, is_growing=options.command is _open),
        protocol=Protocol(options.average, options.empty_union, options.missing),
        second=_second_request(options),
        thresholds=explain_commands.read_thresholds(options),
        progress=_progress(),
        memory=_memory(options),
    )


def _memory(options: argparse.Namespace):  # noqa: ANN202
    """Give what recalls an earlier opening; None for commands whose numbers leave the house."""
    from inspector.snapshots import Memory

    return Memory() if options.command is _open else None


def _table_workspace(options: argparse.Namespace):  # noqa: ANN202
    from inspector.core.failures import Thresholds
    from inspector.core.protocol import Protocol
    from inspector.paths import user_path
    from inspector.predictions.options import RunOptions
    from inspector.table_opening import open_table

    if options.second is not None:
        raise UsageError("--second-truth needs the masks: open them with --run, not --scores.")
    if explain_commands.read_thresholds(options) != Thresholds():
        raise UsageError(
            "The failure modes of a table were decided when it was scored: leave the thresholds "
            "out, or open the predictions with --run and without --scores."
        )
    return open_table(
        _request(options), options.scores, options.run,
        folder=user_path(options.runs) if options.runs else None,
        options=RunOptions(options.resize, options.box_scale),
        protocol=Protocol(options.average, options.empty_union, options.missing),
        progress=_progress(),
        memory=_memory(options),
    )


def _scored_workspace(options: argparse.Namespace):  # noqa: ANN202
    workspace = _workspace(options)
    if not workspace.scores:
        raise InspectorError("There is nothing to score. Add --run [NAME=]PATH.")
    return workspace


def _score(options: argparse.Namespace) -> int:
    from inspector import gates, scoring, summary

    to_stdout = _to_stdout(options)
    asked = scoring.read_options(by=options.by, at=options.at, presets=options.preset)
    limits = [gates.read_limit(text) for text in options.fail_below]
    engine = engines.read_engine(options)
    if engine.key == "local":
        workspace = explain_commands.with_boundaries(
            options, _scored_workspace(options), _progress()
        )
    else:
        workspace = engines.open_in_pieces(engine, _asked(options, engine), _progress())
    more = scoring.score_more(workspace, asked)
    for kind in ("csv", "parquet"):
        target = getattr(options, kind)
        if target and target != "-" and kind == "parquet" and engine.key != "local":
            from inspector.engine.parts import write_parts

            write_parts(workspace, target)
        elif target:
            summary.write_table(workspace, target, kind)
    if options.json:
        summary.write_json(workspace, options.json, scoring.more_json(more))
    if not to_stdout:
        print(summary.describe_dataset(workspace.dataset))
        print(f"Rules: {summary.describe_protocol(workspace.protocol)}.\n")
        print(summary.describe_runs(workspace))
        print(scoring.describe_more(more), end="")
        problems = summary.describe_problems(workspace.problems, most=3)
        print(f"\n{problems}" if problems else "\nNo problems found.")
    below = gates.describe_failures(workspace, limits)
    if below:
        print(f"below the limit: {below}", file=sys.stderr)
    return int(bool(below))


def _asked(options: argparse.Namespace, engine: engines.EngineOptions):  # noqa: ANN202
    from inspector.core.protocol import Protocol
    from inspector.engine.opening import MEGABYTES, Asked
    from inspector.predictions.box_scale import check_scale
    from inspector.predictions.options import RunOptions

    check_scale(options.box_scale)
    return Asked(
        _request(options), tuple(options.run),
        options=RunOptions(options.resize, options.box_scale),
        protocol=Protocol(options.average, options.empty_union, options.missing),
        thresholds=explain_commands.read_thresholds(options),
        boundary=options.boundary, cheap=explain_commands.CHEAP,
        megabytes=engine.megabytes or MEGABYTES,
    )


def _truths(options: argparse.Namespace) -> int:
    from inspector import summary, truths_summary

    to_stdout = _to_stdout(options)
    workspace = _workspace(options)
    for kind in ("csv", "parquet"):
        if getattr(options, kind):
            truths_summary.write_referents(workspace, getattr(options, kind), kind)
    if options.json:
        truths_summary.write_json(workspace, options.json)
    if not to_stdout:
        print(truths_summary.describe_truths(workspace))
        problems = summary.describe_problems(workspace.problems, most=3)
        print(f"\n{problems}" if problems else "\nNo problems found.")
    return 0


def _to_stdout(options: argparse.Namespace) -> list[str]:
    """Name the output that goes to standard output; there can be one."""
    from inspector.predictions import parse_run_option
    from inspector.writing import check_outputs

    outputs = {name: getattr(options, name) for name in ("json", "csv", "parquet")}
    for name, value in outputs.items():
        if value == "":
            raise UsageError(f"--{name} names no file. Write --{name} FILE, or - for here.")
    found = [name for name, value in outputs.items() if value == "-"]
    if len(found) > 1:
        raise UsageError(
            f"Only one of --{' and --'.join(found)} can write to standard output. Name a file."
        )
    sources = [getattr(options, "dataset", ""), *options.instances]
    check_outputs(
        [value for value in outputs.values() if value and value != "-"],
        [*sources, *(parse_run_option(run)[1] for run in options.run)],
    )
    return found


def _check(options: argparse.Namespace) -> int:
    from inspector import checks, summary

    workspace = _workspace(options)
    print(summary.describe_dataset(workspace.dataset))
    for scores in workspace.scores:
        print(f"{scores.run.name}: {summary.describe_coverage(scores)}")
    problems = workspace.problems + checks.check_dataset(workspace.dataset)
    print(summary.describe_problems(problems) or "No problems found.")
    return int(any(problem.severity == "error" for problem in problems))


def _slices(options: argparse.Namespace) -> int:
    import json

    from inspector import analysis_text, summary
    from inspector.analysis.coding import check_keys, code_dataset
    from inspector.analysis.measures import measure_of
    from inspector.analysis.slices import find_slices

    check_keys(options.by)  # what is wrong with these is said before anything is read
    measure_of(options.measure)
    workspace = _workspace(options)
    runs = {s.run.name: scored for s, scored in
            zip(workspace.scores, workspace.scored, strict=True)}
    if not runs:
        raise UsageError("There is no run to slice. Add --run [NAME=]PATH.")
    if options.against is not None and options.against not in runs:
        raise UsageError(f"There is no run '{options.against}'. Runs are: {', '.join(runs)}.")
    against = runs.pop(options.against) if options.against is not None else None
    if not runs:
        raise UsageError("There is no other run to set against it. Add --run [NAME=]PATH.")
    coded = code_dataset(workspace.dataset, options.by)
    reports = [
        (name, find_slices(
            coded, workspace.dataset.expressions.image, scored, against=against,
            measure=options.measure, pairs=options.pairs, progress=_progress(),
        ))
        for name, scored in runs.items()
    ]
    if options.json:
        found = analysis_text.slices_json(workspace, reports, options.against)
        summary.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", options.json)
    if options.json != "-":
        print(summary.describe_dataset(workspace.dataset))
        print(f"Rules: {summary.describe_protocol(workspace.protocol)}.")
        for name, report in reports:
            print(f"\n{analysis_text.describe_slices(name, report, options.against)}")
    return 0


def _compare(options: argparse.Namespace) -> int:
    import json
    from itertools import combinations

    from inspector import analysis_text, summary
    from inspector.analysis.compare import compare_runs
    from inspector.analysis.outcomes import agree

    workspace = _workspace(options)
    named = [(s.run.name, scored) for s, scored in
             zip(workspace.scores, workspace.scored, strict=True)]
    found = compare_runs(named, workspace.dataset.expressions.image, progress=_progress())
    both = list(zip(workspace.scores, workspace.scored, strict=True))
    agreements = [
        agree((first, second), (one, other))
        for (first, one), (second, other) in combinations(both, 2)
    ]
    if options.json:
        results = analysis_text.comparison_json(workspace, found, agreements)
        summary.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", options.json)
    if options.json != "-":
        print(summary.describe_dataset(workspace.dataset))
        print(f"Rules: {summary.describe_protocol(workspace.protocol)}.\n")
        print(analysis_text.describe_comparison(found, agreements))
    return 0


def _convert(options: argparse.Namespace) -> int:
    from inspector import summary
    from inspector.formats import load_dataset
    from inspector.formats.saving import save
    from inspector.paths import user_path

    out = user_path(options.out)
    if not out.name or out.is_dir():
        raise UsageError(f"{out} cannot be written: it is a folder. Name a file.")
    if out.suffix not in (".jsonl", ".json"):
        raise UsageError(f"{out} must end in .jsonl, so that it is known again.")
    dataset = load_dataset(_request(options))
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


def _open(options: argparse.Namespace) -> int:
    from inspector.care import read_care_words
    from inspector.paths import user_path
    from inspector.server.access import read_access

    access = read_access(  # what is wrong with it is said before anything is read
        host=options.host, password=options.password, no_password=options.no_password,
        allow_hosts=options.allow_host, root_path=options.root_path,
    )
    if options.no_cache:
        os.environ["INSPECTOR_CACHE"] = "off"
    care = read_care_words([user_path(path) for path in options.care_words])
    place = _findings_place(options)
    desk = _launch_model(options)
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    _import_meanwhile("gradio", "uvicorn")
    try:
        workspace = _workspace_with_model(options, desk)
        findings = _open_findings(options, place)
        from inspector.ui.mount import serve

        return serve(
            workspace, host=options.host, port=options.port,
            browser=not options.no_browser, access=access, live=desk, findings=findings,
            care=care,
        )
    finally:
        if desk is not None:
            desk.close()


def _import_meanwhile(*names: str) -> None:
    """Begin to import what takes seconds to import, which goes on while the data is read."""
    import threading

    import inspector.workspace  # noqa: F401 - first, so that no module is imported in two threads

    def run() -> None:
        from inspector.snapshots import overlooked

        with overlooked(), contextlib.suppress(Exception):  # said where the page is made
            for name in names:
                importlib.import_module(name)

    threading.Thread(target=run, name="import").start()


def _findings_place(options: argparse.Namespace) -> Path:
    from inspector.findings_opening import find_place

    return find_place(
        options.dataset, options.run, folder=options.runs, asked=options.findings
    )


def _open_findings(options: argparse.Namespace, place: Path):  # noqa: ANN202
    """Open the findings file and say where it is, or why nothing can be kept."""
    from inspector.findings_opening import describe_findings, open_findings

    store = open_findings(place, read_only=options.read_only)
    is_well = store.can_write or options.read_only
    print(describe_findings(store), file=sys.stdout if is_well else sys.stderr, flush=True)
    return store


def _launch_model(options: argparse.Namespace):  # noqa: ANN202
    """Begin to import the live model, which goes on while the data is read."""
    from inspector.live import Desk, read_model

    if options.model is None:
        return None
    desk = Desk(read_model(options.model, timeout=options.model_timeout))
    desk.model.launch()
    return desk


def _workspace_with_model(options: argparse.Namespace, desk):  # noqa: ANN001, ANN202
    """Open the data, then wait for the live model: one that cannot be imported is said now."""
    import threading

    workspace = _workspace(options)
    if desk is not None:
        words = "The model is being imported …"
        waiting = threading.Timer(2.0, print, [words], {"file": sys.stderr, "flush": True})
        waiting.daemon = True
        waiting.start()
        try:
            desk.model.start()
        finally:
            waiting.cancel()
    return workspace


def _progress():  # noqa: ANN202
    """Give a function that draws a bar on standard error, or None where that is no terminal."""
    if not sys.stderr.isatty():
        return None
    last = 0.0

    def draw(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done < total and now - last < 0.1:
            return
        last = now
        filled = round(30 * done / max(total, 1))
        bar = "█" * filled + "·" * (30 - filled)
        end = "\r\x1b[K" if done >= total else ""
        sys.stderr.write(f"\r{what} {bar} {done:,} / {total:,}{end}")
        sys.stderr.flush()

    return draw
