"""The records that loaders return: complete, immutable, checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from inspector.core.mask import Mask, subtract, unite


@dataclass(frozen=True, slots=True)
class PictureCell:
    """A picture that lies in a parquet file: file, row group, row inside it, column."""

    path: Path
    row_group: int
    row: int
    column: str


PictureLocation = Path | PictureCell | None
"""Where a picture's bytes are; None where the file was not found."""


@dataclass(frozen=True, slots=True)
class ImageRef:
    """One picture, without its pixels.

    Attributes:
        id: The data set's id of the picture.
        file_name: As written in the data; for people, never opened as a path.
        size_hw: Height and width in pixels, which all masks of the picture have.
        location: Where its bytes are.
    """

    id: str
    file_name: str
    size_hw: tuple[int, int]
    location: PictureLocation


@dataclass(frozen=True, slots=True)
class Expression:
    """One sentence that refers, as written in the data, and its ids (empty where there is none).

    ``level`` is ``object`` or ``part`` where the data set tells them apart, else empty.
    """

    sentence: str
    raw: str = ""
    sent_id: str = ""
    ref_id: str = ""
    sample_id: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Referent:
    """One annotated object; ``box_xywh`` in absolute pixels."""

    annotation_id: str
    category: str
    supercategory: str
    mask: Mask
    box_xywh: tuple[float, float, float, float]
    is_crowd: bool = False


@dataclass(frozen=True)
class Example:
    """One expression on one picture: the unit that is scored.

    Attributes:
        id: Unique in the data set, the same on every machine and in every run.
        index: Its place in the data set.
        image: The picture.
        expression: The sentence.
        referents: The objects that the sentence names; none if it has no target.
        distractors: The other annotated objects of the picture, or None where the format does
            not list them all (then "wrong referent" is told among the referred objects only).
        split: Name of the split.
        ignored: Pixels that count neither for nor against a prediction, or None.
    """

    id: str
    index: int
    image: ImageRef
    expression: Expression
    referents: tuple[Referent, ...]
    distractors: tuple[Referent, ...] | None
    split: str
    ignored: Mask | None = None

    @property
    def is_no_target(self) -> bool:
        """Whether the sentence refers to nothing in the picture."""
        return not self.referents

    @cached_property
    def target(self) -> Mask:
        """Union of all referents without ignored pixels; the empty mask if there is none."""
        if not self.referents:
            return Mask.empty(self.image.size_hw)
        joined = unite([referent.mask for referent in self.referents])
        return subtract(joined, self.ignored) if self.ignored else joined

    @property
    def category(self) -> str:
        """Category of the referents, joined by ``;`` where they differ."""
        return ";".join(dict.fromkeys(referent.category for referent in self.referents))
