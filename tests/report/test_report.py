"""The page as a whole: what stands in it, that it needs nothing else, and that it is the same."""

from __future__ import annotations

import re

import pytest

from inspector.core.errors import InspectorError, UsageError
from inspector.core.protocol import Protocol
from inspector.report import Chosen, Remark, ReportOptions, Review, build_report
from tests.building import make_workspace, score_strips
from tests.report.making import MADE, MARKUP, Page, make_page, toy_workspace


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    return toy_workspace(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def demo_page(demo_workspace):
    return make_page(demo_workspace, 0, 5, 9)


def test_same_input_same_bytes(demo_workspace):
    options = ReportOptions(made=MADE)
    first, second = (
        build_report(demo_workspace, Chosen((0, 5), "x."), options).content for _ in range(2)
    )
    assert first == second


def test_the_date_is_what_the_environment_says(demo_workspace, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1714566600")
    page = make_page(demo_workspace, made=None)
    assert "2024-05-01 12:30 UTC" in page.text
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH is 'yesterday'"):
        make_page(demo_workspace, made=None)


def test_sections_and_contents_agree(demo_page):
    sections = [found["id"] for found in demo_page.all("section")]
    assert sections == ["numbers", "comparison", "failures", "histogram", "slices", "coverage",
                        "examples", "provenance"]
    links = [found["href"] for found in demo_page.all("a")]
    assert links == ["#content", *(f"#{name}" for name in sections)]
    assert len(demo_page.all("h1")) == 1
    assert len(demo_page.all("main")) == len(demo_page.all("nav")) == 1


def test_nothing_points_outside(demo_page):
    for tag, attributes in demo_page.elements:
        for name in ("href", "src", "action", "formaction", "xlink:href", "srcset", "data"):
            value = attributes.get(name) or "#"
            assert value.startswith(("#", "data:image/", "data:,")), (tag, name, value[:80])
        assert not any(name.startswith("on") for name in attributes)
    policy = demo_page.all("meta", http_equiv="") or [
        found for found in demo_page.all("meta") if found.get("http-equiv")
    ]
    assert re.fullmatch(
        r"default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        r"script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'",
        policy[0]["content"],
    )
    assert len(demo_page.all("script")) == 1


def test_every_table_has_headers_and_every_drawing_a_label(demo_page):
    assert all(found.get("scope") for found in demo_page.all("th"))
    drawings = demo_page.all("svg")
    assert len(drawings) > 10
    assert all(found.get("aria-hidden") == "true" or found.get("aria-label")
               for found in drawings)
    ids = [attributes["id"] for _, attributes in demo_page.elements if attributes.get("id")]
    assert len(ids) == len(set(ids))
    named = {attributes.get("aria-labelledby") for _, attributes in demo_page.elements} - {None}
    assert named <= set(ids)


def test_headline_numbers_are_those_of_score(demo_page, demo_workspace):
    for metrics in demo_workspace.metrics:
        for key in ("mIoU", "oIoU", "P@0.5", "P@0.9"):
            assert f"{100 * metrics[key]:.2f} %" in demo_page.text
    assert "Average over sentences; missing and invalid predictions score 0" in demo_page.text


def test_failure_modes_have_counts_and_shares(demo_page, demo_workspace):
    wrong = int((demo_workspace.scores[0].failure == 5).sum())
    assert f"{wrong}{100 * wrong / 64:.1f} %" in demo_page.text.replace(" %", " %")
    assert len(demo_page.all("svg", role="img")) >= 3


def test_examples_say_what_happened(demo_page, demo_workspace):
    dataset, scored = demo_workspace.dataset, demo_workspace.scored[0]
    assert len(demo_page.all("article", class_="example")) == 3
    for place in (0, 5, 9):
        assert f"“{dataset.expressions.sentences[place]}”" in demo_page.text
        assert f"{scored.iou[place]:.3f}" in demo_page.text


def test_markup_in_data_stays_text(toy):
    page = make_page(
        toy, 0, 1, 2, 3, title=MARKUP, command=MARKUP, why=MARKUP,
        remarks={"101": Remark(MARKUP, (MARKUP,), {MARKUP: MARKUP})},
        reviews=(Review((MARKUP,), (MARKUP, "n"), ((MARKUP, "1"),), (MARKUP,)),),
    )
    assert page.all("img") == []
    assert page.all("script") == [{}]
    assert page.all("b", onerror="") == []
    assert page.text.count("</script><img src=x onerror=alert(1)>") > 10
    assert "<b>dog</b>" in page.text
    assert {tag for tag, _ in page.elements} <= {
        "html", "head", "meta", "link", "title", "style", "script", "body", "header", "nav",
        "main", "section", "article", "footer", "div", "p", "h1", "h2", "h3", "ol", "ul", "li",
        "a", "span", "strong", "b", "bdi", "kbd", "button", "output", "dl", "dt", "dd", "table",
        "caption", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "details",
        "summary", "code", "svg", "text", "defs", "g", "path", "rect", "line", "use", "image",
        "input", "label",
    }


def test_people_are_heard(toy):
    page = make_page(
        toy, 0, remarks={"101": Remark("Look closer.\nIndeed.", ("talk",),
                                       {MARKUP: "label_wrong", "two": "ambiguous"})},
        reviews=(Review(("50 failures were drawn.",), ("Verdict", "Share"),
                        (("label wrong", "12 %"),), ("Weighted.",)),),
    )
    for words in ("Look closer.", "Indeed.", "talk", "Verdict: label wrong", "50 failures were",
                  "12 %", "Weighted."):
        assert words in page.text
    assert "ambiguous" not in page.text.partition("Examples")[2]


def test_missing_and_invalid_say_so(toy):
    page = make_page(toy, 0, 1, 3)
    labels = [found["aria-label"] for found in page.all("svg", class_="drawing")]
    assert labels[1].startswith("Picture with ground truth and prediction of “dog”: invalid")
    assert labels[2] == ("Picture with ground truth and prediction of “cup”: missing, IoU "
                         "missing. The picture was not found.")


def test_sensitive_sentences_are_veiled(toy):
    page = make_page(toy, 0, 1, is_sensitive=lambda sentence: sentence == "dog")
    articles = [found["class"] for found in page.all("article")]
    assert articles[-2:] == ["example", "example veiled"]
    assert len(page.all("input", type="checkbox")) == 1
    label = page.all("svg", class_="drawing")[1]["aria-label"]
    assert "dog" not in label


def test_a_report_without_runs(demo_workspace):
    from dataclasses import replace

    page = make_page(replace(demo_workspace, scores=()), 0, 1)
    assert [found["id"] for found in page.all("section")] == ["coverage", "examples", "provenance"]
    assert "The ground truth of demo val" in page.text
    assert len(page.all("svg", class_="drawing")) == 2


def test_a_report_without_examples(toy):
    assert make_page(toy).all("article", class_="example") == []


def test_rules_change_numbers_and_words():
    workspace = make_workspace(
        score_strips(("####", "####"), ("####", None)), protocol=Protocol(missing="skip")
    )
    page = make_page(workspace, 0)
    assert "missing and invalid predictions are left out" in page.text
    assert "100.00 %" in page.text


def test_of_many_runs_ten_are_shown_and_the_drawn_one_is_among_them(toy):
    from dataclasses import replace

    two = toy.scores[1]
    runs = tuple(replace(two, run=replace(two.run, name=f"run {n}")) for n in range(12))
    page = make_page(replace(toy, scores=runs), 0, run="run 11")
    assert ("Runs: run 0, run 1, run 2, run 3, run 4, run 5, run 6, run 7, run 8, run 11 "
            "(10 of 12)") in page.text
    assert "Drawn are the predictions of run 11." in page.text


@pytest.mark.parametrize(("options", "expected"), [
    pytest.param({"run": "tow"}, r"No run 'tow'.* Did you mean 'two'\?", id="run"),
    pytest.param({"layer": "contour"}, r"No layer 'contour'.* Did you mean 'contours'\?",
                 id="layer"),
])
def test_what_does_not_exist_is_said(toy, options, expected):
    with pytest.raises(UsageError, match=expected):
        make_page(toy, 0, **options)


def test_a_file_that_cannot_be_small_enough_is_refused(demo_workspace):
    with pytest.raises(InspectorError, match=r"more than 0\.1 MB\. Show fewer examples"):
        make_page(demo_workspace, 0, 1, most_bytes=100_000)


def test_pictures_give_way_to_the_size(demo_workspace):
    everything = tuple(range(0, 64, 4))
    whole = build_report(demo_workspace, Chosen(everything, "x."), ReportOptions(made=MADE))
    assert whole.notes == ()
    most = len(whole.content) - 100_000
    small = build_report(
        demo_workspace, Chosen(everything, "x."), ReportOptions(made=MADE, most_bytes=most)
    )
    assert len(small.content) <= most
    assert "compressed anew" in small.notes[0]
    assert small.notes[0] in Page(small.content).text
