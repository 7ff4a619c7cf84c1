"""The functions of NumPy's names that leave out NaN: nansum(a) is sum(a, skipna=True), and so on.

Where NumPy's differ from the others for rows of nothing but NaN (a warning and NaN, not an error),
so do these.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _native as n
from ._arrays.operand import operand
from ._axes import deliver
from ._float_errors import callers_level
from ._fold import NOTHING, fold
from ._moments import describe, mean, std, var
from ._plain import plain
from ._reduce import argmax, argmin, prod, sum
from ._scan import cumprod, cumsum
from ._typing import Array, Axis, DType, Out, Scalar

__all__ = ["nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin",
           "nanprod", "nanstd", "nansum", "nanvar"]


@plain
def nansum(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None,
           keepdims: bool = False, initial: Scalar = NOTHING, where: Array = True, *,
           threads: int | None = None, device: str | None = None) -> Any:
    """The sum of the elements that are not NaN; parameters, errors and order as in `heddle.sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nansum([1.0, float("nan"), 2.5])
    np.float64(3.5)
    """
    return sum(a, axis, dtype, out, keepdims, initial, where, skipna=True, threads=threads,
               device=device)


@plain
def nanprod(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None,
            keepdims: bool = False, initial: Scalar = NOTHING, where: Array = True, *,
            threads: int | None = None, device: str | None = None) -> Any:
    """The product of the elements that are not NaN; parameters and errors as in `heddle.prod`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanprod([[2.0, float("nan")], [3.0, 4.0]], axis=0)
    array([6., 4.])
    """
    return prod(a, axis, dtype, out, keepdims, initial, where, skipna=True, threads=threads,
                device=device)


def _nothing_but_nan(a: Any, axis: Any, keepdims: bool) -> tuple[np.ndarray, bool]:
    """Which rows have no number, and whether one has no element."""
    figures = describe(a, axis, skipna=True)
    count, nan = np.asarray(figures.count), np.asarray(figures.nan)
    found = count == nan
    if keepdims:
        x = operand(a)
        axes = range(x.ndim) if axis is None else axis
        found = np.expand_dims(found, tuple(axes) if isinstance(axes, (tuple, range)) else axes)
    return found, bool(np.any(count == 0))


def _extreme(op: int, a: Any, axis: Any, out: Any, keepdims: bool, initial: Any, where: Any,
             threads: int | None, device: str | None) -> Any:
    try:
        return fold(op, a, axis, None, out, keepdims, initial, where, True, threads, device)
    except ValueError:  # rows of nothing but NaN, or another error
        x = operand(a)
        if initial is not NOTHING or where is not True or x.host is None or not x.size \
                or x.type not in n.FLOATS:
            raise
        nothing, is_empty = _nothing_but_nan(a, axis, keepdims)
        if is_empty or not nothing.any():
            raise
    far = np.inf if op == n.MIN else -np.inf
    found = np.asarray(fold(op, a, axis, None, None, keepdims, far, True, True, threads, device))
    warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=callers_level())
    return deliver(x, np.where(nothing, found.dtype.type(np.nan), found), out)


@plain
def nanmin(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False,
           initial: Scalar = NOTHING, where: Array = True, *, threads: int | None = None,
           device: str | None = None) -> Any:
    """The least of the elements that are not NaN; parameters as in `heddle.min`.

    Raises
    ------
    ValueError
        For no elements without `initial`; for device arrays of nothing but NaN.

    Warns
    -----
    RuntimeWarning
        For nothing but NaN; the result is NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanmin([3.0, float("nan"), 2.0])
    np.float64(2.0)
    """
    return _extreme(n.MIN, a, axis, out, keepdims, initial, where, threads, device)


@plain
def nanmax(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False,
           initial: Scalar = NOTHING, where: Array = True, *, threads: int | None = None,
           device: str | None = None) -> Any:
    """The greatest of the elements that are not NaN; parameters, errors, warnings as in `nanmin`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanmax([[3.0, float("nan")], [2.0, 7.0]], axis=1)
    array([3., 7.])
    """
    return _extreme(n.MAX, a, axis, out, keepdims, initial, where, threads, device)


@plain
def nanargmin(a: Array, axis: Axis = None, out: Out = None, *, keepdims: bool = False,
              threads: int | None = None, device: str | None = None) -> Any:
    """The lowest index of the least of the elements that are not NaN; parameters as in `argmin`.

    Raises
    ------
    ValueError
        For no elements, or nothing but NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanargmin([float("nan"), 3.0, 2.0])
    np.int64(2)
    """
    return argmin(a, axis, out, keepdims=keepdims, skipna=True, threads=threads, device=device)


@plain
def nanargmax(a: Array, axis: Axis = None, out: Out = None, *, keepdims: bool = False,
              threads: int | None = None, device: str | None = None) -> Any:
    """The lowest index of the greatest of the elements that are not NaN.

    Parameters and errors as in `nanargmin`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanargmax([float("nan"), 3.0, 2.0])
    np.int64(1)
    """
    return argmax(a, axis, out, keepdims=keepdims, skipna=True, threads=threads, device=device)


@plain
def nanmean(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None,
            keepdims: bool = False, *, where: Array = True, threads: int | None = None,
            device: str | None = None) -> Any:
    """The mean of the elements that are not NaN; parameters and dtypes as in `heddle.mean`.

    Warns
    -----
    RuntimeWarning
        For no elements, or nothing but NaN; the result is NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanmean([1.0, float("nan"), 2.0])
    np.float64(1.5)
    """
    found = mean(a, axis, dtype, out, keepdims, where=where, skipna=True, threads=threads,
                 device=device)
    if where is True and isinstance(found, (np.ndarray, np.generic)) and found.dtype.kind == "f" \
            and np.isnan(found).any():
        nothing, is_empty = _nothing_but_nan(a, axis, keepdims)
        if nothing.any() and not is_empty:  # of which `mean` has warned
            warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=callers_level())
    return found


@plain
def nanvar(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, ddof: float = 0,
           keepdims: bool = False, *, where: Array = True, correction: float | None = None,
           threads: int | None = None, device: str | None = None) -> Any:
    """The variance of the elements that are not NaN; parameters and warnings as in `heddle.var`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanvar([1.0, float("nan"), 3.0])
    np.float64(1.0)
    """
    return var(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction,
               skipna=True, threads=threads, device=device)


@plain
def nanstd(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, ddof: float = 0,
           keepdims: bool = False, *, where: Array = True, correction: float | None = None,
           threads: int | None = None, device: str | None = None) -> Any:
    """The standard deviation of the elements that are not NaN; parameters as in `heddle.std`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nanstd([1.0, float("nan"), 3.0])
    np.float64(1.0)
    """
    return std(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction,
               skipna=True, threads=threads, device=device)


@plain
def nancumsum(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, *,
              threads: int | None = None, device: str | None = None) -> Any:
    """Running sums in which NaN count as 0; parameters and order as in `heddle.cumsum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nancumsum([1.0, float("nan"), 2.0])
    array([1., 1., 3.])
    """
    return cumsum(a, axis, dtype, out, skipna=True, threads=threads, device=device)


@plain
def nancumprod(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, *,
               threads: int | None = None, device: str | None = None) -> Any:
    """Running products in which NaN count as 1; parameters as in `heddle.cumprod`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.nancumprod([2.0, float("nan"), 3.0])
    array([2., 2., 6.])
    """
    return cumprod(a, axis, dtype, out, skipna=True, threads=threads, device=device)
