"""A child process that is talked to in frames, and how it ended."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from inspector.live.frames import FrameError, Head, read_frame, write_frame

_LOOK_SECONDS = 0.5  # how often is looked whether a process that says nothing is still there
_END_SECONDS = 2.0  # after its last word, for a process that crashes to be gone

_PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import inspector
del sys.path[0]
from inspector.live.child import main
main()
"""
"""The current folder stays first on the path, as for ``python -m``, but this package is the one
that is imported, wherever it lies."""


class EndedError(Exception):
    """The process ended instead of answering; says how."""


class ChildProcess:
    """A new interpreter that runs :mod:`inspector.live.child`.

    Its standard error, and what it prints, go where those of this process go. With it end the
    processes that it started.

    Raises:
        OSError: If it cannot be started.
    """

    def __init__(self) -> None:
        program = _PROGRAM.format(folder=str(Path(__file__).resolve().parents[2]))
        self._process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-c", program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )
        self._killing = threading.Lock()
        self._killed = False
        self._frames: queue.SimpleQueue[Head | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="model answers", daemon=True).start()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def send(self, head: Head, body: bytes = b"") -> None:
        """Send a frame without waiting until it is taken: a process that hangs takes nothing."""
        threading.Thread(
            target=self._write, args=(head, body), name="model question", daemon=True
        ).start()

    def receive(self, seconds: float) -> Head:
        """Wait for the next frame.

        Raises:
            TimeoutError: If none came in that time.
            EndedError: If the process ended.
        """
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            ended = not self.is_running  # before the last look: what it said before it ended counts
            try:
                head = self._frames.get(timeout=max(0.0, min(left, _LOOK_SECONDS)))
            except queue.Empty:
                if ended:
                    self.kill()  # what it started
                    raise EndedError(self._describe_end()) from None
                if left <= 0:
                    raise TimeoutError from None
                continue
            if head is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_END_SECONDS)
                self.kill()
                raise EndedError(self._describe_end())
            return head

    def kill(self) -> None:
        """End it and what it started, at once."""
        with self._killing:
            if self._killed:  # its number may belong to another process by now
                return
            self._killed = True
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
            self._process.wait()

    def _describe_end(self) -> str:
        code = self._process.wait()
        if code >= 0:
            return f"exit status {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "unknown"
        hint = ": perhaps there was not enough memory" if name == "SIGKILL" else ""
        return f"signal {-code}, {name}{hint}"

    def _write(self, head: Head, body: bytes) -> None:
        # That it has ended, or was ended, is told by the other stream.
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                write_frame(self._process.stdin, head, body)

    def _listen(self) -> None:
        try:
            while self._process.stdout is not None:
                frame = read_frame(self._process.stdout)
                if frame is None:
                    break
                self._frames.put(frame[0])
        except (FrameError, OSError, ValueError):
            pass
        self._frames.put(None)
