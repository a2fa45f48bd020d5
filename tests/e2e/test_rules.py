"""The rules of scoring are switched on the page, for this viewer alone, and named."""

from __future__ import annotations

import re
from dataclasses import replace

from playwright.sync_api import expect

from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from tests.e2e.walking import IS_LONG_TEST


def header(page, key):
    return page.locator(f"#metrics [data-metric='{key}'] dd")


@IS_LONG_TEST
def test_another_protocol_gives_other_numbers(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.get_by_role("button", name="Rules").click()
    page.get_by_label("Missing and invalid predictions").select_option("skip")
    expected = compute_metrics(demo.scores[0], Protocol(missing="skip"))["mIoU"]
    expect(header(page, "mIoU")).to_have_text(f"{expected:.3f}")
    expect(page.locator("#rules")).to_contain_text("are left out")
    assert "missing=skip" in page.url
    other = watched.page.context.new_page()
    other.goto(demo_address)
    expect(header(other, "mIoU")).to_have_text(f"{demo.metrics[0]['mIoU']:.3f}")
    other.close()


def test_the_threshold_says_anew_what_is_correct(watched, demo_address, demo):
    from inspector.core.failures import FAILURE_MODES
    from inspector.core.scores import score_run

    page = watched.open(f"{demo_address}/?threshold=0.8")
    scores = demo.scores[0]
    anew = score_run(demo.dataset, scores.run, thresholds=replace(scores.thresholds, iou=0.8))
    correct = [mode.key for mode in FAILURE_MODES].index("correct")
    expect(page.locator("#filter-failure [data-value=correct] .count")).to_have_text(
        str(int((anew.failure == correct).sum()))
    )


def test_rules_that_do_not_exist_are_said(watched, demo_address):
    page = watched.open(f"{demo_address}/?missing=maybe")
    expect(page.locator("#toast")).to_contain_text("No rule 'maybe' for missing")
    watched.forgive("400 (Bad Request)")


@IS_LONG_TEST
def test_a_published_number_is_looked_for(watched, demo_address):
    page = watched.open(demo_address)
    page.get_by_role("button", name="Rules").click()
    page.get_by_label(re.compile("^A published number")).fill("38.2")
    page.get_by_role("button", name="Find", exact=True).click()
    region = page.get_by_role("region", name=re.compile("come closest to 38.2"))
    expect(region).to_contain_text("within rounding")
    expect(region).to_contain_text("mIoU")


@IS_LONG_TEST
def test_a_failure_mode_leads_to_its_examples(watched, demo_address):
    page = watched.open(f"{demo_address}/?view=failures")
    page.get_by_role("region", name=re.compile("^Failure modes")).get_by_role(
        "button", name="wrong referent"
    ).click()
    expect(page.locator("#position")).to_have_text("1 / 9")
    page = watched.open(f"{demo_address}/?view=failures")
    region = page.get_by_role("region", name="Flags beside the failure mode")
    row = region.locator("tr", has_text="near the threshold")
    count = row.locator("td").nth(1).inner_text()
    row.get_by_role("button").click()
    expect(page.locator("#position")).to_contain_text(f"/ {count}")
