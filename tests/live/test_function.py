"""A function of the user's, in a process of its own, survives whatever it does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from inspector.live.function import FunctionModel
from inspector.live.model import ModelError
from tests.drawing import draw
from tests.live.questions import question

ANEW = "It is started anew for the next question."
MODULE = """
import ctypes, os, subprocess, sys, time
import numpy as np

calls = 0

def segment(picture, sentence):
    global calls
    calls += 1
    pixels = np.asarray(picture)
    assert (picture.mode, picture.size, pixels.dtype) == ("RGB", (3, 2), np.uint8)
    if sentence == "cup":
        return pixels[:, :, 0] == 1   # the middle column
    if sentence == "calls":
        return {"size": [2, 3], "counts": [6 - calls, calls]}
    if sentence == "nothing":
        return None
    if sentence == "swapped":
        return np.zeros((3, 2), bool)
    if sentence == "soft":
        return pixels[:, :, 0] / 2.0
    if sentence == "text":
        return "a cup"
    if sentence == "raise":
        return missing_name + 1
    if sentence == "raise elsewhere":
        np.zeros(3).reshape(2, 2)
    if sentence == "silent":
        raise Silent()
    if sentence == "exit":
        sys.exit("enough")
    if sentence == "print":
        print("to the terminal", sentence, flush=True)
        print("also to the terminal", file=sys.stderr, flush=True)
        os.write(1, b"past Python\\n")
        subprocess.run([sys.executable, "-c", "print('from below')"], check=True)
        return np.ones((2, 3), bool)
    if sentence == "input":
        return np.full((2, 3), sys.stdin.read() == "")
    if sentence == "hang":
        time.sleep(600)
    if sentence == "hang with a child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        time.sleep(600)
    if sentence == "die":
        os._exit(7)
    if sentence == "fault":
        ctypes.string_at(0)
    if sentence == "huge":
        return np.broadcast_to(np.zeros(1, bool), (100_000, 100_000))
    if sentence == "unknown object":
        return Silent()
    return sentence

class Silent(Exception):
    def __str__(self):
        raise RuntimeError("not even this")

class Net:
    def __call__(self, picture, sentence):
        return np.zeros((2, 3), bool)
    def method(self, picture, sentence):
        return np.ones((2, 3), bool)

net = Net()
number = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The current folder, with the user's module in it."""
    (tmp_path / "mine.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def model(folder):
    made = FunctionModel("mine:segment", timeout=30)
    yield made
    made.close()


def why(model: FunctionModel, sentence: str) -> str:
    with pytest.raises(ModelError) as caught:
        model.answer(question(sentence))
    return str(caught.value)


def test_answers(model):
    assert model.answer(question("cup")) == draw(".#.", ".#.")
    assert model.answer(question("nothing")) is None
    assert model.answer(question("calls")) == draw("..#", ".##")  # the third call of one process
    assert model.name == "mine:segment"


def test_what_is_wrong_with_an_answer_is_said_and_the_process_stays(model):
    assert why(model, "swapped").endswith("Are rows and columns swapped? Return mask.T.")
    assert why(model, "soft").startswith("The model returned an array of float64 from 0 to 1.")
    assert why(model, "text").startswith("The model returned a str. Expected is a boolean")
    assert why(model, "huge").startswith("The model returned an array of shape (100000, 100000) ")
    assert why(model, "unknown object").startswith("The model returned a mine.Silent. Expected ")
    assert model.answer(question("calls")).area == 6


def test_an_exception_is_one_line_with_its_place_in_the_users_code(model):
    line = 1 + MODULE.splitlines().index("        return missing_name + 1")
    assert why(model, "raise") == (
        "The model raised NameError: name 'missing_name' is not defined "
        f"(mine.py, line {line})."
    )
    assert why(model, "raise elsewhere") == (
        "The model raised ValueError: cannot reshape array of size 3 into shape (2,2) "
        f"(mine.py, line {line + 2})."
    )
    assert why(model, "silent") == f"The model raised Silent (mine.py, line {line + 4})."
    assert why(model, "exit") == f"The model raised SystemExit: enough (mine.py, line {line + 6})."
    assert model.answer(question("calls")).area == 5


def test_what_a_model_prints_goes_to_the_terminal(model, capfd):
    assert model.answer(question("print")).area == 6
    out, err = capfd.readouterr()
    assert out == ""
    for line in ("to the terminal print", "also to the terminal", "past Python", "from below"):
        assert line in err.splitlines()
    assert model.answer(question("input")).area == 6


def test_the_whole_exception_goes_to_the_terminal(model, capfd):
    why(model, "raise")
    assert "Traceback (most recent call last):" in capfd.readouterr().err


def test_one_that_hangs_is_stopped_and_started_anew(folder):
    model = FunctionModel("mine:segment", timeout=0.5)
    model.start()
    assert why(model, "hang") == (
        f"The model gave no answer within 0.5 s and was stopped. {ANEW} If it needs longer, load "
        "weights when the module is imported, or raise --model-timeout."
    )
    assert model.answer(question("calls")).area == 1
    model.close()


def test_what_it_started_ends_with_it(folder):
    model = FunctionModel("mine:segment", timeout=2)
    model.start()
    before = set(psutil.Process().children(recursive=True))
    asking = threading.Thread(target=lambda: why(model, "hang with a child"))
    asking.start()
    found: set[psutil.Process] = set()
    while asking.is_alive():
        found |= set(psutil.Process().children(recursive=True))
        asking.join(0.05)
    model.close()
    assert found - before
    assert psutil.wait_procs(found, timeout=10)[1] == []


def test_one_that_ends_is_started_anew(model):
    assert why(model, "die") == (
        f"The model's process ended without an answer (exit status 7). {ANEW}"
    )
    assert model.answer(question("calls")).area == 1
    assert why(model, "fault") == (
        f"The model's process ended without an answer (signal 11, SIGSEGV). {ANEW}"
    )
    assert model.answer(question("calls")).area == 1


def test_one_that_ended_between_two_questions(model):
    model.start()
    model._process._process.kill()
    model._process._process.wait()
    assert model.answer(question("calls")).area == 1


def test_closing_ends_a_call(model):
    model.start()
    heard: list[str] = []
    asking = threading.Thread(target=lambda: heard.append(why(model, "hang")))
    asking.start()
    while not model._calling.locked():
        time.sleep(0.01)
    model.close()
    asking.join(10)
    assert heard == ["The model 'mine:segment' was closed."]
    assert why(model, "cup") == "The model 'mine:segment' was closed."
    assert not psutil.Process().children()


def test_it_ends_with_the_inspector(folder):
    """Also in the middle of a call, and where the inspector is killed."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from inspector.live.function import FunctionModel\n"
        "from tests.live.questions import question\n"
        "model = FunctionModel('mine:segment', timeout=600)\n"
        "model.start()\n"
        "print('asking', flush=True)\n"
        "model.answer(question('hang'))\n"
    )
    root = str(Path(__file__).resolve().parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", program, root], stdout=subprocess.PIPE, text=True
    ) as asking:
        assert asking.stdout.readline() == "asking\n"
        children = psutil.Process(asking.pid).children(recursive=True)
        asking.kill()
    assert children
    assert psutil.wait_procs(children, timeout=30)[1] == []


class TestStarting:
    def test_objects_that_can_be_called(self, folder):
        for name, area in (("net", 0), ("net.method", 6)):
            model = FunctionModel(f"mine:{name}", timeout=30)
            assert model.answer(question()).area == area
            model.close()

    def test_a_module_on_the_path_of_this_process(self, folder, monkeypatch, tmp_path_factory):
        elsewhere = tmp_path_factory.mktemp("elsewhere")
        (elsewhere / "theirs.py").write_text("def f(picture, sentence): return None")
        monkeypatch.setattr(sys, "path", [*sys.path, str(elsewhere)])
        model = FunctionModel("theirs:f", timeout=30)
        assert model.answer(question()) is None
        model.close()

    @pytest.mark.parametrize(("content", "spec", "said"), [
        pytest.param(
            "", "absent:f", "The model 'absent:f' cannot be imported: there is no module 'absent' "
            "in the current folder or among the installed packages.", id="no module"),
        pytest.param(
            "import absent_library\n", "theirs:f", "The model 'theirs:f' cannot be imported: "
            "ModuleNotFoundError: No module named 'absent_library' (theirs.py, line 1).",
            id="no module inside"),
        pytest.param(
            "x = 1\ndef f(:\n", "theirs:f", "The model 'theirs:f' cannot be imported: SyntaxError: "
            "invalid syntax (theirs.py, line 2).", id="syntax"),
        pytest.param(
            "\n1 / 0\n", "theirs:f", "The model 'theirs:f' cannot be imported: ZeroDivisionError: "
            "division by zero (theirs.py, line 2).", id="raises"),
        pytest.param(
            "exit(3)\n", "theirs:f", "The model 'theirs:f' cannot be imported: SystemExit: 3 "
            "(theirs.py, line 1).", id="exits"),
        pytest.param(
            "import os; os._exit(3)", "theirs:f", "The model 'theirs:f' cannot be imported: its "
            "process ended (exit status 3).", id="ends"),
        pytest.param(
            "def segment(a, b): pass\nx = 1\n", "theirs:f", "The model 'theirs:f' cannot be found: "
            "theirs has no 'f'. Choose one of: segment.", id="no function"),
        pytest.param(
            "f = 3\n", "theirs:f", "The model 'theirs:f' is no function but of the type "
            "'int'. It must take a picture and a sentence.", id="no function but a number"),
    ])
    def test_what_cannot_be_imported(self, folder, content, spec, said):
        (folder / "theirs.py").write_text(content)
        model = FunctionModel(spec, timeout=30)
        with pytest.raises(ModelError) as caught:
            model.start()
        model.close()
        assert str(caught.value) == said

    def test_launching_does_not_wait(self, folder):
        (folder / "slow.py").write_text("import time; time.sleep(600)\ndef f(a, b): pass")
        model = FunctionModel("slow:f", timeout=30)
        model.launch()
        model.launch()
        assert len(psutil.Process().children()) == 1
        model.close()
        assert not psutil.Process().children()

    def test_a_folder_with_a_module_of_the_inspectors_name(self, folder):
        (folder / "inspector.py").write_text("1 / 0")
        model = FunctionModel("mine:segment", timeout=30)
        assert model.answer(question("nothing")) is None
        model.close()
