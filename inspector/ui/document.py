"""Mends the document that gradio sends, so that it works under any address that shows it."""

from __future__ import annotations

import re

_CONFIG = re.compile(r"window\.gradio_config = \{.*?\};(?=</script>)", re.DOTALL)
_ROOT = re.compile(r'const root = "[^"\n]*";')
_MANIFEST = re.compile(r'<link rel="manifest" href="/manifest\.json" ?/?>')
_ABROAD = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


def mend(document: str, head: str = "") -> str:
    """Make the addresses of a document relative to its own, and begin with the page's own files.

    Gradio writes the host and path of the request into the document. Behind a proxy that takes its
    path away, or that speaks https, they are not those of the browser. What the browser itself
    knows is always right. What lies at the root of the host may be somebody else's: a link there is
    left out, and an icon is named, since browsers would look for one there. The cards for other
    sites, which name addresses abroad, are left out too.

    Args:
        document: As gradio sends it.
        head: Markup for its head. Given to gradio it would be there only once gradio has begun.
    """
    here = "window.gradio_config.root = new URL('.', location.href).href.slice(0, -1);"
    document = _CONFIG.sub(lambda found: f"{found[0]}{here}", document, count=1)
    document = _ROOT.sub("const root = window.gradio_config.root;", document, count=1)
    head += '<link rel="icon" href="favicon.ico">'
    document = document.replace("</head>", f"{head}</head>", 1)
    return _ABROAD.sub("", _MANIFEST.sub("", document))
