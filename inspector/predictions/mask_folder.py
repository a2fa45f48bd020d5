"""A folder of mask pictures, one file a prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import (
    FormatError,
    InspectorError,
    MaskError,
    SizeMismatchError,
    printable,
)
from inspector.core.mask import Mask, describe_mismatch
from inspector.core.problems import ProblemLog
from inspector.predictions.records import PredictionRecord

_SUFFIXES = (".png",)


@dataclass(frozen=True, slots=True)
class MaskPicture:
    """A mask that is still a picture file."""

    path: Path

    def read(self, size_hw: tuple[int, int]) -> Mask:
        """Decode the picture into a mask of the expected size.

        Foreground is every value above 0 where the picture has one value, or 0 and another (0/1,
        0/255, the numbers of a coloured palette), else every grey value of at least 128 of 255.

        Raises:
            SizeMismatchError: If the picture has another size; it is not decoded then.
            MaskError: If it cannot be read, has colours, or more than two palette numbers.
        """
        from PIL import Image

        try:
            with Image.open(self.path) as picture:
                found = (picture.height, picture.width)
                if found != tuple(size_hw):
                    raise SizeMismatchError(describe_mismatch(found, size_hw))
                if picture.mode not in ("1", "L", "P", "RGB"):
                    raise MaskError(
                        f"a mask picture must be grey, black and white or have a palette, "
                        f"but this one has the mode {picture.mode}"
                    )
                values = np.asarray(picture.convert("L") if _has_greys(picture) else picture)
                is_numbered = picture.mode == "P" and not _has_greys(picture)
        except InspectorError:
            raise
        except Exception as error:  # Pillow raises many kinds on broken files
            raise MaskError(f"the picture cannot be read ({str(error)[:120]})") from error
        if values.ndim == 3:
            if (values != values[:, :, :1]).any():
                raise MaskError("the picture has colours; a mask picture must be grey")
            values = values[:, :, 0]
        levels = np.unique(values).tolist()
        if is_numbered and len(levels) > 2:
            raise MaskError(f"the picture has {len(levels)} colours; a mask picture has two")
        if len(levels) == 1 or len(levels) == 2 and levels[0] == 0:
            return Mask.from_array(values > 0)
        return Mask.from_array(values >= 128)


def _has_greys(picture: Any) -> bool:
    """Say whether a picture has a palette of greys, whose numbers then mean nothing."""
    if picture.mode != "P":
        return False
    colours = np.asarray(picture.getpalette("RGB")).reshape(-1, 3)
    return bool((colours == colours[:, :1]).all())


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with PNG files."""
    return path.is_dir() and any(_files(path))


def read(path: Path, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """List the mask pictures of a folder; they are decoded one by one when they are scored.

    A file is named ``<sent_id>.png``, ``<ref_id>_<sent_id>.png`` or ``<example_id>.png``, where
    ``_`` may stand for ``:``.

    Raises:
        FormatError: If there is no PNG file.
    """
    table = dataset.expressions
    by_id = {text.replace(":", "_"): row for row, text in enumerate(table.ids)}
    by_id |= {text: row for row, text in enumerate(table.ids)}
    by_sent = {text: row for row, text in enumerate(table.sent_ids) if text}
    any_file = False
    for file in sorted(_files(path)):
        any_file = True
        stem = printable(file.stem)
        head, _, tail = stem.rpartition("_")
        example = by_id.get(stem, by_sent.get(stem))
        if example is None and tail in by_sent and table.ref_ids[by_sent[tail]] == head:
            example = by_sent[tail]
        ids = {"example_id": table.ids[example] if example is not None else stem}
        yield PredictionRecord(printable(file.name), ids, "", MaskPicture(file))
    if not any_file:
        raise FormatError(
            "holds no PNG file", path=path,
            hint="Name the masks <sent_id>.png, <ref_id>_<sent_id>.png or <example_id>.png.",
        )


def _files(path: Path) -> Iterator[Path]:
    return (file for file in path.iterdir() if file.suffix.lower() in _SUFFIXES and file.is_file())
