"""What the login says, in the language that the browser asks for.

The page itself carries its words in ``inspector.ui.texts``; nobody without the password sees those.
"""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "tag": "en",
        "log-in": "Log in",
        "log-out": "Log out",
        "protected": "This page is protected by a password.",
        "name": "Your name",
        "optional": "(optional)",
        "hint": "Stands beside the tags, notes and verdicts that you write.",
        "password": "Password",
        "kept": "What you wrote is kept. To see the page again you need the password.",
        "out": "You are logged out.",
        "form": "The login takes a form. Use the one below.",
        "wrong": "Wrong password. Type it again.",
        "wait-one": "There were too many wrong passwords. Try again in a minute.",
        "wait": "There were too many wrong passwords. Try again in {minutes} minutes.",
    },
    "zh": {
        "tag": "zh-Hans",
        "log-in": "登录",
        "log-out": "退出登录",
        "protected": "此页面受密码保护。",
        "name": "您的名字",
        "optional": "（可不填）",
        "hint": "会显示在您写下的标签、备注和判定旁边。",
        "password": "密码",
        "kept": "您写下的内容都已保留。再次查看页面需要密码。",
        "out": "您已退出登录。",
        "form": "登录须通过表单提交。请使用下面的表单。",
        "wrong": "密码错误。请重新输入。",
        "wait-one": "密码错误次数过多。请在一分钟后重试。",
        "wait": "密码错误次数过多。请在 {minutes} 分钟后重试。",
    },
}
"""The words by language and key; ``tag`` is the language as HTML names it."""


def login_words(accepted: str) -> dict[str, str]:
    """Choose the words for a header ``Accept-Language``; English where none of it is there.

    Example:
        >>> login_words("fr, zh-CN;q=0.9, en;q=0.8")["password"]
        '密码'
    """
    wanted = []
    for part in accepted.split(","):
        name, _, weight = part.partition(";")
        language = name.strip().casefold().split("-")[0]
        if language in WORDS and (share := _share(weight)) > 0:
            wanted.append((-share, len(wanted), language))
    return WORDS[min(wanted)[2] if wanted else "en"]


def _share(weight: str) -> float:
    """Read ``q=0.8``; 1 if nothing is said, 0 if it is no number from 0 to 1."""
    key, _, value = weight.partition("=")
    if not weight.strip():
        return 1.0
    try:
        share = float(value)
    except ValueError:
        return 0.0
    return share if key.strip().casefold() == "q" and 0 <= share <= 1 else 0.0
