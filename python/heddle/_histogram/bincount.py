"""bincount: how often each of the integers 0, 1, 2, ... occurs; numpy.bincount's results.

A thousand integers are counted within the call from Python (python/native/histogram/count.c).
Elements of one byte need no pass for the greatest, since 256 counts cost nothing; of many elements
of more bytes the greatest is guessed from a thousand of them, and only looked for where some lie
beyond the guess.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .._arrays.operand import operand
from .._context import context
from .._native import BINS_INTEGER, MAX, Bins, HistogramResult, address, check, lib
from .._plain import plain
from .sample import Sample, sample_of
from .._typing import Array

_MOST_BINS = 2**28  # the library's
_SLAB = 2**24  # bins at a time, of more than that
_LONG = 2**63  # no length
_WIDE = 2**18  # elements, from which on 2**16 counts cost nothing either


@plain
def bincount(x: Array, /, weights: Array | None = None, minlength: Any = 0, *,
             length: int | None = None, exact: bool = False, threads: int | None = None,
             device: str | None = None) -> Any:
    """How often each integer occurs.

    Parameters
    ----------
    x : array_like
        Of one dimension: integers that are not negative, or bool.
    weights : array_like, optional
        As many numbers: what each element counts for.
    minlength : int
        The least length of the result.
    length : int, optional
        The length of the result, whatever the elements are: those below 0, and from `length` on, are
        left out. The greatest element is not looked for then, and on a GPU nothing is waited for.
    exact : bool
        Sums of weights are the real ones, rounded once, however far apart the weights lie.
    threads : int, optional
        At most so many threads of a CPU.
    device : str, optional
        "cpu", "cuda", "cuda:1": what computes; arrays on a GPU are counted there.

    Returns
    -------
    array
        Of length max(x) + 1, at least minlength, or of `length`: int64, with weights float64; int64
        in any case if x is empty, as NumPy has it.

    Raises
    ------
    TypeError
        For elements that are not integers, weights that are not numbers, a minlength that is not
        whole, a length that is not.
    ValueError
        For a negative element, minlength or length, for more or less than one dimension, for weights
        of another length, for a length beside a minlength.
    MemoryError
        If there is no memory for so many counts.
    OverflowError
        For a minlength or length from 2**63 on.

    Notes
    -----
    Sums of weights are rounded once, of weights as multiples of 2**-86 of the power of two above the
    greatest; with `exact` of the weights as they are: `math.fsum` of each bin. Any number of threads
    gives the same bits. Nulls are skipped.

    Examples
    --------
    >>> import heddle as hd
    >>> import numpy as np
    >>> hd.bincount([1, 3, 3, 0])
    array([1, 1, 0, 2])
    >>> hd.bincount(np.array([0, 2, 2], np.uint8), weights=[0.5, 1.0, 0.25], minlength=4)
    array([0.5 , 0.  , 1.25, 0.  ])
    >>> hd.bincount([1, -7, 3, 0, 1], length=3)
    array([1, 2, 0])
    >>> hd.bincount([0, 0, 0], weights=[1e300, 1e-300, -1e300], exact=True)
    array([1.e-300])
    """
    least = _least(minlength)
    if length is not None:
        if least:
            raise ValueError("length: it cannot stand beside minlength")
        least = _least(length, "length")
    if isinstance(x, (list, tuple)) and len(x) == 0:
        context(device, threads)  # which looks at them
        return np.zeros(least, np.int64)
    sample = _sample(x, weights, threads, device, exact)
    if sample.x.size == 0:
        counts = np.zeros(least, np.int64)
    elif sample.size == 0:
        counts = np.zeros(least, np.float64 if sample.weighted else np.int64)
    elif length is not None:
        counts = _exactly(sample, least)
    else:
        counts = _counted(sample, least)
    return sample.give(counts)


def _least(length: Any, name: str = "minlength") -> int:
    if length is None:
        raise TypeError(f"{name}: use 0 instead of None for {name}")
    try:
        least = operator.index(length)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    if not -_LONG <= least < _LONG:
        raise OverflowError(f"{name}: {least} is no length of an array")
    if least < 0:
        raise ValueError(f"{name}: '{name}' must not be negative, not {least}")
    return least


def _sample(x: Any, weights: Any, threads: int | None, device: str | None, exact: bool) -> Sample:
    """The arguments, checked in NumPy's order."""
    a = operand(x, "x")
    if a.is_bfloat16 or a.dtype.kind not in "biu":
        dtype = "bfloat16" if a.is_bfloat16 else a.dtype
        raise TypeError(f"x: Cannot cast array data from {dtype} to int64 according to the rule "
                        "'safe'; bincount takes integers and bool")
    if a.ndim != 1:
        raise ValueError(f"x: it must have one dimension, not {a.ndim}")
    return sample_of(a, weights if a.size else None, device, threads, "x", exact)


# ---- counting ---------------------------------------------------------------------------------


def _counted(sample: Sample, least: int) -> np.ndarray:
    bins = _guess(sample)
    exact = bins is None
    if bins is None:
        bins = _greatest(sample) + 1
    while bins <= _MOST_BINS:
        counts = np.empty(bins, np.int64)
        sums = np.empty(bins) if sample.weighted else None
        found = HistogramResult()
        sample.tally(Bins(kind=BINS_INTEGER, count=bins), counts, sums, found)
        if found.under:
            _refuse_negative()
        if not found.over:
            return _cut(counts, counts if sums is None else sums, least)
        assert not exact, "elements beyond the greatest"
        bins, exact = _greatest(sample) + 1, True
    if sample.weighted and sample.exact:
        return _in_slabs(sample, max(bins, least))
    weights = sample.on_host(1) if sample.weighted else None
    return np.bincount(sample.on_host(), weights, least)  # more counts than the library makes


def _exactly(sample: Sample, length: int) -> np.ndarray:
    """So many counts, of the elements that have one."""
    if 0 < length <= _MOST_BINS:
        made = np.empty(length, np.float64 if sample.weighted else np.int64)
        both = (None, made) if sample.weighted else (made, None)
        sample.tally(Bins(kind=BINS_INTEGER, count=length), *both, None)
        return made
    if sample.weighted and sample.exact:
        return _in_slabs(sample, length)
    x = sample.on_host()
    inside = (x >= 0) & (x < length)
    weights = sample.on_host(1)[inside] if sample.weighted else None
    made = np.bincount(x[inside], weights, length)  # none, or more counts than the library makes
    return made.astype(np.float64, copy=False) if sample.weighted else made


def _in_slabs(sample: Sample, length: int) -> np.ndarray:
    """Sums in any number of bins, so many at a time."""
    made = np.empty(length)
    for first in range(0, length, _SLAB):
        part = made[first : first + _SLAB]
        sample.tally(Bins(kind=BINS_INTEGER, count=part.size, first=first), None, part, None)
    return made


def _refuse_negative() -> None:
    raise ValueError("x: 'list' argument must have no negative elements")


def _guess(sample: Sample) -> int | None:
    """Bins for all elements: surely, for narrow types, or probably; None: ask for the greatest."""
    signed, bits = sample.dtype.kind == "i", 8 * sample.dtype.itemsize
    all_of_type = 2 ** (bits - signed)
    if bits == 8 or (bits == 16 and sample.size >= _WIDE):
        return all_of_type
    if sample.flat is None or not isinstance(sample.flat[0], np.ndarray):
        return None
    array = sample.flat[0]
    if array.size < _WIDE:
        return None
    some = array[:: array.size // 1024]
    most = max(int(some.max()), int(array[-1]), 0)
    return min(most + most // 8 + 64, all_of_type)


def _greatest(sample: Sample) -> int:
    """The greatest element, of at least 0."""
    if sample.flat is None:
        least, greatest = sample.extremes()
    else:
        made = np.empty(1, sample.dtype)
        check(lib.heddle_reduce(sample.ctx.handle, MAX, sample.type, sample.pointer, sample.size,
                                address(made), None))
        least = greatest = made[0]
    if least < 0 or greatest >= 2**63 - 1:
        _refuse_negative()
    return int(greatest)


def _cut(counts: np.ndarray, result: np.ndarray, least: int) -> np.ndarray:
    """As long as the greatest element or `least` asks for."""
    used = np.flatnonzero(counts)
    length = max(int(used[-1]) + 1, least)
    if length == len(result):
        return result
    if length < len(result):
        return result[:length].copy()
    made = np.zeros(length, result.dtype)
    made[: len(result)] = result
    return made
