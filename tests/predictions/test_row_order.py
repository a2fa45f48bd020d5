"""Predictions without keys: only if just as many, with a warning and a probe."""

from __future__ import annotations

import pytest

from inspector.core.errors import FormatError
from inspector.predictions import load_run
from tests.building import Picture, Said, Thing, make_dataset
from tests.predictions.scene import CUP, KITCHEN, codes, rectangle, save_json, save_lines

SIZE = (40, 60)
BOXES = [(5 * k, 3 * k, 5 * k + 14, 3 * k + 12) for k in range(9)]
SCENE = make_dataset(*(
    Picture(f"{k}", SIZE, (Thing(f"1{k}", "cup", rectangle(SIZE, *box)),),
            (Said(f"10{k}", f"cup {k}", (f"1{k}",), ref_id=f"2{k}"),))
    for k, box in enumerate(BOXES)
))


def predictions(shift: int = 0, count: int = 9, size=SIZE) -> list[dict]:
    chosen = [BOXES[(k + shift) % 9] for k in range(count)]
    return [{"segmentation": rectangle(size, *box).to_json(), "score": 1} for box in chosen]


def load(path):
    return load_run(SCENE, path, name="model")


def test_the_probe_confirms_the_right_order(tmp_path):
    run = load(save_json(tmp_path / "run.json", predictions()))
    assert run.alignment == ("9 by row order",)
    (problem,) = run.problems
    assert (problem.code, problem.severity) == ("row-order", "warning")
    assert problem.message.startswith(
        "The file has no keys: predictions were taken in the order of the data set; 9 of 9 masks "
        "have their picture's size; mean IoU is 1.000, of shuffled predictions 0.0"
    )
    assert problem.message.endswith(
        "That speaks for the order: write sent_id beside each prediction."
    )


def test_the_probe_speaks_against_a_wrong_order(tmp_path):
    run = load(save_json(tmp_path / "run.json", predictions(shift=4)))
    assert [(p.code, p.severity) for p in run.problems] == [("row-order", "error")]
    assert "That speaks against the order" in run.problems[0].message


def test_sizes_that_do_not_match_speak_against_the_order(tmp_path):
    run = load(save_json(tmp_path / "run.json", predictions(8)[:8] + [
        {"segmentation": rectangle((30, 30), 1, 1, 9, 9).to_json()}]))
    (problem,) = [p for p in run.problems if p.code == "row-order"]
    assert problem.severity == "error"
    assert "8 of 9 masks have their picture's size" in problem.message


@pytest.mark.parametrize("count", [8, 10, 1])
def test_another_number_is_never_taken_in_order(count, tmp_path):
    records = (predictions() * 2)[:count]
    with pytest.raises(FormatError, match=rf"it has {count} predictions, the data set 9 examples"):
        load(save_json(tmp_path / "run.json", records))


def test_keys_that_fit_nothing_are_no_reason_to_take_the_order(tmp_path):
    # another split with just as many sentences would be scored in silence
    records = [record | {"sent_id": 900 + k} for k, record in enumerate(predictions())]
    with pytest.raises(FormatError, match="the first names sent_id 900"):
        load(save_json(tmp_path / "run.json", records))


def test_sentences_without_ids_must_agree_with_the_order(tmp_path):
    records = [record | {"caption": f"Cup {k}"} for k, record in enumerate(predictions())]
    records[3]["caption"], records[4]["caption"] = "cup 4", "cup 3"
    run = load(save_json(tmp_path / "run.json", records))
    assert run.unmatched == 2
    assert [p.message for p in run.problems if p.code == "unmatched-prediction"] == [
        "No example has row 4 with the sentence 'cup 4' (here it is 'cup 3').",
        "No example has row 5 with the sentence 'cup 3' (here it is 'cup 4').",
    ]


def test_places_in_the_data_set_serve_where_there_is_no_key(tmp_path):
    lines = [
        {"doc_id": k, "m": {"pred": [left / 60, top / 40, right / 60, bottom / 40]}}
        for k, (left, top, right, bottom) in enumerate(BOXES)
    ]
    run = load(save_lines(tmp_path / "samples.jsonl", *reversed(lines)))
    assert "9 by row order" in run.alignment
    assert run.box_xywh(2) == pytest.approx((10, 6, 14, 12))
    assert codes(run) == ["box-scale", "row-order"]
    with pytest.raises(FormatError, match="its numbers are not 0, 1, 2, … without gap"):
        load(save_lines(tmp_path / "samples.jsonl", *lines[:4], *lines[5:]))


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_boxes_that_are_all_missing_confirm_nothing_and_print_nothing(tmp_path):
    # "mean IoU is nan"
    things = (Thing("1", "cup", CUP),)
    dataset = make_dataset(*(
        Picture(name, KITCHEN, things, (Said(f"q{name}", "cup", ("1",)),)) for name in "78"
    ))
    document = {number: {"scores": [], "boxes": []} for number in "01"}
    run = load_run(dataset, save_json(tmp_path / "run.json", document), name="model")
    (problem,) = run.problems
    assert (problem.code, problem.severity) == ("row-order", "warning")
    assert "Nothing in the file can confirm the order" in problem.message
