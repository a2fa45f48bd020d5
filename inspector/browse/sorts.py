"""Orders of the examples; every one is total, so that a page is the same each time."""

from __future__ import annotations

from dataclasses import dataclass

_UNSCORED_LAST = "status_rank"  # scored, then missing, invalid, no truth

@dataclass(frozen=True, slots=True)
class Sort:
    """One order.

    Attributes:
        key: Name in the address.
        label: In English.
        column: What it goes by.
        descending: Whether the largest comes first, unless reversed.
        ties: ORDER BY clause for equal values; the place in the data set decides at last.
        needs_run: Whether it looks at a run; then what was not scored comes last both ways.
        needs_second: Whether it looks at a second ground truth.
        needs_spread: Whether it looks at how the sentences of a target differ, which is measured
            when it is first asked for.
    """

    key: str
    label: str
    column: str
    descending: bool = False
    ties: str = ""
    needs_run: bool = False
    needs_second: bool = False
    needs_spread: bool = False

    def order_by(self, *, reverse: bool) -> str:
        """Give the ORDER BY clause."""
        direction = "DESC" if self.descending != reverse else "ASC"
        parts = [_UNSCORED_LAST] if self.needs_run else []
        parts += [f"{self.column} {direction} NULLS LAST", self.ties, "place"]
        return ", ".join(part for part in parts if part)


SORTS: tuple[Sort, ...] = (
    Sort("worst", "Worst first", "iou", ties="teaching_rank, target_area DESC", needs_run=True),
    Sort("best", "Best first", "iou", descending=True, ties="target_area DESC", needs_run=True),
    Sort("id", "Order of the data set", "place"),
    Sort("area", "Largest target first", "target_area", descending=True),
    Sort("prediction", "Largest prediction first", "prediction_area", descending=True,
         needs_run=True),
    Sort("sentence", "Sentence, A to Z", "sentence_rank"),
    Sort("words", "Longest sentence first", "words", descending=True, ties="sentence_rank"),
    Sort("category", "Category", "category_rank", ties="target_area DESC"),
    Sort("failure", "Failure mode", "teaching_rank", ties="iou, target_area DESC",
         needs_run=True),
    Sort("same", "Most others of its category first", "same", descending=True,
         ties="target_area DESC"),
    Sort("image", "Picture", "image_row"),
    Sort("ref", "Referent", "referent"),
    Sort("found", "Findings, newest first",
         "(SELECT max(age) FROM found WHERE found.place = examples.place)", descending=True),
    Sort("spread", "Sentences of the target differ most", "spread", descending=True,
         ties="referent, iou", needs_run=True, needs_spread=True),
    Sort("agreement", "Masks of the target agree least", "agreement",
         ties="referent, iou", needs_run=True, needs_spread=True),
    Sort("truth_iou", "Truths agree least", "truth_iou", needs_second=True),
    Sort("truth_shift", "Truth A lies outside most", "truth_shift", descending=True,
         needs_second=True),
    Sort("truth_ratio", "Truth B is smallest against A", "truth_ratio", needs_second=True),
)
