"""Sorts: sort, argsort, sort_pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native as n
from ._arrays.kinds import widened
from ._arrays.operand import Operand, on_host, operand
from ._axes import Lines, context_of, empty, one_axis, pointer_of
from ._context import Context
from ._native import MAX_DIMS, Rows, SortOptions, byref, check, lib
from ._plain import plain
from ._typing import Array, Axis

__all__ = ["argsort", "sort", "sort_pairs"]

_KINDS = {"quicksort": False, "heapsort": False, "mergesort": True, "stable": True}
_VALUE_BYTES = (1, 2, 4, 8, 16)


def _accept(kind: Any, order: Any, stable: Any) -> None:
    """NumPy's arguments that change nothing here: every sort is stable."""
    if order is not None:
        raise ValueError("order: heddle sorts numbers, which have no fields")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and `stable` are both given; give one")
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"kind: {kind!r} is none of {', '.join(map(repr, _KINDS))}")


def _options(descending: bool, nan_first: bool) -> SortOptions | None:
    if not descending and not nan_first:
        return None
    return SortOptions(descending=bool(descending), nan_first=bool(nan_first))


class _Lines:
    """Arrays of one shape as the rows that are sorted: `rows` None for one row without gaps.

    Attributes
    ----------
    pointers : list of int
        What is read, all of one layout.
    rows : Rows or None
    shape : tuple of int
        Of the results, in C order.
    """

    def __init__(self, ctx: Context, operands: list[Operand], axis: Any, name: str) -> None:
        self._ctx, self._operands = ctx, operands
        self.rows: Rows | None = None
        self.size = operands[0].size
        if operands[0].host is None:
            self._on_device(axis, name)
        else:
            self._on_host([x.host for x in operands], axis, name)

    def _on_device(self, axis: Any, name: str) -> None:
        first = self._operands[0]
        axis = None if axis is None else one_axis(axis, first.ndim)
        self.shape = (first.size,) if axis is None else first.shape
        where = None if first.ndim == 1 else axis
        found = [Lines(x, where, name) for x in self._operands]
        steps = {x.device_array.strides for x in self._operands}
        if len(steps) > 1 and (axis is not None or first.ndim == 1):
            raise ValueError(f"{name}: it lies in memory otherwise than the array beside it; on a device "
                             "both lie alike, such as both in C order")
        self._read = found
        self.pointers, self.rows = [lines.pointer for lines in found], found[0].rows

    def _on_host(self, arrays: list[np.ndarray], axis: Any, name: str) -> None:
        first = arrays[0]
        if axis is None:
            arrays = [array.reshape(-1) for array in arrays]
            first, axis = arrays[0], 0
        axis = one_axis(axis, first.ndim)
        if first.ndim > MAX_DIMS:
            raise ValueError(f"{name}: at most {MAX_DIMS} dimensions can be sorted along an axis")
        steps = {tuple(step / array.itemsize for step in array.strides) for array in arrays}
        if len(steps) > 1 or any(step % 1 for step in next(iter(steps))):
            arrays = [np.ascontiguousarray(array) for array in arrays]
            first = arrays[0]
        self._read = arrays
        self.pointers, self.shape = [pointer_of(array) for array in arrays], first.shape
        if first.ndim == 1 and first.flags.c_contiguous:
            return
        strides = None if first.flags.c_contiguous else \
            tuple(step // first.itemsize for step in first.strides)
        self.rows = Rows.along(axis, first.shape, strides)

    def new(self, dtype: Any, place: int = 0) -> Any:
        """Memory for results, where the operand of that place is."""
        return empty(self._operands[place], self._ctx, self.shape, dtype)


@plain
def sort(a: Array, axis: Axis = -1, kind: Any = None, order: Any = None, *,
         stable: bool | None = None, descending: bool = False, nan_first: bool = False,
         threads: int | None = None, device: str | None = None) -> Any:
    """A sorted copy.

    Parameters
    ----------
    a : array_like
        Of any shape; integers, bool, float16, bfloat16, float32, float64.
    axis : int or None
        Along which; None sorts all of it, as one dimension.
    kind, stable : optional
        NumPy's; every sort is stable.
    order : None
    descending : bool
        From the greatest to the least; equal elements keep their order all the same.
    nan_first : bool
        NaN come before all numbers; otherwise behind them, in either direction.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of the caller's kind and dtype (float32 for bfloat16); nulls of one dimension come last.

    Notes
    -----
    -0.0 comes before +0.0, and NaN keep their payloads. The result is one sequence for any number of
    threads.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.sort([3, 1, 2])
    array([1, 2, 3])
    >>> hd.sort([[3.0, 1.0], [2.0, 4.0]], axis=0, descending=True)
    array([[3., 4.],
           [2., 1.]])
    """
    _accept(kind, order, stable)
    options = _options(descending, nan_first)
    x = operand(a, "a")
    dtype = x.dtype
    if x.valid is not None and not x.valid.all():
        return _with_nulls(x, axis, descending, nan_first, threads, device)
    ctx = context_of(x, device, threads)
    lines = _Lines(ctx, [x], axis, "a")
    target = lines.new(dtype)
    if lines.rows is None:
        check(lib.heddle_sort(ctx.handle, x.type, lines.pointers[0], lines.size, pointer_of(target),
                              options and byref(options)))
    elif target.size:
        check(lib.heddle_sort_rows(ctx.handle, x.type, lines.pointers[0], byref(lines.rows),
                                   pointer_of(target), options and byref(options)))
    return _as_given(x, target)


def _as_given(x: Operand, target: Any, aligned: bool | None = None) -> Any:
    """Sorted elements as the caller's kind of array."""
    if not x.is_bfloat16:
        return x.give(target, aligned)
    if x.host is None:
        return widened(x, target)
    return x.give((target.astype(np.uint32) << 16).view(np.float32), aligned)


def _with_nulls(x: Operand, axis: Any, descending: bool, nan_first: bool, threads: Any,
                device: Any) -> Any:
    """What is not null in order, then the nulls."""
    if x.ndim != 1 and axis is not None:
        raise ValueError("a: nulls are sorted in one dimension, or with axis=None")
    if x.is_bfloat16:
        raise TypeError("a: bfloat16 with nulls is not supported")
    some = sort(x.host[x.valid], descending=descending, nan_first=nan_first, threads=threads,
                device=device)
    result = np.zeros(x.size, x.dtype)
    result[:some.size] = some
    return x.give_masked(result, np.arange(x.size) < some.size)


@plain
def argsort(a: Array, axis: Axis = -1, kind: Any = None, order: Any = None, *,
            stable: bool | None = None, descending: bool = False, nan_first: bool = False,
            threads: int | None = None, device: str | None = None) -> Any:
    """The positions that sort an array: equal elements by position.

    Parameters
    ----------
    a, axis, kind, order, stable, descending, nan_first, threads, device
        As in `sort`; an array with nulls raises ValueError.

    Returns
    -------
    array
        Of int64, of the shape of `a` (one dimension for ``axis=None``), of the caller's kind.

    Notes
    -----
    -0.0 and +0.0 are equal, as are all NaN: the result is that of
    ``numpy.argsort(a, axis, kind="stable")``.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.argsort([3, 1, 2, 1])
    array([1, 3, 2, 0])
    """
    _accept(kind, order, stable)
    options = _options(descending, nan_first)
    x = operand(a, "a")
    if x.valid is not None and not x.valid.all():
        raise ValueError("a: positions among nulls are not supported; drop or fill them")
    if x.ndim == 0 and axis in (-1, 0):
        axis = None
    ctx = context_of(x, device, threads)
    lines = _Lines(ctx, [x], axis, "a")
    index = lines.new(np.int64)
    if lines.rows is None:
        check(lib.heddle_argsort(ctx.handle, x.type, lines.pointers[0], lines.size, n.U64,
                                 pointer_of(index), options and byref(options)))
    elif lines.size:
        check(lib.heddle_argsort_rows(ctx.handle, x.type, lines.pointers[0], byref(lines.rows), n.U64,
                                      pointer_of(index), options and byref(options)))
    return x.give(index)


def sort_pairs(keys: Array, values: Array, axis: Axis = -1, *, descending: bool = False,
               nan_first: bool = False, threads: int | None = None,
               device: str | None = None) -> tuple[Any, Any]:
    """Keys in order, and values in the order of their keys.

    Parameters
    ----------
    keys : array_like
        As `a` of `sort`, without nulls.
    values : array_like
        Of the keys' shape, of any dtype of 1, 2, 4, 8 or 16 bytes; on the keys' device, of those of
        keys, and lying in memory as they do.
    axis, descending, nan_first, threads, device
        As in `sort`.

    Returns
    -------
    keys, values : array
        Keys of their kind, and an array of NumPy, or of the values' kind on a device. Those that are
        equal keep their order: among them -0.0 and +0.0, and all NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.sort_pairs([3, 1, 2], [30.0, 10.0, 20.0])
    (array([1, 2, 3]), array([10., 20., 30.]))
    """
    options = _options(descending, nan_first)
    x = operand(keys, "keys")
    if x.valid is not None and not x.valid.all():
        raise ValueError("keys: nulls have no order; drop or fill them")
    v = operand(values, "values") if x.host is None else _values(values)
    if x.host is None and v.host is not None:
        raise TypeError(f"values: they are on the host, and keys on {x.array.device}; have both on one")
    if v.shape != x.shape:
        raise ValueError(f"values: their shape is {v.shape}, that of keys is {x.shape}")
    dtype = v.dtype
    ctx = context_of(x, device, threads)
    x.join(v, "values")
    lines = _Lines(ctx, [x, v], axis, "keys")
    keys_out, values_out = lines.new(x.dtype), lines.new(dtype, 1)
    pointers = [*lines.pointers, pointer_of(keys_out), pointer_of(values_out)]
    if lines.rows is None:
        check(lib.heddle_sort_pairs(ctx.handle, x.type, pointers[0], dtype.itemsize, pointers[1],
                                    lines.size, *pointers[2:], options and byref(options)))
    elif lines.size:
        check(lib.heddle_sort_pairs_rows(ctx.handle, x.type, pointers[0], dtype.itemsize, pointers[1],
                                         byref(lines.rows), *pointers[2:], options and byref(options)))
    if x.host is None:
        return _as_given(x, keys_out), _as_given(v, values_out)
    return _as_given(x, keys_out), values_out


def _values(values: Any, name: str = "values") -> Operand:
    """Values of the host, which may be of dtypes that nothing else here takes."""
    array = np.asarray(on_host(values, name))
    if array.dtype.hasobject or array.dtype.itemsize not in _VALUE_BYTES:
        raise TypeError(f"{name}: dtype {array.dtype} is not supported by heddle; elements have 1, 2, "
                        "4, 8 or 16 bytes")
    return Operand(array, n.U8)
