"""Every word of the page, one table a language; ``{name}`` is a place that the page fills in."""

from __future__ import annotations

from inspector.ui.texts.english import ENGLISH
from inspector.ui.texts.english_work import WORK

SAID: dict[str, dict[str, str]] = {}
"""What the server says in English, by language; ``{name}`` stands for whatever is there."""

TEXTS: dict[str, dict[str, str]] = {"en": {**ENGLISH, **WORK}}
