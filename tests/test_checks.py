"""What ``check`` finds beyond loading."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from inspector.checks import check_dataset, check_pictures
from inspector.cli import main
from inspector.formats.building import DatasetBuilder
from tests.building import Picture, Said, Thing, make_dataset
from tests.drawing import draw


def jpeg(width: int, height: int, *, orientation: int | None = None) -> bytes:
    buffer = io.BytesIO()
    exif = Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    Image.new("RGB", (width, height)).save(buffer, "JPEG", exif=exif)
    return buffer.getvalue()


class TestPictures:
    def check(self, tmp_path, content: bytes | None) -> list[tuple[str, str, str]]:
        path = tmp_path / "1.jpg"
        if content is not None:
            path.write_bytes(content)
        dataset = make_dataset(Picture("1", (2, 3), (), (Said("1", "none"),), path))
        return [(p.code, p.where, p.message) for p in check_pictures(dataset)]

    def test_of_the_right_size(self, tmp_path):
        assert self.check(tmp_path, jpeg(3, 2)) == []
        assert self.check(tmp_path, jpeg(3, 2, orientation=3)) == []  # upside down: same sides

    def test_of_another_size(self, tmp_path):
        assert self.check(tmp_path, jpeg(4, 2)) == [(
            "picture-size", "picture 1",
            "1.jpg has 4 x 2 pixels, but its annotations are for 3 x 2.",
        )]

    def test_of_swapped_sides(self, tmp_path):
        # robmarkcole/streamlit-segmentation-app#1: mask 748 x 982, picture 982 x 748
        assert self.check(tmp_path, jpeg(2, 3)) == [(
            "picture-size", "picture 1",
            "1.jpg has 2 x 3 pixels, but its annotations are for 3 x 2: height and width are "
            "swapped.",
        )]

    def test_annotated_on_the_turned_picture(self, tmp_path):
        [(code, _, message)] = self.check(tmp_path, jpeg(2, 3, orientation=6))
        assert code == "picture-size"
        assert message.endswith(
            "height and width are swapped. Its EXIF orientation 6 asks viewers to turn it, and the "
            "annotations were made on the turned picture."
        )

    @pytest.mark.parametrize("orientation", [5, 6, 7, 8])
    def test_that_viewers_turn_but_annotations_do_not(self, tmp_path, orientation):
        [(code, where, message)] = self.check(tmp_path, jpeg(3, 2, orientation=orientation))
        assert (code, where) == ("turned-picture", "picture 1")
        assert message == (
            "1.jpg is stored as 3 x 2 pixels, like its masks, but its EXIF orientation "
            f"{orientation} asks viewers to turn it to 2 x 3: programs that do so swap height and "
            "width, and its masks do not fit there."
        )

    @pytest.mark.parametrize("content", [b"", b"GIF89a", None], ids=["empty", "cut off", "gone"])
    def test_that_cannot_be_read(self, tmp_path, content):
        (code, where, message), = self.check(tmp_path, content)
        assert (code, where) == ("broken-picture", "picture 1")
        assert message.startswith("1.jpg cannot be read (")


def boxed(*boxes):
    """Build a picture with one mask of 2 x 2 pixels at (1, 1), annotated with several boxes."""
    builder = DatasetBuilder(name="b", format="f", source="s", distractors_known=True)
    image = builder.add_image("1", file_name="", size_hw=(20, 20), location=None, where="")
    rows = ["." * 20, *(["." + "#" * 10 + "." * 9] * 10), *(["." * 20] * 9)]
    for number, box in enumerate(boxes):
        row = builder.add_object(image, annotation_id=f"a{number}", category="cup",
                                 mask=draw(*rows), box_xywh=box, where="")
        builder.add_expression(image, sentence="a", sent_id=f"{number}", ref_id=f"r{number}",
                               example_id=f"{number}", objects=(row,), split="val")
    return [(p.code, p.where, p.message) for p in check_dataset(builder.build(split="val"))]


@pytest.mark.parametrize("box", [[1, 1, 10, 10], [3.9, 1, 7.1, 10], [1, 1, 12.9, 10], None])
def test_a_box_within_three_pixels_of_its_mask(box):
    assert boxed(box) == []


@pytest.mark.parametrize(("box", "said"), [
    ([-8.9, 1, 19.9, 10], "The left edge of its box is 9.9 pixels from that of its mask."),
    ([1, 1, 10, 14.4], "The bottom edge of its box is 4.4 pixels from that of its mask."),
    ([1, 1, 10, 2], "The bottom edge of its box is 8.0 pixels from that of its mask."),
])
def test_a_box_that_differs_names_the_edge_and_the_ref(box, said):
    assert boxed([1, 1, 10, 10], box) == [("box-differs", "annotation a1, ref r1", said)]


def test_crowd_regions_are_counted():
    dataset = make_dataset(
        Picture("1", (1, 2), [Thing("a", "cup", draw("#.")), Thing("b", "cup", draw(".#"), True)],
                [Said("1", "cup", ["a"])]),
        Picture("2", (1, 2), [], [Said("2", "nothing")]),
    )
    [problem] = check_dataset(dataset)
    assert (problem.code, problem.severity, problem.count) == ("crowd-region", "info", 1)
    assert problem.message == (
        "Crowd regions: 1, on 1 of 2 pictures, 0 of them targets; they are never \"another "
        "object\"."
    )


def test_categories_that_are_a_stand_in_are_named():
    dataset = make_dataset(
        Picture("1", (1, 2), [Thing("a", "unknown", draw("#."))], [Said("1", "it", ["a"])])
    )
    [problem] = check_dataset(dataset)
    assert (problem.code, problem.severity) == ("unknown-category", "info")
    assert problem.message.startswith("1 of 1 referred objects have the category 'unknown'")


@pytest.mark.parametrize(("folder", "options", "lines"), [
    ("refer/refcoco", (), [
        "refcoco (unc), split all: 9 pictures, 25 referents, 74 examples",
        "info: box-differs: annotation 390340, ref 12055: The left edge of its box is 9.9 pixels",
        "info: box-differs: annotation 465241, ref 22516: The bottom edge of its box is 4.4 pixels",
        "info: crowd-region: refcoco: Crowd regions: 1, on 1 of 9 pictures",
    ]),
    ("refer/refcocog", ("--split-by", "umd"), [
        "refcocog (umd), split all: 8 pictures, 13 referents, 24 examples",
        "info: box-differs: annotation 1996153, ref 17115: The top edge of its box is 3.7 pixels",
        "info: box-differs: annotation 688994, ref 40480: The right edge of its box is 4.0 pixels",
    ]),
    ("refer/refcocog", ("--split-by", "google"), [
        "refcocog (google), split all: 8 pictures, 9 referents, 18 examples",
        "info: overlapping-polygons: annotation 41510, ref 229: 2 polygons of one object overlap "
        "by 106 pixels",
    ]),
    ("refcoco-m", (), [
        "refcoco-m, split all: 4 pictures, 13 referents, 36 examples",
        "info: box-differs: sample 12055: The left edge of its box is 9.9 pixels",
    ]),
    ("two-models/refcoco", (), [
        "refcoco (unc), split all: 49 pictures, 51 referents, 147 examples",
        "info: unknown-category: refcoco: 51 of 51 referred objects have the category 'unknown'",
    ]),
])
def test_every_oddity_of_the_real_data_is_printed(shared_data, capsys, folder, options, lines):
    assert main(["check", str(shared_data / folder), "--split", "all", *options]) == 0
    printed = capsys.readouterr().out.splitlines()
    for line in lines:
        assert [text for text in printed if text.startswith(line)], line
    assert sum(text.startswith("info: box-differs") for text in printed) == (
        2 if folder != "two-models/refcoco" and "google" not in options else 0
    )
    assert [text for text in printed if text.endswith("A subset?")]
