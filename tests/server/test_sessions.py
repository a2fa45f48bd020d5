"""Sessions and the limit of guesses, on a clock of the test."""

from __future__ import annotations

import pytest

from inspector.server.sessions import VIEWER, Attempts, Sessions, Viewer, client_of, viewer_of


class Clock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_session_is_found_by_its_token_alone(clock):
    sessions = Sessions(clock)
    token = sessions.begin("Ada")
    assert sessions.find(token) == Viewer("Ada", is_logged_in=True)
    for other in ("", token[:-1], token.swapcase(), token + "x", "\udcff"):
        assert sessions.find(other) is None


def test_tokens_are_long_and_never_the_same(clock):
    sessions = Sessions(clock)
    tokens = {sessions.begin("") for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 43  # 32 random bytes


def test_the_token_itself_is_not_kept(clock):
    sessions = Sessions(clock)
    token = sessions.begin("Ada")
    assert token not in repr(vars(sessions))


def test_a_session_ends_when_it_is_not_used(clock):
    sessions = Sessions(clock, idle=100, longest=1000)
    token = sessions.begin("")
    for _ in range(5):
        clock.now += 100
        assert sessions.find(token)
    clock.now += 100.5
    assert sessions.find(token) is None
    clock.now -= 100
    assert sessions.find(token) is None  # it is gone for good


def test_a_session_ends_after_its_longest_time_in_any_case(clock):
    sessions = Sessions(clock, idle=100, longest=250)
    token = sessions.begin("")
    for _ in range(5):
        clock.now += 50
        assert sessions.find(token)
    clock.now += 1
    assert sessions.find(token) is None


def test_a_session_can_be_ended_and_others_go_on(clock):
    sessions = Sessions(clock)
    first, second = sessions.begin("a"), sessions.begin("b")
    sessions.end(first)
    sessions.end("nobody's")
    assert sessions.find(first) is None
    assert sessions.find(second)


def test_the_session_used_longest_ago_makes_room(clock):
    sessions = Sessions(clock, most=2)
    first, second = sessions.begin("a"), sessions.begin("b")
    sessions.find(first)
    third = sessions.begin("c")
    assert len(sessions) == 2
    assert [bool(sessions.find(token)) for token in (first, second, third)] == [True, False, True]


def test_who_asks_is_nobody_in_particular_unless_the_guard_says_so():
    assert viewer_of({}) == Viewer()
    assert viewer_of({VIEWER: "Ada"}) == Viewer()
    assert viewer_of({VIEWER: Viewer("Ada", is_logged_in=True)}).name == "Ada"


def test_one_client_may_guess_so_often_within_a_time(clock):
    attempts = Attempts(clock, most=3, seconds=60)
    assert [attempts.begin("192.0.2.1") for _ in range(3)] == [0, 0, 0]
    clock.now += 10.5
    assert attempts.begin("192.0.2.1") == 50
    assert attempts.begin("192.0.2.2") == 0
    clock.now += 49.5
    assert attempts.begin("192.0.2.1") == 0


def test_waiting_is_not_made_longer_by_trying(clock):
    attempts = Attempts(clock, most=1, seconds=60)
    attempts.begin("a")
    for _ in range(59):
        clock.now += 1
        assert attempts.begin("a") > 0
    clock.now += 1
    assert attempts.begin("a") == 0


def test_many_addresses_gain_nothing_and_fill_no_memory(clock):
    attempts = Attempts(clock, most=3, most_in_all=20, seconds=60)
    allowed = sum(attempts.begin(f"192.0.2.{n}") == 0 for n in range(250))
    assert (allowed, len(attempts)) == (20, 20)
    clock.now += 60
    assert attempts.begin("192.0.2.1") == 0
    assert len(attempts) == 1


def test_a_right_password_takes_only_its_own_attempt_back(clock):
    attempts = Attempts(clock, most=2, seconds=60)
    attempts.begin("a")
    attempts.begin("a")
    attempts.forget("a")
    attempts.forget("b")
    assert attempts.begin("a") == 0
    assert attempts.begin("a") == 60


@pytest.mark.parametrize(("address", "client"), [
    ("192.0.2.1", "192.0.2.1"),
    ("::ffff:192.0.2.1", "192.0.2.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ("fe80::1%eth0", "fe80::/64"),
    ("", ""),
    ("testclient", "testclient"),
])
def test_what_counts_as_one_client(address, client):
    assert client_of(address) == client
