"""A writer for every format, and what must come out of what it writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from inspector.core.mask import Mask
from tests.formats import layouts, repacks
from tests.formats.writing import TARGETS, write_jsonl, write_refcoco_m, write_refer


@dataclass(frozen=True)
class Scene:
    """What comes out; formats that hold less of the scene than others say so here.

    ``codes`` are the problems that a format always has, because it is known to be a poor copy.
    """

    targets: dict[str, Mask] = field(default_factory=lambda: TARGETS)
    images: tuple[int, ...] = (1, 1, 1, 2)
    categories: tuple[str, ...] = ("cup", "cup", "cup", "dog")
    referents: tuple[int, ...] = (0, 0, 1, 2)
    codes: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.targets)


NO_NAMES = ("object",) * 4

WRITERS: dict[str, Callable[[Path], Path]] = {
    "refer": write_refer,
    "refcoco-m": write_refcoco_m,
    "fiftyone": layouts.write_fiftyone,
    "refcocom": layouts.write_refcocom,
    "grefcoco": layouts.write_grefcoco,
    "ref-zom": layouts.write_ref_zom,
    "r-refcoco": layouts.write_r_refcoco,
    "reasonseg": layouts.write_reasonseg,
    "cris": layouts.write_cris,
    "jxu124": repacks.write_jxu124,
    "jxu124-benchmark": repacks.write_benchmark,
    "lmms-lab": repacks.write_lmms_lab,
    "ricky06662": repacks.write_ricky06662,
    "jsonl": write_jsonl,
}
SCENES: dict[str, Scene] = {key: Scene() for key in WRITERS} | {
    "refcocom": Scene(codes=frozenset({"level-guessed"})),
    "reasonseg": Scene(  # one sentence a picture
        {text: TARGETS[text] for text in ("left mug", "a dog")},
        (1, 2), NO_NAMES[:2], (0, 1),
    ),
    "lmms-lab": Scene(categories=NO_NAMES, codes=frozenset({"altered-data"})),
    "ricky06662": Scene(categories=NO_NAMES),
}
