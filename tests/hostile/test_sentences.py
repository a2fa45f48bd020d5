"""Sentences with markup, of any script and length: through loading, scores, tables, the page."""

from __future__ import annotations

import csv
import io
import json
import pickle

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient

from inspector.browse import Browser, Selection
from inspector.core.errors import FormatError
from inspector.core.protocol import Protocol
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.formats.saving import save
from inspector.server.app import create_app
from inspector.summary import describe_runs, write_json, write_table
from inspector.workspace import Workspace
from tests.building import score
from tests.formats.writers import SCENES, WRITERS
from tests.formats.writing import scene_lines, scene_refs, write_jsonl, write_refer

SENTENCES = {
    "markup": "<img src=x onerror=alert(1)> <script>alert('x')</script> &amp; &#x3c;",
    "a template": "{{7*7}} ${7*7} <%= 7 %> {0} %s %(x)s",
    "a formula": "=cmd|' /C calc'!A0",
    "a question of SQL": "'; DROP TABLE examples; -- \" %_\\",
    "right to left": "הכוס השמאלית \u202eleft\u202c كوب",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 the 🐈 é e\u0301",
    "10,000 characters": "cup " * 2500,
    "one long word": "x" * 10_000,
    "NUL": "left\0mug",
    "controls": "a\x01\x08\x1b[31m\x7f\x85b",
    "line ends": "a\nb\r\nc\u2028d\u2029e",
    "tabs and quotes": '\t"a","b"\t\'c\' `d`',
    "nothing": "",
    "spaces": "  \u00a0\u3000 ",
    "private and unassigned": "\ue000\U0010ffff\ufffe\ufeff",
    "many marks": "e" + "\u0301" * 500,
    "a path": "../../etc/passwd",
    "nan": "NaN",
}
every_sentence = pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES)


@pytest.fixture
def dataset(tmp_path):
    """One data set with all of these sentences, one an example."""
    lines = scene_lines()
    [target] = lines[2]["expressions"]
    lines[2]["expressions"] = [
        {**target, "sent_id": f"s{place}", "sentence": sentence, "raw": sentence}
        for place, sentence in enumerate(SENTENCES.values())
    ]
    return load_dataset(LoadRequest(str(write_jsonl(tmp_path, lines=[lines[0], lines[2]]))))


@pytest.fixture
def workspace(dataset):
    scores = score(dataset, {example.id: example.target for example in dataset})
    return Workspace(dataset, (scores,), Protocol())


def test_they_are_kept_as_they_are(dataset):
    assert [e.expression.sentence for e in dataset] == list(SENTENCES.values())
    assert [e.expression.raw for e in dataset] == list(SENTENCES.values())


def test_in_csv(workspace, tmp_path):
    write_table(workspace, str(tmp_path / "x.csv"), "csv")
    text = (tmp_path / "x.csv").read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["sentence"] for row in rows] == list(SENTENCES.values())


def test_in_parquet(workspace, tmp_path):
    write_table(workspace, str(tmp_path / "x.parquet"), "parquet")
    assert pq.read_table(tmp_path / "x.parquet")["sentence"].to_pylist() == list(SENTENCES.values())


def test_in_json_and_words(workspace, tmp_path):
    write_json(workspace, str(tmp_path / "x.json"))
    assert json.loads((tmp_path / "x.json").read_bytes())["runs"][0]["metrics"]["mIoU"] == 1
    assert "1.0" in describe_runs(workspace) or "100" in describe_runs(workspace)


def test_saved_and_read_again(dataset, tmp_path):
    save(dataset, tmp_path / "again.jsonl")
    again = load_dataset(LoadRequest(str(tmp_path / "again.jsonl")))
    assert again.expressions.sentences == dataset.expressions.sentences


@every_sentence
def test_in_the_data_routes(workspace, sentence):
    client = TestClient(create_app(workspace, page={}))
    data = f"/data/{workspace.version}"
    place = list(SENTENCES.values()).index(sentence)
    answer = client.get(f"{data}/examples/{place}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()[0]["sentence"] == sentence
    assert client.get(f"{data}/rows/{place}").json()[0]["sentence"] == sentence
    for route in ("order", "counts", "describe", "scatter"):
        query = {"sentence": sentence[:2000], "run": "model"}
        assert client.get(f"{data}/{route}", params=query).status_code in (200, 400)


@every_sentence
def test_searched_for(workspace, sentence):
    words = sentence[:200]
    order = Browser(workspace).order(Selection("model", "worst", {"sentence": words}))
    assert list(SENTENCES.values()).index(sentence) in order.tolist()


HALVES = ["\ud800", "left \udc00 mug", "\udfff\ud800"]


@pytest.mark.parametrize("half", HALVES, ids=ascii)
def test_half_characters_are_refused_in_json_and_pickles(half, tmp_path):
    lines = scene_lines()
    lines[1]["expressions"][0]["sentence"] = half
    with pytest.raises(FormatError, match="text that is not Unicode"):
        load_dataset(LoadRequest(str(write_jsonl(tmp_path / "a", lines=lines))))
    refs = scene_refs()
    refs[0]["sentences"][0]["sent"] = half
    for protocol in range(5):
        source = write_refer(tmp_path / f"{protocol}")
        (source / "refs(unc).p").write_bytes(pickle.dumps(refs, protocol))
        with pytest.raises(FormatError, match="text that is not Unicode"):
            load_dataset(LoadRequest(str(source)))


@pytest.mark.parametrize("key", ["refer", "refcoco-m", "fiftyone", "grefcoco", "cris", "jxu124",
                                 "lmms-lab", "ricky06662", "reasonseg"])
def test_each_format_keeps_them(key, tmp_path, monkeypatch):
    """All sentences in turn in the place of one that the format holds."""
    from tests.formats import layouts, repacks, writing

    for place, sentence in enumerate(SENTENCES.values()):
        changed = _with(sentence, layouts, repacks, writing, monkeypatch)
        root = tmp_path / f"{place}"
        with changed:
            source = WRITERS[key](root)
        dataset = load_dataset(LoadRequest(str(source)))
        assert len(dataset) == len(SCENES[key])
        assert sentence in dataset.expressions.sentences


def _with(sentence, layouts, repacks, writing, monkeypatch):
    """Make the writers say this in place of "a dog"."""
    objects = tuple(
        (*record[:-1], tuple((n, sentence if s == "a dog" else s) for n, s in record[-1]))
        for record in layouts.OBJECTS
    )
    refs, rows = writing.scene_refs(), writing.scene_rows()
    for said in refs[2]["sentences"]:
        said["sent"] = said["raw"] = sentence
    rows[1]["samples"][0]["sentences"] = [sentence]
    files = layouts.scene_files()
    files["2"]["text"] = [sentence]
    context = monkeypatch.context()

    class Changing:
        def __enter__(self):
            patch = context.__enter__()
            patch.setattr(layouts, "OBJECTS", objects)
            patch.setattr(repacks, "OBJECTS", objects)
            patch.setattr(writing, "scene_refs", lambda: refs)
            patch.setattr(layouts, "scene_refs", lambda: refs)
            patch.setattr(writing, "scene_rows", lambda: rows)
            patch.setattr(layouts, "scene_files", lambda: files)

        def __exit__(self, *error):
            return context.__exit__(*error)

    return Changing()
