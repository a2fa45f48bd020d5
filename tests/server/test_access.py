"""The options that say who may reach the page."""

from __future__ import annotations

import pytest

from inspector.core.errors import UsageError
from inspector.server.access import LOCAL_HOSTS, is_local, read_access


@pytest.fixture(autouse=True)
def no_password_in_the_environment(monkeypatch):
    monkeypatch.delenv("INSPECTOR_PASSWORD", raising=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "::1", "127.0.0.2"])
def test_this_machine_needs_no_password(host):
    access = read_access(host=host)
    assert access.password is None
    assert set(access.hosts) == {*LOCAL_HOSTS, host.casefold()}
    assert not access.own_addresses


@pytest.mark.parametrize("host", [
    "0.0.0.0", "::", "", "192.0.2.7", "gpu1", "localhost.evil.example", "::ffff:0.0.0.0",
    "10.0.0.1",
])
def test_other_machines_need_a_password_or_a_word(host):
    with pytest.raises(UsageError) as error:
        read_access(host=host)
    assert str(error.value) == (
        f"--host {host} lets other machines reach the page, so it needs a password: add --password "
        "FILE (its first line), --password - (to be asked), or set INSPECTOR_PASSWORD. Add "
        "--no-password if everyone who can reach it may see the data."
    )
    assert read_access(host=host, no_password=True).password is None


def test_a_proxy_lets_other_machines_in_as_well():
    with pytest.raises(UsageError, match="^--allow-host hub.example lets other machines reach"):
        read_access(host="127.0.0.1", allow_hosts=["localhost:8000", "hub.example:8443"])
    access = read_access(host="127.0.0.1", allow_hosts=["hub.example"], no_password=True)
    assert access.password is None
    assert read_access(host="127.0.0.1", allow_hosts=["localhost:8000"]).password is None


def test_all_addresses_at_once_are_hosts_by_their_number_alone():
    access = read_access(host="0.0.0.0", no_password=True)
    assert access.own_addresses
    assert access.hosts == LOCAL_HOSTS


def test_the_password_may_come_from_a_file_or_the_environment(tmp_path, monkeypatch):
    path = tmp_path / "password.txt"
    path.write_text("correct horse\n")
    assert read_access(host="0.0.0.0", password=str(path)).password.matches("correct horse")
    monkeypatch.setenv("INSPECTOR_PASSWORD", "battery staple")
    assert read_access(host="0.0.0.0", password=str(path)).password.matches("correct horse")
    assert read_access(host="0.0.0.0").password.matches("battery staple")
    assert read_access(host="127.0.0.1").password.matches("battery staple")
    assert read_access(host="0.0.0.0", no_password=True).password is None


def test_an_empty_password_is_none_that_counts(monkeypatch):
    monkeypatch.setenv("INSPECTOR_PASSWORD", "")
    with pytest.raises(UsageError, match="INSPECTOR_PASSWORD has 0 characters"):
        read_access(host="0.0.0.0")


def test_options_that_contradict_each_other_are_said(tmp_path):
    with pytest.raises(UsageError) as error:
        read_access(host="0.0.0.0", password=str(tmp_path / "x"), no_password=True)
    assert str(error.value) == (
        "--password and --no-password contradict each other. Leave one out."
    )


@pytest.mark.parametrize(("text", "host", "origin"), [
    ("gpu1.lab.example", "gpu1.lab.example", "gpu1.lab.example"),
    ("GPU1", "gpu1", "gpu1"),
    ("hub.example:8443", "hub.example", "hub.example:8443"),
    ("hub.example:443", "hub.example", "hub.example"),  # browsers leave the usual ports out
    ("192.0.2.7:7860", "192.0.2.7", "192.0.2.7:7860"),
    ("[2001:db8::1]:7860", "2001:db8::1", "[2001:db8::1]:7860"),
    ("bücher.example", "xn--bcher-kva.example", "xn--bcher-kva.example"),
])
def test_further_names(text, host, origin):
    access = read_access(host="127.0.0.1", allow_hosts=[text], no_password=True)
    assert access.hosts[-1] == host
    assert access.origins == (origin,)


@pytest.mark.parametrize("text", [
    "", "*", "*.example", "https://hub.example", "hub.example/x", "a b", "hub.example:", "a:b:c",
    "hub.example:123456", "[evil.example]", "-x", "a..b", "user@hub.example",
])
def test_what_is_no_name_is_said(text):
    with pytest.raises(UsageError) as error:
        read_access(host="127.0.0.1", allow_hosts=[text])
    assert str(error.value) == (
        "--allow-host takes the name of a host, such as gpu1.lab.example, or NAME:PORT, but got "
        f"'{text}'."
    )


@pytest.mark.parametrize(("text", "root"), [
    ("", ""), ("/", ""), ("/inspector", "/inspector"), ("/inspector/", "/inspector"),
    ("/user/x@y.example/proxy/7860", "/user/x@y.example/proxy/7860"), ("/datasets", "/datasets"),
])
def test_root_paths(text, root):
    assert read_access(host="127.0.0.1", root_path=text).root_path == root


@pytest.mark.parametrize("text", [
    "inspector", "https://hub.example/x", "//evil.example", "/a/../b", "/a//b", "/a b", "/a?b",
    "/é", "/.x", "/a\nb",
])
def test_what_is_no_root_path_is_said(text):
    with pytest.raises(UsageError) as error:
        read_access(host="127.0.0.1", root_path=text)
    assert str(error.value) == (
        "--root-path takes the path under which a proxy shows the page, such as "
        f"/user/x/proxy/7860, but got '{text}'."
    )


def test_a_root_path_that_could_be_the_page_itself_is_refused():
    with pytest.raises(UsageError, match="--root-path cannot begin with /data, which is"):
        read_access(host="127.0.0.1", root_path="/data/x")


def test_what_is_local():
    assert is_local("127.0.0.1") and is_local("::1") and is_local("::ffff:127.0.0.1")
    assert not is_local("localhost.example") and not is_local("0.0.0.0")
