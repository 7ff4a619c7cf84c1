"""Figures of all elements, by states that are merged, or along an axis."""

from __future__ import annotations

from typing import Any, Callable

import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed

import heddle as hd

from .. import state
from .._moments import means_of, quotients_of
from .._typing import Axis
from ._chunks import along, array_of, flat, merged, no_axis, starts, tree

__all__ = ["all", "any", "argmax", "argmin", "describe", "dot", "fdot", "fsum", "histogram", "max",
           "mean", "min", "prod", "std", "sum", "sum_squares", "var"]


def _folded(take: Callable[..., Any], arrays: list[da.Array], options: dict[str, Any],
            finish: Callable[[Any], Any], ordered: bool = True) -> Delayed:
    """What `finish` makes of the states that `take` makes of the arrays' chunks, which are cut alike."""
    options = {"threads": 1, **options}
    task = delayed(take, pure=True)
    blocks = zip(*(a.to_delayed() for a in arrays))
    parts = [task(*block, **options, **({"start": start} if ordered else {}))
             for start, block in zip(starts(arrays[0]), blocks)]
    return delayed(finish, pure=True)(tree(parts, merged))


def _result(merged: Any) -> Any:
    return merged.result()


def _reduction(name: str, ordered: bool = True) -> Callable[..., Any]:
    take = getattr(state, name)

    def function(a: da.Array, axis: Axis = None, *, keepdims: bool = False, **options: Any) -> Any:
        if axis is not None:
            return along(getattr(hd, name), a, axis, keepdims, **options)
        no_axis(keepdims)
        return _folded(take, [flat(a, "a")], options, _result, ordered)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`heddle.{name}` of all elements, a Delayed, or along an axis, an array of Dask;
    options are those of `heddle.state.{name}`, along an axis those of `heddle.{name}`."""
    return function


def _pair(name: str, ordered: bool = True) -> Callable[..., Delayed]:
    take = getattr(state, name)

    def function(a: da.Array, b: da.Array, **options: Any) -> Delayed:
        x, y = flat(a, "a"), flat(b, "b")
        if a.shape != b.shape:
            raise ValueError(f"b: shapes {a.shape} and {b.shape} not aligned")
        return _folded(take, [x, y.rechunk(x.chunks)], options, _result, ordered)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`heddle.{name}` of two arrays of one shape, cut in any way; options are those of
    `heddle.state.{name}`."""
    return function


# ---- moments ------------------------------------------------------------------------------------


class _Both:
    """The states of a sum and of moments, side by side; one of them may be missing."""

    def __init__(self, total: Any, moments: Any) -> None:
        self.total, self.moments = total, moments

    def __or__(self, other: _Both) -> _Both:
        return _Both(*(None if a is None else a | b for a, b in
                       ((self.total, other.total), (self.moments, other.moments))))


def _for_mean(block: np.ndarray, summed: bool, described: bool, skipna: bool, start: int,
              threads: int) -> _Both:
    dtype = np.float64 if block.dtype.kind == "f" else None
    return _Both(state.sum(block, dtype=dtype, start=start, threads=threads) if summed else None,
                 state.describe(block, skipna=skipna, start=start, threads=threads) if described else None)


def _mean_of(dtype: np.dtype, skipna: bool, both: _Both) -> Any:
    figures = None if both.moments is None else \
        {name: np.asarray(figure) for name, figure in both.moments.result()._asdict().items()}
    if both.total is None:
        return means_of(figures, quotients_of(figures) if skipna else None).astype(dtype)[()]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        quotient = np.asarray(np.float64(both.total.result()) / both.total.count)
        if figures is not None and not np.isfinite(quotient):  # the total may be beyond float64
            quotient = means_of(figures, quotient)
        return quotient.astype(dtype)[()]


def mean(a: da.Array, axis: Axis = None, *, keepdims: bool = False, skipna: bool = False,
         threads: int = 1) -> Any:
    """`heddle.mean` of all elements, a Delayed, or along an axis, an array of Dask."""
    if axis is not None:
        return along(hd.mean, a, axis, keepdims, skipna=skipna, threads=threads)
    no_axis(keepdims)
    x = flat(a, "a")
    skipna = skipna and x.dtype.kind == "f"  # no integer is NaN
    wide = skipna or x.dtype.kind in "iu" and x.dtype.itemsize == 8 or x.size >> 31 or not x.size
    options = {"summed": not wide, "described": bool(wide or x.dtype == np.float64), "skipna": skipna,
               "threads": threads}
    return _folded(_for_mean, [x], options, _Finish(_mean_of, _float_of(x), skipna))


class _Finish:
    """A function with its first argument, which tasks are named by."""

    def __init__(self, function: Callable[..., Any], *given: Any) -> None:
        self.function, self.given = function, given

    def __call__(self, last: Any) -> Any:
        return self.function(*self.given, last)

    def __dask_tokenize__(self) -> Any:
        return self.function.__qualname__, *map(str, self.given)


def _float_of(x: da.Array) -> np.dtype:
    return x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)


def _variance_of(dtype: np.dtype, ddof: float, root: bool, skipna: bool, moments: Any) -> Any:
    figures = moments.result()
    count = np.float64(figures.count - figures.nan if skipna else figures.count)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        found = figures.variance * (count / np.maximum(count - ddof, 0))
        if figures.infinite > 0 or np.isnan(found):
            found = np.float64(np.nan)
        return (np.sqrt(found) if root else found).astype(dtype)[()]


def _spread(name: str) -> Callable[..., Any]:
    def function(a: da.Array, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False,
                 skipna: bool = False, threads: int = 1) -> Any:
        if axis is not None:
            return along(getattr(hd, name), a, axis, keepdims, ddof=ddof, skipna=skipna, threads=threads)
        no_axis(keepdims)
        x = flat(a, "a")
        return _folded(state.describe, [x], {"skipna": skipna, "threads": threads},
                       _Finish(_variance_of, _float_of(x), ddof, name == "std", skipna))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`heddle.{name}` of all elements, a Delayed, or along an axis, an array of Dask."""
    return function


# ---- histograms ---------------------------------------------------------------------------------


def _counted(block: np.ndarray, bins: Any, limits: Any, threads: int) -> tuple[np.ndarray, np.ndarray]:
    return hd.histogram(block, bins, limits, threads=threads)


def _added(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.add.reduce([counts for counts, _ in parts]), parts[0][1]


def _weighed(block: np.ndarray, weights: np.ndarray, bins: Any, limits: Any, threads: int) -> Any:
    return state.histogram(block, bins, limits, weights, threads=threads)


def _sums(merged: Any) -> tuple[np.ndarray, np.ndarray]:
    found = merged.result()
    return found.hist, found.edges


def histogram(a: da.Array, bins: Any = 10, range: Any = None, *, weights: da.Array | None = None,
              threads: int = 1) -> Delayed:
    """`heddle.histogram` of all elements: counts and edges, or exact sums of weights and edges.

    Without edges and `range` the array is read twice: its least and its greatest element come first.
    Sums of weights, an array of the shape of a, are those of ``heddle.histogram(..., exact=True)``.
    """
    x = flat(a, "a")
    if isinstance(bins, str):
        raise TypeError("bins: a rule for their number needs all elements in one place; give a number or "
                        "edges")
    if range is None and np.ndim(bins) == 0 and x.size:
        range = (min(x, threads=threads), max(x, threads=threads))
    if weights is None:
        task = delayed(_counted, pure=True)
        return tree([task(block, bins, range, threads) for block in x.to_delayed()], _added)
    if array_of(weights, "weights").shape != a.shape:
        raise ValueError("weights: weights should have the same shape as a; theirs is "
                         f"{weights.shape}, that of a is {a.shape}")
    if range is None and np.ndim(bins) == 0:
        range = (0, 1)  # of nothing, as heddle.histogram has it
    options = {"bins": bins, "limits": range, "threads": threads}
    return _folded(_weighed, [x, flat(weights, "weights").rechunk(x.chunks)], options, _sums, ordered=False)


all, any, argmax, argmin, max, min, prod, sum, sum_squares = map(
    _reduction, ("all", "any", "argmax", "argmin", "max", "min", "prod", "sum", "sum_squares"))
fsum = _reduction("fsum", ordered=False)
dot, fdot = _pair("dot"), _pair("fdot", ordered=False)
std, var = _spread("std"), _spread("var")


def describe(a: da.Array, **options: Any) -> Delayed:
    """`heddle.describe` of all elements; options are those of `heddle.state.describe`."""
    return _folded(state.describe, [flat(a, "a")], options, _result)
