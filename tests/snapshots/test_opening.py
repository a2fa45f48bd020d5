"""``open`` remembers; the commands whose numbers leave the house read everything anew."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from inspector import cli
from inspector.core.failures import Thresholds
from inspector.formats.request import LoadRequest
from inspector.snapshots import Memory
from inspector.workspace import open_workspace

PROGRAM = """
import sys, types
from inspector import cli
from inspector.commands import page as page_command
from inspector.snapshots import memory, witness
witness.SETTLED = -3600.0
memory.program_digest = lambda: "the program"  # which somebody may be working on
made = []
recall = memory.Memory.recall

def counted(self, what, key, make, **options):
    return recall(self, what, key, lambda: (made.append(what), make())[1], **options)

memory.Memory.recall = counted
page = types.ModuleType("inspector.ui.mount")  # the page itself is not what is looked at
page.serve = lambda workspace, **options: print(workspace.metrics[0]["mIoU"], made) or 0
sys.modules["inspector.ui.mount"] = page
page_command._import_meanwhile = lambda *names: None
sys.exit(cli.main(["open", *sys.argv[1:], "--no-browser"]))
"""


def run(*arguments: str, cache) -> tuple[int, str]:
    environment = {**os.environ, "INSPECTOR_CACHE": str(cache.parent)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=environment, capture_output=True,
        text=True, check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.strip().splitlines()[-1]


def test_the_second_opening_makes_nothing(cache, tmp_path):
    arguments = ["demo", "--findings", str(tmp_path / "findings.sqlite")]
    status, first = run(*arguments, cache=cache)
    assert (status, "['dataset', 'scores', 'scores', 'scores']" in first) == (0, True)
    status, again = run(*arguments, cache=cache)
    assert (status, again) == (0, first.split()[0] + " []")
    kept = {path: path.stat().st_mtime_ns for path in cache.iterdir()}
    status, anew = run(*arguments, "--no-cache", cache=cache)
    assert (status, anew) == (0, first)
    assert {path: path.stat().st_mtime_ns for path in cache.iterdir()} == kept


def test_other_thresholds_are_another_answer_of_two_truths(cache):
    for iou in (0.5, 0.95, 0.5):
        workspace = open_workspace(
            LoadRequest("demo:coarse"), [], second=LoadRequest("demo:tight"),
            thresholds=Thresholds(iou=iou), memory=Memory(),
        )
        assert workspace.second.label.thresholds.iou == iou
        assert workspace.truths.runs[0].scores_b.thresholds.iou == iou


@pytest.mark.parametrize("command", ["score", "check"])
def test_other_commands_keep_and_recall_nothing(command, cache, capsys):
    assert cli.main([command, "demo"]) == (command == "check")  # the demo has broken predictions
    assert "box" in capsys.readouterr().out
    assert not cache.exists()
