"""NumPy's ufunc.reduceat as functions: add_reduceat(a, indices) is numpy.add.reduceat's result.

Rising indices are the offsets of segments (_segments.py), so that nothing is copied. With others,
whose pieces overlap, the pieces are laid one behind the other first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native as n
from ._arrays.operand import on_host, operand
from ._float_errors import REDUCEAT
from ._axes import one_axis
from ._fold import NOTHING
from ._plain import plain
from ._segments import folded
from ._typing import Array, DType

__all__ = ["add_reduceat", "logical_and_reduceat", "logical_or_reduceat", "maximum_reduceat",
           "minimum_reduceat", "multiply_reduceat"]


def _reduceat(op: int, name: str, a: Any, indices: Any, axis: int, dtype: Any,
              threads: int | None, device: str | None) -> Any:
    x = operand(a)
    if x.ndim != 1 or one_axis(axis, x.ndim):
        raise ValueError(f"a: reduceat is for one dimension, not for axis {axis} of shape "
                         f"{x.shape}")
    starts = np.asarray(on_host(indices, "indices"))
    if starts.ndim != 1 or starts.dtype.kind not in "iu":
        raise TypeError("indices: integers in one dimension are wanted, not "
                        f"{starts.dtype} of shape {starts.shape}")
    starts = starts.astype(np.intp)
    outside = (starts < 0) | (starts >= x.size)
    if outside.any():
        raise IndexError(f"index {starts[outside][0]} out-of-bounds in {name}.reduceat "
                         f"[0, {x.size})")
    ends = np.append(starts[1:], x.size)
    if not starts.size or (starts < ends).all():
        offsets = np.append(starts, x.size)
        return folded(op, name, a, offsets, dtype, NOTHING, False, threads, device, REDUCEAT)
    if x.host is None or x.valid is not None:
        raise ValueError("indices: they have to rise for device arrays and for arrays with nulls")
    lengths = np.maximum(ends - starts, 1)  # an index that does not rise stands for its element
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    where = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    pieces = x.chosen(where)
    pieces.library = ""
    found = folded(op, name, pieces, offsets, dtype, NOTHING, False, threads, device, REDUCEAT)
    return x.give(found, False)


@plain
def add_reduceat(a: Array, indices: Array, axis: int = 0, dtype: DType = None, *,
                 threads: int | None = None, device: str | None = None) -> Any:
    """The sums of a[indices[i]:indices[i + 1]], as ``numpy.add.reduceat``.

    Parameters
    ----------
    a : array_like
        One dimension; elements as in `heddle.sum`.
    indices : array_like of int
        Where pieces begin; the last one ends with the array. Where the next index is not greater,
        the piece is the one element a[indices[i]].
    axis : int
        0, the only one.
    dtype, threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        One result an index, of the caller's kind.

    Raises
    ------
    IndexError
        For an index outside of the array.
    TypeError, ValueError
        For indices that are no integers; for several dimensions; as `heddle.sum`.

    Notes
    -----
    Order v1, each piece alone. Indices that rise cost no copy.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.add_reduceat([0, 1, 2, 3, 4, 5, 6, 7], [0, 4, 1, 5, 2, 6, 3, 7])[::2]
    array([ 6, 10, 14, 18])
    """
    return _reduceat(n.SUM, "add", a, indices, axis, dtype, threads, device)


@plain
def multiply_reduceat(a: Array, indices: Array, axis: int = 0, dtype: DType = None, *,
                      threads: int | None = None, device: str | None = None) -> Any:
    """The products of pieces, as ``numpy.multiply.reduceat``; parameters as in `add_reduceat`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.multiply_reduceat([2.0, 3.0, 4.0], [0, 2])
    array([6., 4.])
    """
    return _reduceat(n.PROD, "multiply", a, indices, axis, dtype, threads, device)


@plain
def minimum_reduceat(a: Array, indices: Array, axis: int = 0, *, threads: int | None = None,
                     device: str | None = None) -> Any:
    """The least elements of pieces, as ``numpy.minimum.reduceat``; parameters as in `add_reduceat`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.minimum_reduceat([5, 3, 8, 1], [0, 2])
    array([3, 1])
    """
    return _reduceat(n.MIN, "minimum", a, indices, axis, None, threads, device)


@plain
def maximum_reduceat(a: Array, indices: Array, axis: int = 0, *, threads: int | None = None,
                     device: str | None = None) -> Any:
    """The greatest elements of pieces, as ``numpy.maximum.reduceat``; parameters as `add_reduceat`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.maximum_reduceat([5, 3, 8, 1], [0, 2])
    array([5, 8])
    """
    return _reduceat(n.MAX, "maximum", a, indices, axis, None, threads, device)


@plain
def logical_or_reduceat(a: Array, indices: Array, axis: int = 0, *, threads: int | None = None,
                        device: str | None = None) -> Any:
    """Whether any element of a piece is not zero; parameters as in `add_reduceat`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.logical_or_reduceat([0, 0, 1], [0, 2])
    array([False,  True])
    """
    return _reduceat(n.ANY, "logical_or", a, indices, axis, None, threads, device)


@plain
def logical_and_reduceat(a: Array, indices: Array, axis: int = 0, *, threads: int | None = None,
                         device: str | None = None) -> Any:
    """Whether every element of a piece is not zero; parameters as in `add_reduceat`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.logical_and_reduceat([1, 0, 1], [0, 2])
    array([False,  True])
    """
    return _reduceat(n.ALL, "logical_and", a, indices, axis, None, threads, device)
