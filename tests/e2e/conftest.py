"""A real Chromium and a served demo for the browser tests."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from inspector.findings.store import Store, open_store
from inspector.formats import DEMO_FOLDER
from inspector.formats.request import LoadRequest
from inspector.live import Desk
from inspector.workspace import Workspace, open_workspace
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
def full() -> Workspace:
    """The demo with its runs and a second ground truth, so that every view is there."""
    return open_workspace(LoadRequest("demo"), [], second=LoadRequest(
        str(DEMO_FOLDER / "truth-tight.jsonl"), images=DEMO_FOLDER))


class SilentModel:
    """A live model that sees no target anywhere."""

    name, timeout = "silent", 60.0

    def launch(self) -> None: ...
    def start(self) -> None: ...
    def close(self) -> None: ...
    def answer(self, question: object) -> None: ...


@pytest.fixture(scope="module")
def full_address(full: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve all that the page can show, with findings and a live model."""
    store = open_store(tmp_path_factory.mktemp("found") / "inspector.findings.sqlite")
    desk = Desk(SilentModel())
    with serving(full, findings=store, live=desk, reopen=lambda same: same) as address:
        yield address
    desk.close()
    store.close()


@pytest.fixture(scope="session")
def demo_address(demo: Workspace) -> Iterator[str]:
    with serving(demo) as address:
        yield address


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Give a place to keep findings that is the test's own."""
    store = open_store(tmp_path / "inspector.findings.sqlite")
    yield store
    store.close()


@dataclass
class Watched:
    """A page that remembers what went wrong on it and what it asked for."""

    page: Page
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    forgiven: set[str] = field(default_factory=set)

    def watch(self, page: Page) -> None:
        """Remember what goes wrong on a page: what it throws, logs as an error, and asks for."""
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self.faults.append(message.text)
                if message.type == "error" else None)
        page.on("request", lambda request: self.requests.append(request.url))

    def forgive(self, *parts: str) -> None:
        """Forget the faults that a test brought about itself: those that have one of the parts.

        The browser writes every answer that refuses to its console: "Failed to load resource:
        the server responded with a status of 400 (Bad Request)". An answer may still be on its
        way, so what comes later is forgiven too.
        """
        self.forgiven.update(parts)

    @property
    def unforgiven(self) -> list[str]:
        """The faults that no test brought about."""
        return [fault for fault in self.faults
                if not any(part in fault for part in self.forgiven)]

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
    result.watch(page)
    yield result
    context.close()
    assert result.unforgiven == []
    foreign = [
        url for url in result.requests
        if not url.startswith(("http://127.0.0.1:", "http://localhost:", "data:", "blob:"))
    ]
    assert foreign == []


@pytest.fixture
def page_of(browser: Browser, watched: Watched) -> Iterator[Callable[..., Page]]:
    """Give a function that opens an address in a browser of some kind, watched for faults."""
    contexts = []

    def opened(address: str, **kind: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **kind})
        contexts.append(context)
        page = context.new_page()
        watched.watch(page)
        page.goto(address)
        page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
        return page

    yield opened
    for context in contexts:
        context.close()
