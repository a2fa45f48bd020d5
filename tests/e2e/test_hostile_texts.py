"""Markup and templates in every text that reaches the page: nothing runs, no element is made."""

from __future__ import annotations

import dataclasses
import json
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from inspector.core.problems import Problem
from inspector.findings.store import open_store
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score
from tests.drawing import draw

RAN = "window.ran=1"
MARKUP = (
    f"</textarea></title></script><img data-hostile src=x onerror={RAN}>"
    f"<svg data-hostile onload={RAN}></svg><script>{RAN}</script>"
    f"<a data-hostile href=javascript:{RAN}>x</a><iframe data-hostile></iframe>"
    f"\" onmouseover=\"{RAN}\" data-hostile=\"' onfocus='{RAN}' autofocus data-hostile='"
    f"${{{RAN}}} {{{{{RAN}}}}} {{{{{{{RAN}}}}}}} <%= {RAN} %> &lt;b&gt;"
)
SHORT = f"<img data-hostile src=x onerror={RAN}>"
CUP, DOG = draw("##........"), draw("......####")


def hostile(text: str) -> str:
    """Give the markup with a text of its own, so that equal names stay different."""
    return f"{text} {MARKUP}"


@pytest.fixture(scope="module")
def workspace():
    pictures = [
        Picture(
            hostile(f"picture {n}"), (1, 10),
            (Thing(hostile(f"a{n}"), hostile("cup"), CUP), Thing(f"b{n}", hostile("dog"), DOG)),
            (Said(hostile(f"s{n}"), hostile(f"the left cup {n}"), (hostile(f"a{n}"),),
                  hostile(f"r{n}"), raw=hostile(f"The left cup {n}")),
             Said(f"t{n}", MARKUP, (f"b{n}",), f"q{n}")),
        )
        for n in range(4)
    ]
    dataset = dataclasses.replace(
        make_dataset(*pictures), name=hostile("set"), source=hostile("source"),
    )
    problem = Problem("missing-picture", "warning", hostile("where"), hostile("message"))
    dataset = dataclasses.replace(dataset, problems=(*dataset.problems, problem))
    masks = {example.id: (CUP if n % 3 else DOG) for n, example in enumerate(dataset)}
    return make_workspace(
        score(dataset, masks, name=hostile("run one")),
        score(dataset, {key: CUP for key in masks}, name=hostile("run two")),
    )


def post(page, path, body):
    """Send what a visitor of the page could send."""
    return page.evaluate(
        """async ([path, body]) => {
          const start = await (await fetch('data/start')).json();
          const answer = await fetch(`data/${start.version}/${path}`, {
            method: 'POST', body: JSON.stringify(body),
            headers: {'content-type': 'application/json'}});
          return [answer.status, await answer.text()];
        }""", [path, body])


def ran(page):
    """Give what the markup left when it ran, after a picture that came later has failed, too."""
    return page.evaluate("""async () => {
      const image = new Image();
      await new Promise((done) => { image.onerror = done; image.src = 'data/start'; });
      return window.ran;
    }""")


def check(page, where):
    """Nothing ran, and none of the markup is an element or an attribute of one."""
    assert ran(page) is None, where
    assert page.locator("[data-hostile], [onmouseover], [onfocus]").count() == 0, where
    strange = page.evaluate(
        "() => [...document.querySelectorAll('a[href], img, iframe, object, embed, form')]"
        ".map((e) => e.getAttribute('href') ?? e.getAttribute('src') ?? e.getAttribute('action'))"
        ".filter((a) => a && /^\\s*(javascript|data:text|x$)/i.test(a))"
    )
    assert strange == [], where


def test_nothing_of_it_runs_in_any_view(watched, serve, workspace, tmp_path):
    store = open_store(tmp_path / "inspector.findings.sqlite")
    address = serve(workspace, findings=store)
    page = watched.open(address)
    shown = page.locator("#sentence").text_content()
    assert MARKUP in shown  # as it is written, to the letter
    run = workspace.scores[0].run.name
    writer = {"client": SHORT, "who": SHORT}
    for place in range(3):
        for field, value in (("note", MARKUP), ("tag", SHORT), ("verdict", "label_wrong")):
            status, said = post(page, "findings", {
                "place": place, "run": run, "field": field, "value": value, **writer,
            })
            assert status == 200, said
    status, said = post(page, "views", {"name": SHORT, "query": {"run": run}, "who": SHORT})
    assert status == 200, said
    status, said = post(page, "queues", {"run": run, "size": 2, "who": SHORT})
    assert status == 200, said
    check(page, "inspect")
    watched.open(address)
    names = page.locator("#views button").all_text_contents()
    assert len(names) >= 8
    for place, name in enumerate(names):
        page.locator("#views button").nth(place).click()
        page.wait_for_load_state("networkidle")
        expect(page.locator("#viewer")).to_contain_text("data-hostile")  # as text, in every view
        check(page, name)
    for key in ("?", "Escape"):
        page.keyboard.press(key)
        check(page, key)
    for place in range(page.locator("button[aria-haspopup=dialog]").count()):
        button = page.locator("button[aria-haspopup=dialog]").nth(place)
        if button.is_visible() and button.is_enabled():
            button.click()
            page.wait_for_load_state("networkidle")
            check(page, button.get_attribute("id"))
            page.keyboard.press("Escape")
    assert not [url for url in watched.requests if url.endswith("/x")]


def test_nothing_of_it_runs_from_the_address(watched, serve, workspace):
    address = serve(workspace)
    for keys in (("run",), ("example", "category"), ("sentence", "view"), ("sort", "layer"),
                 ("against", "compare"), ("slice", "flag")):
        query = urlencode({key: MARKUP for key in keys})
        watched.page.goto(f"{address}/?{query}")
        watched.page.wait_for_load_state("networkidle")
        check(watched.page, keys)


def test_a_script_that_got_into_the_page_would_not_run(watched, serve, workspace):
    """The policy is the second wall: markup set on purpose stays dead."""
    page = watched.open(serve(workspace))
    page.evaluate(
        """(text) => {
          const hole = document.createElement('div');
          hole.innerHTML = text;
          document.body.append(hole);
          const script = document.createElement('script');
          script.textContent = 'window.ran = [2]';
          document.body.append(script);
        }""", f"<img src=data:, onerror={RAN}><a id=hole href='javascript:{RAN}'>x</a>")
    page.evaluate("document.getElementById('hole').click()")
    assert ran(page) is None
    assert all("Content Security Policy" in fault or "ERR_INVALID_URL" in fault
               for fault in watched.faults), json.dumps(watched.faults)
    assert len(watched.faults) >= 2
    watched.forgive("Content Security Policy", "ERR_INVALID_URL")
