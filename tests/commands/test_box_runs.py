"""Runs of boxes alone get the numbers that boxes have, or a word about it; never dashes alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.formats import DEMO_FOLDER, load_dataset
from inspector.formats.request import LoadRequest


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Two runs of boxes, of which the second is always to the right, and two of masks."""
    monkeypatch.chdir(tmp_path)
    for name, shift in (("first", 0), ("second", 9)):
        lines = []
        for example in load_dataset(LoadRequest("demo")):
            if example.referents:
                x, y, width, height = example.referents[0].box_xywh
                box = [x + shift, y, width, height]
                lines.append(json.dumps({"example_id": example.id, "box_xywh": box}) + "\n")
        Path(f"{name}.jsonl").write_text("".join(lines))
    for name in ("words", "box"):
        Path(f"{name}.jsonl").write_bytes((DEMO_FOLDER / "runs" / f"{name}.jsonl").read_bytes())
    return tmp_path


def runs(*names: str) -> list[str]:
    return [word for name in names for word in ("--run", f"{name}.jsonl")]


def test_two_runs_of_boxes_are_compared_by_boxes(folder, capsys):
    assert main(["compare", "demo", *runs("first", "second"), "--json", "out.json"]) == 0
    out = capsys.readouterr().out
    assert "run     box_mIoU" in out
    assert "Order by box_mIoU: first > second" in out
    assert "example by example" not in out  # which is about masks
    first, second = json.loads(Path("out.json").read_text())["runs"]
    assert set(first["metrics"]) == {"box_mIoU", "box_Acc@0.5"}
    assert first["metrics"]["box_mIoU"]["value"] > second["metrics"]["box_mIoU"]["value"]


def test_masks_and_boxes_have_no_number_in_common(folder, capsys):
    assert main(["compare", "demo", *runs("first", "words")]) == 2
    assert capsys.readouterr().err == (
        "error: 'first' holds boxes alone and another run no boxes: no number is defined on both. "
        "Leave one of the two kinds out.\n"
    )


def test_two_runs_of_masks_are_compared_beside_one_of_boxes(folder, capsys):
    assert main(["compare", "demo", *runs("first", "words", "box")]) == 0
    out = capsys.readouterr().out
    (row,) = [line for line in out.splitlines() if line.startswith("words less box")
              and "mIoU" in line]
    assert "–" not in row


def test_what_a_second_truth_changes_is_said_of_masks_alone(folder, capsys):
    assert main(["truths", "demo:coarse", "demo:tight", *runs("first", "words")]) == 0
    out = capsys.readouterr().out
    assert out.count("It holds boxes alone; what another ground truth changes") == 1
    assert out.count("selection effect") == 1
    assert main(["truths", "demo:coarse", "demo:tight", *runs("first")]) == 0
    assert "Effects in hundredths" not in capsys.readouterr().out


@pytest.mark.parametrize(("given", "said"), [
    pytest.param(runs("words"), "It takes two runs to compare, but got 1. Add --run", id="one"),
    pytest.param(["--run", "a=words.jsonl"] * 1 + [
        word for n in range(10) for word in ("--run", f"r{n}=words.jsonl")
    ], "At most 10 runs can be compared, but got 11. Leave some out.", id="eleven"),
])
def test_how_many_can_be_compared_is_said_before_the_data_is_read(given, said, folder, capsys):
    assert main(["compare", "no data set", *given]) == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")
