"""A folder of mask pictures, one file a prediction, named in any of the usual ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, printable
from inspector.core.ids import picture_key
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump
from inspector.predictions.index import ExampleIndex
from inspector.predictions.mask_files import list_others, mask_files
from inspector.predictions.mask_picture import MaskPicture, PictureCensus
from inspector.predictions.records import SENTENCE_KEYS, PredictionRecord

_BARE = ("sent_id", "ref_id", "ann_id", "sample_id", "image_id")
_ALSO_FITS = 0.9  # share of the files from which a second reading of their names is worth a word


def looks_like(dump: Dump) -> bool:
    """Say whether this is a folder with mask pictures, or with folders of such."""
    return dump.kind == "folder" and next(mask_files(dump.path), None) is not None


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """List the mask pictures of a folder; they are decoded one by one when they are scored.

    A file is named in one of these ways, where ``_`` may stand for ``:``::

        <example_id>.png   <sent_id>.png   <ref_id>_<sent_id>.png
        <ref_id>.png   <ann_id>.png   <sample_id>.png   <image_id or file name of the picture>.png
        <image_id>_<ann_id>_<k>.png      the k-th sentence of the annotation, from 0
        <file name of the picture>/<k>.png   its k-th sentence, from 0

    What a bare number means is decided for the folder as a whole: that for which most files fit.

    Raises:
        FormatError: If there is no picture.
    """
    files = sorted(mask_files(dump.path))
    if not files:
        raise FormatError(
            "holds no picture", path=dump.path,
            hint="Name the masks <sent_id>.png, <ref_id>_<sent_id>.png or <example_id>.png.",
        )
    list_others(dump.path, files, log)
    names = _Names(dataset)
    bare = names.choose_bare([file.stem for file in files if file.parent == dump.path], log)
    census = PictureCensus()
    dump.afterwards.append(census.report)
    for file in files:
        where = printable(str(file.relative_to(dump.path)))
        ids, occurrence = (
            names.of_file(printable(file.stem), bare) if file.parent == dump.path
            else names.of_nested(printable(file.parent.name), printable(file.stem))
        )
        yield PredictionRecord(
            where, ids, mask=MaskPicture(file, census), occurrence=occurrence, is_file=True,
            advice=names.advice(ids.get("example_id", "")),
        )


class _Names:
    """Reads ids out of file names with the data set at hand."""

    def __init__(self, dataset: Dataset) -> None:
        table = dataset.expressions
        self._dataset = dataset
        self._index = ExampleIndex(dataset)
        self._examples = {text.replace(":", "_"): text for text in table.ids}
        self._examples |= {text: text for text in table.ids}
        self._by_text = frozenset(table.ids)
        self._ref_of = {
            sent: ref for sent, ref in zip(table.sent_ids, table.ref_ids, strict=True) if sent
        }

    def choose_bare(self, stems: list[str], log: ProblemLog) -> str:
        """Decide what a name that is one id stands for: the reading that fits most files."""
        fits: Counter[str] = Counter()
        readings = {stem: {key: self._bare(key, stem) for key in _BARE} for stem in stems}
        for reading in readings.values():
            fits.update(key for key, examples in reading.items() if examples)
        best = max(_BARE, key=lambda key: fits[key])  # the first of equals
        rivals = [
            key for key in _BARE
            if key != best and fits[key] >= _ALSO_FITS * fits[best] > 0
            and any(reading[key] not in ([], reading[best]) for reading in readings.values())
        ]
        if rivals:
            log.add(
                "ambiguous-names", "warning", "",
                f"The file names fit as {best} ({fits[best]:,}) and as "
                f"{' and '.join(f'{k} ({fits[k]:,})' for k in rivals)}; they were read as {best}. "
                "Name the files <ref_id>_<sent_id>.png to leave no doubt.",
            )
        return best

    def _bare(self, key: str, stem: str) -> list[int]:
        """Give the examples that a name fits if it is one id of a kind."""
        if key == "sent_id":
            example = self._index.direct("sent_id", stem)
            return [] if example is None else [example]
        return self._index.of_key(key, picture_key(stem) if key == "image_id" else stem)

    def of_file(self, stem: str, bare: str) -> tuple[dict[str, str], int | None]:
        """Give the ids in a file's name, and the number of the sentence if it has one."""
        parts = stem.split("_")
        if stem in self._examples and (not stem.isdigit() or bare == "sent_id"):
            return {"example_id": self._examples[stem]}, None
        if len(parts) == 2 and self._ref_of.get(parts[1]) == parts[0]:
            return {"sent_id": parts[1], "ref_id": parts[0]}, None
        if len(parts) == 3 and all(part.isdecimal() for part in parts):
            image, annotation, place = parts
            return {"image_id": picture_key(image), "ann_id": annotation}, int(place)
        value = picture_key(stem) if bare == "image_id" else stem
        if bare in SENTENCE_KEYS and self._index.of_key(bare, value):
            return {bare: value}, None
        picture = picture_key(stem)
        if not stem.isdigit() and self._index.of_key("image_id", picture):
            return {"image_id": picture}, None
        return {"example_id": stem}, None

    def advice(self, name: str) -> str:
        """Say how a name that fits no example nearly fits one: nothing is guessed, only named."""
        first, _, rest = name.partition("_")
        bare = name.lstrip("0")
        if name in self._by_text or not name.replace("_", "").isdecimal():
            return ""
        if bare and bare != name and any(self._bare(key, bare) for key in _BARE):
            return f"Is {bare} meant? Names are not read without the zeros in front: rename it."
        if rest and self._index.of_key("ref_id", first):
            return (f"{first} is a ref_id, but {rest} is no sent_id of it: name the file "
                    "<ref_id>_<sent_id>.png.")
        return ""

    def of_nested(self, folder: str, stem: str) -> tuple[dict[str, str], int | None]:
        """Give the ids of ``<picture>/<k>.png``."""
        examples = self._index.of_key("image_id", picture_key(folder))
        place = int(stem)
        if place < len(examples):
            return {"example_id": self._dataset.expressions.ids[examples[place]]}, None
        return {"image_id": f"{folder}/{stem}"}, None
