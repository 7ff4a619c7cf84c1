"""Bins: those of a histogram by NumPy's rules, from `bins`, `range` and the type of the data.

The library computes even edges with the bits of numpy.linspace, where ends are plain numbers or
are found in the data. Where NumPy's edges have another type than the library's, they are NumPy's
own and handed over as explicit edges. tests/python/test_histogram.py compares the two.

Source: numpy/lib/_histograms_impl.py, of NumPy 2.4 (rules).
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays.operand import on_host
from .._native import BINS_EDGES, BINS_EVEN, Bins, address, byref, check, lib
from .sample import Sample

_PLAIN = (int, float, bool, np.float64)
_F64 = np.dtype(np.float64)
_LONG = 2**63  # integers below are NumPy's
_EXACT = 2**53  # integers up to here are themselves in f64


@dataclass
class Binning:
    """What to hand to the library, and what the caller sees.

    Attributes
    ----------
    count : int
        Bins; 0 for fewer than two edges.
    dtype : numpy.dtype
        Of the edges that the caller sees.
    edges : numpy.ndarray or None
        None: ends are found in the data.
    struct : Bins
    integers : tuple or None
        `bins` and `range` for NumPy, where elements and edges are 64-bit integers that f64 cannot
        tell apart.
    """

    count: int
    dtype: np.dtype
    edges: np.ndarray | None
    struct: Bins
    integers: tuple[Any, Any] | None = None
    _kept: Any = None  # what struct points at

    def found(self, number: int, lo: float, hi: float) -> np.ndarray:
        """The edges, where the library has found lo and hi in data of a type."""
        self.struct.lo, self.struct.hi = lo, hi
        self.edges = _library_edges(self, number)
        return self.edges


def resolve(sample: Sample, bins: Any, range: Any) -> Binning:
    """The bins that arguments of numpy.histogram stand for."""
    if isinstance(bins, str):
        bins = _estimate(sample, bins, range)
    if type(bins) is not int:
        bins = on_host(bins, "bins")
        if np.ndim(bins) == 1:
            return _explicit(sample, bins)
        if np.ndim(bins) != 0:
            raise ValueError("bins: `bins` must be 1d, when an array")
    try:
        count = operator.index(bins)
    except TypeError:
        raise TypeError("bins: `bins` must be an integer, a string, or an array, not "
                        f"{type(bins).__name__}") from None
    if count < 1:
        raise ValueError(f"bins: `bins` must be positive, when an integer, not {count}")
    if range is not None:
        return _even(sample, count, *_ends(range))
    if sample.size == 0:
        return _even(sample, count, 0, 1)
    if sample.flat is None:
        return _even(sample, count, *_spread(*_checked(*sample.extremes())))
    dtype = sample.dtype if sample.dtype.kind == "f" else _F64
    return Binning(count, dtype, None, _even_bins(count, 0, 0, 1))


# ---- even bins ------------------------------------------------------------------------------


def _ends(range: Any) -> tuple[Any, Any]:
    """The two ends of an argument `range`."""
    if type(range) is tuple and len(range) == 2:
        lo, hi = range
        if type(lo) in _PLAIN and type(hi) in _PLAIN and -_LONG <= lo < hi < _LONG:
            return lo, hi
    try:
        lo, hi = (_scalar(end) for end in range)
    except ValueError:
        raise ValueError(f"range: two numbers are wanted, not {range!r}") from None
    except TypeError:
        raise TypeError("range: two numbers are wanted, which a float64 can hold, not "
                        f"{_shortened(range)}") from None
    if lo > hi:
        raise ValueError(f"range: max must be larger than min in range parameter, not [{lo}, {hi}]")
    if not (np.isfinite(lo) and np.isfinite(hi)):
        raise ValueError(f"range: supplied range of [{lo}, {hi}] is not finite")
    return _spread(lo, hi)


def _shortened(argument: Any) -> str:
    try:
        text = repr(argument)
    except ValueError:  # an integer of very many digits
        return "integers of so many digits"
    return text if len(text) <= 100 else f"{text[:100]}..."


def _scalar(end: Any) -> Any:
    """A number of Python's or NumPy's; those of other libraries become Python's."""
    if not isinstance(end, (int, float, np.generic)):
        end = end.item() if hasattr(end, "item") else end
    if not isinstance(end, (int, float, np.generic)) or np.dtype(type(end)).kind not in "biuf" \
            or isinstance(end, np.longdouble) and np.dtype(np.longdouble).itemsize > 8:
        raise TypeError
    if type(end) is int and not -_LONG <= end < 2 * _LONG:
        try:
            return float(end)
        except OverflowError:
            raise TypeError from None
    return end


def _even_bins(count: int, lo: Any, hi: Any, auto_range: int) -> Bins:
    return Bins(BINS_EVEN, count, lo, hi, auto_range)


def _spread(lo: Any, hi: Any) -> tuple[Any, Any]:
    """A range of some width."""
    return (lo - 0.5, hi + 0.5) if lo == hi else (lo, hi)


def _checked(lo: Any, hi: Any) -> tuple[Any, Any]:
    if not (np.isfinite(lo) and np.isfinite(hi)):
        refuse_range(lo, hi)
    return lo, hi


def refuse_range(lo: Any, hi: Any) -> None:
    """Raises what NumPy raises for data with NaN or infinities whose range is to be found."""
    raise ValueError(f"a: autodetected range of [{lo}, {hi}] is not finite; give `range`")


def _even(sample: Sample, count: int, lo: Any, hi: Any) -> Binning:
    """Bins of one width over [lo, hi], by NumPy's promotion: Python's numbers are weak."""
    home = sample.dtype if sample.dtype.kind == "f" else _F64
    given = [end.dtype for end in (lo, hi) if isinstance(end, np.generic)]
    dtype = np.result_type(sample.dtype, *given) if given else home
    if dtype.kind != "f":
        dtype = _F64
    large = any(not isinstance(end, (float, np.floating)) and abs(int(end)) > _EXACT
                for end in (lo, hi))
    if dtype == home and type(lo) in _PLAIN and type(hi) in _PLAIN and not large:
        made = Binning(count, dtype, None, _even_bins(count, lo, hi, 0))
        made.edges = _library_edges(made, sample.type)
        return made
    edges = np.linspace(lo, hi, count + 1, dtype=dtype)
    _check_rising(edges, count)
    made = _of_edges(edges)
    if large and _is_long(sample.dtype):
        made.integers = count, (lo, hi)
    return made


def _library_edges(binning: Binning, number: int) -> np.ndarray:
    edges = np.empty(binning.count + 1)
    check(lib.heddle_histogram_edges(number, byref(binning.struct), address(edges)))
    if binning.dtype is not edges.dtype:
        edges = edges.astype(binning.dtype)
    _check_rising(edges, binning.count)
    return edges


def _check_rising(edges: np.ndarray, count: int) -> None:
    if not (edges[:-1] < edges[1:]).all():
        raise ValueError(f"bins: Too many bins for data range. Cannot create {count} finite-sized "
                         "bins.")


# ---- explicit edges ---------------------------------------------------------------------------


def _of_edges(edges: np.ndarray) -> Binning:
    wide = np.ascontiguousarray(edges, np.float64)
    count = max(len(edges) - 1, 0)
    struct = Bins(BINS_EDGES, count, 0, 0, 0, address(wide))
    return Binning(count, edges.dtype, edges, struct, _kept=wide)


def _explicit(sample: Sample, bins: Any) -> Binning:
    """Bins between edges, which may have any of the library's types."""
    edges = np.asarray(bins)
    if edges.dtype.kind not in "biuf" or edges.dtype.itemsize > 8:
        raise TypeError(f"bins: dtype {edges.dtype} is not supported by heddle; edges are bool, "
                        "integers, float16, float32 or float64")
    falls = edges[:-1] > edges[1:]
    if falls.any():
        at = int(falls.argmax())
        raise ValueError("bins: `bins` must increase monotonically, when an array; edge "
                         f"{at + 1}, {edges[at + 1]}, is below the one before it, {edges[at]}")
    if edges.dtype.kind == "f" and not (edges == edges).all():
        raise ValueError(f"bins: edge {int(np.isnan(edges).argmax())} is NaN")
    made = _of_edges(edges)
    if _is_long(sample.dtype) and np.result_type(sample.dtype, edges.dtype).kind in "iu" \
            and any(abs(int(edge)) > _EXACT for edge in (*edges[:1], *edges[-1:])):
        made.integers = edges, None
    return made


def _is_long(dtype: np.dtype) -> bool:
    return dtype.kind in "iu" and dtype.itemsize == 8


# ---- numbers of bins from the data -------------------------------------------------------------


def _estimate(sample: Sample, name: str, range: Any) -> int:
    """The number of bins by one of NumPy's rules, 'auto', 'fd', ...: NumPy's own result."""
    if sample.weighted:
        _numpys_edges(np.empty(0), name, None)  # whether there is such a rule
        raise TypeError("bins: Automated estimation of the number of bins is not supported for "
                        "weighted data; give a number")
    if range is not None:
        range = _ends(range)
    return len(_numpys_edges(sample.on_host(), name, range)) - 1


def _numpys_edges(values: np.ndarray, name: str, range: Any) -> np.ndarray:
    try:
        return np.histogram_bin_edges(values, name, range)
    except ValueError as error:
        about = "a" if "autodetected" in str(error) else "bins"
        raise ValueError(f"{about}: {error}") from None
