"""The scene in the formats that are folders of JSON, pickles and mask pictures."""

from __future__ import annotations

import base64
import io
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from inspector.core.mask import Mask
from tests.formats.writing import (
    DOG,
    LEFT_MUG,
    PICTURES,
    RIGHT_MUG,
    coco_name,
    ref,
    scene_refs,
    write_pictures,
    write_refer,
)

OBJECTS = (  # ref_id, ann_id, image, COCO's index of the category, mask, sentences with ids
    (101, 11, 1, 41, LEFT_MUG, ((0, "left mug"), (1, "the cup on the left"))),
    (102, 12, 1, 41, RIGHT_MUG, ((2, "right mug"),)),
    (201, 21, 2, 16, DOG, ((3, "a dog"),)),
)


def write_grefcoco(root: Path, *, refs: Any = None, name: str = "grefs(unc).json") -> Path:
    """Write ``grefcoco/`` as gRefCOCO was released: targets are lists."""
    if refs is None:
        refs = [{**record, "ann_id": [record["ann_id"]]} for record in scene_refs()]
    return write_refer(root, refs=refs, name=name, called="grefcoco")


def write_ref_zom(root: Path, *, refs: Any = None) -> Path:
    """Write ``ref-zom/``, whose refs say how many targets they have."""
    if refs is None:
        refs = [{**record, "ann_id": [record["ann_id"]], "source": "one"}
                for record in scene_refs()]
    return write_refer(root, refs=refs, name="refs(final).p", called="ref-zom")


def write_r_refcoco(root: Path, *, refs: Any = None, called: str = "rrefcoco") -> Path:
    """Write ``rrefcoco/``, whose sentences may say that they refer to nothing."""
    if refs is None:
        refs = scene_refs()
        for record in refs:
            for sentence in record["sentences"]:
                sentence["exist"] = True
    return write_refer(root, refs=refs, called=called)


def one_ref(*sentences: tuple[int, str, bool]) -> dict[str, Any]:
    """Write one R-RefCOCO record; each sentence says whether it refers to something."""
    record = ref(101, 11, 1, *((number, text) for number, text, _ in sentences))
    for sentence, (_, _, exists) in zip(record["sentences"], sentences, strict=True):
        sentence["exist"] = exists
    return record


def mask_png(mask: Mask, *, foreground: int = 255) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(mask.to_array().astype(np.uint8) * foreground).save(buffer, "PNG")
    return buffer.getvalue()


def mask_record(
    segment_id: Any, image: int, cat: int, mask: Mask, sentences: Any, **more: Any
) -> dict[str, Any]:
    """Write one record of CRIS: corners, a category from 0 to 79, the mask's name."""
    x, y, width, height = (int(value) for value in mask.box_xywh)
    return {
        "bbox": [x, y, x + width, y + height], "cat": cat, "segment_id": segment_id,
        "img_name": coco_name(image), "sentences_num": len(sentences),
        "sentences": [{"idx": place, "sent_id": number, "sent": sent}
                      for place, (number, sent) in enumerate(sentences)],
        **more,
    }


def scene_records() -> list[dict[str, Any]]:
    return [mask_record(ref_id, image, cat, mask, sentences)
            for ref_id, _, image, cat, mask, sentences in OBJECTS]


def write_masks(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for ref_id, _, _, _, mask, _ in OBJECTS:
        (folder / f"{ref_id}.png").write_bytes(mask_png(mask))


def write_cris(root: Path, *, records: Any = None, called: str = "refcoco") -> Path:
    """Write ``cris/anns``, ``cris/masks`` and the pictures beside them."""
    source = root / "cris"
    (source / "anns" / called).mkdir(parents=True, exist_ok=True)
    (source / "anns" / called / "val.json").write_text(
        json.dumps(scene_records() if records is None else records), encoding="utf-8"
    )
    write_masks(source / "masks" / called)
    write_pictures(root)
    return source


def write_refcocom(root: Path, *, records: Any = None, masks: str = "masks") -> Path:
    """Write ``RefCOCOm/annotations`` and ``RefCOCOm/masks`` and the pictures beside them."""
    source = root / "RefCOCOm"
    (source / "annotations").mkdir(parents=True, exist_ok=True)
    (source / "annotations" / "val.json").write_text(
        json.dumps(scene_records() if records is None else records), encoding="utf-8"
    )
    write_masks(source / masks)
    write_pictures(root)
    return source


def packed(array: np.ndarray) -> dict[str, Any]:
    """Write an array as FiftyOne keeps it in JSON."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    data = base64.b64encode(zlib.compress(buffer.getvalue())).decode()
    return {"$binary": {"base64": data, "subType": "00"}}


def detection(sentence: str, ref_id: int, category: str, mask: Mask, **more: Any) -> dict[str, Any]:
    """Write one FiftyOne detection: a relative box and the mask cropped to it."""
    height, width = mask.size_hw
    x, y, w, h = mask.box_xywh
    crop = mask.to_array()[int(y) : int(y + h), int(x) : int(x + w)]
    return {
        "_cls": "Detection", "label": sentence, "ref_id": ref_id, "category": category,
        "bounding_box": [x / width, y / height, w / width, h / height], "confidence": 1.0,
        "mask": packed(crop), **more,
    }


def scene_samples() -> list[dict[str, Any]]:
    names = {41: "cup", 16: "dog"}
    samples = []
    for image, (width, height) in ((1, (6, 4)), (2, (5, 3))):
        detections = [
            detection(sentence, ref_id, names[cat], mask)
            for ref_id, _, own, cat, mask, sentences in OBJECTS if own == image
            for _, sentence in sentences
        ]
        samples.append({
            "filepath": f"data/{coco_name(image)}", "image_id": image,
            "metadata": {"_cls": "ImageMetadata", "width": width, "height": height},
            "detections": {"_cls": "Detections", "detections": detections},
        })
    return samples


def write_fiftyone(root: Path, *, samples: Any = None) -> Path:
    """Write ``RefCOCO-M/samples.json`` and ``RefCOCO-M/data/``."""
    source = root / "RefCOCO-M"
    (source / "data").mkdir(parents=True, exist_ok=True)
    for image, content in PICTURES.items():
        (source / "data" / coco_name(image)).write_bytes(content)
    content = {"samples": scene_samples() if samples is None else samples}
    (source / "samples.json").write_text(json.dumps(content), encoding="utf-8")
    return source


def shape(label: str, *points: tuple[float, float]) -> dict[str, Any]:
    """Write one polygon as LISA's files have it; its outline belongs to it."""
    return {"label": label, "points": [list(point) for point in points]}


LEFT_SHAPE = shape("target", (1, 1), (2, 1), (2, 2), (1, 2))
RIGHT_SHAPE = shape("target", (4, 1), (4, 3))
DOG_SHAPE = shape("target", (0, 0), (2, 0), (3, 1), (0, 1))


def reasonseg_file(*texts: str, shapes: Any) -> dict[str, Any]:
    return {"text": list(texts), "is_sentence": True, "shapes": shapes}


def scene_files() -> dict[str, dict[str, Any]]:
    return {
        "1": reasonseg_file("left mug", "the cup on the left", shapes=[LEFT_SHAPE]),
        "2": reasonseg_file("a dog", shapes=[DOG_SHAPE, shape("flag", (0, 0), (4, 2))]),
    }


def write_reasonseg(root: Path, *, files: Any = None, split: str = "val") -> Path:
    """Write ``ReasonSeg/val/``: each picture beside its polygons."""
    source = root / "ReasonSeg"
    (source / split).mkdir(parents=True, exist_ok=True)
    for stem, content in (scene_files() if files is None else files).items():
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        (source / split / f"{stem}.json").write_bytes(text)
        (source / split / f"{stem}.jpg").write_bytes(PICTURES[2 if stem == "2" else 1])
    return source
