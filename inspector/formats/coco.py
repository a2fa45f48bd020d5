"""COCO annotation files: ``instances.json`` beside the refs, or COCO's own."""

from __future__ import annotations

import contextlib
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError, MaskError
from inspector.core.json_faults import json_fault
from inspector.core.mask import Mask
from inspector.core.polygons import pack_outline, rasterise
from inspector.formats.building import DatasetBuilder
from inspector.formats.json_stream import ShapeError, iterate_arrays
from inspector.formats.reading import check_regular, note_read

_NO_ID = 1 << 63  # larger numbers can be chosen so that all fall on one place of a dictionary
_KEYS = frozenset(("images", "annotations", "categories"))


@dataclass(frozen=True, slots=True)
class Annotations:
    """COCO annotations of the pictures that the refs name.

    Attributes:
        files: Where they came from.
        total: How many annotations the files hold in all.
        images, categories: The records by id.
        by_image: The annotations of each picture.
        image_of: The picture of each annotation that was kept or asked for.
        repeated: Ids that stood more than once; the first counts.
    """

    files: tuple[Path, ...]
    total: int
    images: dict[int, dict[str, Any]]
    by_image: dict[int, list[dict[str, Any]]]
    image_of: dict[int, int]
    categories: dict[int, dict[str, Any]]
    repeated: tuple[int, ...]


def read_annotations(
    paths: Sequence[Path], image_ids: set[int], named: frozenset[int] = frozenset()
) -> Annotations:
    """Read annotation files, joined, keeping in memory what belongs to the given pictures.

    Args:
        paths: ``instances.json``, or COCO's ``instances_train2014.json`` and others.
        image_ids: The pictures.
        named: Annotations whose picture must be known even if it is another one.

    Raises:
        FormatError: If a file is missing, cut off or not in COCO's layout.
    """
    images: dict[int, dict[str, Any]] = {}
    by_image: dict[int, list[dict[str, Any]]] = {}
    image_of: dict[int, int] = {}
    categories: dict[int, dict[str, Any]] = {}
    repeated: list[int] = []
    total = 0
    for path in paths:
        seen = set()
        try:
            for key, record in iterate_arrays(path, _KEYS):
                seen.add(key)
                if record is None:
                    continue
                number = as_id(record["id"])
                if key == "images":
                    if number in image_ids:
                        images[number] = record
                elif key == "categories":
                    categories[number] = record
                else:
                    total += 1
                    image_id = as_id(record["image_id"])
                    if image_id not in image_ids and number not in named:
                        continue
                    if number in image_of:
                        repeated.append(number)
                        continue
                    image_of[number] = image_id
                    if image_id in image_ids:
                        record["id"] = number
                        _pack_polygons(record)
                        by_image.setdefault(image_id, []).append(record)
            missing = [key for key in ("images", "annotations") if key not in seen]
            if missing:
                raise KeyError(missing[0])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FormatError(
                f"is not a COCO annotation file (images, annotations, categories): {error}",
                path=path,
            ) from error
        except ShapeError as error:
            raise FormatError(
                f"is not a COCO annotation file (images, annotations, categories): it "
                f"{error.problem}", path=path,
            ) from error
    return Annotations(
        tuple(paths), total, images, by_image, image_of, categories, tuple(repeated)
    )


def _pack_polygons(record: dict[str, Any]) -> None:
    """Pack the polygons of a record that is kept; what is none stays as it is, to be told later."""
    value = record.get("segmentation")
    if type(value) is list and all(type(part) is list for part in value):
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            record["segmentation"] = [pack_outline(part) for part in value]


def as_id(value: Any) -> int:
    """Take a whole number; pandas and JSON make floats and text of ids.

    Raises:
        TypeError, ValueError, OverflowError: If it is none.
    """
    if type(value) is int and -_NO_ID < value < _NO_ID:
        return value
    number = int(value.removesuffix(".0") if isinstance(value, str) else value)
    is_cut = isinstance(value, float) and number != value
    if isinstance(value, bool) or is_cut or abs(number) >= _NO_ID:
        raise ValueError(f"{str(value)[:40]!r} is no id")
    return number


def read_json(path: Path) -> Any:
    """Read a JSON file, with a byte-order mark or not.

    Raises:
        FormatError: If the file is missing, cut off, or not JSON in UTF-8.
    """
    check_regular(path)
    note_read(path)
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise FormatError("there is no such file", path=path) from None
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8 text (byte {error.start})", path=path) from error
    except (ValueError, RecursionError) as error:
        said, hint = json_fault(error)
        raise FormatError(said, path=path, hint=hint) from error


def add_object(
    builder: DatasetBuilder, image: int, annotation: dict[str, Any],
    categories: dict[int, dict[str, Any]], *, named_by: str | None = "",
) -> int:
    """Add one annotation to the data set and return its row.

    Args:
        builder: Where to.
        image: Row of its picture.
        annotation: The record, with a checked ``id``.
        categories: Names by id.
        named_by: Which ref names it, for messages; None if none does: then it is not worth saying
            that its polygons overlap.
    """
    where = f"annotation {annotation['id']}"
    category_id = annotation.get("category_id")
    category = None
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        category = categories.get(as_id(category_id))
    if category is None:
        builder.log.add(
            "unknown-category", "warning", where,
            f"Category {category_id} is not in the list of categories.",
        )
        category = {"name": f"category {category_id}"}
    return builder.add_object(
        image,
        annotation_id=str(annotation["id"]),
        category=str(category.get("name")),
        supercategory=str(category.get("supercategory") or ""),
        mask=read_segmentation(
            annotation.get("segmentation"), builder, image, where, named_by=named_by
        ),
        box_xywh=annotation.get("bbox"),
        is_crowd=bool(annotation.get("iscrowd")),
        where=where,
    )


def read_segmentation(
    value: Any, builder: DatasetBuilder, image: int, where: str, *, named_by: str | None = ""
) -> Any:
    """Join polygons and list what is odd about them; leave every other way to write a mask.

    Polygons that are no areas are left out (COCO's C code takes four numbers for a box). A single
    one is left as it is: nothing can be odd about it, and many are rasterised faster at once.
    """
    if type(value) is list and len(value) == 1 and type(value[0]) is array:
        if len(value[0]) >= 6 and len(value[0]) % 2 == 0:  # as nearly all are
            return value
    if not isinstance(value, list) or not all(isinstance(part, (list, array)) for part in value):
        return value
    kept = []
    for polygon in value:
        if len(polygon) >= 6 and len(polygon) % 2 == 0:
            kept.append(polygon)
            continue
        builder.log.add(
            "dropped-polygon", "warning", where,
            f"A polygon of {len(polygon)} numbers has no area and was left out.",
        )
    if len(kept) == 1:
        return kept
    size_hw = builder.size_of(image)
    try:
        counts, shared = rasterise(kept, size_hw)
    except MaskError as error:
        return error
    if shared and named_by is not None:
        layers = sum(Mask.from_polygons([part], size_hw).to_array().astype(int) for part in kept)
        builder.note_doubled(image, where, Mask.from_array(layers > 1))
        builder.log.add(
            "overlapping-polygons", "info", f"{where}, {named_by}" if named_by else where,
            f"{len(kept)} polygons of one object overlap by {shared:,} pixels and were joined by "
            "union; code that adds them up cuts a hole there.",
        )
    return Mask.trusted(size_hw, counts)
