"""Sentences that may hurt are found by a list of words."""

from __future__ import annotations

import pytest

from inspector.care import CareWords, read_care_words
from inspector.core.errors import FormatError


@pytest.mark.parametrize(("sentence", "is_veiled"), [
    pytest.param("the ugly guy on the left", True, id="insult"),
    pytest.param("UGLY shirt", True, id="case does not matter"),
    pytest.param("those idiots", True, id="star at the end"),
    pytest.param("man with the titan shirt", False, id="only whole words"),
    pytest.param("girl in the purple jacket", False, id="ordinary"),
    pytest.param("scrapbook near the cockpit", False, id="inside a word"),
    pytest.param("", False, id="no words"),
    pytest.param("左边的女孩", False, id="another script"),
])
def test_sentences(sentence, is_veiled):
    assert read_care_words().match(sentence) is is_veiled


def test_a_list_of_ones_own_is_added(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# ours\nNerd*  # as they say\n\n*\n", encoding="utf-8")
    words = read_care_words([path])
    assert words.match("two nerds at a table")
    assert words.match("ugly")
    assert not words.match("two people at a table")


@pytest.mark.parametrize(("word", "sentence", "is_veiled"), [
    pytest.param("胖子", "左边的胖子在笑", True, id="Chinese has no spaces"),
    pytest.param("胖*", "左边的胖子在笑", True, id="Chinese with a star"),
    pytest.param("デブ", "左のデブな人", True, id="Japanese"),
    pytest.param("胖子", "左边的孩子", False, id="another word"),
    pytest.param("дурак", "это дурак слева", True, id="Cyrillic"),
    pytest.param("дурак", "дурака нет", False, id="Cyrillic has spaces"),
    pytest.param("nerd", "书呆子nerd在左边", True, id="Latin between Chinese"),
    pytest.param("nerd", "书呆子nerds在左边", False, id="another Latin word between Chinese"),
    pytest.param("sb", "sbs", False, id="only whole words"),
])
def test_words_of_other_scripts(word, sentence, is_veiled):
    assert CareWords((word,)).match(sentence) is is_veiled


def test_signs_of_patterns_are_plain_signs():
    assert CareWords(("a.b",)).match("a.b")
    assert not CareWords(("a.b",)).match("axb")
    assert not CareWords(()).match("anything")


def test_what_is_no_list_is_said(tmp_path):
    path = tmp_path / "picture.txt"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(FormatError, match="no UTF-8 text, against a list of words"):
        read_care_words([path])


def test_the_list_has_no_word_twice_and_is_in_order_within_its_parts():
    words = read_care_words().words
    assert len(words) == len(set(words))
    assert 50 < len(words) < 120
