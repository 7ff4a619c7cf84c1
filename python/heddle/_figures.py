"""Figures that follow from others: average, ptp, minmax, count_nonzero."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _calls, _float_errors
from . import _native as n
from ._arrays.operand import Operand, operand
from ._axes import Lines, axes_of, context_of, deliver
from ._fold import NOTHING, fold
from ._moments import mean
from ._native import Options
from ._nulls import numbers
from ._plain import plain
from ._reduce import max, min, sum
from ._typing import Array, Axis, Out

__all__ = ["average", "count_nonzero", "minmax", "ptp"]


def _weights(x: Operand, axis: Any, weights: Any) -> Operand:
    """Weights of the shape of x; those of one dimension are of the elements along an axis."""
    w = operand(weights, "weights")
    if x.host is None or w.host is None:
        raise TypeError("weights: an average with weights is of arrays of the host")
    if w.shape == x.shape:
        return w
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes_of(axis, x.ndim)  # which names what is wrong with it
    axes = tuple(i % x.ndim for i in (axis if isinstance(axis, tuple) else (axis,)))
    if w.shape != tuple(x.shape[i] for i in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified "
                         "axis.")
    order = np.argsort(axes)  # the dimensions of weights are in the order of `axis`
    shape = [x.shape[i] if i in axes else 1 for i in range(x.ndim)]
    made = w.replaced(np.broadcast_to(numbers(w).transpose(order).reshape(shape), x.shape))
    if w.valid is not None:
        made.valid = np.broadcast_to(w.valid.transpose(order).reshape(shape), x.shape)
    return made


def _counts(x: Operand, axis: Any, keepdims: bool, means: Any) -> Any:
    """How many elements each mean is of, as one of them."""
    if x.valid is None:
        return np.full_like(means, x.size // (np.size(means) or 1))[()]
    counts = np.asarray(np.sum(x.valid, axis=axis, keepdims=keepdims))
    return deliver(x, counts.astype(np.asarray(means).dtype), None)


@plain
def average(a: Array, axis: Axis = None, weights: Array | None = None, returned: bool = False, *,
            keepdims: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The weighted mean, over all axes or some.

    Parameters
    ----------
    a, axis, keepdims, threads, device
        As in `heddle.sum`.
    weights : array_like, optional
        Of the shape of a, or of the shape of the axes that are folded; without them it is `mean`.
    returned : bool
        Whether the sums of the weights are given, too: (average, sums).

    Returns
    -------
    scalar or array
        float64 for integers, else of the dtype that NumPy promotes a and weights to.

    Raises
    ------
    ZeroDivisionError
        For weights whose sum is 0.
    TypeError, ValueError
        For weights of another shape; for device arrays with weights; as `heddle.sum`.

    Notes
    -----
    Products are rounded to float64 and added there, in order v1. What is null in either array
    counts in neither sum.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.average([1.0, 2.0, 4.0], weights=[1, 1, 2])
    np.float64(2.75)
    >>> hd.average([[1.0, 2.0], [3.0, 4.0]], axis=1, weights=[3, 1], returned=True)
    (array([1.25, 3.25]), array([4., 4.]))
    """
    if weights is None:
        found = mean(a, axis, keepdims=keepdims, threads=threads, device=device)
        if not returned:
            return found
        return found, _counts(operand(a), axis, keepdims, found)
    x = operand(a)
    w = _weights(x, axis, weights)
    values, weighing = numbers(x), numbers(w)
    wanted = np.result_type(values.dtype, weighing.dtype,
                            *(["f8"] if values.dtype.kind in "biu" else []))
    nulls = [z.valid for z in (x, w) if z.valid is not None]
    if nulls:
        both = np.logical_and.reduce(nulls)
        values, weighing = np.where(both, values, 0), np.where(both, weighing, 0)
    common = wanted if wanted.kind == "f" else np.dtype(np.float64)
    values, weighing = (np.ascontiguousarray(z, common) for z in (values, weighing))
    made = x.replaced(values)
    ctx = context_of(made, device, threads)
    left, right = Lines(made, axis), Lines(made.replaced(weighing), axis)
    total = np.empty(left.kept if keepdims else left.shape, np.float64)
    _calls.dot(ctx, left, right, total, Options(out_type=n.F64, acc_type=n.F64))
    scale = np.asarray(fold(n.SUM, weighing, axis, np.float64, None, keepdims, NOTHING, True, False,
                            threads, device))
    if (scale == 0).any():
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    with np.errstate(over="ignore", invalid="ignore"):  # which _float_errors reports
        averages = np.asarray(total / scale).astype(wanted)
    _float_errors.check(ctx, (left, right), averages)
    found = deliver(x, averages, None)
    return (found, deliver(x, scale.astype(wanted), None)) if returned else found


def minmax(a: Array, axis: Axis = None, *, keepdims: bool = False, skipna: bool = False,
           threads: int | None = None, device: str | None = None) -> tuple[Any, Any]:
    """The least and the greatest element, as a pair; parameters and errors as in `heddle.min`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.minmax([3, 1, 2])
    (np.int64(1), np.int64(3))
    """
    return (min(a, axis, keepdims=keepdims, skipna=skipna, threads=threads, device=device),
            max(a, axis, keepdims=keepdims, skipna=skipna, threads=threads, device=device))


@plain
def ptp(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False, *,
        skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The greatest element minus the least ("peak to peak"); parameters and errors as in `min`.

    Of the elements' dtype, in which the difference of integers may wrap, as in NumPy.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.ptp([3, 1, 5])
    np.int64(4)
    """
    x = operand(a)
    if x.host is None:
        raise TypeError("a: ptp is for arrays of the host; see minmax")
    if x.dtype.kind == "b":
        raise TypeError("a: a difference of bools is not defined; see minmax")
    more: dict[str, Any] = {"keepdims": keepdims, "skipna": skipna, "threads": threads, "device": device}
    low, high = min(a, axis, **more), max(a, axis, **more)
    with np.errstate(invalid="ignore", over="ignore"):
        if isinstance(low, np.ma.MaskedArray):
            return np.ma.subtract(high, low)
        return deliver(x, np.asarray(np.asarray(high) - np.asarray(low)), out)


@plain
def count_nonzero(a: Array, axis: Axis = None, *, keepdims: bool = False,
                  threads: int | None = None, device: str | None = None) -> Any:
    """How many elements are not zero; NaN are not. Parameters as in `heddle.sum`.

    Raises
    ------
    TypeError
        For device arrays, unless they are of bools; as `heddle.sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.count_nonzero([[0, 3], [4, 5]], axis=0)
    array([1, 2])
    """
    x = operand(a)
    if x.dtype.kind == "b":
        return sum(a, axis, np.intp, keepdims=keepdims, threads=threads, device=device)
    if x.host is None:
        raise TypeError("a: count_nonzero of a device array is for bools; compare it with 0")
    found = np.not_equal(x.host & np.uint16(0x7FFF) if x.is_bfloat16 else x.host, 0)
    if x.valid is not None:
        found &= x.valid
    counts = sum(found, axis, np.intp, keepdims=keepdims, threads=threads, device=device)
    return deliver(x, np.asarray(counts), None)
