"""Changes of findings: what stands, and the log of how it came to be."""

from __future__ import annotations

import sqlite3

import pytest

from inspector.core.errors import UsageError
from inspector.findings import Evidence, Finding, read_finding, read_findings
from inspector.findings.log import MOST_TAGS, NoteConflictError, read_events, time_after
from inspector.findings.records import Judged, check_note, check_tag, check_value
from tests.findings.making import ANN, BOB, DATA, new_store, say


@pytest.fixture
def store(tmp_path):
    return new_store(tmp_path)


def test_an_example_with_everything(store):
    seen = Evidence(0.25, "spill", "m0123")
    say(store, "7", "verdict", "label_wrong", evidence=seen)
    say(store, "7", "verdict", "model_wrong", BOB, run="other")
    say(store, "7", "tag", "two  dogs")
    say(store, "7", "tag", "blurred", BOB)
    say(store, "7", "note", "left\none ")
    finding = read_finding(store, DATA, "7")
    assert finding.verdicts["model"] == Judged(
        "label_wrong", "Ann", finding.verdicts["model"].at, seen
    )
    assert {run: judged.verdict for run, judged in finding.verdicts.items()} == {
        "model": "label_wrong", "other": "model_wrong"
    }
    assert finding.tags == ("blurred", "two dogs")
    assert (finding.note, finding.note_revision) == ("left\none", 5)
    assert (finding.who, finding.at) == ("Ann", list(read_events(store))[-1].at)


def test_the_same_again_is_no_event(store):
    assert say(store, "7", "tag", "blurred") == 1
    assert say(store, "7", "tag", "blurred", BOB) == 1
    assert say(store, "7", "note", "") == 1  # there was none
    assert len(list(read_events(store))) == 1


def test_the_same_verdict_on_another_prediction_is_a_change(store):
    say(store, "7", "verdict", "model_wrong", evidence=Evidence(0.1, "part", "m1"))
    assert say(store, "7", "verdict", "model_wrong", evidence=Evidence(0.1, "part", "m1")) == 1
    assert say(store, "7", "verdict", "model_wrong", evidence=Evidence(0.2, "part", "m2")) == 2
    assert read_finding(store, DATA, "7").verdicts["model"].evidence.digest == "m2"


def test_the_last_verdict_counts_and_both_are_in_the_log(store):
    say(store, "7", "verdict", "model_wrong")
    say(store, "7", "verdict", "ambiguous", BOB)
    judged = read_finding(store, DATA, "7").verdicts["model"]
    assert (judged.verdict, judged.who) == ("ambiguous", "Bob")
    assert [(e.author.who, e.old, e.new) for e in read_events(store)] == [
        ("Ann", "", "model_wrong"), ("Bob", "model_wrong", "ambiguous"),
    ]


def test_taken_away(store):
    say(store, "7", "verdict", "model_wrong")
    say(store, "7", "tag", "blurred")
    say(store, "7", "verdict", "")
    say(store, "7", "tag", "", tag="blurred")
    finding = read_finding(store, DATA, "7")
    assert finding.is_empty
    assert read_findings(store, DATA) == (4, {})


class TestSince:
    def test_only_what_has_changed(self, store):
        say(store, "1", "note", "one")
        revision = say(store, "2", "note", "two")
        say(store, "1", "tag", "x")
        now, found = read_findings(store, DATA, since=revision)
        assert now == 3
        assert {example: (f.note, f.tags) for example, f in found.items()} == {"1": ("one", ("x",))}
        assert read_findings(store, DATA, since=now) == (3, {})

    def test_what_has_become_empty_is_among_it(self, store):
        revision = say(store, "1", "note", "one")
        say(store, "1", "note", "")
        _, found = read_findings(store, DATA, since=revision)
        assert found["1"].is_empty

    def test_another_data_set_is_not(self, store):
        say(store, "1", "note", "one")
        assert read_findings(store, "refcoco/unc") == (1, {})

    def test_nothing_at_all(self, store):
        assert read_findings(store, DATA) == (0, {})
        assert read_finding(store, DATA, "1") == Finding()


class TestNotes:
    def test_another_persons_newer_note_is_not_overwritten(self, store):
        seen = say(store, "7", "note", "first")
        say(store, "7", "note", "by Bob", BOB, seen=seen)
        with pytest.raises(NoteConflictError) as conflict:
            say(store, "7", "note", "by Ann", seen=seen)
        error = conflict.value
        assert str(error) == (
            "Bob has changed this note in the meantime. Keep yours, theirs, or both."
        )
        assert (error.yours, error.theirs, error.revision, error.who) == (
            "by Ann", "by Bob", 2, "Bob"
        )
        assert read_finding(store, DATA, "7").note == "by Bob"
        say(store, "7", "note", "by both", seen=error.revision)
        assert read_finding(store, DATA, "7").note == "by both"

    def test_one_who_has_seen_nothing(self, store):
        say(store, "7", "note", "by Ann")
        with pytest.raises(NoteConflictError):
            say(store, "7", "note", "by Bob", BOB)

    def test_ones_own_may_be_changed_without_having_seen_it(self, store):
        say(store, "7", "note", "wor")
        say(store, "7", "note", "words")  # typed on while the first was being saved
        assert read_finding(store, DATA, "7").note == "words"

    def test_where_nothing_is_lost(self, store):
        say(store, "7", "note", "gone")
        say(store, "7", "note", "")
        say(store, "7", "note", "by Bob", BOB)
        assert say(store, "7", "note", "by Bob", ANN) == 3  # the same text


class TestWhatMayStand:
    @pytest.mark.parametrize(("field", "value", "said"), [
        ("verdict", "wrong",
         "No verdict 'wrong'. Choose one of: model_wrong, label_wrong, ambiguous."),
        ("verdict", "model_wron", "Did you mean 'model_wrong'?"),
        ("tag", "a,b", "A tag has 1 to 60 characters and no comma."),
        ("tag", " ", "A tag has 1 to 60 characters and no comma."),
        ("tag", "x" * 61, "A tag has 1 to 60 characters and no comma."),
        ("tag", "a\x00b", "A tag holds the control character U+0000."),
        ("tag", "ab\u202ecd", "A tag holds the control character U+202E."),
        ("note", "x" * 10_001, "A note has at most 10,000 characters, but this has 10,001."),
        ("note", "\ud800", "A note holds half a character, which is no text."),
        ("note", "\x1b[2J", "A note holds the control character U+001B."),
    ])
    def test_refused(self, field, value, said):
        with pytest.raises(UsageError) as refused:
            check_value(field, value)
        assert said in str(refused.value)

    def test_kept(self):
        assert check_tag("  zwei\u00a0 Hunde\n") == "zwei Hunde"
        assert check_tag("cafe\u0301") == "caf\u00e9"  # composed: one tag, however it was typed
        assert check_note("a\r\nb\rc\t🐕 ") == "a\nb\nc\t🐕"
        assert check_note("x" * 10_000)

    def test_so_many_tags_and_no_more(self, store):
        for number in range(MOST_TAGS):
            say(store, "7", "tag", f"tag {number}")
        with pytest.raises(UsageError, match="An example has at most 100 tags"):
            say(store, "7", "tag", "one more")
        say(store, "7", "tag", "", tag="tag 3")
        say(store, "7", "tag", "one more")


def test_the_log_only_grows(store):
    say(store, "7", "tag", "blurred")
    with store.writing() as db:
        for statement in ("UPDATE events SET new = 'x'", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="the log of findings only grows"):
                db.execute(statement)


@pytest.mark.parametrize(("now", "last", "expected"), [
    ("2024-05-01T12:00:00.000000Z", "", "2024-05-01T12:00:00.000000Z"),
    ("2024-05-01T12:00:00.000000Z", "2024-05-01T11:59:59.999999Z", "2024-05-01T12:00:00.000000Z"),
    ("2024-05-01T12:00:00.000000Z", "2024-05-01T12:59:59.999999Z", "2024-05-01T13:00:00.000000Z"),
], ids=["first", "later", "the other clock was ahead"])
def test_times_of_one_thing_are_in_order(now, last, expected):
    assert time_after(now, last) == expected
