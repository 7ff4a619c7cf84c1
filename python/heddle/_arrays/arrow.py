"""Columns by Arrow's C data interface: __arrow_c_array__ and __arrow_c_stream__ of any producer.

Numbers and booleans are read, nulls as a mask beside the values. One chunk is used where it lies
(booleans are bits there and become bytes); several are joined. Lengths and offsets are checked as
far as the interface tells: it gives no sizes of buffers. Structures are moved out of their
capsules, and released when the last array over them is gone.
Source: arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html and
CDataInterface/PyCapsuleInterface.html.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from typing import Any, NamedTuple, Optional

import numpy as np

from .dlpack import capsule_pointer, window

_FORMATS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8",
            "e": "f2", "f": "f4", "g": "f8"}
_DTYPES = {letter: np.dtype(name) for letter, name in _FORMATS.items()}
_BOOL = "b"
# The longest first: "tdD" is a date, "tts" a time.
_NAMES = (("n", "null"), ("vz", "binary"), ("vu", "string"), ("u", "string"), ("U", "string"),
          ("z", "binary"), ("Z", "binary"), ("d:", "decimal"), ("w:", "binary"), ("td", "date"),
          ("tt", "time"), ("ts", "timestamp"), ("tD", "duration"), ("ti", "interval"),
          ("+s", "struct"), ("+l", "list"), ("+L", "list"), ("+vl", "list"), ("+vL", "list"),
          ("+w", "list"), ("+m", "map"), ("+u", "union"), ("+r", "run-end encoded"))


class _Schema(Structure):
    """ArrowSchema."""


_Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", c_void_p), ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(_Schema))), ("private", c_void_p)]


class _Array(Structure):
    """ArrowArray."""


_Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", c_void_p),
    ("dictionary", c_void_p), ("release", CFUNCTYPE(None, POINTER(_Array))), ("private", c_void_p)]


class _Stream(Structure):
    """ArrowArrayStream."""


_Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(_Stream))),
    ("release", CFUNCTYPE(None, POINTER(_Stream))), ("private", c_void_p)]


class _Owned:
    """A structure of ours that is released when it is no longer referred to."""

    def __init__(self, form: type[Structure]) -> None:
        self.struct = form()

    def __del__(self) -> None:
        if self.struct.release:
            self.struct.release(byref(self.struct))

    @classmethod
    def moved(cls, form: type[Structure], address: int) -> _Owned:
        """The structure at an address, which is left behind as one that is released."""
        owned = cls(form)
        ctypes.memmove(byref(owned.struct), address, ctypes.sizeof(form))
        form.from_address(address).release = type(owned.struct.release)()
        return owned


class Column(NamedTuple):
    """The values of a column, and which of them are not null (None: all of them).

    `copied`: the values are not those of the producer's memory."""

    values: np.ndarray
    valid: Optional[np.ndarray]
    copied: bool


# ---- one chunk --------------------------------------------------------------------------------


def _format_of(name: str, schema: _Schema) -> str:
    """The letter of a type that is supported."""
    said = (schema.format or b"").decode("utf-8", "replace")
    if schema.dictionary:
        raise TypeError(f"{name}: dtype dictionary (categories) is not supported by heddle; cast "
                        "it to a number's type")
    if said in _DTYPES or said == _BOOL:
        return said
    known = [meaning for start, meaning in _NAMES if said.startswith(start)]
    raise TypeError(f"{name}: dtype {known[0] if known else repr(said)} of Arrow is not supported "
                    "by heddle; it takes booleans, integers, and floats of 16, 32 and 64 bits")


def _check_chunk(name: str, array: _Array, item: int) -> None:
    """ValueError for a chunk that cannot be."""
    length, offset = array.length, array.offset
    if length < 0 or offset < 0 or (length + offset) * item > sys.maxsize:
        raise ValueError(f"{name}: its producer gives length {length} and offset {offset}, more "
                         "than memory can hold")
    if not -1 <= array.null_count <= length:
        raise ValueError(f"{name}: its producer counts {array.null_count} nulls among {length} "
                         "values")
    if array.n_buffers != 2 or array.n_children or array.dictionary or not array.buffers:
        raise ValueError(f"{name}: its producer gives {array.n_buffers} buffers and "
                         f"{array.n_children} children, where numbers have 2 and 0")
    if length and not array.buffers[1]:
        raise ValueError(f"{name}: its producer gives no memory for {length} values")
    if array.null_count > 0 and not array.buffers[0]:
        raise ValueError(f"{name}: its producer counts {array.null_count} nulls, but gives no "
                         "bitmap")


def _bits(pointer: int, offset: int, length: int, owner: Any) -> np.ndarray:
    """`length` bits from bit `offset` on, lowest first, as an array of bool of its own."""
    if not length:
        return np.empty(0, bool)
    skipped = offset // 8
    count = (offset + length + 7) // 8 - skipped
    packed = window(pointer + skipped, (count,), np.dtype(np.uint8), owner)
    start = offset % 8
    return np.unpackbits(packed, bitorder="little")[start:start + length].view(bool)


def _chunk(name: str, letter: str, owned: _Owned) -> Column:
    array: _Array = owned.struct
    dtype = _DTYPES.get(letter)
    _check_chunk(name, array, dtype.itemsize if dtype else 1)
    length, offset = array.length, array.offset
    if dtype is None:
        values = _bits(array.buffers[1] or 0, offset, length, owned)
    else:
        pointer = (array.buffers[1] or 0) + offset * dtype.itemsize
        values = window(pointer, (length,), dtype, owned)
    valid = None
    if length and array.null_count and array.buffers[0]:
        valid = _bits(array.buffers[0], offset, length, owned)
        if valid.all():  # the count may be unknown, or be that of a longer column
            valid = None
    return Column(values, valid, dtype is None)


# ---- columns ----------------------------------------------------------------------------------


def _joined(letter: str, chunks: list[Column]) -> Column:
    if len(chunks) == 1:
        return chunks[0]
    if not chunks:
        return Column(np.empty(0, _DTYPES.get(letter, np.dtype(bool))), None, True)
    values = np.concatenate([chunk.values for chunk in chunks])
    if all(chunk.valid is None for chunk in chunks):
        return Column(values, None, True)
    valid = np.concatenate([np.ones(len(chunk.values), bool) if chunk.valid is None else chunk.valid
                            for chunk in chunks])
    return Column(values, valid, True)


def _pointer(name: str, capsule: Any, form: bytes, struct: type[Structure]) -> int:
    address = capsule_pointer(capsule, form)
    if address is None or not struct.from_address(address).release:
        raise ValueError(f"{name}: its producer gives {capsule!r}, where a capsule "
                         f"{form.decode()!r} that is not yet released is wanted")
    return address


def read_array(name: str, x: Any) -> Column:
    """The column that `x` offers by __arrow_c_array__."""
    try:
        schema_capsule, array_capsule = x.__arrow_c_array__()
    except (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError,
            ValueError) as error:
        raise _refused(name, x, "__arrow_c_array__", error) from error
    schema = _pointer(name, schema_capsule, b"arrow_schema", _Schema)
    array = _pointer(name, array_capsule, b"arrow_array", _Array)
    letter = _format_of(name, _Schema.from_address(schema))
    return _chunk(name, letter, _Owned.moved(_Array, array))


def read_stream(name: str, x: Any) -> Column:
    """The column that `x` offers by __arrow_c_stream__, its chunks joined."""
    try:
        capsule = x.__arrow_c_stream__()
    except (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError,
            ValueError) as error:
        raise _refused(name, x, "__arrow_c_stream__", error) from error
    stream = _Owned.moved(_Stream, _pointer(name, capsule, b"arrow_array_stream", _Stream))
    schema = _Owned(_Schema)
    _asked(name, stream, stream.struct.get_schema, schema)
    letter = _format_of(name, schema.struct)
    chunks = []
    while True:
        owned = _Owned(_Array)
        _asked(name, stream, stream.struct.get_next, owned)
        if not owned.struct.release:
            return _joined(letter, chunks)
        chunk = _chunk(name, letter, owned)
        if len(chunk.values):
            chunks.append(chunk)


def _refused(name: str, x: Any, method: str, error: Exception) -> Exception:
    kind = ValueError if isinstance(error, ValueError) else TypeError
    return kind(f"{name}: {type(x).__name__}.{method} refuses: {error}")


def _asked(name: str, stream: _Owned, question: Any, answer: _Owned) -> None:
    status = question(byref(stream.struct), byref(answer.struct))
    if status:
        said = stream.struct.get_last_error(byref(stream.struct)) or b"no message"
        raise ValueError(f"{name}: its producer's stream fails with {status}: "
                         f"{said.decode('utf-8', 'replace')}")


def read(name: str, x: Any) -> Column:
    """The column of `x`, by whichever of the two methods it has."""
    if hasattr(type(x), "__arrow_c_array__"):
        return read_array(name, x)
    return read_stream(name, x)
