"""A machine for the opcodes of plain data, which runs pickles without running anything else.

Python's own unpickler is not used: even where it may name no class, a few bytes make it take
64 GB for its memo, hash nested tuples until the process ends, or build a value that is tiny in
memory and endless when it is walked. On the 26 MB and 5 million opcodes of RefCOCO's size this one
takes 1.4 s; Python's 0.8 s, of which its garbage collector has 0.7.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from inspector.formats.pickle_values import (
    MalformedError,
    RefusedError,
    check_keys,
    checked_size,
    number_of,
    text_of,
    text_of_line,
    unquoted,
)

_LONGEST_NUMBER = 1000  # bytes


class Machine:
    """Carries out the opcodes of one pickle; their codes are those of :mod:`pickletools`."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}

    def run(self) -> Any:
        """Give the value; what most files consist of is done here, the rest by a table.

        Raises:
            EOFError: If the data ends before the pickle does.
            LookupError, TypeError, ValueError, MalformedError: If the opcodes make no sense.
            RefusedError: If something would have to be called or built.
        """
        data, size, stack, memo, at = self._data, len(self._data), self._stack, self._memo, 0
        push, mark, table, word = stack.append, self._marks.append, _OPCODES, _WORD.unpack_from
        while at < size:
            code = data[at]
            if code == 0x72:  # LONG_BINPUT
                memo[word(data, at + 1)[0]] = stack[-1]
                at += 5
            elif code == 0x58:  # BINUNICODE
                begin = at + 5
                at = begin + word(data, at + 1)[0]
                if at > size:
                    break
                push(data[begin:at].decode("utf-8", "surrogatepass"))
            elif code == 0x28:  # MARK
                mark(len(stack))
                at += 1
            elif code == 0x68:  # BINGET
                at += 2
                if at > size:
                    break
                push(memo[data[at - 1]])
            elif code == 0x94:  # MEMOIZE
                memo[len(memo)] = stack[-1]
                at += 1
            elif code == 0x6A:  # LONG_BINGET
                push(memo[word(data, at + 1)[0]])
                at += 5
            elif code == 0x4A:  # BININT
                push(_SIGNED_WORD.unpack_from(data, at + 1)[0])
                at += 5
            elif code == 0x67 or code == 0x70:  # GET, PUT
                end = data.find(b"\n", at)
                if end < 0:
                    break
                place = int(data[at + 1 : end])
                at = end + 1
                if code == 0x67:
                    push(memo[place])
                elif place <= size:  # no pickler numbers further than it writes
                    memo[place] = stack[-1]
                else:
                    raise MalformedError(f"place {place} of the memo")
            elif code == 0x2E:  # STOP
                return stack.pop()
            else:
                self._at = at + 1
                table[code](self)
                at = self._at
        raise EOFError

    def take(self, count: int) -> bytes:
        """Give the next bytes."""
        begin = self._at
        self._at += count
        if self._at > len(self._data):
            raise EOFError
        return self._data[begin : self._at]

    def number(self, layout: str) -> Any:
        """Give the next number, packed as :mod:`struct` calls it."""
        return struct.unpack(layout, self.take(struct.calcsize(layout)))[0]

    def line(self) -> bytes:
        """Give the bytes up to the next line end."""
        begin, end = self._at, self._data.find(b"\n", self._at)
        if end < 0:
            raise EOFError
        self._at = end + 1
        return self._data[begin:end]

    def push(self, value: Any) -> None:
        """Put a value on the stack."""
        self._stack.append(value)

    def pop(self) -> Any:
        """Take the last value off the stack."""
        return self._stack.pop()

    def since_mark(self) -> list[Any]:
        """Take off the stack what was put there since the last mark."""
        begin = self._marks.pop()
        values = self._stack[begin:]
        del self._stack[begin:]
        return values

    def pop_many(self, count: int) -> list[Any]:
        """Take the last few values off the stack."""
        values = self._stack[-count:]
        if len(values) < count:
            raise MalformedError("the stack is empty")
        del self._stack[-count:]
        return values

    def put(self, place: int) -> None:
        """Remember the value on top of the stack."""
        self._memo[place] = self._stack[-1]

    def append(self, values: list[Any]) -> None:
        """Add to the list on top of the stack."""
        target = self._stack[-1]
        if type(target) is not list:
            raise MalformedError("something is appended to no list")
        target += values

    def set_items(self, values: list[Any]) -> None:
        """Add keys and values in turn to the dictionary on top of the stack."""
        target, keys = self._stack[-1], values[::2]
        if type(target) is not dict or len(values) % 2:
            raise MalformedError("something is put into no dictionary")
        check_keys(keys)
        target.update(zip(keys, values[1::2], strict=True))

    def add_items(self, values: list[Any]) -> None:
        """Add to the set on top of the stack."""
        target = self._stack[-1]
        if type(target) is not set:
            raise MalformedError("something is added to no set")
        check_keys(values)
        target.update(values)

    def long(self, size: int) -> None:
        """Push a whole number of so many bytes."""
        if not 0 <= size <= _LONGEST_NUMBER:
            raise MalformedError(f"a number of {size:,} bytes")
        self.push(int.from_bytes(self.take(size), "little", signed=True))

    def name(self, module: Any, name: Any) -> None:
        """Push the one function that plain data may need; anything else is refused."""
        if (module, name) != ("_codecs", "encode"):
            raise RefusedError(f"{str(module)[:80]}.{str(name)[:80]}")
        self.push(_ENCODE)

    def call(self) -> None:
        """Do what Python 3 has Python 2 do for bytes: encode text in Latin-1."""
        function, arguments = self.pop_many(2)
        if function is not _ENCODE:
            raise RefusedError("the call of what is no function")
        if (type(arguments) is not tuple or len(arguments) != 2
                or type(arguments[0]) is not str or arguments[1] not in ("latin1", "latin-1")):
            raise RefusedError("_codecs.encode")
        self.push(arguments[0].encode("latin1"))

    def refuse(self, what: str) -> None:
        """Stop at what would have to be built."""
        raise RefusedError(what)


_ENCODE = str(b"_codecs.encode", "ascii")  # told by its identity; as a value it is plain text
_WORD, _SIGNED_WORD = struct.Struct("<I"), struct.Struct("<i")


def _proto(machine: Machine) -> None:
    protocol = machine.take(1)[0]
    if protocol > 5:
        raise MalformedError(f"protocol {protocol}")


def _frame(machine: Machine) -> None:
    size = machine.number("<Q")
    if machine._at + size > len(machine._data):
        raise EOFError


def _append(machine: Machine) -> None:
    value, target = machine._stack.pop(), machine._stack[-1]
    if type(target) is not list:
        raise MalformedError("something is appended to no list")
    target.append(value)


def _set_item(machine: Machine) -> None:
    key, value = machine.pop_many(2)
    target = machine._stack[-1]
    if type(key) is str and type(target) is dict:  # as nearly all are
        target[key] = value
    else:
        machine.set_items([key, value])


def _tuple(count: int) -> Callable[[Machine], None]:
    return lambda m: m.push(tuple(m.pop_many(count)))


def _dict(machine: Machine) -> None:
    values = machine.since_mark()
    machine.push({})
    machine.set_items(values)


def _refusing(what: str) -> Callable[[Machine], None]:
    return lambda m: m.refuse(what)


_OPCODES: dict[int, Callable[[Machine], Any]] = {
    opcode[0]: action for opcode, action in {
        b"\x80": _proto,
        b"\x95": _frame,
        b"]": lambda m: m.push([]),
        b"}": lambda m: m.push({}),
        b"N": lambda m: m.push(None),
        b"\x88": lambda m: m.push(True),
        b"\x89": lambda m: m.push(False),
        b"I": lambda m: m.push(number_of(m.line())),
        b"K": lambda m: m.push(m.take(1)[0]),
        b"q": lambda m: m.put(m.take(1)[0]),
        b"M": lambda m: m.push(m.number("<H")),
        b"L": lambda m: m.push(int(m.line().removesuffix(b"L"), 0)),
        b"\x8a": lambda m: m.long(m.take(1)[0]),
        b"\x8b": lambda m: m.long(m.number("<i")),
        b"F": lambda m: m.push(float(m.line())),
        b"G": lambda m: m.push(m.number(">d")),
        b"S": lambda m: m.push(text_of(unquoted(m.line()))),
        b"T": lambda m: m.push(text_of(m.take(checked_size(m.number("<i"))))),
        b"U": lambda m: m.push(text_of(m.take(m.take(1)[0]))),
        b"\x8c": lambda m: m.push(m.take(m.take(1)[0]).decode("utf-8", "surrogatepass")),
        b"V": lambda m: m.push(m.line().decode("raw-unicode-escape")),
        b"\x8d": lambda m: m.push(m.take(m.number("<Q")).decode("utf-8", "surrogatepass")),
        b"C": lambda m: m.push(m.take(m.take(1)[0])),
        b"B": lambda m: m.push(m.take(m.number("<I"))),
        b"\x8e": lambda m: m.push(m.take(m.number("<Q"))),
        b"\x96": lambda m: m.push(m.take(m.number("<Q"))),  # a bytearray; bytes do as well
        b"l": lambda m: m.push(m.since_mark()),
        b"a": _append,
        b"e": lambda m: m.append(m.since_mark()),
        b")": lambda m: m.push(()),
        b"t": lambda m: m.push(tuple(m.since_mark())),
        b"\x85": _tuple(1), b"\x86": _tuple(2), b"\x87": _tuple(3),
        b"d": _dict,
        b"s": _set_item,
        b"u": lambda m: m.set_items(m.since_mark()),
        b"\x8f": lambda m: m.push(set()),
        b"\x90": lambda m: m.add_items(m.since_mark()),
        b"0": lambda m: m.pop(),
        b"1": lambda m: m.since_mark(),
        b"2": lambda m: m.push(m._stack[-1]),
        b"c": lambda m: m.name(text_of_line(m.line()), text_of_line(m.line())),
        b"\x93": lambda m: m.name(*m.pop_many(2)),
        b"i": lambda m: m.refuse(f"{text_of_line(m.line())[:80]}.{text_of_line(m.line())[:80]}"),
        b"R": lambda m: m.call(),
        b"b": _refusing("the state of an object"),
        b"o": _refusing("an object"), b"\x81": _refusing("an object"),
        b"\x92": _refusing("an object"),
        b"\x82": _refusing("an extension"), b"\x83": _refusing("an extension"),
        b"\x84": _refusing("an extension"),
        b"P": lambda m: m.refuse(f"a persistent object ({text_of_line(m.line())[:40]})"),
        b"Q": _refusing("a persistent object"),
        b"\x91": _refusing("a frozen set"),
        b"\x97": _refusing("a buffer outside the file"),
        b"\x98": _refusing("a buffer outside the file"),
    }.items()
}
