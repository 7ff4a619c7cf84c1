"""States of pieces of arrays: ``heddle.state.sum(x, start=k)`` is one, and ``|`` merges two.

A state is small, whatever it saw, and can be pickled: what moves between processes and hosts in the
place of arrays. Merged by any tree, states give the bits of the plain call on the whole array, as
`result` says. `start` is where a piece begins in it; what does not depend on the order of elements
(integers, extremes, exact sums) merges without.

Examples
--------
>>> import pickle, numpy as np, heddle as hd
>>> x = 1 / np.arange(1, 10_001, dtype=np.float32)
>>> parts = [hd.state.sum(x[k:k + 999], start=k) for k in range(0, x.size, 999)]
>>> total = pickle.loads(pickle.dumps(parts[0]))
>>> for part in parts[1:]:
...     total |= part
>>> total.result() == hd.sum(x)
np.True_
"""

from __future__ import annotations

from typing import Any

from ._counts import Counts
from ._quantiles import Quantiles
from ._ranked import Nth, TopK
from ._verbs import Dot, Moments, Reduction
from ._weighted import WeightedQuantiles
from .._typing import Array

__all__ = ["all", "any", "argmax", "argmin", "describe", "dot", "fdot", "fsum", "histogram", "max",
           "min", "nth", "prod", "quantiles", "sum", "sum_squares", "topk",
           "weighted_quantiles"]


def _reduction(name: str) -> Any:
    def function(a: Array, *, start: int = 0, **options: Any) -> Reduction:
        return Reduction(name, start=start, **options).update(a)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The state of `heddle.{name}` of a piece that begins at element `start`.

    Options are those of `heddle.Reduction`.
    """
    return function


all, any, argmax, argmin, max, min, prod, sum, sum_squares = map(
    _reduction, ("all", "any", "argmax", "argmin", "max", "min", "prod", "sum", "sum_squares"))


def fsum(a: Array, **options: Any) -> Reduction:
    """The state of `heddle.fsum` of a piece, wherever it begins; options as of `Reduction`."""
    return Reduction("sum", exact=True, **options).update(a)


def dot(a: Array, b: Array, *, start: int = 0, **options: Any) -> Dot:
    """The state of `heddle.dot` of two pieces that begin at element `start`; as `heddle.Dot`."""
    return Dot(start=start, **options).update(a, b)


def fdot(a: Array, b: Array, **options: Any) -> Dot:
    """The state of `heddle.fdot` of two pieces, wherever they begin; options as of `heddle.Dot`."""
    return Dot(exact=True, **options).update(a, b)


def describe(a: Array, *, start: int = 0, **options: Any) -> Moments:
    """The state of `heddle.describe` of a piece that begins at element `start`; as `Moments`."""
    return Moments(start=start, **options).update(a)


def quantiles(a: Array, q: Array, **options: Any) -> Quantiles:
    """The state of a first pass over a piece, wherever it begins; as `heddle.Quantiles`."""
    return Quantiles(q, **options).update(a)


def weighted_quantiles(a: Array, weights: Array, q: Array, **options: Any) -> WeightedQuantiles:
    """The state of a first pass over a piece, wherever it begins; as `heddle.WeightedQuantiles`."""
    return WeightedQuantiles(q, **options).update(a, weights)


def nth(a: Array, ranks: Array, **options: Any) -> Nth:
    """The state of a first pass over a piece, wherever it begins; as `heddle.Nth`."""
    return Nth(ranks, **options).update(a)


def topk(a: Array, k: int, largest: bool = True, *, start: int = 0, **options: Any) -> TopK:
    """The state of `heddle.topk` of a piece that begins at element `start`; as `heddle.TopK`."""
    return TopK(k, largest, start=start, **options).update(a)


def histogram(a: Array, bins: Any, range: Any = None, weights: Array | None = None,
              **options: Any) -> Counts:
    """The state of `heddle.histogram` of a piece, wherever it begins; as `heddle.Counts`."""
    return Counts(bins, range, **options).update(a, weights)
