"""Data sets of the hub, with a local folder in the place of the hub."""

from __future__ import annotations

import logging

import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.formats import _format_on_hub, hub, parquet
from inspector.formats.hub import _without_retries_said, fetch_one, is_hub_id, list_hub
from inspector.formats.parquet import files_of
from inspector.formats.refcoco_m import load
from inspector.formats.request import LoadRequest
from tests.formats.writing import write_refcoco_m

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
    assert list_hub(str(folder)) == {"val": (str(folder / "data" / FILE),)}
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
