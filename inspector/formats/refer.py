"""RefCOCO, RefCOCO+ and RefCOCOg as the REFER toolkit stores them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, UsageError
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import Annotations, add_object, read_annotations
from inspector.formats.pickles import read_plain_pickle
from inspector.formats.pictures import PictureFinder
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_REFS_NAME = re.compile(r"refs\((?P<split_by>[^)]+)\)\.p$")


@dataclass(frozen=True, slots=True)
class _Ref:
    """One checked record of a refs file."""

    ref_id: int
    annotation_ids: tuple[int, ...]
    image_id: int
    split: str
    sentences: tuple[tuple[int, str, str], ...]  # sent_id, sent, raw


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with ``refs(*).p``, or such a file."""
    if path.is_file():
        return _REFS_NAME.search(path.name) is not None
    return path.is_dir() and any(_refs_files(path))


def load(request: LoadRequest) -> Dataset:
    """Load one split of a data set in the REFER layout.

    Expected files, with the pictures in one of the usual folders beside or above::

        refcoco/refs(unc).p           list of {ref_id, ann_id, image_id, split, sentences: […]}
        refcoco/instances.json        COCO annotations: images, annotations, categories
        images/train2014/COCO_train2014_000000581857.jpg

    Pictures are found by ``image_id``; a ref's own ``file_name`` carries a suffix and is not
    used. All other objects of the pictures are kept as distractors.

    Raises:
        FormatError: If a file is not what it should be, or a ref names an annotation or picture
            that the annotation files do not have.
        UsageError: If several refs files fit and none was chosen.
    """
    refs_path, split_by = _choose_refs(request)
    folder = refs_path.parent
    refs_raw = read_plain_pickle(refs_path)
    if not isinstance(refs_raw, list):
        raise FormatError(
            f"holds a {type(refs_raw).__name__}, but a refs file is a list of records",
            path=refs_path,
        )
    name = folder.resolve().name
    builder = DatasetBuilder(
        name=name, format="refer", source=request.source, split_by=split_by,
        distractors_known=True,
    )
    every_ref = list(_parse_refs(refs_raw, builder, refs_path))
    split, chosen = choose_splits(
        request.split, (ref.split for ref in every_ref), what=f"{name}/{split_by}"
    )
    refs = [ref for ref in every_ref if canonical_split(ref.split) in chosen]
    instances = request.instances or (folder / "instances.json",)
    annotations = read_annotations(instances, {ref.image_id for ref in refs})
    _add_all(builder, refs, annotations, PictureFinder(folder, request.images), refs_path)
    return builder.build(split=split)


def _refs_files(folder: Path) -> Iterator[Path]:
    yield from sorted(p for p in folder.glob("refs(*).p") if _REFS_NAME.search(p.name))


def _choose_refs(request: LoadRequest) -> tuple[Path, str]:
    path = request.path
    if path.is_file():
        found = _REFS_NAME.search(path.name)
        if not found:
            raise FormatError("is not named refs(NAME).p", path=path)
        return path, found["split_by"]
    files = {_REFS_NAME.search(p.name)["split_by"]: p for p in _refs_files(path)}  # type: ignore[index]
    if request.split_by is not None:
        if request.split_by not in files:
            raise UsageError(
                f"No refs({request.split_by}).p in {path}. There is: {', '.join(files)}."
            )
        return files[request.split_by], request.split_by
    if len(files) > 1:
        raise UsageError(
            f"{path} has several refs files: {', '.join(p.name for p in files.values())}. "
            f"Choose one with --split-by {' or --split-by '.join(files)}."
        )
    if not files:
        raise UsageError(f"{path} has no refs(*).p.")
    split_by, refs_path = next(iter(files.items()))
    return refs_path, split_by


def _parse_refs(records: list[Any], builder: DatasetBuilder, path: Path) -> Iterator[_Ref]:
    for number, record in enumerate(records):
        try:
            ref = _parse_ref(record)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            what = f"no '{error.args[0]}'" if isinstance(error, KeyError) else str(error)
            builder.log.add(
                "bad-record", "error", f"{path.name}, record {number}",
                f"The record was left out: {what[:200]}.",
            )
            continue
        if not ref.sentences:
            builder.log.add(
                "no-sentences", "warning", f"{path.name}, ref {ref.ref_id}",
                "The ref has no sentence and was left out.",
            )
            continue
        yield ref


def _parse_ref(record: Any) -> _Ref:
    if not isinstance(record, dict):
        raise TypeError(f"it is a {type(record).__name__}, not a dictionary")
    fields = {_text(key): value for key, value in record.items()}
    annotation_ids = fields["ann_id"]
    if not isinstance(annotation_ids, (list, tuple)):
        annotation_ids = [annotation_ids]
    sentences = []
    for sentence in fields["sentences"]:
        if not isinstance(sentence, dict):
            raise TypeError(f"a sentence is a {type(sentence).__name__}, not a dictionary")
        parts = {_text(key): value for key, value in sentence.items()}
        sent = _text(parts["sent"])
        sentences.append((int(parts["sent_id"]), sent, _text(parts.get("raw", ""))))
    return _Ref(
        ref_id=int(fields["ref_id"]),
        annotation_ids=tuple(int(i) for i in annotation_ids if int(i) != -1),
        image_id=int(fields["image_id"]),
        split=_text(fields["split"]),
        sentences=tuple(sentences),
    )


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} stands where text is expected")
    return value


def _add_all(
    builder: DatasetBuilder, refs: list[_Ref], annotations: Annotations, finder: PictureFinder,
    refs_path: Path,
) -> None:
    files = " and ".join(path.name for path in annotations.files)
    image_rows: dict[int, int] = {}
    object_rows: dict[int, int] = {}
    for ref in refs:
        if ref.image_id not in image_rows:
            image_rows[ref.image_id] = _add_image(builder, ref, annotations, finder, refs_path)
            for annotation in annotations.by_image.get(ref.image_id, ()):
                object_rows[annotation["id"]] = add_object(
                    builder, image_rows[ref.image_id], annotation, annotations.categories
                )
        for annotation_id in ref.annotation_ids:
            if annotations.image_of.get(annotation_id) != ref.image_id:
                raise FormatError(
                    f"names annotation {annotation_id}, which is not among the "
                    f"{annotations.total:,} annotations of {files}"
                    if annotation_id not in annotations.image_of
                    else f"names annotation {annotation_id}, which {files} gives to picture "
                    f"{annotations.image_of[annotation_id]}, not {ref.image_id}",
                    path=refs_path,
                    record=f"ref {ref.ref_id}",
                    hint=f"Take refs and {files} from the same release.",
                )
        for sent_id, sent, raw in ref.sentences:
            builder.add_expression(
                image_rows[ref.image_id],
                sentence=sent,
                raw=raw,
                sent_id=str(sent_id),
                ref_id=str(ref.ref_id),
                example_id=str(sent_id),
                objects=tuple(object_rows[i] for i in ref.annotation_ids),
                split=canonical_split(ref.split),
            )


def _add_image(
    builder: DatasetBuilder, ref: _Ref, annotations: Annotations, finder: PictureFinder,
    refs_path: Path,
) -> int:
    image = annotations.images.get(ref.image_id)
    if image is None:
        files = " and ".join(path.name for path in annotations.files)
        raise FormatError(
            f"names picture {ref.image_id}, which {files} does not have",
            path=refs_path,
            record=f"ref {ref.ref_id}",
            hint=f"Take refs and {files} from the same release.",
        )
    file_name = str(image.get("file_name") or f"COCO_train2014_{ref.image_id:012d}.jpg")
    location = finder.find([file_name, f"{ref.image_id:012d}.jpg"])
    if location is None:
        builder.log.add(
            "missing-picture", "error", f"picture {ref.image_id}",
            f"{file_name} was not found: {finder.describe()}.",
        )
    return builder.add_image(
        str(ref.image_id),
        file_name=file_name,
        size_hw=(image.get("height"), image.get("width")),
        location=location,
        where=f"picture {ref.image_id}",
    )


