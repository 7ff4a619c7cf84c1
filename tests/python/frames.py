"""A framework in small, for tests: arrays whose type has DLPack's C exchange table, in plain Python.

`framework()` makes a type of such arrays. They are of the host, or in the memory of a device that
heddle computes on; every call of the table is noted, and can be made to fail.
"""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int, c_int32, c_uint32, c_void_p, py_object

import numpy as np

from heddle import DeviceArray
from heddle._arrays import dlpack
from producers import capsule

NUMBER = 7  # of the device
_FREE = dlpack._Deleter
_SET_ERROR = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
_TENSOR = POINTER(dlpack._Tensor)
_ALLOCATE = ctypes.PYFUNCTYPE(c_int, _TENSOR, POINTER(c_void_p), c_void_p, _SET_ERROR)
_EXPORT = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(c_void_p))
_IMPORT = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))
_LOOK = ctypes.PYFUNCTYPE(c_int, py_object, _TENSOR)
_STREAM = ctypes.PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))
_alive = []  # tables live as long as the process
_keep = ctypes.pythonapi.Py_IncRef
_keep.argtypes = [py_object]


class Table(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("earlier", c_void_p),
                ("allocate", c_void_p), ("export", c_void_p), ("import_", c_void_p),
                ("look", c_void_p), ("stream", c_void_p)]


def _dtype(tensor):
    kind = tensor.dtype
    return dlpack._ELEMENTS[kind.code, kind.bits]


def _fill(tensor, x):
    """Describes an array; what is pointed at lives as long as the array."""
    array = x.array
    on_device = isinstance(array, DeviceArray)
    steps = array.strides if on_device else tuple(s // array.itemsize for s in array.strides)
    row = ctypes.c_int64 * max(array.ndim, 1)
    x.kept = row(*array.shape), None if steps is None else row(*steps)
    tensor.data = array.pointer if on_device else array.ctypes.data
    tensor.device = dlpack._Device(dlpack.CUDA, NUMBER) if on_device else dlpack._Device(1, 0)
    if x.device is not None:
        tensor.device = dlpack._Device(*x.device)
    tensor.dims, tensor.byte_offset = array.ndim, 0
    code = x.code if x.code is not None else dlpack._code(array.dtype, x.is_bfloat16)
    tensor.dtype = dlpack._DataType(code, 8 * array.dtype.itemsize, x.lanes)
    tensor.shape = ctypes.cast(x.kept[0], POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(x.kept[1], POINTER(ctypes.c_int64))


def _managed(Frame, x):
    """The address of a tensor that its taker ends."""
    struct = dlpack._Versioned(major=1, minor=0, flags=0)
    _fill(struct.tensor, x)
    address = ctypes.addressof(struct)
    free = _FREE(lambda _: Frame.pending.pop(address, None) and None)
    struct.deleter = ctypes.cast(free, c_void_p).value
    Frame.pending[address] = struct, x, free
    _alive.append(free)
    return address


class _Lent:
    """Memory of another's tensor, until it is given back."""

    def __init__(self, address):
        self.address, self.struct = address, dlpack._Versioned.from_address(address)
        self.free = _FREE(self.struct.deleter)

    def __del__(self):
        self.free(self.address)


def _taken(Frame, address, device):
    """An array of another's tensor."""
    owner = _Lent(address)
    tensor = owner.struct.tensor
    assert (tensor.device.kind, tensor.byte_offset, owner.struct.major) == (dlpack.CUDA, 0, 1)
    shape, strides = tuple(tensor.shape[:tensor.dims]), tuple(tensor.strides[:tensor.dims])
    return Frame(DeviceArray(tensor.data, shape, _dtype(tensor), device, strides, owner=owner))


def _functions(Frame, device, looks):
    """The functions of a table, in its order; None for the one that may be missing."""

    def noted(name):
        Frame.calls.append(name)
        if name in Frame.fails:
            Frame.spared -= 1
            if Frame.spared < 0:
                raise RuntimeError(name)

    def guarded(call):
        def inner(*arguments):
            try:
                return call(*arguments) or 0
            except RuntimeError:
                return -1
        return inner

    @_ALLOCATE
    @guarded
    def allocate(prototype, out, context, set_error):
        noted("allocate")
        like = prototype.contents
        shape, dtype = tuple(like.shape[:like.dims]), _dtype(like)
        on_device = like.device.kind == dlpack.CUDA
        made = DeviceArray.empty(shape, dtype, device) if on_device else np.empty(shape, dtype)
        if on_device and Frame.stream:  # whose work may be under way when the memory ends
            made.owner.in_order = False
        out[0] = _managed(Frame, Frame(made))

    @_EXPORT
    @guarded
    def export(x, out):
        noted("export")
        out[0] = _managed(Frame, x)

    @_IMPORT
    @guarded
    def import_(address, out):
        noted("import")
        x = Frame.pending.pop(address)[1] if address in Frame.pending else _taken(Frame, address, device)
        _keep(x)
        out[0] = id(x)

    @_LOOK
    @guarded
    def look(x, out):
        noted("look")
        _fill(out.contents, x)

    @_STREAM
    @guarded
    def stream(kind, number, out):
        noted("stream")
        assert (kind, number) == (dlpack.CUDA, NUMBER)
        out[0] = Frame.stream

    return [allocate, export, import_, look if looks else None, stream]


def framework(device=None, looks=True, major=1, minor=3, earlier=None):
    """A type of arrays, and the Table that it offers. device: where heddle finds NUMBER."""

    class Frame:
        calls, fails, pending = [], set(), {}
        stream = None
        spared = 0  # calls that succeed before one fails

        def __init__(self, array, code=None, lanes=1, is_bfloat16=False, where=None):
            self.array, self.code, self.lanes = array, code, lanes
            self.is_bfloat16, self.device = is_bfloat16, where

        @classmethod
        def of(cls, host, **words):
            """On the device, if there is one."""
            return cls(host if device is None else DeviceArray.from_host(host, device), **words)

        @property
        def shape(self):
            return self.array.shape

        @property
        def dtype(self):
            return f"torch.{self.array.dtype}"

        def host(self):
            return self.array if isinstance(self.array, np.ndarray) else self.array.to_host()

    parts = _functions(Frame, device, looks)
    table = Table(major, minor, ctypes.addressof(earlier) if earlier is not None else None,
                  *(part and ctypes.cast(part, c_void_p).value for part in parts))
    _alive.extend([table, parts])
    Frame.__dlpack_c_exchange_api__ = capsule(table, b"dlpack_exchange_api")
    Frame.table = table
    return Frame
