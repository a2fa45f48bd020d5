"""One mask as a picture: which of its values are foreground, in every colouring people use."""

from __future__ import annotations

import base64
import binascii
import io
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.errors import InspectorError, MaskError, SizeMismatchError
from inspector.core.mask import Mask, check_size, describe_mismatch
from inspector.core.problems import ProblemLog
from inspector.predictions.foreground import ABOVE_ZERO, LARGEST, grey_threshold
from inspector.predictions.frames import can_be_resized

_RANGES = ((0, 0), (1, 63), (64, 127), (128, 191), (192, 254), (255, 255))
_COUNTED = 200  # pictures whose values are counted
_MIDDLE = 0.2  # share of middling values from which a coloured JPEG is no mask


@dataclass(eq=False)
class PictureCensus:
    """What the mask pictures of one run looked like, to be said once for all of them."""

    rules: Counter[str] = field(default_factory=Counter)
    values: np.ndarray = field(default_factory=lambda: np.zeros(256, np.int64))

    def note(self, rule: str, values: np.ndarray) -> None:
        """Count one picture and the rule by which it was read; values as 8 bits."""
        if sum(self.rules.values()) < _COUNTED:
            self.values += np.bincount(values.astype(np.uint8).ravel(), minlength=256)
        self.rules[rule] += 1

    def report(self, log: ProblemLog) -> None:
        """Say the rules and the histogram, unless every picture had one value beside 0."""
        if not set(self.rules) - {ABOVE_ZERO}:
            return
        said = "; ".join(f"{rule} in {count:,}" for rule, count in self.rules.most_common())
        total = max(int(self.values.sum()), 1)
        shares = ", ".join(
            f"{low if low == high else f'{low} to {high}'}: {100 * part / total:.1f} %"
            for low, high in _RANGES if (part := int(self.values[low : high + 1].sum()))
        )
        log.add("mask-values", "info", "", f"Foreground of the mask pictures is {said}. "
                f"Values of the first {min(sum(self.rules.values()), _COUNTED)}: {shares}.")


@dataclass(frozen=True, slots=True)
class MaskPicture:
    """A mask that is still a picture: a file, or the bytes of one."""

    source: Path | bytes
    census: PictureCensus = field(default_factory=PictureCensus)

    def read(self, size_hw: tuple[int, int]) -> Mask:
        """Decode the picture into a mask of its own size.

        Foreground is, in this order: what is opaque, where the transparency varies; every number
        above 0 of a palette of two; every value above 0, where there is 0 and one other or one
        value only; in a JPEG at least half of its largest value; else at least 128 of 255 (32,768
        in 16 bits), or half of the largest value where all are smaller. Colours count by their
        largest channel, if the picture is black and one colour.

        Raises:
            MaskError: If it cannot be read or is no mask: many colours, several frames.
            SizeMismatchError: If its size cannot become that of the picture; it is not decoded.
        """
        from PIL import Image

        source = io.BytesIO(self.source) if isinstance(self.source, bytes) else self.source
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                with Image.open(source) as picture:
                    return self._decode(picture, size_hw)
        except InspectorError:
            raise
        except Exception as error:  # Pillow raises many kinds on broken files
            raise MaskError(f"the picture cannot be read ({str(error)[:120]})") from error

    def _decode(self, picture: Any, size_hw: tuple[int, int]) -> Mask:
        found = check_size((picture.height, picture.width))
        is_swapped = found == (size_hw[1], size_hw[0])  # decoded: its turn is told
        if found != tuple(size_hw) and not is_swapped and not can_be_resized(found, size_hw):
            raise SizeMismatchError(describe_mismatch(found, size_hw))
        frames = getattr(picture, "n_frames", 1)
        if frames > 1:
            raise MaskError(f"the picture has {frames} frames; a mask picture has one")
        foreground, rule, values = _foreground(picture)
        self.census.note(rule, values)
        return Mask.from_array(foreground)


def from_base64(text: str) -> MaskPicture:
    """Take a picture out of text.

    Raises:
        ValueError: If the text is not base64.
    """
    head, comma, rest = text.partition(",")
    body = rest if comma and head.startswith("data:") else text
    try:
        return MaskPicture(base64.b64decode(body, validate=True))
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"'mask' is text that is no picture in base64 ({error})") from error


def _foreground(picture: Any) -> tuple[np.ndarray, str, np.ndarray]:
    """Give the foreground, the rule in words, and the values it was applied to as 8 bits."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        alpha = np.asarray(picture.getchannel("A"))
        if alpha.min() != alpha.max():
            return _by_level(alpha, jpeg=False, prefix="of the opacity ")
        picture = picture.convert("RGB")
    is_jpeg = picture.format == "JPEG"
    if picture.mode == "P":
        return _by_palette(picture)
    if picture.mode == "RGB":
        values = np.asarray(picture)
        if (values == values[:, :, :1]).all():
            return _by_level(values[:, :, 0], jpeg=is_jpeg)
        return _by_colour(values, jpeg=is_jpeg)
    if picture.mode not in ("1", "L", "I", "I;16", "I;16B", "I;16L"):
        raise MaskError(
            "a mask picture must be grey, black and white, have a palette or colours, "
            f"but this one has the mode {picture.mode}"
        )
    return _by_level(np.asarray(picture), jpeg=is_jpeg)


def _by_level(
    values: np.ndarray, *, jpeg: bool, prefix: str = ""
) -> tuple[np.ndarray, str, np.ndarray]:
    if values.dtype == bool:
        return values, ABOVE_ZERO, values
    levels = np.unique(values)
    largest = int(levels[-1])
    wide = values.dtype != np.uint8 and largest > 255
    shown = values // 257 if wide else values
    if int(levels[0]) < 0 or largest > LARGEST:
        raise MaskError(f"the picture has values from {int(levels[0])} to {largest}")
    is_two_valued = len(levels) == 1 or (len(levels) == 2 and levels[0] == 0)
    if is_two_valued and not (jpeg and len(levels) > 1):
        return values > 0, prefix + ABOVE_ZERO, shown
    if jpeg:
        rule = f"in a JPEG {prefix}at least half of the largest value"
        return values.astype(np.int64) * 2 >= largest, rule, shown
    threshold, rule = grey_threshold(largest)
    return values >= threshold, prefix + rule, shown


def _by_palette(picture: Any) -> tuple[np.ndarray, str, np.ndarray]:
    """Read the numbers of a coloured palette; greys mean themselves, whatever their number."""
    colours = np.asarray(picture.getpalette("RGB")).reshape(-1, 3)
    if (colours == colours[:, :1]).all():
        return _by_level(np.asarray(picture.convert("L")), jpeg=False)
    numbers = np.asarray(picture)
    count = len(np.unique(numbers))
    if count > 2:
        raise MaskError(f"the picture has {count} colours; a mask picture has two")
    return numbers > 0, "above 0 in the numbers of the palette", numbers


def _by_colour(values: np.ndarray, *, jpeg: bool) -> tuple[np.ndarray, str, np.ndarray]:
    """Read black and one colour by the largest channel; refuse what looks like a photograph."""
    largest = values.max(axis=2)
    if jpeg:
        top = max(int(largest.max()), 1)
        middling = (largest > 0.25 * top) & (largest < 0.75 * top)
        if middling.mean() > _MIDDLE:
            raise MaskError("the picture has many colours; a mask picture has two")
    else:
        used = values.reshape(-1, 3).any(axis=0).sum()
        packed = values.astype(np.int32) @ np.array([65_536, 256, 1], np.int32)
        colours = np.unique(packed)
        if used > 1 and (len(colours) > 2 or colours[0] != 0):
            raise MaskError(
                f"the picture has {len(colours)} colours; a mask picture has black and one other"
            )
    foreground, rule, shown = _by_level(largest, jpeg=jpeg)
    return foreground, f"{rule} in the largest colour channel", shown
