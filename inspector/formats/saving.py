"""Any data set written in the inspector's own format, with pictures that are found again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.records import ImageRef, PictureCell
from inspector.formats.jsonl import VERSION
from inspector.formats.pictures import PictureFinder, PictureStore
from inspector.writing import whole_file

_ENDINGS = ((b"\xff\xd8", ".jpg"), (b"\x89PNG", ".png"), (b"GIF8", ".gif"), (b"RIFF", ".webp"),
            (b"BM", ".bmp"))


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of the pictures.

    Attributes:
        copied: How many were copied out of parquet files.
        elsewhere: Folders to name with ``--images`` when the file is opened.
    """

    copied: int
    elsewhere: tuple[Path, ...]


def save(dataset: Dataset, path: Path) -> Saved:
    """Write a data set so that it is read with the same examples, masks and ids again.

    A picture below the folder of the file is named by its path from there; any other by its file
    name, to be found with ``--images`` or in the usual folders. Pictures inside parquet files
    are copied to a folder ``<stem>-pictures`` beside the file. Objects whose mask could not be
    read are kept with ``"mask": null`` and the reason, so that their examples are listed and not
    scored.

    Raises:
        FormatError: If a picture cannot be read.
        UsageError: If the file cannot be written.
    """
    names = _Naming(path)
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(lines_of(dataset, names.name_of))
    return Saved(names.copied, tuple(names.elsewhere))


def lines_of(
    dataset: Dataset, name_of: Callable[[ImageRef], str], places: Sequence[int] | None = None
) -> Iterator[str]:
    """Give a data set, or some of its examples, as the lines of a file.

    A file of some examples holds their pictures with all objects. Where an id would be another
    when it is read again, as the other sentences of its sample are not there to be counted, it
    becomes the ``sent_id``, so that it stays what it was.

    Args:
        dataset: What is written.
        name_of: Gives the name under which a picture is to be found.
        places: Those of the examples; all of them if None.
    """
    header = {
        "inspector": "dataset", "version": VERSION, "name": dataset.name,
        "split": dataset.split, "split_by": dataset.split_by,
        "all_objects": dataset.distractors_known,
    }
    yield json.dumps(header, ensure_ascii=False) + "\n"
    by_image: dict[int, list[int]] = {}
    for index in range(len(dataset)) if places is None else places:
        by_image.setdefault(int(dataset.expressions.image[index]), []).append(index)
    for image, indexes in by_image.items():
        line = _picture_line(dataset, image, indexes)
        line["image"]["file_name"] = name_of(dataset.images[image])
        places_in: Counter[str] = Counter()
        for index, expression in zip(indexes, line["expressions"], strict=True):
            sample, own = expression["sample_id"], dataset.expressions.ids[index]
            if (expression["sent_id"] or f"{sample}:{places_in[sample]}") != own:
                expression["sent_id"] = own
            places_in[sample] += 1
        yield json.dumps(line, ensure_ascii=False) + "\n"


class _Naming:
    """Gives each picture the name under which it is found from the file that is written."""

    def __init__(self, path: Path) -> None:
        self._folder = path.resolve().parent
        self._copies = self._folder / f"{path.stem}-pictures"
        self._store = PictureStore()
        self._finder = PictureFinder(self._folder)
        self._taken: set[str] = set()
        self.copied = 0
        self.elsewhere: list[Path] = []

    def name_of(self, image: ImageRef) -> str:
        location = image.location
        if location is None:
            return image.file_name
        if isinstance(location, PictureCell):
            return self._copy(image)
        resolved = location.resolve()
        if resolved.is_relative_to(self._folder):
            return resolved.relative_to(self._folder).as_posix()
        found = self._finder.find([location.name])
        if (found is None or found.resolve() != resolved) and (
            location.parent not in self.elsewhere
        ):
            self.elsewhere.append(location.parent)
        return location.name

    def _copy(self, image: ImageRef) -> str:
        try:
            content = self._store.read(image.location)
        except OSError as error:
            raise FormatError(f"picture {image.id} cannot be read ({error})") from error
        if content is None:
            return image.file_name
        ending = next((end for start, end in _ENDINGS if content.startswith(start)), ".jpg")
        stem = (re.sub(r"[^\w.-]", "_", image.id).lstrip(".") or "picture")[:120]
        while f"{stem}{ending}".casefold() in self._taken:
            stem += "_"
        self._taken.add(f"{stem}{ending}".casefold())
        self._copies.mkdir(exist_ok=True)
        target = self._copies / f"{stem}{ending}"
        target.write_bytes(content)
        self.copied += 1
        return target.relative_to(self._folder).as_posix()


def _picture_line(dataset: Dataset, image: int, indexes: list[int]) -> dict[str, Any]:
    begin, end = dataset.objects.begin[image : image + 2].tolist()
    ids = [dataset.objects.annotation_ids[row] for row in range(begin, end)]
    if "" in ids or len(set(ids)) < len(ids):  # none, or one object written several times
        ids = [f"{place}" if not name else f"{name}.{place}" for place, name in enumerate(ids)]
    ref = dataset.images[image]
    return {
        "image": {"id": ref.id, "file_name": ref.file_name, "size": list(ref.size_hw)},
        "objects": [_object(dataset, row, ids[row - begin]) for row in range(begin, end)],
        "expressions": [
            _expression(dataset, index, [ids[row - begin] for row in dataset.referent_rows(index)])
            for index in indexes
        ],
    }


def _object(dataset: Dataset, row: int, ann_id: str) -> dict[str, Any]:
    thing = dataset.referent(row)
    line = {
        "ann_id": ann_id,
        "category": thing.category, "supercategory": thing.supercategory,
        "is_crowd": thing.is_crowd, "box_xywh": list(thing.box_xywh),
        "mask": thing.mask.to_json() if dataset.objects.is_readable[row] else None,
    }
    if (problem := dataset.unreadable.get(row)) is not None:
        line["no_truth" if problem.code == "missing-truth" else "broken"] = problem.message
    return line


def _expression(dataset: Dataset, index: int, targets: list[str]) -> dict[str, Any]:
    table = dataset.expressions
    line = {
        "sent_id": table.sent_ids[index], "ref_id": table.ref_ids[index],
        "sample_id": table.sample_ids[index], "sentence": table.sentences[index],
        "raw": table.raw[index], "split": dataset.split_names[table.split[index]],
        "targets": targets,
    }
    if table.levels[index]:
        line["level"] = table.levels[index]
    if (ignored := int(table.ignored[index])) >= 0:
        line["ignore"] = dataset.ignored[ignored].to_json()
    return line
