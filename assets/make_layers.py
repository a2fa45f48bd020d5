"""The picture of who imports whom, from the imports themselves: ``make_pictures.py layers``.

One row and one column a part of the package, in the order in which they build on each other. A dot
says that the part of its row imports the part of its column. Imports point one way, so that every
dot lies below the diagonal.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "inspector"

PARTS: dict[str, str] = {
    "core": "exact counts, scores, metrics, failure modes",
    "formats": "disk or hub to data set",
    "predictions": "disk to run",
    "analysis": "slices, intervals, two runs, protocols",
    "truths": "two ground truths",
    "snapshots": "what was read before comes back",
    "findings": "verdicts, tags, notes, review queues",
    "live": "a model that is asked while one looks",
    "stored": "tables of scores from elsewhere",
    "workspace": "a data set, its runs and their scores",
    "browse": "filters, orders, live counts",
    "figures": "one example as SVG and PNG",
    "exporting": "rows and masks of a selection",
    "engine": "scoring in shards, on many machines",
    "report": "one HTML file to send",
    "server": "data routes and the gate before them",
    "ui": "the page",
    "commands": "what each command is asked, does and says",
}
"""Parts in their order, each with its subject. Modules beside these are small and not drawn."""

_STEP, _LEFT, _TOP, _WORDS = 22, 104, 96, 330


def imports() -> set[tuple[str, str]]:
    """Give who imports whom, among the parts."""
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        own = _part(path.relative_to(PACKAGE).with_suffix("").parts[0])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                levels = name.split(".")
                if levels[0] == "inspector" and len(levels) > 1:
                    other = _part(levels[1])
                    if other != own and {own, other} <= PARTS.keys():
                        found.add((own, other))
    return found


def _part(name: str) -> str:
    """Take every module of the commands for one part."""
    return "commands" if name in ("cli", "__main__") else name


def draw_layers() -> str:
    """Draw the picture as SVG; the same imports give the same text."""
    names = list(PARTS)
    size = _STEP * len(names)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + size + _WORDS}" '
        f'height="{_TOP + size + 12}" font-family="system-ui, sans-serif" font-size="13" '
        'role="img" aria-label="Which part of the package imports which">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for place, name in enumerate(names):
        at = _TOP + place * _STEP
        if place % 2 == 0:
            lines.append(f'<rect x="0" y="{at}" width="100%" height="{_STEP}" fill="#f3f5f7"/>')
        middle, column = at + _STEP / 2 + 4.5, _LEFT + place * _STEP + _STEP / 2
        lines += [
            f'<text x="{_LEFT - 8}" y="{middle}" text-anchor="end">{name}</text>',
            f'<text transform="translate({column + 4} {_TOP - 8}) rotate(-60)">{name}</text>',
            f'<rect x="{_LEFT + place * _STEP + 4}" y="{at + 4}" width="{_STEP - 8}" '
            f'height="{_STEP - 8}" fill="#d0d7de"/>',
            f'<text x="{_LEFT + size + 12}" y="{middle}" fill="#57606a">{PARTS[name]}</text>',
        ]
    for own, other in sorted(imports()):
        x = _LEFT + names.index(other) * _STEP + _STEP / 2
        y = _TOP + names.index(own) * _STEP + _STEP / 2
        lines.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#0072b2"><title>{own} imports '
                     f"{other}</title></circle>")
    return "\n".join([*lines, "</svg>", ""])
