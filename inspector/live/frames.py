"""How a model's process and the inspector talk: a JSON head and bytes, their lengths before them.

Nothing that arrives is executed or unpickled, and nothing longer than a limit is taken in.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

_LENGTHS = struct.Struct(">II")
MOST_HEAD = 16_000_000
MOST_BODY = 400_000_000

Head = dict[str, Any]


class FrameError(Exception):
    """The bytes are no frame."""


def write_frame(stream: BinaryIO, head: Head, body: bytes = b"") -> None:
    """Write one frame.

    Raises:
        FrameError: If the head is longer than :data:`MOST_HEAD`, before anything is written.
        OSError: If nobody reads any more.
    """
    encoded = json.dumps(head).encode("ascii")
    if len(encoded) > MOST_HEAD:
        raise FrameError(f"a head of {len(encoded):,} bytes; at most {MOST_HEAD:,} are sent")
    stream.write(_LENGTHS.pack(len(encoded), len(body)) + encoded)
    stream.write(body)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[Head, bytes] | None:
    """Read one frame; None where the stream has ended.

    Raises:
        FrameError: If there is something else.
    """
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    if head_length > MOST_HEAD or body_length > MOST_BODY:
        raise FrameError(f"a frame of {head_length:,} and {body_length:,} bytes")
    encoded, body = stream.read(head_length), stream.read(body_length)
    if len(encoded) < head_length or len(body) < body_length:
        return None
    try:
        head = json.loads(encoded)
    except (ValueError, RecursionError) as error:
        raise FrameError("a head that is no JSON") from error
    if not isinstance(head, dict):
        raise FrameError("a head that is no JSON object")
    return head, body
