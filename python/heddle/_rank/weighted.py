"""Quantiles by weights, a call of the library a row: of arrays of the host, and of a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import operand
from .._axes import Lines, axes_of, empty, pointer_of
from .._native import QuantileOptions, byref, check, lib

_SHAPES = "Axis must be specified when shapes of a and weights differ."
_ALONG = "Shape of weights must be consistent with shape of a along specified axis."


def _options(skip: bool) -> QuantileOptions:
    return QuantileOptions(method=1, nan=n.NAN_SKIP if skip else n.NAN_PROPAGATE, weights_type=n.F64)


def _weights_of(weights: Any, rows: Any, axis: Any) -> list[np.ndarray]:
    """A row's weights each, in rows' order."""
    x = rows.x
    w = np.asanyarray(weights, np.float64)
    if w.shape == x.shape:
        order = Lines(operand(w), rows.axis)
        axes = axes_of(axis, w.ndim)
        moved = w.reshape(1, -1) if len(order.shape) == 0 else np.moveaxis(w, axes, range(-len(axes), 0))
        return list(np.ascontiguousarray(moved.reshape(-1, rows.length)))
    if axis is None:
        raise TypeError(_SHAPES)
    if w.shape != tuple(x.shape[i] for i in axes_of(axis, x.ndim)):
        raise ValueError(_ALONG)
    return [np.ascontiguousarray(w.reshape(-1))] * rows.lines.results


def weighted(rows: Any, q: np.ndarray, weights: Any, axis: Any, skip: bool) -> np.ndarray:
    """Of each row of an array of the host the quantiles q, of shape (rows, q)."""
    each = _weights_of(weights, rows, axis)
    if any((w < 0).any() for w in each):
        raise ValueError("Weights must be non-negative.")
    host = rows.x.host
    axes = axes_of(rows.axis, host.ndim)
    moved = host.reshape(1, -1) if rows.axis is None else np.moveaxis(host, axes, range(-len(axes), 0))
    moved = np.ascontiguousarray(moved.reshape(-1, rows.length))
    result = np.empty((len(each), q.size))
    options = _options(skip)
    for row, w, out in zip(moved, each, result):
        options.weights = pointer_of(w)
        check(lib.heddle_quantiles(rows.ctx.handle, rows.type, pointer_of(row), row.size, pointer_of(q),
                                   q.size, pointer_of(out), byref(options)))
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

    What is wrong with weights is told by whatever waits for the device, as of other functions.
    """
    x, lines = rows.x, rows.lines
    last = axes_of(rows.axis, x.ndim) == (x.ndim - 1,)
    if lines.rows is not None and (x.device_array.strides is not None or not last):
        raise ValueError("weights: on a device they are along all of an array, or the last axis, in C order")
    w = _weights_there(rows, weights)
    if w.shape not in (x.shape, (rows.length,)):
        raise ValueError(_ALONG) if lines.rows is not None else TypeError(_SHAPES)
    step = rows.length * w.dtype.itemsize if w.shape == x.shape else 0
    result = empty(x, rows.ctx, shape, np.float64)
    options = _options(skip)
    options.weights_type = w.type
    at, row = pointer_of(w.array), rows.length * x.dtype.itemsize
    for r in range(lines.results):
        options.weights = at + r * step
        check(lib.heddle_quantiles(rows.ctx.handle, rows.type, lines.pointer + r * row, rows.length,
                                   pointer_of(q), 1, pointer_of(result) + 8 * r, byref(options)))
    return result
