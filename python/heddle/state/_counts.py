"""Histograms of arrays that come in pieces: counts, or exact sums of weights, in bins that are given."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import operand
from .._axes import pointer_of
from .._histogram.bins import Binning, resolve
from .._histogram.histogram import Histogram
from .._histogram.sample import Sample, sample_of
from .._native import HistogramOptions, HistogramResult, byref, c_void_p, check, lib
from .._typing import Array
from ._base import Pieces, locked

__all__ = ["Counts"]

_WHOLE = 2**53  # float64 tells whole numbers apart up to here


class Counts(Pieces):
    """A histogram of an array that comes in pieces, in any order.

    Parameters
    ----------
    bins : int or sequence
        As in `heddle.histogram`: edges, or a number of bins, which needs `range`.
    range : (number, number), optional
        The first and the last edge; it cannot be found, since not all elements are there.
    threads, device
        As in `heddle.histogram`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device; weights in some updates and
        none in others, or of different dtypes; weights that are integers of 64 bits, whose sums
        float64 does not hold.
    ValueError
        For a number of bins without `range`, or the name of a rule; from `update` for 64-bit
        integers between edges that float64 cannot tell apart; from `result` for sums of integers
        beyond 2**53.

    Notes
    -----
    However the array is cut, and in whatever order its pieces come, the `heddle.Histogram` of the
    plain call on the whole: sums of weights are those of ``heddle.histogram(..., exact=True)``.

    Examples
    --------
    >>> import heddle as hd
    >>> left = hd.Counts(2, (0, 2)).update([0.5, 1.5, 9.0])
    >>> right = hd.Counts(2, (0, 2)).update([0.5])
    >>> (right | left).result()
    Histogram(2 bins from 0 to 2, count=4, under=0, over=1, nan=0, nulls=0)
    >>> hd.Counts([0, 1, 2]).update([0.5, 1.5], weights=[2.0, 0.25]).result().hist
    array([2.  , 0.25])
    """

    _verb = "histogram"

    def __init__(self, bins: Any, range: Any = None, *, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(False, threads, device)
        if isinstance(bins, str):
            raise ValueError("bins: a rule for their number needs all elements in one place; give a "
                             "number or edges")
        self._bins = np.array(bins) if np.ndim(bins) else bins
        if range is None and np.ndim(bins) == 0:
            raise ValueError("range: give it, or edges: not all elements are there to find it in")
        self._range = None if np.ndim(bins) else tuple(range)
        self._edges: Any = None
        self._weights: np.dtype | None = None
        self._weights_name = ""

    def _call(self) -> tuple[Any, ...]:
        bins = np.asarray(self._bins)
        return bins.dtype, bins.tobytes(), repr(self._range)

    def _binning(self, sample: Sample) -> Binning:
        made = resolve(sample, self._bins, self._range)
        if made.integers is not None or made.count == 0:
            raise ValueError("bins: at least one is wanted, between edges that float64 can tell apart: in "
                             "pieces there are no others")
        return made

    def _open(self, sample: Sample) -> None:
        """The first piece says of what type elements and weights are."""
        binning, state = self._binning(sample), c_void_p()
        options = HistogramOptions(exact=int(sample.weighted))
        if sample.w is not None:
            options.weights_type = sample.w.type
            self._weights = _dtype(sample.w)
        self._weights_name = _name(sample.w)
        check(lib.heddle_histogram_begin(sample.ctx.handle, sample.type, byref(binning.struct), byref(options),
                                         byref(state)))
        self._context, self._state, self._edges = sample.ctx, state, binning.edges
        self.dtype, self._is_bfloat16 = _dtype(sample.x), sample.x.is_bfloat16

    def _checked(self, sample: Sample) -> None:
        w = sample.w
        if sample.x.host is None or w is not None and w.host is None:
            raise TypeError("a: pieces are arrays of the host")
        if w is not None and _dtype(w).kind in "iu" and _dtype(w).itemsize == 8:
            raise TypeError(f"weights: sums of {_dtype(w)} are beyond float64; convert them to float64")
        if self._state is None:
            return
        if (_dtype(sample.x), sample.x.is_bfloat16) != (self.dtype, self._is_bfloat16):
            raise TypeError(f"a: its dtype is {_dtype(sample.x)}, that of the first was {self.dtype}")
        given, first = _name(w), self._weights_name
        if given != first:
            raise TypeError(f"weights: {given} here, {first} with the first piece")

    @locked
    def update(self, a: Array, weights: Array | None = None) -> Counts:
        """Takes the next piece, of any shape, and what each element counts for."""
        self._unbroken()
        sample = sample_of(operand(a, "a"), weights, self._device, self._threads, exact=True)
        self._checked(sample)
        if self._state is None:
            self._open(sample)
        self._broken = True
        for data, *w in (sample.pieces() if sample.flat is None else [sample.flat]):
            if data.size:
                check(lib.heddle_histogram_update(self._state, pointer_of(data),
                                                  pointer_of(w[0]) if w else None, data.size))
        self._broken = False
        self.nulls += sample.nulls
        self.count += sample.size
        return self

    @locked
    def result(self) -> Histogram:
        """The histogram of what came so far; more may follow."""
        if self._state is None:
            return copy.copy(self).update(np.empty(0)).result()
        self._unbroken()
        found, bins = HistogramResult(), len(self._edges) - 1
        table = np.empty(bins, np.int64 if self._weights is None else np.float64)
        counts = table if self._weights is None else np.empty(bins, np.int64)
        check(lib.heddle_histogram_finish(self._state, pointer_of(counts), byref(found),
                                          None if self._weights is None else pointer_of(table)))
        noun = "counts" if self._weights is None else "sums of weights"
        table = self._of_weights(table)
        return Histogram(table, self._edges, found.under, found.over, found.nan, self.nulls, found.count,
                         float(self._edges[0]), float(self._edges[-1]), table, self._edges, noun)

    def _of_weights(self, sums: np.ndarray) -> np.ndarray:
        """Sums of integers in their type, in which they wrap, as `heddle.histogram` has them."""
        if self._weights is None or self._weights.kind == "f":
            return sums
        if (np.abs(sums) > _WHOLE).any():
            raise ValueError("weights: a sum of integers is beyond 2**53, which float64 does not hold; convert "
                             "them to float64")
        return sums != 0 if self._weights.kind == "b" else sums.astype(np.int64).astype(self._weights)


def _dtype(x: Any) -> np.dtype:
    return np.dtype(np.float32) if x.is_bfloat16 else x.dtype


def _name(w: Any) -> str:
    return "none" if w is None else "bfloat16" if w.is_bfloat16 else str(w.dtype)
