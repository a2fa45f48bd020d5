"""Every hostile pickle again, with the way open that large plain pickles take."""

from __future__ import annotations

import pickle
import struct

import pytest

from inspector.core import compiled
from inspector.core.errors import FormatError
from inspector.formats import pickles
from inspector.formats.pickle_machine import Machine
from inspector.formats.pickles import read_plain_pickle
from tests.formats import test_pickles as plain
from tests.formats.writing import scene_refs
from tests.hostile import test_pickles as hostile


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Let small pickles take that way too."""
    compiled.load()
    monkeypatch.setattr(compiled, "WORTH_IT", 0)
    monkeypatch.setattr(compiled, "ONCE_LOADED", 0)


class TestAgain:
    """The tests of the machine, which must not notice."""


for module in (plain, hostile):
    for name, test in vars(module).items():
        if name.startswith("test_"):
            setattr(TestAgain, name, staticmethod(test))


def refs(count: int = 40) -> list:
    return [dict(ref, ref_id=number) for number in range(count) for ref in scene_refs()]


@pytest.fixture
def machines(monkeypatch) -> list[int]:
    """Count how often the machine is asked."""
    asked: list[int] = []

    class Counted(Machine):
        def run(self):
            asked.append(1)
            return super().run()

    monkeypatch.setattr(pickles, "Machine", Counted)
    return asked


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_refs_do_not_need_the_machine(tmp_path, machines, protocol):
    path = tmp_path / "refs(unc).p"
    path.write_bytes(pickle.dumps(refs(), protocol))
    assert read_plain_pickle(path) == refs()
    assert not machines


@pytest.mark.parametrize(("value", "why"), [
    ((1, 2), "a tuple"), ({1, 2}, "a set"), (2**40, "a long number"), (bytearray(b"a"), "bytes"),
    (1 + 2j, "a call"), (len, "a name"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_not_of_the_plainest_kind_is_left_to_the_machine(value, why):
    assert compiled.is_plain_pickle(pickle.dumps([None], 5))
    assert not compiled.is_plain_pickle(pickle.dumps([value], 5)), why


def test_text_of_python_2_that_is_not_utf_8(tmp_path, machines):
    path = tmp_path / "refs(unc).p"
    path.write_bytes(b"\x80\x02]U\x03abca.")
    assert read_plain_pickle(path) == ["abc"]
    assert not machines
    path.write_bytes(b"\x80\x02]U\x04caf\xe9a.")
    assert read_plain_pickle(path) == ["café"]
    assert machines


def test_a_memo_is_never_larger_than_the_file():
    put = b"r" + struct.pack("<I", 3)
    assert not compiled.is_plain_pickle(b"\x80\x02]" + put + b".")  # the third opcode: places 0-2
    assert compiled.is_plain_pickle(b"\x80\x02]NN" + put + b".")
    far = b"r" + struct.pack("<I", 2**32 - 1)
    assert not compiled.is_plain_pickle(b"\x80\x02]" + far + b".")


def test_a_pickle_cut_off_anywhere_is_not_plain():
    whole = pickle.dumps(refs(2), 2)
    assert compiled.is_plain_pickle(whole)
    assert not any(compiled.is_plain_pickle(whole[:end]) for end in range(len(whole)))


@pytest.mark.parametrize("data", [
    pytest.param(b"\x80\x02NK\x01a.", id="append to nothing"),
    pytest.param(b"\x80\x02]K\x01K\x02s.", id="a key in a list"),
    pytest.param(b"\x80\x02}]K\x01s.", id="a list as key"),
    pytest.param(b"\x80\x02e.", id="no mark"),
    pytest.param(b"\x80\x02h\x07.", id="nothing at that place"),
    pytest.param(b"\x80\x09N.", id="protocol 9"),
    pytest.param(b"\x80\x02X\xff\xff\xff\x7fab.", id="text longer than the file"),
    pytest.param(b"\x95\xff\xff\xff\xff\xff\xff\xff\xffN.", id="frame longer than the file"),
])
def test_nonsense_is_worded_by_the_machine(tmp_path, data):
    path = tmp_path / "refs(unc).p"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"is not a pickle of plain data|is cut off"):
        read_plain_pickle(path)
