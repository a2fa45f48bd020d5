"""Ways to break bytes and nested values; everything is drawn from the generator that is given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

TEXTS = (
    "", " ", "\0", "\ud800", "\u202e", "x" * 300, "<b>", "../../etc/passwd", "/dev/zero", "NaN",
    "b'1'", "é", "🐈", "0", "-1", "val", "train", "1", "7330;", "{}", "[1]", "'", "\n", ".", "a/b",
)
NUMBERS = (
    0, -0.0, 1, -1, 2, 255, 2**31, -(2**31), 2**32, 2**53, 2**63, 2**64, -(2**63), 10**30,
    10**4000, 0.5, 1e18, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), float("nan"),
)


def nested(depth: int, wrap: Callable[[Any], Any] = lambda inner: [inner]) -> Any:
    """Put a container into a container and so on."""
    value: Any = 0
    for _ in range(depth):
        value = wrap(value)
    return value


def hostile(rng: Random) -> Any:
    """Give a value that is seldom expected."""
    kind = rng.randrange(13)
    if kind == 12:  # JSON that is as deep as Python's parser can just bear, or no longer
        return f"deep {rng.choice('[{')}{rng.choice((900, 940, 960, 970, 980, 985, 990, 2000))}"
    if kind < 3:
        return rng.choice(TEXTS)
    if kind < 6:
        return rng.choice(NUMBERS)
    return (
        None, rng.random() < 0.5, [], {}, [rng.choice(NUMBERS)] * rng.randrange(9),
        nested(rng.choice((3, 60, 300)), rng.choice((_in_list, _in_dict))),
    )[kind - 6]


def _in_list(value: Any) -> Any:
    return [value]


def _in_dict(value: Any) -> Any:
    return {"size": value}


def mutate(value: Any, rng: Random, times: int) -> Any:
    """Change some places of a nested value; it is changed itself, and given back."""
    holder = [value]
    for _ in range(times):
        container, key = _some_place(holder, rng)
        _change(container, key, rng)
    return holder[0]


def _some_place(holder: list[Any], rng: Random) -> tuple[Any, Any]:
    """Walk down from the root by chance."""
    container: Any = holder
    key: Any = 0
    while True:
        inner = container[key]
        if not isinstance(inner, (list, dict)) or not inner or rng.random() < 0.12:
            return container, key
        container = inner
        key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))


def _change(container: Any, key: Any, rng: Random) -> None:
    kind = rng.randrange(8)
    value = container[key]
    if kind == 0 and len(container) > 1:
        del container[key]
    elif kind == 1 and isinstance(container, list):
        container.insert(key, value)
    elif kind == 2 and isinstance(value, (int, float)) and not isinstance(value, bool):
        container[key] = value + rng.choice((-1, 1, 2**31, 0.5 if abs(value) < 1e300 else 7))
    elif kind == 3 and isinstance(value, str):
        container[key] = mutate_text(value, rng)
    elif kind == 4:
        container[key] = rng.choice(([value], str(value)[:200], {"0": value}))
    elif kind == 5 and isinstance(container, dict):
        container[rng.choice(TEXTS)] = value
    elif kind == 6 and isinstance(container, list) and len(container) > 1:
        other = rng.randrange(len(container))
        container[key], container[other] = container[other], container[key]
    else:
        container[key] = hostile(rng)


def mutate_text(text: str, rng: Random) -> str:
    place = rng.randrange(len(text) + 1)
    other = rng.choice(TEXTS)
    return rng.choice((text[:place], text[place:], text[:place] + other + text[place:], text * 2))


def mutate_bytes(data: bytes, rng: Random, times: int) -> bytes:
    """Flip, cut, repeat, insert or remove bytes in some places."""
    for _ in range(times):
        begin = rng.randrange(len(data) + 1)
        end = min(begin + rng.choice((1, 1, 2, 4, 8, 40)), len(data))
        piece = data[begin:end]
        changed = (
            bytes(byte ^ (1 << rng.randrange(8)) for byte in piece),
            b"", piece * 2, rng.randbytes(len(piece)), rng.choice((b"\xff" * 4, b"\0" * 8, b"\n")),
        )[rng.randrange(5)]
        data = data[:begin] + changed + data[end:]
        if rng.random() < 0.05:
            data = data[: rng.randrange(len(data) + 1)]
    return data


def dump_json(value: Any) -> bytes:
    """Write JSON as tools do that look at nothing: NaN, half characters, endless nesting."""
    data = json.dumps(value).encode("utf-8", "surrogatepass")
    return re.sub(rb'"deep ([{\[])(\d+)"', _deep, data)


def _deep(found: re.Match[bytes]) -> bytes:
    begin, end = (b"[", b"]") if found[1] == b"[" else (b'{"size":', b"}")
    return begin * int(found[2]) + b"0" + end * int(found[2])
