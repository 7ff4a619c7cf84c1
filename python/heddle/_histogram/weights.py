"""Integer weights: their sums in bins, exact, modulo 2**64 as NumPy's integers add.

The library's sums are float64, each rounded once from the exact sum: up to 2**53 they are it. Where
that may be exceeded, weights are cut into parts of so few bits that float64 holds their sums.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .._native import MAX, MIN, address, check, lib
from .sample import Sample

_EXACT_BITS = 53


def are_exact(sample: Sample) -> bool:
    """Whether no sum of the weights, integers, is beyond what float64 holds."""
    assert sample.w is not None
    dtype = sample.w.dtype
    bound = 2 ** (8 * dtype.itemsize)
    if sample.size * bound > 2**_EXACT_BITS and sample.size:
        bound = max(abs(extreme) for extreme in _extremes(sample))
    return sample.size * bound <= 2**_EXACT_BITS


def _extremes(sample: Sample) -> tuple[int, int]:
    assert sample.w is not None
    if sample.flat is None:
        ends = [(w.min(), w.max()) for _, w in sample.pieces() if w.size]
        return int(min(lo for lo, _ in ends)), int(max(hi for _, hi in ends))
    weights = sample.flat[1]
    pointer = address(weights) if isinstance(weights, np.ndarray) else weights.pointer
    made = np.empty(2, sample.w.dtype)
    for op, to in ((MIN, made[:1]), (MAX, made[1:])):
        check(lib.heddle_reduce(sample.ctx.handle, op, sample.w.type, pointer, sample.size,
                                address(to), None))
    return int(made[0]), int(made[1])


def integer_sums(sample: Sample, tally: Callable[[Sample], Any]) -> np.ndarray:
    """Sums of weights that are integers, of their dtype; `tally` gives float64 sums of a sample."""
    assert sample.w is not None
    given = sample.w.array
    weights = given if isinstance(given, np.ndarray) else given.to_host()
    unsigned = weights.astype(np.int64 if weights.dtype.kind == "i" else np.uint64).view(np.uint64)
    bits = _EXACT_BITS - sample.size.bit_length()
    total: Any = 0
    for shift in range(0, 64, bits):
        part = unsigned >> np.uint64(shift) & np.uint64(2**bits - 1)
        sums = tally(sample.weighing(part.astype(np.float64)))
        total = total + (sums.astype(np.uint64) << np.uint64(shift))
    return total.astype(weights.dtype)
