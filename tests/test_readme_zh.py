"""The README in Chinese says what the English one says: same parts, commands, tables and links."""

from __future__ import annotations

import re
from pathlib import Path

from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.metrics import METRICS
from inspector.ui.texts import SAID
from tests.sayings import Sayings
from tests.test_docs import rows_of

ROOT = Path(__file__).resolve().parents[1]
ENGLISH, CHINESE = ROOT / "README.md", ROOT / "README.zh.md"


def lines_of(page: Path, *, code: bool) -> list[str]:
    """Lines inside of the blocks of code, or outside of them."""
    inside, found = False, []
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.strip().startswith("```"):
            inside = not inside
            found += ["```"] if code else []
        elif inside == code:
            found.append(line)
    return found


def both(take) -> tuple[list[str], list[str]]:
    return take(ENGLISH), take(CHINESE)


def test_the_headings_have_the_same_levels():
    one, other = both(lambda page: [
        line.partition(" ")[0] for line in lines_of(page, code=False) if line.startswith("#")
    ])
    assert one == other


def test_the_commands_are_the_same():
    """Only what stands behind a # is in another language."""
    one, other = both(lambda page: [
        re.sub(r"\s+#.*", "", line).strip() for line in lines_of(page, code=True)
    ])
    assert one == other


def test_the_tables_have_the_same_rows():
    def first_cells(page: Path) -> list[list[str]]:
        rows = [line for line in lines_of(page, code=False) if line.startswith("|")]
        return [re.findall(r"`[^`]+`", row.strip("|").split(" | ")[0]) for row in rows]

    one, other = both(first_cells)
    assert one == other


def test_the_links_and_pictures_are_the_same():
    def targets(page: Path) -> list[str]:
        found = re.findall(r"\]\(([^)\s]+)\)", "\n".join(lines_of(page, code=False)))
        return sorted(target for target in found if not target.startswith("README"))

    one, other = both(targets)
    assert one == other  # that they are there is tested for the English one


def test_each_leads_to_the_other_at_its_top():
    assert "[中文说明](README.zh.md)" in ENGLISH.read_text(encoding="utf-8")[:60]
    assert "[English](README.md)" in CHINESE.read_text(encoding="utf-8")[:60]


def test_modes_and_metrics_are_named_as_on_the_page():
    said = Sayings(SAID["zh"])
    assert rows_of(CHINESE, "失败类型") == [
        [f"`{mode.key}`", said.translate(mode.describe(Thresholds()))] for mode in FAILURE_MODES
    ]
    descriptions = {row[0]: row[1] for row in rows_of(CHINESE, "指标")}
    for metric in METRICS:
        if not metric.key.startswith("P@"):
            assert descriptions[f"`{metric.key}`"] == said.translate(metric.description)
