"""The same two pictures and four sentences, written in every format a test can ask for.

Picture 1 shows two mugs and a crowd of spoons, picture 2 a dog.
"""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from inspector.core.mask import Mask
from tests.drawing import draw

LEFT_MUG = draw(
    "......",
    ".##...",
    ".##...",
    "......",
)
RIGHT_MUG = draw(
    "......",
    "....#.",
    "....#.",
    "....#.",
)
SPOONS = draw(
    "######",
    "......",
    "......",
    "......",
)
DOG = draw(
    "###..",
    "####.",
    ".....",
)
TARGETS = {
    "left mug": LEFT_MUG, "the cup on the left": LEFT_MUG, "right mug": RIGHT_MUG, "a dog": DOG,
}


def picture(width: int, height: int) -> bytes:
    """Make the bytes of a small picture."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (width, height, 9)).save(buffer, "PNG")
    return buffer.getvalue()


PICTURES = {1: picture(6, 4), 2: picture(5, 3)}


def coco_name(image_id: int) -> str:
    return f"COCO_train2014_{image_id:012d}.jpg"


def annotation(ann_id: int, image_id: int, category: int, mask: Any, **more: Any) -> dict[str, Any]:
    """Write one annotation of ``instances.json``."""
    segmentation, box = mask, [0.0, 0.0, 1.0, 1.0]
    if isinstance(mask, Mask):
        segmentation, box = mask.to_json(), list(mask.box_xywh)
    return {
        "id": ann_id, "image_id": image_id, "category_id": category, "bbox": box, "iscrowd": 0,
        "segmentation": segmentation, **more,
    }


def ref(ref_id: int, ann_id: Any, image_id: int, *sentences: tuple[int, str], **more: Any) -> Any:
    """Write one record of a refs file; ``file_name`` carries the suffix that REFER adds."""
    return {
        "ref_id": ref_id, "ann_id": ann_id, "image_id": image_id, "category_id": 47,
        "split": "val", "file_name": coco_name(image_id).replace(".jpg", f"_{ref_id}.jpg"),
        "sent_ids": [sent_id for sent_id, _ in sentences],
        "sentences": [
            {"sent_id": sent_id, "sent": sent, "raw": sent.upper(), "tokens": sent.split()}
            for sent_id, sent in sentences
        ],
        **more,
    }


def scene_annotations() -> list[dict[str, Any]]:
    return [
        annotation(11, 1, 47, LEFT_MUG), annotation(12, 1, 47, RIGHT_MUG),
        annotation(13, 1, 50, SPOONS, iscrowd=1), annotation(21, 2, 18, DOG),
    ]


def scene_refs() -> list[dict[str, Any]]:
    return [
        ref(101, 11, 1, (0, "left mug"), (1, "the cup on the left")),
        ref(102, 12, 1, (2, "right mug")),
        ref(201, 21, 2, (3, "a dog")),
    ]


def write_refer(
    root: Path, *, refs: Any = None, annotations: Any = None, name: str = "refs(unc).p",
    called: str = "refcoco",
) -> Path:
    """Write ``refcoco/`` and the pictures in ``images/train2014/`` beside it."""
    folder = root / called
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "images": [
            {"id": 1, "file_name": coco_name(1), "height": 4, "width": 6},
            {"id": 2, "file_name": coco_name(2), "height": 3, "width": 5},
        ],
        "annotations": scene_annotations() if annotations is None else annotations,
        "categories": [
            {"id": 47, "name": "cup", "supercategory": "kitchen"},
            {"id": 50, "name": "spoon", "supercategory": "kitchen"},
            {"id": 18, "name": "dog", "supercategory": "animal"},
        ],
    }
    (folder / "instances.json").write_text(json.dumps(content), encoding="utf-8")
    records = scene_refs() if refs is None else refs
    packed = json.dumps(records).encode() if name.endswith(".json") else pickle.dumps(records, 2)
    (folder / name).write_bytes(packed)
    write_pictures(root)
    return folder


def write_pictures(root: Path) -> None:
    """Write the pictures where the REFER toolkit keeps them."""
    folder = root / "images" / "train2014"
    folder.mkdir(parents=True, exist_ok=True)
    for image_id, content in PICTURES.items():
        (folder / coco_name(image_id)).write_bytes(content)


SAMPLE = pa.struct([
    ("id", pa.int64()), ("image_id", pa.int64()), ("category", pa.string()),
    ("supercategory", pa.string()), ("label", pa.string()), ("sentences", pa.list_(pa.string())),
    ("bbox", pa.list_(pa.float32())),
    ("mask", pa.struct([("counts", pa.string()), ("size", pa.list_(pa.int32()))])),
])
CARD = pa.schema([
    ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    ("image_id", pa.int64()), ("file_name", pa.string()), ("samples", pa.list_(SAMPLE)),
])


def sample(sample_id: int, category: str, mask: Mask, *sentences: str) -> dict[str, Any]:
    """Write one sample of a parquet row."""
    return {
        "id": sample_id, "image_id": 0, "category": category, "supercategory": "",
        "label": category, "sentences": list(sentences), "bbox": list(mask.box_xywh),
        "mask": mask.to_json(),
    }


def scene_rows() -> list[dict[str, Any]]:
    mugs = [
        sample(101, "cup", LEFT_MUG, "left mug", "the cup on the left"),
        sample(102, "cup", RIGHT_MUG, "right mug"),
    ]
    dogs = [sample(201, "dog", DOG, "a dog")]
    return [
        {
            "image": {"bytes": PICTURES[image_id], "path": None}, "image_id": image_id,
            "file_name": coco_name(image_id), "samples": samples,
        }
        for image_id, samples in ((1, mugs), (2, dogs))
    ]


def write_refcoco_m(root: Path, *, rows: Any = None, schema: pa.Schema = CARD) -> Path:
    """Write ``refcoco-m/data/validation-00000-of-00001.parquet``, one row group a picture."""
    folder = root / "refcoco-m"
    (folder / "data").mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(scene_rows() if rows is None else rows, schema=schema)
    pq.write_table(
        table, folder / "data" / "validation-00000-of-00001.parquet", row_group_size=1
    )
    return folder


def scene_lines() -> list[dict[str, Any]]:
    def thing(ann_id: str, category: str, mask: Mask, **more: Any) -> dict[str, Any]:
        return {"ann_id": ann_id, "category": category, "mask": mask.to_json(), **more}

    def expression(sent_id: int, ref_id: int, sentence: str, target: str) -> dict[str, Any]:
        return {
            "sent_id": sent_id, "ref_id": ref_id, "sentence": sentence, "split": "val",
            "targets": [target],
        }

    return [
        {"inspector": "dataset", "version": 1, "name": "scene"},
        {
            "image": {"id": "1", "file_name": "pictures/1.jpg", "size": [4, 6]},
            "objects": [
                thing("11", "cup", LEFT_MUG), thing("12", "cup", RIGHT_MUG),
                thing("13", "spoon", SPOONS, is_crowd=True),
            ],
            "expressions": [
                expression(0, 101, "left mug", "11"),
                expression(1, 101, "the cup on the left", "11"),
                expression(2, 102, "right mug", "12"),
            ],
        },
        {
            "image": {"id": "2", "file_name": "pictures/2.jpg", "size": [3, 5]},
            "objects": [thing("21", "dog", DOG)],
            "expressions": [expression(3, 201, "a dog", "21")],
        },
    ]


def write_jsonl(root: Path, *, lines: Any = None) -> Path:
    """Write ``scene.jsonl`` and its pictures."""
    (root / "pictures").mkdir(parents=True, exist_ok=True)
    for image_id, content in PICTURES.items():
        (root / "pictures" / f"{image_id}.jpg").write_bytes(content)
    path = root / "scene.jsonl"
    texts = [json.dumps(line) for line in (scene_lines() if lines is None else lines)]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path

