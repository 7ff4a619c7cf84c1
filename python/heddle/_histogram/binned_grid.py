"""binned_statistic_2d, binned_statistic_dd and profile2d: what values come to in each bin of a grid.

A point's number is that of its bins on all axes, as numpy.ravel_multi_index has it; from there on it
is as in binned.py.

Source: SciPy's scipy.stats.binned_statistic_dd (names, numbers of bins, empty bins).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .._arrays.operand import on_host
from .._groups.groupby import GroupBy
from .._typing import Array
from .binned import check_statistic, column, folded, numbers_of

__all__ = ["BinnedStatistic2dResult", "BinnedStatisticddResult", "Profile2d",
           "binned_statistic_2d", "binned_statistic_dd", "profile2d"]

_MOST_BINS = 2**28


class BinnedStatistic2dResult(NamedTuple):
    """What `binned_statistic_2d` gives."""

    statistic: np.ndarray
    x_edge: np.ndarray
    y_edge: np.ndarray
    binnumber: np.ndarray


class BinnedStatisticddResult(NamedTuple):
    """What `binned_statistic_dd` gives."""

    statistic: np.ndarray
    bin_edges: list[np.ndarray]
    binnumber: np.ndarray


class Profile2d(NamedTuple):
    """What `profile2d` gives: for each bin of x and y."""

    count: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    x_edges: np.ndarray
    y_edges: np.ndarray


class _Grid(NamedTuple):
    """Points with their bins: edges of each axis, numbers of each axis, and of the grid."""

    edges: list[np.ndarray]
    each: np.ndarray
    numbers: np.ndarray
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def inner(self, placed: np.ndarray) -> np.ndarray:
        """Of results of all numbers those of points within the grid."""
        return placed.reshape(self.shape)[(slice(1, -1),) * len(self.shape)].copy()


def _grid(points: list[np.ndarray], bins: Any, range: Any, threads: Any, device: Any) -> _Grid:
    dims = len(points)
    try:
        each_bins = list(bins)
    except TypeError:
        each_bins = [bins] * dims
    if len(each_bins) != dims:
        raise ValueError(f"bins: {len(each_bins)} of them for {dims} axes")
    ranges = [None] * dims if range is None else list(range)
    if len(ranges) != dims:
        raise ValueError(f"range: {len(ranges)} of them for {dims} axes")
    made = [numbers_of(x, b, r, threads, device) for x, b, r in zip(points, each_bins, ranges)]
    edges, each = [e for e, _ in made], np.stack([n for _, n in made])
    shape = tuple(len(e) + 1 for e in edges)
    if math.prod(shape) > _MOST_BINS:
        raise ValueError(f"bins: {math.prod(shape)} bins together, those outside among them; use up "
                         "to 2**28")
    return _Grid(edges, each, np.ravel_multi_index(tuple(each), shape), shape)


def _both(bins: Any) -> Any:
    """Bins of two axes: edges alone are those of both."""
    if np.ndim(bins) == 0 and not isinstance(bins, (list, tuple)) or len(bins) == 2:
        return bins
    return [bins, bins]


def _same_length(points: list[np.ndarray], values: np.ndarray, name: str) -> None:
    for d, x in enumerate(points):
        if len(x) != len(values):
            raise ValueError(f"{name}: {len(values)} elements beside {len(x)} on axis {d}")


def binned_statistic_dd(sample: Array | Sequence[Array], values: Array, statistic: str = "mean",
                        bins: Any = 10, range: Any = None, expand_binnumbers: bool = False, *,
                        threads: int | None = None,
                        device: str | None = None) -> BinnedStatisticddResult:
    """A statistic of the values in each bin of a grid, as ``scipy.stats.binned_statistic_dd``.

    Parameters
    ----------
    sample : (N, D) array_like or sequence of D arrays
        The points, of the host: a row each of an array, or an array for each axis.
    values : array_like
        A value for each; taken as float64.
    statistic : {"mean", "std", "median", "count", "sum", "min", "max"}
        Of which std divides by the number of values.
    bins, range
        For each axis as in ``numpy.histogram``; one number of bins is that of all axes.
    expand_binnumbers : bool
        The bins of points axis by axis, of shape (D, N).
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    BinnedStatisticddResult
        The statistic, 0 for a count or sum of no values, else NaN there; the edges of each axis; each
        point's bin, counted as by ``numpy.ravel_multi_index`` in a grid that has on each axis a bin
        before the first edge and one behind the last.

    Raises
    ------
    TypeError, ValueError
        For other lengths, dtypes, statistics; edges that fall or are NaN; more than 2**28 bins.

    Notes
    -----
    As in `binned_statistic`: sums are of order v1 of a bin's values as they stand.

    Examples
    --------
    >>> import heddle as hd
    >>> made = hd.binned_statistic_dd([[0, 1, 1, 3], [0, 0, 2, 2]], [1.0, 2.0, 3.0, 5.0], "sum", 2)
    >>> made.statistic
    array([[3., 3.],
           [0., 5.]])
    """
    check_statistic(statistic)
    if hasattr(sample, "shape"):
        matrix = np.asarray(on_host(sample, "sample"))
        if matrix.ndim not in (1, 2):
            raise ValueError(f"sample: it has {matrix.ndim} dimensions; a row is a point, a column "
                             "an axis")
        parts: Any = [matrix] if matrix.ndim == 1 else list(matrix.T)
    else:
        parts = list(sample)
    points = [column(part, f"sample[{d}]") for d, part in enumerate(parts)]
    if not points:
        raise ValueError("sample: it has no axis")
    rows = column(values, "values").astype(np.float64)
    _same_length(points, rows, "values")
    grid = _grid(points, bins, range, threads, device)
    placed = folded(grid.numbers, rows, statistic, grid.size, threads, device)
    return BinnedStatisticddResult(grid.inner(placed), grid.edges,
                                   grid.each if expand_binnumbers else grid.numbers)


def binned_statistic_2d(x: Array, y: Array, values: Array, statistic: str = "mean",
                        bins: Any = 10, range: Any = None, expand_binnumbers: bool = False, *,
                        threads: int | None = None,
                        device: str | None = None) -> BinnedStatistic2dResult:
    """A statistic of the values in each bin of x and y, as ``scipy.stats.binned_statistic_2d``.

    Parameters
    ----------
    x, y : array_like
        The coordinates, in one dimension, of the host.
    values, statistic, range, expand_binnumbers, threads, device
        As `binned_statistic_dd`.
    bins : int, array or two of them
        How many bins both axes have, or their edges; or one of the two for each axis.

    Returns
    -------
    BinnedStatistic2dResult
        As of `binned_statistic_dd`, the edges one by one.

    Examples
    --------
    >>> import heddle as hd
    >>> made = hd.binned_statistic_2d([0, 1, 1, 3], [0, 0, 2, 2], [1.0, 2.0, 3.0, 5.0], "max", 2)
    >>> made.statistic
    array([[ 2.,  3.],
           [nan,  5.]])
    >>> made.binnumber
    array([ 5,  5,  6, 10])
    """
    made = binned_statistic_dd([column(x, "x"), column(y, "y")], values, statistic, _both(bins),
                               range, expand_binnumbers, threads=threads, device=device)
    return BinnedStatistic2dResult(made.statistic, *made.bin_edges, made.binnumber)


def profile2d(x: Array, y: Array, z: Array, bins: Any = 10, range: Any = None, *,
              threads: int | None = None, device: str | None = None) -> Profile2d:
    """How z runs over x and y: in each bin the number of points, the mean of z and its error.

    Parameters
    ----------
    x, y, bins, range, threads, device
        As `binned_statistic_2d`.
    z : array_like
        A value for each point; taken as float64.

    Returns
    -------
    Profile2d
        Counts; means, NaN for no point; standard errors, the standard deviation of a sample by the
        root of the count, NaN for fewer than two points; the edges.

    Examples
    --------
    >>> import heddle as hd
    >>> made = hd.profile2d([0, 0, 3, 3], [0, 0, 3, 3], [1.0, 3.0, 5.0, 5.0], bins=2)
    >>> made.count
    array([[2, 0],
           [0, 2]])
    >>> made.error
    array([[ 1., nan],
           [nan,  0.]])
    """
    points, rows = [column(x, "x"), column(y, "y")], column(z, "z").astype(np.float64)
    _same_length(points, rows, "z")
    grid = _grid(points, _both(bins), range, threads, device)
    counts = np.zeros(grid.size, np.int64)
    means, errors = np.full(grid.size, np.nan), np.full(grid.size, np.nan)
    if len(rows):
        groups = GroupBy(grid.numbers, threads=threads, device=device)
        counts[groups.keys] = groups.count()
        means[groups.keys] = groups.mean(rows)
        errors[groups.keys] = groups.std(rows, ddof=1) / np.sqrt(counts[groups.keys])
    return Profile2d(*map(grid.inner, (counts, means, errors)), *grid.edges)
