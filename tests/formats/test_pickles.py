from __future__ import annotations

import builtins
import os
import pickle
from collections import Counter, OrderedDict

import pytest

from inspector.core.errors import FormatError
from inspector.formats.pickles import read_plain_pickle

RECORDS = [
    {
        "ref_id": 7, "ann_id": [1, 2], "box": (1.5, -2.0), "none": None, "yes": True,
        "big": 2**70, "sentences": [{"sent": "a café", "sent_id": 0}],
    }
]


def write(folder, data: bytes):
    path = folder / "refs(unc).p"
    path.write_bytes(data)
    return path


class Call:
    """Pickles as the call of a function, which loading carries out."""

    def __init__(self, function, *arguments):
        self._call = (function, arguments)

    def __reduce__(self):
        return self._call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_of_every_protocol(tmp_path, protocol):
    assert read_plain_pickle(write(tmp_path, pickle.dumps(RECORDS, protocol))) == RECORDS


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    ("function", "name"),
    [
        pytest.param(os.system, "system", id="os.system"),
        pytest.param(builtins.eval, r"\w*builtin\w*.eval", id="eval"),
    ],
)
def test_nothing_that_a_pickle_names_is_run(tmp_path, protocol, function, name):
    trace = tmp_path / "it ran"
    command = f"touch '{trace}'"
    if function is builtins.eval:
        command = f"open({str(trace)!r}, 'w')"
    path = write(tmp_path, pickle.dumps([RECORDS, Call(function, command)], protocol))
    text = rf"refs\(unc\)\.p: names .*{name}, but a file of references holds plain data only"
    with pytest.raises(FormatError, match=text + r"\. It was not run"):
        read_plain_pickle(path)
    assert not trace.exists()


def test_the_pickle_of_that_test_would_run(tmp_path):
    trace = tmp_path / "it ran"
    pickle.loads(pickle.dumps(Call(os.system, f"touch '{trace}'")))
    assert trace.exists()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(pickle.dumps(OrderedDict(a=1)), "collections.OrderedDict", id="OrderedDict"),
        pytest.param(pickle.dumps(Counter("a")), "collections.Counter", id="Counter"),
        pytest.param(pickle.dumps({1, 2}, 2), "__builtin__.set", id="a set of protocol 2"),
        pytest.param(b"(S'touch x'\nios\nsystem\n.", "os.system", id="INST opcode"),
        pytest.param(b"cos\nsystem\n(S'touch x'\ntR.", "os.system", id="GLOBAL opcode"),
        pytest.param(b"\x80\x04\x8c\x02os\x8c\x06system\x93.", "os.system", id="STACK_GLOBAL"),
        pytest.param(b"c_codecs\ndecode\n.", "_codecs.decode", id="decode"),
        pytest.param(
            b"c_codecs\nencode\n(S'x'\nS'rot13'\ntR.", "_codecs.encode", id="another encoding"
        ),
    ],
)
def test_classes_and_functions_are_refused_by_name(tmp_path, data, name):
    with pytest.raises(FormatError, match=f"names {name}, but a file of references"):
        read_plain_pickle(write(tmp_path, data))


def test_persistent_objects_are_refused(tmp_path):
    with pytest.raises(FormatError, match="names a persistent object .12."):
        read_plain_pickle(write(tmp_path, b"P12\n."))


def test_a_pickle_cannot_change_how_the_next_one_is_read(tmp_path):
    # BUILD sets attributes of the one function that a pickle may name: here its defaults
    changing = b"c_codecs\nencode\n(N(dS'__defaults__'\nNsS'__kwdefaults__'\nNstb."
    with pytest.raises(FormatError, match="names the state of an object"):
        read_plain_pickle(write(tmp_path, changing))
    assert read_plain_pickle(write(tmp_path, b"c_codecs\nencode\n(S'x'\nS'latin1'\ntR.")) == b"x"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_cut_off_anywhere(tmp_path, protocol):
    whole = pickle.dumps(RECORDS, protocol)
    for length in range(len(whole)):
        with pytest.raises(FormatError, match="pickle is cut off. Download it again"):
            read_plain_pickle(write(tmp_path, whole[:length]))


def test_an_empty_file(tmp_path):
    with pytest.raises(FormatError, match="the pickle is cut off"):
        read_plain_pickle(write(tmp_path, b""))


@pytest.mark.parametrize(
    "data",
    [b'[{"ref_id": 1}]', b"PK\x03\x04 a zip", b"<!DOCTYPE html>", b"0" * 20, b"\x80\xff."],
    ids=["json", "zip", "a web page", "zeros", "protocol 255"],
)
def test_no_pickle_at_all(tmp_path, data):
    with pytest.raises(FormatError, match="is not a pickle of plain data|is cut off"):
        read_plain_pickle(write(tmp_path, data))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match=r"cannot be read \(No such file"):
        read_plain_pickle(tmp_path / "refs(unc).p")


PYTHON_2 = [
    pytest.param(b"(lp0\nS'caf\\xc3\\xa9'\np1\na.", id="protocol 0"),
    pytest.param(b"]q\x00U\x05caf\xc3\xa9q\x01a.", id="protocol 1"),
    pytest.param(b"\x80\x02]q\x00U\x05caf\xc3\xa9q\x01a.", id="protocol 2"),
    pytest.param(b"\x80\x02]T\x05\x00\x00\x00caf\xc3\xa9a.", id="a long string"),
    pytest.param(b"\x80\x02]X\x05\x00\x00\x00caf\xc3\xa9a.", id="unicode"),
]


@pytest.mark.parametrize("data", PYTHON_2)
def test_byte_strings_of_python_2_are_utf_8(tmp_path, data):
    assert read_plain_pickle(write(tmp_path, data)) == ["café"]


def test_byte_strings_of_python_2_in_latin_1(tmp_path):
    assert read_plain_pickle(write(tmp_path, b"\x80\x02]U\x04caf\xe9a.")) == ["café"]


def test_one_latin_1_string_does_not_garble_the_others(tmp_path):
    # read as Latin-1 throughout, "café" in UTF-8 becomes "cafÃ©"
    data = b"\x80\x02](U\x04caf\xe9U\x05caf\xc3\xa9U\x03teae."
    assert read_plain_pickle(write(tmp_path, data)) == ["café", "café", "tea"]


def test_garbled_text_is_repaired_in_nested_containers(tmp_path):
    data = b"\x80\x02}(U\x02\xc3\xa9](U\x02\xc3\xa9U\x02\xc3\xa9\x85eU\x01aU\x01\xe9u."
    assert read_plain_pickle(write(tmp_path, data)) == {"é": ["é", ("é",)], "a": "é"}


def test_a_container_that_holds_itself_ends_in_an_error(tmp_path):
    data = b"\x80\x02]q\x00(h\x00U\x01\xe9e."
    with pytest.raises(FormatError, match="the same containers over and over|in themselves"):
        read_plain_pickle(write(tmp_path, data))
