"""Python on the pages is run: here, or in the test that this module names for its page."""

from __future__ import annotations

import re
from pathlib import Path

import inspector.predictions
from inspector.predictions import PredictionFormat, load_run
from tests.building import Picture, Said, Thing, make_dataset
from tests.drawing import draw

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]

RUN_IN = {
    "README.md": "test_page_snippets.py", "README.zh.md": "test_readme_zh.py",
    "architecture.md": "test_page_snippets.py", "report.md": "test_page_snippets.py",
    "live-model.md": "live/test_docs.py", "predictions.md": "test_snippets.py",
    "python.md": "test_handle.py",
}
"""Where the Python of each page that has some is run, or held against one that is."""

CUP = draw(
    "......",
    ".##...",
    ".##...",
)


def snippets_of(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"),
                      re.DOTALL | re.MULTILINE)


def test_every_page_with_python_has_its_test():
    assert {page.name for page in PAGES if page.exists() and snippets_of(page)} == RUN_IN.keys()
    for name, test in RUN_IN.items():
        assert name in (ROOT / "tests" / test).read_text(encoding="utf-8")


def test_the_reader_of_the_architecture_reads(tmp_path, monkeypatch):
    [text] = snippets_of(ROOT / "docs" / "architecture.md")
    found: dict = {}
    exec(compile(text, "architecture.md", "exec"), found)
    monkeypatch.setattr(inspector.predictions, "PREDICTION_FORMATS", (
        PredictionFormat("rle", "Lines", "sent_id and counts", found["looks_like"], found["read"]),
    ))
    dataset = make_dataset(Picture("1", (3, 6), (Thing("11", "cup", CUP),), (
        Said("101", "cup", ("11",)), Said("102", "left cup", ("11",)),
    )))
    path = tmp_path / "run.rle"
    path.write_text(f"102 {CUP.to_json()['counts']}\n999 x\n")
    run = load_run(dataset, path, name="mine")
    assert run.masks[run.rows[1]] == CUP
    assert [problem.code for problem in run.problems] == ["unmatched-prediction"]


def test_a_report_from_python(tmp_path, monkeypatch, demo_workspace):
    monkeypatch.chdir(tmp_path)
    [text] = snippets_of(ROOT / "docs" / "report.md")
    exec(compile(text, "report.md", "exec"), {"workspace": demo_workspace, "Path": Path})
    assert "Swapped objects" in (tmp_path / "swapped.html").read_text(encoding="utf-8")


def test_the_page_from_the_readme(capsys):
    for text in snippets_of(ROOT / "README.md"):
        exec(compile(text, "README.md", "exec"), {})
    assert "http://127.0.0.1:" in capsys.readouterr().out
