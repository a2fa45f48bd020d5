"""Who is logged in, and how often somebody may guess; in memory, gone with the process."""

from __future__ import annotations

import hashlib
import ipaddress
import math
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

HOUR: Final = 3600.0
VIEWER: Final = "inspector.viewer"
"""Key of an ASGI scope under which the guard says who asks."""


@dataclass(frozen=True)
class Viewer:
    """Who asks, as far as is known.

    Args:
        name: What the visitor calls himself at the login; empty if nothing was said.
        is_logged_in: Whether there is a session that can be ended.
    """

    name: str = ""
    is_logged_in: bool = False


def viewer_of(scope: Mapping[str, object]) -> Viewer:
    """Give who asks, from the scope of a request; nobody in particular on a page without login."""
    viewer = scope.get(VIEWER)
    return viewer if isinstance(viewer, Viewer) else Viewer()


@dataclass
class _Session:
    name: str
    begun: float
    used: float


class Sessions:
    """The sessions of one served page.

    A token is random and known to the browser alone; here only its digest is kept.

    Args:
        clock: Gives seconds that never go back.
        idle: Seconds without a request after which a session is over.
        longest: Seconds after which a session is over in any case.
        most: Sessions that are kept; the one that was used longest ago makes room.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, idle: float = 12 * HOUR,
        longest: float = 7 * 24 * HOUR, most: int = 1000,
    ) -> None:
        self._clock, self._idle, self.longest, self._most = clock, idle, longest, most
        self._sessions: OrderedDict[bytes, _Session] = OrderedDict()

    def __len__(self) -> int:
        """Count the sessions that are kept."""
        return len(self._sessions)

    def begin(self, name: str) -> str:
        """Begin a session and give its token."""
        token = secrets.token_urlsafe(32)
        now = self._clock()
        self._sessions[_key(token)] = _Session(name, now, now)
        while len(self._sessions) > self._most:
            self._sessions.popitem(last=False)
        return token

    def find(self, token: str) -> Viewer | None:
        """Give whose session a token is, and count this as a use of it; None if it is of none."""
        key = _key(token)
        session = self._sessions.get(key)
        if session is None:
            return None
        now = self._clock()
        if now - session.used > self._idle or now - session.begun > self.longest:
            del self._sessions[key]
            return None
        session.used = now
        self._sessions.move_to_end(key)
        return Viewer(session.name, is_logged_in=True)

    def end(self, token: str) -> None:
        """End a session; a token of none is no mistake."""
        self._sessions.pop(_key(token), None)


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", errors="replace")).digest()


class Attempts:
    """How many passwords were tried lately, by one client and by all.

    The limit for all keeps somebody with many addresses from guessing on; it also bounds what is
    remembered. Who is logged in already is not touched by it.

    Args:
        clock: Gives seconds that never go back.
        most: Wrong passwords of one client within ``seconds``.
        most_in_all: Wrong passwords of all clients within ``seconds``.
        seconds: How long an attempt counts.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, most: int = 10,
        most_in_all: int = 200, seconds: float = 600.0,
    ) -> None:
        self._clock, self._seconds = clock, seconds
        self._most, self._most_in_all = most, most_in_all
        self._tried: deque[tuple[float, str]] = deque()

    def __len__(self) -> int:
        """Count the attempts that are remembered."""
        return len(self._tried)

    def begin(self, address: str) -> int:
        """Count an attempt before the password is looked at, so that many at once gain nothing.

        Returns:
            0 if the attempt may go on, else after how many seconds the next one may.
        """
        now = self._clock()
        while self._tried and now - self._tried[0][0] >= self._seconds:
            self._tried.popleft()
        client = client_of(address)
        own = [when for when, who in self._tried if who == client]
        if len(own) >= self._most:
            return math.ceil(own[0] + self._seconds - now)
        if len(self._tried) >= self._most_in_all:
            return math.ceil(self._tried[0][0] + self._seconds - now)
        self._tried.append((now, client))
        return 0

    def forget(self, address: str) -> None:
        """Take one attempt of a client back: its password was right."""
        client = client_of(address)
        for place in range(len(self._tried) - 1, -1, -1):
            if self._tried[place][1] == client:
                del self._tried[place]
                return


def client_of(address: str) -> str:
    """Give what counts as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    if read.ipv4_mapped:
        return str(read.ipv4_mapped)
    return str(ipaddress.ip_network((read, 64), strict=False))
