from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.core.errors import FormatError
from inspector.core.mask import Mask
from inspector.core.run import Run, Status
from inspector.predictions import load_run
from tests.building import Picture, Said, Thing, make_dataset
from tests.drawing import draw

CUP = draw(
    "......",
    ".##...",
    ".##...",
)
SCENE = make_dataset(
    Picture("1", (3, 6), (Thing("11", "cup", CUP),), (
        Said("101", "left cup", ("11",), ref_id="21"), Said("102", "cup", ("11",), ref_id="21"),
    )),
    Picture("2", (3, 6), (Thing("12", "cup", CUP),), (
        Said("", "one", ("12",), sample_id="s_9"), Said("", "two", ("12",), sample_id="a:b"),
    )),
)
ZERO_ONE = CUP.to_array().astype(np.uint8)


def save(folder: Path, name: str = "101.png", picture: Image.Image | None = None) -> None:
    (picture or Image.fromarray(ZERO_ONE * 255)).save(folder / name, "PNG")


def load(folder: Path) -> Run:
    return load_run(SCENE, folder, name="model")


def matched(run: Run) -> list[str]:
    return [SCENE.expressions.ids[i] for i in np.flatnonzero(run.status == Status.SCORED)]


@pytest.mark.parametrize(("name", "example"), [
    pytest.param("101.png", "101", id="sent_id"),
    pytest.param("21_102.png", "102", id="ref_id and sent_id"),
    pytest.param("s_9:0.png", "s_9:0", id="example_id"),
    pytest.param("s_9_0.png", "s_9:0", id="example_id with an underscore for the colon"),
    pytest.param("a_b_1.png", "a:b:1", id="underscores for several colons"),
    pytest.param("101.PNG", "101", id="capitals"),
])
def test_names(name, example, tmp_path):
    save(tmp_path, name)
    run = load(tmp_path)
    assert matched(run) == [example]
    assert run.masks[run.rows[SCENE.index_of[example]]] == CUP
    assert run.problems == ()


@pytest.mark.parametrize("name", ["999.png", "22_101.png", "21_999.png", "cup.png", "._101.png"])
def test_a_file_that_fits_no_example_is_listed(name, tmp_path):
    save(tmp_path, "102.png")
    save(tmp_path, name)
    run = load(tmp_path)
    assert (matched(run), run.unmatched) == (["102"], 1)
    assert [(p.code, p.where) for p in run.problems] == [("extra-file", name)]


@pytest.mark.parametrize("stray", ["101_mask_0.png", "21-iou=50.00-left_cup.png"])
def test_one_file_of_a_program_does_not_take_over_a_folder_of_masks(stray, tmp_path):
    # the folder was taken for LISA's or CRIS's, and all other masks were lost without a word
    for name in ("101.png", "102.png", "s_9:0.png", stray):
        save(tmp_path, name)
    run = load(tmp_path)
    assert (run.format, matched(run)) == ("mask-folder", ["101", "102", "s_9:0"])
    assert [(p.code, p.where) for p in run.problems] == [("extra-file", stray)]


@pytest.mark.parametrize(("key", "names"), [
    ("lisa", ["1_mask_0.png", "1_mask_1.png", "1_masked_img_0.jpg"]),
    ("cris", ["21-iou=50.00-left_cup.png", "21-iou=50.00-cup.png", "21-mask.png"]),
])
def test_what_is_strange_in_the_folder_of_a_program_is_listed(key, names, tmp_path):
    for name in (*names, "102.png"):
        save(tmp_path, name)
    (tmp_path / "notes.txt").touch()
    run = load(tmp_path)
    assert (run.format, matched(run)) == (key, ["101", "102"])
    listed = [(p.severity, p.where) for p in run.problems if p.code == "other-file"]
    assert listed == [("warning", "102.png"), ("info", "notes.txt")]


@pytest.mark.parametrize(("name", "said"), [
    ("000101.png", "No example has example_id 000101. Is 101 meant? Names are not read without "
                   "the zeros in front: rename it."),
    ("21_0.png", "No example has example_id 21_0. 21 is a ref_id, but 0 is no sent_id of it: name "
                 "the file <ref_id>_<sent_id>.png."),
    ("000.png", "No example has example_id 000."),
    ("99_0.png", "No example has example_id 99_0."),
])
def test_a_name_that_nearly_fits_is_not_guessed_but_said(name, said, tmp_path):
    save(tmp_path, "102.png")
    save(tmp_path, name)
    run = load(tmp_path)
    assert matched(run) == ["102"]
    assert [p.message for p in run.problems] == [said]


def test_a_folder_whose_names_all_nearly_fit_is_an_error_that_says_so(tmp_path):
    save(tmp_path, "21_0.png")
    with pytest.raises(FormatError, match="example_id 21_0.*name the file <ref_id>"):
        load(tmp_path)


def test_what_is_no_mask_in_the_folder_is_listed(tmp_path):
    save(tmp_path)
    (tmp_path / "102.png").symlink_to(tmp_path / "gone.png")
    os.mkfifo(tmp_path / "103.png")
    (tmp_path / "more").mkdir()
    for name in ("a.txt", "b.txt", ".hidden"):
        (tmp_path / name).write_text("")
    run = load(tmp_path)
    assert matched(run) == ["101"]
    assert [(p.severity, p.where, p.message.split(" ")[1], p.count) for p in run.problems] == [
        ("error", "102.png", "link", 1), ("error", "103.png", "entry", 1),
        ("warning", "more", "folder", 1), ("info", "a.txt", "files", 2),
    ]
    assert {p.code for p in run.problems} == {"other-file"}


def test_folders_named_like_pictures_are_looked_into_and_others_listed(tmp_path):
    for folder in ("1", "notes"):
        (tmp_path / folder).mkdir()
    save(tmp_path / "1", "0.png")
    run = load(tmp_path)
    assert matched(run) == ["101"]
    assert [(p.code, p.severity, p.where) for p in run.problems] == [
        ("other-file", "warning", "notes")
    ]


def test_two_files_for_one_example(tmp_path):
    save(tmp_path, "101.png")
    save(tmp_path, "21_101.png")
    run = load(tmp_path)
    assert run.duplicate == 1
    assert run.problems[0].where == "21_101.png"


def palette(colours: list[int]) -> Image.Image:
    picture = Image.fromarray(ZERO_ONE, "P")
    picture.putpalette(colours)
    return picture


def soft(background: int, foreground: int) -> Image.Image:
    """Draw grey values around two levels: one of each is a little off."""
    values = np.where(ZERO_ONE > 0, foreground, background).astype(np.uint8)
    values[0, 0], values[1, 1] = background + 1, foreground - 1
    return Image.fromarray(values)


def coloured(colour: tuple[int, int, int], ground: tuple[int, int, int] = (0, 0, 0)) -> Image.Image:
    values = np.where(ZERO_ONE[:, :, None] > 0, colour, ground).astype(np.uint8)
    return Image.fromarray(values)


def see_through(*, opaque: bool) -> Image.Image:
    """Give a red mask whose ground is transparent, or black and opaque."""
    alpha = np.full_like(ZERO_ONE, 255) if opaque else ZERO_ONE * 255
    colour = np.asarray(coloured((200, 0, 0), (0, 0, 0) if opaque else (200, 0, 0)))
    return Image.fromarray(np.dstack([colour, alpha]))


@pytest.mark.parametrize("picture", [
    pytest.param(coloured((255, 0, 0)), id="red as RGB"),
    pytest.param(coloured((20, 40, 7)), id="a dark colour as RGB"),
    pytest.param(see_through(opaque=False), id="RGBA, transparent ground"),
    pytest.param(see_through(opaque=True), id="RGBA, opaque"),
    pytest.param(Image.fromarray(ZERO_ONE.astype(np.uint16) * 65_535), id="16 bits, two values"),
    pytest.param(Image.fromarray(ZERO_ONE.astype(np.uint16) * 40_000 + 20_000), id="16 bits, soft"),
    pytest.param(Image.fromarray(np.array([[0, 3, 0, 0, 0, 0], [0, 100, 97, 0, 0, 0],
                                           [0, 99, 100, 0, 0, 0]], np.uint8)), id="soft up to 100"),
    pytest.param(Image.fromarray(ZERO_ONE), id="0 and 1"),
    pytest.param(Image.fromarray(ZERO_ONE * 255), id="0 and 255"),
    pytest.param(Image.fromarray(ZERO_ONE * 7), id="0 and 7"),
    pytest.param(Image.fromarray(ZERO_ONE > 0), id="bool"),
    pytest.param(palette([0, 0, 0, 128, 0, 0]), id="coloured palette"),
    pytest.param(palette([0, 0, 0, 255, 255, 255]), id="grey palette"),
    pytest.param(soft(20, 240), id="soft values"),
    pytest.param(soft(127 - 1, 128 + 1), id="soft values around the middle"),
    pytest.param(Image.fromarray(ZERO_ONE * 100 + 100), id="100 and 200"),
    pytest.param(Image.fromarray(ZERO_ONE * 255).convert("RGB"), id="grey as RGB"),
])
def test_kinds_of_pictures(picture, tmp_path):
    save(tmp_path, picture=picture)
    run = load(tmp_path)
    assert {p.code for p in run.problems} <= {"mask-values"}
    assert run.masks[run.rows[0]] == CUP


def test_plain_masks_need_no_word_and_others_get_their_histogram(tmp_path):
    save(tmp_path)
    assert load(tmp_path).problems == ()
    save(tmp_path, picture=soft(20, 240))
    (problem,) = load(tmp_path).problems
    assert (problem.code, problem.severity) == ("mask-values", "info")
    assert problem.message == (
        "Foreground of the mask pictures is at least 128 in 1. Values of the first 1: "
        "1 to 63: 77.8 %, 192 to 254: 22.2 %."
    )


@pytest.mark.parametrize("quality", [60, 95])
def test_a_jpeg_is_foreground_from_half_of_its_largest_value(quality, tmp_path):
    # LISA writes mask * 100 as JPEG, which leaves values such as 3 and 97
    square = np.zeros((3, 6), np.uint8)
    square[1:, 1:3] = 100
    big = np.kron(square, np.ones((16, 16), np.uint8))
    Image.fromarray(big).save(tmp_path / "101.jpg", quality=quality)
    run = load_run(BIG, tmp_path, name="model")
    assert run.masks[run.rows[0]] == Mask.from_array(big > 0)
    assert "in a JPEG at least half of the largest value in 1" in run.problems[0].message


BIG = make_dataset(Picture("1", (48, 96), (Thing("11", "cup", [[16, 16, 48, 16, 48, 48]]),), (
    Said("101", "left cup", ("11",), ref_id="21"),
)))


def test_a_grey_palette_means_its_greys_not_its_numbers(tmp_path):
    # Pillow's quantize puts the most frequent colour first, which may well be white.
    white_first = Image.fromarray(1 - ZERO_ONE, "P")
    white_first.putpalette([255, 255, 255, 0, 0, 0])
    save(tmp_path, picture=white_first)
    run = load(tmp_path)
    assert run.masks[run.rows[0]] == CUP


@pytest.mark.parametrize(("value", "pixels"), [(0, 0), (1, 18), (255, 18)])
def test_a_picture_of_one_value(value, pixels, tmp_path):
    save(tmp_path, picture=Image.new("L", (6, 3), value))
    run = load(tmp_path)
    assert run.masks.areas[run.rows[0]] == pixels
    assert not run.says_no_target.any()


def three_colours() -> Image.Image:
    picture = palette([0, 0, 0, 128, 0, 0, 0, 128, 0])
    picture.putpixel((1, 1), 2)
    return picture


@pytest.mark.parametrize(("picture", "code", "said"), [
    pytest.param(Image.new("L", (7, 3)), "size-mismatch",
                 "The mask is 7 x 3 pixels (width x height), the picture 6 x 3 pixels", id="size"),
    pytest.param(Image.new("L", (3, 6)), "size-mismatch",
                 "The mask is 3 x 6 pixels (width x height), the picture 6 x 3 pixels "
                 "(width x height): height and width are swapped.", id="swapped"),
    pytest.param(coloured((255, 0, 0), (0, 255, 0)), "broken-prediction",
                 "The picture has 2 colours; a mask picture has black and one other.",
                 id="two colours without black"),
    pytest.param(Image.fromarray(np.arange(54, dtype=np.uint8).reshape(3, 6, 3) * 4),
                 "broken-prediction",
                 "The picture has 18 colours; a mask picture has black and one other.",
                 id="photograph"),
    pytest.param(three_colours(), "broken-prediction",
                 "The picture has 3 colours; a mask picture has two.", id="three palette numbers"),
])
def test_pictures_that_are_no_mask(picture, code, said, tmp_path):
    save(tmp_path, picture=picture)
    save(tmp_path, "102.png")
    run = load(tmp_path)
    assert Status(run.status[0]) == Status.INVALID
    assert [(p.code, p.where) for p in run.problems] == [(code, "101.png")]
    assert run.reasons[0].startswith(said)
    assert matched(run) == ["102"]


@pytest.mark.parametrize("content", [
    pytest.param(b"", id="no byte"),
    pytest.param(b"GIF89a", id="another kind"),
    pytest.param(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, id="broken head"),
])
def test_files_that_cannot_be_read(content, tmp_path):
    (tmp_path / "101.png").write_bytes(content)
    run = load(tmp_path)
    assert Status(run.status[0]) == Status.INVALID
    assert run.reasons[0].startswith("The picture cannot be read")


def test_a_cut_off_picture(tmp_path):
    save(tmp_path, picture=Image.fromarray(ZERO_ONE * 255))
    whole = (tmp_path / "101.png").read_bytes()
    (tmp_path / "101.png").write_bytes(whole[: len(whole) // 2])
    run = load(tmp_path)
    assert run.reasons[0].startswith("The picture cannot be read")


def test_a_picture_of_another_kind_than_its_name_says_is_read_as_what_it_is(tmp_path):
    Image.fromarray(ZERO_ONE * 255).save(tmp_path / "101.png", "BMP")
    assert load(tmp_path).masks[0] == CUP


def test_a_folder_named_like_a_picture_is_no_prediction(tmp_path):
    save(tmp_path, "102.png")
    (tmp_path / "101.png").mkdir()
    assert matched(load(tmp_path)) == ["102"]


@pytest.mark.parametrize("names", [[], ["101.txt"], ["holiday.jpg"]], ids=str)
def test_a_folder_without_mask_pictures(names, tmp_path):
    for name in names:
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(FormatError, match=r"not a known file of predictions\. Known: CRIS"):
        load(tmp_path)


def test_where_no_name_fits_both_are_named(tmp_path):
    save(tmp_path, "7.png")
    text = r"none of its 1 predictions belongs .* names example_id 7, the first example here is 101"
    with pytest.raises(FormatError, match=text):
        load(tmp_path)


def test_a_file_name_that_is_not_unicode_is_listed(tmp_path):
    save(tmp_path, "102.png")
    save(tmp_path, "\udcff.png")
    assert load(tmp_path).problems[0].where == "\\udcff.png"


@pytest.mark.parametrize(("name", "found"), [
    pytest.param("22.png", "102", id="ref_id"),
    pytest.param("12.png", "102", id="ann_id"),
    pytest.param("2.png", "102", id="image_id"),
    pytest.param("000000000002.png", "102", id="image_id with zeros"),
    pytest.param("COCO_train2014_000000000002.png", "102", id="file name of the picture"),
    pytest.param("2_12_0.png", "102", id="image_id, ann_id, number"),
    pytest.param("1_11_0.png", "101", id="image_id, ann_id, number of another"),
    pytest.param("2/0.png", "102", id="folder of the picture"),
    pytest.param("COCO_train2014_000000000002/0.jpg", "102", id="folder of its file name"),
    pytest.param("1_12_0.png", None, id="annotation of another picture"),
    pytest.param("2_12_1.png", None, id="sentence that is not there"),
    pytest.param("2/7.png", None, id="number that is not there"),
])
def test_other_ways_of_naming(name, found, tmp_path):
    dataset = make_dataset(*(
        Picture(f"{k}", (3, 6), (Thing(f"1{k}", "cup", CUP),),
                (Said(f"10{k}", "cup", (f"1{k}",), ref_id=f"2{k}"),)) for k in (1, 2)
    ))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    Image.fromarray(ZERO_ONE * 255).save(tmp_path / name, "PNG")
    if found is None:
        with pytest.raises(FormatError, match="none of its 1 predictions belongs"):
            load_run(dataset, tmp_path, name="model")
        return
    run = load_run(dataset, tmp_path, name="model")
    assert [dataset.expressions.ids[i] for i in np.flatnonzero(run.status == 1)] == [found]
    assert run.problems == ()


def test_a_picture_for_a_referent_serves_all_its_sentences_and_that_is_said(tmp_path):
    save(tmp_path, "21.png")
    run = load(tmp_path)
    assert matched(run) == ["101", "102"]
    assert run.alignment == ("2 by ref_id, one for all its sentences",)
    assert [p.code for p in run.problems] == ["shared-key"]


def test_numbers_that_mean_one_thing_for_the_whole_folder_and_could_mean_another(tmp_path):
    # ref_ids and sent_ids overlap: what most files are is taken, and the doubt is said
    dataset = make_dataset(*(
        Picture(f"9{k}", (3, 6), (Thing(f"8{k}", "cup", CUP),),
                (Said(f"{k}", "cup", (f"8{k}",), ref_id=f"{(k + 1) % 3}"),)) for k in range(3)
    ))
    for k in range(3):
        save(tmp_path, f"{k}.png")
    run = load_run(dataset, tmp_path, name="model")
    assert run.alignment == ("3 by example_id",)
    (problem,) = run.problems
    assert (problem.code, problem.severity) == ("ambiguous-names", "warning")
    assert "fit as sent_id (3) and as ref_id (3); they were read as sent_id" in problem.message
