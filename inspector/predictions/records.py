"""What every reader of predictions returns: one record a prediction, nothing of it checked yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from inspector.core.ids import annotation_in_name, id_text, picture_key
from inspector.core.json_faults import kind_of
from inspector.core.mask import Mask

SENTENCE_KEYS = ("ref_id", "ann_id", "sample_id", "image_id")
"""Ids that name an example together with its sentence, most precise first."""

NO_MASK: Any = object()
"""Stands where a record has no mask at all, which is not the same as saying "no target"."""


class LazyMask(Protocol):
    """A mask that is decoded when it is scored: a picture, a path, an array."""

    def read(self, size_hw: tuple[int, int]) -> Mask:
        """Decode the mask in its own size; ``size_hw`` is the picture's, for who has none."""


@dataclass(frozen=True, slots=True)
class RawBox:
    """A box as a file gives it.

    Attributes:
        numbers: Four of them.
        form: Whether they are two corners or a corner and a size; None where that is not known.
        scale: Key of :data:`~inspector.predictions.box_scale.BOX_SCALES`, or None where the file
            does not say it: then it is inferred from the whole file.
    """

    numbers: tuple[float, float, float, float]
    form: Literal["xyxy", "xywh"] | None = "xyxy"
    scale: str | None = None


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """One prediction as a file gives it.

    Attributes:
        where: Line, or file name, for messages.
        ids: Those of ``example_id``, ``sent_id``, :data:`SENTENCE_KEYS` and ``id`` (of an unknown
            kind) that the record has, as text.
        sentence: The sentence, or empty.
        mask: Run lengths, polygons, a :class:`LazyMask`; None says "no target".
        score: The model's own confidence, if it gave one.
        box: The box, if there is one.
        counts: Intersection and union that the file gives.
        frame_hw: Height and width of the frame in which ``counts`` were counted, if not the
            picture's own.
        iou: IoU that the file gives.
        says_nothing: The model said by a word of its own whether something is meant at all.
        fault: Why the prediction cannot be used although it names an example.
        place: Its place in the order of the data set where the file names one.
        occurrence: Which of the sentences of its referent is meant, from 0.
        truth: The file's own ground truth as compressed counts, to recognise the example by.
        is_file: Whether it is a file of its own.
        advice: What to do if it belongs to no example; a whole sentence, or empty.
    """

    where: str
    ids: Mapping[str, str]
    sentence: str = ""
    mask: Any = NO_MASK
    score: float | None = None
    box: RawBox | None = None
    counts: tuple[int, int] | None = None
    frame_hw: tuple[int, int] | None = None
    iou: float | None = None
    says_nothing: bool | None = None
    fault: str = ""
    place: int | None = None
    occurrence: int | None = None
    truth: bytes | None = None
    is_file: bool = False
    advice: str = ""


@dataclass(frozen=True, slots=True)
class KeyNames:
    """Under which names a producer writes its keys, best first.

    The ``vague`` names hold the sentence in some files and a whole prompt in others: they are read
    only where no id of an example could be contradicted by them.
    """

    ids: Mapping[str, Sequence[str]] = field(default_factory=lambda: _ID_NAMES)
    sentences: Sequence[str] = (
        "sentence", "sent", "expression", "referring_expression", "ref_expression", "caption",
        "phrase", "raw",
    )
    vague: Sequence[str] = ("text", "query", "question")

    def read(self, record: Mapping[str, Any]) -> tuple[dict[str, str], str]:
        """Give the ids of a record and its sentence.

        Raises:
            ValueError: If an id is neither text nor a whole number, or the sentence no text.
        """
        ids: dict[str, str] = {}
        for key, names in self.ids.items():
            value = next(
                (
                    record[name] for name in names
                    if record.get(name) is not None and not isinstance(record[name], (dict, list))
                ),
                None,
            )
            if value is None:
                continue
            ids[key] = picture_key(id_text(value)) if key == "image_id" else id_text(value)
            if key == "image_id" and (annotation := annotation_in_name(str(value))):
                ids.setdefault("ann_id", annotation)
        names = self.sentences if {"example_id", "sent_id"} & ids.keys() else (
            *self.sentences, *self.vague
        )
        sentence = next((record[name] for name in names if record.get(name)), "")
        if not isinstance(sentence, str):
            raise ValueError(f"the sentence is {kind_of(sentence)}, not text")
        return ids, sentence


_ID_NAMES: Mapping[str, Sequence[str]] = {
    "example_id": ("example_id",),
    "sent_id": ("sent_id", "sentence_id"),
    "ref_id": ("ref_id",),
    "ann_id": ("ann_id", "annotation_id", "question_id"),
    "sample_id": ("sample_id",),
    "image_id": (
        "image_id", "img_id", "file_name", "img_name", "image_name", "image_path", "image",
    ),
    "id": ("id",),
}
ANY_NAMES = KeyNames()


MASK_NAMES = frozenset(("mask", "rle", "segmentation", "segments", "path", "svg_path"))
"""Names under which a record carries a mask: such a record is no bare answer and no caption."""


def number(value: Any) -> float | None:
    """Give a finite number of sensible size as float, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if abs(value) < 1e300 else None


def whole(value: Any, name: str) -> int:
    """Give a count of pixels.

    Raises:
        ValueError: If the value is no whole number from 0 to a hundred million.
    """
    found = number(value)
    if found is None or not found.is_integer() or not 0 <= found <= 100_000_000:
        raise ValueError(f"'{name}' must be a number of pixels, but got {str(value)[:40]!r}")
    return int(found)


_FARTHEST = 1e9  # pixels; areas of boxes stay exact enough below


def four(value: Any) -> tuple[float, float, float, float]:
    """Give the four numbers of a box.

    Raises:
        ValueError: If there are not exactly four, or one is not within a thousand million.
    """
    numbers = [number(v) for v in value] if isinstance(value, (list, tuple)) else []
    if len(numbers) != 4 or any(v is None or abs(v) > _FARTHEST for v in numbers):
        raise ValueError(f"a box must be four numbers, but got {str(value)[:60]}")
    first, second, third, fourth = numbers
    return first, second, third, fourth  # type: ignore[return-value]
