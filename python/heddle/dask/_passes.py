"""Quantiles: of all elements in passes over the chunks, which are not held; along an axis by rows."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from dask.delayed import delayed

import heddle as hd

from .._typing import Array, Axis
from ._chunks import along, flat, merged, no_axis, tree

__all__ = ["median", "percentile", "quantile"]


def _taken(states: list[hd.Quantiles], block: np.ndarray) -> list[hd.Quantiles]:
    return [copy.copy(state).update(block) for state in states]


def _joined(parts: list[list[hd.Quantiles]]) -> list[hd.Quantiles]:
    return [merged(list(states)) for states in zip(*parts)]


def _found(a: Any, states: list[hd.Quantiles]) -> list[Any]:
    """The results of states, by as many passes over all elements as they want."""
    x, task = flat(a, "a"), delayed(_taken, pure=True)
    while True:
        states = tree([task(states, block) for block in x.to_delayed()], _joined).compute()
        if not any([state.round() for state in states]):
            return [state.result() for state in states]


def quantile(a: Any, q: Array, axis: Axis = None, *, method: str = "linear", keepdims: bool = False,
             skipna: bool = False, threads: int = 1) -> Any:
    """The quantiles of all elements, or along an axis, an array of Dask.

    Those of all elements, float64 as of `heddle.Quantiles`, are not put off but found at once: each
    pass computes the array anew, so that it need not be held, and says what the next one looks for.
    There are two or three, of 8 and 16 bits an element one. Along an axis as `heddle.quantile`.
    """
    if axis is not None:
        called = hd.nanquantile if skipna else hd.quantile
        return along(called, a, axis, keepdims, q, method=method, threads=threads)
    no_axis(keepdims)
    return _found(a, [hd.Quantiles(q, method=method, skipna=skipna, threads=threads)])[0]


def percentile(a: Any, q: Array, axis: Axis = None, **options: Any) -> Any:
    """`quantile` of q / 100."""
    return quantile(a, np.true_divide(q, 100), axis, **options)


def median(a: Any, axis: Axis = None, *, keepdims: bool = False, skipna: bool = False,
           threads: int = 1) -> Any:
    """The median: of all elements a float64, found at once as `quantile`, or along an axis an array of Dask."""
    if axis is not None:
        return along(hd.nanmedian if skipna else hd.median, a, axis, keepdims, threads=threads)
    no_axis(keepdims)
    middle = [hd.Quantiles(0.5, method=method, skipna=skipna, threads=threads)
              for method in ("lower", "higher")]
    return np.mean(_found(a, middle))
