"""The package installs with pip from a checkout, with everything that it needs at run time."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_every_package_is_named():
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "inspector").rglob("__init__.py")
    }
    assert set(named) == folders | {"inspector.assets"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder that an installation fills, without the checkout beside it."""
    made, site = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source")
    for name in ("inspector", "assets", "pyproject.toml", "requirements.txt", "README.md"):
        (source / name).symlink_to(ROOT / name)  # the build writes beside what it builds
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet",
         "--no-deps", "--no-build-isolation", "--wheel-dir", made, source],
        check=True, timeout=110,
    )
    zipfile.ZipFile(next(made.glob("*.whl"))).extractall(site)
    return site


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import sys; from inspector.cli import main; sys.exit(main())",
         *arguments],
        cwd=installed, env=os.environ | {"PYTHONPATH": str(installed), "INSPECTOR_CACHE": "off"},
        capture_output=True, text=True, timeout=110,
    )


def test_the_installed_command_scores_the_demo(installed):
    assert not (installed / "assets").exists()
    done = run(installed, "score", "demo")
    assert done.returncode == 0, done.stderr
    assert "mIoU" in done.stdout


def test_everything_that_the_page_needs_is_in_it(installed):
    package = ROOT / "inspector"
    needed = {
        path.relative_to(package) for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyi"
    }
    there = {path.relative_to(installed / "inspector") for path in installed.rglob("*")
             if path.is_file() and (installed / "inspector") in path.parents}
    assert needed - there == set()
    assert len(list((installed / "inspector" / "assets" / "demo" / "images").iterdir())) == 12
