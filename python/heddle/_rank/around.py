"""An array around one of its elements: what is less before it, the rest behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand
from .._axes import context_of, empty, pointer_of
from .._native import Where, byref, c_uint64, check, lib

__all__ = ["around"]

_LEAST = 1 << 12  # elements, below which a sort is as fast
_MOST_HALVES = 1 << 21  # of 2 bytes, from which on it is: by counts, as of 1 byte
_BLOCK = 1 << 16  # elements among which equals are looked for at once


def _positions(rest: np.ndarray, value: Any, count: int) -> np.ndarray:
    """Where the first `count` elements are that equal the value; there are as many."""
    found: list[np.ndarray] = []
    for begin in range(0, rest.size, _BLOCK):
        here = np.flatnonzero(rest[begin:begin + _BLOCK] == value)[:count]
        found.append(here + begin)
        count -= here.size
        if not count:
            break
    return np.concatenate(found)


def around(x: Operand, place: int, device: Any, threads: Any) -> np.ndarray | None:
    """A copy of a dense array of one dimension on the host, in which `place` has what the sorted array has.

    None: a sort is as fast, or that is a NaN or a zero, of which a sort knows the order.
    """
    ctx, host = context_of(x, device, threads), x.host
    size = host.dtype.itemsize
    if host.size < _LEAST or size == 1 or (size == 2 and host.size >= _MOST_HALVES):
        return None
    ranks, value = np.array([place], np.uint64), np.empty(1, host.dtype)
    check(lib.heddle_nth(ctx.handle, x.type, pointer_of(host), host.size, pointer_of(ranks), 1,
                         pointer_of(value), None))
    if host.dtype.kind == "f" and not abs(value[0]) > 0:
        return None
    out, less = empty(x, ctx, (host.size,), host.dtype), c_uint64()
    where = Where(comparison=n.LESS, type=x.type, of=pointer_of(host), value=pointer_of(value))
    check(lib.heddle_partition(ctx.handle, byref(where), size, pointer_of(host), host.size,
                               pointer_of(out), byref(less)))
    rest, equals = out[less.value:], place + 1 - less.value
    at = _positions(rest, value[0], equals)  # they come to the front, for what is there
    behind, front = at[at >= equals], np.ones(equals, bool)
    front[at[at < equals]] = False
    there = np.flatnonzero(front)
    moved = rest[there]
    rest[there] = rest[behind]
    rest[behind] = moved
    return out
