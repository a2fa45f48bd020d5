"""Tasks on a Ray cluster, by Ray Data; the only module that knows Ray, and only when it is used."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from inspector import __version__
from inspector.core.errors import InspectorError, UsageError
from inspector.engine.running import Answer, Task, answer, check_version
from inspector.engine.travelling import to_answer, to_answer_row, to_row, to_task
from inspector.engine.truth import PackedTruth, is_unpacked

_SYSTEM_TRIES = 1
"""How often Ray itself gives a task to another worker after it has lost one; then we do."""

_TELLER = "ray.data._internal.execution.streaming_executor_state"
"""Who logs why a task has no result; where a version of Ray calls it otherwise, nobody says why."""

_QUIET = ("ray", "ray.data", "ray._private", "ray.train", "ray.tune")
_TOKEN = secrets.token_hex(32)  # one a process, as Ray reads it once
_IMPORTED: set[str] = set()  # what was imported after its environment was set
_LONGEST_FOLDER = 30  # characters; the names of sockets inside it may have 107 in all


class _Lost(logging.Handler):
    """Remembers the last reason that Ray Data gave for a task without a result."""

    def __init__(self) -> None:
        super().__init__()
        self.why = ""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = [line for line in lines if "Error" in line] or lines
        self.why = said[-1].partition(". ")[0][:200] if said else type(error).__name__


class OnRay:
    """A connection to a cluster, or a cluster of this machine alone that ends with it.

    Args:
        address: Of a cluster that runs: ``auto``, or ``host:port``; None starts one here.
        workers: How many tasks a cluster that is started here does at once; its processors if None.

    Raises:
        UsageError: If Ray is not installed, or no cluster answers there.
    """

    @property
    def work(self) -> Callable[..., dict[str, Any]]:
        """What a worker is to do with a row."""
        return _work

    def __init__(self, *, address: str | None = None, workers: int | None = None) -> None:
        if address is not None and address.startswith("ray://"):
            raise UsageError(
                f"--address {address} is one of Ray Client, which Ray Data does not work with. "
                "Start this command on a machine of the cluster, with --address auto."
            )
        self.address, self.workers = address, workers
        self._folder: str | None = None
        self._truths: dict[str, Any] = {}
        self._lost = _Lost()
        self._before: dict[str, str | None] = {}

    def __enter__(self) -> Self:
        self._set_environment()
        try:
            import ray
            import ray.data
        except ImportError as error:
            self._restore_environment()
            raise UsageError(
                f"--engine ray needs Ray, which is not installed ({error}). Install what "
                "requirements-cluster.txt lists."
            ) from error
        _IMPORTED.add("ray")
        self._hush()
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
        if self.address is not None:
            options["address"] = self.address
        else:
            options |= {
                "num_cpus": self.workers, "include_dashboard": False,
                "_node_ip_address": "127.0.0.1", "_temp_dir": self._make_folder(),
            }
        try:
            ray.init(**options)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            self.close()
            said = " ".join(str(error).split())[:200]
            if self.address is None:
                raise UsageError(
                    f"Ray cannot be started here ({said}). Score without --engine ray."
                ) from error
            raise UsageError(
                f"No Ray cluster answers at {self.address} ({said}). Start it; if it asks for a "
                "token, set RAY_AUTH_MODE=token. Or score without --engine ray."
            ) from error
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.max_errored_blocks = -1  # what is lost is asked for again, and named if it stays so
        self._hush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; a cluster that was started here ends too and leaves no files."""
        import ray

        self._truths.clear()
        self._restore_environment()
        with contextlib.suppress(Exception):  # it may be gone already, which is what is wanted
            ray.shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _set_environment(self) -> None:
        """Say what Ray reads when it is imported, and what the processes that it starts inherit."""
        wanted = {"RAY_USAGE_STATS_ENABLED": "0"}  # nobody is told what was scored
        if self.address is None:
            # A cluster of this machine alone: whoever reaches its ports can run programs here, so
            # that they are open on the loopback address only, and to who knows the token. On Linux
            # Ray would take the machine's own address; the name of the variable is Ray's.
            wanted |= {
                "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
                "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": _TOKEN,
                "PYTHONPATH": _path_of_this_package(),
            }
            if sys.modules.get("ray") is not None and not _IMPORTED:
                raise UsageError(
                    "This program has imported Ray before, which then opens its ports to everyone. "
                    "Start a cluster with 'ray start --head' and give its address."
                )
        self._before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)

    def _restore_environment(self) -> None:
        for name, value in self._before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        self._before = {}

    def _hush(self) -> None:
        """Keep Ray's own words from the terminal, but remember why a task was lost."""
        for name in _QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        teller = logging.getLogger(_TELLER)
        teller.setLevel(logging.ERROR)
        teller.propagate = False
        teller.handlers = [self._lost]

    def _make_folder(self) -> str | None:
        """Make a folder for sockets and logs; where its name is too long, Ray has its own."""
        folder = tempfile.mkdtemp(prefix="ray-")
        if len(folder) <= _LONGEST_FOLDER:
            self._folder = folder
            return folder
        shutil.rmtree(folder)
        return None

    def run(self, tasks: Sequence[Task], truth: PackedTruth | None) -> Iterator[Answer]:
        """Do tasks on the workers, each a block of a Ray Data data set.

        Raises:
            InspectorError: If the cluster does not answer any more.
        """
        import ray
        import ray.data

        rows = [to_row(place, task) for place, task in enumerate(tasks)]
        blobs = self._share(truth)
        kept = [] if truth is None else [truth.digest, json.dumps(truth.kinds)]
        with warnings.catch_warnings():  # it goes with Ray 2.64: see requirements-cluster.txt
            warnings.simplefilter("ignore")
            answers = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
                self.work, fn_args=[__version__, *kept, *blobs], num_cpus=1,
                max_retries=_SYSTEM_TRIES,  # else without end: a shard can kill its worker
            )
        left, self._lost.why = set(range(len(tasks))), ""
        try:
            for batch in answers.iter_batches(batch_size=None, batch_format="pyarrow"):
                for row in batch.to_pylist():
                    found = to_answer(row)
                    left.discard(found.place)
                    yield found
        except (ray.exceptions.RayError, ConnectionError) as error:
            raise InspectorError(
                f"The Ray cluster does not answer any more ({' '.join(str(error).split())[:200]}). "
                "Nothing was written. Start it anew, and this command."
            ) from error
        for place in sorted(left):
            why = f" ({self._lost.why})" if self._lost.why else ""
            yield Answer(place, None, f"the worker that had it was lost{why}.")

    def _share(self, truth: PackedTruth | None) -> list[Any]:
        """Put the ground truth into the cluster's memory once; workers look at it there."""
        import ray

        if truth is None:
            return []
        if truth.digest not in self._truths:
            self._truths.clear()
            self._truths[truth.digest] = [ray.put(blob) for blob in truth.blobs]
        return self._truths[truth.digest]


def _path_of_this_package() -> str:
    """Let the processes that are started find this package where this one has found it."""
    folder = str(Path(__file__).resolve().parents[2])
    known = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return os.pathsep.join([folder, *(path for path in known if path != folder)])


def _work(
    row: dict[str, Any], version: str, digest: str = "", kinds: str = "[]", *blobs: Any
) -> dict[str, Any]:
    """Do one task in a worker; plain numbers and text in and out."""
    place = int(row["place"])
    try:
        check_version(version)
        task = to_task(row)
    except (InspectorError, KeyError, TypeError, ValueError) as error:
        return to_answer_row(Answer(place, None, f"the task cannot be understood: {error}"))
    truth = _fetch(digest, kinds, blobs) if digest else None
    return to_answer_row(answer(place, task, truth))


def _fetch(digest: str, kinds: str, blobs: Sequence[Any]) -> PackedTruth:
    """Look at the ground truth in the memory of this machine, if it was not unpacked before."""
    import ray

    if is_unpacked(digest):
        return PackedTruth(digest, (), ())
    shapes = tuple((kind, tuple(shape)) for kind, shape in json.loads(kinds))
    return PackedTruth(digest, shapes, tuple(ray.get(list(blobs))))
