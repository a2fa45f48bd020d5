"""One direction: core <- formats, predictions <- the rest; only ui/ knows gradio."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "inspector"
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

INSIDE = {  # parts of the package whose modules may import nothing of it but these
    "inspector.core": ("inspector.core",),
    "inspector.paths": ("inspector.core",),
    "inspector.shipped": (),
    "inspector.formats": (
        "inspector.core", "inspector.paths", "inspector.shipped", "inspector.writing",
        "inspector.cache", "inspector.formats",
    ),
    "inspector.writing": ("inspector.core", "inspector.paths"),
    "inspector.predictions": ("inspector.core", "inspector.paths", "inspector.predictions"),
    "inspector.analysis": ("inspector.core", "inspector.analysis"),
    "inspector.truths": ("inspector.core", "inspector.truths"),
    "inspector.stored": (
        "inspector.core", "inspector.paths", "inspector.formats.reading", "inspector.analysis",
        "inspector.stored",
    ),
    "inspector.cache": (),
    "inspector.language": ("inspector.help_chinese",),
    "inspector.help_chinese": (),
    "inspector.ui.texts": ("inspector.ui.texts",),
    "inspector.snapshots": (
        "inspector.core", "inspector.analysis", "inspector.truths", "inspector.cache",
        "inspector.snapshots",
    ),
    "inspector.figures": (
        "inspector.core", "inspector.formats", "inspector.workspace", "inspector.figures",
    ),
    "inspector.exporting": (
        "inspector.core", "inspector.formats", "inspector.workspace", "inspector.summary",
        "inspector.exporting",
    ),
    "inspector.engine": (
        "inspector.core", "inspector.analysis", "inspector.paths", "inspector.formats",
        "inspector.predictions", "inspector.snapshots", "inspector.stored", "inspector.elsewhere",
        "inspector.run_files", "inspector.workspace", "inspector.summary", "inspector.writing",
        "inspector.engine",
    ),
    "inspector.live": ("inspector.core", "inspector.live"),
    "inspector.findings": ("inspector.core", "inspector.paths", "inspector.findings"),
    "inspector.report": (
        "inspector.core", "inspector.analysis", "inspector.truths", "inspector.formats",
        "inspector.paths", "inspector.workspace", "inspector.browse", "inspector.summary",
        "inspector.truths_summary", "inspector.figures", "inspector.findings", "inspector.stored",
        "inspector.report",
    ),
    "inspector.browse": (
        "inspector.core", "inspector.analysis", "inspector.truths", "inspector.stored",
        "inspector.snapshots", "inspector.workspace", "inspector.browse",
    ),
    "inspector.server": (
        "inspector.core", "inspector.analysis", "inspector.truths", "inspector.formats",
        "inspector.paths", "inspector.workspace", "inspector.browse", "inspector.summary",
        "inspector.truths_summary", "inspector.figures", "inspector.findings", "inspector.report",
        "inspector.live", "inspector.exporting", "inspector.cache", "inspector.care",
        "inspector.drawing", "inspector.thumbnails", "inspector.explaining",
        "inspector.leaderboards", "inspector.server",
    ),
    "inspector.ui": (
        "inspector.core", "inspector.workspace", "inspector.findings", "inspector.live",
        "inspector.care", "inspector.server", "inspector.ui",
    ),
    # opens files, and knows neither how they are browsed nor who looks at them
    "inspector.elsewhere": ("inspector.core", "inspector.formats"),
    "inspector.run_files": ("inspector.core", "inspector.predictions", "inspector.findings"),
    "inspector.recalling": ("inspector.core", "inspector.formats", "inspector.snapshots"),
    "inspector.run_reading": (
        "inspector.core", "inspector.formats", "inspector.predictions", "inspector.snapshots",
        "inspector.elsewhere", "inspector.recalling", "inspector.run_files",
    ),
    "inspector.workspace": (
        "inspector.core", "inspector.formats", "inspector.predictions", "inspector.snapshots",
        "inspector.stored", "inspector.truths", "inspector.recalling", "inspector.run_files",
        "inspector.run_reading",
    ),
    "inspector.table_opening": (
        "inspector.core", "inspector.formats", "inspector.predictions", "inspector.snapshots",
        "inspector.stored", "inspector.elsewhere", "inspector.recalling", "inspector.run_files",
        "inspector.run_reading", "inspector.workspace",
    ),
    "inspector.summary": (
        "inspector.core", "inspector.analysis", "inspector.stored", "inspector.workspace",
        "inspector.writing",
    ),
    "inspector.truths_files": (
        "inspector.core", "inspector.formats", "inspector.truths", "inspector.workspace",
        "inspector.summary",
    ),
    "inspector.truths_summary": (
        "inspector.formats", "inspector.truths", "inspector.workspace", "inspector.summary",
        "inspector.truths_files",
    ),
    "inspector.checks": ("inspector.core", "inspector.formats", "inspector.truths"),
    "inspector.care": ("inspector.core",),
    "inspector.drawing": ("inspector.core",),
    "inspector.thumbnails": ("inspector.cache", "inspector.drawing"),
    "inspector.leaderboards": ("inspector.analysis", "inspector.shipped"),
    "inspector.explaining": (
        "inspector.core", "inspector.analysis", "inspector.leaderboards", "inspector.workspace",
    ),
    "inspector.findings_opening": (
        "inspector.findings", "inspector.formats", "inspector.paths", "inspector.predictions",
        "inspector.shipped",
    ),
    "inspector.data_options": ("inspector.core", "inspector.formats", "inspector.paths"),
    "inspector.views": ("inspector.core", "inspector.workspace", "inspector.browse"),
}
ON_TOP = (  # what puts all of it together; nothing below knows them
    "inspector.commands", "inspector.cli", "inspector.__main__", "inspector.opening",
    "inspector.handle",
)
OUTSIDE = {  # libraries that only these parts may import
    "gradio": ("inspector.ui",),
    "fastapi": ("inspector.server", "inspector.ui"),
    "starlette": ("inspector.server", "inspector.ui"),
    "numba": ("inspector.core.compiling",),
    "uvicorn": ("inspector.server", "inspector.ui"),
    "ray": ("inspector.engine.on_ray",),
}

def is_part(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def imports_of(path: Path, module: str) -> Iterator[str]:
    """Give the full name of everything that a module imports, also inside functions."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *filter(None, [node.module])]) if node.level else node.module
            for alias in node.names:
                submodule = f"{base}.{alias.name}"
                yield submodule if submodule in MODULES else base


@pytest.mark.parametrize("module", MODULES)
def test_direction_inside_the_package(module):
    imported = [  # the package itself is no more than its version and names
        n for n in imports_of(MODULES[module], module) if n.startswith("inspector.")
    ]
    for part, allowed in INSIDE.items():
        if is_part(module, part):
            wrong = [name for name in imported if not any(is_part(name, a) for a in allowed)]
            assert not wrong, f"{module} must not know {wrong}"


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_part(module):
    assert module == "inspector" or any(is_part(module, part) for part in (*INSIDE, *ON_TOP))


@pytest.mark.parametrize("module", MODULES)
def test_nothing_needs_the_commands(module):
    if module not in ("inspector.cli", "inspector.__main__"):
        assert is_part(module, "inspector.commands") or not [
            name for name in imports_of(MODULES[module], module)
            if is_part(name, "inspector.commands") or is_part(name, "inspector.cli")
        ]


@pytest.mark.parametrize("module", MODULES)
def test_who_may_import_which_library(module):
    for name in imports_of(MODULES[module], module):
        allowed = OUTSIDE.get(name.partition(".")[0])
        assert allowed is None or any(is_part(module, part) for part in allowed), (
            f"{module} must not import {name}; only {' and '.join(allowed)} may"
        )


def test_imports_are_seen_wherever_they_stand(tmp_path):
    path = tmp_path / "example.py"
    path.write_text(
        "import gradio.blocks\nfrom fastapi import FastAPI\nfrom . import mask\n"
        "from ..core.mask import Mask\ndef f():\n    from inspector.core import rle\n"
    )
    assert list(imports_of(path, "inspector.core.example")) == [
        "gradio.blocks", "fastapi", "inspector.core.mask", "inspector.core.mask",
        "inspector.core.rle",
    ]


@pytest.mark.parametrize("part", ["inspector.core", "inspector.formats"])
def test_importing_the_first_layers_loads_nothing_heavy(part):
    names = [module for module in MODULES if is_part(module, part)]
    assert len(names) > 5
    program = (
        "import importlib, sys\n"
        f"for name in ['inspector', *{names!r}]: importlib.import_module(name)\n"
        "heavy = ['gradio', 'pandas', 'datasets', 'fastapi', 'cv2', 'duckdb']\n"
        "print(' '.join(name for name in heavy if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("module", MODULES)
def test_no_grab_bag_modules(module):
    last = module.rpartition(".")[2]
    assert last not in {"utils", "helpers", "common", "misc", "base"}
