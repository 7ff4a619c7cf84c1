"""Chunks of a Dask array: one behind the other, merged by a tree, or whole along some axes."""

from __future__ import annotations

import builtins
import functools
import itertools
import math
from typing import Any, Callable, Iterable

import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed

from .._axes import axes_of

WIDTH = 8  # how many states, or tables of counts, one task merges


def array_of(a: Any, name: str) -> da.Array:
    """An array of Dask with chunks of known sizes."""
    if not isinstance(a, da.Array):
        raise TypeError(f"{name}: an array of Dask is wanted, not {type(a).__name__}; heddle's "
                        "function of this name takes the others")
    if any(math.isnan(size) for sizes in a.chunks for size in sizes):
        raise ValueError(f"{name}: it has chunks of unknown sizes; a.compute_chunk_sizes() finds "
                         "them")
    return a


def flat(a: Any, name: str) -> da.Array:
    """The array as one of a dimension."""
    a = array_of(a, name)
    return a if a.ndim == 1 else a.ravel()


def starts(a: da.Array) -> Iterable[int]:
    """Where each chunk of a line begins."""
    return map(int, itertools.accumulate(a.chunks[0][:-1], initial=0))


def tree(parts: list[Delayed], merged: Callable[[list[Any]], Any]) -> Delayed:
    """One of many, by tasks that each merge some neighbours."""
    task = delayed(merged, pure=True)
    while len(parts) > 1:
        parts = [task(parts[i:i + WIDTH]) for i in builtins.range(0, len(parts), WIDTH)]
    return parts[0]


def merged(states: list[Any]) -> Any:
    """A new state of all; those that are merged are other tasks' results and stay as they are."""
    return functools.reduce(lambda total, part: total | part, states)


def no_axis(keepdims: bool) -> None:
    if keepdims:
        raise ValueError("keepdims: it is for results along an axis")


def rows(a: Any, axis: Any) -> tuple[da.Array, tuple[int, ...]]:
    """The array in chunks that are whole along some axes, which are given back as numbers from 0."""
    a = array_of(a, "a")
    axes = axes_of(axis, a.ndim)
    if any(a.numblocks[i] > 1 for i in axes):
        others = "auto" if a.size else -1
        a = a.rechunk({i: -1 if i in axes else others for i in builtins.range(a.ndim)})
    return a, axes


def along(function: Callable[..., Any], a: Any, axis: Any, keepdims: bool = False, *more: Any,
          **options: Any) -> da.Array:
    """function(rows, *more, axis=, keepdims=), which gives a number a row, of each chunk of rows."""
    options = {"threads": 1, **options}
    a, axes = rows(a, axis)
    given = axes[0] if len(axes) == 1 else axes
    call = functools.partial(_called, function, more, {"axis": given, "keepdims": keepdims, **options})
    sample = call(np.ones((1,) * a.ndim, a.dtype))  # for the type, and refused arguments
    extra = sample.ndim - (a.ndim if keepdims else a.ndim - len(axes))
    kept = [(1,) if i in axes else sizes for i, sizes in enumerate(a.chunks) if keepdims or i not in axes]
    chunks = (*((n,) for n in sample.shape[:extra]), *kept)
    return a.map_blocks(call, dtype=sample.dtype, chunks=chunks, drop_axis=() if keepdims else axes,
                        new_axis=list(builtins.range(extra)) or None,
                        meta=np.empty((0,) * len(chunks), sample.dtype))


def _called(function: Callable[..., Any], more: Any, options: dict[str, Any], block: np.ndarray) -> np.ndarray:
    return np.asarray(function(block, *more, **options))
