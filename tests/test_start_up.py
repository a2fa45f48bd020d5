"""What each command imports before it can say anything; times are the business of benchmarks."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "numpy", "pyarrow", "pandas", "pycocotools.mask", "numba", "cv2", "PIL.Image", "duckdb",
    "datasets", "huggingface_hub", "gradio", "fastapi", "starlette", "uvicorn", "asyncio",
)


def imported(*arguments: str) -> set[str]:
    """Run a command in a fresh process and give the heavy modules that it imported."""
    code = (
        "import contextlib, io, sys\n"
        "from inspector.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    assert main({list(arguments)!r}) != 2\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                          timeout=100)
    return set(done.stdout.split())


@pytest.mark.parametrize("arguments", [
    ["--help"], ["--version"], ["score", "--help"], ["check", "--help"], ["open", "--help"],
    ["truths", "--help"], ["slices", "--help"], ["compare", "--help"],
], ids=" ".join)
def test_help_needs_nothing(arguments):
    assert imported(*arguments) == set()


def test_scoring_needs_neither_page_nor_database_nor_pandas(tmp_path):
    needed = {"numpy", "pyarrow", "pycocotools.mask", "PIL.Image"}
    outputs = "--parquet", str(tmp_path / "a.parquet"), "--json", str(tmp_path / "a.json")
    assert imported("score", "demo", "--no-boundary", *outputs) <= needed
    assert imported("check", "demo") <= needed


def test_edges_need_opencv(tmp_path):
    assert imported("score", "demo", "--boundary") >= {"cv2"}
