"""Predictions of another split or data set are named, not listed one by one."""

from __future__ import annotations

import pickle

import pytest

from inspector.core.errors import FormatError
from inspector.formats.request import LoadRequest
from inspector.workspace import open_workspace
from tests.drawing import draw
from tests.predictions.scene import save_json, save_lines

MASK = draw("##......")


def write_refer(folder, *, first: int, splits=("val", "testA", "testB"), split_by="unc") -> None:
    """Write five refs a split, one sentence each, numbered on from ``first``."""
    folder.mkdir(exist_ok=True, parents=True)
    refs, images, annotations = [], [], []
    for number in range(first, first + 5 * len(splits)):
        split = splits[(number - first) // 5]
        refs.append({
            "ref_id": number, "ann_id": number, "image_id": number, "category_id": 1,
            "file_name": f"COCO_train2014_{number:012d}_0.jpg", "split": split,
            "sent_ids": [number],
            "sentences": [{"sent_id": number, "sent": f"cup {number}", "raw": f"cup {number}",
                           "tokens": []}],
        })
        images.append({"id": number, "file_name": f"COCO_train2014_{number:012d}.jpg",
                       "height": 1, "width": 8})
        annotations.append({"id": number, "image_id": number, "category_id": 1, "iscrowd": 0,
                            "bbox": [0, 0, 2, 1], "area": 2,
                            "segmentation": {"size": [1, 8], "counts": [0, 2, 6]}})
    (folder / f"refs({split_by}).p").write_bytes(pickle.dumps(refs, 2))
    save_json(folder / "instances.json", {
        "images": images, "annotations": annotations, "categories": [{"id": 1, "name": "cup"}],
    })


@pytest.fixture
def refcoco(tmp_path):
    write_refer(tmp_path / "data" / "refcoco", first=100)
    write_refer(tmp_path / "data" / "refcoco+", first=500)
    return tmp_path / "data" / "refcoco"


def predictions(path, *numbers: int, **keys):
    return save_lines(path, *(
        {"sent_id": number, "mask": MASK.to_json(), **keys} for number in numbers
    ))


def open_with(refcoco, path):
    return open_workspace(LoadRequest(str(refcoco)), [str(path)])


def test_a_whole_file_of_another_split_is_named(refcoco, tmp_path):
    path = predictions(tmp_path / "run.jsonl", *range(105, 110))
    text = (r"none of its 5 predictions belongs .* they belong: 5 to refcoco \(unc\), split testA\."
            r" Load that split or data set instead")
    with pytest.raises(FormatError, match=text):
        open_with(refcoco, path)


def test_of_a_mixed_file_the_foreign_part_is_one_problem(refcoco, tmp_path):
    path = predictions(tmp_path / "run.jsonl", *range(100, 115))
    run = open_with(refcoco, path).scores[0].run
    assert run.unmatched == 10
    assert [(p.code, p.count, p.message) for p in run.problems] == [
        ("other-split", 5, "5 predictions belong to refcoco (unc), split testA, which is not "
                           "loaded."),
        ("other-split", 5, "5 predictions belong to refcoco (unc), split testB, which is not "
                           "loaded."),
    ]


def test_another_data_set_beside_this_one_is_named(refcoco, tmp_path):
    path = predictions(tmp_path / "run.jsonl", *range(500, 505))
    with pytest.raises(FormatError, match=r"they belong: 5 to refcoco\+ \(unc\), split val"):
        open_with(refcoco, path)


def test_another_split_by_of_the_folder_is_named(tmp_path):
    write_refer(tmp_path / "refcocog", first=100, split_by="google")
    google = (tmp_path / "refcocog" / "refs(google).p").read_bytes()
    write_refer(tmp_path / "refcocog", first=300, split_by="umd")
    (tmp_path / "refcocog" / "refs(google).p").write_bytes(google)
    # instances.json is now that of umd, so the other split-by cannot be loaded: no crash
    path = predictions(tmp_path / "run.jsonl", *range(100, 105))
    request = LoadRequest(str(tmp_path / "refcocog"), split_by="umd")
    with pytest.raises(FormatError, match="Check --split and --split-by"):
        open_workspace(request, [str(path)])


def test_a_folder_of_masks_of_another_split_is_named(refcoco, tmp_path):
    from tests.predictions.dumps import picture

    (tmp_path / "masks").mkdir()
    for number in range(100, 112):
        picture(MASK).save(tmp_path / "masks" / f"{number}.png")
    run = open_with(refcoco, tmp_path / "masks").scores[0].run
    assert [(p.code, p.count) for p in run.problems] == [("other-split", 5), ("other-split", 2)]


def test_a_few_leftovers_are_listed_and_nothing_else_is_loaded(refcoco, tmp_path, monkeypatch):
    def fail(*arguments):
        pytest.fail("another split was loaded for one leftover")

    monkeypatch.setattr("inspector.run_reading.other_datasets", fail)
    path = predictions(tmp_path / "run.jsonl", *range(100, 105), 106)
    run = open_with(refcoco, path).scores[0].run
    assert [p.code for p in run.problems] == ["unmatched-prediction"]


def test_ids_that_fit_by_chance_are_told_by_the_picture(refcoco, tmp_path):
    # RefCOCO+ has a sent_id 100 as well, of another picture
    path = predictions(tmp_path / "run.jsonl", 100, 101, image_id=7)
    with pytest.raises(FormatError, match="none of its 2 predictions belongs"):
        open_with(refcoco, path)


def test_ids_that_fit_by_chance_are_told_by_the_sentence(refcoco, tmp_path):
    path = save_lines(
        tmp_path / "run.jsonl", {"sent_id": 100, "sentence": "cup 100", "mask": MASK.to_json()},
        {"sent_id": 101, "sentence": "a dog", "mask": MASK.to_json()},
    )
    run = open_with(refcoco, path).scores[0].run
    assert [p.message for p in run.problems] == [
        "No example has sent_id 101 with the sentence 'a dog' (here it is 'cup 101')."
    ]


def test_ids_that_fit_here_by_chance_are_doubted_if_most_of_the_file_is_of_another_set(tmp_path):
    # RefCOCO and RefCOCO+ number their sentences alike; bare ids cannot tell them apart
    write_refer(tmp_path / "data" / "refcoco", first=100)
    write_refer(tmp_path / "data" / "refcoco+", first=103)  # its 103 is of another picture
    refs = pickle.loads((tmp_path / "data" / "refcoco+" / "refs(unc).p").read_bytes())
    for ref in refs:
        ref["sentences"][0]["sent"] = f"dog {ref['ref_id']}"
    (tmp_path / "data" / "refcoco+" / "refs(unc).p").write_bytes(pickle.dumps(refs, 2))
    path = predictions(tmp_path / "run.jsonl", 103, 104, 115, 116, 117)
    run = open_with(tmp_path / "data" / "refcoco", path).scores[0].run
    assert (run.status == 1).sum() == 2
    problem = run.problems[0]
    assert (problem.code, problem.severity) == ("other-split", "error")
    assert problem.message.startswith(
        "2 predictions fit an example here and another one of refcoco+ (unc), split val, where "
        "most of the file belongs: their ids are not unique"
    )
