"""Tables of the documentation that the code decides; ``python -m tests.doc_tables`` prints them.

Who adds an option, a key, a filter or an order pastes the printed table into ``docs/reference.md``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from inspector.browse import FILTERS, SORTS
from inspector.cli import _parser
from inspector.figures import LAYERS
from inspector.formats.counts import PUBLISHED
from inspector.server.addresses import OPEN
from inspector.ui.texts import TEXTS

ROOT = Path(__file__).resolve().parents[1]
ACTIONS = ROOT / "inspector" / "ui" / "viewer" / "actions.js"

Rows = list[list[str]]


def commands() -> dict[str, argparse.ArgumentParser]:
    """Give the parser of every command, as ``python -m inspector`` has it."""
    parser = _parser()
    [action] = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(action.choices)


def _written(action: argparse.Action) -> str:
    """Write an option as one types it."""
    name = ", ".join(f"`{option}`" for option in action.option_strings)
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return name
    values = "|".join(map(str, action.choices)) if action.choices else action.metavar
    values = values or action.dest.upper()
    dots = "…" if action.nargs == "+" else ""
    return f"`{action.option_strings[0]} {values}{dots}`".replace("|", "\\|")


def option_rows() -> Rows:
    """Give a row for each option and meaning, with the commands that have it so."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, parser in commands().items():
        for action in parser._actions:
            if action.option_strings and "-h" not in action.option_strings:
                meaning = (action.help or "").replace("%%", "%").replace("|", "\\|")
                found.setdefault((_written(action), meaning), []).append(name)
    everywhere = list(commands())
    said = {tuple(everywhere): "all", tuple(everywhere[:-1]): f"all but {everywhere[-1]}"}
    return [
        [option, said.get(tuple(names), ", ".join(names)), meaning]
        for (option, meaning), names in sorted(found.items(), key=lambda row: row[0][0].lower())
    ]


def key_rows() -> Rows:
    """Give a row for each key of the page, in the order of its help."""
    texts = TEXTS["en"]
    return [
        [", ".join(f"`{key}`" for key in shown), texts[f"action.{action}"].replace("|", "\\|")]
        for action, shown in _actions()
    ]


def _actions() -> Iterator[tuple[str, list[str]]]:
    """Read the table of the page's script: which action has which keys."""
    source = ACTIONS.read_text(encoding="utf-8")
    for entry in re.split(r"\bkey: ", source)[1:]:
        name = re.split(r"['`]", entry)[1]
        shown = re.search(r"shown: ((?:side.*?)?\[('[^']*'|[^\]'])*\])", entry)
        if shown is None:
            continue
        keys = re.findall(r"'([^']+)'", shown[1].partition("? ")[2] or shown[1])
        if name.startswith("layer-"):
            yield from ((f"layer-{layer.key}", [str(number)])
                        for number, layer in enumerate(LAYERS, 1))
        else:
            yield name.replace("pan-${side.toLowerCase()}", "pan-right"), keys


def filter_rows() -> Rows:
    """Give a row for each filter of the address."""
    def needs(entry: object) -> str:
        kinds = {"needs_run": "a run", "needs_second": "a second truth"}
        return ", ".join(words for name, words in kinds.items() if getattr(entry, name, False))

    return [[f"`{entry.key}`", entry.label, entry.kind, needs(entry)] for entry in FILTERS]


def sort_rows() -> Rows:
    """Give a row for each order of the address."""
    return [[f"`{sort.key}`", sort.label] for sort in SORTS]


def count_rows() -> Rows:
    """Give a row for each split whose numbers are known."""
    def said(number: int | None) -> str:
        return "–" if number is None else f"{number:,}"

    return [
        [name, split_by or "–", split, *map(said, counts)]
        for (name, split_by, split), counts in PUBLISHED.items()
    ]


def address_rows() -> Rows:
    """Give a row for each address of the served app that is open."""
    return [[f"`{entry.path}`", entry.why, ", ".join(entry.methods)] for entry in OPEN]


TABLES: dict[str, tuple[str, Callable[[], Rows]]] = {
    "options": ("| option | commands | what it does |", option_rows),
    "keys": ("| on the page | does |", key_rows),
    "filters": ("| filter | label | kind | needs |", filter_rows),
    "orders": ("| order | label |", sort_rows),
    "addresses": ("| address | why | methods |", address_rows),
    "counts": ("| data set | split-by | split | pictures | referents | sentences |", count_rows),
}
"""By name: the head of the table and what makes its rows."""


def markdown(name: str) -> str:
    """Write a table as the pages hold it."""
    head, make = TABLES[name]
    rule = "|" + "---|" * (head.count("|") - 1)
    return "\n".join([head, rule, *(f"| {' | '.join(row)} |".replace("|  |", "| |")
                                    for row in make())])


if __name__ == "__main__":
    for wanted in sys.argv[1:] or TABLES:
        print(markdown(wanted), end="\n\n")
