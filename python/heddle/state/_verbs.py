"""Arrays that come in pieces: Reduction, Scan and Moments take them one after the other.

However an array is cut, the result has the bits of the plain call on the whole: the library's
states keep what order v1 asks for, a few totals and a part of a chunk. Files and batches larger
than memory are read this way. Histograms in pieces are added: each is exact
(_histogram/histogram.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, operand
from .._axes import context_of, pointer_of
from .._description import FIGURES, Description, description_of
from .._exact import exact_options, float_terms, total_dtype
from .._fold import dtype_of, prepared
from .._native import Options, byref, check, lib
from ._base import Pieces, locked, taken_pair
from .._typing import Array, DType

__all__ = ["Dot", "Moments", "Reduction", "Scan"]

_REDUCTIONS = {"sum": n.SUM, "prod": n.PROD, "min": n.MIN, "max": n.MAX, "any": n.ANY, "all": n.ALL,
               "sum_squares": n.SUM_SQUARES}
_EXACT = ("sum", "sum_squares")
_INDICES = {"argmin": n.ARGMIN, "argmax": n.ARGMAX}
_SCANS = {name: _REDUCTIONS[name] for name in ("sum", "prod", "min", "max")}


class Reduction(Pieces):
    """A reduction of an array that comes in pieces.

    Parameters
    ----------
    name : str
        "sum", "prod", "min", "max", "any", "all", "sum_squares", "argmin" or "argmax".
    dtype : dtype, optional
        Of the result of a sum or product, as in `heddle.sum`.
    skipna, exact, threads, device
        As in `heddle.sum`; `exact` is of "sum" and "sum_squares".
    start : int
        The index, in the whole array, of the first element that comes: of a piece that is merged
        with those before it, by ``|`` or `merge`. Nulls are not counted.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device; for exact squares of integers
        that float64 does not hold.
    ValueError
        For another name, or one that has no exact result; from `result` for a least or greatest
        element of nothing; from `update` for nulls, which "argmin" and "argmax" cannot count.

    Notes
    -----
    Order v1: however the array is cut, the bits of the plain call on the whole. An exact sum has
    them in whatever order the pieces come.

    Examples
    --------
    >>> import heddle as hd
    >>> total = hd.Reduction("sum")
    >>> total.update([1.0, 2.0]).update([3.0])
    <heddle.Reduction of 3 elements of float64>
    >>> total.result()
    np.float64(6.0)
    >>> (total | hd.Reduction("sum", start=3).update([4.0])).result()
    np.float64(10.0)
    """

    def __init__(self, name: str, dtype: DType = None, *, skipna: bool = False,
                 exact: bool = False, start: int = 0, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(skipna, threads, device, start)
        if not isinstance(name, str) or name not in _REDUCTIONS and name not in _INDICES:
            known = ", ".join([*_REDUCTIONS, *_INDICES])
            raise ValueError(f"name: {name!r} is none of {known}")
        if exact and name not in _EXACT:
            raise ValueError(f"exact: it is for {' and '.join(_EXACT)}, not for {name!r}")
        self._exact = bool(exact)
        self._is_index = name in _INDICES
        self._verb = "argreduce" if self._is_index else "reduce"
        self._op, self._dtype = {**_REDUCTIONS, **_INDICES}[name], None if dtype is None else dtype_of(dtype)
        self._is_total = name in ("sum", "prod", "sum_squares")
        self._wanted: np.dtype = np.dtype(np.intp)

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        options = Options(nan=self._nan)
        if self._exact:
            self._wanted = total_dtype(x, self._dtype)
            options = exact_options(self._wanted, self._nan == n.NAN_SKIP)
            x = float_terms(x)[0]
        elif self._is_total:
            x, options, self._wanted = prepared(self._op, x, self._dtype)
            options.nan = self._nan
            if self._wanted.kind == "b":
                raise TypeError("dtype: bool is that of any and all")
        elif not self._is_index:
            widened = x.is_bfloat16 and self._op in (n.MIN, n.MAX)
            options.out_type = n.F32 if widened else n.result_type(self._op, x.type)
            self._wanted = np.dtype(bool if self._op in (n.ANY, n.ALL) else np.float32
                                    if x.is_bfloat16 else x.dtype)
        options.start = 0 if self._exact else self.start
        return self._op, x.type, byref(options)

    def _call(self) -> tuple[Any, ...]:
        return self._op, self._verb, self._exact, self._dtype, self._nan

    def _converted(self, x: Operand) -> Operand:
        if self._exact or not self._is_total:
            return x
        return prepared(self._op, x, self._dtype)[0]

    @locked
    def update(self, chunk: Array) -> Reduction:
        """Takes the next piece, of any shape, in C order."""
        x = operand(chunk, "chunk")
        if self._is_index and x.valid is not None and not x.valid.all():
            raise ValueError("chunk: argmin and argmax in pieces are of arrays without nulls")
        taken = self._take(chunk)
        parts = float_terms(taken) if self._exact else (taken,)
        if len(parts) > 1 and self._op == n.SUM_SQUARES:
            self.count, self.nulls = self.count - taken.size, self.nulls - taken.nulls
            raise TypeError("chunk: integers that float64 does not hold have no exact squares in "
                            "pieces; heddle.fdot has them")
        for part in parts:
            self._feed(part)
        return self

    @locked
    def result(self) -> Any:
        """The result of what came so far; more may follow."""
        of = self._ready()
        found = np.empty((), of._wanted)
        if self._is_index:
            check(lib.heddle_argreduce_finish(of._state, None, pointer_of(found)))
        else:
            check(lib.heddle_reduce_finish(of._state, pointer_of(found)))
        return found[()]


class Scan(Pieces):
    """Running totals of an array that comes in pieces: each update gives its elements' totals.

    Parameters
    ----------
    name : str
        "sum", "prod", "min" or "max".
    dtype : dtype, optional
        Of the totals of a sum or product, as in `heddle.cumsum`.
    exclusive : bool
        Whether a total is of what is before its element, as in `heddle.exclusive_sum`.
    prefix : Reduction, optional
        Of all that lies before the first piece, of the same name, dtypes and `skipna`: the totals
        go on from there.
    skipna, threads, device
        As in `heddle.cumsum`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device.
    ValueError
        For another name; from `update` for nulls.

    Notes
    -----
    Order v1: however the array is cut, the bits of the plain call on the whole.

    Examples
    --------
    >>> import heddle as hd
    >>> running = hd.Scan("sum")
    >>> running.update([1, 2]), running.update([3, 4])
    (array([1, 3]), array([ 6, 10]))
    >>> running.result()
    np.int64(10)
    >>> hd.Scan("sum", prefix=hd.Reduction("sum").update([1, 2, 3, 4])).update([5])
    array([15])
    """

    _verb = "scan"

    def __init__(self, name: str, dtype: DType = None, *, exclusive: bool = False,
                 skipna: bool = False, prefix: Reduction | None = None,
                 threads: int | None = None, device: str | None = None) -> None:
        super().__init__(skipna, threads, device)
        if not isinstance(name, str) or name not in _SCANS:
            raise ValueError(f"name: {name!r} is none of {', '.join(_SCANS)}")
        self._op, self._dtype = _SCANS[name], None if dtype is None else dtype_of(dtype)
        self._kind = n.EXCLUSIVE if exclusive else n.INCLUSIVE
        self._is_total = name in ("sum", "prod")
        self._wanted: np.dtype = np.dtype(np.float64)
        if prefix is not None and not isinstance(prefix, Reduction):
            raise TypeError(f"prefix: a heddle.Reduction is wanted, not {type(prefix).__name__}")
        self._prefix = prefix

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        if self._is_total:
            x, options, self._wanted = prepared(self._op, x, self._dtype)
            if self._wanted.kind == "b":
                raise TypeError("dtype: running totals of bool are not supported by heddle")
        else:
            self._wanted = np.dtype(np.float32) if x.is_bfloat16 else x.dtype
            options = Options(out_type=n.F32 if x.is_bfloat16 else x.type)
        options.nan = self._nan
        if self._prefix is not None and self._prefix._state is not None:
            options.prefix = self._prefix._state.value
        return self._op, self._kind, x.type, byref(options)

    def _begin(self, x: Operand) -> None:
        with self._lock if self._prefix is None else self._prefix._lock:
            super()._begin(x)

    def _call(self) -> tuple[Any, ...]:
        raise TypeError("other: running totals are written already; merge Reductions, and give the "
                        "merged one as prefix=")

    def _converted(self, x: Operand) -> Operand:
        return prepared(self._op, x, self._dtype)[0] if self._is_total else x

    @locked
    def update(self, chunk: Array) -> Any:
        """The totals of the next piece, which is of any shape, in C order, in one dimension."""
        x = operand(chunk, "chunk")
        if x.valid is not None and not x.valid.all():
            raise ValueError("chunk: running totals in pieces are of arrays without nulls")
        taken = self._take(chunk)
        target = np.empty(taken.size, self._wanted)
        self._feed(taken, target=target)
        if target.dtype.kind == "b":  # of nothing the least is the greatest byte
            np.minimum(target.view(np.uint8), 1, out=target.view(np.uint8))
        return taken.give(target)

    @locked
    def result(self) -> Any:
        """The total of what came so far; more may follow."""
        of = self._ready()
        found = np.empty((), of._wanted)
        check(lib.heddle_scan_finish(of._state, pointer_of(found)))
        return found[()]


class Dot(Pieces):
    """`dot` of two arrays that come in pieces.

    Parameters
    ----------
    exact, threads, device
        As in `heddle.dot`.
    start : int
        As in `Reduction`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device; for exact sums of integers.
    ValueError
        From `update`: for arrays of two lengths, or with nulls.

    Notes
    -----
    Order v1: however the arrays are cut, the bits of `heddle.dot` of the whole.

    Examples
    --------
    >>> import heddle as hd
    >>> left = hd.Dot().update([1.0, 2.0], [3.0, 4.0])
    >>> (left | hd.Dot(start=2).update([5.0], [6.0])).result()
    np.float64(41.0)
    """

    _verb = "dot"

    def __init__(self, *, exact: bool = False, start: int = 0, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(False, threads, device, start)
        self._exact = bool(exact)
        self._wanted: np.dtype = np.dtype(np.float64)

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        if self._exact and x.type not in n.FLOATS:
            raise TypeError(f"a: exact dots in pieces are of floats, not of {x.dtype}")
        self._wanted = np.dtype(np.float32) if x.is_bfloat16 else x.dtype
        options = Options(out_type=n.TYPES[self._wanted], exact=self._exact,
                          start=0 if self._exact else self.start)
        return x.type, byref(options)

    def _call(self) -> tuple[Any, ...]:
        return self._nan, self._exact

    @locked
    def update(self, a: Array, b: Array) -> Dot:
        """Takes the next pieces, of one dtype and length."""
        x, y = taken_pair(a, b)
        self._feed(self._take(x), y)
        return self

    @locked
    def result(self) -> Any:
        """The result of what came so far; more may follow."""
        of = self._ready()
        found = np.empty((), of._wanted)
        check(lib.heddle_dot_finish(of._state, pointer_of(found)))
        return found[()]


class Moments(Pieces):
    """`describe` of an array that comes in pieces.

    Parameters
    ----------
    skipna, threads, device
        As in `heddle.describe`.
    start : int
        As in `Reduction`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device.

    Notes
    -----
    Order v1: however the array is cut, the bits of `heddle.describe` of the whole.

    Examples
    --------
    >>> import heddle as hd
    >>> figures = hd.Moments()
    >>> for piece in ([1.0, 2.0], [3.0, 6.0]):
    ...     figures = figures.update(piece)
    >>> float(figures.result().mean), int(figures.result().count)
    (3.0, 4)
    """

    _verb = "describe"

    def __init__(self, *, skipna: bool = False, start: int = 0, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(skipna, threads, device, start)

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        return x.type, byref(Options(nan=self._nan, start=self.start))

    @locked
    def update(self, chunk: Array) -> Moments:
        """Takes the next piece, of any shape."""
        self._feed(self._take(chunk))
        return self

    @locked
    def result(self) -> Description:
        """The figures of what came so far; more may follow."""
        of = self._ready()
        figures = np.zeros((), FIGURES)
        figures["size"] = FIGURES.itemsize
        check(lib.heddle_describe_finish(of._state, pointer_of(figures)))
        return description_of(figures, self.nulls)
