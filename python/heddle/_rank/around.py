"""An array around one of its elements: what is less before it, the rest behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand
from .._axes import context_of, empty, pointer_of
from .._native import Where, byref, c_uint64, check, lib

__all__ = ["LEAST", "around"]

LEAST = 1 << 12  # elements, below which a sort is as fast
_BLOCK = 1 << 16  # elements among which equals are looked for at once


def _positions(rest: np.ndarray, value: Any, count: int) -> np.ndarray:
    """Where the first `count` elements are that are the value; there are as many."""
    found: list[np.ndarray] = []
    for begin in range(0, rest.size, _BLOCK):
        here = np.flatnonzero(rest[begin:begin + _BLOCK] == value)[:count]
        found.append(here + begin)
        count -= here.size
        if not count:
            break
    return np.concatenate(found)


def _to_front(rest: np.ndarray, value: Any, count: int) -> None:
    """The first `count` elements that are the value come to the front, for what is there."""
    at = _positions(rest, value, count)
    behind, front = at[at >= count], np.ones(count, bool)
    front[at[at < count]] = False
    there = np.flatnonzero(front)
    moved = rest[there]
    rest[there] = rest[behind]
    rest[behind] = moved


def around(x: Operand, place: int, device: Any, threads: Any) -> np.ndarray | None:
    """A copy of a dense array of one dimension on the host, in which `place` has what the sorted array has.

    Around a NaN, all numbers come before all NaN. None: a sort is as fast.
    """
    ctx, host = context_of(x, device, threads), x.host
    size = host.dtype.itemsize
    if host.size < LEAST or size == 1:
        return None
    ranks, value = np.array([place], np.uint64), np.empty(1, host.dtype)
    check(lib.heddle_nth(ctx.handle, x.type, pointer_of(host), host.size, pointer_of(ranks), 1,
                         pointer_of(value), None))
    is_float = host.dtype.kind == "f"
    is_nan = is_float and bool(np.isnan(value[0]))
    limit = np.full(1, np.inf, host.dtype) if is_nan else value
    out, less = empty(x, ctx, (host.size,), host.dtype), c_uint64()
    where = Where(comparison=n.LESS_EQUAL if is_nan else n.LESS, type=x.type, of=pointer_of(host),
                  value=pointer_of(limit))
    check(lib.heddle_partition(ctx.handle, byref(where), size, pointer_of(host), host.size,
                               pointer_of(out), byref(less)))
    if is_nan:
        return out
    first, word = less.value, np.dtype(f"u{size}")
    bits, wanted = out.view(word), value.view(word)[0]
    if is_float and wanted == 0:  # -0.0 comes before it
        sign = word.type(1 << 8 * size - 1)
        zeros = int(np.count_nonzero(bits[first:] == sign))
        _to_front(bits[first:], sign, zeros)
        first += zeros
    _to_front(bits[first:], wanted, place + 1 - first)
    return out
