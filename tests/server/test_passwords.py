"""Where the password comes from, and how it is compared."""

from __future__ import annotations

import hmac
import io
import os
from types import SimpleNamespace

import pytest

from inspector.core.errors import UsageError
from inspector.server import passwords
from inspector.server.passwords import Password, read_password


def test_a_password_matches_itself_alone():
    password = Password.of("correct horse")
    assert password.matches("correct horse")
    for other in ("", "correct hors", "correct horse ", "Correct horse", "x" * 10_000, "\udcff"):
        assert not password.matches(other)


def test_letters_of_any_script_are_letters():
    assert Password.of("пароль-密码 é").matches("пароль-密码 é")
    assert not Password.of("пароль-密码 é").matches("??????-?? e")


def test_the_password_is_not_kept_nor_shown():
    password = Password.of("correct horse")
    assert "correct" not in repr(password) and b"correct" not in password.digest
    assert repr(password) == "Password()"


def test_equal_passwords_have_different_hashes():
    assert Password.of("correct horse").digest != Password.of("correct horse").digest


def test_it_is_compared_in_constant_time_whatever_is_typed(monkeypatch):
    password = Password.of("correct horse")
    compared = []

    def compare(first, second):
        compared.append((len(first), len(second)))
        return hmac.compare_digest(first, second)

    monkeypatch.setattr(passwords, "hmac", SimpleNamespace(compare_digest=compare))
    for text in ("correct horse", "", "wrong", "x" * 10_000):
        password.matches(text)
    assert compared == [(64, 64)] * 4  # the whole hashes, once for every try


@pytest.mark.parametrize("text", ["", "short", "x" * 257])
def test_a_password_that_is_guessed_or_pasted_by_mistake_is_refused(text):
    with pytest.raises(UsageError) as error:
        Password.of(text, source="INSPECTOR_PASSWORD")
    assert str(error.value) == (
        f"INSPECTOR_PASSWORD has {len(text)} characters, but must have 8 to 256."
    )


@pytest.mark.parametrize("content", [
    b"correct horse", b"correct horse\n", b"correct horse\r\nmore\n",
    b"\xef\xbb\xbfcorrect horse\n",
])
def test_the_first_line_of_a_file_is_the_password(tmp_path, content):
    path = tmp_path / "password.txt"
    path.write_bytes(content)
    assert read_password(str(path), {"INSPECTOR_PASSWORD": "another one"}) == "correct horse"


def test_spaces_belong_to_it(tmp_path):
    path = tmp_path / "password.txt"
    path.write_text(" correct horse \n")
    assert read_password(str(path), {}) == " correct horse "


def test_the_environment_is_asked_where_no_file_is_named():
    assert read_password(None, {"INSPECTOR_PASSWORD": "correct horse"}) == "correct horse"
    assert read_password(None, {}) is None


def test_standard_input_is_read_where_there_is_no_terminal(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO("größer als acht\nrest".encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert read_password("-", {}) == "größer als acht"


def test_no_standard_input_is_said(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="--password -: there is no standard input"):
        read_password("-", {})


def test_no_answer_on_the_terminal_is_said(monkeypatch):
    """Ctrl+D ends the input."""
    def ended(question):
        raise EOFError

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr("getpass.getpass", ended)
    with pytest.raises(UsageError, match="--password -: no password was typed."):
        read_password("-", {})


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(UsageError) as error:
        read_password(str(tmp_path / "none"), {})
    assert str(error.value) == (
        f"--password: '{tmp_path / 'none'}' cannot be read (No such file or directory). It takes a "
        "file whose first line is the password, or '-' to be asked for it."
    )
    with pytest.raises(UsageError, match="Is a directory"):
        read_password(str(tmp_path), {})


def test_a_file_that_is_no_text_is_said(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe\n")
    with pytest.raises(UsageError, match=r"first line of '.*' is not UTF-8 text"):
        read_password(str(path), {})


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero")  # noqa: PTH110
def test_a_file_without_end_is_read_to_a_bound():
    assert len(read_password("/dev/zero", {})) < 2000
