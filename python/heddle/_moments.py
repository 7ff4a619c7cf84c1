"""Moments: mean, var, std, describe and dot."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _calls
from . import _float_errors
from . import _native as n
from ._arrays.kinds import NEW, quotients
from ._arrays.operand import Operand, operand
from ._axes import Lines, context_of, deliver, empty, of_scalar, one_axis, skipped
from ._description import FIGURES, Description, description_of, of_tensor
from ._float_errors import callers_level
from ._fold import NOTHING, chosen, fold, mean_dtype, pair
from ._fsum import fdot, fmean
from ._native import Options, check, lib
from ._nulls import nulls_along, numbers
from ._plain import plain
from ._typing import Array, Axis, DType, Out

def described(lines: Any, ctx: Any, skipna: bool, shape: Any,
              which: int = n.FIGURES_ALL) -> np.ndarray:
    """The library's figures of each row, on the host; the extremes, too, if any is infinite."""
    figures = np.zeros(shape, FIGURES)
    figures["size"] = FIGURES.itemsize
    options = Options(nan=n.NAN_SKIP if skipna else n.NAN_PROPAGATE, figures=which)
    _calls.describe(ctx, lines, figures, options)
    if which == n.FIGURES_MEAN and figures["infinite"].any():
        return described(lines, ctx, skipna, shape)
    return figures


def as_kind(x: Operand, ctx: Any, result: Any, wanted: np.dtype) -> Any:
    """Figures computed on the host, where x is."""
    with np.errstate(over="ignore"):  # which _float_errors reports
        result = np.asarray(result).astype(wanted)
    if x.device_array is None:
        return result
    there = empty(x, ctx, result.shape, wanted)
    check(lib.heddle_copy(ctx.handle, there.pointer, result.ctypes.data, result.nbytes))
    check(lib.heddle_sync(ctx.handle))
    return there


def means_of(figures: np.ndarray, quotients: Any = None) -> np.ndarray:
    """The means that `describe` has found; those of infinities are what their sum would be.

    Where quotients of sums are given, they stay if they are finite, or nothing better is known.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        ends = figures["min"] + figures["max"]  # NaN if an element is
    odd, found = figures["infinite"] > 0, figures["mean"]
    if quotients is None:
        return np.where(odd, ends, found)
    return np.where(np.isfinite(quotients) | ~(odd | np.isfinite(found)), quotients,
                    np.where(odd, ends, found))


def quotients_of(figures: np.ndarray) -> np.ndarray:
    """Means as totals by counts: those of `heddle.mean`, without the NaN that were skipped."""
    with np.errstate(invalid="ignore"):
        return figures["sum"] / (figures["count"] - figures["nan"])


def lessened_by(ddof: Any, correction: Any = None) -> float:
    """What the number of elements is lessened by."""
    if correction is not None and ddof:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    name, value = ("ddof", ddof) if correction is None else ("correction", correction)
    if isinstance(value, (int, float, np.number)) and not isinstance(value, np.complexfloating):
        return float(value)
    raise TypeError(f"{name}: a number is wanted, not {value!r}")


def variances_of(figures: np.ndarray, count: Any, ddof: float, root: bool, spoilt: Any = False) -> np.ndarray:
    """The variances that `describe` has found, or their roots, by n - ddof; NaN where that is not above 0."""
    free = np.maximum(count - ddof, 0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        result = figures["variance"] * (count / free)
        result = np.where((figures["infinite"] > 0) | spoilt | np.isnan(result), np.nan, result)
    return np.sqrt(result) if root else result


def _let_through(x: Operand, mask: np.ndarray, skipna: bool, axis: Any,
                 keepdims: bool) -> tuple[Operand, Any]:
    """Floats with NaN, to be skipped, where a mask is False; and where NaN was let through."""
    spoilt = not skipna and np.any(mask & np.isnan(x.host), axis=axis, keepdims=keepdims)
    return x.replaced(np.where(mask, x.host, x.host.dtype.type(np.nan))), spoilt


def _mean_where(a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool, where: Any,
                more: Any) -> Any:
    """The mean of the elements that a mask lets through."""
    with np.errstate(over="ignore", invalid="ignore"):  # of the total, which is not the mean
        total = np.asarray(fold(n.SUM, a, axis, np.float64, None, keepdims, NOTHING, where, *more))
    x, mask = chosen(a, axis, where)
    wanted = mean_dtype(x, dtype, out)
    if more[0] and x.type in n.FLOATS:
        mask = mask & ~np.isnan((x.astype(np.float32) if x.is_bfloat16 else x).host)
    count = np.sum(mask, axis=axis, keepdims=keepdims)
    if np.any(count == 0):
        warnings.warn("Mean of empty slice.", RuntimeWarning, stacklevel=callers_level())
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.asarray(total / count)
    if x.type == n.F64 and not np.isfinite(total).all():  # a total may be beyond float64
        let, spoilt = _let_through(x, mask, more[0], axis, keepdims)
        figures = described(Lines(let, axis), context_of(let, more[2], more[1]), True,
                            means.shape, n.FIGURES_MEAN)
        means = np.where(spoilt, np.nan, means_of(figures, means))
    result = as_kind(x, None, means, wanted)
    if x.type in n.FLOATS and not np.isfinite(result).all():
        let, spoilt = _let_through(x.astype(np.float32) if x.is_bfloat16 else x, mask, more[0],
                                   axis, keepdims)
        lines = Lines(let, of_scalar(axis, x.ndim))
        _float_errors.check(context_of(let, more[2], more[1]), (lines,), result, skipna=True,
                            besides=spoilt)
    return deliver(x, result, out)


@plain
def mean(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, keepdims: bool = False,
         *, where: Array = True, skipna: bool = False, exact: bool = False,
         threads: int | None = None, device: str | None = None) -> Any:
    """The arithmetic mean, over all axes or some; parameters as in `heddle.sum`.

    Returns
    -------
    scalar or array
        float64 for integers, else of the array's dtype (float32 for bfloat16). Elements are
        added in float64; where their sum is beyond it, the mean is that of `describe`. With
        `exact` it is that of `heddle.fmean`.

    Warns
    -----
    RuntimeWarning
        For no elements; the result is NaN. For what np.errstate says, as in `heddle.sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.mean([1, 2, 4])
    np.float64(2.3333333333333335)
    >>> hd.mean([1.0, float("nan")], skipna=True)
    np.float64(1.0)
    """
    if exact:
        return fmean(a, axis, dtype, out, keepdims, where=where, skipna=skipna, threads=threads,
                     device=device)
    if where is not True:
        return _mean_where(a, axis, dtype, out, keepdims, where, (skipna, threads, device))
    x = operand(a)
    if nulls_along(x, axis) is not None:
        return _mean_where(a, axis, dtype, out, keepdims, True, (skipna, threads, device))
    x = skipped(x, axis)
    ctx = context_of(x, device, threads)
    wanted = mean_dtype(x, dtype, out)
    wide = x.type in (n.U64, n.I64) or x.size >> 31
    skipna = skipna and x.type in n.FLOATS  # no integer is NaN
    lines = Lines(x, axis, any_order=x.type not in n.FLOATS and not wide)
    shape = lines.kept if keepdims else lines.shape
    if lines.length == 0:
        warnings.warn("Mean of empty slice.", RuntimeWarning, stacklevel=callers_level())
    if skipna or wide or not lines.length:
        figures = described(lines, ctx, skipna, shape, n.FIGURES_ALL if skipna else n.FIGURES_MEAN)
        result = as_kind(x, ctx, means_of(figures, quotients_of(figures) if skipna else None), wanted)
        _float_errors.check(ctx, (lines,), result, skipna=skipna)
        return deliver(x, result, out)
    options = Options(out_type=n.F64, acc_type=n.F64 if x.type in n.FLOATS else n.TYPE_DEFAULT)
    if x.device_array is not None and x.library in NEW and x.type != n.F64 and out is None:
        there = empty(x, ctx, shape, np.float64)  # so that nothing waits for the device
        _calls.reduce(ctx, n.SUM, lines, there, options)
        return quotients(x.library, there.made, lines.length, wanted)
    totals = np.empty(shape, np.float64)
    _calls.reduce(ctx, n.SUM, lines, totals, options)
    means = totals / lines.length
    if x.type == n.F64 and not np.isfinite(totals).all():  # a total may be beyond float64
        means = means_of(described(lines, ctx, False, shape, n.FIGURES_MEAN), means)
    result = as_kind(x, ctx, means, wanted)
    _float_errors.check(ctx, (lines,), result)
    return deliver(x, result, out)


def _variance(a: Any, axis: Any, dtype: Any, out: Any, ddof: float, keepdims: bool, where: Any,
              correction: Any, skipna: bool, threads: int | None, device: str | None,
              root: bool) -> Any:
    ddof = lessened_by(ddof, correction)
    x, mask = chosen(a, axis, where)
    spoilt: Any = False  # where an element that counts is NaN
    if mask is not None:
        if x.type not in n.FLOATS or x.is_bfloat16:
            x = x.astype(np.float32 if x.is_bfloat16 else np.float64)
        x, spoilt = _let_through(x, mask, skipna, axis, keepdims)
        skipna = True
    ctx = context_of(x, device, threads)
    lines = Lines(x, axis)
    figures = described(lines, ctx, skipna, lines.kept if keepdims else lines.shape,
                         n.FIGURES_VARIANCE)
    count: Any = float(lines.length)
    if skipna:
        count = (figures["count"] - figures["nan"]).astype(np.float64)
    free = np.maximum(count - ddof, 0)
    if np.any(free <= 0):
        _float_errors.report(_float_errors.FEW, _float_errors.REDUCE)
    result = as_kind(x, ctx, variances_of(figures, count, ddof, root, spoilt), mean_dtype(x, dtype, out))
    _float_errors.check(ctx, (lines,), result, skipna=skipna, besides=spoilt | (free <= 0))
    return deliver(x, result, out)


@plain
def var(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, ddof: float = 0,
        keepdims: bool = False, *, where: Array = True, correction: float | None = None,
        skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The variance, over all axes or some, in one pass.

    Parameters
    ----------
    ddof, correction : float
        The divisor is n - ddof.
    a, axis, dtype, out, keepdims, where, skipna, threads, device
        As in `heddle.sum`.

    Warns
    -----
    RuntimeWarning
        Where the divisor is not positive. For what np.errstate says, as in `heddle.sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.var([1.0, 2.0, 4.0, 5.0]), hd.var([1.0, 3.0], ddof=1)
    (np.float64(2.5), np.float64(2.0))
    """
    return _variance(a, axis, dtype, out, ddof, keepdims, where, correction, skipna, threads,
                     device, False)


@plain
def std(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, ddof: float = 0,
        keepdims: bool = False, *, where: Array = True, correction: float | None = None,
        skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The standard deviation, the root of `var`, whose parameters it has.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.std([[1.0, 3.0], [2.0, 2.0]], axis=1)
    array([1., 0.])
    """
    return _variance(a, axis, dtype, out, ddof, keepdims, where, correction, skipna, threads,
                     device, True)


def describe(a: Array, axis: Axis = None, *, skipna: bool = False, threads: int | None = None,
             device: str | None = None) -> Description:
    """Count, extremes, sum and moments in one pass, in float64.

    Parameters
    ----------
    a, axis, threads, device
        As in `heddle.sum`.
    skipna : bool
        NaN are counted and left out; otherwise they make the figures NaN.

    Returns
    -------
    Description
        A named tuple: count (NaN included), nan, infinite, nulls, min, max, sum, mean, variance,
        std, skewness; with an axis, arrays. For an array on a GPU, numbers of the host.

    Examples
    --------
    >>> import heddle as hd
    >>> d = hd.describe([1.0, 2.0, float("nan"), 3.0], skipna=True)
    >>> int(d.count), int(d.nan), float(d.mean), float(d.max)
    (4, 1, 2.0, 3.0)
    """
    found = of_tensor(a, skipna) if axis is threads is device is None else None
    if found is not None:
        return found
    x = operand(a)
    f, nulls = _figures_beside_nulls(x, axis, skipna, threads, device)
    if f is None:
        x = skipped(x, axis)
        ctx = context_of(x, device, threads)
        lines = Lines(x, axis)
        f, nulls = described(lines, ctx, skipna, lines.shape), x.nulls
    return description_of(f, nulls)


def _figures_beside_nulls(x: Operand, axis: Any, skipna: bool, threads: int | None,
                          device: str | None) -> tuple[Any, Any]:
    """The figures of rows with nulls, and how many those are; (None, None) if there are none."""
    valid = nulls_along(x, axis)
    if valid is None:
        return None, None
    host = numbers(x)
    host = host if host.dtype.kind == "f" else host.astype(np.float64)
    known = x.replaced(np.where(valid, host, host.dtype.type(np.nan)))
    lines = Lines(known, axis)
    figures = described(lines, context_of(known, device, threads), True, lines.shape)
    nulls = np.asarray(np.sum(~valid, axis=axis))
    figures["count"] -= nulls.astype(np.uint64)
    figures["nan"] -= nulls.astype(np.uint64)
    if not skipna:
        spoilt = figures["nan"] > 0
        for name, (kind, *_) in figures.dtype.fields.items():
            if kind.kind == "f":
                figures[name][spoilt] = np.nan
    return figures, nulls[()]


@plain
def dot(a: Array, b: Array, out: Out = None, *, axis: Axis = None, exact: bool = False,
        threads: int | None = None, device: str | None = None) -> Any:
    """The sum of products of two one-dimensional arrays, or of rows.

    Parameters
    ----------
    a, b : array_like
        One-dimensional and of one length; with an axis of any shape, the same for both.
    axis : int, optional
        The axis along which products are summed.
    exact : bool
        The real sum of products, rounded once, as `heddle.fdot` has it.
    out, threads, device
        As in `heddle.sum`.

    Returns
    -------
    scalar or array
        Of the arrays' common dtype; integers modulo 2**bits.

    Raises
    ------
    ValueError
        For other shapes: products of matrices are not heddle's.

    Warns
    -----
    RuntimeWarning
        As in `heddle.sum`.

    Notes
    -----
    Each product is rounded once; the sum is that of `heddle.sum`, in order v1. Where one of two
    elements is null, neither counts.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.dot([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    np.float64(32.0)
    """
    if exact:
        return fdot(a, b, out, axis=axis, threads=threads, device=device)
    x, y = pair(operand(a, "a"), operand(b, "b"), axis)
    if (axis is None and x.ndim != 1) or x.ndim == 0:
        raise ValueError("a: heddle.dot takes one-dimensional arrays, or an axis, not shape "
                         f"{x.shape}")
    ctx = context_of(x, device, threads)
    where = one_axis(0 if axis is None else axis, x.ndim)
    left, right = Lines(x, None if x.ndim == 1 else where), Lines(y, None if x.ndim == 1 else where)
    if x.host is not None and x.host.strides != y.host.strides:
        left.parts, right.parts = x.host, y.host
    wanted = np.dtype(np.float32) if x.is_bfloat16 else x.dtype
    options = Options(out_type=n.F32 if x.is_bfloat16 else x.type)
    result = empty(x, ctx, left.shape, wanted)
    _calls.dot(ctx, left, right, result, options)
    _float_errors.check(ctx, (left, right), result, _float_errors.DOT)
    return deliver(x, result, out)
