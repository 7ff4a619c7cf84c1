"""The library through ctypes: its numbers, structs, entries and statuses.

`lib` is libheddle: its calls release the interpreter's lock. `fast` is libheddle_python, whose
calls keep it until they have looked at their arguments (python/native says why it is there).
Statuses come back as integers; `check` turns them into exceptions. SUM, F32 and all other numbers
are those of the C headers, from which the build makes the module _constants.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import sys
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int64, c_size_t
from ctypes import c_uint, c_uint64, c_void_p, pointer, py_object
from types import SimpleNamespace
from typing import Any

import numpy as np

from ._libraries import fast, lib
from ._constants import *  # as the names of this module
from ._messages import in_python

#: NumPy's dtype of an element -> the library's type. bool counts as u8.
TYPES: dict[np.dtype, int] = {
    np.dtype(name): number
    for name, number in (
        ("bool", U8), ("u1", U8), ("u2", U16), ("u4", U32), ("u8", U64), ("i1", I8), ("i2", I16),
        ("i4", I32), ("i8", I64), ("f2", F16), ("f4", F32), ("f8", F64), (np.longlong, I64),
        (np.ulonglong, U64))
}
#: The types of floats.
FLOATS = frozenset((BF16, *(number for dtype, number in TYPES.items() if dtype.kind == "f")))
#: The library's type -> NumPy's dtype of its elements; bf16 is read as its bit pattern.
DTYPES: dict[int, np.dtype] = {
    number: np.dtype(name)
    for number, name in (
        (U8, "u1"), (U16, "u2"), (U32, "u4"), (U64, "u8"), (I8, "i1"), (I16, "i2"), (I32, "i4"),
        (I64, "i8"), (F16, "f2"), (BF16, "u2"), (F32, "f4"), (F64, "f8"))
}


class DeviceError(RuntimeError):
    """There is no such device, or the device or the system has failed."""


class _Sized(Structure):
    """A struct of the library that begins with its own size."""

    def __init__(self, *values: Any, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), *values, **fields)


class Custom(_Sized):
    _fields_ = [("size", c_size_t), ("element_bytes", c_size_t), ("identity", c_void_p),
                ("commutative", c_int), ("combine", c_void_p), ("pairs", c_void_p),
                ("user", c_void_p), ("cuda_source", c_char_p)]


class Options(_Sized):
    """heddle_options; `init` is an address that must stay alive during the call."""

    _fields_ = [("size", c_size_t), ("nan", c_int), ("acc_type", c_int), ("out_type", c_int),
                ("init", c_void_p), ("custom", POINTER(Custom)), ("figures", c_int),
                ("divisor", c_double), ("ddof", c_double), ("exact", c_int), ("start", c_uint64),
                ("prefix", c_void_p)]


class Description(_Sized):
    _fields_ = [("size", c_size_t), ("count", c_uint64), ("nan", c_uint64), ("infinite", c_uint64),
                ("min", c_double), ("max", c_double), ("sum", c_double), ("mean", c_double),
                ("variance", c_double), ("skewness", c_double)]


class Rows(_Sized):
    """heddle_rows; arrays of shape and strides are kept alive by `along`."""

    _fields_ = [("size", c_size_t), ("offsets", c_void_p), ("segments", c_size_t),
                ("dims", c_size_t), ("axis", c_size_t), ("shape", POINTER(c_size_t)),
                ("strides", POINTER(ctypes.c_ssize_t))]

    @classmethod
    def along(cls, axis: int, shape: tuple[int, ...], strides: tuple[int, ...] | None) -> Rows:
        """The rows along an axis; strides in elements, None for C order without gaps."""
        rows = cls(dims=len(shape), axis=axis)
        rows.shape = (c_size_t * len(shape))(*shape)
        if strides is not None:
            rows.strides = (ctypes.c_ssize_t * len(shape))(*strides)
        return rows


class Bins(_Sized):
    _fields_ = [("size", c_size_t), ("kind", c_int), ("count", c_size_t), ("lo", c_double),
                ("hi", c_double), ("auto_range", c_int), ("edges", c_void_p), ("first", c_int64)]


class HistogramResult(_Sized):
    _fields_ = [("size", c_size_t), ("count", c_uint64), ("under", c_uint64), ("over", c_uint64),
                ("nan", c_uint64), ("lo", c_double), ("hi", c_double)]


class HistogramOptions(_Sized):
    _fields_ = [("size", c_size_t), ("channels", c_size_t), ("weights", c_void_p),
                ("weights_type", c_int), ("weight_exponent", c_int), ("sums", c_void_p),
                ("exact", c_int)]

    def __init__(self, **fields: Any) -> None:
        super().__init__(**{"channels": 1, "weight_exponent": FIND_EXPONENT, **fields})


class HistogramNdOptions(_Sized):
    _fields_ = [("size", c_size_t), ("strides", c_void_p), ("flow", c_int), ("weights", c_void_p),
                ("weights_type", c_int), ("sums", c_void_p), ("squares", c_void_p), ("exact", c_int)]


class SortOptions(_Sized):
    _fields_ = [("size", c_size_t), ("descending", c_int), ("nan_first", c_int),
                ("bit_begin", c_uint), ("bit_end", c_uint), ("overwrite", c_int),
                ("scratch", c_void_p), ("scratch_bytes", c_size_t)]


class Predicate(_Sized):
    """heddle_predicate; of the two forms of a test only the text."""

    _fields_ = [("size", c_size_t), ("test", c_void_p), ("user", c_void_p), ("cuda_source", c_char_p)]


class Where(_Sized):
    """heddle_where; HEDDLE_NONZERO unless a comparison and a value, or a predicate, are given."""

    _fields_ = [("size", c_size_t), ("comparison", c_int), ("type", c_int), ("of", c_void_p),
                ("value", c_void_p), ("predicate", POINTER(Predicate))]


class QuantileOptions(_Sized):
    _fields_ = [("size", c_size_t), ("method", c_int), ("nan", c_int), ("weights_type", c_int),
                ("weights", c_void_p)]


class GroupsDetails(_Sized):
    _fields_ = [("size", c_size_t), ("count", c_size_t), ("groups", c_size_t), ("offsets", c_void_p),
                ("index_type", c_int), ("order", c_void_p)]


class DeviceInfo(_Sized):
    _fields_ = [("size", c_size_t), ("device", c_char * 64), ("name", c_char * 128),
                ("isa", c_char * 16), ("note", c_char * 128), ("threads", c_uint)]


fast.heddle_py_raise.argtypes, fast.heddle_py_raise.restype = [], py_object
fast.heddle_py_depth.argtypes, fast.heddle_py_depth.restype = [], c_int
fast.heddle_py_has_ended.argtypes, fast.heddle_py_has_ended.restype = [], c_int

#: What a call of `fast` gives for arguments that are not of the plain kind it takes.
DECLINED = object()

def _start_fast() -> bool:
    fast.heddle_py_start.argtypes, fast.heddle_py_start.restype = [py_object] * 3, c_int
    fast.heddle_py_scalar.argtypes = [c_int, py_object, py_object]
    fast.heddle_py_scalar.restype = None
    if not fast.heddle_py_start(DECLINED, np.bool_, np.intp):
        return False
    fast.heddle_py_arrays.argtypes, fast.heddle_py_arrays.restype = [py_object] * 3, None
    fast.heddle_py_arrays(np.empty, "F", np.dtype)
    for number, dtype in DTYPES.items():
        made = np.dtype(np.float32) if number == BF16 else dtype
        fast.heddle_py_scalar(number, made.type, made)
    _use_numpy()
    return True


def _use_numpy() -> bool:
    """Has libheddle_python read and make arrays as NumPy's own modules do, if they are as it thinks."""
    modules = (sys.modules.get(f"numpy.{core}._multiarray_umath") for core in ("_core", "core"))
    table = next((m._ARRAY_API for m in modules if hasattr(m, "_ARRAY_API")), None)
    head = object.__basicsize__
    if table is None or np.ndarray.__basicsize__ < head + 64:
        return False
    arrays = []
    for letter in "dfl?iBbhHILqQe":
        whole = np.zeros((2, 3, 4), letter)
        arrays += [whole, whole[:, ::2], whole[1, ::-1].T, whole[1:, 1].copy()]
        arrays[-1].flags.writeable = False
    fast.heddle_py_numpy.argtypes = [py_object, c_size_t, py_object, py_object]
    return bool(fast.heddle_py_numpy(table, head, (*arrays,), (*(a.dtype for a in arrays),)))


def _methods() -> SimpleNamespace:
    """The calls of libheddle_python, which are functions of Python's own."""
    names = ("reduce", "mean", "variance", "argreduce", "dot", "reduce_axis", "mean_axis",
             "variance_axis", "argreduce_axis", "scan", "scan_axis", "bincount", "histogram",
             "reduce_where", "mean_where", "variance_where", "count_nonzero", "ptp", "average", "segments",
             "reduceat", "scan_as", "segment_mean", "segment_argreduce", "segment_scan",
             "device_reduce", "device_mean", "device_variance", "device_describe", "device_argreduce",
             "device_dot", "device_scan", "device_histogram",
             "device_bincount", "sort", "argsort", "device_sort", "device_argsort",
             "exact", "exact_mean", "exact_dot", "median", "quantile", "topk", "kthvalue", "partition",
             "argpartition", "compress", "extract", "flatnonzero", "nonzero", "searchsorted", "digitize",
             "take", "unique")
    if PLAIN is None:
        return SimpleNamespace(**dict.fromkeys(names))
    fast.heddle_py_methods.argtypes, fast.heddle_py_methods.restype = [], py_object
    return SimpleNamespace(**dict(zip(names, fast.heddle_py_methods())))


#: The type whose objects the calls of `fast` are for: none where this Python is not one they work
#: with.
PLAIN = np.ndarray if _start_fast() else None
#: Those calls.
methods = _methods()
# Without the interpreter's lock, which threads that are in a call may be waiting for.
atexit.register(ctypes.CDLL(fast._name).heddle_py_end)

_P, _N, _I = c_void_p, c_size_t, c_int
_O, _R, _B = POINTER(Options), POINTER(Rows), POINTER(Bins)
_S, _Q = POINTER(SortOptions), POINTER(QuantileOptions)
_ENTRIES: dict[str, list[Any]] = {
    "open": [c_char_p, POINTER(c_void_p)],
    "info": [_P, POINTER(DeviceInfo)],
    "set_poll": [_P, _P, _P],
    "set_stream": [_P, _P],
    "sync": [_P],
    "device_alloc": [_P, _N, POINTER(c_void_p)],
    "device_free": [_P, _P],
    "copy": [_P, _P, _P, _N],
    "convert": [_I, _P, _I, _P, _N],
    "result_type": [_I, _I, _I, _O, POINTER(c_int), POINTER(c_int)],
    "reduce": [_P, _I, _I, _P, _N, _P, _O],
    "argreduce": [_P, _I, _I, _P, _N, _P, _P, _O],
    "dot": [_P, _I, _P, _P, _N, _P, _O],
    "describe": [_P, _I, _P, _N, _P, _O],
    "scan": [_P, _I, _I, _I, _P, _N, _P, _O],
    "reduce_rows": [_P, _I, _I, _P, _R, _P, _O],
    "argreduce_rows": [_P, _I, _I, _P, _R, _P, _P, _O],
    "dot_rows": [_P, _I, _P, _P, _R, _P, _O],
    "describe_rows": [_P, _I, _P, _R, _P, _O],
    "scan_rows": [_P, _I, _I, _I, _P, _R, _P, _O],
    "histogram": [_P, _I, _P, _N, _B, _P, _P, POINTER(HistogramOptions)],
    "histogram_edges": [_I, _B, _P],
    "histogram_nd": [_P, _I, _N, _P, _N, _P, _P, _P, POINTER(HistogramNdOptions)],
    "sort": [_P, _I, _P, _N, _P, _S],
    "sort_pairs": [_P, _I, _P, _N, _P, _N, _P, _P, _S],
    "argsort": [_P, _I, _P, _N, _I, _P, _S],
    "sort_rows": [_P, _I, _P, _R, _P, _S],
    "sort_pairs_rows": [_P, _I, _P, _N, _P, _R, _P, _P, _S],
    "argsort_rows": [_P, _I, _P, _R, _I, _P, _S],
    "select": [_P, POINTER(Where), _N, _P, _N, _P, POINTER(c_uint64)],
    "partition": [_P, POINTER(Where), _N, _P, _N, _P, POINTER(c_uint64)],
    "positions": [_P, POINTER(Where), _N, _I, _P, POINTER(c_uint64)],
    "runs": [_P, _I, _P, _N, _P, _P, POINTER(c_uint64)],
    "reduce_by_key": [_P, _I, _I, _P, _I, _P, _N, _P, _P, POINTER(c_uint64), _O],
    "scan_by_key": [_P, _I, _I, _I, _P, _I, _P, _N, _P, _O],
    "nth": [_P, _I, _P, _N, _P, _N, _P, _S],
    "nth_rows": [_P, _I, _P, _R, _P, _N, _P, _S],
    "partial_sort": [_P, _I, _P, _N, _N, _P, _I, _P, _S],
    "partial_sort_rows": [_P, _I, _P, _R, _N, _P, _I, _P, _S],
    "quantiles": [_P, _I, _P, _N, _P, _N, _P, _Q],
    "quantiles_rows": [_P, _I, _P, _R, _P, _N, _P, _Q],
    "search_sorted": [_P, _I, _P, _N, _P, _N, _I, _I, _P],
    "gather": [_P, _N, _P, _N, _I, _P, _N, _P],
    "unique": [_P, _I, _P, _N, _P, _P, _P, _I, _P, _P],
    "groups_make": [_P, _I, _P, _N, _N, POINTER(c_void_p)],
    "groups_info": [_P, POINTER(GroupsDetails)],
    "groups_gather": [_P, _N, _P, _P],
    "groups_reduce": [_P, _I, _I, _P, _N, _P, _O],
    "peek": [_P],
    "scatter_reduce": [_P, _I, _I, _P, _N, _I, _P, _N, _P, _N, _O],
    "reduce_begin": [_P, _I, _I, _O, POINTER(c_void_p)],
    "reduce_update": [_P, _P, _N],
    "state_merge": [_P, _P],
    "state_save": [_P, _P, _P],
    "state_load": [_P, _P, _N, _P, _P],
    "reduce_finish": [_P, _P],
    "argreduce_begin": [_P, _I, _I, _O, POINTER(c_void_p)],
    "argreduce_update": [_P, _P, _N],
    "argreduce_finish": [_P, _P, _P],
    "dot_begin": [_P, _I, _O, POINTER(c_void_p)],
    "dot_update": [_P, _P, _P, _N],
    "dot_finish": [_P, _P],
    "describe_begin": [_P, _I, _O, POINTER(c_void_p)],
    "describe_update": [_P, _P, _N],
    "describe_finish": [_P, _P],
    "quantiles_begin": [_P, _I, _P, _N, _Q, POINTER(c_void_p)],
    "quantiles_update": [_P, _P, _N],
    "quantiles_round": [_P, POINTER(c_int)],
    "quantiles_finish": [_P, _P],
    "weighted_quantiles_begin": [_P, _I, _P, _N, _Q, POINTER(c_void_p)],
    "weighted_quantiles_update": [_P, _P, _P, _N],
    "nth_begin": [_P, _I, _P, _N, _S, POINTER(c_void_p)],
    "nth_finish": [_P, _P],
    "partial_sort_begin": [_P, _I, _N, c_uint64, _S, POINTER(c_void_p)],
    "partial_sort_update": [_P, _P, _N],
    "partial_sort_finish": [_P, _P, _I, _P, POINTER(c_size_t)],
    "scan_begin": [_P, _I, _I, _I, _O, POINTER(c_void_p)],
    "scan_update": [_P, _P, _N, _P],
    "scan_finish": [_P, _P],
    "histogram_begin": [_P, _I, _B, POINTER(HistogramOptions), POINTER(c_void_p)],
    "histogram_update": [_P, _P, _P, _N],
    "histogram_finish": [_P, _P, _P, _P],
}


def _declare() -> None:
    for name, arguments in _ENTRIES.items():
        entry = getattr(lib, f"heddle_{name}")
        entry.argtypes, entry.restype = arguments, c_int
    for name, arguments, result in (
            ("close", [_P], None), ("state_free", [_P], None), ("groups_free", [_P], None),
            ("message", [], c_char_p),
            ("version_string", [], c_char_p), ("abi", [], c_int)):
        entry = getattr(lib, f"heddle_{name}")
        entry.argtypes, entry.restype = arguments, result


_declare()
if lib.heddle_abi() != ABI:
    raise ImportError(f"heddle: libheddle of another ABI, {lib.heddle_abi()}, where {ABI} is "
                      "wanted")

_EXCEPTIONS: dict[int, type[Exception]] = {
    BAD_ARGUMENT: ValueError, BAD_DATA: ValueError, EMPTY: ValueError, UNSUPPORTED: TypeError,
    OUT_OF_MEMORY: MemoryError, NO_DEVICE: DeviceError, DEVICE_ERROR: DeviceError,
    CALLBACK: RuntimeError,
}


#: Statuses whose messages are about what the caller gave.
_OF_THE_CALL = (BAD_ARGUMENT, BAD_DATA, EMPTY, UNSUPPORTED, NO_DEVICE)


def check(status: int) -> None:
    """Raises what a status stands for: ValueError, TypeError, MemoryError, DeviceError; for a call
    that was interrupted, what the handler of the signal raised (KeyboardInterrupt)."""
    if status == OK:
        return
    if status == CANCELLED:
        fast.heddle_py_raise()
        raise SystemExit if fast.heddle_py_has_ended() else KeyboardInterrupt
    text = lib.heddle_message().decode(errors="replace")
    raise _EXCEPTIONS.get(status, RuntimeError)(in_python(text) if status in _OF_THE_CALL else text)


def address(array: np.ndarray) -> int:
    """Where the first element of an array is."""
    return array.__array_interface__["data"][0]


@functools.lru_cache(maxsize=None)
def result_type(op: int, number: int) -> int:
    """The type that the library gives a reduction of elements of a type."""
    found = c_int()
    check(lib.heddle_result_type(REDUCE, op, number, None, byref(found), None))
    return found.value


#: The operators that fold numbers of every type: not those of bits.
REDUCTIONS = frozenset(
    op for op in heddle_op.values()
    if lib.heddle_result_type(REDUCE, op, F32, None, byref(c_int()), None) == OK)


def _total(dtype: np.dtype, number: int) -> np.dtype:
    if dtype.kind == "f":
        return dtype
    return np.dtype(np.int64) if dtype.kind == "b" else DTYPES[result_type(SUM, number)]


#: NumPy's dtype of an element -> that of a sum or product: the library's, but floats keep their own
#: and bools are counted.
TOTALS: dict[np.dtype, np.dtype] = {dtype: _total(dtype, number) for dtype, number in TYPES.items()}
