"""How a figure looks: its layer, colours and what else is laid over the photograph."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from inspector.core.errors import UsageError, say_choices

Role = Literal["truth", "prediction", "agreement"]
AGREEMENT_SHARE = 0.62  # white would hide the photograph more than the colours do


@dataclass(frozen=True, slots=True)
class Colours:
    """The three colours that carry meaning, as ``#rrggbb``; those of the page by default.

    Raises:
        UsageError: If one is not written so.
    """

    truth: str = "#0072b2"
    prediction: str = "#d55e00"
    agreement: str = "#ffffff"

    def __post_init__(self) -> None:
        for role in self.__slots__:
            written = getattr(self, role)
            if not re.fullmatch(r"#?[0-9A-Fa-f]{6}", written):
                raise UsageError(
                    f"The colour of {role} is '{written[:40]}'. "
                    "Write six hexadecimal digits, such as 0072B2."
                )
            object.__setattr__(self, role, f"#{written.removeprefix('#').lower()}")

    def of(self, role: Role) -> str:
        """Give the colour of a role."""
        return str(getattr(self, role))


@dataclass(frozen=True, slots=True)
class Layer:
    """What is laid over the photograph; the same as the page draws (``ui/viewer/layers.js``).

    Attributes:
        key: As in the address of the page.
        fills: Roles that are filled; ``agreement`` fills both, each where it is alone.
        lines: Roles that are outlined, with the width of the line in pixels of the page.
        roles: Masks that are looked at, for boxes.
    """

    key: str
    fills: tuple[Role, ...]
    lines: tuple[tuple[Role, float], ...]
    roles: tuple[Role, ...]


_BOTH: tuple[Role, ...] = ("truth", "prediction")

LAYERS: tuple[Layer, ...] = (
    Layer("agreement", ("agreement",), (("truth", 2), ("prediction", 2)), _BOTH),
    Layer("contours", (), (("truth", 2.5), ("prediction", 2.5)), _BOTH),
    Layer("fill", _BOTH, (("truth", 1.5), ("prediction", 1.5)), _BOTH),
    Layer("truth", ("truth",), (("truth", 2),), ("truth",)),
    Layer("prediction", ("prediction",), (("prediction", 2),), ("prediction",)),
    Layer("picture", (), (), ()),
)


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that a figure's look is chosen by.

    Attributes:
        layer: Key of :data:`LAYERS`.
        opacity: Of filled areas, in [0, 1].
        colours: Of truth, prediction and both.
        others: Whether the other annotated objects are outlined.
        second: Whether a second ground truth is outlined, dotted.
        boxes: Whether boxes are drawn around the masks.

    Raises:
        UsageError: If the layer does not exist or the opacity is no share.
    """

    layer: str = "agreement"
    opacity: float = 0.6
    colours: Colours = Colours()
    others: bool = False
    second: bool = True
    boxes: bool = False

    def __post_init__(self) -> None:
        layers = [layer.key for layer in LAYERS]
        if self.layer not in layers:
            raise UsageError(f"No layer '{self.layer[:40]}'. {say_choices(self.layer, layers)}")
        if not 0 <= self.opacity <= 1:
            raise UsageError(f"{self.opacity} is no opacity. Write a number from 0 to 1.")

    @property
    def drawn(self) -> Layer:
        """The entry of :data:`LAYERS`."""
        return next(layer for layer in LAYERS if layer.key == self.layer)


def read_look(query: Mapping[str, str], *, second: str = "second") -> Look:
    """Read a look from the keys of an address; a switch that is not there is off.

    Keys are ``layer``, ``opacity``, ``others``, ``boxes`` and that of the second ground truth
    (``0`` or ``1``), and a colour each as ``truth``, ``prediction``, ``agreement``.

    Args:
        query: Keys and values.
        second: Key of the second ground truth, where ``second`` is a filter.

    Raises:
        UsageError: If one of them cannot be read.
    """
    own = Look()
    written = query.get("opacity") or f"{own.opacity}"
    try:
        opacity = float(written) if len(written) < 20 else -1.0
    except ValueError:
        opacity = -1.0
    if not 0 <= opacity <= 1:
        raise UsageError(f"'{written[:40]}' is no opacity. Write a number from 0 to 1.")
    colours = Colours()
    return Look(
        layer=query.get("layer") or own.layer,
        opacity=opacity,
        colours=Colours(*(query.get(role) or colours.of(role)
                          for role in ("truth", "prediction", "agreement"))),
        others=read_switch(query, "others"),
        second=read_switch(query, second),
        boxes=read_switch(query, "boxes"),
    )


def read_switch(query: Mapping[str, str], key: str) -> bool:
    """Read ``0`` or ``1`` from an address; off where it is not set.

    Raises:
        UsageError: If it is something else.
    """
    written = query.get(key) or "0"
    if written not in ("0", "1"):
        raise UsageError(f"'{written[:40]}' does not say whether there is '{key}'. Write 0 or 1.")
    return written == "1"
