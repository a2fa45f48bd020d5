"""A real Chromium and a served demo for the browser tests."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from inspector.workspace import Workspace
from tests.e2e import chromium
from tests.e2e.serving import serving

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once; its absence fails the tests, since make test installs it."""
    path = chromium.find()
    assert path, "there is no Chromium: run 'make browser'"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def demo(demo_workspace: Workspace) -> Workspace:
    return demo_workspace


@pytest.fixture(scope="session")
def demo_address(demo: Workspace) -> Iterator[str]:
    with serving(demo) as address:
        yield address


@dataclass
class Watched:
    """A page that remembers what went wrong on it and what it asked for."""

    page: Page
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, address: str) -> Page:
        """Go to an address and wait until its first example is painted."""
        self.page.goto(address)
        self.page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
        return self.page


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Give a function that serves a workspace until the test, and its page, are over."""
    with contextlib.ExitStack() as stack:
        yield lambda workspace, **options: stack.enter_context(serving(workspace, **options))


@pytest.fixture
def watched(browser: Browser, serve: object) -> Iterator[Watched]:
    """Give a fresh page; the test fails if the console shows an error or a request leaves."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    result = Watched(page)
    page.on("pageerror", lambda error: result.faults.append(str(error)))
    page.on(
        "console",
        lambda message: result.faults.append(message.text) if message.type == "error" else None,
    )
    page.on("request", lambda request: result.requests.append(request.url))
    yield result
    context.close()
    assert result.faults == []
    foreign = [
        url for url in result.requests
        if not url.startswith(("http://127.0.0.1:", "http://localhost:", "data:", "blob:"))
    ]
    assert foreign == []
