from __future__ import annotations

import pytest

from inspector.core.errors import UsageError
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.writing import write_jsonl, write_refer


def test_nothing_there(tmp_path):
    text = r"There is no data set '.*nothing here'\. Give a folder, a file, a hub id"
    with pytest.raises(UsageError, match=text):
        load_dataset(LoadRequest(str(tmp_path / "nothing here")))


def test_no_known_format_lists_the_formats(tmp_path):
    with pytest.raises(UsageError, match="none of the known formats.*refer.*refcoco-m.*jsonl"):
        load_dataset(LoadRequest(str(tmp_path)))


def test_an_unknown_format_names_the_nearest(tmp_path):
    with pytest.raises(UsageError, match=r"No format 'reffer'.*Did you mean 'refer'\?"):
        load_dataset(LoadRequest(str(tmp_path), format="reffer"))


def test_a_folder_of_data_sets_lists_them(tmp_path):
    write_refer(tmp_path)
    write_jsonl(tmp_path)
    with pytest.raises(UsageError, match=r"holds 2: .*refcoco, .*scene\.jsonl\. Name one of them"):
        load_dataset(LoadRequest(str(tmp_path)))


def test_a_single_refs_file_is_a_data_set(tmp_path):
    path = write_refer(tmp_path) / "refs(unc).p"
    assert len(load_dataset(LoadRequest(str(path)))) == 4


def test_predictions_are_no_data_set(tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"sent_id": 1, "mask": null}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="none of the known formats"):
        load_dataset(LoadRequest(str(path)))
