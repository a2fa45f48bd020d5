"""Grey pictures of 16 bits keep what can be seen of them."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from inspector.core.grey import eight_bits


@pytest.mark.parametrize(("values", "expected"), [
    pytest.param(np.array([[0, 255, 0x8000, 0xFFFF]], np.uint16), [[0, 0, 128, 255]], id="16 bits"),
    pytest.param(np.array([[0, 128, 255]], np.uint8), [[0, 128, 255]], id="8 bits"),
])
def test_the_upper_eight_bits_are_kept(values, expected):
    assert np.asarray(eight_bits(Image.fromarray(values))).tolist() == expected
