"""Thumbnails: small, made once, dropped when there are too many."""

from __future__ import annotations

import io

from fastapi.testclient import TestClient
from PIL import Image

from inspector import drawing
from inspector.core.protocol import Protocol
from inspector.drawing import THUMBNAIL_SIDE, make_thumbnail
from inspector.server.app import create_app
from inspector.thumbnails import ThumbnailShelf
from inspector.workspace import Workspace
from tests.building import Picture, Said, make_dataset


def photograph(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(buffer, "JPEG", quality=95)
    return buffer.getvalue()


def test_a_gallery_sends_small_jpegs_that_are_made_once(tmp_path):
    # gradio#6992, #2635: galleries encode every picture at full size as PNG, each time
    whole = photograph(1280, 960)
    (tmp_path / "1.jpg").write_bytes(whole)
    dataset = make_dataset(Picture("1", (960, 1280), (), (Said("1", "it"),), tmp_path / "1.jpg"))
    workspace = Workspace(dataset, (), Protocol())
    client = TestClient(create_app(workspace, page={}))
    address = f"/data/{workspace.version}/thumbnails/0"
    answers = [client.get(address)]
    (tmp_path / "1.jpg").unlink()  # it is made once
    answers += [client.get(address) for _ in range(2)]
    assert {answer.content for answer in answers} == {make_thumbnail(whole)}
    assert "immutable" in answers[0].headers["cache-control"]
    assert len(answers[0].content) < len(whole) / 10
    with Image.open(io.BytesIO(answers[0].content)) as small:
        assert (small.format, small.size) == ("JPEG", (THUMBNAIL_SIDE, 192))


def test_the_shelf_keeps_what_was_used_last():
    shelf = ThumbnailShelf(most_bytes=10)
    shelf.put(1, b"a" * 4)
    shelf.put(2, b"b" * 4)
    shelf.get(1)
    shelf.put(3, b"c" * 4)
    assert [shelf.get(row) for row in (1, 2, 3)] == [b"a" * 4, None, b"c" * 4]


def test_large_pictures_are_made_smaller_while_they_are_unpacked(monkeypatch):
    # a JPEG leaves out seven of eight pixels a side, so that its size does not count
    monkeypatch.setattr(drawing, "_MOST_PIXELS", 1280 * 960 - 1)
    assert make_thumbnail(photograph(1280, 960))
    buffer = io.BytesIO()
    Image.new("RGB", (1280, 960)).save(buffer, "PNG")
    assert make_thumbnail(buffer.getvalue()) is None
