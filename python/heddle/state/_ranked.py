"""First elements, and elements of given ranks, of data that come in pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, on_host, operand
from .._axes import pointer_of, whole
from .._native import SortOptions, byref, c_size_t, check, lib
from ._base import Pieces, locked
from ._passes import Passes
from .._typing import Array

__all__ = ["Nth", "TopK"]


def _elements(found: np.ndarray, state: Pieces) -> np.ndarray:
    """Elements of the library's, as the array has them."""
    if state._is_bfloat16:
        return (found.astype(np.uint32) << np.uint32(16)).view(np.float32)
    assert state.dtype is not None
    return found.view(state.dtype)


def _room(shape: Any, state: Pieces) -> np.ndarray:
    assert state.dtype is not None
    if state._is_bfloat16:
        return np.empty(shape, np.uint16)
    return np.empty(shape, np.uint8 if state.dtype.kind == "b" else state.dtype)


class TopK(Pieces):
    """The greatest elements, or the least, of data that come in pieces, and where they are.

    Parameters
    ----------
    k : int
        How many.
    largest : bool
        The greatest, from the greatest on; else the least, from the least on.
    start : int
        The index, in the whole array, of the first element that comes.
    threads, device
        As in `heddle.sum`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device.
    ValueError
        For k below 0; from `update` for nulls, which positions cannot count; from `merge` for
        pieces that both have an element of one position.

    Notes
    -----
    What `heddle.topk` gives of all elements in one dimension, to the bit: of equal ones the first,
    NaN as the greatest. Of fewer than k elements all come. Data are taken once, and pieces merge in
    any order. A state holds k elements with their positions.

    Examples
    --------
    >>> import heddle as hd
    >>> first, second = hd.TopK(3).update([3, 9, 1]), hd.TopK(3, start=3).update([9, 5])
    >>> (second | first).result()
    (array([9, 9, 5]), array([1, 3, 4]))
    """

    _verb = "partial_sort"

    def __init__(self, k: int, largest: bool = True, *, start: int = 0, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(False, threads, device, start)
        if (k := whole(k, "k")) < 0:
            raise ValueError(f"k: {k} is below 0")
        self._k, self._largest = k, bool(largest)

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        options = SortOptions(descending=self._largest, nan_first=self._largest)
        return x.type, self._k, self.start, byref(options)

    def _call(self) -> tuple[Any, ...]:
        return self._k, self._largest

    @locked
    def update(self, chunk: Array) -> TopK:
        """Takes the next piece, of any shape, in C order."""
        x = operand(chunk, "chunk")
        if x.valid is not None and not x.valid.all():
            raise ValueError("chunk: it has nulls, which positions do not count")
        self._feed(self._take(x))
        return self

    @locked
    def result(self) -> tuple[Any, Any]:
        """Values and indices of what came so far, in order."""
        of = self._ready()
        held, found = min(self._k, self.count), c_size_t()
        values, index = _room(held, of), np.empty(held, np.intp)
        check(lib.heddle_partial_sort_finish(of._state, pointer_of(values), n.U64,
                                             pointer_of(index), byref(found)))
        return _elements(values, of), index


class Nth(Passes):
    """The elements that a sort would put at given places, of data that come in pieces.

    All data are taken once a pass; `round` ends one, and is True where another is needed, as of
    `heddle.Quantiles`: with the dtype's own elements as results, also of 64-bit integers.

    Parameters
    ----------
    ranks : int or array_like
        Places from 0 on; those of `heddle.partition`.
    threads, device
        As in `heddle.sum`.

    Raises
    ------
    TypeError
        From `update`: for pieces of different dtypes, or on a device.
    ValueError
        For ranks below 0; from `round` for a rank that is not below the number of elements, and for
        data that are not those of the passes before; from `result` before `round` was False; from
        `merge` for states of two passes.

    Examples
    --------
    >>> import numpy as np, heddle as hd
    >>> pieces = np.split(np.arange(1000)[::-1] * 2**50, 10)
    >>> second = hd.Nth(1)
    >>> while True:
    ...     for piece in pieces:
    ...         second = second.update(piece)
    ...     if not second.round():
    ...         break
    >>> second.result()
    np.int64(1125899906842624)
    """

    _verb = "nth"

    def __init__(self, ranks: Array, *, threads: int | None = None,
                 device: str | None = None) -> None:
        super().__init__(False, threads, device)
        asked = np.asarray(on_host(ranks, "ranks"))
        if asked.dtype.kind not in "iu" or (asked < 0).any():
            raise ValueError("ranks: integers from 0 on are wanted")
        self._ranks = np.ascontiguousarray(asked, np.uint64).reshape(asked.shape)

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        return x.type, pointer_of(self._ranks), self._ranks.size, None

    def _call(self) -> tuple[Any, ...]:
        return self._ranks.shape, self._ranks.tobytes()

    @locked
    def update(self, chunk: Array) -> Nth:
        """Takes the next piece of this pass, of any shape."""
        self._feed(self._take(chunk), verb="quantiles")
        return self

    @locked
    def result(self) -> Any:
        """The elements of all data, in the shape of ranks, once `round` was False."""
        of = self._ready()
        found = _room(self._ranks.shape, of)
        check(lib.heddle_nth_finish(of._state, pointer_of(found)))
        return _elements(found, of)[()]
