"""One small picture for each failure mode, from the demo: ``make_pictures.py failures``."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.core.failures import FAILURE_MODES
from inspector.figures import Look, make_figure, to_png
from inspector.formats.request import LoadRequest
from inspector.workspace import Workspace, open_workspace

WIDTH = 320  # pixels
_COLOURS = 128


@dataclass(frozen=True, slots=True)
class Case:
    """An example of the demo that shows a failure mode.

    Attributes:
        run: Name of the demo's run.
        example_id: Of the example.
        words: What there is to see; stands below the picture in ``docs/failures.md``.
        others: Whether the other objects are outlined.
    """

    run: str
    example_id: str
    words: str
    others: bool = False


CASES: dict[str, Case] = {
    "missing": Case("words", "130", "The file of the run has no line for this sentence: there is "
                    "only the target."),
    "invalid": Case("words", "128", "The mask is cut off in the file, so that only the target can "
                    "be shown."),
    "false_target": Case("words", "164", "There is no dog. The flower was marked."),
    "correct": Case("box", "140", "White is what both hold: most of the squirrel."),
    "empty": Case("words", "139", "The eye is the target; nothing was marked."),
    "wrong_referent": Case("words", "117", "The whole orange in the corner was meant; the slice in "
                           "front was marked.", others=True),
    "wrong_object": Case("words", "126", "The saucer was meant; the cup was marked.", others=True),
    "several_objects": Case("saliency", "101", "One coin was meant; the mask holds most of them."),
    "part": Case("words", "157", "Only the lower half of the rocket was marked."),
    "spill": Case("words", "148", "The whole leaf was marked, and much beside it."),
    "background": Case("words", "140", "The squirrel was meant; a bit of the background was "
                       "marked."),
    "loose": Case("words", "153", "Part of the tower was marked, and of the wall below it."),
}
"""By failure mode, chosen by eye; a test holds each against the scores."""


def make_failures(folder: Path) -> None:
    """Write a picture for each mode as ``<mode>.png``, 320 pixels wide, in 128 colours."""
    folder.mkdir(parents=True, exist_ok=True)
    workspace = open_workspace(LoadRequest("demo"), [])
    for mode in FAILURE_MODES:
        (folder / f"{mode.key}.png").write_bytes(draw_case(workspace, CASES[mode.key]))


def draw_case(workspace: Workspace, case: Case) -> bytes:
    """Draw one example as PNG; its lines are as thick as the page's on a picture of this width."""
    from PIL import Image

    figure = make_figure(
        workspace, workspace.dataset.index_of[case.example_id], run=case.run,
        look=Look(others=case.others),
    )
    scale = WIDTH / figure.size_hw[1]
    drawn = to_png(replace(figure, unit=1 / scale), scale=scale, caption=False)
    out = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as picture:
        picture.convert("RGB").quantize(_COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()
