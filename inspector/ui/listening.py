"""The socket that a server listens on."""

from __future__ import annotations

import socket

_WAITING = 128
"""Connections that wait rather than being refused."""


def listen(host: str, port: int = 0) -> socket.socket:
    """Listen on an address.

    The protocol is named, although TCP is the only one: asyncio sends small pieces at once only
    on a socket whose protocol it can read. Otherwise the second piece of an answer waits until
    the browser has acknowledged the first, which takes it 40 ms.

    Args:
        host: An address of this machine, IPv6 if it holds a colon.
        port: Port; 0 takes any that is free.

    Raises:
        OSError: If the address or the port cannot be had.
        OverflowError: If there is no such port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_WAITING)
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener
