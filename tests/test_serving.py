"""The command that serves: what it refuses to start, and what it answers over a real connection."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.cli import main

REPOSITORY = Path(__file__).resolve().parents[1]
WORD = "correct horse"


@pytest.mark.parametrize(("options", "said"), [
    (["--host", "0.0.0.0"], "--host 0.0.0.0 lets other machines reach the page, so it needs a"),
    (["--host", "0.0.0.0", "--password", "/nowhere/at/all"], "cannot be read (No such file"),
    (["--password", "x", "--no-password"], "contradict each other. Leave one out."),
    (["--allow-host", "https://hub.example"], "--allow-host takes the name of a host"),
    (["--root-path", "x"], "--root-path takes the path under which a proxy shows the page"),
])
def test_what_is_wrong_is_said_before_anything_is_read(options, said, capsys, monkeypatch):
    monkeypatch.delenv("INSPECTOR_PASSWORD", raising=False)
    assert main(["open", "/no/such/data", "--no-browser", *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and said in error
    assert len(error.splitlines()) == 1


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[int, str]]:
    """Serve the demo on every address of this machine; gives the port and what was printed."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "password.txt").write_text(f"{WORD}\n")
    environment = {
        **{k: v for k, v in os.environ.items() if k != "INSPECTOR_PASSWORD"},
        "FORWARDED_ALLOW_IPS": "*", "INSPECTOR_CACHE": "off",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "inspector", "open", "demo", "--no-browser", "--host", "0.0.0.0",
         "--port", "0", "--password", str(folder / "password.txt"),
         "--findings", str(folder / "inspector.findings.sqlite")],
        cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True,
    )
    printed = ""
    for line in process.stdout:
        printed += line
        if "Inspector is at" in line:
            break
    yield int(re.search(r"127\.0\.0\.1:(\d+)", printed)[1]), printed
    process.terminate()
    process.wait(20)
    process.stdout.close()


def ask(port: int, *lines: str, host: str = "127.0.0.1", body: bytes = b"") -> tuple[int, str]:
    """Send a request as it is written and give the status and all that came back."""
    with socket.create_connection((host, port), timeout=20) as connection:
        connection.sendall("\r\n".join((*lines, "", "")).encode("latin1") + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    text = answer.decode("latin1")
    return int(text.split()[1]), text


def test_the_password_is_not_printed(served):
    assert WORD not in served[1]
    assert "Inspector is at http://127.0.0.1:" in served[1]


def test_the_login_is_reached_and_nothing_tells_what_serves_it(served):
    port, _ = served
    status, text = ask(port, "GET /login HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close")
    assert status == 200
    assert "server:" not in text.lower() and "uvicorn" not in text.lower()
    assert "x-content-type-options: nosniff" in text
    status, text = ask(port, "GET /data/start HTTP/1.1", f"Host: 127.0.0.1:{port}",
                       "Connection: close")
    assert status == 401


@pytest.mark.parametrize("lines", [
    ("GET / HTTP/1.1", "Host: evil.example"),
    ("GET / HTTP/1.1", "Host: 0.0.0.0"),
    ("GET / HTTP/1.1", "Host: 192.0.2.77"),  # not the address that the connection came in at
    ("GET / HTTP/1.1", "Host: 127.0.0.1", "X-Forwarded-Host: x", "Host: evil.example"),
    ("GET / HTTP/1.0",),
    ("GET http://evil.example/ HTTP/1.1", "Host: evil.example"),
    ("GET /..%2f..%2fetc/passwd HTTP/1.1", "Host: 127.0.0.1"),
    ("GET /../../etc/passwd HTTP/1.1", "Host: 127.0.0.1"),
    ("GET http://127.0.0.1/login HTTP/1.1", "Host: 127.0.0.1"),
    ("CONNECT evil.example:443 HTTP/1.1", "Host: 127.0.0.1"),
    ("GET /" + "a" * 200_000 + " HTTP/1.1", "Host: 127.0.0.1"),
    ("GET / HTTP/1.1", "Host: 127.0.0.1", "X: " + "a" * 200_000),
    ("GET / HTTP/1.1", "Host: 127.0.0.1", *(f"X-{n}: y" for n in range(20_000))),
    ("POST /login HTTP/1.1", "Host: 127.0.0.1", "Origin: http://127.0.0.1",
     "Content-Length: 999999999"),
    ("POST /login HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 5", "Transfer-Encoding: chunked"),
    ("GET / HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
     "Sec-WebSocket-Key: x", "Origin: http://evil.example"),
    ("nonsense",),
], ids=lambda lines: lines[0][:50])
def test_what_is_not_meant_is_refused_over_a_real_connection(served, lines):
    try:
        status, text = ask(served[0], *lines, *(["Connection: close"] if len(lines) < 100 else []))
    except (ConnectionResetError, BrokenPipeError):
        return  # hung up while we were still sending
    assert status in (400, 403, 404, 405, 413, 431)
    assert "Traceback" not in text and "root:" not in text


def test_a_visitor_from_elsewhere_cannot_claim_to_come_over_https(served):
    """Only a proxy on this machine is believed, whatever the environment says."""
    port, printed = served
    found = re.search(r"and http://([\d.]+):", printed)
    if found is None:
        pytest.skip("this machine has no address but its own")
    form = f"password={WORD.replace(' ', '+')}".encode()
    status, text = ask(
        port, "POST /login HTTP/1.1", f"Host: {found[1]}:{port}",
        f"Origin: http://{found[1]}:{port}", "X-Forwarded-Proto: https", "Connection: close",
        "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}",
        host=found[1], body=form,
    )
    assert status == 303
    assert "HttpOnly; SameSite=Lax\r\n" in text  # not Secure, or the cookie would not come back
