"""Options that several commands share, once."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from inspector.core.errors import UsageError

if TYPE_CHECKING:
    from inspector.core.failures import Thresholds


def add_data(
    parser: argparse.ArgumentParser, *, default: str | None = None, runs: bool = True
) -> None:
    """Add the data set, its parts and the runs."""
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
        help="refs(NAME).p, or ids for RefCOCOm: its objects, the rows of lmms-lab to keep",
    )
    parser.add_argument(
        "--texts", choices=("first", "all"), default="first",
        help="which sentences of a ReasonSeg picture are examples (default: first)",
    )


def add_second(parser: argparse.ArgumentParser) -> None:
    """Add a second ground truth where it differs from the first."""
    of_b = "of the second ground truth, if not as the first's"
    parser.add_argument("--split-b", metavar="NAME[,NAME]", help=f"split(s) {of_b}")
    parser.add_argument("--images-b", metavar="DIR", help=f"folder of the pictures {of_b}")
    parser.add_argument(
        "--instances-b", nargs="+", default=[], metavar="FILE",
        help="annotation files of the second ground truth, in place of its instances.json",
    )
    parser.add_argument(
        "--format-b", metavar="KEY", help="format of the second ground truth, if not detected"
    )


def add_outputs(parser: argparse.ArgumentParser, row: str) -> None:
    """Add the files that results are written to."""
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")
    parser.add_argument("--csv", metavar="FILE", help=f"write {row}")
    parser.add_argument("--parquet", metavar="FILE", help="the same as Parquet")


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Add where the page is served, and to whom."""
    parser.add_argument(
        "--host", default="127.0.0.1",
        help="address to serve on (default: 127.0.0.1, this machine only); any other needs "
        "--password or --no-password",
    )
    parser.add_argument("--port", type=int, help="port (default: 7860, or the next free one)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--password", metavar="FILE",
        help="ask visitors for the first line of this file ('-': asked now; or set "
        "INSPECTOR_PASSWORD)",
    )
    parser.add_argument(
        "--no-password", action="store_true", help="let in whoever can reach the page"
    )
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME[:PORT]",
        help="a further name under which the page is reached, such as a proxy's; may be repeated",
    )
    parser.add_argument(
        "--care-words", action="append", default=[], metavar="FILE",
        help="further words, one a line, for which a sentence is veiled; may be repeated",
    )
    parser.add_argument(
        "--root-path", default="", metavar="PATH",
        help="path under which a proxy shows the page, such as /user/x/proxy/7860",
    )


def add_findings(parser: argparse.ArgumentParser) -> None:
    """Add where findings are kept, and whether viewers may write them."""
    parser.add_argument(
        "--findings", metavar="FILE",
        help="file in which verdicts, tags and notes are kept (default: "
        "inspector.findings.sqlite beside the first run, or beside the data set)",
    )
    parser.add_argument(
        "--read-only", action="store_true", help="show findings, but let nobody change them"
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the live model."""
    parser.add_argument(
        "--model", metavar="SPEC",
        help="a model to try other sentences with: demo, module:function, or an address such as "
        "https://host/path",
    )
    parser.add_argument(
        "--model-timeout", type=float, default=60.0, metavar="SECONDS",
        help="how long one answer of the model may take (default: 60)",
    )


def add_protocol(parser: argparse.ArgumentParser) -> None:
    """Add the rules of scoring; None is not asked for, which leaves those of a table in force."""
    parser.add_argument(
        "--average", choices=("sentence", "referent"),
        help="average over sentences, or inside each referent first (default: sentence)",
    )
    parser.add_argument(
        "--empty-union", choices=("one", "zero", "skip"),
        help="IoU where prediction and target are both empty (default: one)",
    )
    parser.add_argument(
        "--missing", choices=("zero", "skip"),
        help="examples without a usable prediction score 0 or are left out (default: zero)",
    )


_THRESHOLDS = (
    ("iou", 0.5, "IoU from which a prediction is correct or fits another object"),
    ("share", 0.8, "share of the prediction inside the target (part) or of the target (spill)"),
    ("covered", 0.5, "share of target and of another object that several_objects needs"),
    ("background", 0.1, "IoU below which a prediction touches no object"),
    ("twin", 0.8, "IoU with the target from which another object is the same thing twice"),
)


def add_thresholds(parser: argparse.ArgumentParser) -> None:
    """Add an option for each threshold of the failure modes."""
    for name, default, what in _THRESHOLDS:
        parser.add_argument(
            f"--{name}-threshold", metavar="X", help=f"{what} (default: {default})"
        )


def read_thresholds(options: argparse.Namespace) -> Thresholds:
    """Read the thresholds; commands without such options have the documented ones.

    Raises:
        UsageError: If one is no number from 0 to 1; that of IoU must be above 0, since every
            prediction reaches 0.
    """
    from inspector.core.failures import Thresholds

    given = {}
    for name, _, _ in _THRESHOLDS:
        text = getattr(options, f"{name}_threshold", None)
        if text is None:
            continue
        try:
            given[name] = float(text)
            if not 0 <= given[name] <= 1 or name == "iou" and not given[name]:
                raise ValueError
        except ValueError:
            allowed = "above 0, up to 1" if name == "iou" else "from 0 to 1"
            raise UsageError(
                f"--{name}-threshold {text} is no share. Write a number {allowed}."
            ) from None
    return Thresholds(**given)
