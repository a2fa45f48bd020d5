from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from inspector.core.errors import FormatError
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.drawing import draw
from tests.formats.layouts import detection, mask_png, packed, scene_samples, write_fiftyone
from tests.formats.writing import LEFT_MUG, RIGHT_MUG, TARGETS, write_refcoco_m


def load(source, **request):
    return load_dataset(LoadRequest(str(source), **request))


def one(root, width, height, box, crop, **more):
    sample = {
        "filepath": "data/1.jpg", "image_id": 1, "metadata": {"width": width, "height": height},
        "detections": {"detections": [
            {"label": "mug", "ref_id": 1, "bounding_box": box, "mask": crop, **more},
        ]},
    }
    return load(write_fiftyone(root, samples=[sample]))


def fault_of(dataset):
    assert not dataset.is_scorable.any()
    [problem] = [p for p in dataset.problems if p.code == "broken-mask"]
    return problem.message


def test_ids_are_those_of_the_parquet_files(tmp_path):
    port, original = load(write_fiftyone(tmp_path)), load(write_refcoco_m(tmp_path))
    assert [e.id for e in port] == [e.id for e in original] == ["101:0", "101:1", "102:0", "201:0"]
    assert [e.target for e in port] == [e.target for e in original]
    assert port.name == original.name == "refcoco-m"


@pytest.mark.parametrize("size", [(144, 192), (144, 191), (143, 193), (145, 192)], ids=str)
def test_a_mask_within_a_pixel_of_its_rounded_box_is_placed(tmp_path, size):
    # voxel51/fiftyone#3387: box [0.1003, 0.2, 0.3, 0.3] on 640 x 480 needs a mask of 144 x 192
    crop = packed(np.ones(size, bool))
    dataset = one(tmp_path, 640, 480, [0.1003, 0.2, 0.3, 0.3], crop)
    assert dataset.is_scorable.all()
    assert dataset[0].target.box_xywh == (64, 96, size[1], size[0])  # round(0.1003 * 640) = 64


@pytest.mark.parametrize("size", [(144, 190), (192, 144), (480, 640)], ids=str)
def test_a_mask_of_another_size_is_a_problem(tmp_path, size):
    dataset = one(tmp_path, 640, 480, [0.1003, 0.2, 0.3, 0.3], packed(np.ones(size, bool)))
    assert fault_of(dataset) == (
        f"The cropped mask is {size[1]} x {size[0]} pixels, but its box 192 x 144."
    )


def test_rounding_may_push_a_mask_one_pixel_over_the_edge(tmp_path):
    # x 5.6 rounds to 6 and width 4.4 to 4 with one pixel of tolerance: 6 + 5 > 10
    dataset = one(tmp_path, 10, 2, [0.56, 0, 0.44, 1], packed(np.ones((2, 5), bool)))
    assert dataset[0].target == draw(".....#####", ".....#####")


@pytest.mark.parametrize("box", [[0.9, 0, 0.5, 1], [64, 96, 192, 144]], ids=str)
def test_a_box_that_leaves_the_picture_is_a_problem(tmp_path, box):
    dataset = one(tmp_path, 10, 2, box, packed(np.ones((2, 5), bool)))
    assert fault_of(dataset).startswith(("The cropped mask covers", "The box [64.0"))


@pytest.mark.parametrize("mask", [
    pytest.param(None, id="none"), pytest.param("é", id="not base64"),
    pytest.param(base64.b64encode(b"junk").decode(), id="not compressed"),
    pytest.param(base64.b64encode(zlib.compress(b"junk")).decode(), id="no array"),
    pytest.param(packed(np.ones(4, bool)), id="one dimension"),
    pytest.param(packed(np.array([["a"]])), id="text"), pytest.param({"$binary": 3}, id="number"),
])
def test_a_mask_that_is_none_is_a_problem(tmp_path, mask):
    assert "mask" in fault_of(one(tmp_path, 4, 4, [0, 0, 0.5, 0.5], mask))


@pytest.mark.parametrize("head", [
    b"{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), ", b"('" * 40, b"\x00" * 9, b"{[(",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }", b"'" * 3, b"1" * 5000,
    b"{'descr': '|b1', 'fortran_order': False, 'shape': (9999999999, 9999999999), }",
], ids=lambda head: ascii(head)[:20])
@pytest.mark.parametrize("version", [1, 2, 3, 9])
def test_an_array_whose_head_is_broken_is_a_problem(tmp_path, head, version):
    # numpy takes heads apart with tokenize, whose errors are of a kind of their own
    size = len(head).to_bytes(2 if version == 1 else 4, "little")
    data = b"\x93NUMPY" + bytes([version, 0]) + size + head
    mask = base64.b64encode(zlib.compress(data)).decode()
    assert "cannot be read" in fault_of(one(tmp_path, 4, 4, [0, 0, 0.5, 0.5], mask))


def test_an_array_that_unpacks_without_end_is_a_problem(tmp_path):
    bomb = base64.b64encode(zlib.compress(b"\0" * 110_000_000, 9)).decode()
    assert "cannot be read" in fault_of(one(tmp_path, 4, 4, [0, 0, 0.5, 0.5], bomb))


def test_a_mask_may_be_text_or_a_picture(tmp_path):
    samples = scene_samples()
    first, second, third = samples[0]["detections"]["detections"]
    first["mask"] = second["mask"] = first["mask"]["$binary"]["base64"]
    third |= {"mask": None, "mask_path": "masks/1.png"}
    source = write_fiftyone(tmp_path, samples=samples)
    (source / "masks").mkdir()
    (source / "masks" / "1.png").write_bytes(mask_png(draw("#", "#", "#")))
    assert {e.expression.sentence: e.target for e in load(source)} == TARGETS


def test_sentences_of_one_object_share_it(tmp_path):
    samples = scene_samples()
    dataset = load(write_fiftyone(tmp_path, samples=samples))
    assert len(dataset.objects.image) == 3
    # two different masks under one ref_id stay two objects
    samples[0]["detections"]["detections"][1] = detection("other", 101, "cup", RIGHT_MUG)
    dataset = load(write_fiftyone(tmp_path, samples=samples))
    assert [e.target for e in dataset][:2] == [LEFT_MUG, RIGHT_MUG]


def test_a_picture_gives_the_size_where_the_file_does_not(tmp_path):
    samples = scene_samples()
    for sample in samples:
        del sample["metadata"]
    dataset = load(write_fiftyone(tmp_path, samples=samples))
    assert [image.size_hw for image in dataset.images] == [(4, 6), (3, 5)]
    samples[1]["filepath"] = "data/gone.jpg"
    with pytest.raises(FormatError, match="sample 1: gives no size of its picture"):
        load(write_fiftyone(tmp_path, samples=samples))


@pytest.mark.parametrize(("change", "text"), [
    ({"detections": None}, "has no 'detections'"), ({"filepath": None}, "was not found"),
    ({"metadata": 3}, "not of the documented shape"),
    ({"detections": {"detections": [3]}}, "not of the documented shape"),
    ({"detections": {"detections": [{"ref_id": 1}]}}, "has no 'bounding_box'"),
])
def test_another_shape_is_refused_or_listed(tmp_path, change, text):
    samples = [scene_samples()[0] | change]
    source = write_fiftyone(tmp_path, samples=samples)
    try:
        dataset = load(source)
    except FormatError as error:
        assert text in str(error)
    else:
        assert any(text in problem.message for problem in dataset.problems)


def test_a_file_without_samples(tmp_path):
    source = write_fiftyone(tmp_path)
    (source / "samples.json").write_text('{"samples": 3}')
    with pytest.raises(FormatError, match=r"samples\.json: has no list 'samples'"):
        load(source)
