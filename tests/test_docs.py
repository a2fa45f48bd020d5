"""The documentation says what the code does: its tables are held against it.

Longer tables are made by ``tests/doc_tables.py``, which also prints them anew.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from assets.make_failures import CASES
from assets.make_layers import PARTS, draw_layers, imports
from inspector.analysis.flags import FLAGS
from inspector.analysis.presets import PRESETS
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.metrics import METRICS
from inspector.core.problems import PROBLEM_CODES
from inspector.core.table import score_table
from inspector.findings.exchange import CSV_COLUMNS
from inspector.findings.reading import KEYS
from inspector.findings.records import VERDICTS
from inspector.formats import DATASET_FORMATS
from inspector.predictions import PREDICTION_FORMATS
from inspector.predictions.box_scale import BOX_SCALES
from tests.doc_tables import TABLES, commands

UNTRIED = "built from documentation"
ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PICTURES = ROOT / "assets" / "pictures"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def rows_of(page: Path, header: str) -> list[list[str]]:
    """Cells of the tables whose first header cell is given."""
    lines = text_of(page).splitlines()
    tables = [i for i, line in enumerate(lines) if line.startswith(f"| {header} |")]
    rows = []
    for start in tables:
        for line in lines[start + 2:]:
            if not line.startswith("|"):
                break
            cells = re.split(r"(?<!\\)\|", line.removeprefix("|").removesuffix("|"))
            rows.append([cell.strip() for cell in cells])
    return rows


@pytest.mark.parametrize(("page", "name"), [
    ("reference.md", "options"), ("reference.md", "keys"), ("reference.md", "filters"),
    ("reference.md", "orders"), ("get-the-data.md", "counts"), ("security.md", "addresses"),
])
def test_tables_that_the_code_makes(page, name):
    """``python -m tests.doc_tables NAME`` prints the table as it has to stand there."""
    head, make = TABLES[name]
    first = head.split("|")[1].strip()
    assert head in text_of(DOCS / page)
    assert rows_of(DOCS / page, first) == make()


def test_every_command_is_in_the_reference():
    text = text_of(DOCS / "reference.md")
    for name in commands():
        assert f"python -m inspector {name} " in text


def test_format_tables_equal_the_code():
    expected = [
        [f"`{fmt.key}`", fmt.label, fmt.description, "yes" if fmt.tried else UNTRIED]
        for fmt in DATASET_FORMATS
    ]
    expected += [[f"`{fmt.key}`", fmt.label, fmt.description] for fmt in PREDICTION_FORMATS]
    keys = {row[0] for row in expected}
    assert [row for row in rows_of(README, "key") if row[0] in keys] == expected


def test_every_format_has_a_section():
    text = text_of(DOCS / "formats.md")
    for fmt in DATASET_FORMATS:
        mark = "" if fmt.tried else ", *from documentation*"
        assert f"(`{fmt.key}`{mark})." in text
    for fmt in PREDICTION_FORMATS:
        assert f"(`{fmt.key}`)" in text


def test_options_that_only_some_formats_take_are_named_with_them():
    text = text_of(DOCS / "reference.md")
    assert re.search(r"`--refs` has a meaning for RefCOCOm and lmms-lab alone, `--instances` for "
                     r"REFER, gRefCOCO, Ref-ZOM and\s+R-RefCOCO, `--texts` for ReasonSeg", text)
    takes = {fmt.key: sorted(fmt.takes) for fmt in DATASET_FORMATS if fmt.takes}
    assert takes == {
        "refer": ["instances"], "grefcoco": ["instances"], "ref-zom": ["instances"],
        "r-refcoco": ["instances"], "refcocom": ["refs"], "lmms-lab": ["refs"],
        "reasonseg": ["texts"],
    }


def test_box_scales_equal_the_code():
    rows = rows_of(DOCS / "formats.md", "`--box-scale`")
    assert [row[0] for row in rows] == [f"`{scale.key}`" for scale in BOX_SCALES]


def test_failure_mode_tables_equal_the_code():
    expected = [[f"`{mode.key}`", mode.describe(Thresholds())] for mode in FAILURE_MODES]
    assert rows_of(README, "failure mode") == expected
    pictured = rows_of(DOCS / "failures.md", "mode")
    assert [row[:2] for row in pictured] == expected
    assert [row[2] for row in pictured] == [
        f"![{mode.label}](../assets/pictures/failures/{mode.key}.png) {CASES[mode.key].words}"
        for mode in FAILURE_MODES
    ]


def test_the_pictures_of_failure_modes_show_them(demo_workspace):
    runs = {scores.run.name: scores for scores in demo_workspace.scores}
    keys = [mode.key for mode in FAILURE_MODES]
    for key, case in CASES.items():
        place = demo_workspace.dataset.index_of[case.example_id]
        assert keys[runs[case.run].failure[place]] == key
    sizes = {path.stem: path.stat().st_size for path in (PICTURES / "failures").glob("*.png")}
    assert sizes.keys() == CASES.keys()
    assert sum(sizes.values()) < 1_000_000


def test_the_picture_of_the_layers_is_of_today_and_imports_point_one_way():
    order = list(PARTS)
    assert [edge for edge in imports() if order.index(edge[0]) <= order.index(edge[1])] == []
    drawn = text_of(PICTURES / "layers.svg")
    assert drawn == draw_layers(), "run: python assets/make_pictures.py layers"


def test_every_part_of_the_package_is_in_the_architecture():
    text = text_of(DOCS / "architecture.md")
    folders = {path.parent.name for path in (ROOT / "inspector").glob("*/__init__.py")}
    assert {name for name in folders if f"`{name}/`" not in text} == set()


def test_metric_table_names_every_metric():
    formulas = rows_of(DOCS / "metrics.md", "metric")
    for metric in METRICS:
        if metric.key not in ("P@0.6", "P@0.7", "P@0.8"):  # written as P@0.5 … P@0.9
            assert f"`{metric.key}`" in " ".join(row[0] for row in rows_of(README, "metric"))
            assert f"`{metric.key}`" in " ".join(row[0] + row[1] for row in formulas)
    for key, description, source in rows_of(README, "metric"):
        if "…" in key:
            continue
        metric = next(m for m in METRICS if f"`{m.key}`" == key)
        assert (description, source) == (metric.description, metric.source)


def test_problem_codes_are_documented():
    expected = [[f"`{code}`", text] for code, text in PROBLEM_CODES.items()]
    assert rows_of(DOCS / "reference.md", "code") == expected


def test_columns_are_documented(demo_workspace):
    listed = re.search(r"have the columns `([^`]+)`", text_of(DOCS / "reference.md"))
    assert listed
    names = re.split(r",\s+", listed[1])
    assert names == score_table(demo_workspace.scores[:1], demo_workspace.protocol).column_names


def test_the_options_of_the_report_are_on_its_page():
    def options(name: str) -> set[str]:
        return {o for action in commands()[name]._actions for o in action.option_strings}

    rows = rows_of(DOCS / "report.md", "option")
    listed = {re.match(r"`(--[\w-]+)", row[0])[1] for row in rows}
    own = options("report") - options("score") - options("truths")
    assert own - listed == {"--out"}  # it stands in the command above the table
    assert listed <= options("report")


def test_findings_are_documented():
    page = DOCS / "findings.md"
    rows = rows_of(page, "verdict")
    assert [(row[0], row[2]) for row in rows] == [
        (f"`{verdict.key}`", verdict.description) for verdict in VERDICTS
    ]
    named = re.findall(r"`(\w+)`", " ".join(row[0] for row in rows_of(page, "key")))
    assert sorted(named) == sorted(KEYS)
    listed = re.search(r"CSV has the columns `([^`]+)`", text_of(page))
    assert listed
    assert tuple(re.split(r",\s+", listed[1])) == CSV_COLUMNS


def test_preset_and_flag_tables_equal_the_code():
    presets = [[f"`{p.key}`", p.label, p.description, p.source] for p in PRESETS]
    assert rows_of(DOCS / "metrics.md", "preset") == presets
    flags = [[f"`{flag.key}`", flag.description] for flag in FLAGS]
    assert rows_of(DOCS / "failures.md", "flag") == flags


def test_thresholds_are_documented():
    rows = rows_of(DOCS / "failures.md", "option")
    defaults = {field.name: field.default for field in fields(Thresholds)}
    assert {row[0]: row[1] for row in rows} == {
        f"`--{name}-threshold`": str(value) for name, value in defaults.items()
    }


def routes() -> list[tuple[str, str]]:
    """Read method and address of every data route out of the server's source."""
    found = []
    for path in sorted((ROOT / "inspector" / "server").glob("*.py")):
        found += re.findall(r'@app\.(get|post|delete)\("(/data/[^"]+)"\)', text_of(path))
    return found


def test_every_data_route_is_documented():
    pages = ("reference.md", "findings.md", "live-model.md", "report.md", "python.md")
    text = "\n".join(text_of(DOCS / name) for name in pages)
    assert len(routes()) > 30
    for method, address in routes():
        start = re.sub(r"^/data/(\{version\}/)?", "", address)
        start = re.split(r"[/.]?\{", start)[0]
        assert re.search(rf"[`/ ]{re.escape(start)}\b", text), (method, address)
