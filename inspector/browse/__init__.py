"""Which examples are shown, in which order: filters and orders over the score table in DuckDB."""

from inspector.browse.browser import Browser
from inspector.browse.filters import FILTERS, Filter
from inspector.browse.selection import ALL_RUNS, Selection, read_selection
from inspector.browse.sorts import SORTS, Sort
from inspector.browse.table_browser import make_browser

__all__ = [
    "ALL_RUNS", "FILTERS", "SORTS", "Browser", "Filter", "Selection", "Sort", "make_browser",
    "read_selection",
]
