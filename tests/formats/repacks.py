"""The scene as the parquet files of the hub's re-packs have it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.formats.layouts import OBJECTS
from tests.formats.writing import PICTURES, coco_name, write_pictures

POLYGONS = {
    101: [1.0, 1, 3, 1, 3, 3, 1, 3], 102: [4.0, 1, 5, 1, 5, 4, 4, 4],
    201: [0.0, 0, 3, 0, 3, 1, 4, 1, 4, 2, 0, 2],
}
CATEGORY = {41: 47, 16: 18}
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
SENTENCE = pa.struct([
    ("raw", pa.string()), ("sent", pa.string()), ("sent_id", pa.int64()),
    ("tokens", pa.list_(pa.string())),
])


def write(folder: Path, name: str, rows: Any, schema: pa.Schema) -> Path:
    (folder / "data").mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema=schema)
    pq.write_table(table, folder / "data" / name, row_group_size=2)
    return folder


def sentences_of(sentences: Any) -> list[dict[str, Any]]:
    return [{"raw": sent.upper(), "sent": sent, "sent_id": number, "tokens": sent.split()}
            for number, sent in sentences]


def annotation_of(ref_id: int, ann_id: int, image: int, cat: int, mask: Any) -> dict[str, Any]:
    return {
        "id": ann_id, "image_id": image, "category_id": CATEGORY[cat], "iscrowd": 0,
        "area": float(mask.area), "bbox": list(mask.box_xywh), "segmentation": [POLYGONS[ref_id]],
    }


JXU = pa.schema([
    ("ref_id", pa.int64()), ("ann_id", pa.int64()), ("image_id", pa.int64()),
    ("category_id", pa.int64()), ("split", pa.string()), ("file_name", pa.string()),
    ("sentences", pa.list_(SENTENCE)), ("raw_anns", pa.string()), ("raw_image_info", pa.string()),
    ("image_path", pa.string()), ("bbox", pa.list_(pa.float64())),
])


def jxu_rows() -> list[dict[str, Any]]:
    rows = []
    for ref_id, ann_id, image, cat, mask, sentences in OBJECTS:
        x, y, width, height = mask.box_xywh
        size = mask.size_hw
        info = {"id": image, "file_name": coco_name(image), "height": size[0], "width": size[1]}
        rows.append({
            "ref_id": ref_id, "ann_id": ann_id, "image_id": image, "category_id": CATEGORY[cat],
            "split": "val", "file_name": coco_name(image).replace(".jpg", f"_{ref_id}.jpg"),
            "sentences": sentences_of(sentences),
            "raw_anns": json.dumps(annotation_of(ref_id, ann_id, image, cat, mask)),
            "raw_image_info": json.dumps(info), "image_path": f"coco/train2014/{coco_name(image)}",
            "bbox": [x, y, x + width, y + height],
        })
    return rows


def write_jxu124(
    root: Path, *, rows: Any = None, schema: pa.Schema = JXU, called: str = "refcoco",
    file: str = "validation-00000-of-00001-0123456789abcdef.parquet",
) -> Path:
    """Write ``refcoco/data/validation….parquet``, one row a ref, and pictures beside it."""
    write_pictures(root)
    return write(root / called, file, jxu_rows() if rows is None else rows, schema)


ANN_INFO = pa.struct([
    ("id", pa.int64()), ("image_id", pa.int64()), ("category_id", pa.int64()),
    ("iscrowd", pa.int64()), ("area", pa.float64()), ("bbox", pa.list_(pa.float64())),
    ("segmentation", pa.list_(pa.list_(pa.float64()))),
])
REF_INFO = pa.struct([
    ("ref_id", pa.int64()), ("ann_id", pa.int64()), ("split", pa.string()),
    ("sentences", pa.list_(SENTENCE)),
])
BENCHMARK = pa.schema([
    ("ref_list", pa.list_(pa.struct([("ann_info", ANN_INFO), ("ref_info", REF_INFO)]))),
    ("image_info", pa.struct([
        ("file_name", pa.string()), ("height", pa.int64()), ("width", pa.int64()),
        ("id", pa.int64()),
    ])),
    ("image", IMAGE),
])


def benchmark_rows() -> list[dict[str, Any]]:
    rows = []
    for image, (height, width) in ((1, (4, 6)), (2, (3, 5))):
        entries = [
            {"ann_info": annotation_of(ref_id, ann_id, image, cat, mask),
             "ref_info": {"ref_id": ref_id, "ann_id": ann_id, "split": "val",
                          "sentences": sentences_of(sentences)}}
            for ref_id, ann_id, own, cat, mask, sentences in OBJECTS if own == image
        ]
        info = {"file_name": coco_name(image), "height": height, "width": width, "id": image}
        rows.append({"ref_list": entries, "image_info": info,
                     "image": {"bytes": PICTURES[image], "path": None}})
    return rows


def write_benchmark(
    root: Path, *, rows: Any = None, name: str = "refcoco_unc_val-00000-of-00001.parquet"
) -> Path:
    """Write ``refcoco-benchmark/data/refcoco_unc_val….parquet``, one row a picture."""
    return write(
        root / "refcoco-benchmark", name, benchmark_rows() if rows is None else rows, BENCHMARK
    )


LMMS = pa.schema([
    ("question_id", pa.string()), ("image", IMAGE), ("question", pa.string()),
    ("answer", pa.list_(pa.string())), ("segmentation", pa.list_(pa.float32())),
    ("bbox", pa.list_(pa.float32())), ("iscrowd", pa.int8()), ("file_name", pa.string()),
])


def lmms_rows() -> list[dict[str, Any]]:
    return [
        {
            "question_id": str(ann_id), "image": {"bytes": PICTURES[image], "path": None},
            "question": "Describe the region.", "answer": [sent for _, sent in sentences],
            "segmentation": POLYGONS[ref_id], "bbox": list(mask.box_xywh), "iscrowd": 0,
            "file_name": coco_name(image).replace(".jpg", f"_{ann_id}.jpg"),
        }
        for ref_id, ann_id, image, _, mask, sentences in OBJECTS
    ]


def write_lmms_lab(
    root: Path, *, rows: Any = None, schema: pa.Schema = LMMS, called: str = "RefCOCOplus",
    file: str = "val-00000-of-00001.parquet",
) -> Path:
    """Write ``RefCOCOplus/data/val….parquet``, one row a ref."""
    return write(root / called, file, lmms_rows() if rows is None else rows, schema)


RICKY = pa.schema([
    ("image", IMAGE), ("text", pa.string()), ("mask", pa.list_(pa.list_(pa.bool_()))),
    ("image_id", pa.string()), ("ann_id", pa.string()), ("img_height", pa.int32()),
    ("img_width", pa.int32()), ("bbox", pa.list_(pa.int32())),
])


def ricky_rows() -> list[dict[str, Any]]:
    rows = []
    for _, ann_id, image, _, mask, sentences in OBJECTS:
        x, y, width, height = (int(value) for value in mask.box_xywh)
        rows += [
            {
                "image": {"bytes": PICTURES[image], "path": None}, "text": sent,
                "mask": mask.to_array().tolist(), "image_id": str(image), "ann_id": str(ann_id),
                "img_height": mask.size_hw[0], "img_width": mask.size_hw[1],
                "bbox": [x, y, x + width, y + height],
            }
            for _, sent in sentences
        ]
    return rows


def write_ricky06662(
    root: Path, *, rows: Any = None, schema: pa.Schema = RICKY, called: str = "refcoco_val_all"
) -> Path:
    """Write ``refcoco_val_all/data/test….parquet``, one row an object and sentence."""
    return write(
        root / called, "test-00000-of-00001.parquet", ricky_rows() if rows is None else rows,
        schema,
    )
