from __future__ import annotations

import pytest

from inspector.core.errors import UsageError
from inspector.formats import _detect, _format_on_hub, load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.repacks import write_benchmark, write_jxu124, write_lmms_lab, write_ricky06662
from tests.formats.writing import write_jsonl, write_refcoco_m, write_refer


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


@pytest.mark.parametrize(("option", "users"), [("refs", "refcocom, lmms-lab"),
                                              ("instances", "refer, grefcoco, ref-zom, r-refcoco")])
def test_an_option_that_would_be_ignored_is_refused(tmp_path, option, users):
    value = tmp_path / "ids.txt"
    given = {option: value if option == "refs" else (value,)}
    said = f"^--{option} .*the format jsonl has no use for. Leave it out; it is for: {users}.$"
    with pytest.raises(UsageError, match=said):
        load_dataset(LoadRequest(str(write_jsonl(tmp_path)), **given))
    with pytest.raises(UsageError, match="which the demo has no use for"):
        load_dataset(LoadRequest("demo", **given))


def test_the_rows_to_keep_of_a_refer_folder_are_no_business_of_refs(tmp_path):
    # it was ignored: numbers on all refs looked like those on the chosen ones
    with pytest.raises(UsageError, match="--refs says which records are meant, which the format"):
        load_dataset(LoadRequest(str(write_refer(tmp_path)), refs=tmp_path / "refs(google).p"))


def test_a_split_by_that_is_not_the_loaded_one_is_refused(tmp_path):
    # it was ignored: numbers of another split-by looked like those that were asked for
    path = write_refer(tmp_path) / "refs(unc).p"
    assert load_dataset(LoadRequest(str(path), split_by="unc")).split_by == "unc"
    with pytest.raises(UsageError, match=r"refs\(unc\)\.p is of the split-by unc, not google"):
        load_dataset(LoadRequest(str(path), split_by="google"))
    with pytest.raises(UsageError, match="--split-by unc does not fit .*, which is of no split-by"):
        load_dataset(LoadRequest(str(write_refcoco_m(tmp_path)), split_by="unc"))
    with pytest.raises(UsageError, match="--split-by unc does not fit demo, which is of no"):
        load_dataset(LoadRequest("demo", split_by="unc"))


def test_the_number_of_texts_is_no_business_of_other_formats(tmp_path):
    source = str(write_refcoco_m(tmp_path))
    with pytest.raises(UsageError, match="--texts .* refcoco-m has no use for.* for: reasonseg"):
        load_dataset(LoadRequest(source, texts="all"))


def test_of_a_pair_the_one_without_a_use_for_an_option_passes_it_over(tmp_path):
    source = str(write_refcoco_m(tmp_path))
    pair = LoadRequest(source, split_by="unc", texts="all", is_of_pair=True)
    assert len(load_dataset(pair)) == 4
    google = LoadRequest(str(write_refer(tmp_path) / "refs(unc).p"), split_by="google",
                         is_of_pair=True)
    with pytest.raises(UsageError, match="is of the split-by unc, not google"):
        load_dataset(google)


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


@pytest.mark.parametrize(("write", "key"), [
    (write_refcoco_m, "refcoco-m"), (write_jxu124, "jxu124"), (write_lmms_lab, "lmms-lab"),
    (write_benchmark, "jxu124-benchmark"), (write_ricky06662, "ricky06662"),
])
def test_what_the_hub_gives_is_told_by_its_columns(tmp_path, write, key):
    source = write(tmp_path)
    assert _format_on_hub(str(source), None).key == key
    [path] = (source / "data").iterdir()
    assert _detect(path.rename(tmp_path / "0123abcd")).key == key  # a cache without endings


def test_parquet_of_another_schema_is_of_no_format(tmp_path):
    with pytest.raises(UsageError, match="none of the known formats"):
        _format_on_hub(str(write_unknown(tmp_path)), None)


def write_unknown(root):
    import pyarrow as pa
    import pyarrow.parquet as pq

    (root / "other").mkdir()
    pq.write_table(pa.table({"caption": ["a"]}), root / "other" / "val.parquet")
    return root / "other"
