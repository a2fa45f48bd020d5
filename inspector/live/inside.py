"""A model that is a function of this very program, such as one in a notebook."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable
from typing import Any

from inspector.core.mask import Mask
from inspector.live.answers import read_answer
from inspector.live.blame import describe
from inspector.live.model import ModelError, Question
from inspector.live.pictures import to_pixels


class InsideModel:
    """Calls a function in a thread of this program, where its weights are loaded already.

    What crashes here crashes the program, and a call that hangs can be left but not ended: as
    long as it goes on, further questions are refused. ``module:function`` has neither fault.

    Args:
        function: Called with a PIL picture and a sentence.
        timeout: Seconds for one answer.
    """

    def __init__(self, function: Callable[[Any, str], Any], *, timeout: float) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self.timeout = timeout
        self._function = function
        self._calling = threading.Lock()
        self._thread: threading.Thread | None = None
        self._said: queue.SimpleQueue[Mask | None | ModelError] = queue.SimpleQueue()

    def launch(self) -> None:
        """Nothing: it is there."""

    def start(self) -> None:
        """Nothing: it is there."""

    def answer(self, question: Question) -> Mask | None:
        """Call the function; see :meth:`inspector.live.model.Model.answer`."""
        with self._calling:
            if self._thread is not None and self._thread.is_alive():
                raise ModelError(
                    f"The model '{self.name}' is still at an earlier question, which took longer "
                    f"than {self.timeout:g} s. It runs inside this program and cannot be stopped."
                )
            self._said = said = queue.SimpleQueue()
            self._thread = threading.Thread(
                target=self._call, args=(question, said), name="model", daemon=True
            )
            self._thread.start()
            try:
                answer = said.get(timeout=self.timeout)
            except queue.Empty:
                raise ModelError(
                    f"The model '{self.name}' gave no answer within {self.timeout:g} s. It runs "
                    "inside this program and cannot be stopped; raise model_timeout if it needs "
                    "longer."
                ) from None
            if isinstance(answer, ModelError):
                raise answer
            self._thread.join()  # it has said its last
            return answer

    def close(self) -> None:
        """Leave a call that is running."""
        self._said.put(ModelError(f"The model '{self.name}' was closed."))

    def _call(
        self, question: Question, said: queue.SimpleQueue[Mask | None | ModelError]
    ) -> None:
        try:
            picture = to_pixels(question.picture.content)
            try:
                value = self._function(picture, question.sentence)
            except BaseException as error:  # a thread of ours; exit() must not end the page
                traceback.print_exc()
                said.put(ModelError(f"The model raised {describe(error)}."))
                return
            said.put(read_answer(value, question.picture.size_hw))
        except ModelError as error:
            said.put(error)
