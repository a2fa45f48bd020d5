"""Pickles that would run code, take all memory, or keep whoever reads them busy for ever."""

from __future__ import annotations

import builtins
import os
import pickle
import struct

import pytest

from inspector.cli import main
from inspector.core.errors import FormatError
from inspector.formats import load_dataset
from inspector.formats.pickles import read_plain_pickle
from inspector.formats.request import LoadRequest
from tests.formats.writing import ref, scene_refs, write_refer
from tests.hostile.watching import little_memory

pytestmark = pytest.mark.timeout(20)
MANY = 200_000


def refused(folder, data: bytes, match: str) -> None:
    path = folder / "refs(unc).p"
    path.write_bytes(data)
    with little_memory(100_000_000), pytest.raises(FormatError, match=match):
        read_plain_pickle(path)


class Call:
    """Pickles as a call that leaves a trace."""

    def __init__(self, function, argument):
        self._call = function, (argument,)

    def __reduce__(self):
        return self._call


@pytest.mark.parametrize("function", [os.system, builtins.eval, builtins.exec, os.unlink])
def test_a_data_set_whose_refs_would_run_code(tmp_path, function, capsys):
    trace = tmp_path / "there"
    trace.touch()
    command = {os.system: f"rm '{trace}'", os.unlink: str(trace)}.get(
        function, f"__import__('os').unlink({str(trace)!r})"
    )
    refs = [*scene_refs(), ref(9, 11, 1, (9, "x"), trap=Call(function, command))]
    assert main(["check", str(write_refer(tmp_path, refs=refs))]) == 2
    assert "It was not run." in capsys.readouterr().err
    assert trace.exists()


@pytest.mark.parametrize("put", [
    pytest.param(b"r" + struct.pack("<I", 2**32 - 1), id="LONG_BINPUT"),
    pytest.param(b"p4294967295\n", id="PUT"),
    pytest.param(b"p999999999999999999999999\n", id="PUT beyond 64 bits"),
])
def test_a_place_in_the_memo_that_is_far_away(tmp_path, put):
    # Python's unpickler takes 64 GB for an empty table up to that place
    path = tmp_path / "x.p"
    path.write_bytes(b"]" + put + b"0N.")
    with little_memory():
        try:
            assert read_plain_pickle(path) is None
        except FormatError as error:
            assert "of the memo" in str(error)


@pytest.mark.parametrize("opcode", [b"\x8d", b"\x8e", b"\x96", b"\x95"],
                         ids=["BINUNICODE8", "BINBYTES8", "BYTEARRAY8", "FRAME"])
@pytest.mark.parametrize("size", [2**63 - 1, 2**64 - 1, 10**12])
def test_a_size_that_the_file_does_not_have(tmp_path, opcode, size):
    refused(tmp_path, b"\x80\x05" + opcode + struct.pack("<Q", size) + b"x.", "cut off")


@pytest.mark.parametrize("opcode", [b"X", b"B", b"T"], ids=["BINUNICODE", "BINBYTES", "BINSTRING"])
def test_a_32_bit_size_that_the_file_does_not_have(tmp_path, opcode):
    refused(tmp_path, opcode + struct.pack("<I", 2**31 - 1) + b"x.", "cut off")


@pytest.mark.parametrize(("data", "said"), [
    pytest.param(b"\x8b" + struct.pack("<i", 2**31 - 1) + b"\x01" * 99 + b".",
                 "a number of 2,147,483,647 bytes", id="LONG4 that is cut off"),
    pytest.param(b"\x8b" + struct.pack("<i", MANY) + b"\x01" * MANY + b".",
                 "a number of 200,000 bytes", id="LONG4"),
    pytest.param(b"\x8b\xff\xff\xff\xff.", "a number of -1 bytes", id="LONG4 below zero"),
    pytest.param(b"T\xff\xff\xff\xff.", "a string of -1 bytes", id="BINSTRING below zero"),
    pytest.param(b"L" + b"9" * MANY + b"L\n.", "integer string conversion", id="LONG of digits"),
    pytest.param(b"I011\n.", "invalid literal", id="INT that could be octal"),
    pytest.param(b"I" + b"9" * MANY + b"\n.", "integer string conversion", id="INT of digits"),
])
def test_numbers_and_sizes_that_are_none(tmp_path, data, said):
    refused(tmp_path, data, said)


@pytest.mark.parametrize("data", [
    pytest.param(b"]" * MANY + b"a" * (MANY - 1) + b".", id="lists"),
    pytest.param(b")" + b"\x85" * MANY + b".", id="tuples"),
    pytest.param(b"(" * MANY + b"l" * MANY + b".", id="marks"),
    pytest.param(b"}(I0\n" * 1000 + b"N" + b"u" * 1000 + b".", id="dictionaries"),
])
def test_containers_inside_each_other(tmp_path, data):
    path = tmp_path / "x.p"
    path.write_bytes(data)
    with pytest.raises(FormatError, match="more than 50 deep"):
        read_plain_pickle(path)


@pytest.mark.parametrize("data", [
    pytest.param(b"}" + b")" + b"\x85" * MANY + b"Ns.", id="SETITEM"),
    pytest.param(b"(" + b")" + b"\x85" * MANY + b"Nd.", id="DICT"),
    pytest.param(b"\x8f(" + b")" + b"\x85" * MANY + b"\x90.", id="ADDITEMS"),
    pytest.param(b"})q\x00" + b"0h\x00h\x00\x86q\x00" * 60 + b"Ns.", id="two of each"),
])
def test_a_key_whose_hash_would_end_the_process_or_never_end(tmp_path, data):
    refused(tmp_path, data, "a key is neither text nor a number")


def test_keys_that_all_have_one_hash(tmp_path):
    # so many of them in a dictionary take Python minutes
    keys = {(2**61 - 1) * number: None for number in range(1, 100)}
    refused(tmp_path, pickle.dumps(keys), "a key is a number of more than 64 bits")


@pytest.mark.parametrize("data", [
    pytest.param(b"]q\x00h\x00a.", id="a list in itself"),
    pytest.param(b"]2a.", id="by DUP"),
    pytest.param(b"}q\x00I0\nh\x00s.", id="a dictionary in itself"),
    pytest.param(b"]q\x00]q\x01h\x00ah\x01a.", id="in turn"),
])
def test_a_container_that_holds_itself(tmp_path, data):
    refused(tmp_path, data, "over and over|in themselves")


def laughs(levels: int, times: int) -> bytes:
    """Ten of ten of ten …: small in memory, endless for whoever walks through it."""
    data = b"]q\x00"
    for _ in range(levels):
        data += b"](" + b"h\x00" * times + b"eq\x00"
    return data + b"."


def test_a_billion_laughs(tmp_path):
    refused(tmp_path, laughs(9, 10), "the same containers over and over")
    refused(tmp_path, laughs(40, 2), "the same containers over and over")


def test_a_billion_laughs_inside_a_ref(tmp_path):
    data = pickle.dumps(scene_refs(), 2)[:-1] + laughs(30, 2)[:-1] + b"a."
    folder = write_refer(tmp_path)
    (folder / "refs(unc).p").write_bytes(data)
    with pytest.raises(FormatError, match="over and over"):
        load_dataset(LoadRequest(str(folder)))


def test_the_same_list_in_several_records_is_no_bomb(tmp_path):
    tokens = ["left", "mug"]
    path = tmp_path / "x.p"
    value = [{"tokens": tokens, "again": tokens} for _ in range(100)]
    path.write_bytes(pickle.dumps(value, 2))
    assert read_plain_pickle(path) == value


def test_very_many_frames_and_marks_and_protocols(tmp_path):
    path = tmp_path / "x.p"
    path.write_bytes(b"\x80\x04" * 10_000 + (b"\x95" + struct.pack("<Q", 0)) * 10_000 + b"N.")
    assert read_plain_pickle(path) is None


@pytest.mark.parametrize("opcodes", [b"0.", b"1.", b"a.", b"e.", b"s.", b"u.", b"t.", b"R.", b"2.",
                                     b"h\x00.", b"j\x00\x00\x00\x00.", b"q\x00.", b"\x94.", b"."],
                         ids=repr)
def test_opcodes_without_anything_to_work_on(tmp_path, opcodes):
    refused(tmp_path, opcodes, "is not a pickle of plain data")


def test_a_function_that_is_named_and_not_called_is_no_value(tmp_path):
    path = tmp_path / "x.p"
    path.write_bytes(b"c_codecs\nencode\n.")
    assert read_plain_pickle(path) == "_codecs.encode"


def test_the_collector_is_on_again_afterwards(tmp_path):
    import gc

    refused(tmp_path, b"cos\nsystem\n.", "names os.system")
    assert gc.isenabled()
