"""What ``check`` looks at beyond loading: pictures, boxes, crowd regions, categories."""

from __future__ import annotations

import io
import warnings

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.problems import Problem, ProblemLog
from inspector.core.records import ImageRef
from inspector.formats.pictures import PictureStore
from inspector.truths.referents import STAND_INS

BOX_TOLERANCE = 3.0
"""Pixels by which an edge of an annotated box may miss its mask: COCO's own boxes come from
polygons and stay within 2 for more than 99 of 100 objects."""

_ORIENTATION = 0x0112
_TURNED = (5, 6, 7, 8)  # EXIF orientations that swap the sides


def check_dataset(dataset: Dataset) -> tuple[Problem, ...]:
    """Look for everything odd that opening a data set does not already say."""
    log = ProblemLog()
    _check_boxes(dataset, log)
    _check_crowds(dataset, log)
    _check_categories(dataset, log)
    return log.close() + check_pictures(dataset)


def check_pictures(dataset: Dataset) -> tuple[Problem, ...]:
    """Open the head of every picture and compare its size with the annotations."""
    store, log = PictureStore(), ProblemLog()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's; what matters of them is listed
        for image in dataset.images:
            _check_picture(image, store, log)
    return log.close()


def _check_picture(image: ImageRef, store: PictureStore, log: ProblemLog) -> None:
    from PIL import Image

    where = f"picture {image.id}"
    try:
        content = store.read(image.location)
        if content is None:
            return
        with Image.open(io.BytesIO(content)) as picture:
            found = (picture.height, picture.width)
            orientation = picture.getexif().get(_ORIENTATION)
    except Exception as error:  # Pillow raises many kinds on broken files
        log.add("broken-picture", "error", where,
                f"{image.file_name} cannot be read ({str(error)[:100]}).")
        return
    height, width = image.size_hw
    turned, swapped = orientation in _TURNED, found == (width, height)
    if found == image.size_hw:
        if turned:
            log.add("turned-picture", "warning", where,
                    f"{image.file_name} is stored as {width} x {height} pixels, like its masks, "
                    f"but its EXIF orientation {orientation} asks viewers to turn it to "
                    f"{height} x {width}: programs that do so swap height and width, and its "
                    "masks do not fit there.")
        return
    text = (f"{image.file_name} has {found[1]} x {found[0]} pixels, but its annotations are for "
            f"{width} x {height}")
    if swapped and turned:
        text += (f": height and width are swapped. Its EXIF orientation {orientation} asks "
                 "viewers to turn it, and the annotations were made on the turned picture")
    elif swapped:
        text += ": height and width are swapped"
    log.add("picture-size", "error", where, f"{text}.")


def _check_boxes(dataset: Dataset, log: ProblemLog) -> None:
    """Compare the annotated box of each referred object with the box around its mask."""
    from pycocotools import mask as coco

    objects = dataset.objects
    rows = np.unique(dataset.targets.objects)
    rows = rows[objects.is_readable[rows] & (objects.masks.areas[rows] > 0)]
    if not len(rows):
        return
    around = coco.toBbox([objects.masks.coco(row) for row in rows.tolist()])
    annotated = objects.boxes_xywh[rows]
    apart = np.abs(_corners(annotated) - _corners(around))
    refs = _refs_of_objects(dataset)
    for place in np.flatnonzero(apart.max(axis=1) > BOX_TOLERANCE).tolist():
        row = int(rows[place])
        edge = int(apart[place].argmax())
        name = objects.annotation_ids[row]
        log.add(
            "box-differs", "info",
            ", ".join([*([f"annotation {name}"] if name else []), *refs.get(row, [])]),
            f"The {('left', 'top', 'right', 'bottom')[edge]} edge of its box is "
            f"{apart[place, edge]:.1f} pixels from that of its mask.",
        )


def _corners(boxes_xywh: np.ndarray) -> np.ndarray:
    return np.concatenate([boxes_xywh[:, :2], boxes_xywh[:, :2] + boxes_xywh[:, 2:]], axis=1)


def _refs_of_objects(dataset: Dataset) -> dict[int, list[str]]:
    """Name the refs (or samples) of each object, for messages."""
    table = dataset.expressions
    refs: dict[int, dict[str, None]] = {}
    for index in range(len(dataset)):
        name = f"ref {table.ref_ids[index]}" if table.ref_ids[index] else ""
        name = name or (f"sample {table.sample_ids[index]}" if table.sample_ids[index] else "")
        for row in dataset.referent_rows(index):
            refs.setdefault(row, {})[name] = None
    return {row: [name for name in names if name] for row, names in refs.items()}


def _check_crowds(dataset: Dataset, log: ProblemLog) -> None:
    """Count the regions of many things, and those that are a target."""
    objects = dataset.objects
    crowds = np.flatnonzero(objects.is_crowd)
    if not len(crowds):
        return
    targets = np.intersect1d(crowds, dataset.targets.objects)
    pictures = len(np.unique(objects.image[crowds]))
    log.add(
        "crowd-region", "info", dataset.name,
        f"Crowd regions: {len(crowds):,}, on {pictures:,} of {len(dataset.images):,} pictures, "
        f"{len(targets):,} of them targets; they are never \"another object\".",
        count=len(crowds),
    )


def _check_categories(dataset: Dataset, log: ProblemLog) -> None:
    """Say where categories are a stand-in, so that "wrong object" cannot be told."""
    unknown = [code for code, name in enumerate(dataset.categories)
               if name.casefold() in STAND_INS]
    rows = np.unique(dataset.targets.objects)
    count = int(np.isin(dataset.objects.category[rows], unknown).sum())
    if count:
        names = " or ".join(sorted({f"'{dataset.categories[code]}'" for code in unknown}))
        log.add(
            "unknown-category", "info", dataset.name,
            f"{count:,} of {len(rows):,} referred objects have the category {names}: failure "
            "modes cannot tell \"wrong referent\" from \"wrong object\".", count=count,
        )
