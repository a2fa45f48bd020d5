"""The photograph as stored where every program can draw it, else the same pixels as PNG."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from inspector.figures.photograph import read_photograph, shrunken
from inspector.formats.pictures import PictureStore

PIXELS = np.random.default_rng(5).integers(0, 256, (8, 12, 3), dtype=np.uint8)


def written(folder, kind: str, **options) -> tuple[bytes, object]:
    path = folder / f"picture.{kind.lower()}"
    Image.fromarray(PIXELS).save(path, kind, **options)
    return path.read_bytes(), read_photograph(PictureStore(), path)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_as_it_is_stored(tmp_path, kind):
    content, photograph = written(tmp_path, kind)
    assert photograph.content == content
    assert photograph.kind == f"image/{kind.lower()}"


@pytest.mark.parametrize(("kind", "options"), [
    ("BMP", {}), ("TIFF", {}), ("WEBP", {"lossless": True}),
])
def test_other_kinds_are_the_same_pixels_as_png(tmp_path, kind, options):
    _, photograph = written(tmp_path, kind, **options)
    assert photograph.kind == "image/png"
    assert (np.asarray(Image.open(io.BytesIO(photograph.content))) == PIXELS).all()


def test_one_that_exif_turns_stays_in_the_frame_of_its_masks(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    _, photograph = written(tmp_path, "JPEG", exif=exif)
    picture = Image.open(io.BytesIO(photograph.content))
    assert picture.format == "PNG" and picture.size == (12, 8)
    assert picture.getexif().get(0x0112, 1) == 1


def test_sixteen_bits_of_grey_and_transparency(tmp_path):
    path = tmp_path / "deep.png"
    Image.fromarray(np.array([[0, 0x8000, 0xFFFF]], np.uint16)).save(path)
    assert read_photograph(PictureStore(), path).pixels((1, 3))[0, :, 0].tolist() == [0, 128, 255]
    Image.new("RGBA", (3, 1), (255, 0, 0, 0)).save(path)
    assert read_photograph(PictureStore(), path).pixels((1, 3)).min() == 255


@pytest.mark.parametrize(("content", "said"), [
    (None, "The picture file is gone."), (b"", "The picture was not found."),
    (b"<svg/>", "The picture cannot be read."),
])
def test_why_there_is_none(tmp_path, content, said):
    path = tmp_path / "x.jpg"
    if content is not None:
        path.write_bytes(content)
    photograph = read_photograph(PictureStore(), path)
    assert (photograph.content, photograph.reason) == (None, said)
    assert photograph.pixels((3, 3)) is None


def test_a_file_that_is_there_and_cannot_be_read_is_not_called_gone(tmp_path):
    class Closed(PictureStore):
        def read(self, location):
            raise PermissionError(13, "Permission denied", f"{location}")

    photograph = read_photograph(Closed(), tmp_path / "x.jpg")
    assert photograph.reason == "The picture file cannot be read (Permission denied)."
    photograph = read_photograph(PictureStore(), tmp_path)  # a folder where a file should be
    assert photograph.reason == "The picture file cannot be read."


def test_more_pixels_than_a_mask_may_have(tmp_path):
    path = tmp_path / "large.png"
    Image.new("1", (20_000, 10_000)).save(path)
    photograph = read_photograph(PictureStore(), path)
    assert photograph.reason == "The picture has too many pixels to be drawn."


def test_a_smaller_one_for_a_tile(tmp_path):
    _, photograph = written(tmp_path, "PNG")
    small = shrunken(photograph, (4, 6))
    assert small.kind == "image/jpeg" and Image.open(io.BytesIO(small.content)).size == (6, 4)
