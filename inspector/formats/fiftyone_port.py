"""RefCOCO-M as FiftyOne exports it (``Voxel51/RefCOCO-M``): masks cropped to relative boxes."""

from __future__ import annotations

import base64
import io
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, InspectorError, MaskError
from inspector.core.mask import Mask
from inspector.core.problems import ProblemLog
from inspector.core.rle import MAX_PIXELS
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import read_json
from inspector.formats.mask_pictures import read_mask_picture
from inspector.formats.pictures import PictureFinder, find_below, picture_size
from inspector.formats.reading import UNEXPECTED, as_text, describe
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_TOLERANCE = 1  # pixels by which a cropped mask may differ from its rounded box


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with FiftyOne's ``samples.json``, or that file."""
    path = path / "samples.json" if path.is_dir() else path
    if path.name != "samples.json" or not path.is_file():
        return False
    with path.open("rb") as file:
        return b'"samples"' in file.read(4096)


def load(request: LoadRequest) -> Dataset:
    """Load the FiftyOne port of RefCOCO-M.

    Expected files; each *sentence* is one detection, whose ``label`` it is::

        samples.json      {"samples": [{"filepath": "data/COCO_train2014_….jpg", "image_id": 1,
                            "metadata": {"width": 640, "height": 480},
                            "detections": {"detections": [{"label": "right most cup",
                              "bounding_box": [x, y, w, h], "mask": {"$binary": …},
                              "category": "cup", "ref_id": 7}, …]}}, …]}
        data/COCO_train2014_000000581857.jpg

    Boxes are shares of the picture; a mask is cropped to its box, and is put back at
    ``round(x * W), round(y * H)``. Its size must be that of the rounded box, give or take one
    pixel: otherwise it is a problem, because the mask would be shifted. ``ref_id`` is what
    RefCOCO-M calls the sample's ``id``; ids of examples are the same as there.

    Raises:
        FormatError: If the file is cut off or of another layout.
    """
    path = request.path / "samples.json" if request.path.is_dir() else request.path
    content = read_json(path)
    samples = content.get("samples") if isinstance(content, dict) else None
    if not isinstance(samples, list):
        raise FormatError("has no list 'samples'", path=path)
    builder = DatasetBuilder(
        name="refcoco-m", format="fiftyone", source=request.source, distractors_known=False
    )
    parts = [_split_of(sample) for sample in samples]
    split, chosen = choose_splits(request.split, parts, what="refcoco-m")
    finder = PictureFinder(path.parent, request.images)
    for number, (sample, part) in enumerate(zip(samples, parts, strict=True)):
        if part not in chosen:
            continue
        where = f"sample {number}"
        try:
            _add_sample(builder, sample, part, path.parent, finder, where)
        except UNEXPECTED as error:
            raise FormatError(describe(error), path=path, record=where) from error
    return builder.build(split=split)


def _split_of(sample: Any) -> str:
    """Take the split from the tags, or RefCOCO-M's only one where none is a split."""
    tags = sample.get("tags") if isinstance(sample, dict) else None
    names = [canonical_split(tag) for tag in tags or [] if isinstance(tag, str)]
    return next((n for n in names if n in ("train", "val", "test", "testA", "testB")), "val")


def _add_sample(
    builder: DatasetBuilder, sample: dict[str, Any], split: str, folder: Path,
    finder: PictureFinder, where: str,
) -> None:
    lists = [
        value["detections"] for value in sample.values()
        if isinstance(value, dict) and isinstance(value.get("detections"), list)
    ]
    if not lists:
        raise KeyError("detections")
    file_name = str(sample["filepath"]).replace("\\", "/")
    location = find_below(folder, file_name)
    if location is None:
        location = _find(finder, folder, file_name, builder.log, where)
    metadata = sample.get("metadata") or {}
    size = (metadata.get("height"), metadata.get("width"))
    if None in size:
        if location is None:
            raise FormatError("gives no size of its picture, which was not found either",
                              path=folder / "samples.json", record=where)
        size = picture_size(location)
    image = builder.add_image(
        str(sample.get("image_id", Path(file_name).stem)), file_name=Path(file_name).name,
        size_hw=size, location=location, where=where,
    )
    objects: dict[tuple[str, str], int] = {}
    counts: dict[str, int] = {}
    for detection in lists[0]:
        ref_id = str(detection["ref_id"])
        key = (ref_id, json.dumps([detection.get("mask"), detection.get("mask_path"),
                                   detection["bounding_box"]]))
        if key not in objects:
            mask, box = _place(detection, builder.size_of(image), folder)
            objects[key] = builder.add_object(
                image, annotation_id="", category=str(detection.get("category") or "object"),
                supercategory=str(detection.get("supercategory") or ""), mask=mask,
                box_xywh=box, where=f"{where}, ref {ref_id}",
            )
        place = counts[ref_id] = counts.get(ref_id, -1) + 1
        builder.add_expression(
            image, sentence=as_text(detection["label"], "a label"), sample_id=ref_id,
            example_id=f"{ref_id}:{place}", objects=(objects[key],), split=split,
        )


def _find(
    finder: PictureFinder, folder: Path, file_name: str, log: ProblemLog, where: str
) -> Path | None:
    name = Path(file_name).name
    return find_below(folder, f"data/{name}") or finder.find_or_log([name], log, where)


def _place(
    detection: dict[str, Any], size_hw: tuple[int, int], folder: Path
) -> tuple[Any, tuple[float, ...]]:
    """Put a cropped mask into its picture; give the error in its place where that cannot be."""
    height, width = size_hw
    x, y, w, h = (float(value) for value in detection["bounding_box"])
    box = (x * width, y * height, w * width, h * height)
    try:
        if not all(abs(value) <= 2 for value in (x, y, w, h)):
            raise MaskError(f"the box {[x, y, w, h]} is not given as shares of the picture")
        crop = _crop(detection, folder)
        expected = (round(h * height), round(w * width))
        if any(abs(a - b) > _TOLERANCE for a, b in zip(crop.shape, expected, strict=True)):
            raise MaskError(
                f"the cropped mask is {crop.shape[1]} x {crop.shape[0]} pixels, but its box "
                f"{expected[1]} x {expected[0]}"
            )
        top = _moved_in(round(y * height), crop.shape[0], height)
        left = _moved_in(round(x * width), crop.shape[1], width)
        array = np.zeros(size_hw, bool)
        array[top : top + crop.shape[0], left : left + crop.shape[1]] = crop
        return Mask.from_array(array), box
    except InspectorError as error:
        return error, box


def _moved_in(begin: int, length: int, whole: int) -> int:
    """Move a crop by the one pixel that rounding may push it over the picture's edge."""
    moved = min(max(begin, 0), whole - length)
    if moved < 0 or abs(moved - begin) > _TOLERANCE:
        raise MaskError(
            f"the cropped mask covers pixels {begin} to {begin + length} of a side of {whole}"
        )
    return moved


def _crop(detection: dict[str, Any], folder: Path) -> np.ndarray:
    """Read the mask: a compressed array in the file, or a picture that it names."""
    value = detection.get("mask")
    if value is None and isinstance(detection.get("mask_path"), str):
        path = find_below(folder, detection["mask_path"].replace("\\", "/"))
        if path is None:
            raise MaskError(f"the mask picture {detection['mask_path']} was not found")
        return read_mask_picture(path)[0]
    if isinstance(value, dict):
        binary = value.get("$binary")
        value = binary.get("base64") if isinstance(binary, dict) else binary
    if not isinstance(value, str):
        raise MaskError("the detection has no mask")
    try:
        packed = zlib.decompressobj()
        data = packed.decompress(base64.b64decode(value), MAX_PIXELS + 1024)
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # numpy raises many kinds on a broken head, as zlib does
        raise MaskError(f"the cropped mask cannot be read ({str(error)[:80]})") from error
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "bui":
        raise MaskError("the cropped mask is no array of two dimensions")
    return array > 0
