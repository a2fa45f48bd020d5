"""The process in which a function is called: it imports the user's module, nothing else does.

It reads frames from standard input and writes frames to standard output. The two are put out of
the way before the module is imported, so that a ``print`` of the model reaches the terminal and
cannot be taken for an answer.
"""

from __future__ import annotations

import importlib
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

from inspector.core.errors import say_choices
from inspector.live.answers import read_answer
from inspector.live.blame import describe
from inspector.live.frames import FrameError, Head, read_frame, write_frame
from inspector.live.model import ModelError
from inspector.live.pictures import to_pixels

Function = Callable[[Any, str], Any]


def main() -> None:
    """Import the function that the first frame names, then answer until the stream ends."""
    asked, answers = _take_streams()
    frames: queue.SimpleQueue[tuple[Head, bytes]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked, frames), daemon=True).start()
    head, _ = frames.get()
    sys.path += [entry for entry in head["path"] if entry not in sys.path]
    try:
        function = find_function(head["function"])
    except ModelError as error:
        write_frame(answers, {"failed": str(error)})
        return
    write_frame(answers, {"ready": True})
    while True:
        head, body = frames.get()
        reply = answer(function, body, head["sentence"])
        try:
            write_frame(answers, reply)
        except FrameError as error:
            write_frame(answers, {"failed": f"The model's mask is too ragged to send ({error})."})


def find_function(spec: str) -> Function:
    """Import ``module:function``; the function may be an attribute of one, joined by dots.

    Raises:
        ModelError: If that fails.
    """
    module_name, _, name = spec.partition(":")
    try:
        found: Any = importlib.import_module(module_name)
    except BaseException as error:  # a module may even call exit() when it is imported
        if isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]:
            raise ModelError(
                f"The model '{spec}' cannot be imported: there is no module '{error.name}' in "
                "the current folder or among the installed packages."
            ) from error
        raise ModelError(f"The model '{spec}' cannot be imported: {describe(error)}.") from error
    for part in name.split("."):
        if not hasattr(found, part):
            public = [known for known in dir(found) if not known.startswith("_")
                      and callable(getattr(found, known, None))]
            raise ModelError(
                f"The model '{spec}' cannot be found: {module_name} has no '{part}'. "
                f"{say_choices(part, public)}"
            )
        found = getattr(found, part)
    if not callable(found):
        raise ModelError(
            f"The model '{spec}' is no function but of the type '{type(found).__name__}'. It must "
            "take a picture and a sentence."
        )
    return found  # type: ignore[no-any-return]


def answer(function: Function, content: bytes, sentence: str) -> Head:
    """Call the function and put what it returned, or what went wrong, into a head."""
    picture = to_pixels(content)
    begun = time.monotonic()
    try:
        value = function(picture, sentence)
    except BaseException as error:
        traceback.print_exc()  # whole in the terminal; who looks at the page gets one line
        return {"failed": f"The model raised {describe(error)}."}
    seconds = time.monotonic() - begun
    try:
        mask = read_answer(value, (picture.height, picture.width))
    except ModelError as error:
        return {"failed": str(error)}
    return {"mask": mask.to_json() if mask is not None else None, "seconds": seconds}


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the two streams of frames; from then on 0 is empty and 1 is standard error."""
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    if sys.stdout is not None:
        sys.stdout.reconfigure(  # type: ignore[union-attr]
            line_buffering=True, errors="backslashreplace"
        )
    return asked, answers


def _listen(asked: BinaryIO, frames: queue.SimpleQueue[tuple[Head, bytes]]) -> None:
    """Take frames in, also during a call, and end with the inspector."""
    try:
        while (frame := read_frame(asked)) is not None:
            frames.put(frame)
    except (FrameError, OSError, ValueError):
        pass
    os._exit(0)  # whoever asked is gone; a call that never returns must not outlive it
