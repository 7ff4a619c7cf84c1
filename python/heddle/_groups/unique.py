"""The values of an array, each once: unique and the functions of the array API's standard."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, operand
from .._axes import context_of, empty, pointer_of
from .._context import Context
from .._native import byref, c_uint64, check, lib
from .search import dense_pointer, no_nulls
from .._sort import _as_given
from .._plain import plain
from .._typing import Array

__all__ = ["unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """What `unique_all` gives."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` gives."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` gives."""

    values: Any
    inverse_indices: Any


class _Found(NamedTuple):
    values: Any
    first: Any
    inverse: Any
    counts: Any


def _cut(x: Operand, ctx: Context, array: Any, count: int) -> Any:
    """The first `count` elements, in memory of their own."""
    if array is None:
        return None
    if x.host is not None:
        array.resize(count, refcheck=False)  # where it is
        return array
    part = empty(x, ctx, (count,), array.dtype)
    check(lib.heddle_copy(ctx.handle, pointer_of(part), pointer_of(array),
                          count * array.dtype.itemsize))
    return part


def _find(x: Operand, ctx: Context, dtype: np.dtype, first: bool, inverse: bool,
          counts: bool) -> _Found:
    size, found = x.size, c_uint64()
    values = empty(x, ctx, (size,), dtype)
    room = [empty(x, ctx, (size,), np.int64) if wanted else None for wanted in (counts, first)]
    room.append(empty(x, ctx, (size,) if x.host is not None else x.shape, np.int64) if inverse else None)
    pointers = [None if array is None else pointer_of(array) for array in room]
    where, kept = dense_pointer(x, "ar")
    check(lib.heddle_unique(ctx.handle, x.type, where, size, pointer_of(values), pointers[0],
                            pointers[1], n.U64, pointers[2], byref(found)))
    del kept
    count = found.value
    return _Found(_cut(x, ctx, values, count), _cut(x, ctx, room[1], count), room[2],
                  _cut(x, ctx, room[0], count))


def _apart(x: Operand, found: _Found) -> _Found:
    """Each NaN as a value of its own, in the order of the array."""
    values = found.values
    if not values.size or values[-1] == values[-1]:
        return found
    nans = np.flatnonzero(np.isnan(x.host.reshape(-1)))
    inverse = found.inverse
    if inverse is not None:
        inverse = inverse.copy()
        inverse[nans] = values.size - 1 + np.arange(nans.size)
    first = None if found.first is None else np.concatenate([found.first[:-1], nans])
    counts = found.counts
    if counts is not None:
        counts = np.concatenate([counts[:-1], np.ones(nans.size, np.int64)])
    return _Found(np.concatenate([values[:-1], x.host.reshape(-1)[nans]]), first, inverse, counts)


def _unique(ar: Any, first: bool, inverse: bool, counts: bool, equal_nan: bool, threads: Any,
            device: Any, name: str = "x") -> tuple[Any, Any, Any, Any]:
    x = operand(ar, name)
    no_nulls(x, name, "value")
    dtype = x.dtype
    ctx = context_of(x, device, threads)
    found = _find(x, ctx, dtype, first, inverse, counts)
    if not equal_nan and dtype.kind == "f":
        if x.host is None:
            raise TypeError("equal_nan: on a device all NaN are one value; leave it True"
                            if name == "ar" else
                            f"{name}: on a device all NaN are one value, and floats are for heddle.unique")
        found = _apart(x, found)
    where = found.inverse
    if x.host is not None and where is not None:
        where = where.reshape(x.shape)
    more = (None if array is None else x.give(array, aligned)
            for array, aligned in ((found.first, False), (where, None), (found.counts, False)))
    return (_as_given(x, found.values, False), *more)


@plain
def unique(ar: Array, return_index: bool = False, return_inverse: bool = False,
           return_counts: bool = False, axis: None = None, *, equal_nan: bool = True,
           threads: int | None = None, device: str | None = None) -> Any:
    """The values of an array, each once, in order, as ``numpy.unique``.

    Parameters
    ----------
    ar : array_like
        Of any shape; elements as in `heddle.sort`.
    return_index, return_inverse, return_counts : bool
        Also where each value is first, the place of each element among the values, and how often
        each value is there.
    axis : None
        Values are those of all of it.
    equal_nan : bool
        All NaN are one value; else each is its own.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array, or tuple of arrays
        Values of the dtype of `ar`, with the bits of their first occurrence; then of int64 what was
        asked for, the inverse of the shape of `ar`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.unique([3, 1, 3, 2])
    array([1, 2, 3])
    >>> hd.unique([3, 1, 3, 2], return_inverse=True, return_counts=True)
    (array([1, 2, 3]), array([2, 0, 2, 1]), array([1, 1, 2]))
    """
    if axis is not None:
        raise ValueError("axis: heddle finds the values of all of an array; leave it None")
    found = _unique(ar, return_index, return_inverse, return_counts, equal_nan, threads, device, "ar")
    asked = tuple(array for array in found if array is not None)
    return asked if len(asked) > 1 else asked[0]


def unique_all(x: Array, *, threads: int | None = None,
               device: str | None = None) -> UniqueAllResult:
    """Values, first positions, inverse and counts, each NaN for itself, as ``numpy.unique_all``.

    Parameters as in `unique`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.unique_all([2, 1, 2]).indices
    array([1, 0])
    """
    return UniqueAllResult(*_unique(x, True, True, True, False, threads, device))


def unique_counts(x: Array, *, threads: int | None = None,
                  device: str | None = None) -> UniqueCountsResult:
    """Values and how often each is there, as ``numpy.unique_counts``.

    Parameters as in `unique`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.unique_counts([2, 1, 2]).counts
    array([1, 2])
    """
    found = _unique(x, False, False, True, False, threads, device)
    return UniqueCountsResult(found[0], found[3])


def unique_inverse(x: Array, *, threads: int | None = None,
                   device: str | None = None) -> UniqueInverseResult:
    """Values and the place of each element among them, as ``numpy.unique_inverse``.

    Parameters as in `unique`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.unique_inverse([2, 1, 2]).inverse_indices
    array([1, 0, 1])
    """
    found = _unique(x, False, True, False, False, threads, device)
    return UniqueInverseResult(found[0], found[2])


def unique_values(x: Array, *, threads: int | None = None, device: str | None = None) -> Any:
    """The values alone, as ``numpy.unique_values``, in order.

    Parameters as in `unique`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.unique_values([2, 1, 2])
    array([1, 2])
    """
    return _unique(x, False, False, False, False, threads, device)[0]
