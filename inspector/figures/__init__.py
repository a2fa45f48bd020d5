"""Figures of one example or many, as SVG and as PNG: the picture, its masks, words below.

``make_figure`` puts together what is drawn, ``to_svg`` and ``to_png`` draw the same thing.
"""

from inspector.figures.captions import Caption, Mark
from inspector.figures.figure import Figure, make_figure
from inspector.figures.look import LAYERS, Colours, Look, read_look
from inspector.figures.png import to_png
from inspector.figures.sheet import sheet_png, sheet_svg
from inspector.figures.svg import to_svg

__all__ = [
    "LAYERS", "Caption", "Colours", "Figure", "Look", "Mark", "make_figure", "read_look",
    "sheet_png", "sheet_svg", "to_png", "to_svg",
]
