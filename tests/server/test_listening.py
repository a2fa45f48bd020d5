"""The socket of the server: small pieces are sent at once."""

from __future__ import annotations

import asyncio
import socket

import pytest

from inspector.ui.listening import listen


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_connection_waits_for_no_acknowledgement(host):
    try:
        listener = listen(host)
    except OSError:
        pytest.skip("this machine has no IPv6")
    assert asyncio.run(no_delay_of_the_server_s_side(listener))


async def no_delay_of_the_server_s_side(listener: socket.socket) -> bool:
    """Accept one connection as uvicorn does and read the option that matters."""
    found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        side = writer.get_extra_info("socket")
        found.set_result(bool(side.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
        writer.close()

    server = await asyncio.start_server(accepted, sock=listener)
    _, writer = await asyncio.open_connection(*listener.getsockname()[:2])
    option = await asyncio.wait_for(found, 10)
    writer.close()
    server.close()
    return option


def test_a_port_that_is_taken_is_not_taken_twice():
    with listen("127.0.0.1") as first, pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", first.getsockname()[1])
