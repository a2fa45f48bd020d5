"""Findings files as earlier versions wrote them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from inspector.findings.schema import APPLICATION_ID

_VERSION_1 = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL, who TEXT NOT NULL, client TEXT NOT NULL,
    dataset TEXT NOT NULL, example_id TEXT NOT NULL, field TEXT NOT NULL, about TEXT NOT NULL,
    old TEXT NOT NULL, new TEXT NOT NULL,
    kind TEXT NOT NULL, of INTEGER, before INTEGER,
    iou REAL, failure TEXT NOT NULL, digest TEXT NOT NULL);
CREATE INDEX events_of_client ON events (client, id);
CREATE TABLE current (
    dataset TEXT NOT NULL, example_id TEXT NOT NULL, field TEXT NOT NULL, about TEXT NOT NULL,
    value TEXT NOT NULL, event INTEGER NOT NULL, source INTEGER,
    PRIMARY KEY (dataset, example_id, field, about)) WITHOUT ROWID;
CREATE INDEX current_by_event ON current (dataset, event);
INSERT INTO events VALUES (1, '2024-05-01T12:00:00.000000Z', 'Ann', 'tab-a', 'toy', '7', 'verdict',
    'model', '', 'label_wrong', 'set', NULL, NULL, 0.25, 'spill', 'm1');
INSERT INTO events VALUES (2, '2024-05-01T12:00:01.000000Z', 'Bob', 'tab-b', 'toy', '7', 'tag',
    'blurred', '', 'blurred', 'set', NULL, NULL, NULL, '', '');
INSERT INTO current VALUES ('toy', '7', 'verdict', 'model', 'label_wrong', 1, 1);
INSERT INTO current VALUES ('toy', '7', 'tag', 'blurred', 'blurred', 2, 2);
"""


def write_version_1(path: Path) -> None:
    """Write a file of version 1: a verdict of Ann and a tag of Bob on example 7."""
    connection = sqlite3.connect(path)
    connection.executescript(_VERSION_1)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
