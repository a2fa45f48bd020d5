"""Errors and problems speak with one voice: where, what was found, what was expected, what to do.

``python -m tests.messages`` prints all of them.
"""

from __future__ import annotations

import re

from inspector.core.problems import PROBLEM_CODES
from tests.messages import collect

MESSAGES = collect()
WHOLE = ("sentence", "hint", "problem", "answer")

WORDS_OF_PYTHON = re.compile(
    r"\b(NoneType|dict|str(?!\()|int|tuple|bool|[Tt]raceback|[Ee]xception|KeyError|None(?! of))\b"
)
"""What only programmers know; JSON's own words (object, list, null, true) are the file's."""

EMPTY_WORDS = re.compile(
    r"\b(invalid|illegal|error|failed|failure to|unable|please|sorry|oops|bad|wrong)\b|!", re.I
)
"""They say that something is wrong, which one knows, and not what."""

PUT_IN = re.compile(r"\{[^{}]*\}")
QUOTED = re.compile(r'"[^"]*"|“[^”]*”')

BEGINS = re.compile(r"[A-Z0-9'\"“{]|--|oIoU|mIoU")
ENDS = re.compile(r"[.?][\"”)]?$|\}$|\)$")

WHAT_TO_DO = re.compile(
    r"(^|[.:;,?)}] )(or )?(add|ask|bring|check|choose|copy|crop|delete|download|give|install|is|"
    r"leave|load|log|make|mend|name|open|put|reload|restore|return|save|score|see|select|send|set|"
    r"shorten|show|start|take|unset|update|use|was|write)\b|"
    r"\b(known|must|needs?|takes|expected|only|against|such as|instead|at most|at least|"
    r"of the form)\b|"
    r"\b(has|have|lists?|returns?|are):|\bthere (is|are):|from \S+ to|\bhas (from )?1 to|"
    r"\bbut (this|got)|is no .* above 0|\braise -{0,2}model|"
    r"\{[^{}]*(nearest|hint|listing|choices)[^{}]*\}|[:.] \{[^{}]*(error|why|fault)[^{}]*\}",
    re.I,
)
"""An advice, or what was expected; also where another text with its own advice is put in."""

NOTHING_TO_DO = {
    "There is no review queue {number}.": "the page offers the queues in a list",
    "There is no view “{printable(name[:MOST_NAME])}”.": "the page offers the views in a list",
    "'{now.name}' has no failures that could be reviewed.": "that is good news",
    "None of the selected examples has a row: {'none is selected.' if not len(self.places) else "
    "'their truth is unreadable.'}": "the reason is the advice",
    "The model '{self.name}' was closed.": "the inspector is ending",
    "The model is not asked any more; the inspector is ending.": "the inspector is ending",
    "The findings file is in use. (file: {self.path})": "caught where it is met, and asked again",
    "There is no server yet.": "cannot be met: the page is what asks",
    "The page's server did not start. Its reason is printed above.": "the reason is printed",
    "{shown} cannot be used as a path ({reason}).": "the reason is the system's own",
    "The model raised {describe(error)}.": "the model's own code is quoted",
    "The model '{spec}' cannot be imported: there is no module '{error.name}' in the current "
    "folder or among the installed packages.": "where was looked is the advice",
    "The model '{self.name}' cannot be imported: its process ended ({error}).":
    "what it printed is in the terminal",
    "No process can be started for the model ({error.strerror or error}).":
    "the reason is the system's own",
    "The model '{self.name}' was not imported within {START_SECONDS} s and was stopped.":
    "ten minutes are enough for any import; the model's own code must be mended",
    "The model '{self.name}' is still at an earlier question, which took longer than "
    "{self.timeout} s. It runs inside this program and cannot be stopped.": "waiting is all",
    "'{shown}' is no address ({error}).": "the reason is the advice",
    "{f'{where} answered with status {status} {reason}'.rstrip()}{f': {said}' if said else '.'}":
    "what the model's server said is quoted",
    "What was sent is no JSON.": "the page sends JSON, and the reference says so to scripts",
    "What was sent is no JSON object.": "the page sends one, and the reference says so to scripts",
    "The picture's file has {describe_size(picture.size_hw)}, its annotations are for "
    "{describe_size(size)}. A mask of the one does not fit the other.":
    "the data is at fault, as the list of problems says",
}
"""Errors that neither ask for something nor name what was expected, and why."""


def test_there_are_many_of_every_kind():
    kinds = [message.kind for message in MESSAGES]
    fewest = {"sentence": 200, "clause": 100, "hint": 30, "problem": 40, "answer": 5}
    assert {kind: kinds.count(kind) >= least for kind, least in fewest.items()} == dict.fromkeys(
        fewest, True
    )


def test_no_word_of_python_and_no_empty_one():
    said = {message: QUOTED.sub("…", PUT_IN.sub("…", message.text)) for message in MESSAGES}
    assert [m for m, text in said.items() if WORDS_OF_PYTHON.search(text)] == []
    assert [m for m, text in said.items() if EMPTY_WORDS.search(text)] == []


def test_a_whole_text_is_made_of_sentences():
    whole = [message for message in MESSAGES if message.kind in WHOLE]
    assert [message for message in whole if not BEGINS.match(message.text)] == []
    assert [message for message in whole if not ENDS.search(message.text)] == []


def test_a_clause_stands_behind_its_place_and_has_no_end():
    clauses = [message for message in MESSAGES if message.kind == "clause"]
    assert [m for m in clauses if re.match(r"[A-Z][a-z]+ ", m.text)] == []
    assert [m for m in clauses if m.text.endswith(".")] == []


def test_choices_are_listed_in_one_way():
    """``say_choices`` lists them, with the nearest: "Choose one of: a, b. Did you mean 'a'?"."""
    another = re.compile(r"\b(There (is|are)|(Known|Runs|Choices) are|It has): \{")
    assert [message for message in MESSAGES if another.search(message.text)] == []


def test_an_error_says_what_was_expected_or_what_to_do():
    errors = [message for message in MESSAGES if message.kind == "sentence"]
    mute = [message for message in errors if not WHAT_TO_DO.search(message.text)]
    assert [message for message in mute if message.text not in NOTHING_TO_DO] == []


def test_the_list_of_those_without_advice_is_not_longer_than_needed():
    texts = {m.text for m in MESSAGES if not WHAT_TO_DO.search(m.text)}
    assert NOTHING_TO_DO.keys() <= texts
    assert all(NOTHING_TO_DO.values())


def test_the_meaning_of_a_code_is_a_sentence():
    for code, text in PROBLEM_CODES.items():
        assert BEGINS.match(text), code
        assert text.endswith("."), code
