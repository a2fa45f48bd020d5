"""How the server's words are found in a table of another language, in the page and in tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import combinations

import pytest

from inspector.ui.texts import SAID
from tests.sayings import PLACE, Sayings
from tests.test_texts import VIEWER

TABLE = {
    "\n": "\n", ". ": "", ".": "。", "; ": "；", " AND ": " 且 ", ", ": "，", " · ": " · ",
    "colour": "颜色", "missing": "缺失", "{#count} missing": "缺失 {count} 个",
    "No run '{name}'.": "没有运行“{name}”。", "Choose one of: {names}.": "可选：{names}。",
    "Rules: {*rules}.": "规则：{rules}。", "{name} is better": "{name} 更好",
    "{name} is better than {other}": "{name} 优于 {other}",
}


@pytest.mark.parametrize(("words", "expected"), [
    pytest.param("colour", "颜色", id="as it stands"),
    pytest.param("colour.", "颜色。", id="with its full stop"),
    pytest.param("0.5 – 12 %", "0.5 – 12 %", id="no letters: the same"),
    pytest.param("1,234 missing", "缺失 1,234 个", id="a number"),
    pytest.param("many missing", None, id="no number"),
    pytest.param("No run 'missing'.", "没有运行“missing”。", id="names are never translated"),
    pytest.param("No run 'a. b'. Choose one of: c.", "没有运行“a. b”。可选：c。",
                 id="a stop in a name"),
    pytest.param("colour, 3 missing", "颜色，缺失 3 个", id="a list"),
    pytest.param("colour, 3 lost", None, id="all of a list or nothing"),
    pytest.param("Rules: colour; missing.", "规则：颜色；缺失。", id="said in turn"),
    pytest.param("Rules: colour; shape.", None, id="what cannot be said in turn does not fit"),
    pytest.param("A is better than B", "A 优于 B", id="the pattern that says most"),
    pytest.param("tie", None, id="unknown"),
])
def test_a_saying(words, expected):
    assert Sayings(TABLE).translate(words) == expected


def test_the_page_matches_as_these_tests_do(tmp_path):
    """Every entry with something in its places, and the cases above, through both."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not there to run the page's script (the browser test runs it too)")
    words = [sample(key) for key in SAID["zh"]]
    words += ["No run 'a. b'. Choose one of: c.", "No such words"]
    pairs = [f"{a}{joint}{b}" for a, b in combinations(words[::40], 2) for joint in ("; ", ". ")]
    # a copy whose name says that it is a module, which the page's server says by its type
    (tmp_path / "said.mjs").write_bytes((VIEWER / "said.js").read_bytes())
    script = (
        "import { Sayings } from './said.mjs'; import fs from 'fs';"
        "const { table, words } = JSON.parse(fs.readFileSync(0, 'utf8'));"
        "const sayings = new Sayings(table);"
        "console.log(JSON.stringify(words.map((one) => sayings.translate(one))));"
    )
    (tmp_path / "ask.mjs").write_text(script, encoding="utf-8")
    answer = subprocess.run(
        [node, "ask.mjs"], cwd=tmp_path, capture_output=True, check=True, timeout=60,
        encoding="utf-8", input=json.dumps({"table": SAID["zh"], "words": words + pairs}),
    )
    ours = Sayings(SAID["zh"])
    assert json.loads(answer.stdout) == [ours.translate(one) for one in words + pairs]


def sample(source: str) -> str:
    """Fill the places of a pattern: numbers, names, and what can be said in turn."""
    return PLACE.sub(
        lambda place: {"#": "12", "*": "colour"}.get(place[1][0], f"<{place[1]}>"), source
    )
