"""How many pictures, referents and sentences each data set has, and what a difference may mean."""

from __future__ import annotations

from typing import NamedTuple

from inspector.core.dataset import Dataset
from inspector.core.problems import Problem


class Counts(NamedTuple):
    """Numbers of one split; None where nobody has published or confirmed one."""

    images: int | None
    referents: int | None
    sentences: int | None


PUBLISHED: dict[tuple[str, str, str], Counts] = {
    ("refcoco", "unc", "train"): Counts(16_994, 42_404, 120_624),
    ("refcoco", "unc", "val"): Counts(1_500, 3_811, 10_834),
    ("refcoco", "unc", "testA"): Counts(750, 1_975, 5_657),
    ("refcoco", "unc", "testB"): Counts(750, 1_810, 5_095),
    ("refcoco", "google", "train"): Counts(19_213, 40_000, None),
    ("refcoco", "google", "val"): Counts(4_559, 5_000, None),
    ("refcoco", "google", "test"): Counts(4_527, 5_000, None),
    ("refcoco+", "unc", "train"): Counts(16_992, 42_278, 120_191),
    ("refcoco+", "unc", "val"): Counts(1_500, 3_805, 10_758),
    ("refcoco+", "unc", "testA"): Counts(750, 1_975, 5_726),
    ("refcoco+", "unc", "testB"): Counts(750, 1_798, 4_889),
    ("refcocog", "umd", "train"): Counts(21_899, 42_226, 80_512),
    ("refcocog", "umd", "val"): Counts(1_300, 2_573, 4_896),
    ("refcocog", "umd", "test"): Counts(2_600, 5_023, 9_602),
    ("refcocog", "google", "train"): Counts(24_698, 44_822, 85_474),
    ("refcocog", "google", "val"): Counts(4_650, 5_000, 9_536),
    ("grefcoco", "unc", "val"): Counts(1_500, None, None),
    ("grefcoco", "unc", "testA"): Counts(750, None, None),
    ("grefcoco", "unc", "testB"): Counts(750, None, None),
    ("grefcoco", "unc", "all"): Counts(None, None, 259_859),
    ("refcoco-m", "", "val"): Counts(1_190, 2_080, 5_598),
    ("reasonseg", "", "train"): Counts(239, None, None),
    ("reasonseg", "", "val"): Counts(200, None, None),
    ("reasonseg", "", "test"): Counts(779, None, None),
    ("ref-zom", "final", "all"): Counts(55_078, 74_942, 90_199),
}
"""By name, split-by and split. Sources: the TFDS and CRIS tables, pyReferDemo, the RefCOCO-M card,
gRefCOCO#6, LISA and RIS-DMMI; ReasonSeg's and Ref-ZOM's are unconfirmed."""

_SPLITS_SHARE_PICTURES = {("refcoco", "google"), ("refcocog", "google")}  # split by object


def published_counts(dataset: Dataset) -> Counts | None:
    """Add up what was published for the splits that are loaded; None where nothing was."""
    key = (dataset.name, dataset.split_by)
    if (whole := PUBLISHED.get((*key, dataset.split))) is not None:
        return whole
    rows = [PUBLISHED.get((*key, split)) for split in dataset.split_names]
    known = [row for row in rows if row is not None]
    if not known or len(known) < len(rows):
        return None
    totals = Counts(*(
        None if None in column else sum(column) for column in zip(*known, strict=True)
    ))
    if key in _SPLITS_SHARE_PICTURES and len(known) > 1:
        return totals._replace(images=None)
    return totals


def compare_counts(dataset: Dataset) -> tuple[Problem, ...]:
    """Say where a data set's numbers are not the published ones, and what that may mean."""
    published = published_counts(dataset)
    if published is None:
        return ()
    found = Counts(len(dataset.images), dataset.referent_count, len(dataset))
    if all(expected in (None, number) for number, expected in zip(found, published, strict=True)):
        return ()
    title = dataset.name + (f" ({dataset.split_by})" if dataset.split_by else "")
    here, there = [], []
    for number, expected, word in zip(found, published, _WORDS, strict=True):
        if expected is not None:
            here.append(f"{number:,} {word}")
            there.append(f"{expected:,} {word}")
    return (Problem(
        "counts-differ", "warning", f"{title}, split {dataset.split}",
        f"{_joined(here)} are here, {_joined(there)} were published. "
        f"{_meaning(dataset, found, published)}",
    ),)


_WORDS = ("pictures", "referents", "sentences")


def _meaning(dataset: Dataset, found: Counts, published: Counts) -> str:
    """Guess why the numbers differ; a question, because nobody knows."""
    own = (dataset.name, dataset.split_by)
    others = {key: row for key, row in PUBLISHED.items() if key[:2] != own}
    for (name, split_by, split), row in others.items():
        if row.referents == found.referents and row.images in (None, found.images):
            return f"These are the numbers of {name} ({split_by}) {split}: were files confused?"
    if dataset.name == "grefcoco" and found.sentences == 278_232:
        return "These are the paper's numbers; the released file has fewer."
    for (name, split_by, split), row in others.items():
        if name == dataset.name and split == dataset.split and row.referents and (
            published.referents and found.referents == published.referents + row.referents
        ):
            return f"The splits of {dataset.split_by} and {split_by} seem to be mixed."
    smaller = all(
        expected is None or number <= expected
        for number, expected in zip(found, published, strict=True)
    )
    if not smaller:
        return "Another release, or several splits in one?"
    if dataset.name == "grefcoco":
        return "A subset? (The paper says 278,232; 259,859 were released.)"
    return "A subset?"


def _joined(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
