"""The first elements of the sorted array: topk, kthvalue, partition, argpartition."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.kinds import widened
from .._arrays.operand import Operand, on_host, operand
from .._axes import Lines, context_of, empty, one_axis, pointer_of, whole
from .._native import SortOptions, byref, check, lib
from .._sort import argsort, sort
from .._plain import plain
from .._typing import Array, Axis
from .around import LEAST, around

__all__ = ["argpartition", "kthvalue", "partition", "topk"]

_PART = 8  # of an array, beyond which all of it is sorted


def _first(a: Array, k: int, axis: Any, largest: bool, nan_first: bool, threads: Any,
           device: Any, name: str = "x") -> tuple[Operand, Any, Any]:
    """The first k in order along an axis, and their positions, with the axis at the end of its shape."""
    x = operand(a, name)
    if x.valid is not None and not x.valid.all():
        raise ValueError(f"{name}: nulls have no order; drop or fill them")
    axis = one_axis(axis, x.ndim)
    ctx = context_of(x, device, threads)
    lines = Lines(x, axis)
    if lines.parts is not None:  # a long line of fields of records
        x = x.in_c_order()
        lines = Lines(x, axis)
    if not 0 <= k <= lines.length:
        raise ValueError(f"k: {k} of {lines.length} elements are wanted")
    shape = (*lines.shape, k)
    values, index = empty(x, ctx, shape, x.dtype), empty(x, ctx, shape, np.int64)
    options = byref(SortOptions(descending=largest, nan_first=nan_first))
    if lines.rows is None:
        check(lib.heddle_partial_sort(ctx.handle, lines.type, lines.pointer, lines.count, k,
                                      pointer_of(values), n.U64, pointer_of(index), options))
    elif lines.results:
        check(lib.heddle_partial_sort_rows(ctx.handle, lines.type, lines.pointer, byref(lines.rows), k,
                                           pointer_of(values), n.U64, pointer_of(index), options))
    if x.is_bfloat16:
        values = widened(x, values) if x.host is None else \
            (values.astype(np.uint32) << 16).view(np.float32)
    return x, values, index


def _placed(x: Operand, values: Any, axis: Any) -> Any:
    """Results of rows with their axis where the array has it."""
    if x.host is None:
        return x.give(values)
    return x.give(np.moveaxis(values, -1, one_axis(axis, x.ndim)), False)


@plain
def topk(x: Array, k: int, largest: bool = True, axis: Axis = -1, *, threads: int | None = None,
         device: str | None = None) -> tuple[Any, Any]:
    """The greatest elements, or the least, in order, and where they are.

    Parameters
    ----------
    x : array_like
        As `a` of `heddle.sort`, without nulls.
    k : int
        How many.
    largest : bool
        The greatest, from the greatest on; else the least, from the least on.
    axis : int
        Along which; on a device the last.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    values, indices : array
        Of the shape of `x` but for k along the axis; of equal elements the first. NaN count as the greatest.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.topk([3, 9, 1, 9, 5], 3)
    (array([9, 9, 5]), array([1, 3, 4]))
    >>> hd.topk([3, 9, 1, 9, 5], 2, largest=False)
    (array([1, 3]), array([2, 0]))
    """
    found, values, index = _first(x, whole(k, "k"), axis, bool(largest), bool(largest), threads, device)
    _last_on_device(found, axis)
    return _placed(found, values, axis), _placed(found, index, axis)


def _last_on_device(x: Operand, axis: Any) -> None:
    if x.host is None and one_axis(axis, x.ndim) != x.ndim - 1:
        raise ValueError("axis: on a device the last one is wanted; move it there")


@plain
def kthvalue(x: Array, k: int, axis: Axis = -1, keepdims: bool = False, *,
             threads: int | None = None, device: str | None = None) -> tuple[Any, Any]:
    """The k-th least element, from 1 on, and where it is.

    Parameters
    ----------
    x, axis, threads, device
        As in `topk`; arrays of the host.
    k : int
        1 gives the least.
    keepdims : bool
        The axis is kept with length 1.

    Returns
    -------
    values, indices : array
        What a stable sort has there.

    Examples
    --------
    >>> import heddle as hd
    >>> value, index = hd.kthvalue([30, 10, 20], 2)
    >>> int(value), int(index)
    (20, 2)
    """
    k = whole(k, "k")
    if k < 1:
        raise ValueError(f"k: {k} is below 1, which gives the least element")
    found, values, index = _first(x, k, axis, False, False, threads, device)
    if found.host is None:
        raise TypeError("x: kthvalue takes arrays of the host; on a device sort them, or call topk")
    shown = (slice(None), slice(k - 1, k)) if keepdims else (slice(None), k - 1)
    values, index = values[(..., *shown[1:])], index[(..., *shown[1:])]
    if keepdims:
        return _placed(found, values, axis), _placed(found, index, axis)
    return found.give(np.asarray(values)), found.give(np.asarray(index))


def _kth_of(kth: Any, length: int) -> list[int]:
    """The places that `kth` names, from 0 on."""
    given = np.asarray(on_host(kth, "kth"))
    if given.dtype.kind not in "iu":
        raise TypeError(f"kth: Partition index must be integer, not {given.dtype}")
    if given.ndim > 1:
        raise ValueError(f"kth must be a scalar or a sequence of them, and has {given.ndim} dimensions")
    places = []
    for place in given.reshape(-1).tolist():
        if not -length <= place < length:
            raise ValueError(f"kth(={place}) out of bounds ({length})")
        places.append(place % length)
    return places


def _parted(a: Array, kth: Any, axis: Any, kind: Any, order: Any, threads: Any, device: Any,
            positions: bool) -> Any:
    if order is not None:
        raise ValueError("order: heddle sorts numbers, which have no fields")
    if kind != "introselect":
        raise ValueError(f"kind: {kind!r} is not 'introselect'")
    whole = argsort if positions else sort
    x = operand(a, "a")
    length = x.size if axis is None else x.shape[one_axis(axis, x.ndim)]
    places = _kth_of(kth, length)
    least = max(places, default=-1) + 1
    plain_host = x.host is not None and x.valid is None and axis is not None and not x.is_bfloat16
    if plain_host and not positions and len(set(places)) == 1 and x.ndim == 1 \
            and (least > length // _PART or length >= LEAST) and x.host.flags.c_contiguous:
        found = around(x, places[0], device, threads)
        if found is not None:
            return x.give(found)
        least = length  # of a byte each
    if not plain_host or least > length // _PART:
        return whole(a, axis, threads=threads, device=device)
    axis = one_axis(axis, x.ndim)
    index = _first(x.host, least, axis, False, False, threads, device)[2]
    rows = np.moveaxis(x.host, axis, -1)
    others = np.ones(rows.shape, bool)
    np.put_along_axis(others, index, False, axis=-1)
    rest = (*rows.shape[:-1], length - least)
    if positions:
        order = np.broadcast_to(np.arange(length), rows.shape)[others].reshape(rest)
        result = np.concatenate((index, order), axis=-1)
    else:
        first = np.take_along_axis(rows, index, axis=-1)
        result = np.concatenate((first, rows[others].reshape(rest)), axis=-1)
    return x.give(np.ascontiguousarray(np.moveaxis(result, -1, axis)))


@plain
def partition(a: Array, kth: Array, axis: Axis = -1, kind: str = "introselect", order: None = None, *,
              threads: int | None = None, device: str | None = None) -> Any:
    """A copy in which the elements of some places are those of the sorted array.

    Parameters
    ----------
    a, axis, threads, device
        As in `heddle.sort`.
    kth : int or sequence of int
        The places: what is not above comes before, what is not below behind.
    kind, order : optional
        NumPy's.

    Returns
    -------
    array
        Of the caller's kind and dtype.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.partition([3, 4, 2, 1], 2)
    array([1, 2, 3, 4])
    """
    return _parted(a, kth, axis, kind, order, threads, device, False)


@plain
def argpartition(a: Array, kth: Array, axis: Axis = -1, kind: str = "introselect", order: None = None,
                 *, threads: int | None = None, device: str | None = None) -> Any:
    """The positions that partition an array.

    Parameters
    ----------
    a, kth, axis, kind, order, threads, device
        As in `partition`.

    Returns
    -------
    array
        Of int64.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.argpartition([3, 4, 2, 1], 2)
    array([3, 2, 0, 1])
    """
    return _parted(a, kth, axis, kind, order, threads, device, True)
