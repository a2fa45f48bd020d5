"""What people found out by looking: reviews of drawn failures."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.report.markup import Markup, Section, element, join, scrolled_table
from inspector.report.options import Review


def make_reviews(reviews: Sequence[Review]) -> Section:
    """Write what each review queue came to."""
    return Section("review", "Reviewed by people", join(_review(review) for review in reviews))


def _review(review: Review) -> Markup:
    head = element("tr", join(
        element("th", text, scope="col", class_="number" if place else None)
        for place, text in enumerate(review.header)
    ))
    rows = [
        element("tr", element("th", element("bdi", row[0]), scope="row"),
                join(element("td", cell, class_="number") for cell in row[1:]))
        for row in review.rows
    ]
    table = scrolled_table(head, rows, caption="What the review came to")
    return join((
        join(element("p", line) for line in review.lines), table if review.rows else None,
        join(element("p", line, class_="note") for line in review.notes),
    ))
