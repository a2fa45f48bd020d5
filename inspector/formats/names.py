"""One name for a data set, however its folder, file or hub id writes it."""

from __future__ import annotations

import re

_FAMILY = re.compile(
    r"(?P<kind>[gr]?refcoco|refclef|refzom)(?P<plus>\+|plus|p|g)?(?P<by>unc|umd|google|final|u|g)?"
)
_BY = {"u": "umd", "g": "google"}
USUAL_SPLIT_BY = {"refcoco": "unc", "refcoco+": "unc", "refcocog": "umd"}
"""The split-by of re-packs that do not name theirs."""


def canonical_name(text: str) -> tuple[str, str]:
    """Give the usual name of a data set of the RefCOCO family, and the split-by its name says.

    Args:
        text: Name of a folder or file, such as ``refcoco_plus``, ``RefCOCO+`` or ``refcocog_u``.

    Returns:
        Name and split-by; the text as it is, and an empty split-by, where it is no known name.

    Example:
        >>> canonical_name("RefCOCOplus"), canonical_name("refcocog-umd"), canonical_name("mine")
        (('refcoco+', ''), ('refcocog', 'umd'), ('mine', ''))
    """
    found = _FAMILY.fullmatch(re.sub(r"[\s_\-]", "", text.casefold()))
    if not found:
        return text, ""
    kind = "ref-zom" if found["kind"] == "refzom" else found["kind"]
    plus = {"g": "g", None: ""}.get(found["plus"], "+")
    by = found["by"] or ""
    return kind + plus, _BY.get(by, by)


def name_and_split(text: str) -> tuple[str, str, str]:
    """Take a name that ends in a split apart: data set, split-by, split (empty where not said).

    Example:
        >>> name_and_split("refcoco_plus_unc_testA"), name_and_split("refcocog_val")
        (('refcoco+', 'unc', 'testA'), ('refcocog', '', 'val'))
    """
    found = re.fullmatch(r"(?P<name>.+?)[_\-](?P<split>train|val|validation|test[A-C]*)", text)
    if not found:
        return (*canonical_name(text), "")
    return (*canonical_name(found["name"]), found["split"])
