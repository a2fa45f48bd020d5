"""Which examples are shown, in which order: filters and orders over the score table in DuckDB."""

from inspector.browse.browser import Browser
from inspector.browse.filters import FILTERS, Filter
from inspector.browse.selection import Selection, read_selection
from inspector.browse.sorts import SORTS, Sort

__all__ = ["FILTERS", "SORTS", "Browser", "Filter", "Selection", "Sort", "read_selection"]
