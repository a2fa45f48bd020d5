"""The socket that a server listens on."""

from __future__ import annotations

import socket

from inspector.core.errors import UsageError

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


def listen_for_people(host: str, port: int | None) -> socket.socket:
    """Listen on the address of a command line; no port takes 7860, or the next free one.

    Raises:
        UsageError: If that address or port cannot be had.
    """
    for candidate in [port] if port is not None else range(7860, 7960):
        try:
            return listen(host, candidate)
        except socket.gaierror as error:
            raise UsageError(
                f"'{host}' is no address of this machine ({error}). Write --host 127.0.0.1, or "
                "0.0.0.0 for all of its addresses."
            ) from error
        except (OSError, OverflowError) as error:
            if port is not None:
                raise UsageError(
                    f"Port {port} of {host} cannot be used ({error}). Choose another with --port."
                ) from error
    raise UsageError("No port from 7860 to 7959 is free. Choose one with --port.")


def check_port(host: str, port: int | None) -> None:
    """Say at once, before minutes of reading, that a port cannot be had.

    Raises:
        UsageError: As :func:`listen_for_people`.
    """
    if port is not None:
        listen_for_people(host, port).close()
