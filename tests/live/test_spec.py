"""What --model takes."""

from __future__ import annotations

import os

import numpy as np
import pytest

from inspector.core.errors import UsageError
from inspector.core.run import Status
from inspector.formats.pictures import PictureStore
from inspector.live.function import FunctionModel
from inspector.live.http_model import HttpModel
from inspector.live.model import Question
from inspector.live.pictures import stored_picture
from inspector.live.spec import read_model


@pytest.mark.parametrize(("spec", "kind", "name"), [
    ("demo", FunctionModel, "demo"), ("mine:segment", FunctionModel, "mine:segment"),
    ("a.b_c.d1:Net.f", FunctionModel, "a.b_c.d1:Net.f"),
    ("http://localhost:8000/x", HttpModel, "localhost:8000"),
    ("https://host/x", HttpModel, "host"),
])
def test_kinds(spec, kind, name):
    model = read_model(spec, timeout=3)
    assert isinstance(model, kind)
    assert (model.name, model.timeout) == (name, 3)


@pytest.mark.parametrize(("spec", "hint"), [
    ("", ""), ("mine", ""), ("mine:", ""), (":f", ""), ("mine:f:g", ""), ("1:f", ""), ("a:f()", ""),
    ("a:b c", ""), ("__import__('os').system('x')", ""), ("a;b:c", ""),
    ("demmo", " Did you mean 'demo'?"),
    ("mine.py", " A file is named by its module: mine:function, from its folder."),
    ("code/mine.py:segment", " A file is named by its module: mine:function, from its folder."),
])
def test_what_is_none(spec, hint):
    with pytest.raises(UsageError) as caught:
        read_model(spec)
    assert str(caught.value) == (
        f"'{spec}' is no model. Write demo, module:function, or an address such as "
        f"https://host/path.{hint}"
    )


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 86_401])
def test_times_that_are_none(seconds):
    with pytest.raises(UsageError, match="^--model-timeout .* is no time for an answer. Write "):
        read_model("demo", timeout=seconds)


def test_the_demos_method_answers_as_its_run_did(demo_workspace):
    """Asked with the stored sentence, it gives the stored mask, pixel by pixel."""
    dataset, scores = demo_workspace.dataset, demo_workspace.scores[0]
    assert scores.run.name == "words"
    store, model = PictureStore(), read_model("demo")
    step = 1 if os.environ.get("INSPECTOR_LONG") else 15
    places = np.flatnonzero(scores.status == Status.SCORED)[::step].tolist()
    assert len(places) > 4
    for place in places:
        image = dataset.images[dataset.expressions.image[place]]
        picture = stored_picture(store.read(image.location))
        answer = model.answer(Question(picture, dataset.expressions.sentences[place]))
        stored = scores.run.masks[int(scores.run.rows[place])]
        assert answer == (None if scores.run.says_no_target[place] else stored)
    model.close()
