"""Samples: what a histogram is of, elements and, beside them, weights; as the library takes them.

Arrays that fill their memory are taken where they are, in any order of axes. Others are copied, on
a device on the device; those of the host of more than 64 MiB in pieces. Nulls are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._arrays import pieces
from .._arrays.bools import as_numbers
from .._arrays.device_array import DeviceArray
from .._arrays.operand import Operand, operand
from .._axes import context_of, pointer_of
from .._context import Context
from .._native import (BF16, MAX, MAX_DIMS, Bins, HistogramOptions, HistogramResult, Rows, byref,
                      c_void_p, check, lib)


def _from_bfloat16(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Sample:
    """Elements, and weights of the same shape.

    Attributes
    ----------
    x, w : Operand
        w: None without weights.
    ctx : Context
        Of the device that the arrays are on, or that was asked for.
    type : int
    dtype : numpy.dtype
        The element type that edges are computed for: float32 for bfloat16, uint8 for bool.
    size, nulls : int
        Elements that are counted, and that are not.
    exact : bool
        Sums of weights are those of the real numbers, rounded once.
    flat : tuple or None
        Elements, and weights, side by side, as arrays of the host or a device; None: in `pieces`.
    """

    def __init__(self, x: Operand, w: Operand | None, device: str | None, threads: int | None,
                 exact: bool = False) -> None:
        self.x, self.w, self.exact = x, w, exact
        self._device, self._threads = device, threads
        on_device = w if w is not None and x.device_array is None and w.device_array else x
        self.ctx: Context = context_of(on_device, device, threads)
        for part in (x, w):
            if part is not None and part is not on_device:
                as_numbers(part, self.ctx)
        self.type = x.type
        self.dtype = np.dtype(np.float32 if x.is_bfloat16 else np.uint8 if x.dtype == bool
                              else x.dtype)
        valid = x.valid
        if w is not None and w.valid is not None:
            valid = w.valid if valid is None else valid & w.valid
        self._valid = valid
        self.nulls = 0 if valid is None else x.size - int(np.count_nonzero(valid))
        self.size = x.size - self.nulls
        self._arrays = [part.array for part in (x, w) if part is not None]
        self.flat = self._flatten()

    @property
    def weighted(self) -> bool:
        return self.w is not None

    def weighing(self, weights: np.ndarray) -> Sample:
        """The same elements with other weights of the host; null where they were."""
        assert self.w is not None
        other = self.w.replaced(weights)
        other.valid = self.w.valid
        return Sample(self.x, other, self._device, self._threads, self.exact)

    def _flatten(self) -> tuple[Any, ...] | None:
        arrays = self._arrays
        if not any(isinstance(a, DeviceArray) for a in arrays):
            return pieces.whole(arrays, self._valid)
        if self._valid is not None:
            host = [a.to_host() if isinstance(a, DeviceArray) else a for a in arrays]
            return tuple(a[self._valid] for a in host)
        return tuple(self._dense(part) for part in (self.x, self.w) if part is not None)

    def _dense(self, part: Operand) -> Any:
        """An array of a device or the host in C order without gaps."""
        array = part.array
        if not isinstance(array, DeviceArray):
            return np.ascontiguousarray(array).reshape(-1)
        if array.strides is None or array.size == 0:
            return array
        if array.ndim >= MAX_DIMS:
            raise ValueError(f"a: on a device it may have at most {MAX_DIMS - 1} dimensions, "
                             "unless it lies in C order")
        # The greatest of each row of one element is a copy of it.
        made = DeviceArray.empty((array.size,), array.dtype, array.device, array.stream,
                                 array.is_bfloat16)
        rows = Rows.along(array.ndim, (*array.shape, 1), (*array.strides, 1))
        check(lib.heddle_reduce_rows(self.ctx.handle, MAX, part.type, array.pointer, byref(rows),
                                     made.pointer, None))
        return made

    @property
    def pointer(self) -> int:
        """Where the elements of `flat` are."""
        assert self.flat is not None
        return pointer_of(self.flat[0])

    def give(self, array: Any) -> Any:
        """Results, which belong to bins and not to elements, as the kind of array that x is."""
        own = self.x.device_array
        if own is not None and not self.x.library and isinstance(array, np.ndarray):
            return DeviceArray.from_host(array, own.device, own.stream)
        return self.x.give(array, aligned=False)

    def pieces(self) -> Iterator[tuple[np.ndarray, ...]]:
        """Elements, and weights, of an array that is not copied as a whole."""
        return pieces.pieces(self._arrays, self._valid)

    def tally(self, bins: Bins, counts: Any, sums: Any, found: HistogramResult | None) -> None:
        """Counts in bins, or sums of weights, or both, into arrays; and the rest."""
        if sums is not None and not self.size:
            sums[...] = 0  # of no weights, of which a device may have no address
            counts, sums = np.empty(bins.count, np.int64), None
        rest = None if found is None else byref(found)
        counted, summed = (None if a is None else pointer_of(a) for a in (counts, sums))
        options = HistogramOptions(sums=summed, exact=int(self.exact))
        if self.w is not None and self.size:
            options.weights_type = self.w.type
        if self.flat is None:
            self._tally_pieces(bins, options, counted, rest)
            return
        data, *weights = map(pointer_of, self.flat)
        if weights and self.size:
            options.weights = weights[0]
        given = None if summed is None else byref(options)
        check(lib.heddle_histogram(self.ctx.handle, self.type, data, self.size, byref(bins),
                                   counted, rest, given))

    def _tally_pieces(self, bins: Bins, options: HistogramOptions, counted: int | None,
                      rest: Any) -> None:
        if self.w is not None and not self.exact:
            options.weight_exponent = self.weight_exponent()
        state = c_void_p()
        check(lib.heddle_histogram_begin(self.ctx.handle, self.type, byref(bins), byref(options),
                                         byref(state)))
        try:
            for piece in self.pieces():
                data, *weights = map(pointer_of, piece)
                if piece[0].size:
                    check(lib.heddle_histogram_update(state, data, weights[0] if weights else None,
                                                      piece[0].size))
            check(lib.heddle_histogram_finish(state, counted, rest, options.sums))
        finally:
            lib.heddle_state_free(state)

    def extremes(self) -> tuple[Any, Any]:
        """The least and the greatest of elements in pieces, NaN if there is one."""
        least, greatest = [], []
        for piece in self.pieces():
            if piece[0].size:
                values = self._values(piece[0])
                least.append(values.min())
                greatest.append(values.max())
        return np.min(least), np.max(greatest)

    def _values(self, array: np.ndarray) -> np.ndarray:
        """As NumPy reads the elements."""
        if self.type == BF16:
            return _from_bfloat16(array)
        return array.view(np.uint8) if array.dtype == bool else array

    def on_host(self, part: int = 0) -> np.ndarray:
        """All elements (weights: part 1), for what only NumPy does."""
        if self.flat is None:
            array = np.concatenate([p[part].copy() for p in self.pieces()])  # which the next one overwrites
        else:
            array = self.flat[part]
        if isinstance(array, DeviceArray):
            array = array.to_host().reshape(-1)
        if part == 0:
            return self._values(array)
        assert self.w is not None
        return _from_bfloat16(array) if self.w.is_bfloat16 else array

    def weight_exponent(self) -> int:
        """The least E with |w| < 2**E for every finite weight in pieces."""
        exponent = -(2**30)
        for _, w in self.pieces():
            if self.w is not None and self.w.is_bfloat16:
                w = _from_bfloat16(w)
            if w.dtype.kind == "b":
                w = w.view(np.uint8)
            elif w.dtype.kind == "f":
                w = w[np.isfinite(w)]
            if not w.size:
                continue
            most = max(abs(w.max().item()), abs(w.min().item()))
            if most:
                bits = most.bit_length() if isinstance(most, int) else int(np.frexp(most)[1])
                exponent = max(exponent, bits)
        return exponent if exponent > -(2**30) else 0


def sample_of(x: Operand, weights: Any, device: str | None, threads: int | None,
              name: str = "a", exact: bool = False) -> Sample:
    """The arguments of a call, checked against each other."""
    w = None if weights is None else operand(weights, "weights")
    if w is not None and w.shape != x.shape:
        raise ValueError(f"weights: weights should have the same shape as {name}; theirs is "
                         f"{w.shape}, that of {name} is {x.shape}")
    if w is not None:
        x.join(w, "weights")
    return Sample(x, w, device, threads, bool(exact))
