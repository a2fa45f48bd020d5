"""ReasonSeg: one implicit question a picture, with regions that count neither way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError, MaskError, NoTruthError
from inspector.core.mask import Mask
from inspector.formats.building import DatasetBuilder
from inspector.formats.pictures import picture_size, stays_inside
from inspector.formats.reading import UNEXPECTED, as_text, describe, read_file
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_SPLITS = ("train", "val", "test")
_PICTURES = (".jpg", ".jpeg", ".png", ".JPG")
_LARGEST = 20_000_000  # bytes of one annotation file
_FARTHEST = 100_000  # pixels
_LOOKED_AT = 5  # files


def looks_like(path: Path) -> bool:
    """Say whether this is a folder of pictures with LISA's JSON beside them, or of such splits."""
    return any(_is_annotated(folder) for folder in _folders(path).values())


def load(request: LoadRequest) -> Dataset:
    """Load one split of ReasonSeg.

    Expected files, each picture beside its annotation::

        ReasonSeg/val/1.jpg
        ReasonSeg/val/1.json    {"text": ["the food with most vitamins"], "is_sentence": true,
                                 "shapes": [{"label": "target", "points": [[x, y], …]},
                                            {"label": "ignore", "points": [[x, y], …]}]}

    Masks are drawn as LISA draws them: polygons from the largest to the smallest, each over the
    last; label ``flag`` is skipped. Regions whose label holds ``ignore`` are in neither count.
    Only ``text[0]`` is an example, as in LISA's evaluation, unless ``--texts all`` is given. A
    file without a target polygon is listed and can be looked at, but is not scored.

    Raises:
        FormatError: If there is no annotation of this kind.
    """
    folders = _folders(request.path)
    split, chosen = choose_splits(
        request.split,
        (part for part, folder in folders.items() for _ in folder.glob("*.json")),
        what="reasonseg",
    )
    builder = DatasetBuilder(
        name="reasonseg", format="reasonseg", source=request.source, distractors_known=False
    )
    for part, folder in folders.items():
        if part not in chosen:
            continue
        for path in sorted(folder.glob("*.json")):
            try:
                _add_file(builder, path, part, every_text=request.texts == "all")
            except UNEXPECTED as error:
                builder.log.add("bad-record", "error", path.name,
                                f"The file was left out: it {describe(error)}.")
            except InspectorError as error:
                builder.log.add("bad-record", "error", path.name,
                                f"The file was left out: {str(error).removesuffix('.')}.")
    return builder.build(split=split)


def _folders(path: Path) -> dict[str, Path]:
    """Find the folders of the splits; a folder that has none is taken for one split."""
    if not path.is_dir():
        return {}
    splits = {part: path / part for part in _SPLITS if (path / part).is_dir()}
    if splits:
        return splits
    name = canonical_split(path.resolve().name)
    return {name if name in _SPLITS else "all": path}


def _is_annotated(folder: Path) -> bool:
    """Look at the first few JSON files of a folder: one alone could be broken."""
    for path in sorted(folder.glob("*.json"))[:_LOOKED_AT]:
        if _picture_of(path) is None:
            continue
        try:
            content = _read(path)
        except (*UNEXPECTED, InspectorError):
            continue
        if isinstance(content, dict) and {"text", "shapes"} <= content.keys():
            return True
    return False


def _read(path: Path) -> Any:
    """Read an annotation, in UTF-8 or Windows' cp1252: LISA's files are of both kinds."""
    data = read_file(path, most=_LARGEST)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    return json.loads(text)


def _picture_of(path: Path) -> Path | None:
    candidates = [path.with_suffix(suffix) for suffix in _PICTURES]
    return next((file for file in candidates if stays_inside(file, path.parent)), None)


def _add_file(builder: DatasetBuilder, path: Path, split: str, *, every_text: bool) -> None:
    content = _read(path)
    texts = content["text"]
    texts = [texts] if isinstance(texts, str) else [as_text(t, "a sentence") for t in texts]
    if not texts:
        builder.log.add("no-sentences", "warning", path.name, "The file has no text.")
        return
    picture = _picture_of(path)
    if picture is None:
        builder.log.add("missing-picture", "error", path.name,
                        f"{path.stem}.jpg was not found beside it.")
        size: Any = (content.get("imageHeight"), content.get("imageWidth"))
        if None in size:
            raise MaskError("nothing gives the size of its picture, which was not found")
    else:
        size = picture_size(picture)
    labels = _label_map(content["shapes"], size, builder, path.name)
    image = builder.add_image(
        path.stem, file_name=picture.name if picture else f"{path.stem}.jpg", size_hw=size,
        location=picture, where=path.name,
    )
    is_target, is_ignored = labels == _TARGET, labels == _IGNORED
    truth: Any = Mask.from_array(is_target)
    if not is_target.any():
        truth = NoTruthError("the file has no polygon of a target")
    ignored = -1
    if is_ignored.any():
        ignored = builder.add_ignored(image, Mask.from_array(is_ignored))
    thing = builder.add_object(
        image, annotation_id=path.stem, category="object", mask=truth, where=path.name
    )
    for place, text in enumerate(texts if every_text else texts[:1]):
        builder.add_expression(
            image, sentence=text, sample_id=path.stem, example_id=f"{path.stem}:{place}",
            objects=(thing,), split=split, ignored=ignored,
        )


_TARGET, _IGNORED = 1, 255


def _label_map(
    shapes: Any, size_hw: tuple[int, int], builder: DatasetBuilder, where: str
) -> np.ndarray:
    """Draw target (1) and ignored (255) polygons from the largest to the smallest."""
    import cv2

    drawn, areas = [], []
    for shape in shapes:
        label = str(shape["label"]).casefold()
        if label == "flag":
            continue
        points = np.asarray(shape["points"], np.float64)
        if points.size == 0:
            builder.log.add("dropped-polygon", "warning", where, "A polygon has no point.")
            continue
        if points.ndim != 2 or points.shape[1] != 2 or not (np.abs(points) <= _FARTHEST).all():
            raise ValueError(f"a polygon must be [[x, y], …] within {_FARTHEST:,} pixels")
        outline = points.astype(np.int32)[np.newaxis]
        alone = np.zeros(size_hw, np.uint8)
        _draw(cv2, alone, outline, 1)
        areas.append(int(alone.sum()))
        drawn.append((outline, _IGNORED if "ignore" in label else _TARGET))
    labels = np.zeros(size_hw, np.uint8)
    for place in np.argsort(areas)[::-1].tolist():
        _draw(cv2, labels, *drawn[place])
    return labels


def _draw(cv2: Any, array: np.ndarray, outline: np.ndarray, value: int) -> None:
    """Fill a polygon and its outline, as LISA does."""
    cv2.polylines(array, outline, True, value, 1)
    cv2.fillPoly(array, outline, value)
