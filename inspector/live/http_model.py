"""A model that is a server of one's own: JSON there, JSON back. See ``docs/live-model.md``."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import queue
import socket
import ssl
import threading
from typing import Any
from urllib.parse import SplitResult, urlsplit

from inspector.core.errors import UsageError
from inspector.core.json_faults import kind_of
from inspector.core.mask import Mask
from inspector.live.answers import read_run_lengths
from inspector.live.model import ModelError, Question

MOST_BYTES = 16_000_000
"""Of an answer; run lengths of a mask are some hundred bytes, of noise some megabytes."""

TOKEN = "INSPECTOR_MODEL_TOKEN"
"""Environment variable; sent as ``Authorization: Bearer …`` where it is set."""

_LOCAL = ("localhost", "127.0.0.1", "::1")


class HttpModel:
    """Asks one address, which the user gave at the start; nothing that is answered leads elsewhere.

    Args:
        address: ``https://host[:port]/path``; ``http://`` for this machine only, since pictures
            would otherwise travel for all to read.
        timeout: Seconds for one answer, from the connection to the last byte.

    Raises:
        UsageError: If the address is no such address, or the token in the environment is none.
    """

    def __init__(self, address: str, *, timeout: float) -> None:
        self._parts = _check(address)
        self._token = _read_token()
        port = f":{self._parts.port}" if self._parts.port else ""
        self.name = f"{self._parts.hostname}{port}"
        self.timeout = timeout
        self._calling = threading.Lock()
        self._call: _Call | None = None
        self._is_closed = False

    def launch(self) -> None:
        """Nothing: the server is somebody else's."""

    def start(self) -> None:
        """Nothing: whether it answers is found out by asking."""

    def answer(self, question: Question) -> Mask | None:
        """POST the question; see :meth:`inspector.live.model.Model.answer`."""
        body = json.dumps({
            "image": base64.b64encode(question.picture.content).decode("ascii"),
            "sentence": question.sentence,
        }).encode()
        with self._calling:
            if self._is_closed:
                raise ModelError(f"The model at {self.name} was closed.")
            self._call = _Call(self._parts, body, self.timeout, token=self._token)
            try:
                status, reason, content = self._call.wait(self.timeout)
            except TimeoutError:
                raise ModelError(
                    f"The model at {self.name} gave no answer within {self.timeout:g} s. If it "
                    "needs longer, raise --model-timeout."
                ) from None
            except (OSError, http.client.HTTPException) as error:
                raise ModelError(self._describe(error)) from error
        return self._read(status, reason, content, question)

    def close(self) -> None:
        """Leave a call that is running."""
        self._is_closed = True
        if self._call is not None:
            self._call.leave()

    def _read(
        self, status: int, reason: str, content: bytes | None, question: Question
    ) -> Mask | None:
        where = f"The model at {self.name}"
        if 300 <= status < 400:
            raise ModelError(
                f"{where} answered with a redirect (status {status}), which is not followed. "
                "Give the address that it leads to."
            )
        if content is None:
            raise ModelError(
                f"{where} answered with more than {MOST_BYTES:,} bytes. Send the mask as run "
                "lengths."
            )
        if status != 200:
            said = _excerpt(content)
            raise ModelError(
                f"{where} answered with status {status} {reason}".rstrip()
                + (f": {said}" if said else ".")
            )
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            raise ModelError(
                f'{where} answered with no JSON: "{_excerpt(content)}". Expected is '
                '{"mask": {"size": [h, w], "counts": …}} or {"mask": null}.'
            ) from None
        return self._mask_of(value, question)

    def _mask_of(self, value: Any, question: Question) -> Mask | None:
        where = f"The model at {self.name}"
        if not isinstance(value, dict) or "mask" not in value:
            found = (
                f"an object with the keys {', '.join(map(str, value))[:100] or '(none)'}"
                if isinstance(value, dict) else kind_of(value)
            )
            raise ModelError(
                f'{where} answered with {found}. Expected is {{"mask": …}}; null there says '
                '"no target".'
            )
        if value["mask"] is None:
            return None
        if not isinstance(value["mask"], dict):
            raise ModelError(
                f"{where} answered with a mask that is {kind_of(value['mask'])}. "
                'Expected are COCO run lengths {"size": [h, w], "counts": …} or null.'
            )
        return read_run_lengths(value["mask"], question.picture.size_hw)

    def _describe(self, error: Exception) -> str:
        where = f"The model at {self.name}"
        if self._is_closed:
            return f"{where} was closed."
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"{where} has no certificate that can be trusted ({error.verify_message})."
        if isinstance(error, ConnectionRefusedError):
            return f"{where} cannot be reached: nothing listens there. Is its server running?"
        if isinstance(error, socket.gaierror):
            return f"{where} cannot be reached: the name is not known."
        if isinstance(error, http.client.RemoteDisconnected):
            return f"{where} closed the connection without an answer."
        if isinstance(error, http.client.IncompleteRead):
            return f"{where} closed the connection in the middle of its answer."
        if isinstance(error, http.client.HTTPException):
            return f"{where} did not answer in HTTP ({type(error).__name__})."
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return f"{where} cannot be reached ({said})."


class _Call:
    """One request in a thread of its own, which can be left behind wherever it waits."""

    def __init__(self, parts: SplitResult, body: bytes, timeout: float, *, token: str) -> None:
        self._parts, self._body, self._token = parts, body, token
        self._done: queue.SimpleQueue[tuple[int, str, bytes | None] | Exception] = (
            queue.SimpleQueue()
        )
        self._connection = self._make(timeout)
        threading.Thread(target=self._run, name="model request", daemon=True).start()

    def wait(self, seconds: float) -> tuple[int, str, bytes | None]:
        """Give status, reason and body (None: too long).

        Raises:
            TimeoutError: If they are not there in time.
            OSError, http.client.HTTPException: If something else went wrong.
        """
        try:
            found = self._done.get(timeout=seconds)
        except queue.Empty:
            self.leave()
            raise TimeoutError from None
        if isinstance(found, Exception):
            raise found
        return found

    def leave(self) -> None:
        """Cut the connection, so that neither side goes on."""
        self._done.put(ConnectionAbortedError("left"))
        with contextlib.suppress(OSError, AttributeError):
            self._connection.sock.shutdown(socket.SHUT_RDWR)

    def _make(self, timeout: float) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=context)
        return http.client.HTTPConnection(host, port, timeout=timeout)

    def _run(self) -> None:
        try:
            self._done.put(self._exchange())
        except Exception as error:  # given to who waits
            self._done.put(error)
        finally:
            self._connection.close()

    def _exchange(self) -> tuple[int, str, bytes | None]:
        headers = {
            "Content-Type": "application/json", "Accept": "application/json",
            "Accept-Encoding": "identity", "User-Agent": "inspector", "Connection": "close",
        }
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        path = self._parts.path or "/"
        path += f"?{self._parts.query}" if self._parts.query else ""
        self._connection.request("POST", path, self._body, headers)
        answer = self._connection.getresponse()
        content = answer.read(MOST_BYTES + 1)
        declared = answer.length  # what is left of a stated length: 0 if all has come
        if len(content) <= MOST_BYTES and declared:
            raise http.client.IncompleteRead(content, declared)
        return answer.status, answer.reason, content if len(content) <= MOST_BYTES else None


def _read_token() -> str:
    """Read the token; the message does not show it, since logs would keep it."""
    token = os.environ.get(TOKEN, "")
    if not all(" " <= sign <= "~" for sign in token):
        raise UsageError(
            f"The environment variable {TOKEN} holds a line break or a sign beyond ASCII, which no "
            "HTTP header takes. Set it to the token alone."
        )
    return token


def _check(address: str) -> SplitResult:
    shown = address if len(address) <= 80 else address[:79] + "…"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"'{shown}' is no address ({error}).") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise UsageError(f"'{shown}' is no address of a model. Write https://host/path.")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "An address with a name or password in it is not taken, since other programs can read "
            f"it there. Set the environment variable {TOKEN}."
        )
    if not address.isascii() or any(c.isspace() or ord(c) < 33 for c in address):
        raise UsageError(f"'{shown}' is no address: it holds signs that must be written as %XX.")
    if parts.scheme == "http" and parts.hostname not in _LOCAL:
        raise UsageError(
            f"'{shown}' is not encrypted, and pictures would travel for all to read. Write "
            "https://…, or bring the port here with ssh -L and write http://localhost:PORT."
        )
    return parts


def _excerpt(content: bytes) -> str:
    text = " ".join(content[:2000].decode("utf-8", errors="replace").split())
    return text if len(text) <= 200 else text[:199] + "…"
