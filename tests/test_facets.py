"""Live counts: what each value of each filter would leave, the others being in force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inspector.browse import FILTERS, Browser, Selection, make_browser
from inspector.core.errors import UsageError
from inspector.core.mask import Mask
from inspector.truths.results import pair_truths
from tests.building import (
    Picture,
    Said,
    Thing,
    make_dataset,
    make_workspace,
    random_scores,
    score,
)
from tests.stored.tables import stored


@pytest.fixture(scope="module")
def browser() -> Browser:
    return Browser(make_workspace(*random_scores(7, pictures=40)))


FORCED = [
    pytest.param({}, id="no filter"),
    pytest.param({"category": "cup"}, id="category"),
    pytest.param({"iou": "0.2..0.9"}, id="IoU"),
    pytest.param({"failure": "correct,loose", "area": "2.."}, id="two"),
]


@pytest.mark.parametrize("filters", FORCED)
def test_counts_are_what_the_choice_leaves(browser, filters):
    counts = browser.counts(Selection("run0", "worst", filters))
    assert counts["total"] == len(browser.order(Selection("run0", "worst", filters)))
    for entry in FILTERS:
        if entry.kind not in ("choice", "choices"):
            continue
        for value, number in counts["facets"][entry.key]:
            chosen = Selection("run0", "worst", {**filters, entry.key: value})
            assert number == len(browser.order(chosen)), (entry.key, value)


@pytest.mark.parametrize("filters", FORCED)
def test_histograms_hold_every_example_once(browser, filters):
    facets = browser.counts(Selection("run0", "worst", filters))["facets"]
    for entry in FILTERS:
        if entry.kind != "range" or entry.needs_second:
            continue
        bins, edges = facets[entry.key]["bins"], facets[entry.key]["edges"]
        assert len(edges) == len(bins) + 1
        assert edges == sorted(edges)
        others = {key: value for key, value in filters.items() if key != entry.key}
        everything = {**others, entry.key: f"{edges[0]}..{edges[-1]}"}
        assert sum(bins) == len(browser.order(Selection("run0", "worst", everything)))
        middle = len(bins) // 2
        below = {**others, entry.key: f"..{edges[middle] - 1e-9}"}
        assert sum(bins[:middle]) == len(browser.order(Selection("run0", "worst", below)))


def first(pixels: int) -> Mask:
    """Mark the first of two rows of ten pixels, away from the edges of the picture."""
    return Mask.from_array(np.pad(np.arange(20).reshape(2, 10) < pixels, 2))


@pytest.fixture(scope="module", params=["scores", "table", "all runs"])
def even(request) -> tuple[Browser, str]:
    """IoU of 0/20, 1/20 … 20/20: each just on the edge of a bar; and so do the two truths differ.

    The sentences have 1 to 21 words, of which the twenty-first shares its bar with the twentieth.
    """
    pictures = [
        [Picture(f"{n}", (6, 14), [Thing(f"a{n}", "cup", mask)],
                 [Said(f"{n}", " ".join(["cup"] * (n + 1)), [f"a{n}"])])
         for n, mask in enumerate(masks)]
        for masks in ([first(20)] * 21, [first(max(n, 1)) for n in range(21)])
    ]
    dataset, second = (make_dataset(*made) for made in pictures)
    scores = [score(dataset, {f"{n}": first(n) for n in range(21)}, name=name)
              for name in ("model", "twin")]
    workspace = make_workspace(*scores)
    workspace = replace(workspace, second=pair_truths(dataset, second))
    if request.param == "table":
        workspace = stored(workspace)
    return make_browser(workspace), "*" if request.param == "all runs" else "model"


RANGES = [entry for entry in FILTERS if entry.kind == "range"]


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.key) for entry in RANGES])
def test_a_bar_counts_what_a_click_on_it_leaves(even, entry):
    browser, run = even
    everything = Selection(run, "worst", {})
    facet = browser.counts(everything)["facets"][entry.key]
    edges, ends, bins = (facet[name] for name in ("edges", "ends", "bins"))
    assert edges == sorted(set(edges))
    assert sum(bins) == len(browser.order(everything))
    for at in range(len(bins)):
        for first_bar in {0, at}:  # one bar, and all up to it
            chosen = Selection(run, "worst", {entry.key: f"{edges[first_bar]}..{ends[at]}"})
            assert sum(bins[first_bar:at + 1]) == len(browser.order(chosen)), chosen.describe()


def test_whole_numbers_are_chosen_by_their_last_and_fractions_below_the_next(even):
    browser, run = even
    facets = browser.counts(Selection(run, "worst", {}))["facets"]
    assert facets["words"]["ends"] == [f"{n}" for n in range(1, 20)] + ["21"]
    assert facets["iou"]["ends"][:2] == ["<0.05", "<0.1"]
    assert facets["iou"]["ends"][-1] == "1.0"
    assert facets["area"]["ends"][-1] == "20"


@pytest.mark.parametrize(("value", "match", "expected"), [
    pytest.param("left", "", {"left man", "Left of it", "leftmost cup"}, id="part"),
    pytest.param("left", "w", {"left man", "Left of it"}, id="word"),
    pytest.param("left", "c", {"left man", "leftmost cup"}, id="case"),
    pytest.param("left", "wc", {"left man"}, id="word and case"),
    pytest.param("left", "n", {"a+b (c)", "naïve café"}, id="not"),
    pytest.param("left", "wn", {"leftmost cup", "a+b (c)", "naïve café"}, id="not the word"),
    pytest.param("^l.*n$", "r", {"left man"}, id="pattern"),
    pytest.param("^L", "rc", {"Left of it"}, id="pattern and case"),
    pytest.param("a+b (c)", "w", {"a+b (c)"}, id="signs are no pattern"),
    pytest.param("CAFÉ", "", {"naïve café"}, id="letters with marks"),
    pytest.param("café", "w", {"naïve café"}, id="word with marks"),
])
def test_ways_to_compare_sentences(value, match, expected):
    from tests.drawing import draw

    sentences = ["left man", "Left of it", "leftmost cup", "a+b (c)", "naïve café"]
    dataset = make_dataset(Picture("1", (1, 4), [Thing("a", "cup", draw("##.."))], [
        Said(str(n), text, ("a",)) for n, text in enumerate(sentences)
    ]))
    from inspector.core.protocol import Protocol
    from inspector.workspace import Workspace

    filters = {"sentence": value, **({"match": match} if match else {})}
    order = Browser(Workspace(dataset, (), Protocol())).order(Selection("", "id", filters))
    assert {sentences[place] for place in order} == expected


def test_what_is_no_regular_expression_is_said(browser):
    selection = Selection("run0", "worst", {"sentence": "(left", "match": "r"})
    with pytest.raises(UsageError, match="“.left” is not a regular expression"):
        browser.order(selection)


def test_a_near_word_is_suggested(demo_workspace):
    browser = Browser(demo_workspace)

    def suggested(words: str, match: str = "") -> str:
        return browser.suggest(Selection("words", "worst", {"sentence": words, "match": match}))

    assert suggested("lefft") == "left"
    assert suggested("rigth coin") == "right coin"
    assert suggested("left") == ""
    assert suggested("zzzzqqq") == ""
    assert suggested("lefft", "r") == ""


def test_scatter_holds_the_selected_scored_examples(demo_workspace):
    browser = Browser(demo_workspace)
    selection = Selection("words", "worst", {"category": "candy"})
    answer = browser.scatter(selection)
    places = set(browser.order(selection).tolist())
    assert answer["total"] == len(answer["points"])
    for place, area, iou in answer["points"]:
        assert place in places
        assert area == demo_workspace.dataset.target_areas[place]
        assert iou == demo_workspace.scored[0].iou[place]
