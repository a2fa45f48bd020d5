"""The recorded results that ship with the program: ``assets/leaderboards/*.json``."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from inspector.analysis.leaderboard import Board, Result
from inspector.shipped import shipped

FOLDER = shipped("leaderboards")


@cache
def load_boards(folder: Path = FOLDER) -> tuple[Board, ...]:
    """Read every leaderboard of a folder; values stand there in percent, as printed.

    A file holds ``key``, ``title``, ``source``, ``updated``, ``notes`` and ``results``; a result
    ``method``, ``dataset``, ``split_by``, ``split``, ``printed`` (the metric as printed), ``is``
    (what it really is, or null), ``value``, ``kind``, ``mask_decoder``, ``learning``, and where
    known ``source``, ``rules``, ``note``.
    """
    return tuple(_read(path) for path in sorted(folder.glob("*.json")))


@cache
def boards_digest(folder: Path = FOLDER) -> str:
    """Give a text that changes with anything that the leaderboards say."""
    found = hashlib.blake2b(digest_size=16)
    for path in sorted(folder.glob("*.json")):
        found.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def _read(path: Path) -> Board:
    content = json.loads(path.read_text(encoding="utf-8"))
    results = tuple(
        Result(
            method=row["method"],
            dataset=row["dataset"],
            split_by=row["split_by"],
            split=row["split"],
            printed=row["printed"],
            quantity=row["is"],
            value=round(row["value"] / 100, 8),  # 70.9 must not become 0.7090000000000001
            kind=row["kind"],
            source=row.get("source", content["source"]),
            mask_decoder=row["mask_decoder"],
            learning=row["learning"] or "",
            rules=row.get("rules", {}),
            note=row.get("note", ""),
            board=content["key"],
        )
        for row in content["results"]
    )
    return Board(
        content["key"], content["title"], content["source"], content["updated"],
        tuple(content["notes"]), results,
    )
