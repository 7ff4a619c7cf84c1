"""Quantiles of data that come in pieces, several times over: counted, never held or sorted."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, operand
from .._axes import pointer_of
from .._native import QuantileOptions, byref, check, lib
from .._rank.quantiles import _METHODS, _shares
from ._base import locked
from ._passes import Passes
from .._typing import Array

__all__ = ["Quantiles"]


class Shares(Passes):
    """What quantiles of data in passes have in common, with weights or without."""

    _q: np.ndarray
    _method: str

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        options = QuantileOptions(method=_METHODS[self._method], nan=self._nan, weights_type=n.F64)
        self._flat = np.ascontiguousarray(self._q.reshape(-1))
        return x.type, pointer_of(self._flat), self._flat.size, byref(options)

    @locked
    def result(self) -> Any:
        """The quantiles of all data, in the shape of q, once `round` was False."""
        of = self._ready()
        found = np.empty(self._q.shape)
        check(lib.heddle_quantiles_finish(of._state, pointer_of(found)))
        return found[()]


class Quantiles(Shares):
    """Exact quantiles of data that come in pieces: files read again, parts of a cluster.

    All data are taken once a pass. What one pass has counted says which few values the next one
    looks for; `round` ends a pass, and is True where another is needed. Of 8 and 16 bits an
    element one pass is enough, of 32 bits two, of 64 bits two, or three for very much data.

    Parameters
    ----------
    q : float or array_like
        Shares, 0 to 1; 0.5 is the median.
    method : str
        NumPy's thirteen.
    skipna : bool
        Whether NaN count as absent; else with any NaN all quantiles are NaN. Nulls are skipped.
    threads, device
        As in `heddle.sum`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, of bool, or on a device.
    ValueError
        For another method, or shares outside of 0 to 1; from `round` and `update` for data that
        are not those of the passes before, as far as counts tell; from `result` for quantiles of
        nothing, or before `round` was False; from `merge` for states of two passes.

    Notes
    -----
    The float64 of `heddle.quantile` of all elements as float64, to the bit, however data are cut
    and in whatever order they come. States of one pass merge in any order by ``|``. Where several
    take parts, merge them, call `round`, and have each go on from a copy of that state. A state
    holds 2 MiB for 64-bit elements, 512 KiB for others, the same for each further value looked
    for; 32 MiB at most.

    Examples
    --------
    >>> import numpy as np, heddle as hd
    >>> pieces = np.split(np.arange(1000.0)[::-1] ** 2, 10)
    >>> median = hd.Quantiles(0.5)
    >>> while True:
    ...     for piece in pieces:
    ...         median = median.update(piece)
    ...     if not median.round():
    ...         break
    >>> median.result()
    np.float64(249500.5)
    """

    _verb = "quantiles"

    def __init__(self, q: Array, *, method: str = "linear", skipna: bool = False,
                 threads: int | None = None, device: str | None = None) -> None:
        super().__init__(skipna, threads, device)
        if not isinstance(method, str) or method not in _METHODS:
            raise ValueError(f"method: {method!r} is none of {', '.join(_METHODS)}")
        self._q = _shares(q, 1, "q: shares are 0 to 1")[0]
        self._method = method

    def _call(self) -> tuple[Any, ...]:
        return self._nan, self._method, self._q.shape, self._q.tobytes()

    @locked
    def update(self, chunk: Array) -> Quantiles:
        """Takes the next piece of this pass, of any shape."""
        x = operand(chunk, "chunk")
        if x.dtype.kind == "b":
            raise TypeError("chunk: quantiles are of numbers, not of bool")
        self._feed(self._take(x))
        return self
