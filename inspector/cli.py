"""The commands; each is a few lines over the rest of the package."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from inspector import __version__
from inspector.commands import analyses, data, explain, page, report, score, shared_options
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
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("inspector"):
            raise
        print(
            f"error: this Python ({sys.executable}) has no {error.name}. Use .venv/bin/python, "
            "which 'make run' makes, or run: pip install -r requirements.txt -c constraints.txt",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _in_words(error: InspectorError | OSError) -> str:
    """Say what the system refused, without its number; our own errors are sentences already."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror}. {_WHAT_TO_DO.get(error.errno or 0, '')}"


_CHECK_THE_PATH = "Check the path."
_CHECK_THE_RIGHTS = "See that it may be read and written, or name another place."
_MAKE_ROOM = "Make room, or name another place."
_WHAT_TO_DO = {
    errno.ENOENT: _CHECK_THE_PATH, errno.ENOTDIR: _CHECK_THE_PATH,
    errno.ENAMETOOLONG: _CHECK_THE_PATH, errno.ELOOP: _CHECK_THE_PATH,
    errno.EISDIR: "Name a file.",
    errno.EACCES: _CHECK_THE_RIGHTS, errno.EPERM: _CHECK_THE_RIGHTS,
    errno.EROFS: _CHECK_THE_RIGHTS,
    errno.ENOSPC: _MAKE_ROOM, errno.EDQUOT: _MAKE_ROOM, errno.EFBIG: _MAKE_ROOM,
}
"""By the number of what the system refused; of anything else its own words are all there is."""


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
    shared_options.add_data(opener, default="demo")
    shared_options.add_protocol(opener)
    shared_options.add_thresholds(opener)
    opener.add_argument(
        "--second-truth", dest="second", metavar="DATASET_B",
        help="another ground truth of the same referents, to be set against the first",
    )
    shared_options.add_second(opener)
    shared_options.add_serving(opener)
    shared_options.add_findings(opener)
    shared_options.add_model(opener)
    opener.add_argument(
        "--scores", metavar="TABLE",
        help="open on numbers that were scored before: a Parquet file of 'score', a folder of "
        "them or a pattern; nothing is scored, and --run only adds the masks",
    )
    opener.add_argument(
        "--no-cache", action="store_true",
        help="read and score everything anew, and keep nothing for the next opening",
    )
    opener.set_defaults(command=page.open_page, is_page=True)

    scorer = commands.add_parser("score", help="print the metrics of each run")
    shared_options.add_data(scorer)
    shared_options.add_protocol(scorer)
    shared_options.add_outputs(scorer, "one row an example and run")
    shared_options.add_thresholds(scorer)
    score.add_score_options(scorer)
    engines.add_engine(scorer)
    scorer.set_defaults(command=score.score)

    explain.add_commands(commands)

    checker = commands.add_parser("check", help="print counts and every problem found")
    shared_options.add_data(checker)
    checker.set_defaults(command=data.check)

    truths = commands.add_parser(
        "truths", help="compare two ground truths of the same referents"
    )
    shared_options.add_data(truths)
    truths.add_argument(
        "second", metavar="DATASET_B", help="the other ground truth; runs are aligned to the first"
    )
    shared_options.add_second(truths)
    shared_options.add_protocol(truths)
    shared_options.add_outputs(truths, "one row a referent")
    truths.set_defaults(command=analyses.truths)

    report.add_report(commands)

    slicer = commands.add_parser("slices", help="print which kinds of examples fail more")
    shared_options.add_data(slicer)
    shared_options.add_protocol(slicer)
    slicer.add_argument(
        "--by", nargs="+", metavar="KEY", help="attributes to slice by (default: all)"
    )
    slicer.add_argument("--pairs", action="store_true", help="look at pairs of values too")
    slicer.add_argument(
        "--against", metavar="RUN", help="slice the difference to the run of this name"
    )
    slicer.add_argument("--measure", default="mIoU", metavar="KEY", help="default: mIoU")
    slicer.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")
    slicer.set_defaults(command=analyses.slices)

    comparer = commands.add_parser("compare", help="print whether runs differ, with intervals")
    shared_options.add_data(comparer)
    shared_options.add_protocol(comparer)
    comparer.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")
    comparer.set_defaults(command=analyses.compare)

    converter = commands.add_parser(
        "convert", help="write a data set in the inspector's own format"
    )
    shared_options.add_data(converter, runs=False)
    converter.add_argument("--out", metavar="FILE", required=True, help="the .jsonl to write")
    converter.set_defaults(command=data.convert)
    return parser
