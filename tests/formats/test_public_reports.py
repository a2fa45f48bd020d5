"""Reports of real users about opening data; each test says what went wrong elsewhere.

Those about one format stand beside it; ``tests/test_reports.py`` lists where each of them is.
"""

from __future__ import annotations

import os
import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.formats import load_dataset
from inspector.formats.pickles import read_plain_pickle
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest
from tests.formats.writing import CARD, LEFT_MUG, ref, sample, write_refer


@pytest.mark.parametrize("data", [
    b"(lp0\n(dp1\nS'ref_id'\np2\nI1\nsa.", b"]q\x00}q\x01U\x06ref_idq\x02K\x01sa.",
    b"\x80\x02]q\x00}q\x01U\x06ref_idq\x02K\x01sa.",
], ids=["protocol 0", "protocol 1", "protocol 2"])
def test_refs_of_python_2_are_read_as_bytes(data, tmp_path):
    # lichengunc/mask-faster-rcnn#8: opened as text, "a bytes-like object is required"
    (tmp_path / "refs(unc).p").write_bytes(data)
    assert read_plain_pickle(tmp_path / "refs(unc).p") == [{"ref_id": 1}]


def test_pictures_of_a_parquet_file_stay_there_until_they_are_shown(tmp_path):
    # huggingface/datasets#7753, #6701: out of memory on rows that carry pictures
    folder = tmp_path / "refcoco-m"
    folder.mkdir()
    rows = [
        {"image": {"bytes": os.urandom(200_000), "path": None}, "image_id": number,
         "file_name": f"{number}.jpg", "samples": [sample(number, "cup", LEFT_MUG, "left mug")]}
        for number in range(100)
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=CARD), folder / "val.parquet",
                   row_group_size=10)
    tracemalloc.start()
    before = pa.total_allocated_bytes()
    dataset = load_dataset(LoadRequest(str(folder)))
    python = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(dataset) == 100
    assert python + pa.total_allocated_bytes() - before < 5_000_000  # of 20 MB of pictures
    location = dataset.images[57].location
    assert PictureStore().read(location) == rows[57]["image"]["bytes"]


def test_counts_of_umd_and_google_are_told_apart(tmp_path):
    # MCN#7, referring-expressions#2: 95,010 or 104,560 sentences, which is a question of split-by
    refs = [ref(1, 11, 1, (0, "left mug"))]
    for split_by, published in (("umd", "4,896"), ("google", "9,536")):
        source = write_refer(tmp_path / split_by, refs=refs, name=f"refs({split_by}).p",
                             called="refcocog")
        [problem] = [p for p in load_dataset(LoadRequest(str(source))).problems
                     if p.code == "counts-differ"]
        assert published in problem.message
