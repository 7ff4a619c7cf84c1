"""Quantiles by weights of data that come in pieces, in passes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays.operand import Operand, operand
from .._rank.quantiles import _shares
from .._typing import Array
from ._base import locked
from ._quantiles import Shares

__all__ = ["WeightedQuantiles"]

_METHOD = "inverted_cdf"


class WeightedQuantiles(Shares):
    """Exact quantiles by weights of data that come in pieces.

    All data are taken once a pass, with their weights, as `heddle.Quantiles` takes them; `round` ends a
    pass, and is True where another is needed. Of 8 and 16 bits an element one pass is enough, of 32 bits
    two, of 64 bits up to four; one more for more than two values that are looked for.

    Parameters
    ----------
    q : float or array_like
        Shares, 0 to 1; 0.5 is the median. At most 4,096.
    skipna : bool
        Whether NaN count as absent; else with any NaN all quantiles are NaN.
    threads, device
        As in `heddle.sum`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, of bool, or on a device.
    ValueError
        For shares outside of 0 to 1; from `update` for nulls, for weights of another shape, below 0,
        infinite or NaN; from `round` and `update` for data or weights that are not those of the passes
        before, as far as exact sums tell; from `result` for quantiles of nothing, or of weights whose sum
        is 0; from `merge` for states of two passes.

    Notes
    -----
    The float64 of ``heddle.quantile(x, q, method="inverted_cdf", weights=w)`` of all elements: the first
    of them, in order, up to which the real sum of weights, as float64 each, reaches its share of the
    whole; of zeros +0.0. However data are cut, in whatever order they come, and whatever merges with what
    by ``|``: sums are exact, and their order changes no bit.

    Examples
    --------
    >>> import numpy as np, heddle as hd
    >>> x, w = np.arange(1000.0)[::-1] ** 2, np.arange(1000.0)
    >>> median = hd.WeightedQuantiles(0.5)
    >>> while True:
    ...     for k in range(0, 1000, 100):
    ...         median = median.update(x[k:k + 100], w[k:k + 100])
    ...     if not median.round():
    ...         break
    >>> median.result() == hd.quantile(x, 0.5, method="inverted_cdf", weights=w)
    np.True_
    """

    _verb = "weighted_quantiles"

    def __init__(self, q: Array, *, skipna: bool = False, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(skipna, threads, device)
        self._q, self._method = _shares(q, 1, "q: shares are 0 to 1")[0], _METHOD

    def _call(self) -> tuple[Any, ...]:
        return self._nan, self._q.shape, self._q.tobytes()

    @locked
    def update(self, chunk: Array, weights: Array) -> WeightedQuantiles:
        """Takes the next piece of this pass, of any shape, and a weight for each element."""
        x, w = operand(chunk, "chunk"), operand(weights, "weights")
        if x.dtype.kind == "b":
            raise TypeError("chunk: quantiles are of numbers, not of bool")
        if w.host is None:
            raise TypeError("weights: pieces are arrays of the host")
        for name, z in (("chunk", x), ("weights", w)):
            if z.valid is not None and not z.valid.all():
                raise ValueError(f"{name}: weighted quantiles in pieces are of arrays without nulls")
        if x.shape != w.shape:
            raise ValueError(f"weights: their shape is {w.shape}, that of chunk is {x.shape}")
        self._feed(self._take(x), w.astype(np.float64))
        return self
