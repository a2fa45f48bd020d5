"""What is selected, written for other programs: rows of scores, and masks as run lengths."""

from inspector.exporting.masks import (
    Masks,
    prediction_coco,
    prediction_lines,
    truth_coco,
    truth_lines,
)
from inspector.exporting.rows import Rows

__all__ = [
    "Masks", "Rows", "prediction_coco", "prediction_lines", "truth_coco", "truth_lines",
]
