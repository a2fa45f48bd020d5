"""The head of the page names every script that will be needed, and no other."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient

from inspector.ui.mount import build_app
from inspector.ui.page import imported, page_files


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
    page = client.get("/").text
    named = re.findall(r"modulepreload\\?\" href=\\?\"page/\w+/([\w.-]+)", page)
    assert sorted(set(named)) == sorted(imported(page_files()))
