"""Filters and orders over a table on disk, and over the rows of all runs."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from inspector.browse import ALL_RUNS, FILTERS, SORTS, Browser, Selection, deep, make_browser
from inspector.browse import across as across_module
from inspector.browse.selection import read_selection
from inspector.browse.table_browser import TableBrowser
from inspector.core.errors import UsageError
from inspector.core.failures import FAILURE_MODES, TEACHING_RANKS
from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.core.scores import with_shapes
from inspector.server.rules import read_rules, under_rules
from inspector.workspace import Workspace
from tests.building import make_workspace, modes_of, random_scores
from tests.stored.tables import stored
from tests.test_browse import MOST_TELLING_FIRST

IS_LONG = pytest.mark.skipif(not os.environ.get("INSPECTOR_LONG"), reason="make test-long")

FILTERED = (
    {}, {"iou": "0..0.5"}, {"iou": "0.3..", "failure": "correct,loose,missing"},
    {"category": "cup"}, {"sentence": "1"}, {"sentence": "[23]", "match": "r"},
    {"area": "3..40", "words": "1..2", "same": "1.."}, {"split": "val", "supercategory": "cup"},
    {"other_iou": "run1:0.2..0.9"}, {"slice": "same_category=1"},
    {"category": "dog", "iou": "..0.6", "sentence": "4", "match": "n"},
)
PLAIN = tuple(sort for sort in SORTS if not sort.needs_second)
OF_ROWS = tuple(sort for sort in PLAIN if not sort.needs_spread and sort.key != "found")


@pytest.fixture(scope="module")
def counted() -> Workspace:
    scores = random_scores(4, pictures=30, runs=3)
    return make_workspace(*(with_shapes(one) for one in scores))


@pytest.fixture(scope="module")
def table(counted: Workspace) -> Workspace:
    return stored(counted)


@pytest.fixture(scope="module")
def held(counted: Workspace) -> Browser:
    return make_browser(counted)


@pytest.fixture(scope="module")
def on_disk(table: Workspace) -> Browser:
    browser = make_browser(table)
    assert isinstance(browser, TableBrowser)
    return browser


@pytest.mark.parametrize("sort", [s.key for s in PLAIN if s.key != "agreement"])
def test_every_order_of_a_run_is_that_of_scores_in_memory(sort, held, on_disk):
    for run in ("run0", "run2"):
        for filters in ({}, *FILTERED[1:3]):
            chosen = Selection(run, sort, filters, reverse=bool(filters))
            assert on_disk.order(chosen).tolist() == held.order(chosen).tolist()


@pytest.mark.parametrize("filters", FILTERED, ids=str)
def test_filters_counts_and_points_of_a_run_are_those_of_scores_in_memory(
    filters, held, on_disk
):
    chosen = Selection("run1", "worst", filters)
    assert on_disk.order(chosen).tolist() == held.order(chosen).tolist()
    assert on_disk.counts(chosen) == held.counts(chosen)
    assert on_disk.scatter(chosen) == held.scatter(chosen)


def test_flags_are_those_that_the_table_says(counted):
    from inspector.analysis.flags import find_flags

    workspace = stored(counted)
    flags = find_flags(counted.scores)[0]
    scores = replace(workspace.scores[0], known_flags=sum(
        (flagged.astype(np.uint8) << bit for bit, flagged in enumerate(flags.values())),
        np.zeros(len(counted.dataset), np.uint8),
    ))
    browser = make_browser(replace(workspace, scores=(scores, *workspace.scores[1:])))
    for key, flagged in flags.items():
        found = browser.order(Selection("run0", "id", {"flag": key}))
        assert found.tolist() == np.flatnonzero(flagged).tolist(), key


def test_a_table_without_flags_says_so(on_disk):
    with pytest.raises(UsageError, match="has no column 'flags'"):
        on_disk.order(Selection("run0", "id", {"flag": "mirror"}))


@pytest.mark.parametrize("rules", [{"missing": "skip"}, {"empty_union": "zero"},
                                   {"empty_union": "skip", "average": "referent"}], ids=str)
def test_rules_are_switched_without_scoring(rules, counted, table):
    there, here = (under_rules(w, read_rules(rules, w)) for w in (table, counted))
    assert there.metrics == here.metrics
    for filters in FILTERED[:3]:
        chosen = Selection("run0", "worst", filters)
        browsers = make_browser(there), make_browser(here)
        assert browsers[0].order(chosen).tolist() == browsers[1].order(chosen).tolist()
        assert browsers[0].counts(chosen) == browsers[1].counts(chosen)


def test_another_threshold_needs_the_masks(table):
    with pytest.raises(UsageError, match="scored elsewhere, with the IoU threshold 0.5"):
        under_rules(table, read_rules({"threshold": "0.7"}, table))


def whole_order(workspace: Workspace, *, best: bool) -> list[int]:
    """Order the rows of all runs by hand, worst or best first."""
    n = len(workspace.dataset)
    rows = []
    for run, (scores, scored) in enumerate(zip(workspace.scores, workspace.scored, strict=True)):
        modes = modes_of(scores)
        for place in range(n):
            iou = scored.shown_iou[place]
            lost = [1, 0, 2, 3][scores.status[place]]
            area = int(scores.target_area[place])
            rank = MOST_TELLING_FIRST.index(mode) if (mode := modes[place]) else 99
            value = (np.isnan(iou), 0 if np.isnan(iou) else -iou if best else iou)
            key = (lost, *value, *([] if best else [rank]), -area, place, run)
            rows.append((key, run * n + place))
    return [row for _, row in sorted(rows)]


@pytest.mark.parametrize("key", ["worst", "best"])
def test_rows_of_all_runs_in_one_order(key, counted, held, on_disk):
    expected = whole_order(counted, best=key == "best")
    for browser in (held, on_disk):
        assert browser.order(Selection(ALL_RUNS, key)).tolist() == expected


@pytest.mark.parametrize("sort", [
    pytest.param(sort.key, marks=() if sort.key in ("worst", "best") else IS_LONG)
    for sort in OF_ROWS
])
def test_windows_are_pieces_of_the_order(sort, on_disk, monkeypatch):
    monkeypatch.setattr(deep, "SHALLOW", 7)
    monkeypatch.setattr(deep, "_SMALL", 5)
    n = 150
    for filters, reverse in (({}, False), ({"iou": "0..0.6", "sentence": "1"}, True)):
        chosen = Selection(ALL_RUNS, sort, filters, reverse=reverse)
        whole = on_disk.order(chosen).tolist()
        for offset in (0, 6, len(whole) // 3, len(whole) - 15, len(whole)):
            window = on_disk.window(chosen, offset, 20)
            assert window.total == len(whole)
            assert [run * n + place for run, place in window.rows] == whole[offset:offset + 20]


@pytest.mark.parametrize("filters", FILTERED, ids=str)
def test_rows_of_all_runs_are_counted_as_the_runs_are(filters, on_disk):
    of_all = on_disk.counts(Selection(ALL_RUNS, "worst", filters))
    of_each = [on_disk.counts(Selection(f"run{run}", "worst", filters)) for run in range(3)]
    assert of_all["total"] == sum(counts["total"] for counts in of_each)
    for key, facet in of_all["facets"].items():
        each = [counts["facets"][key] for counts in of_each]
        if isinstance(facet, dict):
            assert facet["bins"] == np.sum([other["bins"] for other in each], axis=0).tolist()
        else:
            added: dict[str, int] = {}
            for value, number in (pair for other in each for pair in other):
                added[value] = added.get(value, 0) + number
            assert dict(facet) == added


@pytest.mark.parametrize("filters", FILTERED, ids=str)
def test_a_filter_of_all_runs_leaves_the_rows_that_it_leaves_of_each(filters, table, on_disk):
    chosen = read_selection({"run": ALL_RUNS, **filters}, table, across=True)
    each = [on_disk.order(Selection(f"run{run}", "id", filters)) + run * 150 for run in range(3)]
    assert sorted(on_disk.order(chosen)) == sorted(np.concatenate(each))


def test_filters_of_one_run_are_refused_on_all_runs(table):
    for entry in FILTERS:
        if not entry.needs_run or entry.kind in ("choices", "range") or entry.key == "other_iou":
            continue
        with pytest.raises(UsageError, match=f"'{entry.label}' is of one run. Choose a run"):
            read_selection({"run": ALL_RUNS, entry.key: "wins:run1"}, table, across=True)


def test_all_runs_are_chosen_only_where_they_can_be(table):
    with pytest.raises(UsageError, match="No run '\\*'"):
        read_selection({"run": ALL_RUNS}, table)
    with pytest.raises(UsageError, match="The order 'Masks of the target agree least' is of one"):
        read_selection({"run": ALL_RUNS, "sort": "agreement"}, table, across=True)


def test_an_order_that_is_too_long_is_asked_for_in_windows(on_disk, monkeypatch):
    monkeypatch.setattr(across_module, "MOST_WHOLE", 10)
    with pytest.raises(UsageError, match="450 rows of all runs are too many for one list"):
        on_disk.order(Selection(ALL_RUNS))


def test_points_of_all_runs_are_those_of_each(counted, held, on_disk):
    each = [[place, int(scores.target_area[place]), scored.shown_iou[place]]
            for scores, scored in zip(counted.scores, counted.scored, strict=True)
            for place in np.flatnonzero(scores.status == Status.SCORED)
            if not np.isnan(scored.shown_iou[place])]
    for browser in (held, on_disk):
        found = browser.scatter(Selection(ALL_RUNS))
        assert sorted(found["points"]) == sorted(each)
        assert found["total"] == len(each) == 294  # of 450: those that have an IoU


def test_the_modes_have_ranks_of_their_own():
    assert len(set(TEACHING_RANKS.tolist())) == len(FAILURE_MODES) + 1


def test_a_workspace_without_table_has_the_plain_browser(counted):
    assert type(make_browser(counted)) is Browser
    assert type(make_browser(Workspace(counted.dataset, (), Protocol()))) is Browser
