"""heddle.dask: sums, dots, extremes, descriptions and histograms of Dask arrays, with heddle's bits.

The state of each chunk (`heddle.state`) is taken where the chunk is. States travel, mostly less than
a KiB each, and are merged by a tree; the result has the bits of heddle's function on the whole array,
however it is cut and whichever workers there are.

A function takes an array of any dimensions, whose elements count in C order, and gives a
`dask.delayed.Delayed`: `compute` has the value. What `heddle.state` takes it takes, too; each
chunk is folded by one thread unless `threads` says otherwise, for Dask has a chunk a thread.

Only this module imports Dask, which `import heddle` does not.

Examples
--------
>>> import dask.array as da, numpy as np, heddle as hd, heddle.dask as hdd
>>> x = 1 / np.arange(1, 100_001, dtype=np.float32)
>>> hdd.sum(da.from_array(x, chunks=777)).compute() == hd.sum(x)
np.True_
>>> counts, edges = hdd.histogram(da.from_array(x, chunks=777), bins=[0, 3e-5, 3e-3, 1]).compute()
>>> counts
array([66667, 33000,   333])
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
from typing import Any, Callable

import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed

from . import state
from ._histogram.histogram import histogram as _histogram

__all__ = ["all", "any", "argmax", "argmin", "describe", "dot", "fdot", "fsum", "histogram", "max",
           "min", "prod", "sum", "sum_squares"]

WIDTH = 8  # how many states, or tables of counts, one task merges


def _flat(a: Any, name: str) -> da.Array:
    """The array as one of a dimension, with chunks of known sizes."""
    if not isinstance(a, da.Array):
        raise TypeError(f"{name}: an array of Dask is wanted, not {type(a).__name__}; heddle's "
                        "function of this name takes the others")
    if builtins.any(math.isnan(size) for sizes in a.chunks for size in sizes):
        raise ValueError(f"{name}: it has chunks of unknown sizes; a.compute_chunk_sizes() finds "
                         "them")
    return a if a.ndim == 1 else a.ravel()


def _tree(parts: list[Delayed], merged: Callable[[list[Any]], Any]) -> Delayed:
    """One of many, by tasks that each merge some neighbours."""
    task = delayed(merged, pure=True)
    while len(parts) > 1:
        parts = [task(parts[i:i + WIDTH]) for i in builtins.range(0, len(parts), WIDTH)]
    return parts[0]


def _merged(states: list[Any]) -> Any:
    """A new state of all; those that are merged are other tasks' results and stay as they are."""
    return functools.reduce(lambda total, part: total | part, states)


def _result(merged: Any) -> Any:
    return merged.result()


def _folded(take: Callable[..., Any], arrays: list[da.Array], options: dict[str, Any],
            ordered: bool = True) -> Delayed:
    """The result of the states that `take` makes of the arrays' chunks, which are cut alike."""
    options = {"threads": 1, **options}
    task = delayed(take, pure=True)
    starts = itertools.accumulate(arrays[0].chunks[0], initial=0)
    blocks = zip(*(a.to_delayed() for a in arrays))
    parts = [task(*block, **options, **({"start": int(start)} if ordered else {}))
             for start, block in zip(starts, blocks)]
    return delayed(_result, pure=True)(_tree(parts, _merged))


def _reduction(name: str, ordered: bool = True) -> Callable[..., Delayed]:
    take = getattr(state, name)

    def function(a: da.Array, **options: Any) -> Delayed:
        return _folded(take, [_flat(a, "a")], options, ordered)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`heddle.{name}` of all elements; options are those of `heddle.state.{name}`."""
    return function


def _pair(name: str, ordered: bool = True) -> Callable[..., Delayed]:
    take = getattr(state, name)

    def function(a: da.Array, b: da.Array, **options: Any) -> Delayed:
        x, y = _flat(a, "a"), _flat(b, "b")
        if a.shape != b.shape:
            raise ValueError(f"b: shapes {a.shape} and {b.shape} not aligned")
        return _folded(take, [x, y.rechunk(x.chunks)], options, ordered)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`heddle.{name}` of two arrays of one shape, cut in any way; options are those of
    `heddle.state.{name}`."""
    return function


def _counted(block: np.ndarray, bins: Any, limits: Any, threads: int) -> tuple[np.ndarray, np.ndarray]:
    return _histogram(block, bins, limits, threads=threads)


def _added(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.add.reduce([counts for counts, _ in parts]), parts[0][1]


def histogram(a: da.Array, bins: Any = 10, range: Any = None, *, threads: int = 1) -> Delayed:
    """`heddle.histogram` of all elements: counts and edges.

    Without edges and `range` the array is read twice: its least and its greatest element come first.
    """
    flat = _flat(a, "a")
    if isinstance(bins, str):
        raise TypeError("bins: a rule for their number needs all elements in one place; give a number or "
                        "edges")
    if range is None and np.ndim(bins) == 0 and flat.size:
        range = (min(flat, threads=threads), max(flat, threads=threads))
    task = delayed(_counted, pure=True)
    return _tree([task(block, bins, range, threads) for block in flat.to_delayed()], _added)


all, any, argmax, argmin, describe, max, min, prod, sum, sum_squares = map(
    _reduction, ("all", "any", "argmax", "argmin", "describe", "max", "min", "prod", "sum",
                 "sum_squares"))
fsum = _reduction("fsum", ordered=False)
dot, fdot = _pair("dot"), _pair("fdot", ordered=False)
