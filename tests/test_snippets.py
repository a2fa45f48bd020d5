"""Every snippet of docs/predictions.md is run, and what it writes opens with the masks it had.

torch and transformers are not installed here: small stand-ins take their place, which know only
the calls that the snippets make.
"""

from __future__ import annotations

import re
import sys
import types
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inspector
from inspector.predictions import load_run
from inspector.predictions.options import RunOptions
from tests.building import Picture, Said, Thing, make_dataset
from tests.predictions.scene import CAR, CUP, DOG, KITCHEN, STREET, codes

PAGE = Path(__file__).resolve().parents[1] / "docs" / "predictions.md"
SNIPPETS = {
    text.splitlines()[0].removeprefix("# "): text
    for text in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
}
NUMPY = next(text for title, text in SNIPPETS.items() if title.startswith("numpy"))
MASKS = {101: CUP, 102: DOG, 201: CAR}


@pytest.fixture
def dataset(tmp_path):
    for name, size in (("1", KITCHEN), ("2", STREET)):
        Image.new("RGB", size[::-1]).save(tmp_path / f"{name}.png")
    return make_dataset(
        Picture("1", KITCHEN, (Thing("11", "cup", CUP), Thing("12", "dog", DOG)), (
            Said("101", "cup", ("11",), ref_id="21"), Said("102", "dog", ("12",), ref_id="22"),
        ), tmp_path / "1.png"),
        Picture("2", STREET, (Thing("13", "car", CAR),), (Said("201", "car", ("13",), "23"),),
                tmp_path / "2.png"),
    )


class Tensor:
    """Stands for torch.Tensor where a snippet touches one."""

    def __init__(self, array) -> None:
        self.array = np.asarray(array)

    def __getitem__(self, key):
        return Tensor(self.array[key])

    def __gt__(self, value):
        return Tensor(self.array > value)

    def __iter__(self):
        return (Tensor(part) for part in self.array)

    def size(self, axis):
        return self.array.shape[axis]

    def argmax(self, axis):
        return Tensor(self.array.argmax(axis))

    def numpy(self):
        return self.array

    def cpu(self):
        return self

    float = cpu
    data = property(cpu)


def interpolate(tensor: Tensor, size, mode):
    array = tensor.array[0, 0]
    sides = zip(size, array.shape, strict=True)
    rows, columns = (np.arange(new) * old // new for new, old in sides)
    return Tensor(array[rows][:, columns][None, None])


@pytest.fixture
def names(tmp_path, monkeypatch, dataset):
    """Give the names that a snippet finds, with stand-ins for what is not installed."""
    monkeypatch.chdir(tmp_path)
    functional = types.ModuleType("torch.nn.functional")
    functional.interpolate = interpolate
    nn = types.ModuleType("torch.nn")
    nn.functional = functional
    torch = types.ModuleType("torch")
    torch.nn, torch.no_grad = nn, nullcontext
    torch.load = lambda path: [
        {"pred_mask": mask.to_array().astype(np.int8), "sent_info": {"sent_id": sent_id}}
        for sent_id, mask in MASKS.items()
    ]
    transformers = types.ModuleType("transformers")
    transformers.pipeline = Pipeline
    modules = {"torch": torch, "torch.nn": nn, "torch.nn.functional": functional,
               "transformers": transformers}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(inspector, "load_dataset", lambda source, split: dataset, raising=False)
    found: dict = {"predictions": []}
    exec(NUMPY, found)  # noqa: S102 - our own page
    return found | {"torch": torch}


class Pipeline:
    """Stands for a pipeline of transformers: it knows the answers."""

    def __init__(self, task, model) -> None:
        self.answers = iter(MASKS.values())

    def __call__(self, *pictures, text, images=None):
        mask = next(self.answers)
        x, y, width, height = mask.box_xywh
        box = f'```json\n[{{"bbox_2d": [{x}, {y}, {x + width}, {y + height}]}}]\n```'
        shown = Image.fromarray(mask.to_array().astype(np.uint8) * 255)
        return [{"mask": shown, "generated_text": box}]


def run_snippet(title: str, found: dict) -> None:
    text = next(text for name, text in SNIPPETS.items() if name.startswith(title))
    if "open(" in text:
        exec(text, found)  # noqa: S102
        return
    with Path("run.jsonl").open("w") as file:
        exec(text, found | {"file": file})  # noqa: S102


def check(dataset, **options):
    run = load_run(dataset, Path("run.jsonl"), name="model", options=RunOptions(**options))
    assert [run.masks[row] for row in run.rows] == list(MASKS.values())
    return run


def test_a_numpy_loop(names, dataset):
    names["predictions"] = [(sent_id, mask.to_array()) for sent_id, mask in MASKS.items()]
    run_snippet("numpy", names)
    assert codes(check(dataset)) == []


class Number:
    """Stands for a tensor of one number, as PyTorch's usual collating makes them."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __int__(self) -> int:
        return self.value

    def __format__(self, form: str) -> str:
        return format(self.value, form)

    def __str__(self) -> str:
        return f"tensor({self.value})"


def test_a_pytorch_loop(names, dataset):
    names["loader"] = [
        {"image": [mask], "sentence": ["…"], "sent_id": [Number(sent_id)],
         "height": [Number(mask.size_hw[0])], "width": [Number(mask.size_hw[1])]}
        for sent_id, mask in MASKS.items()
    ]
    names["model"] = lambda images, sentences: Tensor(
        [mask.to_array() * 2.0 - 1 for mask in images]
    )
    run_snippet("PyTorch", names)
    check(dataset)


def test_a_pipeline_of_masks(names, dataset):
    run_snippet("Hugging Face pipeline: masks", names)
    check(dataset)


def test_a_pipeline_of_boxes(names, dataset):
    run_snippet("Hugging Face pipeline: boxes", names)
    run = load_run(dataset, Path("run.jsonl"), name="model")
    assert [run.box_xywh(k) for k in range(3)] == [mask.box_xywh for mask in MASKS.values()]


def test_the_lines_for_lavt(names, dataset):
    class Loader(list):
        dataset = types.SimpleNamespace(ref_ids=[21, 22, 23], refer=types.SimpleNamespace(
            Refs={21: {"sent_ids": [101]}, 22: {"sent_ids": [102]}, 23: {"sent_ids": [201]}}))

    sentence = Tensor(np.zeros((1, 1, 20, 1)))
    names["data_loader"] = Loader((mask, None, sentence, None) for mask in MASKS.values())
    names["model"] = lambda mask, sentence: Tensor(
        np.stack([~mask.to_array(), mask.to_array()]).astype(float)[None]
    )
    run_snippet("LAVT", names)
    check(dataset)


def test_the_lines_for_mask_token_models(names, dataset):
    class Loader(list):
        dataset = types.SimpleNamespace(refer_seg_ds={
            "images": [{"id": 1}, {"id": 2}],
            "img2refs": {1: [{"sent_ids": [101]}, {"sent_ids": [102]}], 2: [{"sent_ids": [201]}]},
        })

    names["val_loader"] = Loader([{"masks": [CUP, DOG]}, {"masks": [CAR]}])
    names["model"] = lambda masks: {"pred_masks": [
        [Tensor(mask.to_array() * 8.0 - 4) for mask in masks]
    ]}
    run_snippet("LISA", names)
    check(dataset)


def test_the_lines_for_seg_zero(names, dataset):
    names["batch"] = [
        {"image_id": example.image.id, "ann_id": example.referents[0].annotation_id,
         "text": example.expression.sentence, "mask_all": mask.to_array()}
        for example, mask in zip(dataset, MASKS.values(), strict=True)
    ]
    run_snippet("Seg-Zero", names)
    assert check(dataset).alignment == ("3 by ann_id + sentence",)


def test_the_lines_for_rela(names, dataset):
    run_snippet("ReLA", names)
    check(dataset)


def test_every_snippet_is_run_above():
    source = Path(__file__).read_text(encoding="utf-8")
    titles = re.findall(r'run_snippet\("([^"]+)"', source)
    assert len(SNIPPETS) == len(titles) == 8
    assert all(any(name.startswith(title) for title in titles) for name in SNIPPETS)


def test_every_system_of_the_leaderboard_has_a_row():
    systems = ["GETok-R1", "GETok-R1-grid", "SAM-R1", "Seg-Zero", "VisionReasoner",
               "GETok-SFT-grid", "GETok-SFT", "PixelLM", "LISA", "Qwen2.5-VL-7B", "ReLA", "LAVT",
               "CRIS"]
    rows = re.findall(r"^\| ([\w.-]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [row for row in rows if row not in ("system", "---")] == systems
