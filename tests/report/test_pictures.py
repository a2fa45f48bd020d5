"""Pictures are written once, and made smaller only where they must be."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from inspector.report.pictures import collect_pictures, fair_share
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score
from tests.drawing import draw

SPOT = draw(*["#" * 40] * 30)


@pytest.mark.parametrize(("sizes", "total", "expected"), [
    pytest.param([10, 20, 30], 60, 30, id="all fit"),
    pytest.param([10, 20, 90], 60, 30, id="the large one is cut"),
    pytest.param([50, 50], 60, 30, id="both are cut"),
    pytest.param([], 60, 0, id="none"),
    pytest.param([5, 100, 100], 105, 50, id="what the small one leaves is shared"),
])
def test_fair_share(sizes, total, expected):
    share = fair_share(sizes, total)
    assert share == expected
    assert sum(min(size, share) for size in sizes) <= total


@pytest.fixture
def workspace(tmp_path):
    """Three pictures of 40 x 30 masks: noise that does not compress, a plain one, a broken one."""
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), np.uint8)
    for name, pixels in (("noise", noise), ("plain", np.zeros((30, 40, 3), np.uint8))):
        Image.fromarray(pixels).save(tmp_path / f"{name}.png")
    (tmp_path / "broken.png").write_bytes(b"<svg onload=alert(1)>")
    dataset = make_dataset(*(
        Picture(name, (30, 40), (Thing(name, "cup", SPOT),), (Said(name, "cup", (name,)),),
                tmp_path / f"{name}.png")
        for name in ("noise", "plain", "broken")
    ))
    return make_workspace(score(dataset, {"noise": SPOT}))


def test_pictures_that_fit_are_as_stored(workspace, tmp_path):
    found = collect_pictures(workspace, [0, 1, 0], most_bytes=10**7, longest_side=1600)
    assert list(found.by_row) == [0, 1]
    assert found.by_row[0].photograph.content == (tmp_path / "noise.png").read_bytes()
    assert found.describe() == ""
    assert found.define().count("<image") == 2


def test_large_ones_are_compressed_and_named(workspace):
    found = collect_pictures(workspace, [0, 1, 2], most_bytes=40_000, longest_side=1600)
    assert [shown.was_changed for shown in found.by_row.values()] == [True, False, False]
    assert sum(len(shown.photograph.content or b"") for shown in found.by_row.values()) <= 30_000
    small = Image.open(io.BytesIO(found.by_row[0].photograph.content))
    assert small.format == "JPEG"
    assert found.describe() == (
        "1 of 3 pictures was compressed anew to keep the file small; masks and numbers are exact "
        "and of the original size. 1 picture could not be read and is shown as a grey field."
    )


def test_a_picture_stands_in_the_frame_of_its_masks(workspace):
    shown = collect_pictures(workspace, [0], most_bytes=10**7, longest_side=1600).by_row[0]
    written = shown.define()
    assert 'width="40" height="30"' in written
    data = written.partition("base64,")[2].partition('"')[0]
    assert base64.b64decode(data) == shown.photograph.content
    assert shown.use() == '<use href="#picture-1"/>'


def test_what_is_no_picture_is_not_shown(workspace):
    shown = collect_pictures(workspace, [2], most_bytes=10**7, longest_side=1600).by_row[2]
    assert shown.define() is None
    assert shown.use() is None
    assert shown.photograph.reason == "The picture cannot be read."
