"""Who may reach the page and under which addresses, as the options of ``open`` say it."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass

from inspector.core.errors import UsageError
from inspector.server.passwords import VARIABLE, Password, read_password

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
OWN_SEGMENTS = ("data", "page", "assets", "static", "login", "logout")
"""First parts of the page's own addresses; a root path that began so could not be told apart."""

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.(?!-)[a-z0-9_-]{1,63})*\.?")
_ROOT = re.compile(r"(/[A-Za-z0-9_~@%+=:-][A-Za-z0-9_.~@%+=:-]*)*")


@dataclass(frozen=True)
class Access:
    """Who may reach the page, and under which addresses.

    Args:
        hosts: Names of the ``Host`` header, without port, in small letters.
        origins: ``name`` or ``name:port`` under which a proxy shows the page, for proxies that
            put another name into ``Host``.
        own_addresses: Whether the literal address that a connection came in at is a host as well;
            for a page served on every address of this machine.
        root_path: Path under which a proxy shows the page, such as ``/user/x/proxy/7860``; no
            slash at its end, empty for none.
        password: What visitors must know; None leaves the page open.
        framed_locally: Whether pages of this machine, such as a notebook, may show it in a frame.
    """

    hosts: tuple[str, ...] = LOCAL_HOSTS
    origins: tuple[str, ...] = ()
    own_addresses: bool = False
    root_path: str = ""
    password: Password | None = None
    framed_locally: bool = False


LOCAL = Access()
"""This machine only, without a password."""


def read_access(
    *, host: str, password: str | None = None, no_password: bool = False,
    allow_hosts: Iterable[str] = (), root_path: str = "",
) -> Access:
    """Decide who may reach the page.

    Args:
        host: Address that is listened on.
        password: File of the password, or ``-``; None for the environment variable.
        no_password: Whether the page is meant to be open to whoever reaches it.
        allow_hosts: Further names of the page, ``name`` or ``name:port``.
        root_path: Path under which a proxy shows the page.

    Raises:
        UsageError: If the page would be open to other machines without anybody having said so, or
            an option cannot be what it says.
    """
    if password is not None and no_password:
        raise UsageError("--password and --no-password contradict each other. Leave one out.")
    names = [_read_name(text) for text in allow_hosts]
    root = _read_root(root_path)
    text = None if no_password else read_password(password)
    foreign = [f"--host {host}"] if not is_local(host) else []
    foreign += [f"--allow-host {name}" for name, _ in names if not is_local(name)]
    if text is None and not no_password and foreign:
        raise UsageError(
            f"{foreign[0]} lets other machines reach the page, so it needs a password: add "
            f"--password FILE (its first line), --password - (to be asked), or set {VARIABLE}. "
            "Add --no-password if everyone who can reach it may see the data."
        )
    source = VARIABLE if password is None else "The password"
    return Access(
        hosts=(*LOCAL_HOSTS, *_listened(host), *(name for name, _ in names)),
        origins=tuple(origin for _, origin in names),
        own_addresses=is_wildcard(host),
        root_path=root,
        password=None if text is None else Password.of(text, source=source),
    )


def _listened(host: str) -> tuple[str, ...]:
    """Give the host that an address to listen on is reached by; all addresses at once are none."""
    return () if is_wildcard(host) else (host.casefold(),)


def is_local(host: str) -> bool:
    """Tell whether only this machine can reach an address that is listened on."""
    address = read_address(host)
    return address.is_loopback if address else host.casefold() == "localhost"


def is_wildcard(host: str) -> bool:
    """Tell whether an address that is listened on stands for all of this machine's."""
    address = read_address(host)
    return bool(address and address.is_unspecified) or host == ""


def read_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Read a literal address; an IPv4 address inside IPv6 is given as itself. None for a name."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _read_name(text: str) -> tuple[str, str]:
    """Read ``name`` or ``name:port``: the name alone, and the whole as browsers write it."""
    wrong = UsageError(
        f"--allow-host takes the name of a host, such as gpu1.lab.example, or NAME:PORT, but got "
        f"'{text}'."
    )
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:/\[\]]+)(?::([0-9]{1,5}))?", text.strip())
    if found is None:
        raise wrong
    name, port = found[1].casefold(), found[2]
    if not name.isascii():
        try:
            name = name.encode("idna").decode()
        except UnicodeError as error:
            raise wrong from error
    bare = name.strip("[]")
    if not (_NAME.fullmatch(name) or (name != bare and read_address(bare))):
        raise wrong
    standard = port is None or int(port) in (80, 443)
    return bare, name if standard else f"{name}:{int(port)}"


def _read_root(text: str) -> str:
    root = text.rstrip("/")
    if not _ROOT.fullmatch(root):
        raise UsageError(
            f"--root-path takes the path under which a proxy shows the page, such as "
            f"/user/x/proxy/7860, but got '{text}'."
        )
    if root.split("/")[1:2] and root.split("/")[1] in OWN_SEGMENTS:
        raise UsageError(
            f"--root-path cannot begin with /{root.split('/')[1]}, which is an address of the page "
            "itself. Choose another path in the proxy."
        )
    return root
