"""Ids and names of pictures, written one way whatever file they stand in."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

_COCO_NAME = re.compile(r"(?:COCO_[a-z]+\d{4}_)?(?P<image>\d{12})(?:_(?P<suffix>\d+))?$")
# What str() of a tensor with one number is, and repr() of a number of numpy's.
_PRINTED = re.compile(r"(?:tensor|np\.u?int\d+)\((?:(-?\d+)|\[(-?\d+)\])(?:, \w+=[^()]*)?\)$")
_PICTURE_SUFFIXES = frozenset(("jpg", "jpeg", "png", "webp", "bmp"))


def id_text(value: Any) -> str:
    """Write an id one way: 718034, 718034.0, "718034.0" and "tensor(718034)" are the same.

    Raises:
        ValueError: If the value is neither text nor a whole number.
    """
    if type(value) is int:
        return str(value)
    if isinstance(value, bool) or value is None:
        raise ValueError(f"an id must be text or a whole number, but got {value!r}")
    if isinstance(value, float):
        if not value.is_integer():
            raise ValueError(f"an id must be a whole number, but got {value!r}")
        return str(int(value))
    text = str(value).strip() if isinstance(value, (int, str)) else ""
    if not text:
        raise ValueError(f"an id must be text or a whole number, but got {str(value)[:40]!r}")
    if text[-1] == ")" and (printed := _PRINTED.match(text)):
        return str(printed[1] or printed[2])
    head, dot, tail = text.partition(".")
    return head if dot and head.isdigit() and tail.strip("0") == "" and tail else text


def picture_key(text: str) -> str:
    """Write the id or file name of a picture one way.

    Example:
        >>> picture_key("images/train2014/COCO_train2014_000000460986_2.jpg")
        '460986'
        >>> picture_key("460986.0"), picture_key("kitchen.png")
        ('460986', 'kitchen')
    """
    if text.isdecimal():
        return str(int(text)) if len(text) == 12 else text
    name = PurePosixPath(text.replace("\\", "/")).name
    stem, dot, suffix = name.rpartition(".")
    stem = stem if dot and suffix.lower() in _PICTURE_SUFFIXES else name
    found = _COCO_NAME.match(stem)
    return str(int(found["image"])) if found else id_text(stem) if stem.strip() else text


def annotation_in_name(text: str) -> str:
    """Find the annotation id that RefCOCOg and lmms-lab append to a file name, or nothing.

    Example:
        >>> annotation_in_name("COCO_train2014_000000460986_679838.jpg")
        '679838'
    """
    found = _COCO_NAME.match(PurePosixPath(text).name.partition(".")[0])
    suffix = found["suffix"] if found else None
    return suffix if suffix and len(suffix) > 3 else ""
