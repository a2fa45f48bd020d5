"""Tasks and answers as rows of numbers, text and bytes: no object of ours travels."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from inspector.engine.running import Answer, Task
from inspector.engine.scoring import ScoringRules, Share
from inspector.engine.shards import Piece, Shard

if TYPE_CHECKING:
    import pyarrow as pa


def to_row(place: int, task: Task) -> dict[str, Any]:
    """Write a task."""
    share = task.share
    said = {
        "kind": task.kind,
        "piece": None if task.piece is None else asdict(task.piece),
        "rules": None if task.rules is None else task.rules.to_json(),
        "reasons": [] if share is None else list(share.reasons.items()),
    }
    return {
        "place": place, "said": json.dumps(said),
        "examples": b"" if share is None else share.examples.astype(np.int64).tobytes(),
        "rows": b"" if share is None else share.rows.astype(np.int64).tobytes(),
    }


def to_task(row: dict[str, Any]) -> Task:
    """Read a task.

    Raises:
        KeyError, TypeError, ValueError: If another version has written it.
    """
    said = json.loads(row["said"])
    piece = None
    if said["piece"] is not None:
        piece = Piece(**{**said["piece"], "shard": Shard(**said["piece"]["shard"])})
    if said["kind"] == "keys":
        return Task("keys", piece)
    share = Share(
        piece, np.frombuffer(row["examples"], np.int64), np.frombuffer(row["rows"], np.int64),
        {int(example): str(reason) for example, reason in said["reasons"]},
    )
    return Task("scores", piece, share, ScoringRules.from_json(said["rules"]))


def to_answer_row(found: Answer) -> dict[str, Any]:
    """Write an answer."""
    return {
        "place": found.place, "fault": found.fault, "worker": found.worker,
        "seconds": found.seconds, "table": b"" if found.table is None else _pack(found.table),
    }


def to_answer(row: dict[str, Any]) -> Answer:
    """Read an answer."""
    import pyarrow as pa

    table = None
    if row["table"]:
        with pa.ipc.open_stream(row["table"]) as stream:
            table = stream.read_all()
    return Answer(int(row["place"]), table, row["fault"], row["worker"], row["seconds"])


def _pack(table: pa.Table) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content
