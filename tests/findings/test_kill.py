"""Nothing that was acknowledged is lost when the server is killed, whenever that is.

Two small rounds by default; INSPECTOR_LONG=1 kills twenty servers during 1,000 writes each.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inspector.findings import open_store, read_findings
from inspector.findings.log import read_events
from tests.findings.making import DATA
from tests.findings.served import EXAMPLES

REPOSITORY = Path(__file__).resolve().parents[2]
IS_LONG = bool(os.environ.get("INSPECTOR_LONG"))
ROUNDS, WRITES, CLIENTS = (20, 1_000, 4) if IS_LONG else (2, 120, 4)

Change = tuple[int, str, str]
"""Place, field and value."""


@dataclass
class Server:
    """A server in a process of its own, and what it has acknowledged."""

    process: subprocess.Popen
    port: int
    version: str
    acknowledged: list[Change] = field(default_factory=list)
    refused: list[object] = field(default_factory=list)
    wake: threading.Condition = field(default_factory=threading.Condition)

    def write(self, client: int, changes: list[Change]) -> None:
        """Send changes one after the other until the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for place, kind, value in changes:
            body = {"place": place, "field": kind, "value": value, "who": f"person {client}",
                    "client": f"tab-{client}", "run": "model"}
            try:
                connection.request(
                    "POST", f"/data/{self.version}/findings", json.dumps(body),
                    {"content-type": "application/json"},
                )
                answer = connection.getresponse()
                content = json.loads(answer.read())
            except (OSError, http.client.HTTPException, ValueError):
                break  # killed
            with self.wake:
                if answer.status == 200:
                    self.acknowledged.append((place, kind, value))
                else:
                    self.refused.append(content)
                self.wake.notify()
        with self.wake:
            self.wake.notify()


def start(path: Path) -> Server:
    """Start a server and wait until it listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.findings.served", str(path)], cwd=REPOSITORY,
        stdout=subprocess.PIPE, text=True,
    )
    port, version = process.stdout.readline().split()
    return Server(process, int(port), version)


def changes_of(client: int, count: int) -> list[Change]:
    """Make changes of every kind; each client has examples of its own for notes and verdicts."""
    verdicts = ("model_wrong", "label_wrong", "ambiguous")
    made: list[Change] = []
    for number in range(count):
        own = (number * CLIENTS + client) % EXAMPLES
        made.append([
            (number % EXAMPLES, "tag", f"tag {client} {number}"),
            (own, "note", f"note {client} {number}" + "x" * (number % 7) * 300),
            (own, "verdict", verdicts[(number // 3) % 3]),
        ][number % 3])
    return made


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_killed_while_it_writes(tmp_path, seed):
    path = tmp_path / "inspector.findings.sqlite"
    server = start(path)
    after = random.Random(seed).randrange(1, WRITES - CLIENTS)
    threads = [
        threading.Thread(target=server.write, args=(c, changes_of(c, WRITES // CLIENTS)))
        for c in range(CLIENTS)
    ]
    try:
        for thread in threads:
            thread.start()
        with server.wake:
            assert server.wake.wait_for(
                lambda: server.refused or len(server.acknowledged) >= after, timeout=300)
    finally:
        server.process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    server.process.wait()
    for thread in threads:
        thread.join()
    assert server.refused == []
    assert after <= len(server.acknowledged) < WRITES  # it was in the middle of it

    with closing(open_store(path)) as store:  # rolls back what was only half written
        assert store.can_write, store.why
        events = list(read_events(store))
        _, findings = read_findings(store, DATA)
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    written = {(int(e.slot.example_id) - 1, e.slot.field, e.new) for e in events}
    assert [change for change in server.acknowledged if change not in written] == []
    assert len(events) <= len(server.acknowledged) + CLIENTS  # at most one unheard each

    last: dict[tuple[str, str, str], str] = {}
    for event in events:
        last[event.slot.example_id, event.slot.field, event.slot.about] = event.new
    for (example, kind, about), value in last.items():  # what stands is what the log says
        finding = findings[example]
        stands = {
            "tag": about if about in finding.tags else "", "note": finding.note,
            "verdict": finding.verdicts[about].verdict if about in finding.verdicts else "",
        }[kind]
        assert stands == value
