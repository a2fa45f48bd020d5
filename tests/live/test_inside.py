"""A function of this program is asked in a thread, and its faults are said as others' are."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from inspector.live.inside import InsideModel
from inspector.live.model import ModelError
from tests.drawing import draw
from tests.live.questions import question


def second_column(picture, sentence):
    return np.asarray(picture)[:, :, 0] == 1


def why(model: InsideModel) -> str:
    with pytest.raises(ModelError) as caught:
        model.answer(question())
    return str(caught.value)


def test_answers():
    model = InsideModel(second_column, timeout=30)
    assert model.name == "second_column"
    for _ in range(3):
        assert model.answer(question()) == draw(".#.", ".#.")
    assert InsideModel(lambda picture, sentence: None, timeout=30).answer(question()) is None


def test_faults():
    def leave(picture, sentence):
        raise SystemExit(sentence)

    said = why(InsideModel(leave, timeout=30))
    assert said.startswith("The model raised SystemExit: the cup (test_inside.py, line ")
    swapped = InsideModel(lambda picture, sentence: np.zeros((3, 2), bool), timeout=30)
    assert why(swapped).endswith("Are rows and columns swapped? Return mask.T.")


def test_one_that_hangs_is_left_and_refuses_until_it_returns():
    gate = threading.Event()

    def hang(picture, sentence):
        gate.wait(60)

    model = InsideModel(hang, timeout=0.2)
    assert why(model) == (
        "The model 'hang' gave no answer within 0.2 s. It runs inside this program and cannot be "
        "stopped; raise model_timeout if it needs longer."
    )
    assert why(model) == (
        "The model 'hang' is still at an earlier question, which took longer than 0.2 s. It runs "
        "inside this program and cannot be stopped."
    )
    gate.set()
    model._thread.join(60)
    assert model.answer(question()) is None


def test_closing_leaves_a_call():
    begun, gate = threading.Event(), threading.Event()

    def hang(picture, sentence):
        begun.set()
        gate.wait(60)

    model = InsideModel(hang, timeout=60)
    heard: list[str] = []
    asking = threading.Thread(target=lambda: heard.append(why(model)))
    asking.start()
    assert begun.wait(60)
    model.close()
    asking.join(60)
    assert heard == ["The model 'hang' was closed."]
    gate.set()
