"""The Gradio page: one HTML component that carries the viewer's own script."""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

import gradio as gr

from inspector.ui.texts import TEXTS

_FOLDER = Path(__file__).parent / "viewer"
_KINDS = {".js": "text/javascript", ".css": "text/css"}

_START = """
const root = location.pathname.endsWith('/') ? location.pathname : location.pathname + '/';
// An absolute address: a relative one would be read against another page on this machine, if the
// browser had compiled the same script there before.
import(new URL(root + 'page/' + props.version + '/main.js', location.href).href)
  .then((page) => page.start(element, props))
  .catch((error) => {
    const message = document.getElementById('message');
    message.textContent = String(error.message || error);
    message.hidden = false;
    throw error;
  });
"""


def page_files() -> dict[str, tuple[str, bytes]]:
    """Give the scripts and styles of the page by name, each with its content type."""
    return {
        path.name: (_KINDS[path.suffix], path.read_bytes())
        for path in sorted(_FOLDER.iterdir())
        if path.suffix in _KINDS
    }


def page_version(files: dict[str, tuple[str, bytes]]) -> str:
    """Give a name that changes with any of the files, so that browsers may keep them for good."""
    digest = hashlib.sha256()
    for name, (_, content) in files.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:12]


def build_page(version: str, *, language: str = "en") -> gr.Blocks:
    """Lay out the page; everything that moves lives in the viewer's script.

    Args:
        version: Of the page's files.
        language: Key of ``TEXTS``.
    """
    texts = TEXTS[language]
    with gr.Blocks(
        title=texts["title"], analytics_enabled=False, fill_width=True, fill_height=True
    ) as page:
        viewer(version, texts)
    return page


def viewer(version: str, texts: dict[str, str]) -> gr.HTML:
    """Make the component; a function, since a subclass would write a file beside this one."""
    template = (_FOLDER / "viewer.html").read_text(encoding="utf-8")
    filled = re.sub(r"\[\[([\w.-]+)\]\]", lambda m: html.escape(texts[m[1]]), template)
    return gr.HTML(
        None,
        html_template=filled,
        js_on_load=_START,
        apply_default_css=False,
        version=version,
        texts=texts,
    )
