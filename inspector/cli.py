"""The commands; each is a few lines over the rest of the package."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from inspector import __version__
from inspector.core.errors import InspectorError, UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Errors that a person can mend become one line on standard error and the status 2.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # terminals that cannot show all signs
    try:
        options = _parser().parse_args(arguments)
        status = int(options.command(options))
        sys.stdout.flush()  # here, where a full disk can still be reported
        return status
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _discard_output()
        return 0
    except (InspectorError, OSError) as error:
        if isinstance(error, OSError):
            _discard_output()
        message = " ".join(str(error).split())
        print(f"error: {message}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _discard_output() -> None:
    """Keep Python from writing to standard output once more at its end, and failing again."""
    with contextlib.suppress(OSError), Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the options as every other error is said: in one line."""

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
    _add_data(opener, default="demo")
    _add_protocol(opener)
    opener.add_argument("--host", default="127.0.0.1", help="address to serve on")
    opener.add_argument("--port", type=int, help="port (default: 7860, or the next free one)")
    opener.add_argument("--no-browser", action="store_true", help="do not open a browser")
    opener.set_defaults(command=_open)

    scorer = commands.add_parser("score", help="print the metrics of each run")
    _add_data(scorer)
    _add_protocol(scorer)
    scorer.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")
    scorer.add_argument("--csv", metavar="FILE", help="write one row an example and run")
    scorer.add_argument("--parquet", metavar="FILE", help="the same as Parquet")
    scorer.set_defaults(command=_score)

    checker = commands.add_parser("check", help="print counts and every problem found")
    _add_data(checker)
    checker.set_defaults(command=_check, empty_union="one", missing="zero", average="sentence")

    converter = commands.add_parser(
        "convert", help="write a data set in the inspector's own format"
    )
    _add_data(converter, runs=False)
    converter.add_argument("--out", metavar="FILE", required=True, help="the .jsonl to write")
    converter.set_defaults(command=_convert)
    return parser


def _add_data(
    parser: argparse.ArgumentParser, *, default: str | None = None, runs: bool = True
) -> None:
    parser.add_argument(
        "dataset", metavar="DATASET", nargs="?" if default else None, default=default,
        help="'demo', a folder, a file, or a hub id such as moondream/refcoco-m",
    )
    if runs:
        parser.add_argument(
            "--run", action="append", default=[], metavar="[NAME=]PATH",
            help="predictions of one model; may be repeated",
        )
        parser.add_argument(
            "--runs", metavar="DIR", help="every file of predictions in a folder is a run"
        )
        parser.add_argument(
            "--resize", choices=("never", "nearest"), default="never",
            help="bring masks of the same proportions or of a square frame to their picture's size",
        )
        parser.add_argument(
            "--box-scale", metavar="KEY",
            help="scale of boxes whose file does not say it: pixels, 0-1, 0-100, 0-999, 0-1000, "
            "resized (default: inferred and said)",
        )
    parser.add_argument("--split", metavar="NAME[,NAME]", help="split(s), or 'all' (default: val)")
    parser.add_argument("--split-by", metavar="NAME", help="which refs(NAME).p of a folder")
    parser.add_argument("--images", metavar="DIR", help="folder of the pictures")
    parser.add_argument(
        "--instances", nargs="+", default=[], metavar="FILE",
        help="annotation files in place of instances.json",
    )
    parser.add_argument("--format", metavar="KEY", help="format of the data set, if not detected")
    parser.add_argument(
        "--refs", metavar="FILE",
        help="refs(NAME).p or list of ids: RefCOCOm's objects, the rows of lmms-lab to keep",
    )
    parser.add_argument(
        "--texts", choices=("first", "all"), default="first",
        help="which sentences of a ReasonSeg picture are examples (default: first)",
    )


def _add_protocol(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--average", choices=("sentence", "referent"), default="sentence",
        help="average over sentences, or inside each referent first (default: sentence)",
    )
    parser.add_argument(
        "--empty-union", choices=("one", "zero", "skip"), default="one",
        help="IoU where prediction and target are both empty (default: one)",
    )
    parser.add_argument(
        "--missing", choices=("zero", "skip"), default="zero",
        help="examples without a usable prediction score 0 or are left out (default: zero)",
    )


def _request(options: argparse.Namespace):  # noqa: ANN202 - its import is deferred
    from inspector.formats.request import LoadRequest
    from inspector.paths import user_path

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


def _workspace(options: argparse.Namespace):  # noqa: ANN202
    from inspector.core.metrics import Protocol
    from inspector.paths import user_path
    from inspector.predictions.box_scale import check_scale
    from inspector.predictions.options import RunOptions
    from inspector.workspace import open_workspace

    check_scale(options.box_scale)
    return open_workspace(
        _request(options), options.run,
        folder=user_path(options.runs) if options.runs else None,
        options=RunOptions(options.resize, options.box_scale, is_growing=options.command is _open),
        protocol=Protocol(options.average, options.empty_union, options.missing),
        progress=_progress(),
    )


def _score(options: argparse.Namespace) -> int:
    from inspector import summary

    to_stdout = [name for name in ("json", "csv", "parquet") if getattr(options, name) == "-"]
    if len(to_stdout) > 1:
        raise InspectorError(
            f"Only one of --{' and --'.join(to_stdout)} can write to standard output."
        )
    workspace = _workspace(options)
    if not workspace.scores:
        raise InspectorError("There is nothing to score. Add --run [NAME=]PATH.")
    for kind in ("csv", "parquet"):
        if getattr(options, kind):
            summary.write_table(workspace, getattr(options, kind), kind)
    if options.json:
        summary.write_json(workspace, options.json)
    if not to_stdout:
        print(summary.describe_dataset(workspace.dataset))
        print(f"Rules: {summary.describe_protocol(workspace.protocol)}.\n")
        print(summary.describe_runs(workspace))
        problems = summary.describe_problems(workspace.problems, most=3)
        print(f"\n{problems}" if problems else "\nNo problems found.")
    return 0


def _check(options: argparse.Namespace) -> int:
    from inspector import checks, summary

    workspace = _workspace(options)
    print(summary.describe_dataset(workspace.dataset))
    for scores in workspace.scores:
        print(f"{scores.run.name}: {summary.describe_coverage(scores)}")
    problems = workspace.problems + checks.check_dataset(workspace.dataset)
    print(summary.describe_problems(problems) or "No problems found.")
    return int(any(problem.severity == "error" for problem in problems))


def _convert(options: argparse.Namespace) -> int:
    from inspector import summary
    from inspector.formats import load_dataset
    from inspector.formats.saving import save
    from inspector.paths import user_path

    out = user_path(options.out)
    if not out.name or out.is_dir():
        raise UsageError(f"{out} cannot be written: it is a folder.")
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
    from inspector.ui.mount import serve

    return serve(
        lambda: _workspace(options), host=options.host, port=options.port,
        browser=not options.no_browser,
    )


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
