from __future__ import annotations

import json

import pytest

from inspector.core.json_faults import json_fault, kind_of


@pytest.mark.parametrize(("value", "words"), [
    ({}, "an object"), ([], "a list"), ((), "a list"), ("x", "text"), (b"x", "bytes"),
    (1, "a number"), (1.5, "a number"), (True, "true or false"), (None, "null"),
    ({1}, "of the type 'set'"),
])
def test_a_value_is_named_as_people_call_it(value, words):
    assert kind_of(value) == words


@pytest.mark.parametrize(("text", "said"), [
    pytest.param('{"a": [', "is not complete JSON at character 7", id="cut"),
    pytest.param("[" * 100_000, "is nested too deeply", id="deep"),
    pytest.param("9" * 5_000, "holds a number of more than 4,300 digits", id="digits"),
])
def test_what_is_wrong_is_told_apart(text, said):
    # a number of 5,000 digits was said to be a file that is cut off
    with pytest.raises((ValueError, RecursionError)) as raised:
        json.loads(text)
    problem, hint = json_fault(raised.value)
    assert problem == said
    assert hint.endswith((".", "?"))


def test_a_constant_that_is_no_json_is_named():
    def refuse(constant):
        raise ValueError(f"{constant} is no number")

    with pytest.raises(ValueError, match="NaN") as raised:
        json.loads("[NaN]", parse_constant=refuse)
    assert json_fault(raised.value) == ("is not JSON: NaN is no number", "")
