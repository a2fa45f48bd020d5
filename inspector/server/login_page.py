"""The page that asks for the password: small, without any script."""

from __future__ import annotations

import base64
import hashlib
import html

from inspector.server.login_words import WORDS

_STYLE = """
:root { color-scheme: light dark; --ground: #f6f7f8; --sheet: #ffffff; --line: #dcdfe3;
  --edge: #868d97; --ink: #1b1e23; --quiet: #5b626c; --press: #1b1e23; --press-ink: #ffffff;
  --focus: #0072b2; --wrong: #a33f00; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #15171a; --sheet: #1d2024; --line: #31353b; --edge: #767d88; --ink: #eceef1;
    --quiet: #a3abb6; --press: #eceef1; --press-ink: #15171a; --focus: #4db4f0;
    --wrong: #ffa366; } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; min-height: 100dvh; padding: 16px; display: grid; place-items: center;
  color: var(--ink); background: var(--ground);
  font: 14px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { width: 100%; max-width: 352px; padding: 24px; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 8px; }
h1 { font-size: 16px; font-weight: 650; letter-spacing: -0.01em; line-height: 1.3; }
p { color: var(--quiet); }
.said { margin-top: 16px; color: var(--ink); }
.wrong { margin-top: 16px; color: var(--wrong); font-weight: 600; }
label { display: block; margin: 16px 0 4px; font-weight: 600; }
label span, .hint { color: var(--quiet); font-weight: 400; }
.hint { margin-top: 4px; font-size: 12px; }
input { width: 100%; height: 40px; padding: 0 12px; color: var(--ink); background: var(--sheet);
  border: 1px solid var(--edge); border-radius: 6px; font: inherit; }
input[aria-invalid] { border-color: var(--wrong); }
button { width: 100%; height: 40px; margin-top: 24px; color: var(--press-ink);
  background: var(--press); border: 1px solid var(--press); border-radius: 6px; font: inherit;
  font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

LOGIN_HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; style-src 'sha256-{_DIGEST}'; img-src data:; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'self'"
    ),
    "cache-control": "no-store",
}
"""Headers of these pages: no script at all, and only the one style."""

MOST_NAME = 60  # characters


def login_page(
    words: dict[str, str] = WORDS["en"], *,
    following: str = "", name: str = "", wrong: str = "", said: str = "",
) -> str:
    """Write the page with the two fields.

    Args:
        words: One language of :data:`WORDS`.
        following: The view that was asked for, as the query of the page's address.
        name: What was typed as the name before.
        wrong: Why the login before this one failed.
        said: Something else to say first.
    """
    message = ""
    if wrong:
        message = f'<p class="wrong" id="wrong" role="alert">{html.escape(wrong)}</p>'
    elif said:
        message = f'<p class="said" role="status">{html.escape(said)}</p>'
    flaw = ' aria-invalid="true" aria-describedby="wrong" autofocus' if wrong else ""
    return _page(words, "log-in", f"""
<p>{words["protected"]}</p>
{message}
<form method="post" action="login">
<label for="name">{words["name"]} <span>{words["optional"]}</span></label>
<input id="name" name="name" autocomplete="username" maxlength="{MOST_NAME}"
 aria-describedby="hint" value="{html.escape(name)}"{"" if wrong else " autofocus"}>
<p class="hint" id="hint">{words["hint"]}</p>
<label for="password">{words["password"]}</label>
<input id="password" name="password" type="password" autocomplete="current-password"
 required{flaw}>
<input type="hidden" name="next" value="{html.escape(following)}">
<button>{words["log-in"]}</button>
</form>""")


def logout_page(words: dict[str, str] = WORDS["en"]) -> str:
    """Write the page with the button that ends the session."""
    return _page(words, "log-out", f"""
<p>{words["kept"]}</p>
<form method="post" action="logout"><button>{words["log-out"]}</button></form>""")


def _page(words: dict[str, str], title: str, content: str) -> str:
    return f"""<!doctype html>
<html lang="{words["tag"]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{words[title]} · Inspector</title>
<link rel="icon" href="data:,">
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>Inspector</h1>{content}
</main>
</body>
</html>
"""
