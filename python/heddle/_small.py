"""Small histograms: a few floats, counted within one call from Python (python/native/bins.c)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._native import DECLINED, PLAIN, c_double, fast, py_object

_even = fast.heddle_py_even
_even.argtypes, _even.restype = [py_object, c_double, c_double, py_object, py_object], py_object
_between = fast.heddle_py_between
_between.argtypes, _between.restype = [py_object, py_object, py_object], py_object
_empty = np.empty
_count = np.dtype(np.int64)
_NONE = float("nan")
_MOST = 2**1023

_MOST_ELEMENTS, _MOST_BINS = 8 * 1024, 4 * 1024  # more are the library's


def small_histogram(a: Any, bins: Any, span: Any) -> Any:
    """Counts and edges of a PLAIN array, or DECLINED.

    Parameters
    ----------
    a : PLAIN
    bins : int or PLAIN
        The number of bins, or edges.
    span : tuple or None
        The first and the last edge, Python's own numbers.
    """
    if a.size > _MOST_ELEMENTS:
        return DECLINED
    dtype = a.dtype
    if dtype.char not in "fd":  # of the machine's byte order, or else it is declined below
        return DECLINED
    if type(bins) is int:
        if not 0 < bins <= _MOST_BINS:
            return DECLINED
        low = high = _NONE
        if span is not None:
            if type(span) is not tuple or len(span) != 2:
                return DECLINED
            low, high = span
            if type(low) not in (int, float) or type(high) not in (int, float) \
                    or not -_MOST <= low <= high <= _MOST:
                return DECLINED
        edges = _empty(bins + 1, dtype)
        counts = _even(a, low, high, _empty(bins, _count), edges)
        return DECLINED if counts is DECLINED else (counts, edges)
    if type(bins) is not PLAIN or bins.dtype.char not in "fd" or not 1 < bins.size <= _MOST_BINS:
        return DECLINED
    counts = _between(a, bins, _empty(bins.size - 1, _count))
    return DECLINED if counts is DECLINED else (counts, bins)
