"""The command ``report``: its options, and the file that it writes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector.commands import shared_options
from inspector.commands.opening import open_named
from inspector.commands.outputs import check_targets
from inspector.commands.progress import progress
from inspector.core.errors import UsageError

if TYPE_CHECKING:
    from inspector.report import Chosen, Remark, ReportOptions, Review
    from inspector.workspace import Workspace


def add_report(commands: Any) -> None:
    """Add the command to what ``add_subparsers`` gave."""
    parser = commands.add_parser(
        "report", help="write one self-contained page with numbers, charts and examples"
    )
    shared_options.add_data(parser)
    shared_options.add_protocol(parser)
    shared_options.add_thresholds(parser)
    parser.add_argument(
        "--second-truth", dest="second", metavar="DATASET_B",
        help="another ground truth of the same referents, for a section of its own",
    )
    shared_options.add_second(parser)
    parser.add_argument("--out", metavar="FILE.html", required=True, help="the page to write")
    parser.add_argument("--title", default="", help="heading (default: the data set's name)")
    chosen = parser.add_argument_group("examples")
    chosen.add_argument(
        "--worst", type=int, metavar="N",
        help="show the first N in the page's order, worst first (default: 12)",
    )
    chosen.add_argument(
        "--where", action="append", default=[], metavar="KEY=VALUE",
        help="narrow them down or order them as the page's address does, such as failure=part, "
        "category=person, sort=area; may be repeated",
    )
    chosen.add_argument(
        "--examples", metavar="ID,ID…|FILE", help="show these instead, or a file of ids, one a line"
    )
    chosen.add_argument("--tag", metavar="NAME", help="show those with this tag instead")
    chosen.add_argument(
        "--draw", default="", metavar="RUN", help="run that is drawn (default: the first)"
    )
    chosen.add_argument(
        "--layer", default="agreement", metavar="KEY",
        help="what lies over the pictures at first (default: agreement)",
    )
    chosen.add_argument(
        "--findings", metavar="FILE", help="file of verdicts, tags and notes that the page keeps"
    )
    parser.add_argument(
        "--max-mb", type=float, default=15.0, metavar="N",
        help="how large the file may become (default: 15)",
    )
    parser.add_argument(
        "--paths", action="store_true", help="leave the folders of this machine in the file"
    )
    parser.set_defaults(command=_report)


def _report(options: argparse.Namespace) -> int:
    from inspector.report import build_report, now
    from inspector.writing import whole_file

    _check(options)
    made = now()
    workspace = open_named(options)
    options_of = _options_of(options, workspace, made)
    report = build_report(
        workspace, _choose(options, workspace, options_of.remarks), options_of, progress=progress()
    )
    if options.out == "-":
        sys.stdout.buffer.write(report.content)
        return 0
    with whole_file(options.out) as temporary:
        temporary.write_bytes(report.content)
    print(f"Written to {options.out}: {report.examples:,} examples, "
          f"{len(report.content) / 1e6:.1f} MB. Open it in any browser; press P to present.")
    for note in report.notes:
        print(note)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Say what is wrong with the options before anything is read."""
    from inspector.paths import user_path

    if not options.out:
        raise UsageError("--out names no file. Write --out FILE.html, or - for here.")
    ways = [f"--{name}" for name in ("examples", "tag", "worst") if
            getattr(options, name) is not None]
    if len(ways) > 1 and "--worst" not in ways:
        raise UsageError(f"{' and '.join(ways)} both say which examples are shown. Choose one.")
    if "--worst" in ways and len(ways) > 1 or options.where and ways not in ([], ["--worst"]):
        given = "--where" if options.where else "--worst"
        raise UsageError(
            f"{ways[0]} says which examples are shown; {given} does not go with it. Leave one out."
        )
    if options.tag is not None and options.findings is None:
        raise UsageError("--tag needs the file that holds the tags. Add --findings FILE.")
    if not 0.1 <= options.max_mb <= 1_000:
        raise UsageError(f"--max-mb {options.max_mb:g} is no size. Write megabytes from 0.1 to "
                         "1000.")
    if options.out == "-":
        return
    check_targets([options.out], options)
    if user_path(options.out).suffix.casefold() not in (".html", ".htm"):
        raise UsageError(f"{options.out} must end in .html, so that a browser opens it.")


def _options_of(options: argparse.Namespace, workspace: Workspace, made: Any) -> ReportOptions:
    from inspector.care import read_care_words
    from inspector.paths import user_path
    from inspector.report import ReportOptions
    from inspector.report.found import read_found

    remarks: Mapping[str, Remark] = {}
    reviews: tuple[Review, ...] = ()
    if options.findings:
        remarks, reviews = read_found(user_path(options.findings), workspace)
    return ReportOptions(
        title=options.title, run=options.draw, layer=options.layer, remarks=remarks,
        reviews=reviews,
        command=_command_line(options), with_paths=options.paths, made=made,
        most_bytes=int(options.max_mb * 1e6), is_sensitive=read_care_words().match,
    )


def _choose(
    options: argparse.Namespace, workspace: Workspace, remarks: Any
) -> Chosen:
    from inspector.report import choose_first, choose_named, choose_tagged, read_ids, read_where

    if options.examples is not None:
        return choose_named(workspace, read_ids(options.examples))
    if options.tag is not None:
        return choose_tagged(workspace, remarks, options.tag)
    selection = read_where(options.where, workspace, run=options.draw)
    return choose_first(workspace, selection, 12 if options.worst is None else options.worst)


def _command_line(options: argparse.Namespace) -> str:
    """Write the command line as it may stand in the report."""
    from inspector.report.provenance import shorten_command

    arguments: Sequence[str] = options.arguments
    if options.paths:
        return shorten_command(arguments, arguments)
    from inspector.formats.hub import is_hub_id

    sources = [source for source in (options.dataset, options.second) if source]
    words = [options.title, options.tag or "", options.draw, *options.where]
    if options.examples and "," in options.examples:
        words.append(options.examples)
    return shorten_command(
        arguments, [*(source for source in sources if is_hub_id(source)), *filter(None, words)]
    )
