"""Broken, unusual and oversized pictures: check, the picture route, thumbnails, masks."""

from __future__ import annotations

import io
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from inspector.checks import check_pictures
from inspector.cli import main
from inspector.core.dataset import Dataset
from inspector.core.protocol import Protocol
from inspector.drawing import make_thumbnail
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.server.app import create_app
from inspector.workspace import Workspace
from tests.formats import layouts, repacks
from tests.formats.writing import write_jsonl
from tests.hostile.pictures import (
    CUT_OFF,
    READABLE,
    UNREADABLE,
    animated,
    png_bomb,
    png_head,
    saved,
    text_bomb,
)
from tests.hostile.watching import little_memory

pytestmark = pytest.mark.timeout(30)


def opened(root: Path, content: bytes) -> tuple[Dataset, TestClient, str]:
    """Load a data set whose first picture is this one, and serve it."""
    source = write_jsonl(root)
    (root / "pictures" / "1.jpg").write_bytes(content)
    dataset = load_dataset(LoadRequest(str(source)))
    workspace = Workspace(dataset, (), Protocol())
    return dataset, TestClient(create_app(workspace, page={})), f"/data/{workspace.version}"


@pytest.mark.parametrize("kind", READABLE)
def test_unusual_kinds_are_shown(kind, tmp_path):
    content = READABLE[kind]()
    dataset, client, data = opened(tmp_path, content)
    assert check_pictures(dataset) == ()
    assert client.get(f"{data}/pictures/0").content == content
    small = client.get(f"{data}/thumbnails/0")
    assert small.status_code == 200
    with Image.open(io.BytesIO(small.content)) as picture:
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (6, 4))


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_is_no_picture_is_listed_and_has_no_thumbnail(kind, tmp_path):
    dataset, client, data = opened(tmp_path, UNREADABLE[kind]())
    with little_memory():
        [problem] = check_pictures(dataset)
        small, whole = (client.get(f"{data}/{route}/0") for route in ("thumbnails", "pictures"))
    assert problem.severity == "error"
    assert problem.code in ("broken-picture", "picture-size")
    assert small.status_code == 404
    assert isinstance(small.json()["detail"], str)
    assert whole.status_code in (200, 404)  # a browser shows that it cannot be drawn


@pytest.mark.parametrize("kind", CUT_OFF)
def test_cut_off_pictures_end_no_request(kind, tmp_path):
    dataset, client, data = opened(tmp_path, CUT_OFF[kind]())
    check_pictures(dataset)
    assert client.get(f"{data}/pictures/0").status_code == 200
    assert client.get(f"{data}/thumbnails/0").status_code in (200, 404)


def test_any_cut_and_any_changed_byte_ends_in_a_thumbnail_or_none():
    for whole in (saved("PNG", "RGB"), saved("JPEG", "RGB"), saved("TIFF", "RGB"),
                  animated("GIF"), animated("WEBP"), saved("BMP", "L")):
        for at in range(0, len(whole), max(len(whole) // 60, 1)):
            for content in (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :]):
                small = make_thumbnail(content)
                assert small is None or small.startswith(b"\xff\xd8")


def test_a_16_bit_picture_is_not_all_white():
    # Pillow's own conversion cuts everything above 255 off
    buffer = io.BytesIO()
    Image.fromarray(np.full((4, 6), 128 * 256, np.uint16)).save(buffer, "PNG")
    small = make_thumbnail(buffer.getvalue())
    assert small is not None
    with Image.open(io.BytesIO(small)) as picture:
        assert picture.getpixel((2, 2)) == pytest.approx((128, 128, 128), abs=3)


class TestBombs:
    def test_check_says_it_without_unpacking(self, tmp_path, capsys):
        source = write_jsonl(tmp_path)
        (tmp_path / "pictures" / "1.jpg").write_bytes(png_head(20_000, 20_000))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with little_memory():
                assert main(["check", str(source)]) == 1
        printed = capsys.readouterr()
        said = "error: broken-picture: picture 1: pictures/1.jpg cannot be read (Image size"
        assert said in printed.out
        assert printed.err == ""

    def test_a_thumbnail_of_a_hundred_million_pixels_is_not_made(self):
        content = png_bomb(9_000)
        assert len(content) < 400_000
        assert make_thumbnail(content) is None

    def test_a_comment_that_unpacks_without_end(self, tmp_path):
        dataset, client, data = opened(tmp_path, text_bomb())
        check_pictures(dataset)
        assert client.get(f"{data}/thumbnails/0").status_code in (200, 404)

    def test_a_mask_picture(self, tmp_path):
        source = layouts.write_cris(tmp_path)
        (source / "masks" / "refcoco" / "101.png").write_bytes(png_head(20_000, 20_000))
        with little_memory():
            dataset = load_dataset(LoadRequest(str(source)))
        assert dataset.is_scorable.tolist() == [False, False, True, True]
        [problem] = [p for p in dataset.problems if p.severity == "error"]
        assert problem.code == "broken-mask"

    def test_a_picture_that_gives_the_size(self, tmp_path):
        rows = repacks.lmms_rows()
        rows[-1]["image"]["bytes"] = png_head(60_000, 60_000)
        with little_memory():
            dataset = load_dataset(LoadRequest(str(repacks.write_lmms_lab(tmp_path, rows=rows))))
        assert len(dataset) == 3
        assert "broken-picture" in {p.code for p in dataset.problems}


@pytest.mark.parametrize("kind", [*READABLE, *UNREADABLE, *CUT_OFF])
def test_masks_of_unusual_kinds_are_read_or_listed(kind, tmp_path):
    content = (READABLE | UNREADABLE | CUT_OFF)[kind]()
    source = layouts.write_cris(tmp_path)
    (source / "masks" / "refcoco" / "101.png").write_bytes(content)
    dataset = load_dataset(LoadRequest(str(source)))
    listed = [p for p in dataset.problems if p.code in ("broken-mask", "empty-target")]
    assert bool(dataset.is_scorable[0]) != bool(listed)


class TestAFolderThatDisappears:
    def test_each_picture_is_gone_in_words(self, tmp_path):
        dataset, client, data = opened(tmp_path, saved("PNG", "RGB"))
        shutil.rmtree(tmp_path / "pictures")
        for route in ("pictures", "thumbnails"):
            for row in range(2):
                answer = client.get(f"{data}/{route}/{row}")
                assert (answer.status_code, answer.json()) == (
                    404, {"detail": "The picture file is gone."}
                )
        assert [(p.code, p.severity) for p in check_pictures(dataset)] == [
            ("broken-picture", "error")
        ] * 2
        assert client.get(f"{data}/examples/0").json()[0]["target"]  # masks are still there

    def test_and_comes_back(self, tmp_path):
        _, client, data = opened(tmp_path, saved("PNG", "RGB"))
        (tmp_path / "pictures").rename(tmp_path / "elsewhere")
        assert client.get(f"{data}/pictures/0").status_code == 404
        (tmp_path / "elsewhere").rename(tmp_path / "pictures")
        assert client.get(f"{data}/pictures/0").status_code == 200

    def test_a_parquet_file_that_disappears(self, tmp_path):
        source = repacks.write_lmms_lab(tmp_path)
        dataset = load_dataset(LoadRequest(str(source)))
        workspace = Workspace(dataset, (), Protocol())
        client = TestClient(create_app(workspace, page={}))
        shutil.rmtree(source)
        answer = client.get(f"/data/{workspace.version}/pictures/0")
        assert (answer.status_code, answer.json()) == (404, {"detail": "The picture file is gone."})
        assert [p.code for p in check_pictures(dataset)] == ["broken-picture"] * 2

    def test_a_picture_replaced_by_a_folder_or_a_link_out(self, tmp_path):
        _, client, data = opened(tmp_path / "set", saved("PNG", "RGB"))
        path = tmp_path / "set" / "pictures" / "1.jpg"
        path.unlink()
        path.mkdir()
        assert client.get(f"{data}/pictures/0").status_code == 404
        path.rmdir()
        (tmp_path / "secret.txt").write_text("secret")
        path.symlink_to(tmp_path / "secret.txt")
        answer = client.get(f"{data}/pictures/0")
        assert answer.status_code == 404
        assert b"secret" not in answer.content
