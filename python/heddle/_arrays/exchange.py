"""Types of tensors whose framework has DLPack's C exchange table, which libheddle_python reads itself.

TENSORS has a type from the first call on an object of it on, which operand.py does, and DeviceArray,
the package's own, which has functions of Python's instead. The table says
what a tensor is, on which stream its framework works, and makes the results: no function of
Python's is called. Source: dlmc.github.io/dlpack, the C API and the Python specification of 1.2.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .._context import context
from .._native import PLAIN, c_int, fast, py_object
from .device_array import DeviceArray
from .dlpack import contiguous

#: The types that libheddle_python knows.
TENSORS: set[type] = set()
#: Devices by the numbers that frameworks give them, where they are not CUDA's own.
DEVICES: dict[int, str] = {}

_asked: set[type] = set()
_MOST = 256  # types that are asked: programs that make them without end are nobody's


def learn(kind: type) -> bool:
    """Whether tensors of a type are read by its table, from now on."""
    if kind in _asked or len(_asked) == _MOST:
        return kind in TENSORS
    _asked.add(kind)
    table = getattr(kind, "__dlpack_c_exchange_api__", None)
    if table is not None and PLAIN is not None \
            and fast.heddle_py_exchange(kind, table, getattr(kind, "is_neg", None)):
        TENSORS.add(kind)
    return kind in TENSORS


# ---- CuPy, which has no table -------------------------------------------------------------------

_LETTERS = {"?": (6, 8), "e": (2, 16), "f": (2, 32), "d": (2, 64), "b": (0, 8), "h": (0, 16),
            "i": (0, 32), "l": (0, 64), "q": (0, 64), "B": (1, 8), "H": (1, 16), "I": (1, 32),
            "L": (1, 64), "Q": (1, 64)}
_DTYPES = {number: np.dtype(letter) for letter, number in _LETTERS.items() if letter not in "qQ"}


def _read_cupy(x: Any) -> tuple[Any, ...]:
    code, bits = _LETTERS[x.dtype.char]
    data = x.data
    return data.ptr, data.device_id, code, bits, x.shape, x.strides


def _make_cupy(kind: tuple[int, int, int], shape: tuple[int, ...]) -> tuple[Any, int]:
    cupy = sys.modules["cupy"]
    number, code, bits = kind
    if cupy.cuda.device.get_device_id() == number:
        made = cupy.empty(shape, _DTYPES[code, bits])
    else:
        with cupy.cuda.Device(number):
            made = cupy.empty(shape, _DTYPES[code, bits])
    return made, made.data.ptr


def _part_of_cupy(whole: Any, offset: int, kind: tuple[int, int, int], shape: tuple[int, ...]) -> Any:
    return sys.modules["cupy"].ndarray(shape, _DTYPES[kind[1:]], whole.data + offset)


def _stream_of_cupy(number: int) -> int:
    return sys.modules["cupy"].cuda.get_current_stream().ptr


def learn_cupy(kind: type) -> None:
    """CuPy's arrays are read, and made, by functions of Python's: as its own calls make them."""
    if kind in _asked or kind.__name__ != "ndarray" or PLAIN is None:
        return
    _asked.add(kind)
    if fast.heddle_py_exchange_by(kind, _read_cupy, _make_cupy, _part_of_cupy, _stream_of_cupy):
        TENSORS.add(kind)


# ---- arrays of the package's own ------------------------------------------------------------------

_SIMT = 63  # as a number of a device


def _read_own(x: DeviceArray) -> Any:
    """None for what is not on the default stream, which Python's code does."""
    if x.stream is not None:
        return None
    code, bits = (4, 16) if x.is_bfloat16 else _LETTERS[x.dtype.char]
    kind, _, number = x.device.partition(":")
    size = x.dtype.itemsize
    strides = contiguous(x.shape) if x.strides is None else x.strides
    return (x.pointer, _SIMT if kind == "simt" else int(number or 0), code, bits, x.shape,
            tuple([size * step for step in strides]))


def _make_own(kind: tuple[int, int, int], shape: tuple[int, ...]) -> tuple[DeviceArray, int]:
    number, code, bits = kind
    made = DeviceArray.empty(shape, _DTYPES[code, bits], DEVICES.get(number, f"cuda:{number}"))
    return made, made.pointer


def _part_of_own(whole: DeviceArray, offset: int, kind: tuple[int, int, int],
                 shape: tuple[int, ...]) -> DeviceArray:
    return DeviceArray(whole.pointer + offset, shape, _DTYPES[kind[1:]], whole.device, owner=whole)


def _learn_own() -> None:
    DEVICES[_SIMT] = "simt"
    if PLAIN is not None \
            and fast.heddle_py_exchange_by(DeviceArray, _read_own, _make_own, _part_of_own,
                                           lambda number: 0):
        TENSORS.add(DeviceArray)


# ---- contexts -------------------------------------------------------------------------------------


def _handle(number: int) -> int:
    """The calling thread's context on a device, as the library knows it."""
    return context(DEVICES.get(number, f"cuda:{number}")).handle


fast.heddle_py_exchange.argtypes = [py_object, py_object, py_object]
fast.heddle_py_exchange.restype = c_int
fast.heddle_py_exchange_by.argtypes = [py_object] * 5
fast.heddle_py_exchange_by.restype = c_int
fast.heddle_py_devices.argtypes, fast.heddle_py_devices.restype = [py_object], None
if PLAIN is not None:
    fast.heddle_py_devices(_handle)
    _learn_own()
