"""Data sets beside the loaded one are found where they can be, and are never a reason to stop."""

from __future__ import annotations

from pathlib import Path

from inspector.elsewhere import other_datasets
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.writing import write_refer


def names(request: LoadRequest) -> list[str]:
    return [dataset.name for dataset in other_datasets(request, load_dataset(request))]


def test_neighbours_are_found(tmp_path):
    request = LoadRequest(str(write_refer(tmp_path)))
    write_refer(tmp_path, called="refcoco+")
    assert names(request) == ["refcoco", "refcoco+"]


def test_a_folder_above_that_cannot_be_listed_has_no_neighbours(tmp_path, monkeypatch):
    request = LoadRequest(str(write_refer(tmp_path)))
    write_refer(tmp_path, called="refcoco+")
    list_folder = Path.iterdir

    def refuse(path):  # as a folder does that lets one through but not look
        if path == tmp_path:
            raise PermissionError(13, "Permission denied")
        return list_folder(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert names(request) == ["refcoco"]
