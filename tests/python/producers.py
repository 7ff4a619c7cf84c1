"""Producers of arrays for the tests of operands: capsules of DLPack and of Arrow, and stand-ins.

Everything that a capsule says can be set, so that tests can have it say nonsense; releases are
counted. PyTorch and CuPy are stood in for by classes that follow the same protocols.
"""

import ctypes
import sys
import types
from ctypes import c_char_p, c_int64, c_void_p, py_object

import numpy as np

from heddle._arrays import arrow, dlpack

# What is lent must outlive its producer; tests may forget that one before.
_alive = []

_python = ctypes.PyDLL(None)
_python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
_python.PyCapsule_New.restype = py_object


_names = {}  # a capsule keeps the address of its name


def capsule(struct, name):
    return _python.PyCapsule_New(ctypes.addressof(struct), _names.setdefault(name, name), None)


class Lender:
    """An object with only the named methods of another one."""

    def __new__(cls, x, *names):
        kind = type("Lender", (object,), {name: _forward(name) for name in names})
        lender = object.__new__(kind)
        lender.x = x
        return lender


def _forward(name):
    if name == "__cuda_array_interface__":
        return property(lambda self: getattr(self.x, name))
    return lambda self, *args, **words: getattr(self.x, name)(*args, **words)


# ---- DLPack -------------------------------------------------------------------------------------


class Tensor:
    """A producer of one tensor over a NumPy array, whose every field can be given."""

    def __init__(self, array, versioned=True, device=(1, 0), code=None, bits=None, lanes=1,
                 dims=None, shape=None, strides=(), data=None, byte_offset=0, flags=0, major=1,
                 takes_version=True, says=None):
        self.array, self.released, self.asked = array, 0, []
        _alive.append(self)
        self.device, self.takes_version = says or device, takes_version
        row = c_int64 * max(array.ndim, 1)
        letter = array.dtype.kind
        steps = [step // array.itemsize for step in array.strides] if strides == () else strides
        struct = dlpack._Tensor(
            data=array.ctypes.data if data is None else data, device=dlpack._Device(*device),
            dims=array.ndim if dims is None else dims,
            dtype=dlpack._DataType("iuf  cb".index(letter) if code is None else code,
                                    8 * array.itemsize if bits is None else bits, lanes),
            byte_offset=byte_offset)
        self.shape = (c_int64 * max(len(shape or array.shape), 1))(*(shape or array.shape))
        self.strides = None if steps is None else row(*steps)
        if shape != 0:
            struct.shape = ctypes.cast(self.shape, type(struct.shape))
        if self.strides is not None:
            struct.strides = ctypes.cast(self.strides, type(struct.strides))
        self.deleter = dlpack._Deleter(self._release)
        address = ctypes.cast(self.deleter, c_void_p).value
        self.name = b"dltensor_versioned" if versioned else b"dltensor"
        self.struct = (dlpack._Versioned(major, 0, None, address, flags, struct) if versioned
                       else dlpack._Plain(struct, None, address))

    def _release(self, address):
        assert address == ctypes.addressof(self.struct)
        self.released += 1

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **words):
        self.asked.append(words)
        if not self.takes_version and "max_version" in words:
            raise TypeError("an unexpected keyword argument 'max_version'")
        return capsule(self.struct, self.name)


# ---- Arrow --------------------------------------------------------------------------------------


def bitmap(valid, offset=0):
    bits = np.array([0] * offset + [bool(v) for v in valid], np.uint8)
    return np.packbits(bits, bitorder="little")


class Column:
    """A producer of one column of chunks; each is (values, valid or None).

    A chunk is `offset` elements into its buffers. `array` and `schema` set fields of the
    structures; `fails` is the number of the chunk at which a stream fails."""

    def __init__(self, letter, *chunks, offset=0, schema=(), array=(), fails=None):
        self.letter, self.chunks, self.offset = letter.encode(), chunks, offset
        self.set_schema, self.set_array, self.fails = dict(schema), dict(array), fails
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.kept = []
        self.next = 0
        _alive.append(self)

    def _releaser(self, what, form):
        callback = dict(form._fields_)["release"]

        def release(pointer):
            self.released[what] += 1
            pointer.contents.release = callback()

        made = callback(release)
        self.kept.append(made)
        return made

    def fill_schema(self, struct):
        struct.format, struct.release = self.letter, self._releaser("schema", arrow._Schema)
        for name, value in self.set_schema.items():
            setattr(struct, name, value)

    def fill_array(self, struct, values, valid):
        values = np.asarray(values)
        if self.letter == b"b":
            data = bitmap(values, self.offset)
        else:
            data = np.concatenate([np.full(self.offset, 99, values.dtype), values])
        bits = None if valid is None else bitmap(valid, self.offset)
        buffers = (c_void_p * 2)(None if bits is None else bits.ctypes.data, data.ctypes.data)
        self.kept += [data, bits, buffers]
        struct.length, struct.offset, struct.n_buffers = len(values), self.offset, 2
        struct.null_count = 0 if valid is None else -1
        struct.buffers = ctypes.cast(buffers, type(struct.buffers))
        struct.release = self._releaser("array", arrow._Array)
        for name, value in self.set_array.items():
            setattr(struct, name, value)

    def schema_and_array(self):
        schema, array = arrow._Schema(), arrow._Array()
        self.fill_schema(schema)
        self.fill_array(array, *self.chunks[0])
        self.kept += [schema, array]
        return capsule(schema, b"arrow_schema"), capsule(array, b"arrow_array")

    def stream(self):
        fields = dict(arrow._Stream._fields_)
        struct = arrow._Stream()

        def get_schema(_, out):
            self.fill_schema(out.contents)
            return 0

        def get_next(_, out):
            if self.next == self.fails:
                return 5
            if self.next < len(self.chunks):
                self.fill_array(out.contents, *self.chunks[self.next])
            self.next += 1
            return 0

        struct.get_schema = fields["get_schema"](get_schema)
        struct.get_next = fields["get_next"](get_next)
        message = ctypes.create_string_buffer(b"the disk is full")
        said = ctypes.CFUNCTYPE(c_void_p, c_void_p)(lambda _: ctypes.addressof(message))
        self.kept += [message, said]
        struct.get_last_error = ctypes.cast(said, fields["get_last_error"])
        struct.release = self._releaser("stream", arrow._Stream)
        self.kept.append(struct)
        return capsule(struct, b"arrow_array_stream")


class ArrayColumn(Column):
    """By __arrow_c_array__."""

    def __arrow_c_array__(self, requested_schema=None):
        return self.schema_and_array()


class StreamColumn(Column):
    """By __arrow_c_stream__."""

    def __arrow_c_stream__(self, requested_schema=None):
        return self.stream()


# ---- libraries ----------------------------------------------------------------------------------


def library(monkeypatch, name, **members):
    """A module of this name, as if a library were imported; its classes are of it."""
    module = types.ModuleType(name)
    for member, value in members.items():
        if isinstance(value, type):
            value.__module__ = name
        setattr(module, member, value)
    monkeypatch.setitem(sys.modules, name, module)
    return module
