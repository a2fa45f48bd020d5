"""``python -m inspector truths``: its JSON, its tables, its words, its errors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.cli import main
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.formats.saving import save
from inspector.truths.matching import WAYS
from inspector.truths.resampling import METRIC_KEYS
from inspector.truths.results import Truths
from inspector.truths.table import referent_table
from inspector.workspace import open_workspace
from tests.test_cli_errors import one_error
from tests.test_docs import ROOT, rows_of
from tests.truths.pairs import make_pair


def open_both(a: LoadRequest, b: LoadRequest) -> Truths:
    return open_workspace(a, [], second=b).truths


def run_json(capsys, *arguments: str) -> dict:
    assert main(["truths", *arguments, "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


class TestDemo:
    @pytest.fixture(scope="class")
    def demo(self):
        return open_both(LoadRequest("demo:coarse"), LoadRequest("demo:tight"))

    def test_json_has_the_shape_of_the_contract(self, capsys):
        found = run_json(capsys, "demo:coarse", "demo:tight")
        assert list(found) == [
            "inspector", "dataset_a", "dataset_b", "protocol", "match", "truths", "runs",
            "rank_change", "problems",
        ]
        assert found["dataset_a"]["name"] == "demo:coarse"
        match = found["match"]
        assert (match["matched"], match["only_a"], match["only_b"], match["ambiguous"]) == (
            33, 0, 0, 0)
        assert sum(match["by"].values()) == 33
        assert [run["name"] for run in found["runs"]] == ["words", "saliency", "box"]
        for run in found["runs"]:
            assert set(METRIC_KEYS) <= set(run["a_all"])
            assert list(run["a_all"]) == list(run["a_matched"]) == list(run["b_matched"])
            assert list(run["ceiling"]) == list(METRIC_KEYS)
            for effect in ("selection_effect", "mask_effect"):
                assert list(run[effect]) == list(METRIC_KEYS)
                for bounds in run[effect].values():
                    assert list(bounds) == ["value", "low", "high"]
                    assert bounds["low"] <= bounds["value"] <= bounds["high"]
            assert isinstance(run["better_than_label"], int)
        assert {"mIoU", "boundary_mIoU", "area_ratio"} <= set(found["truths"])

    def test_scores_under_a_and_b_are_those_of_the_score_command(self, capsys):
        found = run_json(capsys, "demo:coarse", "demo:tight")
        for name, key in (("demo:coarse", "a_all"), ("demo:tight", "b_matched")):
            folder = Path("assets/demo/runs").resolve()
            runs = [f"--run={folder / run['name']}.jsonl" for run in found["runs"]]
            assert main(["score", name, *runs, "--json", "-"]) == 0
            scores = json.loads(capsys.readouterr().out)
            for run, other in zip(found["runs"], scores["runs"], strict=True):
                # everything is matched, so that B matched is all of B
                assert {k: run[key][k] for k in METRIC_KEYS} == pytest.approx(
                    {k: other["metrics"][k] for k in METRIC_KEYS}, abs=1e-12)

    def test_the_coarse_masks_lie_outside(self, demo):
        assert demo.pair.summary["boundary_shift"] > 1
        assert demo.pair.summary["area_ratio"] < 0.95
        assert demo.pair.summary["a_outside"] == demo.pair.summary["referents"] == 30

    def test_plain_demo_is_the_tight_one(self):
        plain, tight = load_dataset(LoadRequest("demo")), load_dataset(LoadRequest("demo:tight"))
        coarse = load_dataset(LoadRequest("demo:coarse"))
        assert (plain.name, tight.name, coarse.name) == ("demo", "demo:tight", "demo:coarse")
        assert plain.targets.masks.buffer == tight.targets.masks.buffer
        assert plain.targets.masks.buffer != coarse.targets.masks.buffer

    def test_it_is_said_in_words(self, capsys):
        assert main(["truths", "demo:coarse", "demo:tight"]) == 0
        out, err = capsys.readouterr()
        assert "33 referents matched: 100.0 % of A's 33, 100.0 % of B's 33" in out
        assert "selection effect" in out and "mask effect" in out
        assert "better than the label: " in out
        assert "Order of the runs, best first:" in out
        assert err == ""

    def test_best_for_a_talk_are_ten_things_at_most(self, demo):
        best = demo.best_for_talk(2)
        referents = demo.pair.a.expressions.referent[best]
        assert len(best) == len(set(referents.tolist())) == 10
        assert best[0] == demo.runs[2].better_than_label[0]


def test_a_workspace_with_a_second_truth_has_another_version(demo_workspace):
    with_second = open_workspace(LoadRequest("demo"), [], second=LoadRequest("demo:coarse"))
    assert demo_workspace.truths is None
    assert with_second.truths is not None
    assert with_second.version != demo_workspace.version
    assert with_second.metrics == demo_workspace.metrics


class TestRealLayouts:
    """A REFER folder against a parquet in RefCOCO-M's columns, made of the same records."""

    @pytest.fixture
    def parquet(self, shared_data, tmp_path) -> str:
        a = load_dataset(LoadRequest(str(shared_data / "refer" / "refcoco")))
        rows: dict[str, dict] = {}
        kept = sorted(set(a.expressions.referent.tolist()))[::2]
        for number, referent in enumerate(reversed(kept)):
            examples = [e for e in a if a.expressions.referent[e.index] == referent]
            thing = examples[0].referents[0]
            row = rows.setdefault(examples[0].image.id, {
                "image_id": int(examples[0].image.id), "file_name": "x.jpg", "samples": []})
            row["samples"].append({
                "id": number, "image_id": row["image_id"], "category": thing.category,
                "supercategory": "", "label": thing.category,
                "sentences": [e.expression.sentence for e in examples],
                "bbox": list(thing.box_xywh), "mask": thing.mask.to_json(),
            })
        path = tmp_path / "refcoco-m" / "validation-00000-of-00001.parquet"
        path.parent.mkdir()
        pq.write_table(pa.Table.from_pylist(list(rows.values())), path)
        return str(path.parent)

    def test_refer_against_parquet(self, shared_data, parquet, capsys):
        found = run_json(capsys, str(shared_data / "refer" / "refcoco"), parquet)
        match = found["match"]
        assert match["matched"] == found["dataset_b"]["referents"] > 5
        assert match["by"]["sentences"] == match["matched"]
        assert match["only_a"] == found["dataset_a"]["referents"] - match["matched"]
        assert match["examples_matched"] == found["dataset_b"]["examples"]
        assert (found["truths"]["mIoU"], found["truths"]["boundary_shift"]) == (1, 0)
        assert found["dataset_a"]["published"] == {
            "images": 1500, "referents": 3811, "examples": 10834}
        assert found["dataset_b"]["published"] == {
            "images": 1190, "referents": 2080, "examples": 5598}
        assert found["runs"] == [] and found["rank_change"] == {}

    def test_published_totals_stand_beside_the_coverage(self, shared_data, parquet, capsys):
        assert main(["truths", str(shared_data / "refer" / "refcoco"), parquet]) == 0
        out = capsys.readouterr().out
        assert "Published totals, for comparison only: A 3,811 referents, B 2,080 referents." in out
        assert " % of A's 13, 100.0 % of B's 7 (7 by sentences)" in out

    def test_two_parquets(self, parquet, capsys):
        found = run_json(capsys, parquet, parquet)
        assert found["match"]["by"]["sample_id"] == found["match"]["matched"] == 7

    def test_published_parquet_and_refer(self, shared_data, capsys):
        """The genuine files share pictures; ids and boxes agree for what is in both."""
        found = run_json(
            capsys, str(shared_data / "refer" / "refcoco"), str(shared_data / "refcoco-m"),
            "--split", "all", "--split-b", "val",
        )
        match, a, b = found["match"], found["dataset_a"], found["dataset_b"]
        assert match["matched"] + match["only_a"] + match["ambiguous"] == a["referents"]
        assert match["matched"] + match["only_b"] + match["ambiguous_b"] == b["referents"]
        assert match["by"]["sample_id"] > 0
        assert found["truths"]["mIoU"] == 1


class TestTable:
    def test_every_referent_has_a_row(self, tmp_path):
        pair = make_pair(0, ids="none")
        truths = open_both(*self.saved(pair, tmp_path))
        table = referent_table(truths.pair).to_pylist()
        matched = [row for row in table if row["found"] == "matched"]
        only = [row for row in table if row["found"] == "only_a"]
        assert len(matched) == len(pair.partner)
        assert {row["ann_id_a"] for row in only} == set(pair.grown) - set(pair.partner)
        for row in matched:
            assert pair.partner[row["ann_id_a"]] == row["ann_id_b"]
            assert abs(row["boundary_shift"] - pair.grown[row["ann_id_a"]]) < 0.5
            assert row["iou"] == row["intersection"] / row["union"]
        assert all(row["iou"] is None and row["ann_id_b"] == "" for row in only)

    def test_csv_and_parquet_hold_the_same(self, tmp_path, capsys):
        a, b = (request.source for request in self.saved(make_pair(1), tmp_path))
        target = tmp_path / "referents.parquet"
        assert main(["truths", a, b, "--csv", "-", "--parquet", str(target)]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        table = pq.read_table(target)
        assert rows[0].keys() == set(table.column_names) and len(rows) == len(table)
        assert [row["found"] for row in rows] == table["found"].to_pylist()

    @staticmethod
    def saved(pair, folder: Path) -> tuple[LoadRequest, LoadRequest]:
        for name in ("a", "b"):
            save(getattr(pair, name), folder / f"{name}.jsonl")
        return LoadRequest(str(folder / "a.jsonl")), LoadRequest(str(folder / "b.jsonl"))


@pytest.mark.parametrize(("arguments", "said"), [
    pytest.param(["truths", "demo"], "the following arguments are required: DATASET_B", id="one"),
    pytest.param(["truths", "demo", "nowhere"],
                 "The second ground truth: There is no data set 'nowhere'.", id="no B"),
    pytest.param(["truths", "nowhere", "demo"], "There is no data set 'nowhere'.", id="no A"),
    pytest.param(["truths", "demo", "demo:coarse", "--split-b", "tset"],
                 "The second ground truth: No split 'tset'. demo has: val (64).", id="split of B"),
    pytest.param(["truths", "demo", "demo:tight", "--json", "-", "--csv", "-"],
                 "Only one of --json and --csv can write to standard output.", id="two outputs"),
    pytest.param(["truths", "demo", "demo:fine"], "There is no data set 'demo:fine'.", id="demo"),
    pytest.param(["open", "demo", "--split-b", "val"],
                 "--split-b is of use only with a second ground truth: add --second-truth "
                 "DATASET_B.", id="split without B"),
])
def test_errors(arguments, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert said in one_error(capsys, arguments)


def test_no_picture_in_common_is_said_in_words(capsys, tmp_path):
    a, _ = TestTable.saved(make_pair(0), tmp_path)
    said = one_error(capsys, ["truths", "demo", a.source])
    assert "have no picture in common: the first of A is coins (images/coins.jpg), of B 0" in said


def test_the_ways_are_documented():
    page = (ROOT / "docs" / "two-truths.md")
    assert rows_of(page, "way") == [[f"`{way}`", text] for way, text in WAYS.items()]


def test_the_columns_are_documented():
    pair = open_both(LoadRequest("demo:coarse"), LoadRequest("demo:tight")).pair
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for name in referent_table(pair).column_names:
        assert f"`{name}`" in text or name in ("ref_id_b", "ann_id_b", "sample_id_b")
    for name in pair.summary:
        assert f"`{name}`" in text
