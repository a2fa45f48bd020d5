"""The photographs of a report, each once, and small enough that the file can be sent."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.figures.photograph import Photograph, read_photograph
from inspector.formats.pictures import PictureStore
from inspector.report.markup import Markup, element, join
from inspector.report.options import Progress
from inspector.report.wording import count
from inspector.workspace import Workspace

_STEPS = ((1_600, 88), (1_280, 85), (1_024, 82), (800, 78), (640, 72), (480, 65), (320, 55))
"""Longest side in pixels and JPEG quality, tried in turn until a picture is small enough."""
_FOURTHS = 3 / 4  # base64 writes three bytes as four characters


@dataclass(frozen=True, slots=True)
class Shown:
    """One photograph of the report.

    Attributes:
        number: Its number, for its id in the page.
        size_hw: Height and width that its masks have, to which it is stretched.
        photograph: The bytes, or why there are none.
        was_changed: Whether it was written anew, smaller than it is stored.
    """

    number: int
    size_hw: tuple[int, int]
    photograph: Photograph
    was_changed: bool

    def define(self) -> Markup | None:
        """Write the picture once, to be shown by :meth:`use`; None where there is none."""
        if self.photograph.content is None:
            return None
        height, width = self.size_hw
        data = base64.b64encode(self.photograph.content).decode()
        return element(
            "image", id=f"picture-{self.number}", width=f"{width}", height=f"{height}",
            preserveAspectRatio="none", href=f"data:{self.photograph.kind};base64,{data}",
        )

    def use(self) -> Markup | None:
        """Show the picture that :meth:`define` wrote; None where there is none."""
        if self.photograph.content is None:
            return None
        return element("use", href=f"#picture-{self.number}")


@dataclass(frozen=True, slots=True)
class Pictures:
    """All photographs of a report by their row in the data set."""

    by_row: Mapping[int, Shown]

    def define(self) -> Markup:
        """Write every photograph, to stand unseen at the end of the page."""
        return element(
            "svg", element("defs", join(shown.define() for shown in self.by_row.values())),
            class_="store", width="0", height="0", aria_hidden="true", focusable="false",
        )

    def describe(self) -> str:
        """Say which pictures are not as they are stored, as sentences."""
        changed = sum(shown.was_changed for shown in self.by_row.values())
        absent = sum(shown.photograph.content is None for shown in self.by_row.values())
        parts = []
        if changed:
            parts.append(
                f"{changed:,} of {count(len(self.by_row), 'picture')} "
                f"{'was' if changed == 1 else 'were'} compressed anew to keep the file small; "
                "masks and numbers are exact and of the original size."
            )
        if absent:
            parts.append(f"{count(absent, 'picture')} could not be read and "
                         f"{'is' if absent == 1 else 'are'} shown as a grey field.")
        return " ".join(parts)


def collect_pictures(
    workspace: Workspace, rows: Sequence[int], *, most_bytes: int, longest_side: int,
    progress: Progress | None = None,
) -> Pictures:
    """Read the pictures of some examples, each once, and make the large ones smaller.

    Args:
        workspace: Where they belong to.
        rows: Rows of ``dataset.images``; repetitions are welcome.
        most_bytes: What all of them together may take of the file, as base64.
        longest_side: Pixels from which a picture is made smaller in any case.
        progress: Called with (what, done, all).
    """
    store = PictureStore()
    wanted = list(dict.fromkeys(rows))
    images = workspace.dataset.images
    read = []
    for done, row in enumerate(wanted):
        if progress:
            progress("read pictures", done, len(wanted))
        photograph = read_photograph(store, images[row].location)
        small = photograph
        if max(images[row].size_hw) > longest_side:
            small = _first_below(photograph, images[row].size_hw, longest_side, None)
        read.append((photograph, small))
    share = fair_share(
        [len(small.content or b"") for _, small in read], int(most_bytes * _FOURTHS)
    )
    shown = {}
    for number, (row, (photograph, small)) in enumerate(zip(wanted, read, strict=True), 1):
        if progress:
            progress("compress pictures", number, len(wanted))
        size = images[row].size_hw
        if len(small.content or b"") > share:
            small = _first_below(photograph, size, longest_side, share)
        shown[row] = Shown(number, size, small, small is not photograph)
    return Pictures(shown)


def fair_share(sizes: Sequence[int], total: int) -> int:
    """Find the largest size to which each must keep so that all fit; small ones leave room.

    Example:
        >>> fair_share([10, 20, 90], 60)
        30
    """
    left, waiting = total, sorted(sizes)
    for place, size in enumerate(waiting):
        share = left // (len(waiting) - place)
        if size > share:
            return share
        left -= size
    return max(waiting, default=0)


def _first_below(
    photograph: Photograph, size_hw: tuple[int, int], longest_side: int, most: int | None
) -> Photograph:
    """Write a picture as JPEG with the first step that makes it small enough; the last at least."""
    made = photograph
    for side, quality in _STEPS:
        side = min(side, longest_side)
        scale = min(1.0, side / max(size_hw))
        height, width = (max(1, round(length * scale)) for length in size_hw)
        small = _compress(photograph, (height, width), quality)
        if small is None:  # cannot be decoded: the browser says it with a grey field
            return Photograph(None, reason="The picture cannot be read.")
        made = small
        if most is None or len(made.content or b"") <= most:
            break
    return made


def _compress(photograph: Photograph, size_hw: tuple[int, int], quality: int) -> Photograph | None:
    from PIL import Image

    pixels = photograph.pixels(size_hw)
    if pixels is None:
        return None
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality, optimize=True)
    return Photograph(out.getvalue(), "image/jpeg")
