"""What differs from folder to folder in the REFER layout, and the data sets that share it."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from inspector.core.mask import Mask
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.drawing import draw
from tests.formats.layouts import (
    one_ref,
    write_grefcoco,
    write_r_refcoco,
    write_ref_zom,
)
from tests.formats.writing import (
    DOG,
    LEFT_MUG,
    RIGHT_MUG,
    SPOONS,
    annotation,
    coco_name,
    ref,
    scene_annotations,
    scene_refs,
    write_refer,
)


def load(source, **request):
    return load_dataset(LoadRequest(str(source), **request))


def problems_of(dataset, code):
    return [(p.severity, p.where, p.message) for p in dataset.problems if p.code == code]


class TestNames:
    @pytest.mark.parametrize(("folder", "shown"), [
        ("refcoco+", "refcoco+"), ("refcocoplus", "refcoco+"), ("refcocop", "refcoco+"),
        ("refcoco_plus", "refcoco+"), ("RefCOCO+", "refcoco+"), ("RefCOCO", "refcoco"),
        ("refcoco_unc", "refcoco"), ("refcocog", "refcocog"), ("refcocog_u", "refcocog"),
        ("refcocog-umd", "refcocog"), ("my refs", "my refs"),
    ])
    def test_a_folder_of_any_name_shows_the_usual_one(self, tmp_path, folder, shown):
        source = write_refer(tmp_path, called=folder)
        dataset = load(source)
        assert dataset.name == shown
        assert dataset.source == str(source)  # what is on disk is kept

    @pytest.mark.parametrize(("folder", "split_by"), [
        ("refcocog_u", "umd"), ("refcocog_g", "google"), ("refcocog-umd", "umd"),
    ])
    def test_a_folder_whose_name_says_the_split_by_needs_no_option(
        self, tmp_path, folder, split_by
    ):
        write_refer(tmp_path, called=folder, name="refs(umd).p")
        source = write_refer(tmp_path, called=folder, name="refs(google).p")
        assert load(source).split_by == split_by
        assert load(source, split_by="google").split_by == "google"


class TestSplits:
    def folder(self, tmp_path, *splits):
        refs = [ref(number, 11, 1, (number, "mug"), split=split)
                for number, split in enumerate(splits)]
        return write_refer(tmp_path, refs=refs)

    def found(self, source, split):
        return sorted(e.split for e in load(source, split=split))

    def test_test_is_test_a_and_test_b(self, tmp_path):
        source = self.folder(tmp_path, "train", "val", "testA", "testB")
        assert self.found(source, "test") == ["testA", "testB"]
        assert load(source, split="test").split == "test"

    def test_a_split_called_test_is_just_that(self, tmp_path):
        assert self.found(self.folder(tmp_path, "val", "test"), "test") == ["test"]

    def test_refclef_has_splits_that_belong_to_two(self, tmp_path):
        # refer.py: "we also consider testAB, testBC"
        source = self.folder(tmp_path, "testA", "testB", "testC", "testAB", "testBC")
        assert self.found(source, "testA") == ["testA", "testAB"]
        assert self.found(source, "testB") == ["testAB", "testB", "testBC"]
        assert self.found(source, "testAB") == ["testAB"]
        assert len(self.found(source, "test")) == 5


class TestRefclef:
    def test_masks_are_lists_of_run_lengths(self, tmp_path):
        masks = [LEFT_MUG.to_json(), RIGHT_MUG.to_json()]
        source = write_refer(
            tmp_path, called="refclef", annotations=[annotation(11, 1, 47, masks)],
            refs=[ref(1, 11, 1, (0, "both"), split="testA")], name="refs(berkeley).p",
        )
        dataset = load(source, split="testA")
        assert (dataset.name, dataset.split_by) == ("refclef", "berkeley")
        assert dataset.target_areas.tolist() == [7]

    def test_pictures_lie_in_saiapr(self, tmp_path):
        source = write_refer(tmp_path, called="refclef")
        (tmp_path / "images" / "train2014").rename(tmp_path / "images" / "saiapr_tc-12")
        assert load(source).images[0].location.parent.name == "saiapr_tc-12"


class TestInstances:
    def whole(self, images, annotations):
        return {
            "images": images, "annotations": annotations,
            "categories": [{"id": 47, "name": "cup"}, {"id": 18, "name": "dog"}],
        }

    def image(self, number, height, width):
        return {"id": number, "file_name": coco_name(number), "height": height, "width": width}

    def split_files(self, tmp_path):
        """Put the two pictures into two files, as COCO's train2014 and val2014 do."""
        paths = []
        for name, image, own in (
            ("train", self.image(1, 4, 6), [annotation(11, 1, 47, LEFT_MUG),
                                            annotation(12, 1, 47, RIGHT_MUG)]),
            ("val", self.image(2, 3, 5), [annotation(21, 2, 18, DOG)]),
        ):
            path = tmp_path / f"instances_{name}2014.json"
            path.write_text(json.dumps(self.whole([image, self.image(99, 8, 8)], own)))
            paths.append(path)
        return tuple(paths)

    def test_several_files_are_joined(self, tmp_path):
        source = write_refer(tmp_path)
        (source / "instances.json").unlink()
        dataset = load(source, instances=self.split_files(tmp_path))
        assert [e.target for e in dataset] == [LEFT_MUG, LEFT_MUG, RIGHT_MUG, DOG]
        assert [image.id for image in dataset.images] == ["1", "2"]

    def test_an_object_that_stands_in_two_files_is_one(self, tmp_path):
        # else it would be its own "other object"
        source = write_refer(tmp_path)
        files = (source / "instances.json", *self.split_files(tmp_path))
        dataset = load(source, instances=files)
        assert dataset.by_id("3").distractors == ()
        assert [where for _, where, _ in problems_of(dataset, "duplicate-record")] == [
            "annotation 11", "annotation 12", "annotation 21",
        ]

    def test_only_what_belongs_to_the_pictures_stays_in_memory(self, tmp_path):
        source = write_refer(tmp_path)
        content = json.loads((source / "instances.json").read_text())
        polygon = [[float(number) for number in range(200)]]
        path = tmp_path / "big.json"
        other = json.dumps(annotation(1000, 500, 47, polygon))
        with path.open("w") as file:  # 12 MB, of which a few lines are needed
            file.write('{"annotations": [\n')
            for number in range(10_000):
                file.write(other.replace("1000", f"{1000 + number}", 1) + ",\n")
            file.write(",\n".join(map(json.dumps, content["annotations"])))
            file.write(f'], "images": {json.dumps(content["images"])},')
            file.write(f'"categories": {json.dumps(content["categories"])}}}')
        assert path.stat().st_size > 12_000_000
        tracemalloc.start()
        dataset = load(source, instances=(path,))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(dataset) == 4
        assert peak < 8_000_000


class TestPolygons:
    LEFT, RIGHT = [0, 0, 4, 0, 4, 4, 0, 4], [2, 0, 6, 0, 6, 4, 2, 4]

    def test_overlapping_polygons_of_one_object_join_by_union_and_are_listed(self, tmp_path):
        # refer.py adds them up, which makes the shared pixels 2 and loses them in `mask == 1`
        annotations = [annotation(11, 1, 47, [self.LEFT, self.RIGHT])]
        source = write_refer(tmp_path, annotations=annotations, refs=scene_refs()[:1])
        dataset = load(source)
        assert dataset[0].target.area == 24  # 16 + 16 - 8
        assert problems_of(dataset, "overlapping-polygons") == [(
            "info", "annotation 11, ref 101",
            "2 polygons of one object overlap by 8 pixels and were joined by union; code that adds "
            "them up cuts a hole there.",
        )]

    def test_those_of_objects_that_nobody_names_are_not_worth_a_line(self, tmp_path):
        annotations = [*scene_annotations(), annotation(14, 1, 47, [self.LEFT, self.RIGHT])]
        dataset = load(write_refer(tmp_path, annotations=annotations))
        assert not problems_of(dataset, "overlapping-polygons")


def test_a_missing_picture_names_the_archive_that_has_it(tmp_path):
    source = write_refer(tmp_path)
    (tmp_path / "images" / "train2014" / coco_name(2)).unlink()
    [(_, where, message)] = problems_of(load(source), "missing-picture")
    assert where == "picture 2"
    assert message.endswith("It is in COCO's train2014.zip.")


class TestGrefcoco:
    @pytest.mark.parametrize("name", ["grefs(unc).json", "grefs(unc).p"])
    def test_several_targets_one_and_none(self, tmp_path, name):
        refs = [ref(200_001, [11, 12], 1, (0, "both mugs")), ref(101, [11], 1, (1, "left")),
                ref(200_002, [-1], 1, (2, "a red mug"), no_target=True)]
        dataset = load(write_grefcoco(tmp_path, refs=refs, name=name))
        both, left, nothing = dataset
        assert (dataset.name, dataset.format, dataset.split_by) == ("grefcoco", "grefcoco", "unc")
        assert (both.target.area, left.target, nothing.is_no_target) == (7, LEFT_MUG, True)

    def test_an_id_that_is_no_list_is_one(self, tmp_path):
        [example] = load(write_grefcoco(tmp_path, refs=[ref(1, 11, 1, (0, "left"))]))
        assert example.target == LEFT_MUG

    def test_boxes_without_text_are_listed(self, tmp_path):
        # henghuiding/gRefCOCO#3
        refs = [ref(1, [11], 1, (0, "left")), ref(2, [12], 1)]
        dataset = load(write_grefcoco(tmp_path, refs=refs))
        assert len(dataset) == 1
        assert [where for _, where, _ in problems_of(dataset, "no-sentences")] == [
            "grefs(unc).json, ref 2",
        ]

    def test_crowds_among_several_targets_are_left_out_as_rela_does(self, tmp_path):
        refs = [ref(1, [11, 13], 1, (0, "all")), ref(2, [13], 1, (1, "the spoons"))]
        dataset = load(write_grefcoco(tmp_path, refs=refs))
        assert [e.target for e in dataset] == [LEFT_MUG, SPOONS]
        [(severity, where, message)] = problems_of(dataset, "crowd-region")
        assert (severity, where) == ("info", "ref 1")
        assert "1 of its 2 targets are crowd regions and were left out, as ReLA does" in message


class TestRefZom:
    def test_zero_one_and_many(self, tmp_path):
        refs = [
            ref(1, [], 1, (0, "a red mug"), source="zero"),
            ref(2, [12], 1, (1, "right"), source="one"),
            ref(3, [11, 12], 1, (2, "both"), source="many"),
        ]
        dataset = load(write_ref_zom(tmp_path, refs=refs))
        assert (dataset.name, dataset.format, dataset.split_by) == ("ref-zom", "ref-zom", "final")
        assert [e.is_no_target for e in dataset] == [True, False, False]
        assert dataset.target_areas.tolist() == [0, 3, 7]

    def test_pictures_of_train_and_val_lie_in_one_folder(self, tmp_path):
        source = write_ref_zom(tmp_path)
        (tmp_path / "images" / "train2014").rename(tmp_path / "images" / "trainval2014")
        assert load(source).images[0].location.parent.name == "trainval2014"


class TestRRefcoco:
    def test_a_sentence_about_nothing_has_no_target(self, tmp_path):
        record = one_ref((0, "left mug", True), (1, "left shark", False))
        mug, shark = load(write_r_refcoco(tmp_path, refs=[record]))
        assert (mug.target, shark.is_no_target) == (LEFT_MUG, True)
        assert shark.target == Mask.empty((4, 6))
        assert shark.expression.ref_id == "101"

    @pytest.mark.parametrize("called", ["rrefcoco", "rrefcoco+", "rrefcocog"])
    def test_the_folder_tells_which_it_is(self, tmp_path, called):
        source = write_r_refcoco(tmp_path, called=called)
        assert load(source).name == called
        assert load(source / "refs(unc).p").format == "r-refcoco"

    def test_a_copy_in_a_folder_of_another_name_is_read_the_same(self, tmp_path):
        source = write_refer(tmp_path, refs=[one_ref((0, "shark", False))])
        assert load(source)[0].is_no_target


def test_a_scene_that_is_drawn_is_what_it_seems():
    assert DOG == draw("###..", "####.", ".....")
