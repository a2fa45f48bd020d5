"""Draw the icon: ground truth blue, prediction orange, white where both agree.

Run from the top of the project: ``python assets/make_icon.py``.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).resolve().parents[1] / "inspector" / "ui" / "viewer"
INK, TRUTH, PREDICTION, BOTH = "#1b1e23", "#0072b2", "#d55e00", "#ffffff"
RADIUS, LEFT, RIGHT, MIDDLE = 0.23, 0.385, 0.615, 0.5  # of the side; inside the maskable circle
SMOOTH = 4  # drawn so much larger, then made smaller


def draw(side: int) -> Image.Image:
    """Draw it with a side of so many pixels."""
    large = side * SMOOTH
    image = Image.new("RGB", (large, large), INK)

    def disc(x: float) -> Image.Image:
        mask = Image.new("L", image.size, 0)
        box = [large * (x - RADIUS), large * (MIDDLE - RADIUS),
               large * (x + RADIUS), large * (MIDDLE + RADIUS)]
        ImageDraw.Draw(mask).ellipse(box, fill=255)
        return mask

    left, right = disc(LEFT), disc(RIGHT)
    image.paste(TRUTH, mask=left)
    image.paste(PREDICTION, mask=right)
    image.paste(BOTH, mask=Image.composite(right, Image.new("L", image.size, 0), left))
    return image.resize((side, side), Image.Resampling.LANCZOS)


def as_svg() -> str:
    """Write the same as SVG, for browsers."""
    def circle(x: float, colour: str, more: str = "") -> str:
        return f'<circle cx="{100 * x:g}" cy="50" r="{100 * RADIUS:g}" fill="{colour}"{more}/>'

    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<clipPath id="left">{circle(LEFT, "#000")}</clipPath>'
        f'<rect width="100" height="100" rx="22" fill="{INK}"/>'
        f'{circle(LEFT, TRUTH)}{circle(RIGHT, PREDICTION)}'
        f'{circle(RIGHT, BOTH, " clip-path=" + chr(34) + "url(#left)" + chr(34))}</svg>\n'
    )


if __name__ == "__main__":
    for side in (192, 512):
        draw(side).save(FOLDER / f"icon-{side}.png", optimize=True)
    (FOLDER / "icon.svg").write_text(as_svg(), encoding="utf-8")
