"""Rows that have one key: groupby."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, on_host, operand
from .._axes import context_of, pointer_of
from .._context import Context
from .._description import FIGURES
from .._histogram.bincount import bincount
from .._moments import described, lessened_by, means_of, variances_of
from .._native import TYPES
from .._segments import Segments
from .._typing import Array
from .handle import Handle, float_type, options_of, row_of, rows_of, sum_type
from .ids import Rows, fold_rows
from .search import dense_pointer, take
from .unique import unique

__all__ = ["GroupBy", "groupby"]

_DENSE = 4  # groups a row up to which integer keys are ids
_FEW = 256  # rows a group, and
_MANY = 2**20  # rows, from which on a fold by ids costs no more than one of rows in order


class GroupBy:
    """The groups of `groupby`.

    Attributes
    ----------
    keys : numpy.ndarray
        The key of each group, in order.

    Notes
    -----
    Every method gives one result a group, in the order of `keys`: for rows of several elements
    a row of results. Float results are those of the plain functions on the group's rows, in the
    order in which they stand, to the bit. Groups can be pickled and copied.

    Examples
    --------
    >>> import heddle as hd
    >>> groups = hd.groupby(["b", "a", "b"])
    >>> groups.keys
    array(['a', 'b'], dtype='<U1')
    >>> groups.sum([1.0, 2.0, 4.0])
    array([2., 5.])
    """

    def __init__(self, keys: Array, *, threads: int | None = None,
                 device: str | None = None) -> None:
        self._threads, self._device = threads, device
        array, ids, count = self._ids_of(keys)
        offsets = self._make(ids, count)
        if array is None:  # integers from `_first` on, some of which are no key
            there = offsets[1:] > offsets[:-1]
            self.keys = (np.flatnonzero(there) + self._first).astype(self._dtype)
            if not there.all():
                self._full = np.flatnonzero(there)
                offsets = np.append(offsets[:-1][there], offsets[-1])
        else:
            self.keys = array
        self._offsets = offsets

    def _make(self, ids: np.ndarray, count: int) -> np.ndarray:
        """Takes ids of so many groups; where these begin with rows in order, and where the last ends."""
        x = operand(ids, "ids")
        ctx = context_of(x, self._device, self._threads)
        self._full: np.ndarray | None = None
        self._made: Handle | None = None
        self._groups = count
        if ctx.on_gpu or x.size < max(_MANY, count * _FEW):
            self._made = self._in_order(ctx, x)
            self._ids: Operand | None = None
            return self._made.offsets()
        own = ids.astype(np.uint32)  # whatever becomes of the keys
        self._ids = x.replaced(own)
        counts = bincount(own, minlength=count, threads=self._threads)
        return np.concatenate(([0], np.cumsum(counts)))

    def _in_order(self, ctx: Context, ids: Operand) -> Handle:
        pointer, self._kept = dense_pointer(ids, "keys")
        return Handle(ctx, ids.type, pointer, ids.size, self._groups)

    @property
    def _handle(self) -> Handle:
        """The rows in order: of many rows of few groups from the first call on that needs them so."""
        if self._made is None:
            assert self._ids is not None
            self._made = self._in_order(context_of(self._ids, self._device, self._threads), self._ids)
            self._ids = None
        return self._made

    def _fold(self, op: int, rows: Operand, dtype: Any, **more: Any) -> Any:
        """Each group's rows folded: those of one element by ids, as long as they are not in order."""
        ids = self._ids
        if ids is None or rows.host is None or row_of(rows, ids.size, "x")[0] != 1:
            return self._handle.reduce(op, rows, dtype, **more)
        ctx = context_of(rows, self._device, self._threads)
        out = np.empty((self._groups, *rows.shape[1:]), dtype)
        pointer, kept = dense_pointer(ids, "keys")
        where, dense = dense_pointer(rows, "x")
        placed = Rows(rows.type, where, 1, ids.type, pointer, ids.size)
        fold_rows(ctx, op, placed, pointer_of(out), self._groups, options_of(dtype, **more))
        del kept, dense
        return out

    def __getstate__(self) -> dict[str, Any]:
        ids = np.empty(self._handle.count, np.int64)
        ids[self.order] = np.repeat(np.arange(len(self)), self.count())
        return {"keys": self.keys, "ids": ids, "threads": self._threads, "device": self._device}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.keys, self._threads, self._device = state["keys"], state["threads"], state["device"]
        self._offsets = self._make(state["ids"], len(self.keys))

    def _ids_of(self, keys: Any) -> tuple[np.ndarray | None, np.ndarray, int]:
        """The keys, each once, or None; ids; how many groups these may name."""
        host = np.asarray(on_host(keys, "keys"))
        if host.ndim != 1:
            raise ValueError(f"keys: one dimension is wanted, not the shape {host.shape}")
        if host.dtype.kind in "iu" and host.size and host.dtype.isnative:
            least, most = int(host.min()), int(host.max())
            if most - least < _DENSE * host.size + 1024:
                self._first, self._dtype = least, host.dtype
                ids = host if least == 0 and host.dtype.itemsize >= 4 else \
                    (host.astype(np.int64) - least if least >= -2**62 and most < 2**62 else None)
                if ids is not None:
                    return None, ids, most - least + 1
        if host.dtype in TYPES or host.dtype.kind in "iufb":
            values, inverse = unique(keys, return_inverse=True, threads=self._threads,
                                     device=self._device)
        else:
            values, inverse = np.unique(host, return_inverse=True)
        return np.asarray(values), np.ascontiguousarray(np.asarray(inverse)), len(values)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def offsets(self) -> np.ndarray:
        """Where each group begins in what `gather` gives, and where the last one ends."""
        return self._offsets

    @property
    def order(self) -> np.ndarray:
        """The positions of rows, group after group, in each group as they stand."""
        return self._handle.order()

    def _on_host(self, rows: Operand, what: str) -> None:
        """Refuses an array on a device."""
        if rows.host is None:
            raise TypeError(f"x: {what} takes arrays of the host, and this one is on "
                            f"{rows.device_array.device}; copy it there")

    def _some(self, results: np.ndarray) -> np.ndarray:
        return results if self._full is None else results[self._full]

    def _reduce(self, op: int, x: Any, dtype: Any = None, skip: bool = False, **more: Any) -> Any:
        rows = rows_of(x)
        given = rows.dtype if dtype is None else dtype(rows.dtype)
        if self._full is not None:
            self._on_host(rows, "a fold of groups of integers with gaps between them")
        context_of(rows, self._device, self._threads)
        return rows.give(self._some(self._fold(op, rows, given, skip=skip, **more)), False)

    def gather(self, x: Array) -> Any:
        """An array's rows, group after group: those of group g are offsets[g] to offsets[g + 1].

        Examples
        --------
        >>> import heddle as hd
        >>> hd.groupby([1, 0, 1]).gather([10, 20, 30])
        array([20, 10, 30])
        """
        rows = rows_of(x)
        dtype = rows.dtype
        context_of(rows, self._device, self._threads)
        gathered = self._handle.gather(rows)
        return rows.give(gathered if rows.host is None else gathered.astype(dtype, copy=False), False)

    def count(self) -> np.ndarray:
        """How many rows each group has."""
        return np.diff(self._offsets)

    def sum(self, x: Array, exact: bool = False, skipna: bool = False) -> Any:
        """The sums of each group's rows: order v1; `exact`: the real sum, rounded once.

        Parameters
        ----------
        x : array_like
            A row for each key: one element, or more in further dimensions.
        exact : bool
            Of floats the real sum, whatever the order of rows.
        skipna : bool
            NaN count as absent.

        Examples
        --------
        >>> import heddle as hd
        >>> hd.groupby([7, 5, 7]).sum([[1, 2], [3, 4], [5, 6]])
        array([[3, 4],
               [6, 8]])
        """
        floats = rows_of(x).dtype.kind == "f"
        return self._reduce(n.SUM, x, sum_type, skipna, exact=exact and floats)

    def prod(self, x: Array, skipna: bool = False) -> Any:
        """The products of each group's rows."""
        return self._reduce(n.PROD, x, sum_type, skipna)

    def min(self, x: Array, skipna: bool = False) -> Any:
        """The least element of each group's rows."""
        return self._reduce(n.MIN, x, None, skipna)

    def max(self, x: Array, skipna: bool = False) -> Any:
        """The greatest element of each group's rows."""
        return self._reduce(n.MAX, x, None, skipna)

    def any(self, x: Array) -> Any:
        """Whether an element of a group's rows is not zero."""
        return self._reduce(n.ANY, x, lambda dtype: np.dtype(np.bool_))

    def all(self, x: Array) -> Any:
        """Whether no element of a group's rows is zero."""
        return self._reduce(n.ALL, x, lambda dtype: np.dtype(np.bool_))

    def _counts_like(self, results: np.ndarray) -> np.ndarray:
        return self.count().reshape((-1,) + (1,) * (results.ndim - 1))

    def mean(self, x: Array, exact: bool = False) -> Any:
        """The means of each group's rows, as `heddle.mean` of them; `exact`: of real sums, rounded once.

        Examples
        --------
        >>> import heddle as hd
        >>> hd.groupby([7, 5, 7]).mean([1, 2, 4])
        array([2. , 2.5])
        """
        rows = rows_of(x)
        dtype = rows.dtype
        self._on_host(rows, "a mean of groups")
        context_of(rows, self._device, self._threads)
        if rows.type in (n.U64, n.I64):  # whose sums wrap
            means = means_of(self._figures(rows, n.FIGURES_MEAN))
        else:
            acc = n.F64 if dtype.kind == "f" and not exact else 0
            sums = self._some(self._fold(n.SUM, rows, np.dtype(np.float64), acc=acc,
                                         exact=exact and dtype.kind == "f"))
            means = sums / self._counts_like(sums)
            if rows.type == n.F64 and not np.isfinite(sums).all():  # a sum may be beyond float64
                found = means_of(self._figures(rows, n.FIGURES_MEAN), means.reshape(len(self), -1))
                means = found.reshape(means.shape)
        return rows.give(self._as_floats(means, rows), False)

    def var(self, x: Array, ddof: float = 0) -> Any:
        """The variances of each group's rows, as `heddle.var` of them.

        Examples
        --------
        >>> import heddle as hd
        >>> hd.groupby([7, 5, 7, 5]).var([1, 2, 4, 2])
        array([0.  , 2.25])
        """
        return self._second(x, ddof, False)

    def std(self, x: Array, ddof: float = 0) -> Any:
        """The standard deviations of each group's rows, as `heddle.std` of them."""
        return self._second(x, ddof, True)

    def _second(self, x: Array, ddof: float, root: bool) -> Any:
        rows, ddof = rows_of(x), lessened_by(ddof)
        self._on_host(rows, "a variance of groups")
        context_of(rows, self._device, self._threads)
        figures = self._figures(rows, n.FIGURES_VARIANCE)
        counts = self.count().astype(np.float64).reshape(-1, 1)
        return rows.give(self._as_floats(variances_of(figures, counts, ddof, root), rows), False)

    def _figures(self, rows: Operand, which: int) -> np.ndarray:
        """The library's figures of each group's rows, of shape (groups, elements a row)."""
        width, _ = self._handle.rows(rows, "x")
        count, groups = self._handle.count, len(self)
        if not width or not groups:
            return np.zeros((groups, width), FIGURES)
        gathered = self._handle.gather(rows).reshape(count, width)
        columns = rows.replaced(np.ascontiguousarray(gathered.T).reshape(-1))  # one behind the other
        starts = np.arange(width, dtype=np.int64).reshape(-1, 1) * count + self._offsets[:-1]
        cuts = np.append(starts, width * count).astype(np.uint64)
        return described(Segments(columns, cuts), self._handle.ctx, False, (width, groups), which).T

    def _as_floats(self, results: np.ndarray, rows: Operand) -> np.ndarray:
        """Results in float64 as the floats that plain functions give, a row of them a group."""
        with np.errstate(over="ignore"):
            made = results.astype(float_type(rows.dtype), copy=False)
        return made.reshape((len(self),) + rows.shape[1:])

    def first(self, x: Array) -> Any:
        """Each group's first row."""
        self._on_host(rows_of(x), "the first row of groups")
        return take(x, self.order[self._offsets[:-1]], axis=0)

    def last(self, x: Array) -> Any:
        """Each group's last row."""
        self._on_host(rows_of(x), "the last row of groups")
        return take(x, self.order[self._offsets[1:] - 1], axis=0)


def groupby(keys: Array, *, threads: int | None = None, device: str | None = None) -> GroupBy:
    """The groups of rows that have one key.

    Parameters
    ----------
    keys : array_like
        A key for each row, in one dimension: numbers as in `heddle.sort`, of which integers near
        each other cost least, or whatever ``numpy.unique`` takes, such as strings.
    threads, device
        As in `heddle.sum`, for this call and those of the result.

    Returns
    -------
    GroupBy
        Whose methods fold arrays of as many rows.

    Examples
    --------
    >>> import heddle as hd
    >>> groups = hd.groupby([3, 1, 3])
    >>> groups.keys, groups.max([0.5, 2.0, 0.25])
    (array([1, 3]), array([2. , 0.5]))
    """
    return GroupBy(keys, threads=threads, device=device)
