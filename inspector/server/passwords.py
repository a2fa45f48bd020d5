"""The password of a served page: where it is read from, and how it is kept and compared."""

from __future__ import annotations

import getpass
import hashlib
import hmac
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.core.errors import UsageError
from inspector.paths import user_path

VARIABLE = "INSPECTOR_PASSWORD"
FEWEST, MOST = 8, 256  # characters
_COST = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB and some 50 ms a try (RFC 7914)


@dataclass(frozen=True)
class Password:
    """A password as its scrypt hash; the password itself is not kept."""

    salt: bytes = field(repr=False)
    digest: bytes = field(repr=False)

    @classmethod
    def of(cls, text: str, *, source: str = "The password") -> Password:
        """Hash a password that a person chose.

        Args:
            text: The password.
            source: Where it came from, for the words of the error.

        Raises:
            UsageError: If it is too short to withstand guessing, or longer than anyone types.
        """
        if not FEWEST <= len(text) <= MOST:
            raise UsageError(
                f"{source} has {len(text):,} characters, but must have {FEWEST} to {MOST}."
            )
        salt = secrets.token_bytes(16)
        return cls(salt, _hash(text, salt))

    def matches(self, text: str) -> bool:
        """Tell whether a text is the password, in a time that does not depend on how near it is."""
        known = text if len(text) <= MOST else ""
        return hmac.compare_digest(_hash(known, self.salt), self.digest)


def _hash(text: str, salt: bytes) -> bytes:
    return hashlib.scrypt(text.encode("utf-8", errors="replace"), salt=salt, **_COST)


def read_password(source: str | None, environment: Mapping[str, str] = os.environ) -> str | None:
    """Read the password that a person named; never from the command line, which others can list.

    Args:
        source: A file, ``-`` for a question on the terminal (or a line of standard input where
            there is none), or None for the environment variable ``INSPECTOR_PASSWORD``.
        environment: The environment variables.

    Returns:
        The password; None if there is no source and the variable is not set.

    Raises:
        UsageError: If the file cannot be read or holds no password.
    """
    if source is None:
        return environment.get(VARIABLE)
    if source == "-":
        return _ask()
    try:
        with user_path(source).open("rb") as file:
            return _first_line(file.readline(4 * MOST + 3), f"'{source}'")
    except OSError as error:
        raise UsageError(
            f"--password: '{source}' cannot be read ({error.strerror}). It takes a file whose "
            "first line is the password, or '-' to be asked for it."
        ) from error


def _ask() -> str:
    if sys.stdin is None:
        raise UsageError(
            "--password -: there is no standard input to read it from. Give a file whose first "
            f"line is the password, or set {VARIABLE}."
        )
    if not sys.stdin.isatty():
        return _first_line(sys.stdin.buffer.readline(4 * MOST + 3), "standard input")
    try:
        return getpass.getpass("Password of the page: ")
    except EOFError as error:  # Ctrl+D
        raise UsageError("--password -: no password was typed. Write one when asked.") from error


def _first_line(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--password: the first line of {where} is not UTF-8 text. Write the password there."
        ) from error
