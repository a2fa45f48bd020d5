"""Scoring on a local Ray of two workers: the same numbers, also where one of them is killed.

``make test-cluster`` installs Ray and runs these; without it they are skipped.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

from inspector.core.errors import InspectorError
from inspector.engine.on_ray import OnRay
from inspector.engine.running import Effort
from inspector.table_opening import open_table
from tests.engine import holding
from tests.engine.comparing import assert_same, in_one_go, in_pieces, joined
from tests.engine.sharding import DEMO, RUNS, untidy_lines, write_lines, write_parquet

pytestmark = [
    pytest.mark.skipif(  # not importorskip: who imports Ray too early opens its ports
        find_spec("ray") is None, reason="Ray is not installed: make test-cluster installs it"
    ),
    pytest.mark.timeout(300),  # a loaded machine takes half a minute to start Ray
]

ROOT = Path(__file__).resolve().parents[2]


class Changed(OnRay):
    """A cluster whose workers do something else for once."""

    instead: Callable[..., dict[str, Any]] | None = None

    @property
    def work(self) -> Callable[..., dict[str, Any]]:
        return self.instead or super().work


@pytest.fixture(scope="module")
def cluster() -> Iterator[Changed]:
    with Changed(workers=2) as found:
        yield found


@pytest.fixture(autouse=True)
def _as_usual(cluster: Changed) -> Iterator[None]:
    yield
    cluster.instead = None


def test_three_runs_are_scored_as_in_one_go(cluster):
    effort = Effort()
    parts = in_pieces(DEMO, engine=cluster, effort=effort, megabytes=0.004)
    assert_same(parts, in_one_go(DEMO))
    assert effort.tasks > 10
    assert not effort.again
    assert str(os.getpid()) not in {worker.rpartition(":")[2] for worker in effort.workers}


def test_untidy_shards_are_scored_as_one_file(cluster, tmp_path):
    paths = write_lines(tmp_path / "run", untidy_lines(), shards=5)
    whole = in_one_go(DEMO, f"run={joined(paths, tmp_path / 'run.jsonl')}")
    parts = in_pieces(DEMO, f"run=file://{tmp_path}/run/part-*.jsonl", engine=cluster)
    assert_same(parts, whole, same_places=False)


def test_a_worker_that_is_killed_changes_nothing(cluster, tmp_path):
    cluster.instead = partial(holding.hold_once, str(tmp_path))
    killed: list[int] = []

    def kill() -> None:
        held, end = tmp_path / "held", time.monotonic() + 100
        while not (held.exists() and held.read_text().endswith("\n")):
            if time.monotonic() > end:
                return
            time.sleep(0.02)
        worker = psutil.Process(int(held.read_text()))
        worker.send_signal(signal.SIGKILL)
        killed.append(worker.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    effort = Effort()
    parts = in_pieces(DEMO, f"box={RUNS}/box.jsonl", engine=cluster, effort=effort)
    killer.join()
    assert len(killed) == 1
    assert not psutil.pid_exists(killed[0]) or psutil.Process(killed[0]).status() == "zombie"
    assert killed[0] not in {int(worker.rpartition(":")[2]) for worker in effort.workers}
    assert_same(parts, in_one_go(DEMO, f"box={RUNS}/box.jsonl"))


def test_a_shard_with_broken_bytes_is_named(cluster, tmp_path):
    paths = write_parquet(
        tmp_path / "run", (RUNS / "box.jsonl").read_bytes().splitlines(), shards=3
    )
    content = bytearray(paths[1].read_bytes())
    content[40:4000] = bytes(3960)
    paths[1].write_bytes(content)
    with pytest.raises(InspectorError, match=(
        r"part-001.parquet could not be scored in 3 tries \(all of it\): part-001.parquet: cannot "
        r"be read as parquet"
    )):
        in_pieces(DEMO, f"run={tmp_path}/run", engine=cluster, megabytes=1.0)


@pytest.mark.skipif(not os.environ.get("INSPECTOR_LONG"), reason="make test-long runs this")
def test_a_shard_that_kills_every_worker_is_named(cluster, tmp_path):
    cluster.instead = partial(holding.die_of, "part-001")
    write_lines(tmp_path, (RUNS / "box.jsonl").read_bytes().splitlines(), shards=3)
    with pytest.raises(InspectorError, match=(
        r"part-001.jsonl could not be scored in 3 tries \(all of it\): the worker that had it was "
        r"lost \(The worker died unexpectedly while executing this task\)\. Nothing was written"
    )):
        in_pieces(DEMO, f"run={tmp_path}", engine=cluster, megabytes=1.0)


def test_nobody_else_reaches_the_cluster(cluster):
    own = psutil.Process().children(recursive=True)
    listening = [
        connection.laddr.ip.removeprefix("::ffff:")
        for process in own if process.is_running() and process.status() != "zombie"
        for connection in process.net_connections(kind="tcp") if connection.status == "LISTEN"
    ]
    assert len(listening) >= 4
    assert set(listening) <= {"127.0.0.1", "::1"}


def test_the_command_writes_nothing_but_what_was_asked_for(tmp_path):
    lines = (RUNS / "box.jsonl").read_bytes().splitlines()
    write_parquet(tmp_path / "run", lines, shards=3)
    with tempfile.TemporaryDirectory(prefix="r") as short:  # names of sockets must be short
        done = subprocess.run(
            [sys.executable, "-m", "inspector", "score", "demo", "--engine", "ray",
             "--workers", "2", "--run", f"box={tmp_path}/run/*.parquet", "--json", "-",
             "--parquet", str(tmp_path / "scores")],
            cwd=ROOT, env=os.environ | {"TMPDIR": short}, capture_output=True, text=True,
            check=False, timeout=280,
        )
        assert list(Path(short).iterdir()) == []
    assert (done.returncode, done.stderr) == (0, "")
    whole = in_one_go(DEMO, f"box={RUNS}/box.jsonl")
    found = json.loads(done.stdout)["runs"][0]["metrics"]
    assert found == {key: whole.metrics[0][key] for key in found}
    assert open_table(DEMO, str(tmp_path / "scores")).metrics == whole.metrics


def test_no_cluster_at_an_address():
    done = subprocess.run(
        [sys.executable, "-m", "inspector", "score", "demo", "--engine", "ray",
         "--address", "ray://127.0.0.1:1"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=280,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: --address ray://127.0.0.1:1 is one of Ray Client")
    assert done.stderr.count("\n") == 1

