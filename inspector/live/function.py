"""A model that is a Python function, called in a process of its own."""

from __future__ import annotations

import sys
import threading

from inspector.core.mask import Mask
from inspector.live.answers import read_run_lengths
from inspector.live.model import ModelError, Question
from inspector.live.process import ChildProcess, EndedError

START_SECONDS = 600.0
"""For the import of a module, which may load weights of some gigabytes."""

_ANEW = "It is started anew for the next question."


class FunctionModel:
    """Calls ``module:function`` with a PIL picture and a sentence in a child process.

    The process is kept, so that what the module loads is loaded once. One that gives no answer in
    time, or ends, takes nothing else with it: it is ended with all that it started, and a new one
    is there for the next question. The protocol is frames of JSON, so that nothing of a model is
    unpickled here.

    Args:
        function: ``module:function``; the module is found as ``python -m`` would find it.
        timeout: Seconds for one answer.
        name: For people; the function itself if empty.
    """

    def __init__(self, function: str, *, timeout: float, name: str = "") -> None:
        self.name = name or function
        self.timeout = timeout
        self._function = function
        self._calling = threading.Lock()  # one question at a time
        self._changing = threading.Lock()  # guards the three below
        self._process: ChildProcess | None = None
        self._is_ready = False
        self._is_closed = False

    def launch(self) -> None:
        """Begin to import the module, without waiting for it.

        Raises:
            ModelError: If no process can be started.
        """
        with self._changing:
            if self._is_closed:
                raise ModelError(f"The model '{self.name}' was closed.")
            if self._process is not None:
                return
            try:
                self._process = ChildProcess()
            except OSError as error:
                raise ModelError(
                    f"No process can be started for the model ({error.strerror or error})."
                ) from error
            self._is_ready = False
            self._process.send({"function": self._function, "path": sys.path})

    def start(self) -> None:
        """Wait until the module is imported.

        Raises:
            ModelError: If it cannot be imported, has no such function, or takes longer than
                :data:`START_SECONDS`.
        """
        with self._calling:
            self._started()

    def answer(self, question: Question) -> Mask | None:
        """Call the function; see :meth:`inspector.live.model.Model.answer`."""
        with self._calling:
            process = self._started()
            process.send({"sentence": question.sentence}, question.picture.content)
            try:
                head = process.receive(self.timeout)
            except TimeoutError:
                self._end()
                raise ModelError(
                    f"The model gave no answer within {self.timeout:g} s and was stopped. {_ANEW} "
                    "If it needs longer, load weights when the module is imported, or raise "
                    "--model-timeout."
                ) from None
            except EndedError as error:
                self._end()
                raise ModelError(self._describe_end(error)) from error
        if "failed" in head:
            raise ModelError(str(head["failed"]))
        mask = head.get("mask")
        return None if mask is None else read_run_lengths(mask, question.picture.size_hw)

    def close(self) -> None:
        """End the process, in the middle of an answer too."""
        with self._changing:
            self._is_closed = True
            process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _started(self) -> ChildProcess:
        """Give the process once it has imported the module."""
        with self._changing:
            process = self._process
        if process is not None and self._is_ready and not process.is_running:
            self._end()  # it ended between two questions
        self.launch()
        with self._changing:
            process, is_ready = self._process, self._is_ready
        if process is None:
            raise ModelError(f"The model '{self.name}' was closed.")
        if is_ready:
            return process
        try:
            head = process.receive(START_SECONDS)
        except TimeoutError:
            self._end()
            raise ModelError(
                f"The model '{self.name}' was not imported within {START_SECONDS:g} s and was "
                "stopped."
            ) from None
        except EndedError as error:
            self._end()
            raise ModelError(
                f"The model '{self.name}' cannot be imported: its process ended ({error})."
            ) from error
        if "failed" in head:
            self._end()
            raise ModelError(str(head["failed"]))
        self._is_ready = True
        return process

    def _end(self) -> None:
        with self._changing:
            process, self._process = self._process, None
            self._is_ready = False
        if process is not None:
            process.kill()

    def _describe_end(self, error: EndedError) -> str:
        if self._is_closed:
            return f"The model '{self.name}' was closed."
        return f"The model's process ended without an answer ({error}). {_ANEW}"
