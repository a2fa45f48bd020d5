"""Asks axe-core, an engine that knows the rules of accessibility, about a page.

The script comes with the package ``axe-playwright-python`` and goes into the page past its policy,
as the browser's own tools do.
"""

from __future__ import annotations

from importlib.resources import files

from playwright.sync_api import Page

_SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
_RUN = """async (runOnly) => {
  const found = await axe.run(document, {runOnly, resultTypes: ['violations']});
  return found.violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id}: ${node.target.join(' ')}: ${[...node.any, ...node.all, ...node.none]
      .map((check) => check.message).join('; ')}`));
}"""


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """Give what breaks WCAG 2.2 at the levels A and AA on a page as it is now, a line each.

    No part of the page is left out, Gradio's wrapper included.

    Args:
        page: What is looked at.
        rules: Of axe-core, by name, where another test asks the rest; None for all of the levels.
    """
    if rules == []:
        return []
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(_SCRIPT)
    only = {"type": "tag", "values": _TAGS} if rules is None else {"type": "rule", "values": rules}
    return list(page.evaluate(_RUN, only))
