"""What a function may return for a mask, and what is said of everything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from inspector.core.errors import MaskError, SizeMismatchError
from inspector.core.mask import Mask
from inspector.live.model import ModelError

EXPECTED = "a boolean NumPy array (H, W), a run-length mask {'size', 'counts'} or None"


def read_answer(value: Any, size_hw: tuple[int, int]) -> Mask | None:
    """Read what a function returned.

    Args:
        value: Anything.
        size_hw: Of the picture; the mask must have it. Nothing is resized: how a model's frame
            lies in the picture only the model's author knows.

    Returns:
        The mask; None, the model's way to say "no target", stays None.

    Raises:
        ModelError: If it is neither a boolean array (or one of whole numbers with only 0 and 1)
            nor run lengths nor None, or is not of the picture's size. Nothing is thresholded
            here: where a soft mask is cut decides the score, so it is not guessed.
    """
    if value is None:
        return None
    if isinstance(value, dict):
        return read_run_lengths(value, size_hw)
    if not isinstance(value, np.ndarray):
        raise ModelError(
            f"The model returned {_kind(value)}. Expected is {EXPECTED}.{_hint(value)}"
        )
    if value.shape != tuple(size_hw):
        raise ModelError(
            f"The model returned an array of shape {_shape(value.shape)} for a picture of shape "
            f"{_shape(size_hw)} (height, width).{_shape_hint(value.shape, size_hw)}"
        )
    return Mask.from_array(_to_bool(value))


def read_run_lengths(value: dict[str, Any], size_hw: tuple[int, int]) -> Mask:
    """Read a COCO run-length mask of the picture's size.

    Raises:
        ModelError: If it is none.
    """
    try:
        return Mask.from_coco(value, size_hw)
    except SizeMismatchError as error:
        raise ModelError(f"The model returned run lengths of another size: {error}.") from error
    except MaskError as error:
        raise ModelError(f"The model returned run lengths that are broken: {error}.") from error


def _to_bool(array: np.ndarray) -> np.ndarray:
    if array.dtype == bool:
        return array
    if array.dtype.kind == "f":
        low, high = (float(end(array)) for end in (np.min, np.max))
        raise ModelError(
            f"The model returned an array of {array.dtype} from {low:.3g} to {high:.3g}. A soft "
            "mask is not cut here, since that decides the score: return mask > 0.5, or what your "
            "model's authors use."
        )
    if array.dtype.kind not in "iu":
        raise ModelError(f"The model returned an array of {array.dtype}. Expected is {EXPECTED}.")
    if ((array != 0) & (array != 1)).any():
        values = np.unique(array)
        shown = ", ".join(str(v) for v in values[:4].tolist()) + (", …" if len(values) > 4 else "")
        raise ModelError(
            f"The model returned an array of {array.dtype} with the values {shown}. Whole numbers "
            "must be 0 or 1: return a boolean array, such as mask > 0 or mask == 255."
        )
    return array.astype(bool)


def _kind(value: Any) -> str:
    return f"a {type(value).__module__}.{type(value).__qualname__}".replace("a builtins.", "a ")


def _hint(value: Any) -> str:
    module = type(value).__module__.partition(".")[0]
    if module == "torch":
        return " Return mask.cpu().numpy()."
    if module == "PIL":
        return " Return numpy.asarray(picture) > 0 of a grey picture."
    if isinstance(value, (list, tuple)):
        return " Of several masks, return one, or their union."
    return ""


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _shape_hint(shape: tuple[int, ...], size_hw: tuple[int, int]) -> str:
    if shape == tuple(size_hw)[::-1]:
        return " Are rows and columns swapped? Return mask.T."
    if len(shape) == 3 and 1 in (shape[0], shape[-1]):
        return f" Return {'mask[0]' if shape[0] == 1 else 'mask[..., 0]'}."
    if len(shape) == 2:
        return " Bring the mask back to the picture's size."
    return ""
