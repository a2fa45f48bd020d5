"""Something wrong in the data, kept with it and shown: nothing is lost in silence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from inspector.core.errors import printable

Severity = Literal["error", "warning", "info"]

PROBLEM_CODES: dict[str, str] = {
    "missing-picture": "The file of a picture was not found; its masks are still shown.",
    "picture-size": "A picture's own size is not the one that its annotations name.",
    "turned-picture": "A picture's EXIF data asks viewers to turn it; its masks are not turned.",
    "broken-picture": "A picture file cannot be read.",
    "broken-mask": "A ground-truth mask cannot be read; examples that need it are not scored.",
    "missing-truth": "The data has no ground truth for a sentence; it is listed, not scored.",
    "empty-target": "A ground-truth mask has no pixel although the example has a target.",
    "dropped-polygon": "A polygon with fewer than three points was left out of its mask.",
    "overlapping-polygons": "Polygons of one object overlap; they are joined by union.",
    "box-differs": "An annotated box is not the box around its mask (told by check).",
    "crowd-region": "A region of many things is no object of its own and is told apart.",
    "no-sentences": "A referent without sentences was left out.",
    "unknown-category": "A category is not known: its id is not listed, or its name is a stand-in.",
    "duplicate-record": "A record stands more than once; the first counts.",
    "level-guessed": "Object and part are told apart by a guess; --refs gives a better rule.",
    "altered-data": "The format cannot hold all of the original, which changes scores.",
    "bad-record": "A record is not of the documented shape and was left out.",
    "no-pictures": "The format holds no pictures and none were found; masks are still shown.",
    "size-mismatch": "A predicted mask is not of its picture's size; scored as the rule says.",
    "broken-prediction": "A predicted mask cannot be read; scored as the rule says.",
    "ambiguous-key": "A prediction's key fits several examples and cannot tell them apart.",
    "shared-key": "Several examples share a key; predictions were taken in order.",
    "duplicate-prediction": "A further prediction for an example that has one; the first counts.",
    "unmatched-prediction": "A prediction that belongs to no example of this data set.",
    "cut-off-file": "The last line of a file is not complete; where a run may still be growing, "
    "the records before it were read.",
    "extra-file": "A file of a mask folder whose name fits no example.",
    "other-split": "Predictions belong to another split or data set, which is named.",
    "row-order": "Predictions have no keys and were taken in order; a probe says if that is right.",
    "iou-differs": "The IoU that a file gives differs from ours by more than 0.001.",
    "counts-contradict": "Pixel counts in a file cannot be those of their example.",
    "box-scale": "The scale of a file's boxes was inferred; the message says from what.",
    "broken-box": "A predicted box cannot be read; scored as the rule says.",
    "several-boxes": "An answer holds several boxes or segments; the message says what counts.",
    "mask-values": "How grey, coloured or soft mask values were read, with their histogram.",
    "ambiguous-names": "Names or keys fit examples in more than one way; the message says which.",
    "other-file": "A file of the folder is no prediction and was left out.",
    "file-changed": "A file changed while it was read; read it again.",
    "table-rules": "A table of scores does not say by which rules it was scored.",
    "table-absent": "A table of scores has no row of some examples; they are missing.",
    "table-object": "A table of scores names an object that the data set does not have.",
    "table-masks": "A prediction to be shown is not the one that the table scored.",
    "run-not-read": "A run could not be read; the others are shown.",
    "hub-not-reached": "The hub could not be reached; the data set is as it was at the last look.",
    "counts-differ": "The numbers of examples differ from the published ones.",
    "truths-size": "A picture has another size in the second ground truth; it is not compared.",
    "truths-ids": "Equal ids of two ground truths are not of the same objects and were not used.",
    "truths-ambiguous": "Referents of two ground truths fit in several ways; they are left out.",
    "truths-apart": "The two masks of a matched referent hardly overlap.",
    "truths-counts": "A file without masks cannot be scored under a second ground truth.",
}
"""Every code and what it means; a test holds the documentation against this table."""

_LISTED = 200  # occurrences of one code that are kept one by one; the rest is counted


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, or several of a kind.

    Attributes:
        code: Key of :data:`PROBLEM_CODES`.
        severity: ``error`` (a number or a picture is affected), ``warning`` (nothing lost, but
            look) or ``info``.
        where: File, line, record or example, as precise as is known.
        message: What was found against what was expected, as a sentence.
        count: How many occurrences this entry stands for.
    """

    code: str
    severity: Severity
    where: str
    message: str
    count: int = 1

    def to_json(self) -> dict[str, str | int]:
        """Give the object of the contract's ``problems`` list."""
        return {
            "code": self.code,
            "severity": self.severity,
            "count": self.count,
            "where": self.where,
            "message": self.message,
        }


class ProblemLog:
    """Collects problems while files are read; lists the first of each kind, counts the rest."""

    def __init__(self) -> None:
        self._listed: list[Problem] = []
        self._counts: Counter[tuple[str, Severity]] = Counter()

    def add(
        self, code: str, severity: Severity, where: str, message: str, *, count: int = 1
    ) -> None:
        """Keep one occurrence, or one entry that stands for ``count`` of them."""
        if code not in PROBLEM_CODES:
            raise KeyError(f"problem code {code!r} is not in PROBLEM_CODES")
        self._counts[code, severity] += 1
        if self._counts[code, severity] <= _LISTED:
            self._listed.append(
                Problem(code, severity, printable(where), printable(message), count)
            )

    def close(self) -> tuple[Problem, ...]:
        """Give everything that was added; what was only counted comes last, as one entry a kind."""
        rest = [
            Problem(code, severity, "", f"{count - _LISTED:,} more of the same kind.",
                    count - _LISTED)
            for (code, severity), count in self._counts.items()
            if count > _LISTED
        ]
        return (*self._listed, *rest)
