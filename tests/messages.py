"""Every text of an error or a problem in the package, gathered from its source.

``python -m tests.messages`` prints them, to be read together. What is put in at run time stands in
braces as it stands in the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "inspector"

Kind = Literal["sentence", "clause", "hint", "problem", "answer"]
"""Whole sentences of an error; what follows on "where:" or stands inside another sentence; the
advice behind a clause; what a problem says; what a data route answers with."""

ERRORS = {"InspectorError", "UsageError", "BodyError"}
"""Errors whose text is a whole; classes made of them are found by themselves."""

CLAUSES = {"MaskError", "NoTruthError", "SizeMismatchError", "FormatError", "ShapeError"}
"""Errors whose text somebody else puts a place in front of and an end behind."""

@dataclass(frozen=True, slots=True, order=True)
class Message:
    """One text, where it stands, and what it is a part of."""

    file: str
    line: int
    kind: Kind
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.kind}) {self.text}"


def render(node: ast.expr) -> str:
    """Write a text as its reader sees it, with ``{…}`` for what is put in.

    Example:
        >>> render(ast.parse('f"No run {name!r}. " + more').body[0].value)
        'No run {name}. {more}'
    """
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(render(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return f"{{{ast.unparse(node.value)}}}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return render(node.left) + render(node.right)
    return f"{{{ast.unparse(node)}}}"


def texts_of(node: ast.expr) -> Iterator[str]:
    """Give a text, or both where a condition chooses between two."""
    if isinstance(node, ast.IfExp):
        yield from texts_of(node.body)
        yield from texts_of(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from texts_of(value)
    elif not (isinstance(node, ast.Constant) and node.value is None):
        yield render(node)


def is_only_put_in(text: str) -> bool:
    """Say whether a text is made elsewhere: nothing of it stands here."""
    return text.startswith("{") and text.find("}") == len(text) - 1


def collect() -> list[Message]:
    """Gather the texts of all modules of the package."""
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))
    }
    sentences = _classes(trees.values(), ERRORS) - CLAUSES
    found = []
    for path, tree in trees.items():
        file = str(path.relative_to(ROOT))
        for node in ast.walk(tree):
            for kind, value in _parts(node, sentences):
                found += [
                    Message(file, node.lineno, kind, text) for text in texts_of(value)
                    if text and not is_only_put_in(text)
                ]
    return sorted(found)


def _classes(trees: Iterator[ast.Module], known: set[str]) -> set[str]:
    """Find the classes that are made of known ones."""
    names = set(known)
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    grown = True
    while grown:
        more = {c.name for c in classes if names & {ast.unparse(base) for base in c.bases}}
        grown = not more <= names
        names |= more
    return names


def _parts(node: ast.AST, sentences: set[str]) -> Iterator[tuple[Kind, ast.expr]]:
    if isinstance(node, ast.Dict):
        yield from (
            ("answer", value) for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and key.value == "error" and _is_text(value)
        )
    elif isinstance(node, ast.Call):
        yield from _parts_of_call(node, sentences)


def _parts_of_call(call: ast.Call, sentences: set[str]) -> Iterator[tuple[Kind, ast.expr]]:
    name = ast.unparse(call.func).rpartition(".")[2]
    first = call.args[0] if call.args else None
    if name in CLAUSES and first is not None:
        yield "clause", first
        yield from (("hint", word.value) for word in call.keywords if word.arg == "hint")
    elif name in sentences and first is not None:
        yield "sentence", call.args[1] if name == "BodyError" else first
    elif name in ("add", "Problem") and len(call.args) >= 4 and _is_severity(call.args[1]):
        yield "problem", call.args[3]
    elif ast.unparse(call.func) == "_refuse" and len(call.args) == 3:
        yield "answer", call.args[2]
    elif name in ("ValueError", "TypeError") and first is not None:
        yield "clause", first


def _is_text(node: ast.expr) -> bool:
    """Tell words from keys and numbers, which a dictionary has under ``error`` as well."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and " " in str(node.value)
    )


def _is_severity(node: ast.expr) -> bool:
    return any(text in ("error", "warning", "info") for text in texts_of(node))


if __name__ == "__main__":
    for message in collect():
        print(message)
