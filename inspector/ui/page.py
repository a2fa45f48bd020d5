"""The Gradio page: one HTML component that carries the viewer's own script."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import gradio as gr

from inspector.ui.bundle import bundle
from inspector.ui.texts import SAID, TEXTS

_FOLDER = Path(__file__).parent / "viewer"
SCRIPT = "inspector.js"
"""The page's scripts as one file."""
ICON = _FOLDER / "icon.svg"
_KINDS = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}

_START = """
const root = location.pathname.endsWith('/') ? location.pathname : location.pathname + '/';
// An absolute address: a relative one would be read against another page on this machine, if the
// browser had compiled the same script there before.
import(new URL(root + 'page/' + props.version + '/inspector.js', location.href).href)
  .then((page) => page.start(element))
  .catch((error) => {
    const message = document.getElementById('message');
    message.textContent = String(error.message || error);
    message.hidden = false;
    throw error;
  });
"""


def page_files() -> dict[str, tuple[str, bytes]]:
    """Give scripts, styles and words of the page by name, each with its content type.

    The scripts are there one by one too, for who reads or tests one of them.
    """
    files = {
        path.name: (_KINDS[path.suffix], path.read_bytes())
        for path in sorted(_FOLDER.iterdir())
        if path.suffix in _KINDS
    }
    words = {
        f"words.{language}.json": ("application/json", json.dumps(
            {"texts": texts, "said": SAID.get(language, {})}, ensure_ascii=False,
        ).encode())
        for language, texts in TEXTS.items()
    }
    scripts = {name: content.decode() for name, (_, content) in files.items()
               if name.endswith(".js")}
    return files | words | {SCRIPT: ("text/javascript", bundle(scripts).encode())}


def page_version(files: dict[str, tuple[str, bytes]]) -> str:
    """Give a name that changes with any of the files, so that browsers may keep them for good."""
    digest = hashlib.sha256()
    for name, (_, content) in files.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:12]


def page_head(files: dict[str, tuple[str, bytes]], version: str) -> str:
    """Give what stands in the document's head, so that it is on its way while gradio begins.

    The first script asks the server at once; the element that gradio mounts finds the answers.

    Args:
        files: As :func:`page_files` gives them.
        version: Of the page's files.
    """
    where = f"page/{version}"
    styles = "".join(  # as links: gradio rewrites the selectors of styles that it is given
        f'<link rel="stylesheet" href="{where}/{name}">' for name in files if name.endswith(".css")
    )
    return (
        f'<meta name="languages" content="{" ".join(TEXTS)}">{styles}'
        f'<script type="module" src="{where}/{SCRIPT}"></script>'
        # As an app of its own, from the browser's address bar; behind a password with its cookie.
        f'<link rel="manifest" href="{where}/app.webmanifest" crossorigin="use-credentials">'
        '<meta name="theme-color" content="#1b1e23">'
    )


def build_page(version: str) -> gr.Blocks:
    """Lay out the page; everything that moves lives in the viewer's script.

    Args:
        version: Of the page's files.
    """
    with gr.Blocks(
        title=TEXTS["en"]["title"], analytics_enabled=False, fill_width=True, fill_height=True
    ) as page:
        viewer(version)
    # Nothing of this page goes through gradio's queue, which would look for work a thousand
    # times a second: 5 % of a processor, and a later answer to everything else.
    page._queue.sleep_when_free = 3600.0  # noqa: SLF001
    return page


def viewer(version: str) -> gr.HTML:
    """Make the component; a function, since a subclass would write a file beside this one.

    The template holds keys of words, which the script fills in the visitor's language.
    """
    return gr.HTML(
        None,
        html_template=(_FOLDER / "viewer.html").read_text(encoding="utf-8"),
        js_on_load=_START,
        apply_default_css=False,
        version=version,
    )
