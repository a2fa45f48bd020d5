"""Findings out of one file and into another."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from inspector.core.errors import FormatError
from inspector.findings import Evidence, open_store, read_finding, read_findings
from inspector.findings.exchange import (
    CSV_COLUMNS,
    Merged,
    merge,
    write_csv,
    write_jsonl,
)
from inspector.findings.reading import read_csv, read_jsonl
from inspector.findings.undoing import turn
from tests.findings.making import ANN, ANYTHING, BOB, DATA, new_store, say

FORMULA = '=HYPERLINK("http://evil.example")'


@pytest.fixture
def store(tmp_path):
    return new_store(tmp_path)


@pytest.fixture
def other(tmp_path):
    return open_store(tmp_path / "other.sqlite")


def fill(store) -> None:
    """Write findings of every kind, with undone and redone ones."""
    say(store, "7", "verdict", "label_wrong", BOB, evidence=Evidence(1 / 3, "spill", "m1"))
    say(store, "7", "verdict", "ambiguous", evidence=Evidence(0.5, "correct", "m2"))
    turn(store, "undo", DATA, ANN, ANYTHING)
    say(store, "8", "tag", "zwei Hünde 🐕")
    say(store, "8", "tag", "", tag="zwei Hünde 🐕")
    say(store, "-9", "note", f'{FORMULA}\n"quoted", \'and\' more')
    say(store, "9", "tag", "'=1")
    say(store, "9", "tag", "dark")
    turn(store, "undo", DATA, ANN, ANYTHING)
    turn(store, "redo", DATA, ANN, ANYTHING)


def take_in(store, lines, *, data=DATA, read=read_jsonl) -> Merged:
    return merge(store, read("".join(lines), data), data)


class TestRoundTrip:
    def test_the_log_into_an_empty_file(self, store, other):
        fill(store)
        lines = list(write_jsonl(store))
        assert take_in(other, lines) == Merged(
            lines=len(lines), added=4  # a verdict, a note, two tags; one more tag came and went
        )
        assert list(write_jsonl(other)) == lines
        assert read_findings(other, DATA) == read_findings(store, DATA)

    def test_the_log_into_its_own_file_changes_nothing(self, store):
        fill(store)
        lines = list(write_jsonl(store))
        assert take_in(store, lines).same == len(lines) == store.revision()

    def test_what_stands_as_csv(self, store, other):
        fill(store)
        take_in(other, write_csv(store, DATA), read=read_csv)
        _, here = read_findings(store, DATA)
        _, there = read_findings(other, DATA)
        assert {key: (f.verdicts, f.tags, f.note) for key, f in here.items()} == {
            key: (f.verdicts, f.tags, f.note) for key, f in there.items()
        }
        assert list(write_csv(other, DATA)) == list(write_csv(store, DATA))

    def test_csv_into_its_own_file_changes_nothing(self, store):
        fill(store)
        before = list(write_jsonl(store))
        assert take_in(store, write_csv(store, DATA), read=read_csv).same == 4
        assert list(write_jsonl(store)) == before

    def test_what_was_taken_in_cannot_be_undone_here(self, store, other):
        fill(store)
        take_in(other, write_jsonl(store))
        assert turn(other, "undo", DATA, ANN, ANYTHING).said == "There is nothing to undo."


class TestMerging:
    def test_the_newer_stands_and_the_older_is_kept_in_the_log(self, store, other):
        say(store, "7", "verdict", "label_wrong")
        say(other, "7", "verdict", "ambiguous", BOB)
        one, two = list(write_jsonl(store)), list(write_jsonl(other))
        assert take_in(store, two).updated == 1
        assert take_in(other, one).older == 1
        for merged in (store, other):
            assert read_finding(merged, DATA, "7").verdicts["model"].verdict == "ambiguous"
            assert merged.revision() == 2

    def test_what_changed_often_counts_once(self, store, other):
        """By what stood before and what stands after, not by the lines between."""
        for verdict in ("label_wrong", "ambiguous", "model_wrong", ""):
            say(store, "7", "verdict", verdict)
        say(store, "7", "verdict", "ambiguous")
        assert take_in(other, write_jsonl(store)) == Merged(lines=5, added=1)
        say(store, "7", "verdict", "label_wrong")
        say(store, "7", "verdict", "model_wrong")
        assert take_in(other, write_jsonl(store)) == Merged(lines=7, updated=1, same=5)

    def test_what_came_and_went_counts_not_at_all(self, store, other):
        say(store, "7", "tag", "blurred")
        say(store, "7", "tag", "", tag="blurred")
        assert take_in(other, write_jsonl(store)) == Merged(lines=2)

    def test_examples_that_are_not_open_are_told(self, store, other):
        for example in ("7", "8"):
            say(store, example, "note", "which one?")
        events = read_jsonl("".join(write_jsonl(store)), DATA)
        assert merge(other, events, DATA, open_ids={"7"}) == Merged(lines=2, added=2, unknown=1)

    def test_tags_of_both_stand(self, store, other):
        say(store, "7", "tag", "blurred")
        say(other, "7", "tag", "dark", BOB)
        assert take_in(store, write_jsonl(other)).added == 1
        assert read_finding(store, DATA, "7").tags == ("blurred", "dark")

    def test_what_was_taken_away_later_goes(self, store, other):
        say(store, "7", "tag", "blurred")
        take_in(other, write_jsonl(store))
        say(other, "7", "tag", "", BOB, tag="blurred")
        assert take_in(store, write_jsonl(other)) == Merged(lines=2, removed=1, same=1)
        assert read_finding(store, DATA, "7").is_empty

    def test_one_data_set_of_several(self, store, other):
        say(store, "7", "tag", "blurred")
        lines = list(write_jsonl(store))
        assert take_in(other, lines, data="refcoco/unc").elsewhere == 1
        assert read_finding(other, DATA, "7").tags == ("blurred",)
        assert list(write_jsonl(other, "refcoco/unc")) == []

    def test_by_hand(self, store):
        line = json.dumps({"example_id": "7", "field": "tag", "value": "known_label_error"})
        for added, same in ((1, 0), (0, 1)):  # the second time it is known again
            merged = take_in(store, [line])
            assert (merged.added, merged.same) == (added, same)
        assert read_finding(store, DATA, "7").tags == ("known_label_error",)

    def test_a_verdict_by_hand(self, store):
        take_in(store, ['{"example_id":"7","field":"verdict","run":"model","value":"ambiguous",'
                        '"at":"2024-05-01T14:00:00+02:00","who":"Ann"}'])
        judged = read_finding(store, DATA, "7").verdicts["model"]
        assert (judged.verdict, judged.who, judged.at) == (
            "ambiguous", "Ann", "2024-05-01T12:00:00.000000Z"
        )


BAD_LINES = [
    pytest.param("{", "is not complete JSON at character 1.", id="no json"),
    pytest.param("[1]", "must be an object, but is a list", id="no object"),
    pytest.param("[" * 100_000, "is nested too deeply.", id="deep"),
    pytest.param('{"field":"tag","value":"x"}', "a tag needs an example_id", id="no example"),
    pytest.param('{"example_id":"7","field":"verdict","value":"ambiguous"}',
                 "a verdict needs an example_id and a run", id="no run"),
    pytest.param('{"example_id":"7","field":"flag","value":"x"}',
                 "field must be one of verdict, tag, note, but is 'flag'", id="field"),
    pytest.param('{"example_id":7,"field":"tag","value":"x"}',
                 "example_id must be text, but is a number", id="number"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","colour":"red"}',
                 "has the unknown key 'colour'", id="unknown key"),
    pytest.param('{"example_id":"7","field":"verdict","run":"a","value":"maybe"}',
                 "No verdict 'maybe'", id="verdict"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","at":"yesterday"}',
                 "'yesterday' is no time such as 2024-05-01T12:00:00Z", id="time"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","at":"2999-01-01T00:00:00Z"}',
                 "2999-01-01T00:00:00Z lies in the future", id="future"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","iou":2}',
                 "'iou' must be a number from 0 to 1", id="iou"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","iou":1' + "0" * 400 + "}",
                 "'iou' must be a number from 0 to 1", id="iou of 401 digits"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","iou":NaN}', "NaN is no number",
                 id="nan"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","event":"../x"}',
                 "'../x' is no name of an event", id="event"),
    pytest.param('{"example_id":"7","field":"tag","value":"\\ud800"}', "half a character",
                 id="half a character"),
    pytest.param('{"example_id":"7","field":"tag","value":"x","kind":"drop"}',
                 "kind must be one of set, undo, redo", id="kind"),
]


class TestBadFiles:
    @pytest.mark.parametrize(("line", "said"), BAD_LINES)
    def test_a_bad_line_is_named_and_nothing_is_taken_in(self, store, line, said):
        good = '{"example_id":"1","field":"tag","value":"x"}\n'
        with pytest.raises(FormatError) as refused:
            take_in(store, [good, "\n", line + "\n", good])
        assert str(refused.value).startswith("line 3: ")
        assert said in str(refused.value)
        assert str(refused.value).endswith("Nothing was taken in. Mend the line, or take it out.")
        assert store.revision() == 0

    @pytest.mark.parametrize(("text", "said"), [
        ("example_id,field,value\n7,tag\n", "line 2: has 2 cells, but the head has 3."),
        ('example_id,field,value\n7,tag,"x\n', "is no CSV"),
        ("example_id,field,colour\n7,tag,x\n", "line 2: has the unknown key 'colour'"),
        ("example_id,field,value,iou\n1,tag,x,\n7,tag,x,high\n", "line 3: 'iou' must be a number"),
    ], ids=["cells", "quote", "column", "iou"])
    def test_a_bad_table(self, store, text, said):
        with pytest.raises(FormatError) as refused:
            take_in(store, [text], read=read_csv)
        assert said in str(refused.value)
        assert store.revision() == 0

    def test_a_clock_that_is_a_little_ahead_is_no_fault(self, store):
        soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
        line = json.dumps({"example_id": "7", "field": "tag", "value": "x", "at": soon})
        assert take_in(store, [line]).added == 1
        say(store, "7", "tag", "", tag="x")  # and what is changed here now is newer than that
        assert read_finding(store, DATA, "7").is_empty
        assert list(write_jsonl(store))[1].split('"at": "')[1][:26] > soon[:26]

    def test_a_failing_disk_takes_in_nothing(self, store):
        lines = [json.dumps({"example_id": str(n), "field": "note", "value": "x" * 5_000}) + "\n"
                 for n in range(50)]
        with store.reading() as db:
            db.execute("PRAGMA max_page_count = 30")
        with pytest.raises(Exception, match="The disk is full"):
            take_in(store, lines)
        assert store.revision() == 0


class TestCsv:
    def test_what_a_person_sees(self, store):
        say(store, "7", "verdict", "label_wrong", evidence=Evidence(0.25, "spill", "m1"))
        say(store, "7", "tag", "dark")
        text = "".join(write_csv(store, DATA, {"7": "the left dog"}.get))
        rows = list(csv.DictReader(io.StringIO(text)))
        assert tuple(rows[0]) == CSV_COLUMNS
        assert [(r["sentence"], r["run"], r["field"], r["value"], r["iou"]) for r in rows] == [
            ("the left dog", "model", "verdict", "label_wrong", "0.25"),
            ("the left dog", "", "tag", "dark", ""),
        ]

    @pytest.mark.parametrize("text", [FORMULA, "+1", "-1", "@SUM(1)", "'=1", "''+1"])
    def test_no_cell_is_a_formula(self, store, other, text):
        say(store, text, "note", text)
        written = "".join(write_csv(store, DATA, lambda example: example))
        cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
        assert f"'{text}" in cells
        assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
        take_in(other, [written], read=read_csv)
        assert read_finding(other, DATA, text).note == text

    def test_what_needs_no_quote_has_none(self, store):
        say(store, "7", "note", "'tis not a formula")
        assert ",'tis not a formula," in "".join(write_csv(store, DATA))


def test_a_large_log_is_taken_in_at_once(store):
    lines = [json.dumps({"example_id": str(n), "field": "tag", "value": "x"}) + "\n"
             for n in range(5_000)]
    assert take_in(store, lines).added == 5_000
    with closing(store):
        assert len(read_findings(store, DATA)[1]) == 5_000
