"""Picture files that are broken, of unusual kinds, or much larger than they look."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

from PIL import Image


def saved(kind: str, mode: str, size: tuple[int, int] = (6, 4), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 1 if mode in ("1", "L", "P", "I;16", "I", "F") else None).save(
        buffer, kind, **options
    )
    return buffer.getvalue()


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (6, 4), (shade, 0, 0)) for shade in (9, 99, 199)]
    buffer = io.BytesIO()
    frames[0].save(buffer, kind, save_all=True, append_images=frames[1:], duration=20, loop=0)
    return buffer.getvalue()


def chunk(kind: bytes, content: bytes) -> bytes:
    crc = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + crc


def png_head(width: int, height: int, *, rows: bytes = b"") -> bytes:
    """Write a PNG that says it has any size; of its pixels only what is given is there."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows)
            + chunk(b"IEND", b""))


def png_bomb(side: int) -> bytes:
    """Write a whole PNG of one colour, a thousandth of the size of its pixels."""
    packer = zlib.compressobj(9)
    row = b"\0" * (side * 3 + 1)
    rows = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return png_head(side, side, rows=rows)


def text_bomb() -> bytes:
    """Write a PNG whose comment unpacks to 200 MB."""
    packed = zlib.compress(b"\0" * 200_000_000, 9)
    whole = saved("PNG", "RGB")
    return whole[:33] + chunk(b"zTXt", b"Comment\0\0" + packed) + whole[33:]


def jpeg(size: tuple[int, int] = (6, 4)) -> bytes:
    return saved("JPEG", "RGB", size)


READABLE: dict[str, Callable[[], bytes]] = {
    "16-bit PNG": lambda: saved("PNG", "I;16"),
    "CMYK JPEG": lambda: saved("JPEG", "CMYK"),
    "grey JPEG": lambda: saved("JPEG", "L"),
    "palette PNG": lambda: saved("PNG", "P"),
    "one bit": lambda: saved("PNG", "1"),
    "with alpha": lambda: saved("PNG", "RGBA"),
    "grey with alpha": lambda: saved("PNG", "LA"),
    "animated GIF": lambda: animated("GIF"),
    "animated PNG": lambda: animated("PNG"),
    "animated WebP": lambda: animated("WEBP"),
    "text at its end": lambda: jpeg() + b"<script>alert(1)</script>",
}
"""Kinds of which a browser and the thumbnails show something."""

UNREADABLE: dict[str, Callable[[], bytes]] = {
    "0 bytes": lambda: b"",
    "one byte": lambda: b"\xff",
    "a head alone": lambda: jpeg()[:4],
    "half a head": lambda: png_head(6, 4)[:20],
    "a web page": lambda: b"<!doctype html><script>alert(1)</script>",
    "an SVG": lambda: b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    "beyond what a mask may have": lambda: png_head(50_000, 50_000),
    "the largest there is": lambda: png_head(2**31 - 1, 2**31 - 1),
    "no side": lambda: png_head(0, 0),
}
"""Of these not even the size can be told, or it is too large."""

CUT_OFF: dict[str, Callable[[], bytes]] = {
    "JPEG": lambda: jpeg((60, 40))[:-200],
    "PNG": lambda: png_head(6, 4, rows=b""),
    "broken rows": lambda: png_head(6, 4, rows=b"\xff" * 20),
    "GIF": lambda: animated("GIF")[:40],
}
"""The size can be told, the pixels not, or not all."""
