"""Positions from values, and elements from positions: searchsorted, digitize, take."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, device_of, on_host, operand
from .._axes import context_of, empty, one_axis, pointer_of
from .._context import Context, context
from .._native import TYPES, check, lib
from .._plain import plain
from .._typing import Array

__all__ = ["digitize", "searchsorted", "take"]

_SIDES = {"left": 0, "right": 1}
ROW_BYTES = 1 << 20  # the library's most; longer rows are copied one by one as quickly


def no_nulls(x: Operand, name: str, what: str) -> None:
    """Refuses an operand with nulls."""
    if x.valid is not None and not x.valid.all():
        raise ValueError(f"{name}: nulls have no {what}; drop or fill them")


def dense_pointer(x: Operand, name: str) -> tuple[int, Any]:
    """The first of elements that lie in C order without gaps, and what keeps them."""
    if x.host is None:
        if x.device_array.strides is not None:
            raise ValueError(f"{name}: on a device it must lie in C order")
        return x.device_array.pointer, x.device_array
    host = np.ascontiguousarray(x.host)
    return pointer_of(host), host


def _numbers(x: Operand) -> np.ndarray:
    host = x.host
    return (host.astype(np.uint32) << 16).view(np.float32) if x.is_bfloat16 else host


def _common(a: Operand, v: Operand) -> tuple[Operand, Operand]:
    """Both of the dtype that NumPy gives them together."""
    if a.type == v.type:
        return a, v
    if a.host is None or v.host is None:
        raise TypeError(f"v: it is of {v.dtype}, and a of {a.dtype}; on a device both are of one "
                        "dtype")
    left, right = _numbers(a), _numbers(v)
    dtype = np.result_type(left, right)
    return operand(left.astype(dtype), "a"), operand(right.astype(dtype), "v")


@plain
def searchsorted(a: Array, v: Array, side: str = "left", sorter: Any = None, *,
                 threads: int | None = None, device: str | None = None) -> Any:
    """Where values would be put into a sorted array, as ``numpy.searchsorted``.

    Parameters
    ----------
    a : array_like
        One dimension, in order; NaN stand behind all numbers. Elements as in `heddle.sort`.
    v : array_like
        Values, of any shape; on the device that `a` is on, and of its dtype there.
    side : {"left", "right"}
        How many elements are below a value, or how many are not above it.
    sorter : array_like of int, optional
        Positions that sort `a`, as of `argsort`.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of int64, of the shape of `v` and its kind; a number for a scalar.

    Raises
    ------
    TypeError, ValueError
        For several dimensions of `a`, another side, nulls; as `heddle.sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.searchsorted([1, 2, 2, 5], [2, 3], side="right")
    array([3, 3])
    """
    if not isinstance(side, str) or side not in _SIDES:
        raise ValueError(f"side: {side!r} is neither 'left' nor 'right'")
    if sorter is not None:
        a = _taken(a, sorter, None, threads, device, "sorter")
    return _searched(operand(a, "a"), operand(v, "v"), side, False, threads, device, ("a", "v"))


def _searched(x: Operand, values: Operand, side: str, falls: bool, threads: int | None, device: str | None,
              names: tuple[str, str]) -> Any:
    """The places of values in a sorted array, from its end on if it is one that falls, in reverse."""
    if x.ndim != 1:
        raise ValueError(f"{names[0]}: one dimension is wanted, not the shape {x.shape}")
    no_nulls(x, names[0], "order")
    no_nulls(values, names[1], "order")
    if (x.host is None) != (values.host is None):
        raise TypeError(f"{names[1]}: it is not where `{names[0]}` is; have both on the host, or on one device")
    given = values
    x, values = _common(x, values)
    ctx = context_of(x, device, threads)
    if values.host is None:
        x.join(values, names[1])
    context_of(values, device, threads)
    index = empty(given, ctx, given.shape, np.int64)
    first, kept = dense_pointer(x, names[0])
    second, kept_too = dense_pointer(values, names[1])
    check(lib.heddle_search_sorted(ctx.handle, x.type, first, x.size, second, values.size,
                                   _SIDES[side], n.U64, pointer_of(index)))
    del kept, kept_too
    if given.host is None:
        return x.size - given.give(index) if falls else given.give(index)
    if falls:
        np.subtract(x.size, index, out=index)
    return index[()] if given.ndim == 0 else given.give(index)


@plain
def digitize(x: Array, bins: Array, right: bool = False, *, threads: int | None = None,
             device: str | None = None) -> Any:
    """Which bin each element is in, as ``numpy.digitize``.

    Parameters
    ----------
    x : array_like
        Of any shape.
    bins : array_like
        Edges in one dimension, rising or falling.
    right : bool
        Whether a bin holds its right edge in place of its left one.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of int64: 0 for elements before the first edge, ``len(bins)`` for those behind the last.

    Raises
    ------
    ValueError
        For edges that neither rise nor fall.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0])
    array([1, 4, 3])
    """
    edges, values = np.asarray(on_host(bins, "bins")), operand(x, "x")
    if edges.ndim != 1:
        raise ValueError(f"bins: one dimension is wanted, not the shape {edges.shape}")
    side = "left" if right else "right"
    falls = not (edges[1:] >= edges[:-1]).all()
    if falls and not (edges[1:] <= edges[:-1]).all():
        raise ValueError("bins must be monotonically increasing or decreasing")
    return _searched(operand(edges[::-1] if falls else edges, "bins"), values, side, falls, threads, device,
                     ("bins", "x"))


# ---- take --------------------------------------------------------------------------------------


def index_of(indices: Any, name: str) -> tuple[np.ndarray, int]:
    """Integers of the host without gaps, of 32 or 64 bits, and the library's type of them."""
    array = np.asarray(on_host(indices, name))
    if array.dtype.kind not in "iu" and not (array.size == 0 and array.dtype.kind == "f"):
        raise TypeError(f"{name}: integers are wanted, not {array.dtype}")
    if array.dtype.itemsize < 4 or array.dtype.kind == "f" or not array.dtype.isnative:
        array = array.astype(np.int64)
    array = np.ascontiguousarray(array).reshape(array.shape)
    return array, TYPES[array.dtype]


def _gather(ctx: Context, rows: np.ndarray, index: np.ndarray, number: int) -> np.ndarray:
    """Rows of a C-ordered array by checked or unchecked positions."""
    row = rows.shape[1:]
    size = rows.dtype.itemsize * int(np.prod(row, dtype=np.int64))
    if size > ROW_BYTES:
        if index.dtype.kind == "u" and (index > np.iinfo(np.int64).max).any():
            raise ValueError("outside")
        return rows[index]
    out = np.empty(index.shape + row, rows.dtype)
    if size == 0 or index.size == 0:
        if index.size and (index.astype(np.int64).max() >= len(rows) or index.min() < 0):
            raise ValueError("outside")
        return out
    check(lib.heddle_gather(ctx.handle, size, pointer_of(rows), len(rows), number,
                            pointer_of(index), index.size, pointer_of(out)))
    return out


def _on_device(x: Operand, indices: Any, axis: Any) -> Any:
    if axis not in (None, 0) or (axis is None and x.ndim != 1):
        raise ValueError("axis: on a device rows are taken along axis 0")
    index = operand(indices, "indices")
    if index.host is not None or index.dtype.kind not in "iu" or index.dtype.itemsize < 4:
        raise TypeError(f"indices: integers of 32 or 64 bits on {x.array.device} are wanted")
    ctx = context_of(x, None, None)
    x.join(index, "indices")
    row = x.shape[1:]
    out = empty(x, ctx, index.shape + row, x.dtype)
    size = x.dtype.itemsize * int(np.prod(row, dtype=np.int64))
    check(lib.heddle_gather(ctx.handle, size, dense_pointer(x, "a")[0], x.shape[0], index.type,
                            dense_pointer(index, "indices")[0], index.size, pointer_of(out)))
    return x.give(out)


@plain
def take(a: Array, indices: Any, axis: int | None = None, *, threads: int | None = None,
         device: str | None = None) -> Any:
    """Elements, or rows, by their positions, as ``numpy.take``.

    Parameters
    ----------
    a : array_like
        Of any dtype of the host; on a device of those of `heddle.sum`, taken along axis 0.
    indices : array_like of int
        Of any shape; on the host negative ones count from the end.
    axis : int, optional
        Along which; None takes from all of it, as one dimension.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of the shape of `a` with that of `indices` in the place of the axis.

    Raises
    ------
    IndexError
        For a position outside of the array (on a device ValueError).

    Examples
    --------
    >>> import heddle as hd
    >>> hd.take([10.0, 20.0, 30.0], [2, 0, -1])
    array([30., 10., 30.])
    >>> hd.take([[1, 2], [3, 4]], [1, 1], axis=0)
    array([[3, 4],
           [3, 4]])
    """
    if device_of(a, "a") != "cpu":
        return _on_device(operand(a, "a"), indices, axis)
    return _taken(a, indices, axis, threads, device, "indices")


def _source(a: Any) -> tuple[np.ndarray, Operand | None]:
    """Elements of the host, and the operand whose kind results are of; None: NumPy's, of any dtype."""
    if isinstance(a, np.ndarray) and not isinstance(a, np.ma.MaskedArray):
        return np.asarray(a), None
    try:
        x = operand(a, "a")
    except TypeError:
        array = np.asarray(a)
        if array.dtype.hasobject:
            raise TypeError(f"a: dtype {array.dtype} is not supported by heddle; it moves elements of "
                            "fixed size") from None
        return array, None
    return _numbers(x), x


def _taken(a: Any, indices: Any, axis: Any, threads: Any, device: Any, name: str) -> Any:
    """Elements of an array of the host by their positions; `name`: what messages call these."""
    array, x = _source(a)
    if array.dtype.hasobject:
        raise TypeError(f"a: dtype {array.dtype} is not supported by heddle; it moves elements of "
                        "fixed size")
    index, number = index_of(indices, name)
    if axis is None:
        array, axis = array.reshape(-1), 0
    ctx, axis = context(device, threads), one_axis(axis, array.ndim)
    found = _moved(ctx, array, index, number, axis)
    if x is None or x.valid is None and not x.library:
        return found if found.ndim else found[()]
    valid = None if x.valid is None else _moved(ctx, x.valid.reshape(array.shape), index, number, axis)
    if not found.ndim:
        return np.ma.masked if valid is not None and not valid else found[()]
    return x.give_masked(found, valid, False)


def _moved(ctx: Context, array: np.ndarray, index: np.ndarray, number: int, axis: int) -> np.ndarray:
    """Elements of an array along an axis."""
    rows = np.ascontiguousarray(np.moveaxis(array, axis, 0))
    try:
        out = _gather(ctx, rows, index, number)
    except ValueError:
        length = len(rows)
        signed = index.astype(np.int64)
        outside = (signed < -length) | (signed >= length) | (index > np.iinfo(np.int64).max)
        if outside.any():
            raise IndexError(f"index {index[outside].flat[0]} is out of bounds for axis {axis} "
                             f"with size {length}") from None
        if not (signed < 0).any():
            raise
        out = _gather(ctx, rows, np.where(signed < 0, signed + length, signed), n.I64)
    return np.moveaxis(out, range(index.ndim), range(axis, axis + index.ndim)) if axis else out
