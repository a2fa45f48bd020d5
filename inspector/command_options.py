"""Options that several commands share, once."""

from __future__ import annotations

import argparse


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
        help="refs(NAME).p or list of ids: RefCOCOm's objects, the rows of lmms-lab to keep",
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


def add_protocol(parser: argparse.ArgumentParser) -> None:
    """Add the rules of scoring."""
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
