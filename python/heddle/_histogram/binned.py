"""binned_statistic and profile: what values come to in each bin of the coordinates beside them.

A point has a bin by digitize; the points of a bin are folded as those of a group, in the order in
which they stand, so that results have the same bits for any number of threads.

Source: SciPy's scipy.stats.binned_statistic (names, numbers of bins, empty bins).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._arrays.operand import on_host
from .._groups.groupby import GroupBy
from .._groups.search import digitize
from .._sort import argsort
from .._typing import Array

__all__ = ["BinnedStatisticResult", "Profile", "binned_statistic", "profile"]

_STATISTICS = ("mean", "std", "median", "count", "sum", "min", "max")
_ZERO_IF_EMPTY = ("count", "sum")


class BinnedStatisticResult(NamedTuple):
    """What `binned_statistic` gives."""

    statistic: np.ndarray
    bin_edges: np.ndarray
    binnumber: np.ndarray


class Profile(NamedTuple):
    """What `profile` gives: for each bin of x."""

    count: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    edges: np.ndarray


def column(x: Any, name: str) -> np.ndarray:
    """An argument that is an array of numbers in one dimension."""
    array = np.asarray(on_host(x, name))
    if array.ndim != 1:
        raise ValueError(f"{name}: one dimension is wanted, not the shape {array.shape}")
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{name}: dtype {array.dtype} is not supported by heddle; it is bool, "
                        "integers, float16, float32 or float64")
    return array


def _pair(x: Any, values: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    first, second = column(x, "x"), column(values, name)
    if len(first) != len(second):
        raise ValueError(f"{name}: {len(second)} elements beside {len(first)} of x")
    return first, second.astype(np.float64)


def numbers_of(x: np.ndarray, bins: Any, range: Any, threads: Any,
             device: Any) -> tuple[np.ndarray, np.ndarray]:
    """Edges, and each point's bin: from 1 on, 0 below the first edge, the last one beyond."""
    if isinstance(bins, str):
        raise TypeError(f"bins: a number or edges are wanted, not {bins!r}")
    if range is not None and np.shape(range) != (2,):
        raise ValueError(f"range: two numbers are wanted, not {range!r}")
    edges = np.histogram_bin_edges(x, on_host(bins, "bins"), range)
    if len(edges) < 2 or edges.dtype.kind == "f" and np.isnan(edges).any():
        raise ValueError("bins: two edges at least are wanted, none of them NaN")
    numbers = np.asarray(digitize(x, edges, threads=threads, device=device))
    numbers[x == edges[-1]] = len(edges) - 1  # the last bin has both of its edges
    return edges, numbers


def _medians(numbers: np.ndarray, values: np.ndarray, threads: Any, device: Any) -> np.ndarray:
    """The median of each group that has rows; NaN where a value is."""
    order = np.asarray(argsort(values, threads=threads, device=device))
    groups = GroupBy(numbers[order], threads=threads, device=device)
    rows, offsets = np.asarray(groups.gather(values[order])), groups.offsets.astype(np.int64)
    counts = np.diff(offsets)
    low, high = rows[offsets[:-1] + (counts - 1) // 2], rows[offsets[:-1] + counts // 2]
    middle = np.where(low == high, low, low / 2 + high / 2)
    return np.where(np.isnan(rows[offsets[1:] - 1]), np.nan, middle)


def check_statistic(statistic: Any) -> None:
    if statistic not in _STATISTICS:
        raise ValueError(f"statistic: {statistic!r} is none of {', '.join(_STATISTICS)}")


def folded(numbers: np.ndarray, rows: np.ndarray, statistic: str, size: int, threads: Any,
           device: Any) -> np.ndarray:
    """The statistic of the rows of each number below `size`."""
    placed = np.full(size, 0.0 if statistic in _ZERO_IF_EMPTY else np.nan)
    if not len(numbers):
        return placed
    groups = GroupBy(numbers, threads=threads, device=device)
    if statistic == "count":
        placed[groups.keys] = groups.count()
    elif statistic == "median":
        placed[groups.keys] = _medians(numbers, rows, threads, device)
    else:
        placed[groups.keys] = getattr(groups, statistic)(rows)
    return placed


def _place(groups: GroupBy, results: Any, count: int, empty: float) -> np.ndarray:
    """Results of groups in their bins, without those of the points outside."""
    placed = np.full(count + 2, empty)
    placed[groups.keys] = results
    return placed[1:-1]


def binned_statistic(x: Array, values: Array, statistic: str = "mean", bins: Any = 10,
                     range: Any = None, *, threads: int | None = None,
                     device: str | None = None) -> BinnedStatisticResult:
    """A statistic of the values in each bin of x, as ``scipy.stats.binned_statistic``.

    Parameters
    ----------
    x : array_like
        The coordinates, in one dimension, of the host.
    values : array_like
        A value for each; taken as float64.
    statistic : {"mean", "std", "median", "count", "sum", "min", "max"}
        Of which std divides by the number of values.
    bins, range
        As in ``numpy.histogram``, without names of rules.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    BinnedStatisticResult
        The statistic, 0 for a count or sum of no values, else NaN there; the edges; each point's
        bin from 1 on, 0 below the first edge, the number of edges above the last one and for NaN.

    Raises
    ------
    TypeError, ValueError
        For several dimensions, other lengths, dtypes, statistics; edges that fall or are NaN.

    Notes
    -----
    Sums are of order v1 of a bin's values as they stand. A NaN among values makes its bin's mean,
    std, median, sum, min and max NaN. A point is on the last edge if it equals that; SciPy rounds.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.binned_statistic([1, 1, 2, 5, 7], [1.0, 1.0, 2.0, 1.5, 3.0], "sum", bins=2).statistic
    array([4. , 4.5])
    """
    check_statistic(statistic)
    points, rows = _pair(x, values, "values")
    edges, numbers = numbers_of(points, bins, range, threads, device)
    made = folded(numbers, rows, statistic, len(edges) + 1, threads, device)
    return BinnedStatisticResult(made[1:-1], edges, numbers)


def profile(x: Array, y: Array, bins: Any = 10, range: Any = None, *,
            threads: int | None = None, device: str | None = None) -> Profile:
    """How y runs along x: in each bin of x the number of points, the mean of y and its error.

    Parameters
    ----------
    x, y, bins, range, threads, device
        As `binned_statistic`, y in place of values.

    Returns
    -------
    Profile
        Counts; means, NaN for no point; standard errors, the standard deviation of a sample by the
        root of the count, NaN for fewer than two points; the edges.

    Examples
    --------
    >>> import heddle as hd
    >>> made = hd.profile([0, 0, 3, 3], [1.0, 3.0, 5.0, 5.0], bins=2)
    >>> made.count, made.mean, made.error
    (array([2, 2]), array([2., 5.]), array([1., 0.]))
    """
    points, rows = _pair(x, y, "y")
    edges, numbers = numbers_of(points, bins, range, threads, device)
    count = len(edges) - 1
    if not len(points):
        return Profile(np.zeros(count, np.int64), np.full(count, np.nan), np.full(count, np.nan),
                       edges)
    groups = GroupBy(numbers, threads=threads, device=device)
    counts = groups.count()
    errors = groups.std(rows, ddof=1) / np.sqrt(counts)
    return Profile(_place(groups, counts, count, 0).astype(np.int64),
                   _place(groups, groups.mean(rows), count, np.nan),
                   _place(groups, errors, count, np.nan), edges)
