"""Reviews that were begun: what is gone on with, and what cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from inspector.findings import dataset_key
from inspector.findings.evidence import RunEvidence
from inspector.findings.queues import draw_queue, keep_queue


@pytest.fixture
def queues(demo, store):
    """Keep three samples: of a run as it is, of one that has changed since, of one not here."""
    now = RunEvidence(demo.scores[0], lambda: demo.scored[0])
    drawn = draw_queue(now, dataset_key(demo.dataset), size=3, seed=1)
    return [keep_queue(store, queue) for queue in (
        drawn, replace(drawn, run_digest="of other predictions"), replace(drawn, run="gone"),
    )]


def test_a_review_is_gone_on_with_from_another_run(watched, serve, demo, store, queues):
    page = watched.open(f"{serve(demo, findings=store)}/?run=box&category=coin")
    chip = page.locator("#chips button").first
    expect(chip).to_be_visible()
    page.locator("#review").click()
    earlier = page.locator("#review-list")
    expect(earlier.locator("li")).to_have_count(3)
    expect(earlier.get_by_role("button")).to_have_count(1)
    expect(earlier).to_contain_text(
        "The predictions of words have changed since this was drawn: draw a new sample.")
    expect(earlier).to_contain_text("gone is not open here.")
    earlier.get_by_role("button").click()
    expect(page.locator("#review-count")).to_have_text("0 of 3 judged")
    expect(chip).to_be_hidden()  # the sample is of all failures
    expect(page.locator("#viewer")).to_have_attribute("data-run", "words")
    expect(page.locator("#position")).to_have_text("1 / 3")
    expect(page.locator("#viewer")).to_have_attribute(
        "data-painted", queues[0].places[0].example_id)
    page.keyboard.press("w")
    expect(page.locator("#review-count")).to_have_text("1 of 3 judged")
    expect(page.locator("#position")).to_have_text("2 / 3")
    page.locator("#review").click()
    expect(earlier.get_by_role("button")).to_contain_text("1 of 3 judged")
    page.keyboard.press("Escape")
    page.locator("#review-stop").click()
    expect(chip).to_be_visible()  # and the filter is in force again
    expect(page.locator("#review-bar")).to_be_hidden()
