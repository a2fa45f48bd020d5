"""Scoring in pieces gives what scoring in one go gives, to the last column and message."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from inspector.analysis.flags import find_flags
from inspector.core.errors import FormatError, InspectorError, UsageError
from inspector.core.failures import Thresholds
from inspector.core.problems import ProblemLog
from inspector.core.protocol import Protocol
from inspector.engine.keys import align_by_one_id, join_keys
from inspector.engine.running import Answer, Effort, Here, Task, do_all
from inspector.engine.shards import cut, find_shards
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.formats.saving import save
from inspector.predictions.matching import align_records
from inspector.predictions.options import RunOptions
from inspector.summary import summary_json
from tests.building import random_scores
from tests.engine.comparing import assert_same, in_one_go, in_pieces, joined
from tests.engine.sharding import DEMO, RUNS, untidy_lines, write_lines, write_parquet

IS_LONG = bool(os.environ.get("INSPECTOR_LONG"))


def test_the_demo_with_its_three_runs():
    effort = Effort()
    assert_same(in_pieces(DEMO, effort=effort), in_one_go(DEMO))
    assert effort.tasks > 50
    assert not effort.again


@pytest.mark.parametrize("megabytes", [0.0002, 0.003, 1.0])
def test_untidy_lines_of_one_file(megabytes, tmp_path):
    path = write_lines(tmp_path, untidy_lines(), shards=1)[0]
    whole = in_one_go(DEMO, f"run={path}")
    codes = {problem.code for problem in whole.problems}
    assert {"bad-record", "broken-prediction", "broken-box", "size-mismatch",
            "duplicate-prediction", "unmatched-prediction"} <= codes
    assert_same(in_pieces(DEMO, f"run={path}", megabytes=megabytes), whole)


@pytest.mark.parametrize("shards", [2, 5, 40])
def test_untidy_lines_of_many_shards_are_those_of_one_file(shards, tmp_path):
    paths = write_lines(tmp_path / "run", untidy_lines(), shards=shards)
    whole = in_one_go(DEMO, f"run={joined(paths, tmp_path / 'run.jsonl')}")
    parts = in_pieces(DEMO, f"run={tmp_path}/run/part-*.jsonl")
    assert_same(parts, whole, same_places=False)
    bad = next(p for p in parts.problems if p.code == "bad-record")
    assert bad.where.startswith("part-") and ", line " in bad.where


def test_the_first_of_two_predictions_counts_in_the_order_of_the_shards(tmp_path):
    lines = (RUNS / "box.jsonl").read_bytes().splitlines()
    other = (RUNS / "saliency.jsonl").read_bytes().splitlines()
    write_lines(tmp_path / "a", lines[:40], shards=3)
    write_lines(tmp_path / "b", other, shards=3)
    parts = in_pieces(DEMO, f"run={tmp_path}/*/*.jsonl")
    alone = in_pieces(DEMO, f"box={RUNS}/box.jsonl", f"saliency={RUNS}/saliency.jsonl")
    assert parts.scores[0].run.duplicate == 40
    assert parts.scores[0].intersection.tolist() == [
        *alone.scores[0].intersection[:40].tolist(), *alone.scores[1].intersection[40:].tolist()
    ]


def test_parquet_is_scored_as_the_same_lines(tmp_path):
    lines = (RUNS / "box.jsonl").read_bytes().splitlines()
    write_parquet(tmp_path / "run", lines, shards=3)
    whole = in_one_go(DEMO, f"run={RUNS}/box.jsonl")
    for megabytes in (1e-6, 1.0):
        assert_same(in_pieces(DEMO, f"run={tmp_path}/run", megabytes=megabytes), whole)
    assert_same(in_pieces(DEMO, f"run=file://{tmp_path}/run/*.parquet"), whole)


@pytest.mark.parametrize("seed", range(40 if IS_LONG else 4))
def test_random_data_with_all_kinds_of_examples(seed, tmp_path):
    scores = random_scores(seed, runs=3)
    save(scores[0].dataset, tmp_path / "data.jsonl")
    request = LoadRequest(str(tmp_path / "data.jsonl"))
    named = []
    for number, one in enumerate(scores):
        path = tmp_path / f"run{number}.jsonl"
        path.write_text("".join(
            json.dumps({"example_id": one.dataset.expressions.ids[index],
                        "mask": one.run.masks[row].to_json()}) + "\n"
            for index, row in enumerate(one.run.rows.tolist()) if row >= 0
        ))
        named.append(str(path))
    assert_same(in_pieces(request, *named, megabytes=0.0005), in_one_go(request, *named))


def test_a_suspect_label_is_known_though_masks_stay_where_they_are(tmp_path):
    lines = (RUNS / "words.jsonl").read_bytes().splitlines()
    write_lines(tmp_path / "one", lines, shards=2)
    write_lines(tmp_path / "two", lines[::-1], shards=3)
    runs = [f"one={tmp_path}/one", f"two={tmp_path}/two"]
    whole = in_one_go(DEMO, f"one={RUNS}/words.jsonl", f"two={RUNS}/words.jsonl")
    parts = in_pieces(DEMO, *runs)
    assert_same(parts, whole, same_places=False)
    suspect = [flags["label_suspect"] for flags in find_flags(parts.scores)]
    assert suspect[0].sum() > 5
    for mine, theirs in zip(suspect, find_flags(whole.scores), strict=True):
        assert mine.tolist() == theirs["label_suspect"].tolist()


def test_rules_thresholds_and_resizing_reach_the_pieces(tmp_path):
    path = write_lines(tmp_path, untidy_lines(), shards=1)[0]
    thresholds, options = Thresholds(iou=0.7, share=0.6), RunOptions("nearest")
    protocol = Protocol("referent", "zero", "skip")
    parts = in_pieces(DEMO, f"run={path}", thresholds=thresholds, options=options,
                      protocol=protocol)
    whole = in_one_go(DEMO, f"run={path}", thresholds=thresholds, options=options,
                      protocol=protocol)
    assert whole.scores[0].run.frames_hw
    assert_same(parts, whole)
    assert parts.protocol.resize == "nearest"


@pytest.mark.parametrize(("asked", "has_shapes"), [
    ({"boundary": None, "cheap": 64}, True), ({"boundary": None, "cheap": 63}, False),
    ({"boundary": False, "cheap": 64}, False), ({"boundary": True, "cheap": 0}, True),
])
def test_boundaries_are_measured_where_one_go_would_measure_them(asked, has_shapes):
    parts = in_pieces(DEMO, f"box={RUNS}/box.jsonl", **asked)
    assert (parts.scores[0].shapes is not None) == has_shapes
    assert_same(parts, in_one_go(DEMO, f"box={RUNS}/box.jsonl", boundary=has_shapes))


def test_boundaries_are_measured_where_few_of_many_masks_can_be_used(tmp_path):
    broken = b'{"sent_id": %d, "mask": {"size": [1, 1], "counts": "!"}}'
    lines = (RUNS / "box.jsonl").read_bytes().splitlines()
    lines[10:60] = [broken % number for number in range(111, 161)]
    path = write_lines(tmp_path, lines, shards=1)[0]
    parts = in_pieces(DEMO, f"run={path}", boundary=None, cheap=20)
    assert_same(parts, in_one_go(DEMO, f"run={path}"))


def keys_of(folder, lines):
    source = str(write_lines(folder, lines, shards=2)[0].parent)
    pieces = cut(find_shards(source), megabytes=0.001)
    tables = do_all(Here(), [Task("keys", piece) for piece in pieces], None, Effort())
    return join_keys(pieces, tables, ProblemLog())


@pytest.mark.parametrize("key", ["sent_id", "example_id"])
def test_records_that_all_have_one_id_are_aligned_as_if_each_were_looked_at(key, tmp_path):
    dataset = load_dataset(DEMO)
    ids = [dataset.expressions.ids[place] for place in (5, 60, 2, 33, 4)]
    keys = keys_of(tmp_path, [json.dumps({key: name, "mask": None}).encode() for name in ids])
    found = align_by_one_id(dataset, keys)
    slowly, _ = align_records(dataset, "run", keys, ProblemLog(), tuple)
    assert found == slowly
    assert found.record_of == {5: 0, 60: 1, 2: 2, 33: 3, 4: 4}


@pytest.mark.parametrize("second", [
    {"sent_id": "101"}, {"sent_id": "nobody"}, {"example_id": "102"},
    {"sent_id": "102", "sentence": "the coin"}, {"sent_id": "102", "image_id": "coins"},
], ids=["the same again", "nobody", "another key", "a sentence", "a picture"])
def test_other_records_have_to_be_looked_at(second, tmp_path):
    lines = [{"sent_id": "101", "mask": None}, {**second, "mask": None}]
    keys = keys_of(tmp_path, [json.dumps(line).encode() for line in lines])
    assert align_by_one_id(load_dataset(DEMO), keys) is None


class Lossy(Here):
    """Loses what it is asked for the first times, or says why it cannot."""

    def __init__(self, times: int, fault: str = "") -> None:
        self.times, self.fault = times, fault

    def run(self, tasks, truth):
        for found in super().run(tasks, truth):
            if found.place % 3 == 1 and self.times:
                if self.fault:
                    yield replace(found, table=None, fault=self.fault)
                continue
            yield found
        self.times -= bool(self.times)


def test_what_fails_is_tried_again_and_the_result_is_the_same(monkeypatch):
    monkeypatch.setattr("inspector.engine.running._PAUSE", 0.0)
    effort = Effort()
    parts = in_pieces(DEMO, f"box={RUNS}/box.jsonl", engine=Lossy(2), effort=effort)
    assert_same(parts, in_one_go(DEMO, f"box={RUNS}/box.jsonl"))
    assert effort.again == {"box.jsonl": "the worker that had it was lost."}
    assert effort.describe().splitlines()[1] == (
        "tried again: box.jsonl (the worker that had it was lost.)"
    )


def test_what_stays_bad_is_named_with_what_was_read_and_why(monkeypatch):
    monkeypatch.setattr("inspector.engine.running._PAUSE", 0.0)
    with pytest.raises(InspectorError, match=(
        r"box.jsonl could not be scored in 3 tries \(bytes [\d,]+ to [\d,]+\): the disk is gone. "
        r"Nothing was written. Mend or leave out this shard. \(shard: .*box.jsonl\)"
    )):
        in_pieces(DEMO, f"box={RUNS}/box.jsonl", engine=Lossy(9, "the disk is gone."))


def in_pieces_tasks():
    effort = Effort()
    in_pieces(DEMO, f"box={RUNS}/box.jsonl", effort=effort)
    return effort.tasks


def test_an_answer_that_comes_twice_is_counted_once():
    class Twice(Here):
        def run(self, tasks, truth):
            for found in super().run(tasks, truth):
                yield found
                yield found

    effort = Effort()
    parts = in_pieces(DEMO, f"box={RUNS}/box.jsonl", engine=Twice(), effort=effort)
    assert_same(parts, in_one_go(DEMO, f"box={RUNS}/box.jsonl"))
    assert effort.tasks == in_pieces_tasks()


def test_a_shard_with_broken_bytes_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("inspector.engine.running._PAUSE", 0.0)
    lines = (RUNS / "box.jsonl").read_bytes().splitlines()
    paths = write_parquet(tmp_path, lines, shards=3)
    content = bytearray(paths[1].read_bytes())
    content[40:4000] = bytes(3960)
    paths[1].write_bytes(content)
    with pytest.raises(InspectorError, match=(
        r"part-001.parquet could not be scored in 3 tries \(all of it\): part-001.parquet: cannot "
        r"be read as parquet"
    )):
        in_pieces(DEMO, f"run={tmp_path}", megabytes=1.0)


@pytest.mark.parametrize(("line", "error", "said"), [
    (b'{"sent_id": 101, "box_xywh": [1, 2, 3, 4]}', FormatError,
     "1 predictions hold a box but no mask, the first in part-000.jsonl, line 1; boxes are scored "
     "on one machine. Leave --engine out"),
    (b'{"sent_id": 999999, "mask": null}', FormatError,
     "none of its 1 predictions belongs to an example of demo"),
    (b'{"mask": null}', FormatError, r"holds no prediction \(part-000.jsonl, line 1: The line was "
     "left out: it names no example"),
    (b"", FormatError, r"holds no prediction"),
])
def test_runs_that_cannot_be_scored_in_pieces(line, error, said, tmp_path):
    write_lines(tmp_path, [line], shards=1)
    with pytest.raises(error, match=said):
        in_pieces(DEMO, f"run={tmp_path}")


def test_two_runs_of_one_name_and_none():
    with pytest.raises(UsageError, match="Two runs are named 'box'. Name them: --run NAME=SHARDS"):
        in_pieces(DEMO, f"{RUNS}/box.jsonl", f"box={RUNS}/words.jsonl")
    with pytest.raises(UsageError, match="There is nothing to score. Add --run NAME=SHARDS"):
        in_pieces(LoadRequest(str(RUNS)))


def test_progress_counts_every_task():
    seen = []
    engine, effort = Here(), Effort()
    tasks = [Task("keys", piece)
             for piece in cut(find_shards(f"{RUNS}/box.jsonl"), megabytes=0.004)]
    assert len(tasks) > 3
    do_all(engine, tasks, None, effort, progress=lambda *done: seen.append(done))
    assert seen == [(number, len(tasks)) for number in range(1, len(tasks) + 1)]


def test_the_sums_of_a_run_in_json_are_those_of_one_go():
    assert summary_json(in_pieces(DEMO)) == summary_json(in_one_go(DEMO))


def test_an_unexpected_error_in_a_worker_is_named(monkeypatch):
    from inspector.engine import running

    def broken(*_):
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(running, "do", broken)
    found: Answer = running.answer(3, Task("keys", None), None)
    assert (found.place, found.table, found.fault) == (
        3, None, "ZeroDivisionError: of all things."
    )
