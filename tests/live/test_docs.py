"""The examples of docs/live-model.md run, with small stand-ins for what is not installed here."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from inspector.live.function import FunctionModel
from inspector.live.http_model import HttpModel
from tests.live.questions import question
from tests.server.running import running

PAGE = Path(__file__).resolve().parents[2] / "docs" / "live-model.md"
SNIPPETS = {
    text.splitlines()[0].removeprefix("# "): text
    for text in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
}
TORCH = """
import numpy as np

class Tensor:
    def __init__(self, array): self.array = array
    def squeeze(self): return Tensor(self.array.squeeze())
    def sigmoid(self): return Tensor(1 / (1 + np.exp(-self.array)))
    def numpy(self): return self.array.astype(np.float32)

def inference_mode():
    return lambda function: function
"""
TRANSFORMERS = """
import types
import numpy as np
import torch

class Loaded:
    @classmethod
    def from_pretrained(cls, name):
        assert name == "CIDAS/clipseg-rd64-refined"
        return cls()

class CLIPSegProcessor(Loaded):
    def __call__(self, *, text, images, return_tensors):
        assert return_tensors == "pt" and len(text) == len(images) == 1
        return {"marked": text[0] == "the left half"}

class CLIPSegForImageSegmentation(Loaded):
    def __call__(self, marked):
        logits = np.full((1, 352, 352), -5.0)
        logits[:, :, :176] = 5.0 if marked else -5.0
        return types.SimpleNamespace(logits=torch.Tensor(logits))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_function(folder):
    (folder / "torch.py").write_text(TORCH)
    (folder / "transformers.py").write_text(TRANSFORMERS)
    (folder / "clipseg.py").write_text(SNIPPETS["clipseg.py"])
    model = FunctionModel("clipseg:segment", timeout=60)
    asked = question("the left half", (30, 40))
    left = np.zeros((30, 40), bool)
    left[:, :20] = True
    assert np.array_equal(model.answer(asked).to_array(), left)
    assert model.answer(question("nothing", (30, 40))).area == 0
    model.close()


def test_the_server(folder, monkeypatch):
    (folder / "mine.py").write_text(
        "import numpy as np\n"
        "def segment(picture, sentence):\n"
        "    return None if sentence == 'none' else np.asarray(picture)[:, :, 1] > int(sentence)\n"
    )
    (folder / "serve.py").write_text(SNIPPETS["serve.py"])
    monkeypatch.syspath_prepend(str(folder))
    for name in ("serve", "mine"):
        monkeypatch.setitem(sys.modules, name, None)  # what comes there now goes with the test
        del sys.modules[name]
    app = importlib.import_module("serve").app
    with running(app) as address:
        model = HttpModel(f"{address}/segment", timeout=60)
        below = np.zeros((4, 3), bool)
        below[2:] = True
        assert np.array_equal(model.answer(question("1", (4, 3))).to_array(), below)
        assert model.answer(question("none", (4, 3))) is None
