"""One mask, backed by checked run lengths."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from pycocotools import mask as coco

from inspector.core import rle
from inspector.core.errors import MaskError, SizeMismatchError, describe_size
from inspector.core.polygons import rasterise


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of pixels of a picture, kept as compressed COCO run lengths.

    Args:
        size_hw: Height and width of the picture in pixels.
        counts: Compressed run lengths, column by column; checked here, and brought into the one
            form that has no runs of length zero inside, so that equal masks compare equal.

    Raises:
        MaskError: If the size is not two positive integers of at most
            :data:`~inspector.core.rle.MAX_PIXELS` pixels, or the runs do not fit it.

    Example:
        >>> mask = Mask.from_array(np.array([[0, 1], [0, 1]], dtype=bool))
        >>> mask.area, mask.box_xywh
        (2, (1.0, 0.0, 1.0, 2.0))
    """

    size_hw: tuple[int, int]
    counts: bytes

    def __post_init__(self) -> None:
        size = check_size(self.size_hw)
        counts = self.counts
        if not isinstance(counts, bytes):
            raise MaskError(f"counts must be bytes, but got {type(counts).__name__}")
        checked = rle.check_counts(
            np.frombuffer(counts, np.uint8),
            np.array([0, len(counts)], np.int64),
            np.array([size[0] * size[1]], np.int64),
        )
        if checked.fault[0] != rle.OK:
            raise MaskError(
                rle.describe_fault(
                    int(checked.fault[0]), total=int(checked.total[0]), size_hw=size
                )
            )
        if not checked.canonical[0]:
            counts = compress_runs(rle.merge_zero_runs(checked.runs), size)
        object.__setattr__(self, "size_hw", size)
        object.__setattr__(self, "counts", counts)

    @classmethod
    def trusted(cls, size_hw: tuple[int, int], counts: bytes) -> Self:
        """Wrap run lengths that were checked before, such as those of a ``MaskColumn``."""
        mask = object.__new__(cls)
        object.__setattr__(mask, "size_hw", size_hw)
        object.__setattr__(mask, "counts", counts)
        return mask

    @classmethod
    def empty(cls, size_hw: tuple[int, int]) -> Self:
        """Make the mask without any foreground pixel."""
        return cls.from_runs(np.array([size_hw[0] * size_hw[1]]), size_hw)

    @classmethod
    def from_array(cls, array: np.ndarray) -> Self:
        """Make a mask of a boolean array ``(H, W)``.

        Raises:
            MaskError: If the array is not boolean or not two-dimensional. Whether a grey value
                counts as foreground must be decided by who knows the file.
        """
        if array.dtype != bool or array.ndim != 2:
            raise MaskError(
                "array must be a boolean array of shape (H, W), "
                f"but got {array.dtype} of shape {array.shape}"
            )
        size = check_size(array.shape)
        encoded = coco.encode(np.asfortranarray(array, dtype=np.uint8))
        return cls.trusted(size, encoded["counts"])

    @classmethod
    def from_runs(cls, runs: Sequence[int] | np.ndarray, size_hw: tuple[int, int]) -> Self:
        """Make a mask of uncompressed run lengths, background first, column by column."""
        size = check_size(size_hw)
        values = _integers(runs)
        if len(values) == 0:
            raise MaskError("the run lengths are empty")
        if (values < 0).any():
            raise MaskError(f"the run lengths hold a negative run ({int(values.min())})")
        total = sum(values.tolist())  # Python integers: huge runs must not wrap around to fit
        if total != size[0] * size[1]:
            raise MaskError(rle.describe_fault(rle.SUM, total=total, size_hw=size))
        return cls.trusted(size, compress_runs(rle.merge_zero_runs(values), size))

    @classmethod
    def from_polygons(cls, polygons: Iterable[Sequence[float]], size_hw: tuple[int, int]) -> Self:
        """Rasterise the polygons of one object as COCO does, joined by union.

        Args:
            polygons: Each ``[x1, y1, x2, y2, …]`` in pixels, at least three points.
            size_hw: Height and width of the picture.

        Raises:
            MaskError: If there is no polygon, or one has fewer than three points, an odd number
                of coordinates, a coordinate beyond 100,000 pixels, or an outline beyond two million
                (COCO's C code takes four numbers for a box and 40 bytes a pixel of outline).
        """
        size = check_size(size_hw)
        return cls.trusted(size, rasterise(polygons, size)[0])

    @classmethod
    def from_coco(cls, value: Any, size_hw: tuple[int, int] | None = None) -> Mask:
        """Read any of COCO's ways to write a mask.

        Args:
            value: ``{"size": [h, w], "counts": …}`` with compressed (``str``, ``bytes`` or a
                literal ``"b'…'"``) or uncompressed counts; a list of such (joined by union); or
                a list of polygons.
            size_hw: The picture's size: needed for polygons, and compared with ``size`` if given.

        Raises:
            MaskError: If the value is none of these or its content is broken.
            SizeMismatchError: If the mask's own size is not that of the picture.
        """
        if isinstance(value, dict):
            size, counts = parse_coco_dict(value)
            if size_hw is not None and size != tuple(size_hw):
                raise SizeMismatchError(describe_mismatch(size, size_hw))
            if isinstance(counts, bytes):
                return cls(size, counts)
            return cls.from_runs(counts, size)
        is_raster = isinstance(value, np.ndarray) and value.dtype in (bool, np.uint8)
        if isinstance(value, (list, tuple, np.ndarray)) and len(value) and not is_raster:
            if all(isinstance(part, dict) for part in value):
                return unite([cls.from_coco(part, size_hw) for part in value])
            if size_hw is None:
                raise MaskError("polygons need the size of their picture")
            if all(isinstance(part, (list, tuple, array, np.ndarray)) for part in value):
                return cls.from_polygons(value, size_hw)
        raise MaskError(
            "a mask must be run lengths {'size': [h, w], 'counts': …} or a list of polygons "
            f"[[x1, y1, x2, y2, …], …], but got {_short(value)}"
        )

    @property
    def area(self) -> int:
        """Number of foreground pixels."""
        return int(coco.area(self.to_coco()))

    @property
    def box_xywh(self) -> tuple[float, float, float, float]:
        """The smallest box around the mask in pixels; all zeros where the mask is empty."""
        x, y, width, height = (float(v) for v in coco.toBbox(self.to_coco()))
        return x, y, width, height

    def to_coco(self) -> dict[str, Any]:
        """Give the dictionary that pycocotools takes (``counts`` are bytes)."""
        return {"size": list(self.size_hw), "counts": self.counts}

    def to_json(self) -> dict[str, Any]:
        """Give the dictionary that JSON can hold (``counts`` are text)."""
        return {"size": list(self.size_hw), "counts": self.counts.decode("ascii")}

    def to_array(self) -> np.ndarray:
        """Give the mask as a boolean array ``(H, W)``; for drawing and measuring boundaries."""
        array: np.ndarray = coco.decode(self.to_coco()).astype(bool)
        return array


def unite(masks: Sequence[Mask]) -> Mask:
    """Join masks of one size: a pixel belongs to the union if it belongs to any of them."""
    if not masks:
        raise MaskError("the union of no masks has no size")
    first = masks[0]
    for other in masks[1:]:
        if other.size_hw != first.size_hw:
            raise SizeMismatchError(
                f"masks of {describe_size(first.size_hw)} and {describe_size(other.size_hw)} "
                "cannot be joined"
            )
    if len(masks) == 1:
        return first
    return Mask.trusted(first.size_hw, coco.merge([m.to_coco() for m in masks])["counts"])


def subtract(mask: Mask, removed: Mask) -> Mask:
    """Take the pixels of one mask out of another.

    Args:
        mask: What to keep pixels of, ``(H, W)``.
        removed: The pixels to take out; of the same ``(H, W)``.

    Raises:
        SizeMismatchError: If the masks differ in size.

    Example:
        >>> whole = Mask.from_array(np.array([[1, 1, 1]], dtype=bool))
        >>> middle = Mask.from_array(np.array([[0, 1, 0]], dtype=bool))
        >>> subtract(whole, middle).to_array().astype(int)
        array([[1, 0, 1]])
    """
    if mask.size_hw != removed.size_hw:
        raise SizeMismatchError(describe_mismatch(removed.size_hw, mask.size_hw))
    return Mask.from_array(mask.to_array() & ~removed.to_array())


def check_size(size_hw: Any) -> tuple[int, int]:
    """Check a height and width before memory is taken for them.

    Raises:
        MaskError: If they are not two integers >= 1 whose product is at most
            :data:`~inspector.core.rle.MAX_PIXELS`.
    """
    if type(size_hw) in (list, tuple) and len(size_hw) == 2:  # as nearly all are: no more to ask
        height, width = size_hw
        if type(height) is type(width) is int and 0 < height and 0 < width:
            if height * width <= rle.MAX_PIXELS:
                return height, width
    try:
        height, width = size_hw
    except (TypeError, ValueError):
        raise MaskError(f"size must be [height, width], but got {_short(size_hw)}") from None
    sides = []
    for side in (height, width):
        is_whole = isinstance(side, (int, np.integer)) and not isinstance(side, bool)
        if not is_whole and not (isinstance(side, float) and side.is_integer()):
            raise MaskError(f"size must be two whole numbers, but got {_short(size_hw)}")
        sides.append(int(side))
    if min(sides) < 1 or sides[0] * sides[1] > rle.MAX_PIXELS:
        raise MaskError(
            f"size must be at least 1 x 1 and at most {rle.MAX_PIXELS:,} pixels, "
            f"but got {_short(size_hw)}"
        )
    return sides[0], sides[1]


def parse_coco_dict(
    value: dict[str, Any],
) -> tuple[tuple[int, int], bytes | Sequence[int] | np.ndarray]:
    """Take a run-length dictionary apart: the checked size, and the counts not yet checked."""
    if "size" not in value or "counts" not in value:
        raise MaskError(f"run lengths need 'size' and 'counts', but got the keys {list(value)!r}")
    size = check_size(value["size"])
    counts = value["counts"]
    if isinstance(counts, str):
        return size, _ascii(_strip_bytes_literal(counts))
    if isinstance(counts, (bytes, bytearray)):
        return size, bytes(counts)
    if isinstance(counts, (list, tuple, np.ndarray)):
        return size, counts
    raise MaskError(f"counts must be text or a list of whole numbers, but got {_short(counts)}")


def compress_runs(runs: np.ndarray, size_hw: tuple[int, int]) -> bytes:
    """Write checked run lengths as compressed counts."""
    encoded = coco.frPyObjects({"size": list(size_hw), "counts": runs.tolist()}, *size_hw)
    return bytes(encoded["counts"])


def describe_mismatch(found_hw: tuple[int, int], expected_hw: tuple[int, int]) -> str:
    """Say that a mask is not of its picture's size, and whether the sides are swapped."""
    text = f"the mask is {describe_size(found_hw)}, the picture {describe_size(expected_hw)}"
    if tuple(found_hw) == (expected_hw[1], expected_hw[0]):
        text += ": height and width are swapped"
    return text


def _ascii(counts: str) -> bytes:
    try:
        return counts.encode("ascii")
    except UnicodeEncodeError:
        raise MaskError(rle.describe_fault(rle.CHARACTER, total=0, size_hw=(1, 1))) from None


def _strip_bytes_literal(counts: str) -> str:
    """Undo ``str(counts)`` on bytes, which writes ``b'…'`` and doubles every backslash."""
    if not counts.startswith(("b'", 'b"')):
        return counts
    literal = re.fullmatch(r"b(['\"])(.*)\1", counts, flags=re.DOTALL)
    return literal.group(2).replace("\\\\", "\\") if literal else counts


def _integers(values: Any) -> np.ndarray:
    for value in values:
        whole = isinstance(value, (int, np.integer)) or (
            isinstance(value, (float, np.floating)) and float(value).is_integer()
        )
        if not whole or isinstance(value, (bool, np.bool_)):
            raise MaskError(f"the run lengths hold {_short(value)}, which is not a whole number")
        if abs(value) > rle.MAX_PIXELS:
            raise MaskError(f"the run lengths hold a run of {int(value):,} pixels")
    return np.array([int(value) for value in values], np.int64)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
