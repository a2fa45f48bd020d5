"""What a model gets to see has the frame that its mask must have."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from inspector.live import pictures
from inspector.live.pictures import PictureError, dropped_picture, stored_picture, to_pixels
from tests.live.questions import encode

WIDE = Image.fromarray(np.arange(18, dtype=np.uint8).reshape(2, 3, 3))
TURN_LEFT = 8  # EXIF: what is stored is to be turned by 90 degrees to the left


def with_exif(orientation: int, kind: str = "JPEG") -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return encode(Image.new("RGB", (3, 2), (9, 9, 9)), kind, exif=exif.tobytes())


@pytest.mark.parametrize("make", [stored_picture, dropped_picture])
@pytest.mark.parametrize(("kind", "mode"), [("PNG", "RGB"), ("JPEG", "RGB"), ("JPEG", "L")])
def test_what_every_reader_reads_alike_stays_as_it_is(make, kind, mode):
    content = encode(WIDE.convert(mode), kind)
    made = make(content)
    assert (made.content, made.size_hw) == (content, (2, 3))
    assert made.kind == f"image/{kind.lower()}"


@pytest.mark.parametrize("make", [stored_picture, dropped_picture])
@pytest.mark.parametrize(("kind", "mode"), [
    ("WEBP", "RGB"), ("PNG", "P"), ("PNG", "RGBA"), ("JPEG", "CMYK"), ("PNG", "1"),
])
def test_the_rest_is_written_as_rgb(make, kind, mode):
    options = {"lossless": True} if kind == "WEBP" else {}
    content = encode(WIDE.convert(mode), kind, **options)
    made = make(content)
    with Image.open(io.BytesIO(made.content)) as opened, Image.open(io.BytesIO(content)) as before:
        assert (opened.format, opened.mode) == ("PNG", "RGB")
        assert np.array_equal(np.asarray(opened), np.asarray(before.convert("RGB")))


def test_sixteen_bits_keep_their_upper_half():
    deep = Image.fromarray(np.array([[0, 256, 65535]], np.uint16))
    assert np.asarray(to_pixels(stored_picture(encode(deep)).content))[0, :, 0].tolist() == [
        0, 1, 255,
    ]


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_stored_pictures_are_not_turned_and_ask_no_reader_to(kind):
    made = stored_picture(with_exif(TURN_LEFT, kind))
    assert made.size_hw == (2, 3)
    with Image.open(io.BytesIO(made.content)) as opened:
        assert (opened.size, dict(opened.getexif())) == ((3, 2), {})


def test_dropped_photographs_are_turned():
    made = dropped_picture(with_exif(TURN_LEFT))
    assert made.size_hw == (3, 2)
    with Image.open(io.BytesIO(made.content)) as opened:
        assert (opened.size, dict(opened.getexif())) == ((2, 3), {})


def test_pixels_say_nothing_but_themselves():
    picture = to_pixels(encode(WIDE.convert("L"), "JPEG", comment=b"hello"))
    assert (picture.mode, picture.size, picture.info) == ("RGB", (3, 2), {})


@pytest.mark.parametrize(("make", "content", "said"), [
    (dropped_picture, b"", "This is no picture of a known kind. Choose one of: JPEG, PNG, WEBP."),
    (dropped_picture, b"<svg onload=alert(1)>",
     "This is no picture of a known kind. Choose one of: JPEG, PNG, WEBP."),
    (dropped_picture, encode(WIDE, "GIF"),
     "This is no picture of a known kind. Choose one of: JPEG, PNG, WEBP."),
    (dropped_picture, encode(WIDE, "TIFF"),
     "This is no picture of a known kind. Choose one of: JPEG, PNG, WEBP."),
    (stored_picture, encode(WIDE, "TIFF"),
     "This is no picture of a known kind. Choose one of: JPEG, PNG, GIF, BMP, WEBP."),
], ids=["empty", "svg", "gif", "tiff", "stored tiff"])
def test_other_kinds(make, content, said):
    with pytest.raises(PictureError) as caught:
        make(content)
    assert str(caught.value) == said


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_half_a_picture(kind):
    noise = np.random.default_rng(3).integers(0, 256, (64, 64, 3), np.uint8)
    content = encode(Image.fromarray(noise), kind)
    with pytest.raises(PictureError, match=r"^The picture cannot be read \("):
        dropped_picture(content[: len(content) // 2])


def test_too_many_pixels_are_refused_before_they_are_unpacked(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PIXELS", 5)
    with pytest.raises(PictureError) as caught:
        dropped_picture(encode(WIDE))
    assert str(caught.value) == (
        "The picture has 3 x 2 pixels. A model is asked about pictures of at most 5 pixels."
    )
