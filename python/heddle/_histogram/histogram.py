"""histogram: how many elements, or how much weight, fall into each bin; numpy.histogram's results.

Bin i is edges[i] <= x < edges[i+1], the last one includes its upper edge, and nothing else
decides: counts are those of searchsorted on the edges. NumPy's own way for even bins computes a
bin's number and looks at its neighbours, which is not enough where there are about as many bins as
the type has numbers: of np.arange(430, dtype=np.float16) in 1,643 bins it counts 418 in the bin
below the edge 418.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays.exchange import TENSORS
from .._arrays.kinds import GIVE, library_of
from .._arrays.operand import operand
from .._axes import empty
from .._native import BINS_INTEGER, DECLINED, Bins, HistogramResult, methods
from .._plain import plain
from .bins import Binning, refuse_range, resolve
from .figure import Figure, draw_html, draw_svg
from .sample import Sample, sample_of
from .weights import are_exact, integer_sums
from .._typing import Array


@dataclass(frozen=True, repr=False, eq=False)
class Histogram:
    """A histogram and what lies outside of its bins; ``hist, edges = result`` works, too.

    A notebook shows it as a picture. Two are equal if all their figures are. Those of two arrays in
    the same bins add up to that of both together, so that an array can be counted in pieces.

    Attributes
    ----------
    hist : array
        Counts, sums of weights or densities, as `histogram` returns them.
    edges : array
    under, over : int
        Elements below the first edge and above the last one.
    nan : int
        Elements that are NaN.
    nulls : int
        Elements that are null: they are not counted.
    count : int
        All elements but nulls.
    lo, hi : float
        The first and the last edge; NaN if there is none.

    Examples
    --------
    >>> import heddle as hd
    >>> h = hd.histogram([0.5, 1.5, 1.7, 9.0, float("nan")], bins=2, range=(0, 2), full=True)
    >>> h
    Histogram(2 bins from 0 to 2, count=5, under=0, over=1, nan=1, nulls=0)
    >>> hist, edges = h
    >>> hist
    array([1, 2])
    >>> both = h + hd.histogram([0.5], bins=2, range=(0, 2), full=True)
    >>> both.hist
    array([2, 2])
    >>> both == h
    False
    """

    hist: Any
    edges: Any
    under: int
    over: int
    nan: int
    nulls: int
    count: int
    lo: float
    hi: float
    _values: np.ndarray
    _edges: np.ndarray
    _noun: str

    def __iter__(self) -> Iterator[Any]:
        return iter((self.hist, self.edges))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> Any:
        return (self.hist, self.edges)[index]

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        dtype = self._values.dtype
        return self._rest() == other._rest() and self._noun == other._noun \
            and dtype == other._values.dtype and self._has_edges_of(other) \
            and np.array_equal(self._values, other._values, equal_nan=dtype.kind == "f")

    __hash__ = None  # type: ignore[assignment]

    def _rest(self) -> tuple[int, ...]:
        return self.under, self.over, self.nan, self.nulls, self.count

    def _has_edges_of(self, other: Histogram) -> bool:
        return self._edges.dtype == other._edges.dtype and np.array_equal(self._edges, other._edges)

    def __add__(self, other: Any) -> Histogram:
        """The histogram of both arrays. Counts and integer weights add exactly."""
        if not isinstance(other, Histogram):
            return NotImplemented
        if not self._has_edges_of(other):
            raise ValueError("histograms of different edges do not add: give edges, or bins and "
                             "range")
        if self._noun != other._noun or self._noun == "density":
            raise ValueError(f"{self._noun} and {other._noun} do not add; counts do, and sums of "
                             "weights")
        values = self._values + other._values
        hist = GIVE[library_of(type(self.hist))](self.hist, values, None, False)
        rest = (a + b for a, b in zip(self._rest(), other._rest()))
        return Histogram(hist, self.edges, *rest, self.lo, self.hi, values, self._edges, self._noun)

    def __radd__(self, other: Any) -> Histogram:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # of sum(...)

    def __repr__(self) -> str:
        bins = len(self._values)
        return (f"Histogram({bins} bin{'' if bins == 1 else 's'} from {self.lo:g} to {self.hi:g}, "
                f"count={self.count}, under={self.under}, over={self.over}, nan={self.nan}, "
                f"nulls={self.nulls})")

    def svg(self, title: str | None = None) -> str:
        """The picture, a document of its own that needs no fonts or scripts.

        Examples
        --------
        >>> import heddle as hd
        >>> picture = hd.histogram([1, 2, 2], bins=2, full=True).svg("Two & two")
        >>> picture.startswith("<svg") and "Two &amp; two" in picture
        True
        """
        return draw_svg(self._figure(), title)

    def _repr_svg_(self) -> str:
        return draw_svg(self._figure(), None)

    def _repr_html_(self) -> str:
        return draw_html(self._figure())

    def _figure(self) -> Figure:
        outside = (("below", self.under), ("above", self.over), ("NaN", self.nan),
                   ("null", self.nulls))
        return Figure(self._values, self._edges, self._noun, self.count, outside)


@plain
def histogram(a: Array, bins: Any = 10, range: Any = None, density: Any = None,
              weights: Array | None = None, *, full: bool = False, exact: bool = False,
              threads: int | None = None, device: str | None = None) -> Any:
    """The histogram of all elements of an array.

    Parameters
    ----------
    a : array_like
        Of any shape; integers, float16, bfloat16, float32, float64; bool counts as uint8, with
        NumPy's RuntimeWarning.
    bins : int, sequence or str
        The number of bins of one width; or edges, which must not fall; or the rule for their
        number: 'auto', 'fd', 'doane', 'scott', 'stone', 'rice', 'sturges', 'sqrt'.
    range : (number, number), optional
        The first and the last edge; by default the least and the greatest element. Ignored with
        edges.
    density : bool, optional
        Divide by the total and the widths of the bins, so that the integral is 1.
    weights : array_like, optional
        Of the shape of a: what each element counts for.
    full : bool
        Return a `Histogram`, which counts the rest, too.
    exact : bool
        Sums of weights are the real ones, rounded once, however far apart the weights lie.
    threads : int, optional
        At most so many threads of a CPU.
    device : str, optional
        "cpu", "cuda", "cuda:1": what computes; arrays on a GPU are counted there.

    Returns
    -------
    hist : array
        int64; of the type of weights (float32 for bfloat16), of floats with `exact` float64; float64
        for a density.
    edges : array
        One more. Of the type of `bins`, if those are edges; else float64 for integers, and for
        floats the type of a and range as NumPy promotes them, in which Python's numbers are weak.

    Raises
    ------
    TypeError
        For elements, edges or weights that are not numbers of the types above; for `bins` that is
        none of the three.
    ValueError
        Edges that fall or are NaN, more than one dimension of edges, no bins, more bins than the
        range has numbers; a range that falls or is not finite; NaN or infinities without a range;
        an unknown rule; weights of another shape.

    Notes
    -----
    NaN and what is outside of the edges is not counted. Nulls are skipped. Sums of weights are
    rounded once to f64, then to the type of weights, of weights as multiples of 2**-86 of the power
    of two above the greatest; with `exact` of the weights as they are: `math.fsum` of each bin. Any
    number of threads gives the same bits. Integer weights are added as integers, modulo 2**64.

    Examples
    --------
    >>> import heddle as hd
    >>> import numpy as np
    >>> hd.histogram([1, 2, 1, 4, 4, 4], bins=3)
    (array([2, 1, 3]), array([1., 2., 3., 4.]))
    >>> hd.histogram(np.arange(4), bins=[0, 1, 3], density=True)
    (array([0.25 , 0.375]), array([0, 1, 3]))
    >>> hd.histogram([0.5, 1.5], bins=2, range=(0, 2), weights=[2.0, 0.25])
    (array([2.  , 0.25]), array([0., 1., 2.]))
    """
    if type(a) in TENSORS and isinstance(bins, (list, tuple)) \
            and not (full or exact or threads or device):
        made = methods.device_histogram(a, np.asarray(bins), range, density, weights, None)
        if made is not DECLINED:
            return made
    sample = sample_of(operand(a), weights, device, threads, exact=exact)
    if not sample.x.is_bfloat16 and sample.x.dtype == bool:
        warnings.warn("Converting input from bool to <class 'numpy.uint8'> for compatibility.",
                      RuntimeWarning, stacklevel=3)
    binning = resolve(sample, bins, range)
    stays = sample.x.device_array is not None and not (full or density or sample.weighted)
    table, found = _count(sample, binning, stays)
    edges = binning.edges
    if binning.struct.auto_range:
        edges = _found_edges(sample, binning, found)
    hist = _weights_type(sample, binning, table) if sample.weighted else table
    if density:
        widths = np.diff(edges).astype(np.float64)
        hist = hist / widths / hist.sum()
    if not full:
        return sample.give(hist), sample.give(edges)
    ends = (float(edges[0]), float(edges[-1])) if len(edges) else (np.nan, np.nan)
    noun = "density" if density else "sums of weights" if sample.weighted else "counts"
    return Histogram(sample.give(hist), sample.give(edges), found.under, found.over, found.nan,
                     sample.nulls, found.count, *ends, hist, edges, noun)


def _found_edges(sample: Sample, binning: Binning, found: HistogramResult) -> np.ndarray:
    """The edges of a range that the library has found, which must be all finite."""
    if found.nan:
        refuse_range(np.nan, np.nan)
    if found.under or found.over:
        values = sample.on_host()
        refuse_range(values.min(), values.max())
    return binning.found(sample.type, found.lo, found.hi)


def _weights_type(sample: Sample, binning: Binning, sums: np.ndarray) -> np.ndarray:
    """Sums of weights in their type; integers wrap."""
    assert sample.w is not None
    dtype = np.dtype(np.float32) if sample.w.is_bfloat16 else sample.w.dtype
    if dtype.kind == "b":
        return sums != 0
    if dtype.kind not in "iu":
        return sums if sample.exact else sums.astype(dtype, copy=False)
    if not are_exact(sample):
        return integer_sums(sample, lambda part: _count(part, binning, False)[0])
    return sums.astype(np.int64).astype(dtype)


# ---- counting -------------------------------------------------------------------------------


def _count(sample: Sample, binning: Binning, stays: bool) -> tuple[Any, HistogramResult]:
    """Counts, or sums of weights, and the rest. Those that `stay` are in the device's memory, where
    they may still be on their way; the rest is then not known but for a range that was found."""
    found = HistogramResult()
    if binning.integers is not None or binning.count == 0:
        return _by_numpy(sample, binning, found), found
    table = empty(sample.x, sample.ctx, (binning.count,), np.int64) if stays else \
        np.empty(binning.count, np.float64 if sample.weighted else np.int64)
    counts, sums = (None, table) if sample.weighted else (table, None)
    known = not stays or binning.struct.auto_range
    sample.tally(binning.struct, counts, sums, found if known else None)
    return table, found


def _by_numpy(sample: Sample, binning: Binning, found: HistogramResult) -> np.ndarray:
    """What the library has not: integers beyond 2**53 between integer edges, and no bins at all."""
    values = sample.on_host()
    weights = sample.on_host(1) if sample.weighted else None
    edges = binning.edges
    bins, range = binning.integers or (edges, None)
    ends = edges if range is None else range
    found.count = values.size
    if len(ends):
        found.under = int(np.count_nonzero(values < ends[0]))
        found.over = int(np.count_nonzero(values > ends[-1]))
    if weights is not None and sample.exact:
        return _exactly(sample, values, edges if range is None else
                        np.histogram_bin_edges(values, bins, range))
    table = np.histogram(values, bins, range, weights=weights)[0]
    return table if weights is None else table.astype(np.float64)


def _exactly(sample: Sample, values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Exact sums in bins that the library does not have, by their numbers."""
    made = np.zeros(max(len(edges) - 1, 0))
    if not made.size:
        return made
    number = np.searchsorted(edges, values, "right") - 1
    number[values == edges[-1]] = made.size - 1
    numbered = sample_of(operand(number), sample.on_host(1), None, None, exact=True)
    numbered.tally(Bins(kind=BINS_INTEGER, count=made.size), None, made, None)
    return made
