"""Pieces: elements of arrays of one shape, in any order of memory, as flat arrays without gaps.

The order of elements means nothing to a histogram, so that an array in Fortran order or a reversed
one needs no copy: only elements that lie side by side, weights with them, must stay so. What has
gaps is copied, whole up to LARGE bytes and in pieces beyond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

LARGE = 64 << 20
_PIECE = 1 << 20  # elements

Arrays = tuple[np.ndarray, ...]


def dense(arrays: Sequence[np.ndarray]) -> Arrays | None:
    """Flat views of arrays that fill their memory, all in the same order; else None."""
    if all(a.flags.c_contiguous for a in arrays):
        return tuple(a.reshape(-1) for a in arrays)
    first = arrays[0]
    falling = tuple(slice(None, None, -1 if s < 0 else None) for s in first.strides)
    order = np.argsort([-abs(s) for s in first.strides], kind="stable")
    turned = [a[falling].transpose(order) for a in arrays]
    if all(a.flags.c_contiguous for a in turned):
        return tuple(a.reshape(-1) for a in turned)
    return None


def whole(arrays: Sequence[np.ndarray], valid: np.ndarray | None = None) -> Arrays | None:
    """The elements of each array, those alone that are `valid`, as flat arrays.

    None where that would be a copy of more than LARGE bytes.
    """
    if valid is None:
        flat = dense(arrays)
        if flat is not None:
            return flat
    if sum(a.nbytes for a in arrays) > LARGE:
        return None
    if valid is None:
        return tuple(np.ascontiguousarray(a).reshape(-1) for a in arrays)
    return tuple(a[valid] for a in arrays)


def pieces(arrays: Sequence[np.ndarray], valid: np.ndarray | None = None,
           order: Literal["K", "C"] = "K") -> Iterator[Arrays]:
    """The same in pieces, each of which is good until the next one is asked for.

    In any order of elements ("K"), or in C order.
    """
    together = list(arrays) if valid is None else [*arrays, valid]
    if all(a.ndim == 1 for a in together):
        for i in range(0, len(together[0]), _PIECE):
            yield _chosen([np.ascontiguousarray(a[i : i + _PIECE]) for a in together], valid)
        return
    flags = ["external_loop", "buffered", "zerosize_ok"]
    steps = np.nditer(together, flags, [["readonly", "contig"]] * len(together), order=order,
                      buffersize=_PIECE)
    for step in steps:
        yield _chosen(list(step) if isinstance(step, tuple) else [step], valid)


def _chosen(parts: list[np.ndarray], valid: np.ndarray | None) -> Arrays:
    if valid is None:
        return tuple(parts)
    keep = parts.pop()
    return tuple(a[keep] for a in parts)
