"""Segments: a line cut into rows of any lengths, each folded or scanned alone.

Segment i of x is x[offsets[i]:offsets[i + 1]], and its result has the bits of the plain call on it.
The library takes the offsets as they are (heddle_rows.offsets), so that nothing is copied.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _calls
from . import _float_errors
from . import _native as n
from ._arrays.operand import Operand, on_host, operand
from ._axes import Lines, context_of, deliver, empty, pointer_of
from ._fold import NOTHING, init, mean_dtype, prepared
from ._moments import as_kind, described, means_of, quotients_of
from ._native import Options, Rows
from ._plain import plain
from ._typing import Array, DType, Scalar

__all__ = ["segment_all", "segment_any", "segment_argmax", "segment_argmin", "segment_cumsum",
           "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum"]
_EXTREMES, _LOGICAL = (n.MIN, n.MAX), (n.ANY, n.ALL)


class Segments(Lines):
    """The segments of an operand, as _calls takes rows."""

    def __init__(self, x: Operand, offsets: np.ndarray) -> None:
        self.parts = None
        array = x.device_array if x.host is None else np.ascontiguousarray(x.host)
        self._kept = array, offsets
        self.type, self.pointer, self.count = x.type, pointer_of(array), x.size
        self.results = len(offsets) - 1
        self.shape = (self.results,)
        self.length = self.count
        self.rows = Rows(offsets=offsets.ctypes.data, segments=self.results)


def _offsets(offsets: Any, size: int) -> np.ndarray:
    """An argument `offsets`, checked: it does not leave an array of `size` elements."""
    found = np.asarray(on_host(offsets, "offsets"))
    if found.ndim != 1 or not found.size:
        raise ValueError("offsets: one dimension of at least one offset is wanted, not shape "
                         f"{found.shape}")
    if found.dtype.kind not in "iu":
        raise TypeError(f"offsets: integers are wanted, not {found.dtype}")
    falls = np.flatnonzero(found[1:] < found[:-1])
    if falls.size:
        i = int(falls[0])
        raise ValueError(f"offsets: they must not fall; offset {i + 1} is {found[i + 1]}, behind "
                         f"{found[i]}")
    if found[0] < 0 or found[-1] > size:
        wrong = found[0] if found[0] < 0 else found[-1]
        raise ValueError(f"offsets: {wrong} is outside of the array's 0 to {size}")
    return np.ascontiguousarray(found, np.uint64)


def _taken(x: Any, offsets: Any) -> tuple[Operand, np.ndarray, Operand, np.ndarray]:
    """The operand and its offsets, as they are and without nulls."""
    source = x if isinstance(x, Operand) else operand(x, "x")
    if source.ndim != 1:
        raise ValueError(f"x: segments are of one dimension, not of shape {source.shape}")
    if source.device_array is not None and source.device_array.strides not in (None, (1,)):
        raise ValueError("x: on a device it must lie in one line")
    given = _offsets(offsets, source.size)
    if source.valid is None or source.valid.all():
        return source, given, source, given
    ahead = np.concatenate([[0], np.cumsum(source.valid)]).astype(np.uint64)
    return source, given, source.without_nulls(), ahead[given.astype(np.intp)]


def _refuse_empty(offsets: np.ndarray, what: str) -> None:
    nothing = np.flatnonzero(offsets[1:] == offsets[:-1])
    if nothing.size:
        raise ValueError(f"offsets: segment {nothing[0]} is empty, and {what} of no elements has "
                         "no result")


def _report(ctx: Any, x: Operand, cuts: np.ndarray, result: Any, skipna: bool,
            call: int = _float_errors.REDUCE, also: Any = None) -> None:
    """Has overflow and invalid values reported, one result a segment: of those that are not finite."""
    if not isinstance(result, np.ndarray) or result.dtype.kind != "f" or x.host is None:
        return
    odd = np.flatnonzero(~np.isfinite(result) & (cuts[1:] > cuts[:-1]))
    if not odd.size:
        return
    host = np.ascontiguousarray(x.host)
    pieces = x.replaced(np.concatenate([host[cuts[i]:cuts[i + 1]] for i in odd]))
    pieces.type, pieces.is_bfloat16 = x.type, x.is_bfloat16
    ends = np.concatenate([[0], np.cumsum((cuts[1:] - cuts[:-1])[odd])]).astype(np.uint64)
    _float_errors.check(ctx, (Segments(pieces, ends),), result[odd], call, skipna, also)


def folded(op: int, name: str, x: Any, offsets: Any, dtype: Any, initial: Any, skipna: bool,
           threads: int | None, device: str | None, call: int = _float_errors.REDUCE) -> Any:
    """A reduction of each segment."""
    source, _, taken, cuts = _taken(x, offsets)
    ctx = context_of(taken, device, threads, numbers=op not in _LOGICAL)
    if op in _EXTREMES:
        wanted = np.dtype(np.float32 if taken.is_bfloat16 else taken.dtype)
        number = n.F32 if taken.is_bfloat16 else n.result_type(op, taken.type)
        options = Options(out_type=number)
    elif op in _LOGICAL:
        wanted, options = np.dtype(bool), Options(out_type=n.result_type(op, taken.type))
    else:
        taken, options, wanted = prepared(op, taken, dtype)
        if wanted.kind == "b":
            raise TypeError("dtype: bool is that of segment_any and segment_all")
    options.nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
    kept = None if initial is NOTHING else init(options, initial, wanted)
    if op in _EXTREMES and kept is None:
        _refuse_empty(cuts, name)
    segments = Segments(taken, cuts)
    result = empty(taken, ctx, segments.shape, wanted)
    _calls.reduce(ctx, op, segments, result, options)
    if op in _EXTREMES and skipna and kept is None and taken.type in n.FLOATS:
        index = empty(taken, ctx, segments.shape, np.intp)
        _calls.argreduce(ctx, n.ARGMIN, segments, index, Options(nan=n.NAN_SKIP))
        if isinstance(index, np.ndarray) and bool((index < 0).any()):
            raise ValueError(f"x: segment {int(np.argmax(index < 0))} is nothing but NaN, of which "
                             f"{name} has no result")
    if op not in _EXTREMES and op not in _LOGICAL:
        _report(ctx, taken, cuts, result, skipna, call, kept)
    return deliver(source, result, None, aligned=False)


@plain
def segment_sum(x: Array, offsets: Array, *, dtype: DType = None, initial: Scalar = NOTHING,
                skipna: bool = False, threads: int | None = None,
                device: str | None = None) -> Any:
    """The sum of each segment of a line.

    Parameters
    ----------
    x : array_like
        One dimension; elements as in `heddle.sum`.
    offsets : array_like of int
        Where segments begin, and where the last one ends: one more than there are segments. They do
        not fall, and lie in 0 to len(x); elements before the first and behind the last count
        nowhere.
    dtype, skipna, threads, device
        As in `heddle.sum`.
    initial : scalar, optional
        Added in front of each segment.

    Returns
    -------
    array
        Of the caller's kind: one result a segment. Of an empty segment it is that of no elements.

    Raises
    ------
    TypeError
        For elements or offsets that are not numbers of the types above.
    ValueError
        For offsets that fall or lie outside; for arrays of several dimensions.

    Warns
    -----
    RuntimeWarning
        As in `heddle.sum`.

    Notes
    -----
    Order v1: each result has the bits of ``heddle.sum(x[offsets[i]:offsets[i + 1]])``, for any
    number of threads. Nulls are skipped.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_sum([1.0, 2.0, 3.0, 4.0], [0, 1, 1, 4])
    array([1., 0., 9.])
    """
    return folded(n.SUM, "sum", x, offsets, dtype, initial, skipna, threads, device)


@plain
def segment_prod(x: Array, offsets: Array, *, dtype: DType = None, initial: Scalar = NOTHING,
                 skipna: bool = False, threads: int | None = None,
                 device: str | None = None) -> Any:
    """The product of each segment; parameters and errors as in `segment_sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_prod([2, 3, 4], [0, 2, 3])
    array([6, 4])
    """
    return folded(n.PROD, "prod", x, offsets, dtype, initial, skipna, threads, device)


@plain
def segment_min(x: Array, offsets: Array, *, initial: Scalar = NOTHING, skipna: bool = False,
                threads: int | None = None, device: str | None = None) -> Any:
    """The least element of each segment; NaN if there is one, unless `skipna`.

    Parameters as in `segment_sum`.

    Raises
    ------
    ValueError
        As `segment_sum`; without `initial` for an empty segment, or with `skipna` for one of
        nothing but NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_min([5, 3, 8, 1], [0, 2, 4])
    array([3, 1])
    """
    return folded(n.MIN, "min", x, offsets, None, initial, skipna, threads, device)


@plain
def segment_max(x: Array, offsets: Array, *, initial: Scalar = NOTHING, skipna: bool = False,
                threads: int | None = None, device: str | None = None) -> Any:
    """The greatest element of each segment; parameters and errors as in `segment_min`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_max([5, 3, 8, 1], [0, 2, 2, 4], initial=0)
    array([5, 0, 8])
    """
    return folded(n.MAX, "max", x, offsets, None, initial, skipna, threads, device)


@plain
def segment_any(x: Array, offsets: Array, *, threads: int | None = None,
                device: str | None = None) -> Any:
    """Whether any element of each segment is not zero; parameters and errors as in `segment_sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_any([0, 0, 2], [0, 2, 3, 3])
    array([False,  True, False])
    """
    return folded(n.ANY, "any", x, offsets, None, NOTHING, False, threads, device)


@plain
def segment_all(x: Array, offsets: Array, *, threads: int | None = None,
                device: str | None = None) -> Any:
    """Whether every element of each segment is not zero; parameters and errors as in `segment_sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_all([0, 1, 2], [0, 1, 3, 3])
    array([False,  True,  True])
    """
    return folded(n.ALL, "all", x, offsets, None, NOTHING, False, threads, device)


@plain
def segment_mean(x: Array, offsets: Array, *, dtype: DType = None, skipna: bool = False,
                 threads: int | None = None, device: str | None = None) -> Any:
    """The mean of each segment; parameters and errors as in `segment_sum`, dtypes as in `mean`.

    Warns
    -----
    RuntimeWarning
        For an empty segment; its mean is NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_mean([1, 2, 6], [0, 2, 3])
    array([1.5, 6. ])
    """
    source, _, taken, cuts = _taken(x, offsets)
    ctx = context_of(taken, device, threads)
    wanted = mean_dtype(taken, dtype, None)
    segments = Segments(taken, cuts)
    lengths = np.diff(cuts)
    if not lengths.all():
        warnings.warn("Mean of empty slice.", RuntimeWarning,
                      stacklevel=_float_errors.callers_level())
    skipna = skipna and taken.type in n.FLOATS  # no integer is NaN
    if taken.type in (n.U64, n.I64):
        found = means_of(described(segments, ctx, False, segments.shape, n.FIGURES_MEAN))
    elif skipna:
        figures = described(segments, ctx, skipna, segments.shape)
        found = means_of(figures, quotients_of(figures))
    else:
        totals = np.empty(segments.shape, np.float64)
        acc = n.F64 if taken.type in n.FLOATS else n.TYPE_DEFAULT
        _calls.reduce(ctx, n.SUM, segments, totals, Options(out_type=n.F64, acc_type=acc))
        with np.errstate(invalid="ignore", divide="ignore"):
            found = totals / lengths
        if taken.type == n.F64 and not np.isfinite(totals).all():  # a total may be beyond float64
            found = means_of(described(segments, ctx, False, segments.shape, n.FIGURES_MEAN), found)
    result = as_kind(taken, ctx, found, wanted)
    _report(ctx, taken, cuts, result, skipna)
    return deliver(source, result, None, aligned=False)


def _index(which: int, name: str, x: Any, offsets: Any, skipna: bool, threads: int | None,
           device: str | None) -> Any:
    source, given, taken, cuts = _taken(x, offsets)
    _refuse_empty(cuts, name)
    ctx = context_of(taken, device, threads)
    segments = Segments(taken, cuts)
    result = empty(taken, ctx, segments.shape, np.intp)
    _calls.argreduce(ctx, which, segments, result,
                     Options(nan=n.NAN_SKIP if skipna else n.NAN_PROPAGATE))
    if isinstance(result, np.ndarray) and bool((result < 0).any()):
        raise ValueError(f"x: segment {int(np.argmax(result < 0))} is nothing but NaN, of which "
                         f"{name} has no result")
    if taken is not source and source.valid is not None:  # nulls count as places
        found = np.flatnonzero(source.valid)[cuts[:-1].astype(np.intp) + result]
        result = found - given[:-1].astype(np.intp)
    return deliver(source, result, None, aligned=False)


@plain
def segment_argmin(x: Array, offsets: Array, *, skipna: bool = False, threads: int | None = None,
                   device: str | None = None) -> Any:
    """The lowest index of each segment's least element, counted from the segment's start.

    Parameters as in `segment_sum`.

    Raises
    ------
    ValueError
        As `segment_sum`; for an empty segment, or with `skipna` for one of nothing but NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_argmin([5, 3, 8, 1], [0, 2, 4])
    array([1, 1])
    """
    return _index(n.ARGMIN, "argmin", x, offsets, skipna, threads, device)


@plain
def segment_argmax(x: Array, offsets: Array, *, skipna: bool = False, threads: int | None = None,
                   device: str | None = None) -> Any:
    """The lowest index of each segment's greatest element; parameters, errors as `segment_argmin`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_argmax([5, 3, 8, 1], [0, 2, 4])
    array([0, 0])
    """
    return _index(n.ARGMAX, "argmax", x, offsets, skipna, threads, device)


@plain
def segment_cumsum(x: Array, offsets: Array, *, dtype: DType = None, skipna: bool = False,
                   threads: int | None = None, device: str | None = None) -> Any:
    """Running sums that begin anew with each segment; parameters and errors as in `segment_sum`.

    Returns
    -------
    array
        Of as many elements as x. Those of no segment are 0; nulls stay where they are.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.segment_cumsum([1, 2, 3, 4], [0, 2, 4])
    array([1, 3, 3, 7])
    """
    source, _, taken, cuts = _taken(x, offsets)
    ctx = context_of(taken, device, threads)
    is_null = taken is not source
    x_, options, wanted = prepared(n.SUM, taken, dtype)
    if wanted.kind == "b":
        raise TypeError("dtype: running totals of bool are not supported by heddle")
    options.nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
    covers = cuts[0] == 0 and cuts[-1] == x_.size
    if not covers and x_.device_array is not None:
        raise ValueError("offsets: on a device they have to begin at 0 and end at the last element")
    target = empty(x_, ctx, (x_.size,), wanted)
    if not covers:
        target[:] = 0
    _calls.scan(ctx, n.SUM, Segments(x_, cuts), target, options)
    if isinstance(target, np.ndarray) and target.size:
        last = target[np.maximum(cuts[1:].astype(np.intp) - 1, 0)]
        _report(ctx, x_, cuts, last, skipna, _float_errors.ACCUMULATE)
    if not is_null:
        return source.give(target)
    spread = np.zeros(source.shape, wanted)
    spread[source.valid] = target
    return source.give_masked(spread, source.valid)
