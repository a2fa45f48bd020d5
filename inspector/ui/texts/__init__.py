"""Every word of the page, one table a language; ``{name}`` is a place that the page fills in."""

from __future__ import annotations

from inspector.ui.texts import chinese_said, chinese_work
from inspector.ui.texts.chinese import CHINESE
from inspector.ui.texts.english import ENGLISH
from inspector.ui.texts.english_work import WORK

SAID: dict[str, dict[str, str]] = {"zh": chinese_said.SAID}
"""What the server says in English, by language; ``{name}`` stands for whatever is there."""

TEXTS: dict[str, dict[str, str]] = {
    "en": {**ENGLISH, **WORK},
    "zh": {**CHINESE, **chinese_work.WORK},
}
