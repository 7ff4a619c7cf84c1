"""Other running totals: the array API's cumulative_sum and cumulative_prod, and exclusive scans."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native as n
from ._arrays.operand import operand
from ._axes import one_axis
from ._fold import NOTHING
from ._plain import plain
from ._scan import cumprod, cumsum, scanned
from ._typing import Array, Axis, DType, Out, Scalar

__all__ = ["cumulative_prod", "cumulative_sum", "exclusive_max", "exclusive_min", "exclusive_prod",
           "exclusive_sum"]
_SMALL = 1 << 12  # elements that are copied faster than a call in full is made


def _cumulative(running: Any, first: int, x: Any, axis: Any, dtype: Any, out: Any,
                include_initial: bool, skipna: bool, threads: int | None,
                device: str | None) -> Any:
    taken = operand(x, "x")
    shape = taken.shape
    if not shape:  # a number is taken for a line of one element, as NumPy has it
        x, shape = np.asarray(x).reshape(1), (1,)
        taken = operand(x, "x")
    if axis is None and len(shape) > 1:
        raise ValueError(f"axis: it is needed for an array of {len(shape)} dimensions")
    more = {"skipna": skipna, "threads": threads, "device": device}
    if not include_initial:
        return running(x, 0 if axis is None else axis, dtype, out, **more)
    where = one_axis(0 if axis is None else axis, len(shape))
    if taken.host is None:
        raise TypeError("include_initial: it is for arrays of the host")
    if taken.valid is not None and not taken.valid.all():
        raise ValueError("x: an array with nulls has running totals without include_initial only")
    longer = shape[:where] + (shape[where] + 1,) + shape[where + 1:]
    is_line = len(shape) == 1
    if where == 0 and out is None and not taken.is_bfloat16 and (is_line or taken.size > _SMALL):
        wanted = n.TOTALS[taken.dtype] if dtype is None else \
            running(taken.host[:0], 0, dtype).dtype
        result = np.empty(longer, wanted)  # totals are written where they are to be
        result[0] = first
        running(x, None if is_line else 0, dtype, result[1:], **more)
        return taken.give(result)
    totals = np.asarray(running(x, where, dtype, None, **more))
    result = np.empty(longer, totals.dtype) if out is None else out
    if not isinstance(result, np.ndarray) or result.shape != longer:
        raise ValueError(f"out: a numpy.ndarray of shape {longer} is wanted")
    before = (slice(None),) * where
    result[(*before, 0)] = first
    result[(*before, slice(1, None))] = totals
    return taken.give(result) if out is None else out


@plain
def cumulative_sum(x: Array, /, *, axis: Axis = None, dtype: DType = None, out: Out = None,
                   include_initial: bool = False, skipna: bool = False,
                   threads: int | None = None, device: str | None = None) -> Any:
    """Running sums under the array API's name and arguments.

    Parameters
    ----------
    x : array_like
        As `a` of `heddle.cumsum`.
    axis : int, optional
        Along which; needed for arrays of several dimensions.
    dtype, out, skipna, threads, device
        As in `heddle.cumsum`.
    include_initial : bool
        Whether 0 comes first, so that the result is longer by one along the axis; for arrays of
        the host.

    Raises
    ------
    ValueError
        For an axis that is needed or is none, or an `out` of another shape.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.cumulative_sum([1, 2, 3], include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative(cumsum, 0, x, axis, dtype, out, include_initial, skipna, threads, device)


@plain
def cumulative_prod(x: Array, /, *, axis: Axis = None, dtype: DType = None, out: Out = None,
                    include_initial: bool = False, skipna: bool = False,
                    threads: int | None = None, device: str | None = None) -> Any:
    """Running products under the array API's name; parameters and errors as in `cumulative_sum`.

    With `include_initial` 1 comes first.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.cumulative_prod([2.0, 3.0], include_initial=True)
    array([1., 2., 6.])
    """
    return _cumulative(cumprod, 1, x, axis, dtype, out, include_initial, skipna, threads, device)


def exclusive_sum(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, *,
                  initial: Scalar = NOTHING, skipna: bool = False, threads: int | None = None,
                  device: str | None = None) -> Any:
    """Running sums before each element: element i is `initial` and elements 0 to i - 1.

    Parameters
    ----------
    a, axis, dtype, out, skipna, threads, device
        As in `heddle.cumsum`.
    initial : scalar, optional
        The first element of each result; 0 without it.

    Returns
    -------
    array
        Of the shape of `heddle.cumsum`'s: the total of all elements is not in it.

    Raises
    ------
    TypeError, ValueError
        As `heddle.cumsum`; for an `initial` that is not one number of the result's dtype.

    Notes
    -----
    Order v1: element i has the bits of ``heddle.sum(a[:i], initial=initial)``.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.exclusive_sum([3, 1, 4])
    array([0, 3, 4])
    >>> hd.exclusive_sum([3, 1, 4], initial=10)
    array([10, 13, 14])
    """
    return scanned(n.SUM, a, axis, dtype, out, skipna, threads, device, n.EXCLUSIVE, initial)


def exclusive_prod(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, *,
                   initial: Scalar = NOTHING, skipna: bool = False, threads: int | None = None,
                   device: str | None = None) -> Any:
    """Running products before each element; parameters as in `exclusive_sum`, from 1 on.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.exclusive_prod([3.0, 2.0, 4.0])
    array([1., 3., 6.])
    """
    return scanned(n.PROD, a, axis, dtype, out, skipna, threads, device, n.EXCLUSIVE, initial)


def exclusive_min(a: Array, axis: Axis = 0, dtype: DType = None, out: Out = None, *,
                  initial: Scalar = NOTHING, skipna: bool = False, threads: int | None = None,
                  device: str | None = None) -> Any:
    """Running minima before each element, along axis 0 by default.

    Parameters as in `exclusive_sum`. Without `initial` the first is infinity, or the greatest
    number of integers.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.exclusive_min([3.0, 1.0, 2.0])
    array([inf,  3.,  1.])
    """
    return scanned(n.MIN, a, axis, dtype, out, skipna, threads, device, n.EXCLUSIVE, initial)


def exclusive_max(a: Array, axis: Axis = 0, dtype: DType = None, out: Out = None, *,
                  initial: Scalar = NOTHING, skipna: bool = False, threads: int | None = None,
                  device: str | None = None) -> Any:
    """Running maxima before each element; parameters as in `exclusive_min`.

    Without `initial` the first is -infinity, or the least number of integers.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.exclusive_max([3, 1, 5], initial=0)
    array([0, 3, 3])
    """
    return scanned(n.MAX, a, axis, dtype, out, skipna, threads, device, n.EXCLUSIVE, initial)
