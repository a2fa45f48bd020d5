"""The help of the commands in every language."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator

import pytest

from inspector import cli
from inspector.help_chinese import HELP
from inspector.language import HelpFormatter, help_language, help_text, wrap

VARIABLES = ("INSPECTOR_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture
def set_language(monkeypatch):
    def choose(**values: str) -> None:
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in values.items():
            monkeypatch.setenv(name, value)

    choose()
    return choose


def parsers() -> Iterator[argparse.ArgumentParser]:
    """Give the parser of everything, then that of each command."""
    whole = cli._parser()
    yield whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from dict.fromkeys(action.choices.values())


def texts_of(parser: argparse.ArgumentParser) -> set[str]:
    found = {parser.description, parser.epilog, *(g.title for g in parser._action_groups),
             *(group.description for group in parser._action_groups)}
    for action in parser._actions:
        found.add(action.help)
        if isinstance(action, argparse._SubParsersAction):
            found |= {choice.help for choice in action._choices_actions}
    return {text for text in found if text and text != argparse.SUPPRESS}


@pytest.mark.parametrize("parser", parsers(), ids=lambda parser: parser.prog.rpartition(" ")[2])
def test_every_text_of_the_help_has_a_translation(parser):
    assert texts_of(parser) - HELP.keys() == set()


def test_no_translation_is_left_over():
    asked = set().union(*map(texts_of, parsers())) | {"usage: "}
    assert HELP.keys() - asked == set()


@pytest.mark.parametrize(("values", "expected"), [
    pytest.param({}, "en", id="nothing set"),
    pytest.param({"LANG": "zh_CN.UTF-8"}, "zh", id="locale"),
    pytest.param({"LANG": "zh"}, "zh", id="bare locale"),
    pytest.param({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en", id="LC_ALL before LANG"),
    pytest.param({"LC_MESSAGES": "zh_CN", "LANG": "en_US"}, "zh", id="LC_MESSAGES before LANG"),
    pytest.param({"INSPECTOR_LANGUAGE": "zh", "LC_ALL": "en_US"}, "zh", id="our own first"),
    pytest.param({"INSPECTOR_LANGUAGE": "en", "LANG": "zh_CN"}, "en", id="English asked for"),
    pytest.param({"LANG": "fr_FR.UTF-8"}, "en", id="a language that there is not"),
    pytest.param({"LANG": "zhuang"}, "en", id="only begins like it"),
])
def test_the_language_is_chosen(set_language, values, expected):
    set_language(**values)
    assert help_language() == expected


def test_a_terminal_that_cannot_show_the_signs_gets_english(set_language):
    set_language(LANG="zh_CN.UTF-8")
    answer = subprocess.run(
        [sys.executable, "-c", "from inspector.language import help_text; "
         "print(help_text('do not open a browser'))"],
        env={"LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True,
        check=True, timeout=60,
    )
    assert answer.stdout == "do not open a browser\n"


@pytest.mark.parametrize("parser", parsers(), ids=lambda parser: parser.prog.rpartition(" ")[2])
def test_english_help_is_as_argparse_writes_it(set_language, monkeypatch, parser):
    monkeypatch.setenv("COLUMNS", "80")
    ours = parser.format_help()
    parser.formatter_class = argparse.HelpFormatter
    assert ours == parser.format_help()
    assert ours.startswith("usage: python -m inspector")


@pytest.mark.parametrize("parser", parsers(), ids=lambda parser: parser.prog.rpartition(" ")[2])
def test_chinese_help_holds_its_lines(set_language, monkeypatch, parser):
    set_language(INSPECTOR_LANGUAGE="zh")
    monkeypatch.setenv("COLUMNS", "80")
    help_words = parser.format_help()
    assert help_words.startswith("用法：python -m inspector")
    assert "显示此帮助并退出" in help_words
    for line in help_words.splitlines()[1:]:
        if "\u4e00" <= max(line, default="") <= "\u9fff":
            assert sum(2 if ord(sign) > 0x2e80 else 1 for sign in line) <= 80, line


def test_errors_stay_english(set_language, capsys):
    """Scripts read them and reports of bugs quote them."""
    set_language(INSPECTOR_LANGUAGE="zh")
    assert cli.main(["score"]) == 2
    assert capsys.readouterr().err.startswith("error: the following arguments are required")


def test_the_table_is_read_only_when_it_is_needed():
    answer = subprocess.run(
        [sys.executable, "-c", "import sys; from inspector import cli; cli._parser(); "
         "print('inspector.help_chinese' in sys.modules)"],
        env={"INSPECTOR_LANGUAGE": "zh", "PYTHONUTF8": "1"}, capture_output=True, text=True,
        check=True, timeout=60,
    )
    assert answer.stdout == "False\n"


def test_what_has_no_translation_stays(set_language):
    set_language(INSPECTOR_LANGUAGE="zh")
    assert help_text("no such help") == "no such help"
    assert help_text("do not open a browser") == "不打开浏览器"


@pytest.mark.parametrize(("text", "width", "expected"), [
    pytest.param("", 10, [], id="nothing"),
    pytest.param("预测掩码", 4, ["预测", "掩码"], id="two columns a sign"),
    pytest.param("预测，掩码", 4, ["预", "测，", "掩码"], id="no line begins with a comma"),
    pytest.param("预测（掩码）", 6, ["预测", "（掩", "码）"], id="none ends with a bracket"),
    pytest.param("加 --run 文件", 8, ["加 --run", "文件"], id="words stay whole"),
])
def test_lines_are_broken_as_terminals_count(text, width, expected):
    assert wrap(text, width) == expected


def test_every_command_uses_the_formatter():
    assert all(parser.formatter_class is HelpFormatter for parser in parsers())
