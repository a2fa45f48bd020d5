"""Data sets of the hub, with a local folder or a server on this machine in its place."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.formats import _format_on_hub, hub, parquet
from inspector.formats.hub import _without_retries_said, fetch_one, is_hub_id, list_hub
from inspector.formats.parquet import files_of
from inspector.formats.refcoco_m import load
from inspector.formats.request import LoadRequest
from tests.formats.stand_in_hub import Hub, serving_hub
from tests.formats.writing import scene_rows, write_refcoco_m

FILE = "validation-00000-of-00001.parquet"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("moondream/refcoco-m", True), ("a.b/c_d-e", True), ("refcoco", False),
        ("a/b/c", False), ("/a/b", False), ("a/b ", False), ("tests/formats", False),
    ],
)
def test_is_hub_id(source, expected, monkeypatch, request):
    monkeypatch.chdir(request.config.rootpath)
    assert is_hub_id(source) is expected


def test_the_way_of_the_hub_works_on_a_local_folder(tmp_path, monkeypatch):
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    folder = write_refcoco_m(tmp_path)
    assert list_hub(str(folder)).files == {"val": (str(folder / "data" / FILE),)}
    assert fetch_one(str(folder), None) == folder / "data" / FILE


def test_the_hubs_library_says_nothing_of_its_retries(caplog):
    library = logging.getLogger("huggingface_hub")
    with _without_retries_said():
        library.getChild("utils._http").warning("Retrying in 1s [Retry 1/5].")
    assert caplog.messages == []
    assert library.getEffectiveLevel() < logging.ERROR


def test_what_the_hub_cannot_give_is_a_plain_error(tmp_path):
    with pytest.raises(FormatError, match="could not be fetched from the hub .*or give a local"):
        list_hub(str(tmp_path / "nothing"))


@pytest.fixture
def two_splits(tmp_path, monkeypatch):
    """Give a folder in the place of a hub id, and the names of the files that were fetched."""
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    folder = write_refcoco_m(tmp_path)
    train = folder / "data" / "train-00000-of-00001.parquet"
    train.write_bytes((folder / "data" / FILE).read_bytes())
    fetched = []

    def download(self, address):
        fetched.append(address.rpartition("/")[2])
        return address

    monkeypatch.setattr(datasets.DownloadManager, "download", download)
    for module in (hub, parquet):
        monkeypatch.setattr(module, "is_hub_id", lambda source: True)
    return str(folder), fetched


def test_only_the_files_of_the_chosen_split_are_fetched(two_splits):
    # every split was downloaded before one was chosen
    source, fetched = two_splits
    assert _format_on_hub(source, "val").key == "refcoco-m"
    dataset = load(LoadRequest(source, split="val"))
    assert (len(dataset), set(dataset.split_names), fetched) == (4, {"val"}, [FILE])


def test_a_split_that_is_not_there_fetches_nothing(two_splits):
    source, fetched = two_splits
    with pytest.raises(UsageError, match=r"No split 'testA'.*has: train \(1\), val \(1\)"):
        load(LoadRequest(source, split="testA"))
    assert [len(files) for files in files_of(LoadRequest(source)).values()] == [1, 1]
    assert fetched == []


@pytest.fixture
def own_hub(tmp_path):
    """Serve RefCOCO-M's shape from a hub of its own."""
    with serving_hub("moondream/refcoco-m", write_refcoco_m(tmp_path)) as found:
        yield found


def check(found: Hub, home: Path, *, source: str | None = None, online: bool = True) -> list[str]:
    """Run ``inspector check`` as a user of that hub would; give what it printed, by lines."""
    named = {"HF_ENDPOINT": found.address, "HF_HOME": home / "hf", "INSPECTOR_CACHE": home / "kept",
             "HF_HUB_OFFLINE": "" if online else "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "inspector", "check", source or found.source],
        env={**os.environ, **{name: str(value) for name, value in named.items()}},
        capture_output=True, text=True, timeout=120,
    )
    assert "Traceback" not in done.stderr
    return (done.stdout + done.stderr).splitlines()


FOUND = "refcoco-m, split val: 2 pictures, 3 referents, 4 examples"


def test_a_data_set_is_fetched_from_a_hub_once(own_hub, tmp_path):
    assert check(own_hub, tmp_path)[0] == FOUND
    assert check(own_hub, tmp_path)[0] == FOUND
    assert own_hub.sent == [FILE]


def test_it_opens_where_the_hub_is_out_of_reach_and_says_so(own_hub, tmp_path):
    said = check(own_hub, tmp_path)
    again = check(own_hub, tmp_path, online=False)
    new = [line for line in again if line not in said]
    assert again[0] == FOUND
    assert len(new) == 1
    assert re.match(r"warning: hub-not-reached: moondream/refcoco-m: .* on [\d-]{10}\.$", new[0])


@pytest.mark.parametrize("damaged", [
    "{}", '{"files": 1}', '{"files": {"val": [1]}}',
    '{"files": {"val": ["/etc/passwd"]}, "on": ""}',
])
def test_a_damaged_note_of_the_last_look_is_none(damaged, tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECTOR_CACHE", str(tmp_path))
    hub.keep(hub._key("a/b"), json.loads(damaged))
    assert hub._kept("a/b") is None


def test_what_the_hub_has_anew_is_fetched_anew(own_hub, tmp_path):
    check(own_hub, tmp_path)
    write_refcoco_m(own_hub.folder.parent, rows=scene_rows()[:1])
    own_hub.commit = "b" * 40
    assert check(own_hub, tmp_path)[0].startswith("refcoco-m, split val: 1 pictures")
    assert own_hub.sent == [FILE, FILE]


def test_what_was_never_seen_does_not_open_without_the_hub(own_hub, tmp_path):
    assert "could not be fetched from the hub" in check(own_hub, tmp_path, online=False)[0]


def test_a_name_that_the_hub_does_not_have_is_an_error(own_hub, tmp_path):
    check(own_hub, tmp_path)
    said = check(own_hub, tmp_path, source="moondream/refcoco-n")
    assert "'moondream/refcoco-n' could not be fetched from the hub" in said[0]
