"""Two programs at one findings file at once."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from inspector.findings import open_store, read_findings
from inspector.findings.log import read_events
from tests.findings.making import DATA

REPOSITORY = Path(__file__).resolve().parents[2]
COUNT = 40


def test_two_programs_lose_nothing(tmp_path):
    path = tmp_path / "inspector.findings.sqlite"
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.findings.writing", str(path), name, str(COUNT)],
            cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in ("one", "two")
    ]
    assert [writer.stdout.readline().strip() for writer in writers] == ["open", "open"]
    for writer in writers:  # both are ready: now they write at the same time
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=100)
        assert writer.returncode == 0
    with closing(open_store(path)) as store:
        _, findings = read_findings(store, DATA)
        for number in range(COUNT):
            assert findings[f"{number}"].tags == (f"one {number}", f"two {number}")
        events = [event for event in read_events(store) if event.slot.field == "verdict"]
        # whoever was second built on what the first had written
        for before, after in pairwise(events):
            assert (after.old, after.before) == (before.new, before.uid)
            assert after.at > before.at
        assert findings["shared"].verdicts["model"].verdict == events[-1].new
