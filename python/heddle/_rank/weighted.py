"""Quantiles by weights, of arrays of the host, and of a device; of all rows by one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import on_host, operand
from .._axes import Lines, axes_of, empty, pointer_of
from .._native import QuantileOptions, byref, check, lib
from .._sort import argsort

_SHAPES = "Axis must be specified when shapes of a and weights differ."
_ALONG = "Shape of weights must be consistent with shape of a along specified axis."


def _options(skip: bool) -> QuantileOptions:
    return QuantileOptions(method=1, nan=n.NAN_SKIP if skip else n.NAN_PROPAGATE, weights_type=n.F64)


def _weights_of(weights: Any, rows: Any, axis: Any) -> np.ndarray:
    """A row's weights each, in rows' order, of shape (rows, length)."""
    x = rows.x
    w = np.asarray(on_host(weights, "weights"), np.float64)
    if w.shape == x.shape:
        order = Lines(operand(w), rows.axis)
        axes = axes_of(axis, w.ndim)
        moved = w.reshape(1, -1) if len(order.shape) == 0 else np.moveaxis(w, axes, range(-len(axes), 0))
        return np.ascontiguousarray(moved.reshape(rows.lines.results, rows.length))
    if axis is None:
        raise TypeError(_SHAPES)
    if w.shape != tuple(x.shape[i] for i in axes_of(axis, x.ndim)):
        raise ValueError(_ALONG)
    return np.ascontiguousarray(np.broadcast_to(w.reshape(-1), (rows.lines.results, rows.length)))


def weighted(rows: Any, q: np.ndarray, weights: Any, axis: Any, skip: bool) -> np.ndarray:
    """Of each row of an array of the host the quantiles q, of shape (rows, q)."""
    each = _weights_of(weights, rows, axis)
    if (each < 0).any():
        raise ValueError("Weights must be non-negative.")
    if not each.any(axis=1).all():
        raise ValueError("weights: the sum of weights is 0; a quantile takes a weight above 0")
    host = rows.x.host
    axes = axes_of(rows.axis, host.ndim)
    moved = host.reshape(1, -1) if rows.axis is None else np.moveaxis(host, axes, range(-len(axes), 0))
    moved = np.ascontiguousarray(moved.reshape(each.shape))
    if host.dtype.kind not in "iu" or host.dtype.itemsize < 8:
        return _found(rows, rows.type, moved, each, q, skip)
    order = argsort(moved, 1)  # a double does not hold the elements, but it does their ranks
    ranks = np.empty(moved.shape)
    np.put_along_axis(ranks, order, np.arange(moved.shape[1], dtype=np.float64)[None], 1)
    places = _found(rows, n.F64, ranks, each, q, skip).astype(np.intp)
    return np.take_along_axis(moved, np.take_along_axis(order, places, 1), 1)


def _found(rows: Any, number: int, moved: np.ndarray, each: np.ndarray, q: np.ndarray,
           skip: bool) -> np.ndarray:
    """The same of rows of elements of the library's type `number`, with a row's weights each."""
    result = np.empty((len(each), q.size))
    options = _options(skip)
    options.weights = pointer_of(each)
    if len(each) == 1:
        check(lib.heddle_quantiles(rows.ctx.handle, number, pointer_of(moved), moved.size, pointer_of(q),
                                   q.size, pointer_of(result), byref(options)))
    elif moved.size:
        check(lib.heddle_quantiles_rows(rows.ctx.handle, number, pointer_of(moved),
                                        byref(n.Rows.along(1, moved.shape, None)), pointer_of(q), q.size,
                                        pointer_of(result), byref(options)))
    return result


# ---- on a device --------------------------------------------------------------------------------


def _weights_there(rows: Any, weights: Any) -> Any:
    """An operand of float32 or float64, on the device of rows or on the host."""
    w = operand(weights, "weights")
    if w.device_array is None:
        return operand(np.ascontiguousarray(weights, np.float64), "weights")
    rows.x.join(w, "weights")
    if w.is_bfloat16 or w.type not in (n.F32, n.F64):
        raise TypeError(f"weights: on a device they are float32 or float64, not {w.dtype}")
    if w.device_array.strides is not None:
        raise ValueError("weights: on a device they lie in C order")
    return w


def weighted_there(rows: Any, q: np.ndarray, weights: Any, skip: bool, shape: tuple[int, ...]) -> Any:
    """Of each row of an array of a device the quantile q, of shape `shape`, there.

    What is wrong with weights is told by whatever waits for the device, as of other functions; rows whose
    weights are 0, each with its own, have NaN.
    """
    x, lines = rows.x, rows.lines
    axes = axes_of(rows.axis, x.ndim)
    if lines.rows is not None and (x.device_array.strides is not None or len(axes) > 1):
        raise ValueError("weights: on a device they are of arrays in C order, along one axis or all of it")
    w = _weights_there(rows, weights)
    if w.shape not in (x.shape, (rows.length,)):
        raise ValueError(_ALONG) if lines.rows is not None else TypeError(_SHAPES)
    result = empty(x, rows.ctx, shape, np.float64)
    options = _options(skip)
    options.weights_type = w.type
    at, row = pointer_of(w.array), rows.length * x.dtype.itemsize
    if lines.rows is not None and w.shape == x.shape:
        options.weights = at
        check(lib.heddle_quantiles_rows(rows.ctx.handle, rows.type, lines.pointer, byref(lines.rows),
                                        pointer_of(q), 1, pointer_of(result), byref(options)))
        return result
    if lines.rows is not None and axes != (x.ndim - 1,):
        raise ValueError("weights: on a device those of one row are along the last axis")
    for r in range(lines.results):
        options.weights = at
        check(lib.heddle_quantiles(rows.ctx.handle, rows.type, lines.pointer + r * row, rows.length,
                                   pointer_of(q), 1, pointer_of(result) + 8 * r, byref(options)))
    return result
