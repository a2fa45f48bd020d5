"""What every answer tells the browser to refuse."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable

_PAGE = {
    "default-src": "'none'",
    # gr.HTML makes functions of the page's template and start: 'unsafe-eval'. The scripts that
    # stand in the page itself are allowed one by one, so that no other text can become a script.
    "script-src": "'self' 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",  # gradio and the tiles of the gallery set styles
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'self'",  # gradio sets the base to the page's own address
    "form-action": "'self'",
}
_REST = {
    "default-src": "'none'",
    "img-src": "'self'",
    "style-src": "'unsafe-inline'",  # browsers show pictures and JSON with styles of their own
    "base-uri": "'none'",
    "form-action": "'none'",
}
_FRAMES = "'self'"
_LOCAL_FRAMES = "'self' http://localhost:* http://127.0.0.1:*"
_UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
    "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb",
)
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)


def security_headers(*, framed_locally: bool = False) -> dict[str, str]:
    """Give the headers that every answer carries; a script in one of them does not run.

    Args:
        framed_locally: Whether other pages of this machine may show the page in a frame.
    """
    return {
        "content-security-policy": _join(_REST, framed_locally),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": ", ".join(f"{name}=()" for name in _UNUSED),
    }


def page_policy(document: str, *, framed_locally: bool = False) -> str:
    """Give the content security policy of the page, which allows the scripts that it came with.

    Args:
        document: The page as it is sent.
        framed_locally: Whether other pages of this machine may show the page in a frame.
    """
    sources = " ".join((_PAGE["script-src"], *_hashes(document)))
    return _join({**_PAGE, "script-src": sources}, framed_locally)


def _hashes(document: str) -> Iterable[str]:
    for attributes, script in _SCRIPT.findall(document):
        if not re.search(r"\ssrc\s*=", attributes, re.IGNORECASE):
            text = script.replace("\r\n", "\n").replace("\r", "\n")  # as browsers read it
            digest = hashlib.sha256(text.encode()).digest()
            yield f"'sha256-{base64.b64encode(digest).decode()}'"


def _join(policy: dict[str, str], framed_locally: bool) -> str:
    frames = _LOCAL_FRAMES if framed_locally else _FRAMES
    whole = {**policy, "frame-ancestors": frames}
    return "; ".join(f"{key} {value}" for key, value in whole.items())
