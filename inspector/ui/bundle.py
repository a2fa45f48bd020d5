"""Joins the page's scripts into one file: one request instead of one for each script."""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(
    r"^import (?:\{(?P<names>[^}]*)\} from )?'\./(?P<file>[\w.-]+)';\n", re.MULTILINE
)
_EXPORT = re.compile(
    r"^export (?=(?:(?:async )?function\*?|class|const) (?P<name>\w+))", re.MULTILINE
)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def order_of(scripts: Mapping[str, str], first: str = "main.js") -> list[str]:
    """Name a script and all that it imports, directly or not, each after what it imports.

    Raises:
        ValueError: If two scripts need each other.
    """
    found: list[str] = []
    open_: list[str] = []

    def visit(name: str) -> None:
        if name in found:
            return
        if name in open_:
            raise ValueError(f"a circle of scripts: {', '.join([*open_, name])}")
        open_.append(name)
        for imported in _IMPORT.finditer(scripts[name]):
            visit(imported["file"])
        open_.pop()
        found.append(name)

    visit(first)
    return found


def bundle(scripts: Mapping[str, str], first: str = "main.js") -> str:
    """Give one script that exports what the first one does.

    Every script becomes a function of its own, so that names which it keeps for itself stay apart
    from those of the others. Names are bound once, which is why only functions, classes and
    constants may be exported.

    Args:
        scripts: Modules by file name; they import by ``import { a, b as c } from './file.js';``.
        first: The one that the page imports.

    Raises:
        ValueError: If a script imports or exports in another way.
    """
    pieces, exported = [], {}
    for name in order_of(scripts, first):
        exported[name] = [export["name"] for export in _EXPORT.finditer(scripts[name])]
        code = _EXPORT.sub("", _IMPORT.sub(_bind, scripts[name]))
        if other := _OTHER.search(code):
            raise ValueError(f"{name}: '{other[0]}' is no import or export that can be joined")
        names = ", ".join(exported[name])
        pieces.append(
            f"// {name}\nconst {_scope(name)} = (() => {{\n{code}return {{ {names} }};\n}})();\n"
        )
    names = ", ".join(exported[first])
    return "\n".join([*pieces, f"export const {{ {names} }} = {_scope(first)};\n"])


def _bind(imported: re.Match[str]) -> str:
    if imported["names"] is None:  # for what it does, not for what it gives
        return "\n"
    names = re.sub(r"\bas\b", ":", imported["names"])
    renamed = re.sub(r"(\w+)\s*:\s*(\w+)", r"\1: \2", " ".join(names.split()))
    return f"const {{ {renamed} }} = {_scope(imported['file'])};\n"


def _scope(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
