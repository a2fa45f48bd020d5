"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.formats.request import LoadRequest
from inspector.workspace import Workspace, open_workspace

os.environ["INSPECTOR_CACHE"] = "off"  # what was kept before must not decide a test

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data, which may not be copied; tests that need it skip where it is absent."""
    named = os.environ.get("INSPECTOR_SHARED_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder} (set INSPECTOR_SHARED_DATA)")
    return folder


@pytest.fixture(scope="session")
def demo_workspace() -> Workspace:
    """The demo with its three runs, opened once."""
    return open_workspace(LoadRequest("demo"), [])
