"""Every command of the documentation parses, and those on the demo are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from inspector.cli import _parser, main
from inspector.core.errors import UsageError
from tests.doc_tables import commands

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
BEGINS = ("python app.py", "python -m inspector ", ".venv/bin/python app.py")
BLANKS = re.compile(r"[…\[{]|--run A\b|\bKEY\b")
"""Marks a synopsis: a form to be filled in, of which only command and options can be checked."""


def blocks_of(page: Path) -> list[str]:
    """Give the lines of fenced blocks without a language, and what stands between backticks."""
    inside, outside, language = [], [], None
    for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.strip().startswith("```"):
            language = line.strip("` ") if language is None else None
        elif language is None:
            outside.append(line)
        elif language in ("", "sh", "bash"):
            inside.append(line)
    spans = re.findall(r"`([^`]+)`", "\n".join(outside))
    return inside + [" ".join(span.split()) for span in spans]


def commands_of(page: Path) -> list[str]:
    """Give every command of ours on a page, without the words behind it."""
    found = []
    for line in blocks_of(page):
        line = line.strip().removeprefix("$ ")
        if line.startswith(BEGINS):
            found.append(re.split(r"\s{2,}|\s+#\s|\s+&&\s", line)[0].strip())
    return found


ALL = sorted({(command, page.name) for page in PAGES if page.exists()
              for command in commands_of(page)})
WHOLE = [(command, page) for command, page in ALL if not BLANKS.search(command)]
FORMS = [(command, page) for command, page in ALL if BLANKS.search(command)]


def arguments(command: str) -> list[str]:
    """Give what stands behind ``python -m inspector``; ``app.py`` is its command ``open``."""
    words = shlex.split(command)
    if words[1] == "app.py":
        return ["open", *words[2:]]
    return words[3:]


def test_there_are_many():
    assert len(WHOLE) > 35
    assert len(FORMS) > 10


@pytest.mark.parametrize(("command", "page"), WHOLE)
def test_a_command_parses(command, page):
    try:
        options = _parser().parse_args(arguments(command))
    except (UsageError, SystemExit) as error:
        pytest.fail(f"{page}: {command}: {error}")
    assert callable(options.command)


@pytest.mark.parametrize(("command", "page"), FORMS)
def test_a_form_names_a_command_and_its_options(command, page):
    words = ["open"] if " app.py" in command else command.split()[3:4]
    assert words, command
    assert words[0] in commands(), f"{page}: {command}"
    known = {name for action in commands()[words[0]]._actions for name in action.option_strings}
    assert set(re.findall(r"(?<!\w)--[a-z][\w-]*", command)) <= known, f"{page}: {command}"


ON_THE_DEMO = sorted({
    command for command, _ in WHOLE
    if re.search(r"inspector \w+ demo\b", command)
})


@pytest.mark.parametrize("command", ON_THE_DEMO)
def test_a_command_on_the_demo_runs(command, tmp_path, monkeypatch, capsys):
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    monkeypatch.chdir(tmp_path)
    assert main(arguments(command)) == 0, capsys.readouterr().err
