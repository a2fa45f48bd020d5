"""COCO annotation files: ``instances.json`` beside the refs, or COCO's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError
from inspector.formats.building import DatasetBuilder


@dataclass(frozen=True, slots=True)
class Annotations:
    """COCO annotations of the pictures that the refs name."""

    files: tuple[Path, ...]
    total: int
    images: dict[int, dict[str, Any]]
    by_image: dict[int, list[dict[str, Any]]]
    image_of: dict[int, int]
    categories: dict[int, dict[str, Any]]


def read_annotations(paths: Sequence[Path], image_ids: set[int]) -> Annotations:
    """Read annotation files, joined, keeping what belongs to the given pictures.

    Raises:
        FormatError: If a file is missing, cut off or not in COCO's layout.
    """
    images: dict[int, dict[str, Any]] = {}
    by_image: dict[int, list[dict[str, Any]]] = {}
    image_of: dict[int, int] = {}
    categories: dict[int, dict[str, Any]] = {}
    total = 0
    for path in paths:
        content = read_json(path)
        try:
            for image in content["images"]:
                if image["id"] in image_ids:
                    images[image["id"]] = image
            total += len(content["annotations"])
            for annotation in content["annotations"]:
                image_of[annotation["id"]] = annotation["image_id"]
                if annotation["image_id"] in image_ids:
                    by_image.setdefault(annotation["image_id"], []).append(annotation)
            for category in content.get("categories", ()):
                categories[category["id"]] = category
        except (KeyError, TypeError) as error:
            raise FormatError(
                f"is not a COCO annotation file (images, annotations, categories): {error}",
                path=path,
            ) from error
    return Annotations(tuple(paths), total, images, by_image, image_of, categories)


def read_json(path: Path) -> Any:
    """Read a JSON file, with a byte-order mark or not.

    Raises:
        FormatError: If the file is missing, cut off, or not JSON in UTF-8.
    """
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise FormatError(
            "there is no such file", path=path,
            hint="Put it there, or name the annotation files with --instances.",
        ) from None
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8 text (byte {error.start})", path=path) from error
    except (ValueError, RecursionError) as error:  # ValueError: a number of 5,000 digits
        where = f" at character {error.pos:,}" if isinstance(error, json.JSONDecodeError) else ""
        raise FormatError(
            f"is not complete JSON{where}", path=path, hint="Download it again."
        ) from error


def add_object(
    builder: DatasetBuilder, image: int, annotation: dict[str, Any],
    categories: dict[int, dict[str, Any]],
) -> int:
    """Add one annotation to the data set and return its row."""
    where = f"annotation {annotation['id']}"
    category_id = annotation.get("category_id")
    category = categories.get(category_id) if isinstance(category_id, int) else None
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
        mask=_segmentation(annotation.get("segmentation"), builder, where),
        box_xywh=annotation.get("bbox"),
        is_crowd=bool(annotation.get("iscrowd")),
        where=where,
    )


def _segmentation(value: Any, builder: DatasetBuilder, where: str) -> Any:
    """Leave polygons out that are no areas (COCO's C code takes four numbers for a box)."""
    if not isinstance(value, list) or not all(isinstance(part, list) for part in value):
        return value
    kept = [polygon for polygon in value if len(polygon) >= 6 and len(polygon) % 2 == 0]
    for polygon in value:
        if polygon not in kept:
            builder.log.add(
                "dropped-polygon", "warning", where,
                f"A polygon of {len(polygon)} numbers has no area and was left out.",
            )
    return kept
