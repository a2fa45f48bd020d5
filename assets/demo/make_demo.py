"""Make the demo data set: pictures, two ground truths and three runs. See README.md beside it."""

import argparse
import importlib.util
import json
import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from pycocotools import mask as coco

from annotations import OBJECTS, PICTURES, SUPERCATEGORIES
from sentences import NO_TARGET, REFERENTS
from tight import tight_masks

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1]))  # this is a script beside the package, not a part of it

from wordless import from_box, salient  # noqa: E402 - imports the package too

from inspector.live.classical import segment  # noqa: E402 - found only now

LONGEST_SIDE = 640
FIRST_SENTENCE = 101

# Three lines of the words run are damaged on purpose, since no method fails in these ways.
MISSING, SWAPPED, BROKEN = "the smiling astronaut", "gray branch", "spoon"


def folders(opencv_doc: Path) -> dict[str, Path]:
    """Package name -> folder with its photographs; the wheels are found, not imported."""

    def wheel(module: str) -> Path:
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None:
            raise SystemExit(f"{module} is not installed; see requirements-demo.txt")
        return Path(spec.origin).parent

    return {
        "scikit-image": wheel("skimage") / "data",
        "scikit-learn": wheel("sklearn") / "datasets" / "images",
        "opencv-doc": opencv_doc,
    }


def write_picture(source: Path, target: Path) -> np.ndarray:
    """Write a photograph as a plain JPEG and return what a reader of it gets, uint8 (H, W, 3)."""
    with Image.open(source) as opened:
        picture = opened.convert("RGB")
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    picture.save(target, "JPEG", quality=88, optimize=True)
    with Image.open(target) as written:
        return np.asarray(written.convert("RGB"))


def encode(mask: np.ndarray) -> dict:
    """Mask bool (H, W) as compressed COCO run lengths."""
    rle = coco.encode(np.asfortranarray(mask.astype(np.uint8)))
    return {"size": [int(side) for side in rle["size"]], "counts": rle["counts"].decode("ascii")}


def polygon_box(polygon: list[float], shape: tuple[int, ...]) -> list[float]:
    """Box (x, y, w, h) of a polygon, cut at the picture's edge."""
    xs = np.clip(polygon[0::2], 0, shape[1])
    ys = np.clip(polygon[1::2], 0, shape[0])
    box = [xs.min(), ys.min(), xs.max() - xs.min(), ys.max() - ys.min()]
    return [round(float(side), 1) for side in box]


def mask_box(mask: np.ndarray) -> list[int]:
    """Box (x, y, w, h) of a mask bool (H, W)."""
    ys, xs = np.nonzero(mask)
    return [int(v) for v in (xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1)]


def expressions() -> dict[str, list[dict]]:
    """Picture id -> its expressions in the data set's format, numbered through."""
    parts = {word: group for group, words in SUPERCATEGORIES.items() for word in words}
    unknown = {c for things in OBJECTS.values() for c, _ in things} - set(parts)
    if unknown:
        raise SystemExit(f"categories without supercategory: {sorted(unknown)}")
    rows = [(key.rpartition("-")[0], [key], sentences) for key, sentences in REFERENTS]
    rows += [(picture, [], [sentence]) for picture, sentence in NO_TARGET]
    result: dict[str, list[dict]] = {name: [] for name in PICTURES}
    number = FIRST_SENTENCE
    for ref_id, (picture, targets, sentences) in enumerate(rows, start=1):
        for sentence in sentences:
            result[picture].append(
                {
                    "sent_id": str(number),
                    "ref_id": str(ref_id),
                    "sentence": sentence,
                    "split": "val",
                    "targets": targets,
                }
            )
            number += 1
    return result


def truth_lines(
    truth: str,
    images: dict[str, np.ndarray],
    *,
    masks: dict[str, list],
    spoken: dict[str, list[dict]],
) -> list[dict]:
    """Lines of one ground truth; ``masks`` holds tight masks (H, W) or coarse polygons."""
    groups = {word: group for group, words in SUPERCATEGORIES.items() for word in words}
    lines: list[dict] = [
        {"inspector": "dataset", "version": 1, "name": "demo", "split": "val", "truth": truth}
    ]
    for name, image in images.items():
        objects = []
        for number, ((category, _), shape) in enumerate(
            zip(OBJECTS[name], masks[name], strict=True), start=1
        ):
            is_polygon = isinstance(shape, list)
            objects.append(
                {
                    "ann_id": f"{name}-{number}",
                    "category": category,
                    "supercategory": groups[category],
                    "is_crowd": False,
                    "mask": [shape] if is_polygon else encode(shape),
                    "box_xywh": polygon_box(shape, image.shape) if is_polygon else mask_box(shape),
                }
            )
        size = [int(side) for side in image.shape[:2]]
        lines.append(
            {
                "image": {"id": name, "file_name": f"images/{name}.jpg", "size": size},
                "objects": objects,
                "expressions": spoken[name],
            }
        )
    return lines


def run_lines(
    run: str,
    images: dict[str, np.ndarray],
    *,
    boxes: dict[str, list],
    spoken: dict[str, list[dict]],
) -> list[dict]:
    """Lines of one run; a null mask says that the method found nothing to mark."""
    lines = []
    for name, image in images.items():
        for expression in spoken[name]:
            mask = None
            if run == "saliency":
                mask = salient(image)
            elif run == "words":
                mask = segment(image, expression["sentence"])
            elif expression["targets"]:
                # The only use of the truth: this run is told where the target is.
                mask = from_box(image, boxes[expression["targets"][0]])
            found = mask is not None and mask.any()
            line = {"sent_id": expression["sent_id"], "mask": encode(mask) if found else None}
            if run == "words" and expression["sentence"] == MISSING:
                continue
            if run == "words" and expression["sentence"] == SWAPPED:
                line["mask"] = encode(mask.T)
            if run == "words" and expression["sentence"] == BROKEN:
                line["mask"]["counts"] = line["mask"]["counts"][: len(line["mask"]["counts"]) // 2]
            lines.append(line)
    return lines


def write_lines(path: Path, lines: list[dict]) -> None:
    """Write JSON Lines, UTF-8, one object a line."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Make everything into one folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--opencv-doc",
        type=Path,
        default=Path("/usr/share/doc/opencv-doc/examples/data"),
        help="folder with fruits.jpg and so on, from Debian's opencv-doc (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write (default: here)")
    args = parser.parse_args()
    cv2.setNumThreads(1)  # sums in another order could change a pixel
    (args.out / "images").mkdir(parents=True, exist_ok=True)
    (args.out / "runs").mkdir(exist_ok=True)

    where = folders(args.opencv_doc)
    images = {
        name: write_picture(where[package] / file, args.out / "images" / f"{name}.jpg")
        for name, (package, file) in PICTURES.items()
    }
    polygons = {
        name: [clip(polygon, images[name].shape) for _, polygon in things]
        for name, things in OBJECTS.items()
    }
    spoken = expressions()
    tight = {name: tight_masks(images[name], name, polygons=polygons[name]) for name in images}
    write_lines(
        args.out / "truth-coarse.jsonl",
        truth_lines("coarse", images, masks=polygons, spoken=spoken),
    )
    write_lines(
        args.out / "truth-tight.jsonl", truth_lines("tight", images, masks=tight, spoken=spoken)
    )
    boxes = {
        f"{name}-{number}": polygon_box(polygon, images[name].shape)
        for name, shapes in polygons.items()
        for number, polygon in enumerate(shapes, start=1)
    }
    for run in ("saliency", "words", "box"):
        write_lines(
            args.out / "runs" / f"{run}.jsonl", run_lines(run, images, boxes=boxes, spoken=spoken)
        )
    count = sum(len(rows) for rows in spoken.values())
    print(f"{len(images)} pictures, {len(boxes)} objects, {count} expressions in {args.out}")


def clip(polygon: list[float], shape: tuple[int, ...]) -> list[float]:
    """Polygon with its corners moved into the picture, as annotation tools do."""
    points = np.array(polygon, np.float64).reshape(-1, 2)
    points = points.clip(0, [shape[1], shape[0]])
    return [round(float(v), 1) for v in points.ravel()]


if __name__ == "__main__":
    main()
