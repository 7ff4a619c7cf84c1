"""Quantiles: median, quantile, percentile, and the same without NaN."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, on_host, operand
from .._axes import Lines, context_of, deliver, empty, of_scalar, pointer_of, skipped
from .._context import Context
from .interpolation import between, places
from .weighted import weighted, weighted_there
from .._native import QuantileOptions, byref, check, lib
from .._plain import plain
from .._typing import Array, Axis, Out

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

_METHODS = {"linear": 0, "inverted_cdf": 1, "averaged_inverted_cdf": 2, "closest_observation": 3,
            "interpolated_inverted_cdf": 4, "hazen": 5, "weibull": 6, "median_unbiased": 8,
            "normal_unbiased": 9, "lower": 10, "higher": 11, "midpoint": 12, "nearest": 13}
_ELEMENTS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")


class _Rows:
    """An array as rows, for calls that give some results of each."""

    def __init__(self, a: Array, axis: Any, device: Any, threads: Any) -> None:
        x = skipped(operand(a, "a"), axis)
        self.x: Operand = x
        self.ctx: Context = context_of(x, device, threads)
        self.axis = of_scalar(axis, x.ndim)
        self.lines = Lines(x, self.axis)
        if self.lines.parts is not None:
            x.host = np.ascontiguousarray(x.host)
            self.lines = Lines(x, self.axis)
        self.type = self.lines.type
        self.length, self.shape, self.kept = self.lines.length, self.lines.shape, self.lines.kept
        self.dtype = np.dtype(np.float32) if x.is_bfloat16 else x.dtype

    def quantiles(self, q: np.ndarray, method: str, skip: bool, shape: tuple[int, ...] | None = None) -> Any:
        """Of each row the quantiles q, as float64, of shape (rows, q), or of `shape`."""
        result = empty(self.x, self.ctx, (self.lines.results, q.size) if shape is None else shape, np.float64)
        options = QuantileOptions(method=_METHODS[method], nan=n.NAN_SKIP if skip else n.NAN_PROPAGATE,
                                  weights_type=n.F64)
        self._call(lib.heddle_quantiles, lib.heddle_quantiles_rows, q, result, options)
        return result

    def nth(self, ranks: np.ndarray) -> Any:
        """Of each row the elements of these ranks, of shape (rows, ranks)."""
        x, ranks = self.x, np.ascontiguousarray(ranks, np.uint64)
        result = empty(x, self.ctx, (self.lines.results, ranks.size), x.dtype)
        self._call(lib.heddle_nth, lib.heddle_nth_rows, ranks, result, None)
        if x.is_bfloat16 and x.host is not None:
            return (result.astype(np.uint32) << 16).view(np.float32)
        return result

    def _call(self, whole: Any, along: Any, wanted: np.ndarray, result: Any, options: Any) -> None:
        lines, options = self.lines, options and byref(options)
        if lines.rows is None:
            check(whole(self.ctx.handle, self.type, lines.pointer, lines.count, pointer_of(wanted),
                        wanted.size, pointer_of(result), options))
        elif lines.results:
            check(along(self.ctx.handle, self.type, lines.pointer, byref(lines.rows),
                        pointer_of(wanted), wanted.size, pointer_of(result), options))

    @property
    def on_host(self) -> bool:
        return self.x.device_array is None


# ---- what is found -------------------------------------------------------------------------------


def _of_elements(rows: _Rows, q: np.ndarray, method: str, weak: bool) -> np.ndarray:
    """Quantiles by NumPy's arithmetic in the elements' own dtype, of shape (rows, q)."""
    low, high, t = places(method, rows.length, q)
    ranks, where = np.unique(np.concatenate((low, high, [rows.length - 1])), return_inverse=True)
    found = rows.nth(ranks)
    sides = found[:, where.reshape(-1)]
    result = between(sides[:, :q.size], sides[:, q.size:2 * q.size], t, weak)
    nan = np.isnan(sides[:, -1])
    result[nan] = np.nan
    return result


def _exact_integers(rows: _Rows, q: np.ndarray, method: str) -> np.ndarray:
    """Elements of 64-bit integers, which a double does not hold."""
    steps = np.arange(rows.length, dtype=np.float64)
    names = QuantileOptions(method=_METHODS[method], nan=n.NAN_PROPAGATE, weights_type=n.F64)
    ranks = np.empty(q.size)
    check(lib.heddle_quantiles(rows.ctx.handle, n.F64, pointer_of(steps), steps.size, pointer_of(q), q.size,
                               pointer_of(ranks), byref(names)))
    return rows.nth(ranks.astype(np.uint64))


# ---- calls --------------------------------------------------------------------------------------


def _shares(q: Any, most: float, message: str) -> tuple[np.ndarray, bool]:
    """q as shares of 1, and whether it is a number of Python's, which has no part in a result's dtype."""
    weak = type(q) in (int, float)
    given = np.asarray(on_host(q, "q"))
    if given.dtype.kind not in "biuf":
        raise TypeError(f"q: numbers are wanted, not {given.dtype}")
    if not np.all((given >= 0) & (given <= most)):
        raise ValueError(message)
    shares = np.asarray(given if most == 1 else np.true_divide(given, most), np.float64)
    return shares, weak


def _quantile(a: Array, q: np.ndarray, weak: bool, axis: Any, out: Any, method: str, keepdims: bool,
              weights: Any, threads: Any, device: Any, skip: bool) -> Any:
    if not isinstance(method, str) or method not in _METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join(_METHODS)}")
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if q.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    rows = _Rows(a, axis, device, threads)
    shape = rows.kept if keepdims else rows.shape
    if not rows.length and not skip:
        raise ValueError("a: there is no element, of which a quantile takes at least one")
    if not rows.on_host:
        if q.ndim:
            raise ValueError("q: on a device one share is wanted, a number; ask for each")
        if weights is not None:
            return rows.x.give(weighted_there(rows, q.reshape(-1), weights, skip, shape))
        return rows.x.give(rows.quantiles(q.reshape(-1), method, skip, shape=shape))
    flat, dtype = np.ascontiguousarray(q.reshape(-1)), rows.dtype
    elements, narrow = method in _ELEMENTS, dtype.kind == "f" and dtype.itemsize < 8
    if weights is not None:
        found: Any = weighted(rows, flat, weights, axis, skip).astype(dtype)
    elif not rows.length or not rows.lines.results or not q.size:
        found = np.full((rows.lines.results, q.size), np.nan)
        if (elements or (narrow and weak)) and (dtype.kind == "f" or not found.size):
            found = found.astype(dtype)
    elif elements and dtype.kind in "iu" and dtype.itemsize == 8:
        found = _exact_integers(rows, flat, method)
    elif narrow and not elements and not skip:
        found = _of_elements(rows, flat, method, weak)
    else:
        found = _doubles(rows, flat, method, skip)
        if elements or (narrow and weak):
            found = found.astype(dtype)
    return deliver(rows.x, np.moveaxis(found, 0, 1).reshape(q.shape + shape), out,
                   aligned=False if q.ndim else None)


def _doubles(rows: _Rows, q: np.ndarray, method: str, skip: bool) -> Any:
    """Quantiles as the library has them; one row of nothing but NaN is NaN."""
    try:
        return rows.quantiles(q, method, skip)
    except ValueError:
        if not skip or rows.lines.rows is not None or not np.isnan(rows.x.host).all():
            raise
        warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=4)
        return np.full((1, q.size), np.nan)


@plain
def quantile(a: Array, q: Array, axis: Axis = None, out: Out = None, overwrite_input: bool = False,
             method: str = "linear", keepdims: bool = False, *, weights: Array | None = None,
             threads: int | None = None, device: str | None = None) -> Any:
    """The values below which given shares of the elements lie.

    Parameters
    ----------
    a : array_like
        Integers, bool, float16, bfloat16, float32, float64; nulls are skipped.
    q : float or array_like
        Shares, 0 to 1; on a device one.
    axis : int, tuple of int or None
        Along which; None takes all of it.
    out : numpy.ndarray, optional
        For arrays of the host.
    overwrite_input : bool
        Changes nothing: nothing is sorted.
    method : str
        NumPy's thirteen.
    keepdims : bool
    weights : array_like, optional
        As NumPy has them, with ``method="inverted_cdf"``; their sums are exact. On a device float32 or float64
        there, or an array of the host's, of the shape of `a`, or of one row along its last axis.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    number or array
        Of the shape of `q`, then what is left of that of `a`. In NumPy's dtype; of a device float64.

    Notes
    -----
    The bits are those of numpy.quantile. Beside an infinity, where NumPy has NaN, the result is that
    infinity, or the element itself at its own rank. Integers are interpolated in float64 and do not wrap.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.quantile([4, 1, 3, 2], 0.5)
    np.float64(2.5)
    >>> hd.quantile([[1.0, 2.0, 3.0], [4.0, 8.0, 6.0]], [0.5, 1.0], axis=1)
    array([[2., 6.],
           [3., 8.]])
    """
    shares, weak = _shares(q, 1, "Quantiles must be in the range [0, 1]")
    return _quantile(a, shares, weak, axis, out, method, keepdims, weights, threads, device, False)


@plain
def percentile(a: Array, q: Array, axis: Axis = None, out: Out = None, overwrite_input: bool = False,
               method: str = "linear", keepdims: bool = False, *, weights: Array | None = None,
               threads: int | None = None, device: str | None = None) -> Any:
    """The same with shares of 100.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights, threads, device
        As in `quantile`; `q` is 0 to 100.

    Returns
    -------
    number or array

    Examples
    --------
    >>> import heddle as hd
    >>> hd.percentile([4, 1, 3, 2], 50)
    np.float64(2.5)
    """
    shares, weak = _shares(q, 100, "Percentiles must be in the range [0, 100]")
    return _quantile(a, shares, weak, axis, out, method, keepdims, weights, threads, device, False)


def nanquantile(a: Array, q: Array, axis: Axis = None, out: Out = None, overwrite_input: bool = False,
                method: str = "linear", keepdims: bool = False, *, weights: Array | None = None,
                threads: int | None = None, device: str | None = None) -> Any:
    """`quantile` of what is not NaN.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights, threads, device
        As in `quantile`.

    Returns
    -------
    number or array
        NaN where there is nothing else. Of narrower floats it is interpolated in float64 and rounded once.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanquantile([4.0, float("nan"), 1.0, 2.0], 0.5)
    np.float64(2.0)
    """
    shares, weak = _shares(q, 1, "Quantiles must be in the range [0, 1]")
    return _quantile(a, shares, weak, axis, out, method, keepdims, weights, threads, device, True)


def nanpercentile(a: Array, q: Array, axis: Axis = None, out: Out = None,
                  overwrite_input: bool = False, method: str = "linear", keepdims: bool = False, *,
                  weights: Array | None = None, threads: int | None = None, device: str | None = None) -> Any:
    """`percentile` of what is not NaN.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights, threads, device
        As in `percentile`.

    Returns
    -------
    number or array
        As of `nanquantile`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanpercentile([4.0, float("nan"), 1.0, 2.0], 50)
    np.float64(2.0)
    """
    shares, weak = _shares(q, 100, "Percentiles must be in the range [0, 100]")
    return _quantile(a, shares, weak, axis, out, method, keepdims, weights, threads, device, True)


def _median(a: Array, axis: Any, out: Any, keepdims: bool, threads: Any, device: Any,
            skip: bool) -> Any:
    rows = _Rows(a, axis, device, threads)
    half = np.array([0.5])
    shape = rows.kept if keepdims else rows.shape
    if not rows.on_host:
        return rows.x.give(rows.quantiles(half, "linear", skip, shape=shape))
    dtype = rows.dtype if rows.dtype.kind == "f" else np.dtype(np.float64)
    if not rows.length or not rows.lines.results:
        if rows.lines.results:
            warnings.warn("Mean of empty slice.", RuntimeWarning, stacklevel=3)
        return deliver(rows.x, np.full(shape, np.nan, dtype), out)
    if skip and rows.dtype.kind == "f":
        sides = [_doubles(rows, half, method, True) for method in ("lower", "higher")]
        middle = np.concatenate(sides, axis=1).astype(rows.dtype)
        nan = np.isnan(middle[:, 0])
    else:
        last = rows.length - 1
        found = rows.nth(np.array([last // 2, rows.length // 2, last]))
        middle = found[:, :1] if rows.length % 2 else found[:, :2]
        nan = np.isnan(found[:, 2]) if rows.dtype.kind == "f" else None
    with np.errstate(invalid="ignore", over="ignore"):
        result = middle.mean(axis=1, dtype=None if rows.dtype.kind == "f" else np.float64)
    if nan is not None:
        result[nan] = np.nan
    return deliver(rows.x, result.astype(dtype).reshape(shape), out)


@plain
def median(a: Array, axis: Axis = None, out: Out = None, overwrite_input: bool = False,
           keepdims: bool = False, *, threads: int | None = None, device: str | None = None) -> Any:
    """The middle element, or the mean of the two in the middle.

    Parameters
    ----------
    a, axis, out, overwrite_input, keepdims, threads, device
        As in `quantile`.

    Returns
    -------
    number or array
        Of a float's own dtype, of integers float64; NaN where there is a NaN, or nothing.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.median([4, 1, 3, 2])
    np.float64(2.5)
    >>> hd.median([[1.0, 5.0, 2.0], [3.0, 4.0, 9.0]], axis=1)
    array([2., 4.])
    """
    return _median(a, axis, out, keepdims, threads, device, False)


def nanmedian(a: Array, axis: Axis = None, out: Out = None, overwrite_input: bool = False,
              keepdims: bool = False, *, threads: int | None = None, device: str | None = None) -> Any:
    """`median` of what is not NaN.

    Parameters
    ----------
    a, axis, out, overwrite_input, keepdims, threads, device
        As in `quantile`.

    Returns
    -------
    number or array

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanmedian([4.0, float("nan"), 1.0])
    np.float64(2.5)
    """
    return _median(a, axis, out, keepdims, threads, device, True)
