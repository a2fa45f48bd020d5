from __future__ import annotations

import gc

import pytest

from inspector.core.collecting import no_collecting


def test_the_collector_comes_back():
    assert gc.isenabled()
    with no_collecting():
        assert not gc.isenabled()
        with no_collecting():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_comes_back_after_an_error():
    @no_collecting()
    def fail() -> None:
        assert not gc.isenabled()
        raise ValueError

    with pytest.raises(ValueError):
        fail()
    assert gc.isenabled()


def test_who_has_switched_it_off_keeps_it_off():
    gc.disable()
    try:
        with no_collecting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
