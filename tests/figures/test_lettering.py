"""Words in figures: what a font cannot draw is seen, and lines break where there is room."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.figures.lettering import (
    UNKNOWN,
    Line,
    break_lines,
    clean,
    in_sight_order,
    letter,
    width_of,
)


def drawn(words: str) -> np.ndarray:
    canvas = np.full((40, 400, 3), 255, np.uint8)
    letter(canvas, [Line(words, 5, 30, 24)])
    return canvas


@pytest.mark.parametrize("words", [
    "café Übung łódź", "猫の左", "Ελληνικά", "Привет", "× – “a” ✓ ⇄",
])
def test_letters_that_can_be_drawn(words):
    assert not (drawn(words) == drawn("".join(UNKNOWN if w != " " else w for w in words))).all()
    assert (drawn(words) != drawn(words.replace(words[0], "?", 1))).any()


def test_one_that_cannot_be_drawn_is_a_square_and_no_question_mark():
    assert (drawn("a🐈b") == drawn(f"a{UNKNOWN}b")).all()
    assert (drawn("a?b") != drawn(f"a{UNKNOWN}b")).any()


@pytest.mark.parametrize(("text", "expected"), [
    ("  a\n\tb\u2028c  ", "a b c"),
    ("a\x00b\x1b", "a\ufffdb\ufffd"),
    ("\ud800", "\ufffd"),
    ("a\u202eb\u200b\ufeffc", "abc"),
    ("e\u0301", "é"),
    ("\ue000\uffff", "\ufffd\ufffd"),
])
def test_cleaning(text, expected):
    assert clean(text) == expected


def test_words_from_right_to_left_are_turned_where_they_stand():
    assert in_sight_order("a שלום לך b") == "a ךל םולש b"


class TestBreaking:
    def test_at_spaces(self):
        room = width_of("one two", 10)
        assert break_lines("one two three", size=10, width=room, most=9) == ["one two", "three"]

    def test_a_long_word_anywhere(self):
        lines = break_lines("x" * 50, size=10, width=width_of("x" * 20, 10) + 0.01, most=9)
        assert [len(line) for line in lines] == [20, 20, 10]

    def test_between_parts_rather_than_inside(self):
        room = width_of("IoU 0.100 · loose · example", 10) + 0.01
        assert break_lines(
            "IoU 0.100 · loose · example 5", size=10, width=room, most=2, between=" · "
        ) == ["IoU 0.100 · loose", "example 5"]

    def test_what_is_cut_ends_in_three_dots(self):
        room = width_of("one two…", 10)
        assert break_lines("one two three four", size=10, width=room, most=1) == ["one two…"]

    def test_every_line_has_room(self):
        rng = np.random.default_rng(3)
        for _ in range(50):
            words = ["w" * int(n) for n in rng.integers(1, 12, 30)]
            width = float(rng.uniform(60, 300))
            lines = break_lines(" ".join(words), size=9, width=width, most=99)
            assert "".join(lines).replace(" ", "") == "".join(words)
            assert all(width_of(line, 9) <= width for line in lines)

    @pytest.mark.parametrize("text", ["", "   "])
    def test_nothing(self, text):
        assert break_lines(text, size=10, width=100, most=3) == []

    def test_no_room_at_all(self):
        assert break_lines("abc", size=10, width=0, most=9)[:1] == ["a"]
