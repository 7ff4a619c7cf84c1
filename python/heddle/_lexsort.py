"""The positions that sort by several keys: lexsort."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native as n
from ._arrays.operand import Operand, operand
from ._axes import context_of, empty, one_axis, pointer_of
from ._context import Context
from ._groups.search import dense_pointer, no_nulls
from ._native import Rows, byref, check, lib
from ._sort import argsort, sort_pairs

__all__ = ["lexsort"]


def _numbers(x: Operand) -> np.ndarray:
    return (x.host.astype(np.uint32) << 16).view(np.float32) if x.is_bfloat16 else x.host


def _keys_of(keys: Any) -> list[Any]:
    """The keys of lexsort, each of its own: a sequence of them, or the rows of one array."""
    if isinstance(keys, (list, tuple)):
        found = list(keys)
    else:
        x = operand(keys, "keys")
        no_nulls(x, "keys", "order")
        if x.host is None:
            raise TypeError(f"keys: a sequence of arrays of {x.array.device} is wanted, not one array")
        found = list(_numbers(x)) if x.ndim > 0 else []
    if not found:
        raise TypeError("keys: a sequence of at least one key is wanted, the last of them the primary one")
    return found


def _alike(x: Operand, first: Operand, name: str) -> None:
    """Refuses a key that cannot be sorted together with the first one."""
    no_nulls(x, name, "order")
    if x.shape != first.shape:
        raise ValueError(f"keys: all of them are of one shape, but {name} is of {x.shape} and keys[0] "
                         f"of {first.shape}")
    if (x.host is None) != (first.host is None):
        place = ["the host" if key.host is not None else key.array.device for key in (x, first)]
        raise TypeError(f"{name}: it is on {place[0]}, and keys[0] on {place[1]}; have all on one")


def lexsort(keys: Any, axis: int = -1, *, threads: int | None = None,
            device: str | None = None) -> Any:
    """The positions that sort by several keys, the last one first.

    Parameters
    ----------
    keys : sequence of array_like, or array_like
        Keys of one shape, or an array of the host whose rows are the keys: those of equal last key are in
        the order of the one before it, and so on. Each as `a` of `argsort`; all on one device, in C
        order there.
    axis : int
        Along which.
    threads, device
        As in `sort`.

    Returns
    -------
    array
        Of int64, of the shape of one key; what is equal in all keys by position. For keys that are
        scalars, 0. Of the kind of the first key, and where it is.

    Notes
    -----
    As numpy.lexsort. It sorts once for each key, the first one by `argsort`, then positions and gathered
    keys by `sort_pairs`. On a device keys of several dimensions are gathered by two sorts more each.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.lexsort(([3, 1, 2, 4], [1, 2, 1, 1]))
    array([2, 0, 3, 1])
    """
    operands = [operand(key, f"keys[{i}]") for i, key in enumerate(_keys_of(keys))]
    first = operands[0]
    for i, x in enumerate(operands):
        _alike(x, first, f"keys[{i}]")
    if first.ndim == 0:
        one_axis(0 if axis == -1 else axis, 1)
        zero = np.zeros((), np.int64)
        return first.give(zero) if first.host is not None else argsort(first.array)
    axis = one_axis(axis, first.ndim)
    if first.host is None:
        return _on_device(operands, axis, context_of(first, device, threads))
    arrays = [_numbers(x) for x in operands]
    order = np.asarray(argsort(arrays[0], axis, threads=threads, device=device))
    for array in arrays[1:]:
        gathered = np.take_along_axis(array, order, axis)
        order = sort_pairs(gathered, order, axis, threads=threads, device=device)[1]
    return first.give(order)


# ---- on a device ---------------------------------------------------------------------------------


class _Lines:
    """The lines of C-ordered device arrays of one shape along an axis; results are new ones, in C order."""

    def __init__(self, ctx: Context, first: Operand, axis: int) -> None:
        self._ctx, self._first = ctx, first
        self._rows = Rows.along(axis, first.shape, None)
        self.is_one = first.ndim == 1

    def _new(self, dtype: Any) -> Any:
        return empty(self._first, self._ctx, self._first.shape, dtype)

    def positions(self, number: int, keys: int) -> Any:
        """Those that sort keys of the type with that number."""
        index = self._new(np.int64)
        if self._first.size:
            check(lib.heddle_argsort_rows(self._ctx.handle, number, keys, byref(self._rows), n.U64,
                                          pointer_of(index), None))
        return index

    def pairs(self, number: int, keys: Any, values: int, dtype: Any) -> Any:
        """Values of that dtype in the order of keys, which are sorted in place."""
        out = self._new(dtype)
        if self._first.size:
            check(lib.heddle_sort_pairs_rows(self._ctx.handle, number, pointer_of(keys),
                                             np.dtype(dtype).itemsize, values, byref(self._rows),
                                             pointer_of(keys), pointer_of(out), None))
        return out

    def taken(self, x: Operand, pointer: int, order: Any) -> Any:
        """A key's elements by positions along the lines: in the order of what sorts these."""
        if not self.is_one:
            places = self.positions(n.U64, pointer_of(order))
            return self.pairs(n.U64, places, pointer, x.dtype)
        out = self._new(x.dtype)
        check(lib.heddle_gather(self._ctx.handle, x.dtype.itemsize, pointer, x.size, n.U64,
                                pointer_of(order), x.size, pointer_of(out)))
        return out


def _on_device(operands: list[Operand], axis: int, ctx: Context) -> Any:
    first = operands[0]
    pointers = [dense_pointer(x, f"keys[{i}]")[0] for i, x in enumerate(operands)]
    for i, x in enumerate(operands[1:], 1):
        first.join(x, f"keys[{i}]")
    lines = _Lines(ctx, first, axis)
    order = lines.positions(first.type, pointers[0])
    for i, x in enumerate(operands[1:], 1):
        order = lines.pairs(x.type, lines.taken(x, pointers[i], order), pointer_of(order), np.int64)
    return first.give(order)
