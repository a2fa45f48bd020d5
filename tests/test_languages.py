"""Nothing that the page can show lacks its words in any language."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

from inspector.analysis.attributes import ATTRIBUTES
from inspector.analysis.coding import CATEGORY
from inspector.analysis.flags import FLAGS
from inspector.analysis.presets import PRESETS
from inspector.analysis.protocols import PHRASES
from inspector.browse import FILTERS, SORTS
from inspector.browse.filters import NOTED, OUTCOMES
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.metrics import METRICS
from inspector.core.problems import PROBLEM_CODES
from inspector.core.protocol import Protocol
from inspector.core.run import Coverage
from inspector.findings import VERDICTS, open_store
from inspector.findings.comparison import OUTCOMES as OF_VERDICTS
from inspector.findings.results import METHOD
from inspector.formats.request import LoadRequest
from inspector.leaderboards import load_boards
from inspector.server.app import create_app
from inspector.server.panels import PANELS
from inspector.server.second import with_second_as_run
from inspector.summary import describe_coverage, describe_protocol
from inspector.truths.matching import WAYS
from inspector.ui.texts import SAID, TEXTS
from inspector.workspace import open_workspace
from tests.sayings import PLACE, Sayings
from tests.test_sayings import sample

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = sorted(SAID)


@pytest.fixture(scope="module", params=LANGUAGES)
def said(request) -> Sayings:
    return Sayings(SAID[request.param])


def unsaid(said: Sayings, words: object) -> list[str]:
    """What a language has no words for."""
    return sorted({one for one in words if one and said.translate(one) is None})


# ---- the table of texts ----

def test_every_language_has_the_same_texts():
    for language, texts in TEXTS.items():
        assert texts.keys() ^ TEXTS["en"].keys() == set(), language
        assert not [key for key, words in texts.items() if not words.strip()]


def test_texts_have_the_same_places_in_every_language():
    for language, texts in TEXTS.items():
        assert [
            key for key, words in texts.items()
            if sorted(re.findall(r"\{(\w+)\}", words))
            != sorted(re.findall(r"\{(\w+)\}", TEXTS["en"][key]))
        ] == [], language


def test_sayings_have_the_same_places_in_every_language():
    for table in SAID.values():
        for source, to in table.items():
            names = [name.lstrip("#*") for name in PLACE.findall(source)]
            assert len(set(names)) == len(names), source
            assert sorted(re.findall(r"\{(\w+)\}", to)) == sorted(names), source


def test_no_saying_stands_twice_with_different_words():
    """Merging tables would keep one of the two in silence."""
    folder = ROOT / "inspector" / "ui" / "texts"
    seen: dict[str, str] = {}
    for name in ("said", "panels", "analysis", "problems", "faults", "model"):
        path = folder / f"chinese_{name}.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                        assert seen.setdefault(key.value, value.value) == value.value, key.value


def test_of_two_patterns_that_fit_one_says_more(said):
    """Otherwise their place in the table would decide which words are shown."""
    for source in SAID["zh"]:
        words = sample(source)
        fitting = [pattern for pattern, _ in said.fits(words)]
        if fitting:
            most = max(pattern.length for pattern in fitting)
            best = [pattern.source for pattern in fitting if pattern.length == most]
            assert len(best) == 1, f"{words}: {best}"


# ---- tables of the server ----

def test_modes_metrics_flags_and_verdicts(said):
    tables = chain(METRICS, FLAGS, VERDICTS, OF_VERDICTS)
    words = list(chain.from_iterable((one.label, one.description) for one in tables))
    other = Thresholds(share=0.65, covered=0.4, background=0.05)
    for mode in FAILURE_MODES:
        words += [mode.label, mode.describe(Thresholds()), mode.describe(other)]
    assert unsaid(said, words) == []


def test_problems(said):
    assert unsaid(said, PROBLEM_CODES) == [], "the kind of a problem is said by its code"


def test_rules(said):
    rules = [
        describe_protocol(Protocol(*chosen))
        for chosen in product(("sentence", "referent"), ("one", "zero", "skip"), ("zero", "skip"),
                              ("never", "nearest"))
    ]
    assert unsaid(said, rules) == []


def test_coverage(said, demo_workspace):
    ways = (
        "1,000 by sent_id", "3 by ref_id + sentence, in order", "2 by id as sent_id",
        "2 by image_id + sentence by letters, one for repeats", "9 by the ground truth in the file",
        "1 by ann_id, one for all its sentences", "1 by sample_id + number of the sentence",
        "64 by row order", "boxes read as 0-1000", "9 rows of a table that was scored elsewhere",
    )
    coverage = Coverage(1_100, 1_000, 98, 2, 7, 3)
    run = replace(demo_workspace.scores[0].run, alignment=ways, frames_hw=((480, 480, 12),),
                  counts_frame_hw=(320, 320))
    shown = SimpleNamespace(run=run, coverage=coverage)
    assert unsaid(said, [describe_coverage(shown)]) == []


def test_filters(said):
    values = {
        "failure": ["part", "wrong_referent,spill,several_objects"],
        "iou": ["0.2..0.5", "..0.5", "0.5..", "..", "0.5..0.5"],
        "sentence": ["red hat", "a AND b"], "verdict": [verdict.key for verdict in VERDICTS],
        "noted": list(NOTED), "flag": [flag.key for flag in FLAGS], "other_iou": ["box:0..0.5"],
        "outcome": [f"{key}:box" for key in OUTCOMES],
        "second": ["matched", "removed", "better:words"],
        "slice": [f"{a.key}={value}" for a in ATTRIBUTES for value in a.values if value != "no"]
        + ["category=person", "colour=yes;category=dog"],
    }
    phrases = [
        entry.phrase({entry.key: value, "run": "words", "match": match})
        for entry in FILTERS
        for value in values.get(entry.key, ["1..2" if entry.kind == "range" else "tie"])
        for match in (["", "w", "r", "wr", "n", "nw", "nr", "nwr", "c", "wrcn"]
                      if entry.key == "sentence" else [""])
    ]
    assert len(phrases) > 80
    assert unsaid(said, phrases) == []
    assert said.translate("category is missing").endswith("missing"), "a name stays as it is"


def test_labels_of_filters_and_orders_as_errors_name_them(said):
    asked = [e.label for e in FILTERS if e.needs_run] + [
        s.label for s in SORTS if s.needs_spread or s.key == "found"
    ]
    assert unsaid(said, asked) == []


def test_slices(said):
    words = ["Category: person"]
    for attribute in ATTRIBUTES:
        yes_or_no = attribute.values == ("yes", "no")
        words += [attribute.label] if yes_or_no else [
            f"{attribute.label}: {value}" for value in attribute.values
        ]
    assert CATEGORY == "category"
    assert unsaid(said, [*words, "Colour · Category: person"]) == []


def test_protocols_and_evaluators(said):
    words = [*PHRASES.values(), *(preset.description for preset in PRESETS), *WAYS.values(), METHOD]
    words += [f"as {preset.label} computes it" for preset in PRESETS]
    assert unsaid(said, words) == []


def test_leaderboards(said):
    boards = load_boards()
    notes = [note for board in boards for note in board.notes]
    notes += [result.note for board in boards for result in board.results]
    assert unsaid(said, notes) == []


# ---- analyses ----

@pytest.fixture(scope="module")
def two_truths():
    demo = ROOT / "assets" / "demo"
    return open_workspace(LoadRequest("demo"), [], second=LoadRequest(
        str(demo / "truth-tight.jsonl"), images=demo))


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.key)
def test_analyses_of_the_demo(said, two_truths, panel):
    workspace = with_second_as_run(two_truths) if panel.with_second else two_truths
    queries = [{"run": "words", "against": "box"}]
    if panel.key == "numbers":
        queries += [{"run": "words", "published": number} for number in ("12.0", "35.1", "38.2")]
    words = [
        one for query in queries
        for one in words_of(panel.make(workspace, query, lambda done, total: None))
    ]
    assert words
    assert unsaid(said, words) == []


def words_of(blocks) -> Iterator[str]:
    """Everything in blocks that the page looks up in its table."""
    for block in blocks:
        yield block["title"]
        if block["kind"] == "words":
            yield block["text"]
            continue
        yield block["note"]
        for column in block["columns"]:
            yield from (column["label"], column["hint"])
            if column["kind"] == "text":
                yield from (str(row[column["key"]]) for row in block["rows"])


def test_what_was_found_in_the_demo(said, demo_workspace, tmp_path):
    with closing(open_store(tmp_path / "findings.sqlite")) as store:
        client = TestClient(create_app(demo_workspace, page={}, findings=store))
        data = f"/data/{demo_workspace.version}"
        panel = {"run": "words"}
        words = list(words_of(client.get(f"{data}/findings/panel", params=panel).json()["result"]))
        queue = client.post(f"{data}/queues", json={"run": "words", "size": 10, "seed": 1}).json()
        words += words_of(client.get(f"{data}/findings/panel", params=panel).json()["result"])
        places = client.get(f"{data}/queues/{queue['id']}").json()["places"]
        changes = [(places[1], "verdict", "label_wrong"), (places[2], "verdict", "ambiguous"),
                   (places[2], "tag", "dark"), (places[2], "note", "which one?")]
        for place, field, value in changes:
            answer = client.post(f"{data}/findings", json={
                "place": place, "run": "words", "field": field, "value": value, "client": "tab",
            })
            assert answer.status_code == 200, answer.text
        words += words_of(client.get(f"{data}/findings/panel", params=panel).json()["result"])
        for way in ("undo", "redo"):
            for _ in range(len(changes) + 1):
                words.append(client.post(f"{data}/findings/{way}", json={"client": "tab"})
                             .json()["said"])
    assert len(words) > 100
    assert unsaid(said, words) == []


# ---- errors ----

FOR_PROGRAMS = (
    "server/bodies.py", "server/json_bodies.py", "server/fields.py", "server/pointer.py",
)
"""Answers to programs that write to the data routes by hand; the page never causes them."""

AT_THE_START = (
    "server/access.py", "server/passwords.py", "live/spec.py", "findings/places.py",
    "report/choosing.py", "report/options.py", "report/found.py", "report/provenance.py",
    "analysis/coding.py", "analysis/measures.py", "analysis/presets.py",
)
"""Errors of the command line, which stay in English: scripts and reports of bugs quote them."""

INSIDE = ("live/frames.py",)
"""Caught, and told in other words."""

QUOTING = ("findings/reading.py",)
"""Lines of a file that is imported: they name its fields as they stand there."""

LEFT = {
    "'place' must be a whole number from 0 to ", "No field '", "'client' must name the tab",
    "A request that reads may not send anything", "A question has no '",
    "A question must have 'place' or", "' must be text.", "'selection' must be an object",
    "'examples' must be a list", "A report has no '", "A view must have 'query'",
    "A seed is a whole number", "is no UTF-8 text",
    "The environment variable ", "' is no address", "An address with a name or password",
    "' is not encrypted, and pictures",
}
"""Of other modules, the same: only a program, or the command line, can cause them."""

PARTS = ("server", "server/panels", "browse", "findings", "live", "exporting", "report", "figures",
         "analysis")


def errors_of(path: Path) -> Iterator[str]:
    """Sentences of the errors that a module raises or answers, with 12 in every place."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    module = importlib.import_module(name)

    def filled(node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.JoinedStr):
            return "".join(
                part.value if isinstance(part, ast.Constant) else place(part.value)
                for part in node.values
            )
        if isinstance(node, ast.BinOp):
            return filled(node.left) + filled(node.right)
        return filled(node.body) if isinstance(node, ast.IfExp) else ""

    def place(node: ast.expr) -> str:
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if re.search("nearest|hint|choices", called):
            return ""  # a sentence of its own, or nothing
        if ast.unparse(node).startswith("_kind("):
            return "a 12"
        value = getattr(module, node.id, None) if isinstance(node, ast.Name) else None
        return value if isinstance(value, str) else "12"

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and re.search(
            r"(Error|HTTPException|_refuse)$", ast.unparse(node.func)
        ):
            yield from (words for words in map(filled, node.args) if " " in words.strip())
        elif isinstance(node, ast.Dict):
            yield from (
                filled(value) for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value == "error" and " " in filled(value)
            )


@pytest.mark.parametrize("part", PARTS)
def test_errors_of_the_routes(said, part):
    skipped = (*FOR_PROGRAMS, *AT_THE_START, *INSIDE, *QUOTING)
    found = [
        words
        for path in sorted((ROOT / "inspector" / part).glob("*.py"))
        if str(path.relative_to(ROOT / "inspector")) not in skipped
        for words in errors_of(path)
    ]
    missing = unsaid(said, (words.replace("be 12: 12 ", "be read: 12. ") for words in found))
    assert [words for words in missing if not any(left in words for left in LEFT)] == []
