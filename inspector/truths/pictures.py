"""Which pictures two data sets have in common."""

from __future__ import annotations

import re

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.problems import ProblemLog


def pair_pictures(
    a: Dataset, b: Dataset, log: ProblemLog
) -> tuple[np.ndarray, np.ndarray]:
    """Number the pictures that both have, by id, else by file name.

    A picture whose size differs is of no use, as its masks cannot be laid on each other; it
    becomes a problem.

    Returns:
        ``(images,)`` int64 of each data set: equal numbers are the same picture, -1 is one that
        the other data set does not have.

    Raises:
        UsageError: If they have no picture in common.
    """
    names_a, names_b = [image.id for image in a.images], [image.id for image in b.images]
    if not set(names_a) & set(names_b):
        names_a, names_b = (
            [_key(image.file_name) for image in data.images] for data in (a, b)
        )
    common = dict.fromkeys(name for name in names_a if name)
    common = {name: None for name in names_b if name in common}
    if not common:
        raise UsageError(
            f"{a.name} (split {a.split}) and {b.name} (split {b.split}) have no picture in common: "
            f"the first of A is {a.images[0].id} ({a.images[0].file_name}), of B "
            f"{b.images[0].id} ({b.images[0].file_name}). Choose the splits with --split and "
            "--split-b."
        )
    number = {name: place for place, name in enumerate(common)}
    sizes = {
        name: image.size_hw for name, image in zip(names_a, a.images, strict=True)
    }
    for name, image in zip(names_b, b.images, strict=True):
        if name in number and sizes[name] != image.size_hw:
            del number[name]
            (height, width), (own_height, own_width) = sizes[name], image.size_hw
            log.add(
                "truths-size", "error", f"picture {image.id}",
                f"The picture has {own_width} x {own_height} pixels in B and {width} x {height} "
                "in A: its referents cannot be compared and are not matched.",
            )
    if not number:
        raise UsageError(
            f"None of the {len(common):,} pictures that {a.name} and {b.name} have in common is of "
            "the same size in both: their masks cannot be compared. Is one of them on resized "
            "pictures?"
        )
    keys_a, keys_b = (
        np.array([number.get(name, -1) for name in names], np.int64)
        for names in (names_a, names_b)
    )
    return keys_a, keys_b


def _key(file_name: str) -> str:
    """Bring a file name to COCO's number of the picture where it ends in one, else to its stem.

    Example:
        >>> _key("COCO_train2014_000000460986.jpg"), _key("000000460986.jpg"), _key("a/desk.png")
        ('460986', '460986', 'desk')
    """
    stem = re.split(r"[/\\]", file_name)[-1].rpartition(".")[0] or file_name
    found = re.fullmatch(r"(?:COCO_\w+_)?(\d{12})", stem)
    return str(int(found[1])) if found else stem
