"""The Gradio page: one HTML component that carries the viewer's own script."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import gradio as gr

from inspector.ui.texts import SAID, TEXTS

_FOLDER = Path(__file__).parent / "viewer"
ICON = _FOLDER / "icon.svg"
_KINDS = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}

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
    """Give scripts, styles and words of the page by name, each with its content type."""
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
    return files | words


_IMPORT = re.compile(r"""^(?:import|export)\b[^;'"]*['"]\./([\w.-]+)['"]""", re.MULTILINE)


def imported(files: dict[str, tuple[str, bytes]], first: str = "main.js") -> list[str]:
    """Name a script and all that it imports, directly or not.

    A browser that is told finds them all at once instead of one behind the other.
    """
    found = [first]
    for name in found:
        named = _IMPORT.findall(files[name][1].decode())
        found += [other for other in dict.fromkeys(named) if other not in found]
    return found


def page_version(files: dict[str, tuple[str, bytes]]) -> str:
    """Give a name that changes with any of the files, so that browsers may keep them for good."""
    digest = hashlib.sha256()
    for name, (_, content) in files.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:12]


def build_page(version: str) -> gr.Blocks:
    """Lay out the page; everything that moves lives in the viewer's script.

    Args:
        version: Of the page's files.
    """
    with gr.Blocks(
        title=TEXTS["en"]["title"], analytics_enabled=False, fill_width=True, fill_height=True
    ) as page:
        viewer(version)
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
        languages=list(TEXTS),
    )
