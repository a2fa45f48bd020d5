"""Writers of predictions in the shape of each producer; what is written is that of the scene."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from inspector.core.mask import Mask
from tests.predictions.scene import rows, save_json, save_lines


def xyxy(box: list[float]) -> list[float]:
    x, y, width, height = box
    return [x, y, x + width, y + height]


def picture(mask: Mask, value: int = 255) -> Image.Image:
    return Image.fromarray(mask.to_array().astype(np.uint8) * value)


def svg(mask: Mask) -> dict:
    """Write a rectangle as Moondream does: the whole of its own box."""
    x, y, width, height = mask.box_xywh
    rows_, columns = mask.size_hw
    sides = {"x_min": x / columns, "y_min": y / rows_, "x_max": (x + width) / columns,
             "y_max": (y + height) / rows_}
    return {"path": "M0,0H1V1H0z", "bbox": sides}


def write_cris(path: Path) -> Path:
    path.mkdir()
    for row in rows():
        name = row["sentence"].replace(" ", "_")
        iou = 100 * row["I"] / row["U"]
        picture(row["mask"]).save(path / f"{row['ref_id']}-iou={iou:.2f}-{name}.png")
        picture(row["target"]).save(path / f"{row['ref_id']}-mask.png")
        (path / f"{row['ref_id']}-img.jpg").touch()
    return path


def write_lisa(path: Path) -> Path:
    path.mkdir()
    counts: dict[int, int] = {}
    for row in rows():
        number = counts[row["image_id"]] = counts.get(row["image_id"], -1) + 1
        stem = f"COCO_train2014_{row['image_id']:012d}"
        picture(row["mask"], 100).save(path / f"{stem}_mask_{number}.jpg", quality=95)
        (path / f"{stem}_masked_img_{number}.jpg").touch()
    return path


def write_seg_zero(path: Path) -> Path:
    path.mkdir()
    records = [
        {"image_id": str(row["image_id"]), "ann_id": str(row["ann_id"]), "think": "…",
         "intersection": row["I"], "union": row["U"], "bbox_iou": 1}
        for row in rows()
    ]
    save_json(path / "output_0.json", records[:2])
    save_json(path / "output_1.json", records[2:])
    return path


def write_mask_folder(path: Path) -> Path:
    path.mkdir()
    for row in rows():
        picture(row["mask"]).save(path / f"{row['sent_id']}.png")
    return path


def write_arrays(path: Path) -> Path:
    np.savez_compressed(
        path.with_suffix(".npz"), **{str(row["sent_id"]): row["mask"].to_array() for row in rows()}
    )
    return path.with_suffix(".npz")


def write_mattnet(path: Path) -> Path:
    return save_json(path, {"predictions": [
        {"sent_id": row["sent_id"], "sent": row["sentence"], "gd_box": row["box"],
         "pred_det_id": 1, "pred_box": row["box"], "pred_score": 0.9, "rle": row["mask"].to_json()}
        for row in rows()
    ], "acc": 0.5, "iou": 0.7})


def write_samtok(path: Path) -> Path:
    return save_json(path, {"model": "m", "per_sample_results": [
        {"image_id": row["image_id"], "expression": row["sentence"],
         "metrics": {"iou": row["I"] / row["U"], "precision": 0.9, "pred_count": 1}}
        for row in rows()
    ]})


def write_mdetr(path: Path) -> Path:
    return save_json(path, {
        str(row["sent_id"]): {"scores": [0.1, 0.9], "boxes": [[0, 0, 1, 1], xyxy(row["box"])]}
        for row in rows()
    })


def write_rela(path: Path) -> Path:
    records = []
    for row in rows():
        height, width = row["size"]
        scale = 480 * 480 / (height * width)
        shared, covered = round(row["I"] * scale), round(row["U"] * scale)
        records.append({
            "source": "grefcoco", "img_id": row["image_id"], "gt_nt": False, "pred_nt": False,
            "sent": row["sentence"], "sent_info": {"raw": row["sentence"],
                                                   "sent_id": row["sent_id"],
                                                   "ref_id": row["ref_id"]},
            "I": shared, "U": covered, "cIoU": shared / covered,
        })
    return save_json(path, records)


def write_sa2va(path: Path) -> Path:
    first, second, third, last = rows()

    def counts(row: dict, key: str) -> str:
        return row[key].to_json()["counts"]

    return save_json(path, [
        {"img_id": str(place), "gt_masks": [counts(row, "target") for row in group],
         "prediction_masks": [[counts(row, "mask")] for row in group]}
        for place, group in enumerate([[last], [first, second, third]])  # an order of its own
    ])


def write_sam(path: Path) -> Path:
    return save_json(path, [
        {"sent_id": row["sent_id"], "segmentation": mask.to_json(), "predicted_iou": score,
         "stability_score": 0.9, "bbox": row["box"]}
        for row in rows()
        for mask, score in ((Mask.empty(row["size"]), 0.3), (row["mask"], 0.8))
    ])


def write_padt(path: Path) -> Path:
    return save_lines(path, *(
        {"image_id": row["image_id"], "category": row["sentence"], "bbox": row["box"],
         "score": 0.9, "mask": row["mask"].to_json()}
        for row in rows()
    ))


def write_coco_results(path: Path) -> Path:
    return save_json(path, [
        {"image_id": row["image_id"], "category_id": 1, "caption": row["sentence"].upper(),
         "segmentation": row["mask"].to_json(), "score": 0.9}
        for row in rows()
    ])


def write_moondream(path: Path) -> Path:
    return save_lines(path, *({"sent_id": row["sent_id"], **svg(row["mask"])} for row in rows()))


def write_lmms_eval(path: Path) -> Path:
    return save_lines(path.with_suffix(".jsonl"), *(
        {"doc_id": place, "target": "x", "resps": [["…"]], "filtered_resps": ["…"],
         "doc_hash": "h", "refcoco_IoU": {
             "answer": row["sentence"], "pred": relative(row), "ann_id": str(row["ann_id"]),
             "bbox": relative(row)}}
        for place, row in enumerate(rows())
    ))


def relative(row: dict) -> list[float]:
    height, width = row["size"]
    left, top, right, bottom = xyxy(row["box"])
    return [left / width, top / height, right / width, bottom / height]


def write_box_answers(path: Path) -> Path:
    lines = []
    for row in rows():
        left, top, right, bottom = (round(1000 * side) for side in relative(row))
        lines.append({
            "sent_id": row["sent_id"],
            "response": f"It is <|box_start|>({left},{top}),({right},{bottom})<|box_end|>.",
        })
    return save_lines(path, *lines)


def write_jsonl(path: Path) -> Path:
    return save_lines(path, *(
        {"sent_id": row["sent_id"], "mask": row["mask"].to_json()} for row in rows()
    ))


WRITERS: dict[str, Callable[[Path], Path]] = {
    "cris": write_cris, "lisa": write_lisa, "seg-zero": write_seg_zero,
    "mask-folder": write_mask_folder, "arrays": write_arrays, "mattnet": write_mattnet,
    "samtok": write_samtok, "mdetr": write_mdetr, "rela": write_rela, "sa2va": write_sa2va,
    "sam": write_sam, "padt": write_padt, "coco-results": write_coco_results,
    "moondream": write_moondream, "lmms-eval": write_lmms_eval, "box-answers": write_box_answers,
    "jsonl": write_jsonl,
}
HOLDS = {  # what each format's scores rest on
    "seg-zero": "counts", "rela": "counts", "samtok": "iou", "mdetr": "box", "lmms-eval": "box",
    "box-answers": "box",
}
