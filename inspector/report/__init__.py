"""The report: one self-contained HTML page with numbers, charts and examples to present.

``build_report`` makes it from a workspace; ``choose_first``, ``choose_named`` and
``choose_tagged`` say which examples it shows.
"""

from inspector.report.building import Report, build_report
from inspector.report.choosing import (
    choose_first,
    choose_named,
    choose_tagged,
    read_ids,
    read_where,
)
from inspector.report.options import Chosen, Remark, ReportOptions, Review, now

__all__ = [
    "Chosen", "Remark", "Report", "ReportOptions", "Review", "build_report", "choose_first",
    "choose_named", "choose_tagged", "now", "read_ids", "read_where",
]
