"""The documentation says what the code does: tables, links and codes are held against it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from inspector.analysis.flags import FLAGS
from inspector.analysis.presets import PRESETS
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.metrics import METRICS
from inspector.core.problems import PROBLEM_CODES
from inspector.core.table import score_table
from inspector.formats import DATASET_FORMATS
from inspector.predictions import PREDICTION_FORMATS

UNTRIED = "built from documentation"
ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")),
         ROOT / "assets" / "demo" / "README.md"]


def rows_of(page: Path, header: str) -> list[list[str]]:
    """Cells of the table whose first header cell is given."""
    lines = page.read_text(encoding="utf-8").splitlines()
    tables = [i for i, line in enumerate(lines) if line.startswith(f"| {header} |")]
    rows = []
    for start in tables:
        for line in lines[start + 2:]:
            if not line.startswith("|"):
                break
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_format_tables_equal_the_code():
    expected = [
        [f"`{fmt.key}`", fmt.label, fmt.description, "yes" if fmt.tried else UNTRIED]
        for fmt in DATASET_FORMATS
    ]
    expected += [[f"`{fmt.key}`", fmt.label, fmt.description] for fmt in PREDICTION_FORMATS]
    assert rows_of(ROOT / "README.md", "key")[: len(expected)] == expected


def test_every_data_set_format_has_a_section():
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for fmt in DATASET_FORMATS:
        mark = "" if fmt.tried else ", *from documentation*"
        assert f"(`{fmt.key}`{mark})." in text


def test_failure_mode_table_equals_the_code():
    expected = [[f"`{mode.key}`", mode.description] for mode in FAILURE_MODES]
    assert rows_of(ROOT / "README.md", "failure mode") == expected


def test_metric_table_names_every_metric():
    named = " ".join(row[0] for row in rows_of(ROOT / "README.md", "metric"))
    for metric in METRICS:
        between = metric.key in ("P@0.6", "P@0.7", "P@0.8")  # written as P@0.5 … P@0.9
        assert between or f"`{metric.key}`" in named
    for key, description, source in rows_of(ROOT / "README.md", "metric"):
        if "…" in key:
            continue
        metric = next(m for m in METRICS if f"`{m.key}`" == key)
        assert (description, source) == (metric.description, metric.source)


def test_problem_codes_are_documented():
    expected = [[f"`{code}`", text] for code, text in PROBLEM_CODES.items()]
    assert rows_of(ROOT / "docs" / "reference.md", "code") == expected


def test_columns_are_documented(demo_workspace):
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = re.search(r"have the columns `([^`]+)`", text)
    assert listed
    names = re.split(r",\s+", listed[1])
    assert names == score_table(demo_workspace.scores[:1], demo_workspace.protocol).column_names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_dead_link(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_preset_and_flag_tables_equal_the_code():
    presets = [[f"`{p.key}`", p.label, p.description, p.source] for p in PRESETS]
    assert rows_of(ROOT / "docs" / "metrics.md", "preset") == presets
    flags = [[f"`{flag.key}`", flag.description] for flag in FLAGS]
    assert rows_of(ROOT / "docs" / "failures.md", "flag") == flags


def test_thresholds_are_documented():
    rows = rows_of(ROOT / "docs" / "failures.md", "option")
    defaults = {field.name: field.default for field in fields(Thresholds)}
    assert {row[0]: row[1] for row in rows} == {
        f"`--{name}-threshold`": str(value) for name, value in defaults.items()
    }
