from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.core.sentences import normalise_sentence


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        pytest.param("RIGHT MOST CUP", "right most cup", id="letter case"),
        pytest.param("  right \t most\n cup ", "right most cup", id="spaces"),
        pytest.param("right\u00a0cup", "right cup", id="no-break space"),
        pytest.param("a small , tan bowl", "a small, tan bowl", id="space before comma"),
        pytest.param("the dog 's tail", "the dog's tail", id="space before apostrophe"),
        pytest.param("left cup.", "left cup", id="full stop"),
        pytest.param("left cup ?!", "left cup", id="several marks"),
        pytest.param('"left cup"', "left cup", id="quoted"),
        pytest.param("Straße", "strasse", id="casefold"),
        pytest.param("café", "café", id="accents stay"),
        pytest.param("top-left, 2nd", "top-left, 2nd", id="inner punctuation stays"),
        pytest.param("", "", id="empty"),
        pytest.param(" . ", "", id="punctuation only"),
    ],
)
def test_normalise_sentence(written, normal):
    assert normalise_sentence(written) == normal


def test_raw_and_sent_of_one_sentence_are_equal():
    raw = "A small, tan, earthenware bowl with a lip around the edge."
    sent = "a small , tan , earthenware bowl with a lip around the edge"
    assert normalise_sentence(raw) == normalise_sentence(sent)


def test_different_words_stay_different():
    assert normalise_sentence("left cup") != normalise_sentence("left cups")


@given(st.text(alphabet="aB .,'\"?!)\u2019\t", max_size=20))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_normalising_twice_changes_nothing(text):
    once = normalise_sentence(text)
    assert normalise_sentence(once) == once
