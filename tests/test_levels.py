"""Numbers of objects and of parts, alone and together."""

from __future__ import annotations

import csv
import io
import json

from inspector.cli import main
from inspector.core.metrics import compute_levels, compute_metrics
from inspector.core.protocol import Protocol
from tests.building import score_strips
from tests.formats.layouts import mask_record, write_refcocom
from tests.formats.writing import DOG, LEFT_MUG

RECORDS = [
    mask_record(101, 1, 41, LEFT_MUG, ((0, "left mug"), (1, "the cup"))),
    mask_record("201_head", 2, 16, DOG, ((2, "the dog's head"),)),
]


def write(tmp_path):
    source = write_refcocom(tmp_path, records=RECORDS)
    (source / "masks" / "201_head.png").write_bytes((source / "masks" / "201.png").read_bytes())
    run = tmp_path / "base.jsonl"
    run.write_text("".join(json.dumps(line) + "\n" for line in [
        {"sent_id": 0, "mask": LEFT_MUG.to_json()}, {"sent_id": 1, "mask": LEFT_MUG.to_json()},
        {"sent_id": 2, "mask": None},
    ]))
    return ["score", str(source), "--run", str(run)]


def test_objects_parts_and_both_are_printed(tmp_path, capsys):
    assert main(write(tmp_path)) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split("  ")[0] for line in lines if line.startswith("base,")]
    assert rows == ["base, object level", "base, part level", "base, object and part"]
    numbers = [line[21:].split()[0] for line in lines if line.startswith("base,")]
    assert numbers == ["1.0000", "0.0000", "0.6667"]


def test_json_has_a_block_a_level(tmp_path, capsys):
    assert main([*write(tmp_path), "--json", "-"]) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert run["metrics"]["mIoU"] == 2 / 3
    assert {name: level["mIoU"] for name, level in run["levels"].items()} == {
        "object": 1.0, "part": 0.0,
    }
    assert run["levels"]["object"].keys() == run["metrics"].keys()


def test_the_table_names_the_level(tmp_path, capsys):
    assert main([*write(tmp_path), "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["level"] for row in rows] == ["object", "object", "part"]


def test_a_data_set_without_levels_has_no_block():
    scores = score_strips(("##", "##"))
    assert compute_levels(scores, Protocol()) == {}
    assert compute_metrics(scores, Protocol())["mIoU"] == 1.0
