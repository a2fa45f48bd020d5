"""RefCOCO, RefCOCO+, RefCOCOg and RefCLEF as the REFER toolkit stores them."""

from __future__ import annotations

import re
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import Annotations, add_object, read_annotations
from inspector.formats.names import canonical_name
from inspector.formats.pictures import PictureFinder
from inspector.formats.refs import Ref, choose_refs, read_refs, refs_files
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

REFS_NAME = re.compile(r"refs\((?P<split_by>(?!final\))[^)]+)\)\.p")


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with ``refs(*).p``, or such a file."""
    folder = path.parent if path.is_file() else path
    if canonical_name(folder.resolve().name)[0].startswith("rrefcoco"):
        return False
    if path.is_file():
        return REFS_NAME.fullmatch(path.name) is not None
    return bool(refs_files(path, REFS_NAME))


def load(request: LoadRequest) -> Dataset:
    """Load one split of a data set in the REFER layout.

    Expected files, with the pictures in one of the usual folders beside or above::

        refcoco/refs(unc).p           list of {ref_id, ann_id, image_id, split, sentences: […]}
        refcoco/instances.json        COCO annotations: images, annotations, categories
        images/train2014/COCO_train2014_000000581857.jpg

    Pictures are found by ``image_id``; a ref's own ``file_name`` carries a suffix and is not
    used. All other objects of the pictures are kept as distractors. The folder may be called
    ``refcoco+``, ``refcocoplus``, ``refcocog_u`` and so on; the usual name is shown.

    Raises:
        FormatError: If a file is not what it should be, or a ref names an annotation or picture
            that the annotation files do not have.
        UsageError: If several refs files fit and none was chosen.
    """
    refs_path, split_by = choose_refs(request, REFS_NAME, "refs(NAME).p")
    return load_refs(request, refs_path, split_by, format="refer")


def load_refs(
    request: LoadRequest, refs_path: Path, split_by: str, *, format: str, name: str = "",
    without_crowd: bool = False,
) -> Dataset:
    """Load a refs file with its annotation files, whatever the data set is called.

    Args:
        request: What the user asked for.
        refs_path: The refs file; ``instances.json`` is expected beside it.
        split_by: As the file's name says.
        format: Key of the format.
        name: Name of the data set; by default the usual name for its folder's.
        without_crowd: Whether crowd regions among several targets are left out of the union, as
            ReLA does for gRefCOCO.

    Raises:
        FormatError: As for :func:`load`.
    """
    folder = refs_path.parent
    name = name or canonical_name(folder.resolve().name)[0]
    builder = DatasetBuilder(
        name=name, format=format, source=request.source, split_by=split_by,
        distractors_known=True,
    )
    every_ref = read_refs(refs_path, builder)
    split, chosen = choose_splits(
        request.split, (ref.split for ref in every_ref), what=f"{name}/{split_by}"
    )
    named = {name for name in {ref.split for ref in every_ref} if canonical_split(name) in chosen}
    refs = [ref for ref in every_ref if ref.split in named]
    instances = request.instances or (folder / "instances.json",)
    annotations = read_annotations(
        instances, {ref.image_id for ref in refs},
        frozenset(number for ref in refs for number in ref.annotation_ids),
    )
    for number in annotations.repeated:
        builder.log.add(
            "duplicate-record", "warning", f"annotation {number}",
            "The annotation stands more than once in the annotation files; the first counts.",
        )
    _Adding(builder, annotations, PictureFinder(folder, request.images), refs_path,
            without_crowd).add_all(refs)
    return builder.build(split=split)


class _Adding:
    """Joins refs and annotations into a builder."""

    def __init__(
        self, builder: DatasetBuilder, annotations: Annotations, finder: PictureFinder,
        refs_path: Path, without_crowd: bool,
    ) -> None:
        self._builder, self._annotations, self._finder = builder, annotations, finder
        self._refs_path, self._without_crowd = refs_path, without_crowd
        self._files = " and ".join(path.name for path in annotations.files)
        self._images: dict[int, int] = {}
        self._objects: dict[int, int] = {}
        self._crowds: set[int] = set()

    def add_all(self, refs: list[Ref]) -> None:
        named = {n: f"ref {ref.ref_id}" for ref in reversed(refs) for n in ref.annotation_ids}
        for ref in refs:
            if ref.image_id not in self._images:
                self._images[ref.image_id] = self._add_image(ref)
                for annotation in self._annotations.by_image.get(ref.image_id, ()):
                    self._objects[annotation["id"]] = add_object(
                        self._builder, self._images[ref.image_id], annotation,
                        self._annotations.categories, named_by=named.get(annotation["id"]),
                    )
                    if annotation.get("iscrowd"):
                        self._crowds.add(annotation["id"])
            self._check(ref)
            targets, split = self._targets(ref), canonical_split(ref.split)
            ref_id, image = str(ref.ref_id), self._images[ref.image_id]
            for sentence in ref.sentences:
                sent_id = str(sentence.sent_id)
                self._builder.add_expression(
                    image,
                    sentence=sentence.sent,
                    raw=sentence.raw,
                    sent_id=sent_id,
                    ref_id=ref_id,
                    example_id=sent_id,
                    objects=targets if sentence.exists else (),
                    split=split,
                )

    def _targets(self, ref: Ref) -> tuple[int, ...]:
        numbers = ref.annotation_ids
        things = tuple(number for number in numbers if number not in self._crowds)
        if self._without_crowd and things and len(things) < len(numbers):
            self._builder.log.add(
                "crowd-region", "info", f"ref {ref.ref_id}",
                f"{len(numbers) - len(things)} of its {len(numbers)} targets are crowd regions "
                "and were left out, as ReLA does; GSVA includes them.",
            )
            numbers = things
        return tuple(self._objects[number] for number in numbers)

    def _check(self, ref: Ref) -> None:
        """Refuse a ref whose annotations are not those of its picture."""
        image_of = self._annotations.image_of
        for number in ref.annotation_ids:
            if image_of.get(number) != ref.image_id:
                raise FormatError(
                    f"names annotation {number}, which is not among the "
                    f"{self._annotations.total:,} annotations of {self._files}"
                    if number not in image_of
                    else f"names annotation {number}, which {self._files} gives to picture "
                    f"{image_of[number]}, not {ref.image_id}",
                    path=self._refs_path,
                    record=f"ref {ref.ref_id}",
                    hint=f"Take refs and {self._files} from the same release.",
                )

    def _add_image(self, ref: Ref) -> int:
        image = self._annotations.images.get(ref.image_id)
        if image is None:
            raise FormatError(
                f"names picture {ref.image_id}, which {self._files} does not have",
                path=self._refs_path,
                record=f"ref {ref.ref_id}",
                hint=f"Take refs and {self._files} from the same release.",
            )
        file_name = str(image.get("file_name") or f"COCO_train2014_{ref.image_id:012d}.jpg")
        where = f"picture {ref.image_id}"
        return self._builder.add_image(
            str(ref.image_id),
            file_name=file_name,
            size_hw=(image.get("height"), image.get("width")),
            location=self._finder.find_or_log(
                [file_name, f"{ref.image_id:012d}.jpg"], self._builder.log, where
            ),
            where=where,
        )
