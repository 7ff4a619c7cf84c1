"""Arrays by DLPack: reading the capsules of any producer, and writing those of device memory.

Capsules are read through ctypes, because NumPy's own reader knows neither bfloat16 nor memory of a
GPU. What a producer says is checked before it is used: types, sizes, strides and their products.
Copies are never made. Source: dmlc.github.io/dlpack, dlpack.h 1.0, and its rules for Python.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_int64
from ctypes import c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, py_object
from typing import Any, NamedTuple, Optional

import numpy as np

from .._native import MAX_DIMS, fast

CPU, CUDA, CUDA_HOST, CUDA_MANAGED, ROCM_HOST = 1, 2, 3, 13, 11
#: Memory that the processor reads, and memory that a CUDA device reads.
HOST_KINDS, CUDA_KINDS = (CPU, CUDA_HOST, ROCM_HOST), (CUDA, CUDA_MANAGED)

_KINDS = {CPU: "CPU", CUDA: "CUDA", CUDA_HOST: "pinned CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal",
          9: "VPI", 10: "ROCm", ROCM_HOST: "pinned ROCm", 12: "extension",
          CUDA_MANAGED: "CUDA managed", 14: "oneAPI", 15: "WebGPU", 16: "Hexagon", 17: "MAIA",
          18: "Trainium"}
_INT, _UINT, _FLOAT, _BFLOAT, _BOOL = 0, 1, 2, 4, 6
_CODES = {_INT: "int", _UINT: "uint", _FLOAT: "float", 3: "opaque", _BFLOAT: "bfloat", 5: "complex",
          _BOOL: "bool"}
_ELEMENTS = {(_BOOL, 8): np.dtype(bool), (_BFLOAT, 16): np.dtype(np.uint16)}
_ELEMENTS.update({(code, 8 * size): np.dtype(f"{letter}{size}")
                  for code, letter in ((_INT, "i"), (_UINT, "u")) for size in (1, 2, 4, 8)})
_ELEMENTS.update({(_FLOAT, 8 * size): np.dtype(f"f{size}") for size in (2, 4, 8)})
_READ_ONLY = 1
SUPPORTED = "it takes bool, integers, float16, bfloat16, float32 and float64"
_MOST_BYTES = sys.maxsize


class _Device(Structure):
    _fields_ = [("kind", c_int32), ("number", c_int32)]


class _DataType(Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class _Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device", _Device), ("dims", c_int32), ("dtype", _DataType),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class _Plain(Structure):
    _fields_ = [("tensor", _Tensor), ("manager", c_void_p), ("deleter", c_void_p)]


class _Versioned(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("manager", c_void_p),
                ("deleter", c_void_p), ("flags", c_uint64), ("tensor", _Tensor)]


# A library object of our own: the prototypes of ctypes.pythonapi are shared with everyone.
_python = ctypes.PyDLL(None)
_python.PyCapsule_IsValid.argtypes = [py_object, c_char_p]
_python.PyCapsule_IsValid.restype = c_int
_python.PyCapsule_GetPointer.argtypes = [py_object, c_char_p]
_python.PyCapsule_GetPointer.restype = c_void_p
_python.PyCapsule_SetName.argtypes = [py_object, c_char_p]
_python.PyCapsule_SetName.restype = c_int
_python.Py_IncRef.argtypes = [py_object]

_FORMS: tuple[tuple[bytes, bytes, type[Structure]], ...] = (
    (b"dltensor_versioned", b"used_dltensor_versioned", _Versioned),
    (b"dltensor", b"used_dltensor", _Plain))
for _form in _FORMS:  # capsules point at the names, and may outlive this module
    _python.Py_IncRef(_form[1])


def capsule_pointer(capsule: Any, name: bytes) -> Optional[int]:
    """What a capsule of this name holds; None for another object."""
    if type(capsule).__name__ != "PyCapsule" or not _python.PyCapsule_IsValid(capsule, name):
        return None
    return _python.PyCapsule_GetPointer(capsule, name)


class _Managed:
    """A tensor that was taken from its capsule, until the last array over it is gone."""

    def __init__(self, address: int, form: type[Structure]) -> None:
        self.struct = form.from_address(address)
        self._address = address
        self._deleter = _Deleter(self.struct.deleter) if self.struct.deleter else None

    def __del__(self) -> None:
        if self._deleter is not None:
            self._deleter(self._address)


class Tensor(NamedTuple):
    """What a producer has described, checked.

    Strides are in elements, None for C order without gaps; `owner` keeps the memory."""

    pointer: int
    shape: tuple[int, ...]
    strides: Optional[tuple[int, ...]]
    dtype: np.dtype
    is_bfloat16: bool
    readonly: bool
    kind: int
    number: int
    owner: Any


class Window:
    """Memory at an address as NumPy takes it in: np.asarray(window) keeps the window alive."""

    def __init__(self, pointer: int, shape: tuple[int, ...], dtype: np.dtype, owner: Any,
                 strides: Optional[tuple[int, ...]] = None, readonly: bool = True) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "data": (pointer, readonly), "shape": shape, "typestr": dtype.str}
        if strides:  # NumPy 2 keeps a reference to None for each None there for good
            self.__array_interface__["strides"] = tuple(step * dtype.itemsize for step in strides)


def window(pointer: int, shape: tuple[int, ...], dtype: np.dtype, owner: Any,
           strides: Optional[tuple[int, ...]] = None, readonly: bool = True) -> np.ndarray:
    """An array over memory that `owner` keeps; of no elements, an array of its own."""
    if 0 in shape:
        return np.empty(shape, dtype)
    return np.asarray(Window(pointer, shape, dtype, owner, strides, readonly))


# ---- reading --------------------------------------------------------------------------------


def check_extent(name: str, pointer: int, shape: tuple[int, ...],
                 strides: Optional[tuple[int, ...]], item: int) -> None:
    """ValueError for an array that cannot be: of negative lengths, or beyond the address space."""
    if len(shape) > MAX_DIMS:
        raise ValueError(f"{name}: {len(shape)} dimensions, more than {MAX_DIMS}")
    if any(length < 0 for length in shape):
        raise ValueError(f"{name}: its producer gives a negative length in shape {shape}")
    size = item
    for length in shape:
        size *= max(length, 1)
    if size > _MOST_BYTES:
        raise ValueError(f"{name}: its producer gives shape {shape}, more than memory can hold")
    if 0 in shape:
        return
    if not pointer:
        raise ValueError(f"{name}: its producer gives no memory for shape {shape}")
    first, last = pointer, pointer + (item if strides else size)
    for length, step in zip(shape, strides or ()):
        reach = (length - 1) * step * item
        first, last = first + min(reach, 0), last + max(reach, 0)
    if first < 0 or last > 2**64 or last - first > _MOST_BYTES:
        raise ValueError(f"{name}: its producer gives shape {shape} with strides {strides}, which "
                         "leave the address space")


def _type_of(name: str, dtype: _DataType) -> tuple[np.dtype, bool]:
    found = _ELEMENTS.get((dtype.code, dtype.bits)) if dtype.lanes == 1 else None
    if found is None:
        lanes = f"x{dtype.lanes}" if dtype.lanes != 1 else ""
        said = f"{_CODES.get(dtype.code, f'code {dtype.code} of ')}{dtype.bits}{lanes}"
        raise TypeError(f"{name}: dtype {said} is not supported by heddle; {SUPPORTED}")
    return found, dtype.code == _BFLOAT


def _take(name: str, capsule: Any) -> _Managed:
    """The capsule's tensor, which is ours from here on."""
    for form, used, struct in _FORMS:
        address = capsule_pointer(capsule, form)
        if address is None:
            continue
        _python.PyCapsule_SetName(capsule, used)
        managed = _Managed(address, struct)
        if struct is _Versioned and managed.struct.major != 1:
            version = f"{managed.struct.major}.{managed.struct.minor}"
            raise BufferError(f"{name}: DLPack {version} is not supported by heddle, which reads "
                              "version 1")
        return managed
    raise BufferError(f"{name}: __dlpack__ gave {capsule!r}, which is no DLPack capsule or one "
                      "whose tensor is taken already")


def read_capsule(name: str, capsule: Any) -> Tensor:
    """A capsule's tensor, checked; the capsule is used up."""
    managed = _take(name, capsule)
    struct = managed.struct
    tensor: _Tensor = struct.tensor
    if not 0 <= tensor.dims <= MAX_DIMS:
        raise ValueError(f"{name}: its producer gives {tensor.dims} dimensions; 0 to {MAX_DIMS} "
                         "are possible")
    if tensor.dims and not tensor.shape:
        raise ValueError(f"{name}: its producer gives {tensor.dims} dimensions without a shape")
    dtype, is_bfloat16 = _type_of(name, tensor.dtype)
    shape = tuple(tensor.shape[:tensor.dims]) if tensor.dims else ()
    strides = tuple(tensor.strides[:tensor.dims]) if tensor.dims and tensor.strides else None
    pointer = tensor.data or 0
    if pointer:
        pointer += tensor.byte_offset
    check_extent(name, pointer, shape, strides, dtype.itemsize)
    readonly = isinstance(struct, _Versioned) and bool(struct.flags & _READ_ONLY)
    return Tensor(pointer, shape, strides, dtype, is_bfloat16, readonly, tensor.device.kind,
                  tensor.device.number, managed)


def device_of(name: str, x: Any) -> tuple[int, int]:
    """Where a producer's memory is, asked without taking it: DLPack's kind, and a number."""
    try:
        kind, number = x.__dlpack_device__()
        return int(kind), int(number)
    except (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError,
            ValueError) as error:
        raise BufferError(f"{name}: {type(x).__name__}.__dlpack_device__ refuses: "
                          f"{error}") from error


def read(name: str, x: Any, stream: Optional[int] = None) -> Tensor:
    """The array that `x` offers by __dlpack__, without a copy.

    Parameters
    ----------
    name : str
        What messages call it.
    x : object
        A producer.
    stream : int, optional
        For memory of a GPU: the stream that will read it, as DLPack numbers them; -1: the
        producer need not make any wait.

    Raises
    ------
    BufferError
        The producer refuses, or the memory is of a device that is not supported.
    TypeError, ValueError
        Types that heddle has not; lengths and strides that cannot be.
    """
    kind, _ = device_of(name, x)
    if kind not in HOST_KINDS and kind not in CUDA_KINDS:
        raise BufferError(f"{name}: memory of a {_KINDS.get(kind, f'number {kind}')} device is not "
                          "supported by heddle; copy it to the host")
    options = {} if kind in HOST_KINDS else {"stream": stream}
    try:
        try:
            capsule = x.__dlpack__(max_version=(1, 0), **options)
        except TypeError:  # a producer from before versions
            capsule = x.__dlpack__(**options)
    except (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError,
            ValueError) as error:
        raise BufferError(f"{name}: {type(x).__name__}.__dlpack__ refuses: {error}") from error
    tensor = read_capsule(name, capsule)
    if tensor.kind not in (HOST_KINDS if kind in HOST_KINDS else CUDA_KINDS):
        raise BufferError(f"{name}: __dlpack_device__ and the tensor of __dlpack__ disagree")
    return tensor


def host_array(tensor: Tensor) -> np.ndarray:
    """A tensor of the host's memory as an array over it; bfloat16 as its bits, uint16."""
    return window(tensor.pointer, tensor.shape, tensor.dtype, tensor.owner, tensor.strides,
                  tensor.readonly)


# ---- writing --------------------------------------------------------------------------------


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of C order."""
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= max(length, 1)
    return tuple(reversed(steps))


def is_in_order(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether strides are those of C order, but for lengths of one, whose strides nobody walks."""
    return 0 in shape or all(length == 1 or step == wanted for length, step, wanted in
                             zip(shape, strides, contiguous(shape)))


def _code(dtype: np.dtype, is_bfloat16: bool) -> int:
    if is_bfloat16:
        return _BFLOAT
    return {"i": _INT, "u": _UINT, "f": _FLOAT, "b": _BOOL}[dtype.kind]


def write(tensor: Tensor, versioned: bool) -> Any:
    """A capsule of a tensor; its consumer holds `tensor.owner` until it is done."""
    if not _can_write:
        raise BufferError("DLPack: this Python lacks functions that making a capsule needs")
    dims = len(tensor.shape)
    strides = tensor.strides if tensor.strides is not None else contiguous(tensor.shape)
    row = c_int64 * max(dims, 1)
    struct = _Tensor(data=tensor.pointer, dims=dims,
                     device=_Device(tensor.kind, tensor.number),
                     dtype=_DataType(_code(tensor.dtype, tensor.is_bfloat16),
                                     8 * tensor.dtype.itemsize, 1),
                     shape=row(*tensor.shape), strides=row(*strides))
    return fast.heddle_py_export(tensor.owner, byref(struct), versioned,
                                 _READ_ONLY if tensor.readonly else 0)


fast.heddle_py_export_start.argtypes, fast.heddle_py_export_start.restype = [], c_int
fast.heddle_py_export.argtypes = [py_object, POINTER(_Tensor), c_int, c_uint64]
fast.heddle_py_export.restype = py_object
_can_write = bool(fast.heddle_py_export_start())
