from __future__ import annotations

import pytest

from inspector.core.ids import id_text


@pytest.mark.parametrize(("value", "expected"), [
    pytest.param(718034, "718034", id="whole number"),
    pytest.param(718034.0, "718034", id="float"),
    pytest.param("718034", "718034", id="text"),
    pytest.param("718034.0", "718034", id="text of a float"),
    pytest.param("718034.000", "718034", id="text of a float with more zeros"),
    pytest.param(" 718034 ", "718034", id="spaces around"),
    pytest.param(0, "0", id="zero is an id"),
    pytest.param("0.0", "0", id="zero as text of a float"),
    pytest.param("718034.5", "718034.5", id="text with another fraction stays"),
    pytest.param("coins-1", "coins-1", id="a word"),
    pytest.param("v1.0", "v1.0", id="a word that ends like a float"),
    pytest.param("12.jpg", "12.jpg", id="a file name"),
    pytest.param("tensor(718034)", "718034", id="a tensor as text"),
    pytest.param("tensor([718034])", "718034", id="a tensor of one number as text"),
    pytest.param("tensor(718034, device='cuda:0')", "718034", id="a tensor of a device as text"),
    pytest.param("tensor(718034, dtype=torch.int32)", "718034", id="a tensor of a type as text"),
    pytest.param("np.int64(718034)", "718034", id="a number of numpy's as text"),
    pytest.param("tensor([1, 2])", "tensor([1, 2])", id="a tensor of two numbers stays"),
    pytest.param("tensor(5.)", "tensor(5.)", id="a tensor of a fraction stays"),
    pytest.param("cup (2)", "cup (2)", id="words that end with a bracket stay"),
    pytest.param(2**60, "1152921504606846976", id="large numbers keep all digits"),
])
def test_an_id_is_written_one_way(value, expected):
    assert id_text(value) == expected


@pytest.mark.parametrize(("value", "text"), [
    pytest.param(True, "must be text or a whole number, but got True", id="true"),
    pytest.param(None, "must be text or a whole number, but got None", id="null"),
    pytest.param(7.5, "must be a whole number, but got 7.5", id="fraction"),
    pytest.param(float("inf"), "must be a whole number, but got inf", id="infinity"),
    pytest.param("", "must be text or a whole number, but got ''", id="empty"),
    pytest.param("  ", "must be text or a whole number, but got '  '", id="blank"),
    pytest.param([7], r"must be text or a whole number, but got '\[7\]'", id="list"),
    pytest.param({"id": 7}, "must be text or a whole number, but got", id="object"),
])
def test_what_is_no_id_is_refused(value, text):
    with pytest.raises(ValueError, match=text):
        id_text(value)
