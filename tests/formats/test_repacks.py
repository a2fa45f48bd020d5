"""The hub's re-packs: what each does to the data, and that it is said."""

from __future__ import annotations

import json
import pickle
import tracemalloc

import pyarrow as pa
import pytest

from inspector.core.errors import FormatError, MaskError, UsageError
from inspector.core.mask import Mask
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.formats.ricky06662 import nested_mask
from tests.drawing import draw
from tests.formats.repacks import (
    JXU,
    LMMS,
    RICKY,
    benchmark_rows,
    jxu_rows,
    lmms_rows,
    ricky_rows,
    write_benchmark,
    write_jxu124,
    write_lmms_lab,
    write_ricky06662,
)
from tests.formats.writing import DOG, LEFT_MUG, RIGHT_MUG, TARGETS, ref


def load(source, **request):
    return load_dataset(LoadRequest(str(source), **request))


def problems_of(dataset, code):
    return [(p.severity, p.where, p.message) for p in dataset.problems if p.code == code]


class TestJxu124:
    def test_ids_are_those_of_refer(self, tmp_path):
        dataset = load(write_jxu124(tmp_path))
        assert (dataset.name, dataset.split_by) == ("refcoco", "unc")
        assert [(e.id, e.expression.ref_id) for e in dataset] == [
            ("0", "101"), ("1", "101"), ("2", "102"), ("3", "201"),
        ]
        assert dataset[0].expression.raw == "LEFT MUG"

    def test_the_box_is_that_of_raw_anns_not_the_corners(self, tmp_path):
        # `bbox` is x1, y1, x2, y2; raw_anns has x, y, width, height
        dataset = load(write_jxu124(tmp_path))
        assert dataset.by_id("2").referents[0].box_xywh == (4, 1, 1, 3)

    @pytest.mark.parametrize(("called", "name", "split_by"), [
        ("refcocoplus", "refcoco+", "unc"), ("refcocog", "refcocog", "umd"),
    ])
    def test_the_folder_names_the_data_set(self, tmp_path, called, name, split_by):
        dataset = load(write_jxu124(tmp_path, called=called))
        assert (dataset.name, dataset.split_by) == (name, split_by)

    def test_a_file_called_test_holds_test_a(self, tmp_path):
        rows = jxu_rows()
        for row in rows:
            row["split"] = "testA"
        source = write_jxu124(tmp_path, rows=rows, file="test-00000-of-00001.parquet")
        assert {e.split for e in load(source)} == {"testA"}
        both = load(source, split="test")
        [(severity, _, message)] = problems_of(both, "altered-data")
        assert severity == "info"
        assert message.startswith("What this re-pack calls test is testA alone")

    def test_sentences_may_be_json_text(self, tmp_path):
        rows = jxu_rows()
        for row in rows:
            row["sentences"] = json.dumps(row["sentences"])
        schema = JXU.set(JXU.get_field_index("sentences"), pa.field("sentences", pa.string()))
        dataset = load(write_jxu124(tmp_path, rows=rows, schema=schema))
        assert {e.expression.sentence: e.target for e in dataset} == TARGETS

    @pytest.mark.parametrize(("column", "value"), [
        ("raw_anns", "{"), ("raw_anns", "[]"), ("raw_anns", None), ("raw_image_info", "3"),
        ("split", None), ("ann_id", None), ("raw_anns", "{}"),
    ])
    def test_a_row_of_another_shape_is_refused(self, tmp_path, column, value):
        rows = jxu_rows()
        rows[2][column] = value
        with pytest.raises(FormatError, match=r"\.parquet, row 2: "):
            load(write_jxu124(tmp_path, rows=rows))


class TestBenchmark:
    def test_a_single_data_set_needs_no_name(self, tmp_path):
        dataset = load(write_benchmark(tmp_path))
        assert (dataset.name, dataset.split_by, dataset.split) == ("refcoco", "unc", "val")
        assert [e.id for e in dataset] == ["0", "1", "2", "3"]

    def test_several_data_sets_must_be_chosen_from(self, tmp_path):
        write_benchmark(tmp_path, name="refcoco_plus_unc_testA-00000-of-00001.parquet")
        write_benchmark(tmp_path, name="refcocog_umd_val-00000-of-00001.parquet")
        source = write_benchmark(tmp_path)
        with pytest.raises(UsageError, match="several data sets. Choose with --split: .*umd_val"):
            load(source)
        plus = load(source, split="refcoco_plus_unc_testA")
        assert (plus.name, plus.split_by, plus.split) == ("refcoco+", "unc", "testA")
        assert load(source, split="val", split_by="umd").name == "refcocog"
        with pytest.raises(UsageError, match="are of several data sets"):
            load(source, split="refcocog_umd_val,refcoco_unc_val")

    def test_several_splits_of_one_data_set(self, tmp_path):
        rows = benchmark_rows()
        for row in rows:
            for entry in row["ref_list"]:
                for sentence in entry["ref_info"]["sentences"]:
                    sentence["sent_id"] += 10
        write_benchmark(tmp_path, rows=rows, name="refcoco_unc_testA-00000-of-00001.parquet")
        source = write_benchmark(tmp_path)
        assert load(source).split == "val"
        assert len(load(source, split="all")) == 8
        assert {e.split for e in load(source, split="refcoco_unc_testA")} == {"testA"}

    def test_a_row_of_another_shape_is_refused(self, tmp_path):
        rows = benchmark_rows()
        rows[1]["image_info"] = None
        with pytest.raises(FormatError, match=r"\.parquet, row 1: "):
            load(write_benchmark(tmp_path, rows=rows))


class TestLmmsLab:
    def test_it_says_that_one_polygon_is_left(self, tmp_path):
        [(severity, _, message)] = problems_of(load(write_lmms_lab(tmp_path)), "altered-data")
        assert severity == "warning"
        assert message.startswith("This re-pack keeps one polygon of each object")

    @pytest.mark.parametrize(("called", "names"), [
        ("RefCOCO", "unc and google"), ("RefCOCOg", "umd and google"),
    ])
    def test_the_split_val_mixes_two_and_it_is_said(self, tmp_path, called, names):
        # EvolvingLMMs-Lab/lmms-eval#1066: val has 8,811 rows = 3,811 unc + 5,000 google
        [(severity, where, message)] = problems_of(
            load(write_lmms_lab(tmp_path, called=called)), "counts-differ"
        )
        assert (severity, where) == ("warning", f"{called.lower()}, split val")
        assert message.startswith(f"The split val of this re-pack mixes {names}: 3 rows are here.")

    def test_an_object_of_both_split_bys_stands_twice(self, tmp_path):
        rows = [*lmms_rows(), lmms_rows()[0]]
        dataset = load(write_lmms_lab(tmp_path, rows=rows, called="RefCOCO"))
        assert [e.id for e in dataset] == ["11:0", "11:1", "12:0", "21:0", "11.2:0", "11.2:1"]
        assert dataset.referent_count == 4
        assert len(dataset.images) == 2

    def test_a_refs_file_keeps_the_rows_of_one(self, tmp_path):
        path = tmp_path / "refs(unc).p"
        refs = [ref(1, 12, 1, (0, "right")), ref(2, 11, 1, (1, "left"), split="train")]
        path.write_bytes(pickle.dumps(refs))
        dataset = load(write_lmms_lab(tmp_path, called="RefCOCO"), refs=path)
        assert [e.target for e in dataset] == [RIGHT_MUG]
        assert dataset.split_by == "unc"

    def test_a_plain_list_of_ids_cannot_tell_the_two_apart(self, tmp_path):
        # it kept every row, and the warning about the mixture was gone
        path = tmp_path / "ids.txt"
        path.write_text("11\n")
        with pytest.raises(UsageError, match=r"may stand in both split-bys: give --refs a refs"):
            load(write_lmms_lab(tmp_path, called="RefCOCO"), refs=path)

    def test_names_of_pictures_without_a_suffix_are_of_different_pictures(self, tmp_path):
        # the number itself was cut off, and all pictures were one
        rows = lmms_rows()
        for row in rows:
            row["file_name"] = row["file_name"].rpartition("_")[0] + ".jpg"
        dataset = load(write_lmms_lab(tmp_path, rows=rows))
        assert [image.id for image in dataset.images] == ["1", "2"]

    def test_test_is_no_mixture(self, tmp_path):
        source = write_lmms_lab(tmp_path, called="RefCOCO", file="testA-00000-of-00001.parquet")
        assert not problems_of(load(source), "counts-differ")

    def test_sizes_come_from_the_pictures(self, tmp_path):
        rows = lmms_rows()
        rows[2]["image"]["bytes"] = b"no picture"
        dataset = load(write_lmms_lab(tmp_path, rows=rows))
        assert [image.size_hw for image in dataset.images] == [(4, 6)]
        [(severity, where, message)] = problems_of(dataset, "broken-picture")
        assert (severity, where) == ("error", "question 21")
        assert "gives no size" in message

    def test_without_pictures_nothing_can_be_drawn(self, tmp_path):
        schema = LMMS.remove(LMMS.get_field_index("image"))
        with pytest.raises(FormatError, match="has no column 'image' with bytes"):
            load(write_lmms_lab(tmp_path, schema=schema))

    def test_a_polygon_that_is_none_is_listed(self, tmp_path):
        rows = lmms_rows()
        rows[0]["segmentation"], rows[1]["segmentation"] = [1, 2, 3, 4], None
        dataset = load(write_lmms_lab(tmp_path, rows=rows))
        assert dataset.is_scorable.tolist() == [False, False, False, True]
        assert len(problems_of(dataset, "broken-mask")) == 2


class TestRicky06662:
    def test_split_and_data_set_come_from_the_name(self, tmp_path):
        # the parquet's own split is always called test
        source = write_ricky06662(tmp_path, called="refcocoplus_testA")
        dataset = load(source)
        assert (dataset.name, dataset.split) == ("refcoco+", "testA")
        assert load(source, split="testA").split == "testA"

    def test_one_sentence_an_object_is_said(self, tmp_path):
        # JIA-Lab-research/VisionReasoner#12: 5,786 instances instead of 10,834 sentences
        [(_, _, message)] = problems_of(
            load(write_ricky06662(tmp_path, called="refcoco_val")), "altered-data"
        )
        assert message.startswith("This re-pack has one sentence an object")
        assert not problems_of(load(write_ricky06662(tmp_path)), "altered-data")  # …_all

    def test_reasonseg_lost_what_is_ignored_and_it_is_said(self, tmp_path):
        schema = RICKY.remove(RICKY.get_field_index("bbox"))
        dataset = load(write_ricky06662(tmp_path, called="ReasonSeg_val", schema=schema))
        assert (dataset.name, dataset.split) == ("reasonseg", "val")
        [(severity, _, message)] = problems_of(dataset, "altered-data")
        assert severity == "warning"
        assert message.startswith("Regions that ReasonSeg ignores became foreground")

    def test_an_empty_mask_is_no_target_in_grefcoco_alone(self, tmp_path):
        rows = ricky_rows()
        rows[3]["mask"] = [[False] * 5] * 3
        dataset = load(write_ricky06662(tmp_path, rows=rows, called="grefcoco_val_all"))
        assert [e.is_no_target for e in dataset] == [False, False, False, True]
        assert dataset.is_scorable.all()
        other = load(write_ricky06662(tmp_path, rows=rows))
        assert other.is_scorable.tolist() == [True, True, True, False]

    def test_an_object_id_on_another_picture_is_another_object(self, tmp_path):
        rows = ricky_rows()
        rows[3]["ann_id"] = rows[0]["ann_id"]
        dataset = load(write_ricky06662(tmp_path, rows=rows))
        assert [e.id for e in dataset] == ["11:0", "11:1", "12:0", "2-11:0"]

    @pytest.mark.parametrize(("mask", "text"), [
        ([[True, False], [True]], "differ in length"), (None, "no mask"), ([], "no mask"),
        ([[True] * 6] * 3, "The mask is 6 x 3"), ([[True, None]], "of true and false"),
        ([[True, True], None], "differ in length"),
    ])
    def test_a_mask_that_is_none_is_listed(self, tmp_path, mask, text):
        rows = ricky_rows()
        rows[2]["mask"] = mask
        dataset = load(write_ricky06662(tmp_path, rows=rows))
        assert dataset.is_scorable.tolist() == [True, True, False, True]
        assert text in problems_of(dataset, "broken-mask")[0][2]

    @pytest.mark.parametrize("column", ["text", "image_id", "img_height"])
    def test_a_row_of_another_shape_is_refused(self, tmp_path, column):
        rows = ricky_rows()
        rows[0][column] = None
        with pytest.raises(FormatError, match="row group 0, row 0: "):
            load(write_ricky06662(tmp_path, rows=rows))

    def test_masks_come_from_the_buffers(self):
        # a Python list of a 640 x 480 mask takes 2.4 MB
        import numpy as np

        array = np.zeros((480, 640), bool)
        array[100:200, 50:90] = True
        lines = pa.ListArray.from_arrays(
            pa.array(np.arange(481, dtype=np.int32) * 640), pa.array(array.ravel())
        )
        column = pa.ListArray.from_arrays(pa.array([0, 0, 480], pa.int32()), lines)
        tracemalloc.start()
        mask = nested_mask(column, 1)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert mask == Mask.from_array(array)
        assert peak < 1_500_000
        with pytest.raises(MaskError, match="no mask"):
            nested_mask(column, 0)

    def test_slices_keep_their_places(self):
        column = pa.array([m.to_array().tolist() for m in (LEFT_MUG, DOG, RIGHT_MUG)],
                          pa.list_(pa.list_(pa.bool_())))
        assert nested_mask(column[1:], 0) == DOG
        assert nested_mask(column.slice(2), 0) == RIGHT_MUG
        assert nested_mask(pa.array([[[0, 2], [0, 0]]]), 0) == draw(".#", "..")


def test_an_object_that_stands_on_two_pictures_is_refused(tmp_path):
    # its mask on the first picture would be scored against predictions for the second
    rows = jxu_rows()
    for row in rows:
        row["ann_id"] = 7
    with pytest.raises(FormatError, match="annotation 7, which is on picture 1, but .* picture 2"):
        load_dataset(LoadRequest(str(write_jxu124(tmp_path, rows=rows))))
