"""The head of the page names every script that will be needed, and no other."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient

from inspector.ui.mount import build_app
from inspector.ui.page import build_page, imported, page_files


def script(*lines: str) -> tuple[str, bytes]:
    return "text/javascript", "\n".join(lines).encode()


def test_what_scripts_import_is_followed():
    files = {
        "main.js": script("import { a } from './a.js';", "import './b.js';", "// './no.js'"),
        "a.js": script("export { c } from './c.js';", "import {", "  d,", "} from './b.js';"),
        "b.js": script("const text = \"import './no.js'\";", "export const d = 1;"),
        "c.js": script("import * as main from './main.js';", "export const c = 1;"),
        "no.js": script(""),
    }
    assert imported(files) == ["main.js", "a.js", "b.js", "c.js"]


def test_the_pages_own_scripts_are_all_there():
    files = page_files()
    found = imported(files)
    assert set(found) <= set(files)
    assert len(found) > 20


def test_the_head_names_them(demo_workspace):
    client = TestClient(build_app(demo_workspace), base_url="http://127.0.0.1")
    head = client.get("/").text.partition("</head>")[0]
    named = re.findall(r'<link rel="modulepreload" href="page/\w+/([\w.-]+)">', head)
    assert sorted(named) == sorted(imported(page_files()))
    assert re.search(r'<script type="module" src="page/\w+/main\.js"></script>', head)


def test_an_idle_page_wakes_nothing():
    """Gradio's queue, which this page does not use, has the setting that keeps it asleep."""
    queue = build_page("version")._queue
    assert queue.sleep_when_free > 60
    assert not queue.blocks.fns  # nothing would ever be put into it
