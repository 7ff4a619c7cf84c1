"""Elements by a condition: compress, extract, nonzero, flatnonzero, argwhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.device_array import DeviceArray
from .._arrays.operand import Operand, operand
from .._axes import context_of, empty, pointer_of
from .._context import Context
from .._native import Where, byref, c_uint64, check, lib, pointer
from .._sort import _values
from .._plain import plain
from .._typing import Array

__all__ = ["argwhere", "compress", "extract", "flatnonzero", "nonzero"]


def in_line(x: Operand, name: str) -> Any:
    """All elements as one line in C order: the array, or a copy of one of the host."""
    if x.valid is not None and not x.valid.all():
        raise ValueError(f"{name}: nulls are neither selected nor not; drop or fill them")
    if x.host is not None:
        return np.ascontiguousarray(x.host).reshape(-1)
    strides = x.device_array.strides
    if strides is not None and not (x.ndim == 1 and strides == (1,)):
        raise ValueError(f"{name}: on a device it must lie in C order without gaps")
    return x.device_array


def cut(x: Operand, ctx: Context, room: Any, length: int, dtype: Any) -> Any:
    """The first `length` elements of memory for results, which the rest is freed of."""
    if isinstance(room, np.ndarray):
        room.resize(length, refcheck=False)
        return room
    if length == room.size:
        return room
    result = empty(x, ctx, (length,), dtype)
    if length:
        check(lib.heddle_copy(ctx.handle, pointer_of(result), pointer_of(room),
                              length * np.dtype(dtype).itemsize))
    return result


def as_given(x: Operand, result: Any) -> Any:
    """Elements of x as the caller's kind of array."""
    if not x.is_bfloat16 or isinstance(result, DeviceArray):
        return x.give(result, False)
    return x.give((result.astype(np.uint32) << 16).view(np.float32), False)


def _positions(x: Operand, ctx: Context, name: str) -> Any:
    """Where elements of x, in one line, are not zero."""
    line = in_line(x, name)
    where = Where(type=x.type, of=pointer_of(line))
    found = c_uint64()
    if isinstance(line, np.ndarray):  # no more memory than they take
        check(lib.heddle_positions(ctx.handle, byref(where), line.size, n.U64, None, byref(found)))
        index = np.empty(found.value, np.int64)
        if not index.size:
            return index
        room = index if index.size == line.size else np.empty(line.size, np.int64)
    else:
        room = empty(x, ctx, (line.size,), np.int64)
    check(lib.heddle_positions(ctx.handle, byref(where), line.size, n.U64, pointer_of(room),
                               byref(found)))
    return cut(x, ctx, room, found.value, np.int64)


@plain
def flatnonzero(a: Array, *, threads: int | None = None, device: str | None = None) -> Any:
    """The positions of elements that are not zero, in the array as one line.

    Parameters
    ----------
    a : array_like
        Of any shape; integers, bool, float16, bfloat16, float32, float64, without nulls. NaN are not
        zero.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of int64, rising; of the caller's kind.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.flatnonzero([[3, 0], [0, 5]])
    array([0, 3])
    """
    x = operand(a, "a")
    ctx = context_of(x, device, threads)
    return x.give(_positions(x, ctx, "a"), False)


@plain
def nonzero(a: Array, *, threads: int | None = None, device: str | None = None) -> tuple[Any, ...]:
    """The positions of elements that are not zero, an array for each axis.

    Parameters
    ----------
    a, threads, device
        As in `flatnonzero`; of at least one dimension, on a device of one.

    Returns
    -------
    tuple of array
        Of int64, in C order; of the caller's kind.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nonzero([[3, 0], [0, 5]])
    (array([0, 1]), array([0, 1]))
    """
    x = operand(a, "a")
    if x.ndim == 0:
        raise ValueError("a: a number has no positions; make it an array of one dimension")
    if x.host is None and x.ndim > 1:
        raise ValueError(f"a: on a device positions are of one dimension, not of shape {x.shape}; "
                         "use flatnonzero")
    ctx = context_of(x, device, threads)
    index = _positions(x, ctx, "a")
    if x.ndim == 1:
        return (x.give(index, False),)
    return tuple(x.give(np.asarray(part, np.int64), False) for part in np.unravel_index(index, x.shape))


def argwhere(a: Array, *, threads: int | None = None, device: str | None = None) -> Any:
    """The positions of elements that are not zero, one a row.

    Parameters
    ----------
    a, threads, device
        As in `nonzero`, of the host.

    Returns
    -------
    numpy.ndarray
        Of int64, of a row an element and a column an axis.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.argwhere([[3, 0], [0, 5]])
    array([[0, 0],
           [1, 1]])
    """
    x = operand(a, "a")
    if x.host is None:
        raise TypeError(f"a: argwhere takes arrays of the host, and this one is on {x.array.device}; "
                        "use flatnonzero")
    ctx = context_of(x, device, threads)
    index = _positions(x, ctx, "a")
    if x.ndim == 0:
        return np.zeros((index.size, 0), np.int64)
    return np.stack(np.unravel_index(index, x.shape), axis=1)


def _elements(a: Any, on_device: bool, name: str) -> Operand:
    """What is moved: on the host of any dtype of 1, 2, 4, 8 or 16 bytes."""
    kind = type(a)
    return _values(a, name) if kind is np.ndarray and not on_device else operand(a, name)


@plain
def compress(condition: Array, a: Array, axis: int | None = None, *, threads: int | None = None,
             device: str | None = None) -> Any:
    """The elements of an array where a condition is not zero, in their order.

    Parameters
    ----------
    condition : array_like or str
        One dimension, not longer than `a` in one line; bool, integers, floats. What it does not reach
        is not selected. Or a test of one's own as CUDA C, where `a` is on a device: an expression of
        x, an element of `a` (of float16 and bfloat16 its value as float), ``"x > 3 && x < 5"``, or text
        that defines ``__device__ bool heddle_test(TYPE x)``.
    a : array_like
        Taken in one line, in C order; an array of NumPy may be of any dtype of 1, 2, 4, 8 or 16
        bytes. Without nulls; on the condition's device.
    axis : int or None
        None, or the axis of an array that has one.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        One dimension, of the dtype (float32 for bfloat16) and kind of `a`.

    Raises
    ------
    TypeError, ValueError
        For dtypes, nulls, shapes and an axis that are not these.

    Notes
    -----
    As ``numpy.compress``, and for masks ``a[condition]``.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.compress([True, False, True], [1.5, 2.5, 3.5])
    array([1.5, 3.5])
    """
    if isinstance(condition, str):
        return _tested(condition, operand(a, "a"), axis, threads, device)
    c = operand(condition, "condition")
    x = _elements(a, c.host is None, "a")
    if c.ndim != 1:
        raise ValueError(f"condition: one dimension is wanted, not shape {c.shape}")
    _check_axis(x, axis)
    if c.size > x.size:
        raise ValueError(f"condition: it has {c.size} elements, more than the {x.size} of a")
    return _compressed(c, x, threads, device)


@plain
def extract(condition: Array, arr: Array, *, threads: int | None = None,
            device: str | None = None) -> Any:
    """The elements of an array where a condition of any shape is not zero.

    Parameters
    ----------
    condition, arr
        As `condition` and `a` of `compress`, both taken in one line.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        As of `compress`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.extract([[True, False], [False, True]], [[1, 2], [3, 4]])
    array([1, 4])
    """
    c = operand(condition, "condition")
    x = _elements(arr, c.host is None, "arr")
    if c.size > x.size:
        raise ValueError(f"condition: it has {c.size} elements, more than the {x.size} of arr")
    return _compressed(c, x, threads, device)


def _check_axis(x: Operand, axis: int | None) -> None:
    if axis is not None and (x.ndim != 1 or axis not in (0, -1)):
        raise ValueError(f"axis: elements are selected from one line, not along axis {axis} of shape "
                         f"{x.shape}")


def _tested(text: str, x: Operand, axis: int | None, threads: Any, device: Any) -> Any:
    """The elements that a test as CUDA C selects."""
    _check_axis(x, axis)
    ctx = context_of(x, device, threads)
    if not ctx.on_gpu:
        raise TypeError("condition: a test as CUDA C is for arrays of a device, and this one is on the host; "
                        "give a mask, or device=")
    line, found = in_line(x, "a"), c_uint64()
    room = empty(x, ctx, (line.size,), x.dtype)
    predicate = n.Predicate(cuda_source=text.encode())
    where = Where(comparison=n.PREDICATE, type=x.type, of=pointer_of(line), predicate=pointer(predicate))
    check(lib.heddle_select(ctx.handle, byref(where), x.dtype.itemsize, pointer_of(line), line.size,
                            pointer_of(room), byref(found)))
    return as_given(x, cut(x, ctx, room, found.value, x.dtype))


def _compressed(c: Operand, x: Operand, threads: Any, device: Any) -> Any:
    if (c.host is None) != (x.host is None):
        raise TypeError("condition: it and the array beside it are on one device, or both on the host")
    ctx = context_of(c, device, threads)
    c.join(x, "condition")
    of, line, dtype = in_line(c, "condition"), in_line(x, "a"), x.dtype
    room = empty(x, ctx, (line.size,), dtype)
    where, found = Where(type=c.type, of=pointer_of(of)), c_uint64()
    check(lib.heddle_select(ctx.handle, byref(where), dtype.itemsize, pointer_of(line), of.size,
                            pointer_of(room), byref(found)))
    return as_given(x, cut(x, ctx, room, found.value, dtype))
