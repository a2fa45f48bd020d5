"""CRIS's intermediate files, and RefCOCOm, which has their shape."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.layouts import (
    mask_png,
    mask_record,
    scene_records,
    write_cris,
    write_refcocom,
)
from tests.formats.writing import DOG, LEFT_MUG, RIGHT_MUG, coco_name, scene_refs


def load(source, **request):
    return load_dataset(LoadRequest(str(source), **request))


def problems_of(dataset, code):
    return [(p.severity, p.where, p.message) for p in dataset.problems if p.code == code]


class TestCris:
    def test_ids_are_those_of_refer(self, tmp_path):
        dataset = load(write_cris(tmp_path))
        assert (dataset.name, dataset.split_by, dataset.split) == ("refcoco", "unc", "val")
        assert [(e.id, e.expression.sent_id, e.expression.ref_id) for e in dataset] == [
            ("0", "0", "101"), ("1", "1", "101"), ("2", "2", "102"), ("3", "3", "201"),
        ]
        assert [e.image.file_name for e in dataset][2:] == [coco_name(1), coco_name(2)]

    @pytest.mark.parametrize(("called", "name", "split_by"), [
        ("refcocog_u", "refcocog", "umd"), ("refcocog_g", "refcocog", "google"),
        ("refcoco+", "refcoco+", "unc"),
    ])
    def test_its_folders_say_which_data_set(self, tmp_path, called, name, split_by):
        dataset = load(write_cris(tmp_path, called=called))
        assert (dataset.name, dataset.split_by) == (name, split_by)

    def test_254_is_foreground(self, tmp_path):
        # two polygons that overlap: 255 + 255 in eight bits
        source = write_cris(tmp_path)
        values = LEFT_MUG.to_array().astype(np.uint8) * 255
        values[1, 1] = 254
        from PIL import Image

        Image.fromarray(values).save(source / "masks" / "refcoco" / "101.png")
        dataset = load(source)
        assert dataset[0].target == LEFT_MUG
        assert problems_of(dataset, "overlapping-polygons") == [(
            "info", "segment 101", "1 pixels of 101.png have the value 254, where CRIS added two "
            "polygons up; they are foreground.",
        )]

    @pytest.mark.parametrize("part", ["", "anns", "anns/refcoco", "anns/refcoco/val.json"])
    def test_the_root_a_data_set_or_a_file(self, tmp_path, part):
        assert len(load(write_cris(tmp_path) / part)) == 4

    def test_several_data_sets_must_be_chosen_from(self, tmp_path):
        write_cris(tmp_path, called="refcocog_u")
        source = write_cris(tmp_path)
        with pytest.raises(UsageError, match=r"holds several .* Name one of them: .*anns/refcoco,"):
            load(source)
        assert load(source / "anns" / "refcocog_u").name == "refcocog"

    @pytest.mark.parametrize("content", [None, b"", b"no picture"], ids=["gone", "empty", "text"])
    def test_a_mask_that_cannot_be_read_is_listed(self, tmp_path, content):
        source = write_cris(tmp_path)
        path = source / "masks" / "refcoco" / "102.png"
        path.unlink() if content is None else path.write_bytes(content)
        dataset = load(source)
        assert dataset.is_scorable.tolist() == [True, True, False, True]
        [(severity, where, message)] = problems_of(dataset, "broken-mask")
        assert (severity, where) == ("error", "segment 102")
        assert "102.png" in message

    def test_a_segment_id_never_leads_out_of_the_folder(self, tmp_path):
        (tmp_path / "secret.png").write_bytes(mask_png(LEFT_MUG))
        records = [mask_record("../../../secret", 1, 41, LEFT_MUG, ((0, "mug"),))]
        dataset = load(write_cris(tmp_path, records=records))
        assert "was not found" in problems_of(dataset, "broken-mask")[0][2]
        assert not dataset.is_scorable.any()

    @pytest.mark.parametrize(("record", "text"), [
        ("a record", "documented shape"), ({"bbox": [0, 0, 1, 1]}, "has no 'sentences'"),
        ({**mask_record(1, 1, 41, DOG, ()), "bbox": [1]}, "documented shape"),
        ({**mask_record(1, 1, 41, DOG, ()), "sentences": [{"sent": 3}]}, "a number, expected"),
    ])
    def test_bad_records_are_left_out_and_listed(self, tmp_path, record, text):
        dataset = load(write_cris(tmp_path, records=[record, *scene_records()]))
        [(severity, where, message)] = problems_of(dataset, "bad-record")
        assert (severity, where, len(dataset)) == ("error", "val.json, record 0", 4)
        assert text in message

    def test_annotations_that_are_no_list(self, tmp_path):
        with pytest.raises(FormatError, match=r"val\.json: holds an object, but CRIS"):
            load(write_cris(tmp_path, records={}))


class TestRefcocom:
    def records(self):
        return [
            mask_record(101, 1, 41, LEFT_MUG, ((0, "left mug"),)),
            mask_record(102, 1, 41, RIGHT_MUG, ((1, "right mug"),)),
            mask_record("201_part_3", 2, 16, DOG, ((2, "the dog's head"), (3, "its nose"))),
            mask_record(1_700_021, 2, 16, DOG, ((4, "the dog's ear"),)),
        ]

    def write(self, root, **more):
        source = write_refcocom(root, records=self.records(), **more)
        masks = source / more.get("masks", "masks")
        for name in ("201_part_3", "1700021"):
            (masks / f"{name}.png").write_bytes((masks / "201.png").read_bytes())
        return source

    def levels(self, dataset):
        return [e.expression.level for e in dataset]

    def test_without_a_better_rule_the_level_is_guessed_and_said(self, tmp_path):
        dataset = load(self.write(tmp_path))
        assert (dataset.name, dataset.format) == ("refcocom", "refcocom")
        assert self.levels(dataset) == ["object", "object", "part", "part", "part"]
        [(severity, _, message)] = problems_of(dataset, "level-guessed")
        assert severity == "warning"
        assert message.startswith("2 of 4 records are taken for parts, because their segment_id is")

    def test_refcoco_beside_it_decides(self, tmp_path):
        source = self.write(tmp_path)
        (tmp_path / "refcoco").mkdir()
        (tmp_path / "refcoco" / "refs(unc).p").write_bytes(pickle.dumps(scene_refs()[:1]))
        dataset = load(source)
        assert self.levels(dataset) == ["object", "part", "part", "part", "part"]
        assert not problems_of(dataset, "level-guessed")

    @pytest.mark.parametrize(("name", "content"), [
        ("refs(unc).p", pickle.dumps(scene_refs()[1:])), ("ids.json", b'[102, "1700021"]'),
        ("ids.txt", b"102\n1700021\n"), ("ids.json", b"[102.0, 1700021.0]"),
        ("refs.p.json", json.dumps(scene_refs()[1:]).encode()),
    ])
    def test_the_user_may_say_which_are_objects(self, tmp_path, name, content):
        path = tmp_path / name
        path.write_bytes(content)
        levels = self.levels(load(self.write(tmp_path), refs=path))
        assert levels == ["part", "object", "part", "part", "part" if ".p" in name else "object"]

    @pytest.mark.parametrize(("name", "content", "text"), [
        ("ids.json", b'{"a": 1}', "it is no list"), ("refs(unc).p", b"cos\nsystem\n.", "names os"),
        ("refs(unc).p", pickle.dumps([{"ref_id": 1}]), "has no 'ann_id'"),
        ("ids.txt", b"\xff", "is no file of ids"), ("ids.json", b"[1.5]", "must be a whole number"),
        ("refs.json", b'[{"ref_id": 1}]', "has no 'ann_id'"), ("gone.txt", None, "cannot be read"),
    ])
    def test_a_file_of_ids_that_is_none(self, tmp_path, name, content, text):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(FormatError, match=text):
            load(self.write(tmp_path), refs=path)

    def test_a_record_may_say_its_level_itself(self, tmp_path):
        records = [{**record, "level": level}
                   for record, level in zip(self.records()[:2], ["part", "object"], strict=True)]
        dataset = load(write_refcocom(tmp_path, records=records))
        assert self.levels(dataset) == ["part", "object"]
        assert not problems_of(dataset, "level-guessed")

    def test_the_letter_case_of_the_folders_does_not_count(self, tmp_path):
        # MMR's loader asks for Refcocom/masks
        source = self.write(tmp_path, masks="Masks")
        (source / "annotations").rename(source / "Annotations")
        assert len(load(source)) == 5

    def test_sent_ids_that_repeat_give_way_to_segments(self, tmp_path):
        records = [mask_record(101, 1, 41, LEFT_MUG, ((0, "mug"), (0, "cup"))),
                   mask_record(102, 1, 41, RIGHT_MUG, ((0, "mug"),))]
        dataset = load(write_refcocom(tmp_path, records=records))
        assert [e.id for e in dataset] == ["101:0", "101:1", "102:0"]
        assert {e.expression.sent_id for e in dataset} == {""}
        assert problems_of(dataset, "duplicate-record")

    def test_several_splits(self, tmp_path):
        source = self.write(tmp_path)
        record = mask_record(201, 2, 16, DOG, ((9, "a dog"),))
        (source / "annotations" / "testA.json").write_text(json.dumps([record]))
        assert [e.id for e in load(source, split="test")] == ["9"]
        assert load(source).split == "val"
        assert len(load(source, split="all")) == 6


def test_coloured_and_palette_masks(tmp_path):
    from PIL import Image

    source = write_cris(tmp_path)
    folder = source / "masks" / "refcoco"
    red = np.zeros((4, 6, 3), np.uint8)
    red[1:3, 1:3, 0] = 200
    palette = Image.fromarray(LEFT_MUG.to_array().astype(np.uint8), "P")
    palette.putpalette([255, 255, 255, 0, 0, 0])
    for image in (Image.fromarray(red), palette):
        image.save(folder / "101.png")
        assert load(source)[0].target == LEFT_MUG
