"""The files of the page: scripts as one file that starts with the document."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from inspector.ui.bundle import bundle, order_of
from inspector.ui.mount import build_app
from inspector.ui.page import build_page, page_files

PARTS = {
    "main.js": "import { a, b as two } from './a.js';\n// import { no } from './no.js';\n"
               "export function start() {\n  return a + two;\n}\n",
    "a.js": "import {\n  One,\n} from './b.js';\nimport './b.js';\n"
            "const own = 1;\nexport const a = own;\nexport const b = One;\n",
    "b.js": "const own = 2;\nexport class One {}\nexport async function later() {}\n",
    "no.js": "",
}


def test_each_script_stands_behind_what_it_needs():
    assert order_of(PARTS) == ["b.js", "a.js", "main.js"]


def test_scripts_are_joined_as_scopes_of_their_own():
    assert bundle(PARTS).splitlines() == [
        "// b.js",
        "const $b = (() => {",
        "const own = 2;", "class One {}", "async function later() {}",
        "return { One, later };",
        "})();",
        "",
        "// a.js",
        "const $a = (() => {",
        "const { One, } = $b;", "", "const own = 1;", "const a = own;", "const b = One;",
        "return { a, b };",
        "})();",
        "",
        "// main.js",
        "const $main = (() => {",
        "const { a, b: two } = $a;", "// import { no } from './no.js';",
        "function start() {", "  return a + two;", "}",
        "return { start };",
        "})();",
        "",
        "export const { start } = $main;",
    ]


@pytest.mark.parametrize("line", [
    "import all from './b.js';", "import * as all from './b.js';", "export default 1;",
    "export let changing = 1;", "export { own };", "import { a } from 'elsewhere';",
    "export * from './b.js';",
])
def test_what_cannot_be_joined_is_refused(line):
    with pytest.raises(ValueError, match=r"^main\.js: '.*' is no import or export"):
        bundle({**PARTS, "main.js": f"{line}\nexport const start = 1;\n"})


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match=r"circle of scripts: main\.js, a\.js, main\.js"):
        bundle({"main.js": "import { a } from './a.js';\n",
                "a.js": "import { start } from './main.js';\n"})


def test_every_script_of_the_page_is_in_it():
    files = page_files()
    scripts = {name: content.decode() for name, (_, content) in files.items()
               if name.endswith(".js") and name != "inspector.js"}
    assert set(order_of(scripts)) == set(scripts)
    joined = files["inspector.js"][1].decode()
    assert re.findall(r"^// ([\w.]+\.js)$", joined, re.MULTILINE) == order_of(scripts)
    assert not re.search(r"^import\b", joined, re.MULTILINE)


def test_the_document_starts_with_it(demo_workspace):
    client = TestClient(build_app(demo_workspace), base_url="http://127.0.0.1")
    head = client.get("/").text.partition("</head>")[0]
    [script] = re.findall(r'<script type="module" src="(page/\w+/inspector\.js)"></script>', head)
    answer = client.get(f"/{script}")
    assert answer.text.endswith("export const { start } = $main;\n")
    assert "immutable" in answer.headers["cache-control"]


def test_an_idle_page_wakes_nothing():
    """Gradio's queue, which this page does not use, has the setting that keeps it asleep."""
    queue = build_page("version")._queue
    assert queue.sleep_when_free > 60
    assert not queue.blocks.fns  # nothing would ever be put into it
