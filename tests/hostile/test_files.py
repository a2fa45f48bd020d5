"""Empty files, folders in the place of files and the reverse, pipes and devices."""

from __future__ import annotations

import os

import pytest

from inspector.cli import main
from inspector.core.errors import InspectorError
from inspector.formats import DATASET_FORMATS, load_dataset
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest
from tests.formats.test_format_contract import data_files
from tests.formats.writers import WRITERS
from tests.formats.writing import write_jsonl, write_refer
from tests.hostile.watching import little_memory, pipe

pytestmark = pytest.mark.timeout(20)
every_format = pytest.mark.parametrize("key", [fmt.key for fmt in DATASET_FORMATS])


def refused_or_listed(source, key: str | None, path) -> None:
    """Load; the file must be named in the error or in a problem of severity error."""
    try:
        with little_memory():
            dataset = load_dataset(LoadRequest(str(source), format=key))
    except InspectorError as error:
        text = str(error)
        assert path.name in text or path.parent.name in text or "There is no" in text, text
    else:
        listed = [f"{p.where} {p.message}" for p in dataset.problems if p.severity == "error"]
        assert any(path.name in text for text in listed), listed


@every_format
@pytest.mark.parametrize("format_is_given", [True, False])
def test_a_pipe_in_the_place_of_each_file(key, format_is_given, tmp_path):
    source = WRITERS[key](tmp_path)
    for path in data_files(source):
        content = path.read_bytes()
        pipe(path)
        refused_or_listed(source, key if format_is_given else None, path)
        path.unlink()
        path.write_bytes(content)
    load_dataset(LoadRequest(str(source)))


@every_format
def test_a_device_in_the_place_of_each_file(key, tmp_path):
    source = WRITERS[key](tmp_path)
    for path in data_files(source):
        content = path.read_bytes()
        path.unlink()
        path.symlink_to("/dev/zero")
        refused_or_listed(source, key, path)
        path.unlink()
        path.write_bytes(content)


@every_format
def test_a_folder_in_the_place_of_each_file(key, tmp_path):
    source = WRITERS[key](tmp_path)
    for path in data_files(source):
        content = path.read_bytes()
        path.unlink()
        path.mkdir()
        refused_or_listed(source, key, path)
        path.rmdir()
        path.write_bytes(content)


@every_format
def test_an_empty_file_in_the_place_of_each_file(key, tmp_path):
    source = WRITERS[key](tmp_path)
    for path in data_files(source):
        content = path.read_bytes()
        path.write_bytes(b"")
        refused_or_listed(source, key, path)
        path.write_bytes(content)


@every_format
def test_a_file_in_the_place_of_the_folder(key, tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"")
    with pytest.raises(InspectorError):
        load_dataset(LoadRequest(str(path), format=key))


@every_format
def test_an_empty_folder(key, tmp_path):
    with pytest.raises(InspectorError):
        load_dataset(LoadRequest(str(tmp_path), format=key))


@every_format
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "/dev/tty", "/proc/self/mem"])
def test_devices_as_the_data_set(key, name):
    with little_memory(), pytest.raises(InspectorError):
        load_dataset(LoadRequest(name, format=key))


@pytest.mark.parametrize("option", ["--instances", "--refs"])
def test_pipes_and_devices_as_options(option, tmp_path, capsys):
    source = write_refer(tmp_path) if option == "--instances" else WRITERS["refcocom"](tmp_path)
    for path in (pipe(tmp_path / "pipe.json"), "/dev/zero", tmp_path):
        assert main(["check", str(source), option, str(path)]) == 2
        assert capsys.readouterr().err.startswith("error: ")


def test_a_pipe_called_as_a_picture_is_no_picture(tmp_path):
    source = write_jsonl(tmp_path)
    pipe(tmp_path / "pictures" / "1.jpg")
    dataset = load_dataset(LoadRequest(str(source)))
    assert dataset.images[0].location is None
    assert [p.code for p in dataset.problems] == ["missing-picture"]


def test_a_picture_that_became_a_pipe_after_loading(tmp_path):
    dataset = load_dataset(LoadRequest(str(write_jsonl(tmp_path))))
    pipe(dataset.images[0].location)
    with pytest.raises(OSError, match="is no file any more"):
        PictureStore().read(dataset.images[0].location)


def test_files_that_may_not_be_read(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    source = write_refer(tmp_path)
    (source / "refs(unc).p").chmod(0)
    with pytest.raises(InspectorError, match="cannot be read"):
        load_dataset(LoadRequest(str(source)))
