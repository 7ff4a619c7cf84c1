"""Running totals: cumsum, cumprod, maximum_accumulate, minimum_accumulate."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _calls
from . import _float_errors
from . import _native as n
from ._arrays.operand import Operand, operand
from ._axes import Lines, check_out, context_of, empty, of_scalar, one_axis, put
from ._fold import NOTHING, dtype_by, dtype_of, init, prepared
from ._native import Options
from ._nulls import filled
from ._plain import plain
from ._typing import Array, Axis, DType, Out


def _prepared(op: int, x: Operand, dtype: Any) -> tuple[Operand, Options, np.dtype]:
    if op in (n.SUM, n.PROD):
        x, options, wanted = prepared(op, x, dtype)
        if wanted.kind == "b":
            raise TypeError("dtype: running totals of bool are not supported by heddle")
        return x, options, wanted
    if dtype is not None and dtype_of(dtype) != x.dtype:
        if dtype_of(dtype) not in n.TYPES:
            raise TypeError(f"dtype: {dtype_of(dtype)} is not supported by heddle")
        x = x.astype(dtype_of(dtype))
    if x.is_bfloat16:
        return x, Options(out_type=n.F32), np.dtype(np.float32)
    return x, Options(out_type=x.type), x.dtype


def _target(x: Operand, ctx: Any, shape: tuple[int, ...], dtype: np.dtype, out: Any,
           is_total: bool) -> Any:
    """Where totals are written: `out` itself where that can be."""
    if out is None or x.device_array is not None:
        if out is not None:
            raise ValueError("out: it is for arrays of the host; device arrays get a new array")
        return empty(x, ctx, shape, dtype)
    check_out(out, shape, dtype, is_total)
    if out.dtype == dtype and out.flags.c_contiguous and out.flags.writeable and \
            out.dtype.isnative and not np.may_share_memory(out, x.host):
        return out
    return np.empty(shape, dtype)


def scanned(op: int, a: Any, axis: Any, dtype: Any, out: Any, skipna: bool, threads: int | None,
            device: str | None, kind: int = n.INCLUSIVE, initial: Any = NOTHING) -> Any:
    """A scan by an operator: running totals with each element, or (EXCLUSIVE) before it."""
    source = operand(a, "a")
    valid = None if source.valid is None or bool(source.valid.all()) else source.valid
    x = source if valid is None else source.without_nulls()
    if valid is not None and source.ndim > 1 and axis is not None:
        x = filled(source, op, valid)
    ctx = context_of(x, device, threads)
    is_total = op in (n.SUM, n.PROD) and dtype is None
    if is_total and isinstance(out, np.ndarray) and out.dtype.kind == "b":
        raise TypeError("out: running totals of bool are not supported by heddle")
    if op in (n.SUM, n.PROD):
        axis, dtype = of_scalar(axis, x.ndim), dtype_by(out, dtype, x)
    elif x.ndim == 0 and axis is not None:
        raise TypeError("array: cannot accumulate on a scalar")
    x, options, wanted = _prepared(op, x, dtype)
    options.nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
    if op in (n.MIN, n.MAX) and isinstance(axis, tuple):
        if len(axis) != 1:
            raise ValueError(f"axis: accumulate does not allow multiple axes, {axis}")
        axis = axis[0]
    where = None if axis is None else one_axis(axis, x.ndim)
    where = None if x.ndim == 1 else where
    lines = Lines(x, where)
    target = _target(x, ctx, x.shape if where is not None else (x.size,), wanted,
                    out if valid is None else None, is_total)
    if initial is NOTHING and kind == n.EXCLUSIVE and op == n.MIN and wanted.kind == "b":
        initial = True  # the greatest bool, which is not the greatest byte
    kept = None if initial is NOTHING else init(options, initial, wanted)
    _calls.scan(ctx, op, lines, target, options, kind)
    del kept
    if op in (n.SUM, n.PROD):
        _float_errors.check_scan(ctx, lines, target, where, skipna)
    if valid is not None:
        if out is not None:
            raise ValueError("out: an array with nulls gets a new array")
        if target.shape != source.shape or source.ndim == 1:
            valid = valid.reshape(-1)
            spread = np.zeros(valid.shape, wanted)
            spread[valid] = target
            target = spread
        return source.give_masked(target, valid)
    if out is None:
        return source.give(target)
    if target is not out:
        put(out, target)
    return out


@plain
def cumsum(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, *,
           skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """Running sums: element i is the sum of elements 0 to i.

    Parameters
    ----------
    a : array_like
        Of any shape; integers, bool, float16, bfloat16, float32, float64.
    axis : int, optional
        Along which; by default the array is taken in C order, as one dimension.
    dtype : dtype, optional
        Of the result: by default int64 or uint64 for integers, the array's own for floats
        (float32 for bfloat16).
    out : ndarray, optional
        Takes the result, of its shape.
    skipna : bool
        NaN count as 0; otherwise all that follows one is NaN.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of the caller's kind. Nulls are skipped, and are nulls in the result.

    Warns
    -----
    RuntimeWarning
        As in `heddle.sum`, for the last total of a row.

    Notes
    -----
    Order v1: element i has the bits of ``heddle.sum(a[:i + 1])``, for any number of threads.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.cumsum([1, 2, 3])
    array([1, 3, 6])
    >>> hd.cumsum([[0.5, 1.0], [1.5, 2.0]], axis=0)
    array([[0.5, 1. ],
           [2. , 3. ]])
    """
    return scanned(n.SUM, a, axis, dtype, out, skipna, threads, device)


@plain
def cumprod(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, *,
            skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """Running products; parameters as in `cumsum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.cumprod([1.0, 2.0, 4.0])
    array([1., 2., 8.])
    """
    return scanned(n.PROD, a, axis, dtype, out, skipna, threads, device)


@plain
def minimum_accumulate(array: Array, axis: Axis = 0, dtype: DType = None, out: Out = None, *,
                       skipna: bool = False, threads: int | None = None,
                       device: str | None = None) -> Any:
    """Running minima, as ``numpy.minimum.accumulate``: along axis 0 by default.

    Parameters as in `cumsum`; the dtype is the array's own by default.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.minimum_accumulate([3, 4, 1, 2])
    array([3, 3, 1, 1])
    """
    return scanned(n.MIN, array, axis, dtype, out, skipna, threads, device)


@plain
def maximum_accumulate(array: Array, axis: Axis = 0, dtype: DType = None, out: Out = None, *,
                       skipna: bool = False, threads: int | None = None,
                       device: str | None = None) -> Any:
    """Running maxima, as ``numpy.maximum.accumulate``: along axis 0 by default.

    Parameters as in `cumsum`; the dtype is the array's own by default.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.maximum_accumulate([1.0, 3.0, 2.0])
    array([1., 3., 3.])
    """
    return scanned(n.MAX, array, axis, dtype, out, skipna, threads, device)
