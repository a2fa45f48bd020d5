"""Finds a real Chromium for the tests, or installs Debian's where that is possible."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()


def find() -> str | None:
    """Return the path of a Chromium: of INSPECTOR_CHROMIUM, else the first that is installed."""
    asked = os.environ.get("INSPECTOR_CHROMIUM")
    return asked or next((path for name in NAMES if (path := shutil.which(name))), None)


def main() -> int:
    """Make sure that there is one; say in one line what to do if there is not."""
    if find():
        return 0
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"],
                        ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False)
        if find():
            return 0
    sys.stderr.write(
        "The tests need Chromium: install it (Debian: apt-get install chromium) or name it with "
        "INSPECTOR_CHROMIUM=/path/to/chromium.\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
