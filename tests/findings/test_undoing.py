"""Undo and redo go by the tab, and never over somebody else's change."""

from __future__ import annotations

import pytest

from inspector.findings import Evidence, read_finding
from inspector.findings.log import read_events
from inspector.findings.undoing import Turned, turn
from tests.findings.making import ANN, ANYTHING, BOB, DATA, new_store, say


@pytest.fixture
def store(tmp_path):
    return new_store(tmp_path)


def undo(store, author=ANN, known=ANYTHING, **more):
    return turn(store, "undo", DATA, author, known, **more)


def redo(store, author=ANN, known=ANYTHING):
    return turn(store, "redo", DATA, author, known)


def verdict(store, example="7"):
    judged = read_finding(store, DATA, example).verdicts.get("model")
    return judged.verdict if judged else ""


def test_nothing_to_undo(store):
    assert undo(store) == Turned("There is nothing to undo.")
    assert redo(store) == Turned("There is nothing to redo.")
    say(store, "7", "tag", "blurred", BOB)
    assert undo(store) == Turned("There is nothing to undo.")


def test_several_steps_back_and_forth(store):
    say(store, "7", "verdict", "label_wrong")
    say(store, "7", "verdict", "ambiguous")
    say(store, "8", "tag", "blurred")
    assert undo(store) == Turned("Undone: tag “blurred”.", "8")
    assert undo(store) == Turned("Undone: verdict “ambiguous”.", "7")
    assert verdict(store) == "label_wrong"
    assert undo(store) == Turned("Undone: verdict “label wrong”.", "7")
    assert verdict(store) == ""
    assert undo(store) == Turned("There is nothing to undo.")
    assert redo(store) == Turned("Done again: verdict “label wrong”.", "7")
    assert redo(store) == Turned("Done again: verdict “ambiguous”.", "7")
    assert verdict(store) == "ambiguous"
    assert undo(store) == Turned("Undone: verdict “ambiguous”.", "7")
    assert verdict(store) == "label_wrong"
    say(store, "7", "verdict", "model_wrong")  # from here on there is nothing to redo
    assert redo(store) == Turned("There is nothing to redo.")
    assert undo(store) == Turned("Undone: verdict “model wrong”.", "7")
    assert verdict(store) == "label_wrong"
    assert [event.kind for event in read_events(store)] == [
        *["set"] * 3, *["undo"] * 3, *["redo"] * 2, "undo", "set", "undo",
    ]


def test_notes_and_what_was_taken_away(store):
    say(store, "7", "note", "one")
    say(store, "7", "note", "two")
    say(store, "7", "note", "")
    assert undo(store).said == "Undone: note deleted."
    assert read_finding(store, DATA, "7").note == "two"
    assert undo(store).said == "Undone: note changed."
    assert undo(store).said == "Undone: note written."
    assert read_finding(store, DATA, "7").is_empty


def test_a_verdict_that_comes_back_is_still_its_givers(store):
    seen = Evidence(0.125, "loose", "m1")
    say(store, "7", "verdict", "label_wrong", BOB, evidence=seen)
    given = read_finding(store, DATA, "7").verdicts["model"]
    say(store, "7", "verdict", "ambiguous", evidence=Evidence(0.5, "correct", "m2"))
    undo(store)
    assert read_finding(store, DATA, "7").verdicts["model"] == given
    assert (given.who, given.evidence) == ("Bob", seen)
    redo(store)
    judged = read_finding(store, DATA, "7").verdicts["model"]
    assert (judged.who, judged.evidence.digest) == ("Ann", "m2")


class TestConflicts:
    def test_somebody_has_changed_the_same(self, store):
        say(store, "7", "verdict", "label_wrong")
        say(store, "7", "verdict", "ambiguous", BOB)
        before = list(read_events(store))
        assert undo(store) == Turned(
            "Bob has changed this verdict since; nothing was undone.", None, 1
        )
        assert list(read_events(store)) == before
        assert verdict(store) == "ambiguous"

    def test_the_step_before_it_can_be_asked_for(self, store):
        say(store, "8", "tag", "blurred")
        say(store, "7", "verdict", "label_wrong")
        say(store, "7", "verdict", "ambiguous", BOB)
        blocked = undo(store).blocked
        assert undo(store, past=blocked) == Turned("Undone: tag “blurred”.", "8")

    def test_another_thing_of_the_example_is_no_conflict(self, store):
        say(store, "7", "verdict", "label_wrong")
        say(store, "7", "tag", "blurred", BOB)
        say(store, "7", "verdict", "ambiguous", BOB, run="other")
        assert undo(store).example_id == "7"
        assert read_finding(store, DATA, "7").tags == ("blurred",)

    def test_somebody_has_changed_it_since_it_was_undone(self, store):
        say(store, "7", "note", "by Ann")
        undo(store)
        say(store, "7", "note", "by Bob", BOB)
        assert redo(store).said == "Bob has changed this note since; nothing was redone."
        assert read_finding(store, DATA, "7").note == "by Bob"

    def test_changed_and_changed_back_is_still_a_change(self, store):
        say(store, "7", "verdict", "label_wrong")
        say(store, "7", "verdict", "ambiguous", BOB)
        undo(store, BOB)
        assert verdict(store) == "label_wrong"
        assert undo(store).said == "Bob has changed this verdict since; nothing was undone."

    def test_one_without_a_name(self, store):
        say(store, "7", "tag", "blurred")
        say(store, "7", "tag", "", type(BOB)("", "tab-c"), tag="blurred")
        assert undo(store).said == "Somebody else has changed this tag since; nothing was undone."


def test_what_cannot_be_seen_stays(store):
    say(store, "7", "tag", "blurred")
    say(store, "of another split", "tag", "blurred")
    assert undo(store, known={"7"}).example_id == "7"
    assert read_finding(store, DATA, "of another split").tags == ("blurred",)


def test_without_a_tab_there_is_nothing_to_undo(store):
    nobody = type(ANN)("Ann", "")
    say(store, "7", "tag", "blurred", nobody)
    assert undo(store, nobody) == Turned("There is nothing to undo.")
