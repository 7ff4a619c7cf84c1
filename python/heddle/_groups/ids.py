"""Rows that have one id: group_sum, add_at, scatter_reduce."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, on_host, operand
from .._axes import context_of, empty, pointer_of, whole
from .._context import Context
from .._native import Options, byref, check, lib
from .._typing import Array
from .handle import options_of, row_of, rows_of, sum_type
from .search import dense_pointer, index_of

__all__ = ["add_at", "group_sum", "scatter_reduce"]


def _ids_of(ids: Any, rows: Operand, groups: int | None) -> tuple[Any, int, int, int, int]:
    """What holds the ids, their type and address, how many they are, and how many groups."""
    if rows.host is None:
        index = operand(ids, "ids")
        if index.host is not None or index.dtype.kind not in "iu" or index.dtype.itemsize < 4:
            raise TypeError("ids: integers of 32 or 64 bits where x is are wanted")
        if groups is None:
            raise TypeError("groups: on a device their number has to be said")
        rows.join(index, "ids")
        where, kept = dense_pointer(index, "ids")
        return (index, kept), index.type, where, index.size, groups
    array, number = index_of(ids, "ids")
    if array.ndim != 1:
        raise ValueError(f"ids: one dimension is wanted, not the shape {array.shape}")
    if groups is None:
        groups = int(array.max()) + 1 if array.size else 0
    return array, number, pointer_of(array), array.size, max(groups, 0)


class Rows(NamedTuple):
    """Rows of `width` elements one behind the other, and an id each; where they are, and their types."""

    number: int
    where: int
    width: int
    id_number: int
    ids: int
    count: int


def fold_rows(ctx: Context, op: int, rows: Rows, out: int, groups: int, options: Options) -> None:
    """Into the `groups` rows at `out`. On a device what calls before this one found is told of, too."""
    if ctx.on_gpu:
        check(lib.heddle_peek(ctx.handle))
    check(lib.heddle_scatter_reduce(ctx.handle, op, rows.number, rows.where, rows.width, rows.id_number,
                                    rows.ids, rows.count, out, groups, byref(options)))


def fold_by_ids(op: int, ids: Any, x: Operand, groups: int | None, dtype: Any, *, exact: bool = False,
                threads: int | None = None, device: str | None = None) -> Any:
    """The rows of each id folded, as elements of dtype; where x is."""
    ctx = context_of(x, device, threads)
    kept, number, where, count, groups = _ids_of(ids, x, groups)
    width, row = row_of(x, count, "x")
    out = empty(x, ctx, (groups,) + row, dtype)
    if width:
        at, dense = dense_pointer(x, "x")
        rows = Rows(x.type, at, width, number, where, count)
        fold_rows(ctx, op, rows, pointer_of(out), groups, options_of(dtype, exact=exact))
        del dense
    del kept
    return out


def group_sum(ids: Array, x: Array, groups: int | None = None, *, exact: bool = False,
              threads: int | None = None, device: str | None = None) -> Any:
    """The sum of the rows of each id.

    Parameters
    ----------
    ids : array_like of int
        An id for each row: 0 to `groups` - 1.
    x : array_like
        Rows of one element, or of more in further dimensions.
    groups : int, optional
        How many ids there may be; by default one more than the greatest (on a device it has to be
        said).
    exact : bool
        Of floats the real sum, rounded once.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    array
        Of `groups` rows, zeros for an id that no row has; of the dtype of `heddle.sum`.

    Raises
    ------
    ValueError
        For an id that is negative or not below `groups`; of arrays on a device, where nothing waits, by
        the next such call or by `heddle.synchronize`, and the sums are undefined.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.group_sum([0, 2, 0], [1.0, 2.0, 4.0])
    array([5., 0., 2.])
    """
    rows = rows_of(x)
    dtype = rows.dtype
    if groups is not None and (groups := whole(groups, "groups")) < 0:
        raise ValueError(f"groups: {groups} is below 0")
    return rows.give(fold_by_ids(n.SUM, ids, rows, groups, sum_type(dtype), threads=threads,
                                 exact=exact and dtype.kind == "f", device=device), False)


def _table(table: Any) -> np.ndarray:
    if not isinstance(table, np.ndarray):
        raise TypeError(f"table: a numpy.ndarray is wanted, not {type(table).__name__}")
    if table.ndim < 1:
        raise ValueError("table: it has rows, so at least one dimension")
    return table


def _wrapped(ids: Any, length: int) -> np.ndarray:
    """Ids from the end of a table, too, as NumPy counts them."""
    array = index_of(ids, "ids")[0]
    if array.dtype.kind == "u" or not (array < 0).any():
        return array
    return np.where(array < 0, array + length, array)


def add_at(table: np.ndarray, ids: Array, x: Array, *, threads: int | None = None,
           device: str | None = None) -> None:
    """Adds rows to those of a table, in place, each to the one that its id names: ``numpy.add.at``.

    Parameters
    ----------
    table : numpy.ndarray
        Rows of one element, or of more in further dimensions.
    ids : array_like of int
        Which row each row of `x` is added to; negative ones count from the end.
    x : array_like
        Rows, or what becomes as many by broadcasting.
    threads, device
        As in `heddle.sum`.

    Raises
    ------
    IndexError
        For an id that the table does not have; it is as it was then.

    Notes
    -----
    The rows of an id are summed first, by order v1, and added to the table once: the same bits for
    any number of threads. numpy.add.at rounds after each row.

    Examples
    --------
    >>> import numpy as np
    >>> import heddle as hd
    >>> table = np.zeros(3)
    >>> hd.add_at(table, [0, 2, 0], [1.0, 2.0, 4.0])
    >>> table
    array([5., 0., 2.])
    """
    target = _table(table)
    sums = _scattered(target, ids, x, n.SUM, threads, device)
    target += sums.astype(target.dtype, copy=False)


def _broadcast(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise ValueError(f"x: its shape {x.shape} does not broadcast to that of the rows of ids, "
                         f"{shape}") from None


def _scattered(table: np.ndarray, ids: Any, x: Any, op: int, threads: Any,
               device: Any) -> np.ndarray:
    index = _wrapped(ids, len(table))
    rows = np.ascontiguousarray(_broadcast(np.asarray(on_host(x, "x")), index.shape + table.shape[1:]))
    if not np.can_cast(rows.dtype, table.dtype, "same_kind"):
        raise TypeError(f"x: {rows.dtype} cannot be added to a table of {table.dtype}")
    of = rows_of(rows.astype(table.dtype, copy=False))
    outside = (index < 0) | (index >= len(table)) if index.size else np.zeros(0, bool)
    if outside.any():
        raise IndexError(f"index {index[outside][0]} is out of bounds for axis 0 with size "
                         f"{len(table)}")
    dtype = sum_type(table.dtype) if op in (n.SUM, n.PROD) else table.dtype
    return np.asarray(fold_by_ids(op, index, of, len(table), dtype, threads=threads, device=device))


_REDUCES = {"sum": n.SUM, "prod": n.PROD, "amin": n.MIN, "amax": n.MAX, "mean": n.SUM}


def scatter_reduce(table: Array, ids: Array, x: Array, reduce: str = "sum", *,
                   include_self: bool = True, threads: int | None = None,
                   device: str | None = None) -> np.ndarray:
    """A table with rows folded into those that ids name: torch.scatter_reduce along dimension 0.

    Parameters
    ----------
    table : array_like
        Rows of one element, or of more in further dimensions; it is left as it is.
    ids, x
        As in `add_at`.
    reduce : {"sum", "prod", "mean", "amin", "amax"}
        What a row's rows are folded by.
    include_self : bool
        Whether the table's own row is one of them, or stays only where no other is.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    numpy.ndarray
        Of the table's shape and dtype.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.scatter_reduce([1.0, 1.0], [0, 0], [3.0, 5.0], "mean")
    array([3., 1.])
    """
    if not isinstance(reduce, str) or reduce not in _REDUCES:
        raise ValueError(f"reduce: {reduce!r} is none of {', '.join(map(repr, _REDUCES))}")
    own = np.asarray(on_host(table, "table"))
    if own.ndim < 1:
        raise ValueError("table: it has rows, so at least one dimension")
    folded = _scattered(own, ids, x, _REDUCES[reduce], threads, device)
    folded = folded.astype(own.dtype, copy=False)
    counts = np.bincount(_wrapped(ids, len(own)).astype(np.int64), minlength=len(own))
    counts = counts.reshape((-1,) + (1,) * (own.ndim - 1))
    if include_self:
        join = {"prod": np.multiply, "amin": np.minimum, "amax": np.maximum}.get(reduce, np.add)
        folded, counts_all = np.where(counts > 0, join(own, folded), own), counts + 1
    else:
        folded, counts_all = np.where(counts > 0, folded, own), np.maximum(counts, 1)
    if reduce != "mean":
        return folded
    means = folded / counts_all if own.dtype.kind == "f" else folded // counts_all
    return np.where(counts > 0, means, own).astype(own.dtype, copy=False)
