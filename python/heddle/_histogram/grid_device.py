"""Points in the memory of a GPU, for histogram2d and histogramdd: columns where they lie.

Counts and sums stay in the device's memory, and a call of given edges or ranges does not wait. The
library finds the range of floats; that of integers is asked for before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays.bools import as_numbers
from .._arrays.device_array import DeviceArray
from .._arrays.operand import Operand
from .._axes import empty, pointer_of
from .._context import Context
from .._native import (BF16, F64, I64, MAX, MIN, SUM, TYPES, Options, Rows, address, byref, check,
                       lib)

__all__ = ["DeviceColumn", "column_views", "device_columns", "give", "table_of", "to_floats",
           "weights_of"]


class DeviceColumn:
    """Coordinates of one axis; of a NumPy array it has what edges are made by.

    Attributes
    ----------
    type : int
        The library's.
    dtype : numpy.dtype
        That edges are computed for: float32 for bfloat16, uint8 for bool.
    pointer, stride, size : int
        The first element, how many elements the next one is from it, and how many there are.
    """

    def __init__(self, x: Operand, ctx: Context) -> None:
        array = x.device_array
        assert array is not None
        self._ctx = ctx
        self.type = x.type
        self.dtype = np.dtype(np.float32 if x.is_bfloat16 else np.uint8 if array.dtype == bool
                              else array.dtype)
        self.pointer, self.size = array.pointer, array.size
        self.stride = 1 if array.strides is None else array.strides[0]

    def min(self) -> Any:
        return self._extreme(MIN)

    def max(self) -> Any:
        return self._extreme(MAX)

    def _extreme(self, op: int) -> Any:
        out = np.zeros(1, np.uint16 if self.type == BF16 else self.dtype)
        rows = Rows.along(0, (self.size,), (self.stride,))
        check(lib.heddle_reduce_rows(self._ctx.handle, op, self.type, self.pointer, byref(rows),
                                     out.ctypes.data, None))
        return (out.astype(np.uint32) << 16).view(np.float32)[0] if self.type == BF16 else out[0]


def column_views(matrix: Operand) -> list[Operand]:
    """The columns of a matrix, each an operand of its own."""
    array = matrix.device_array
    assert array is not None
    steps = array.strides or (array.shape[1], 1)
    made = []
    for d in range(array.shape[1]):
        view = DeviceArray(array.pointer + d * steps[1] * array.dtype.itemsize, array.shape[:1],
                           array.dtype, array.device, (steps[0],), array.stream, array,
                           array.is_bfloat16)
        column = Operand(None, matrix.type)
        column.device_array, column.is_bfloat16 = view, matrix.is_bfloat16
        column.source, column.library = matrix.source, matrix.library
        made.append(column)
    return made


def device_columns(columns: list[Operand], weights: Operand | None,
                   ctx: Context) -> list[DeviceColumn]:
    """The coordinates, ready for work on the stream of the first.

    Raises
    ------
    TypeError
        For columns of several types, and for some of the host.
    ValueError
        For several devices, and for nulls.
    """
    first = columns[0]
    for d, column in enumerate(columns):
        if column.device_array is None:
            raise TypeError(f"sample: axis {d} is on the host and axis 0 on "
                            f"{first.array.device}; give both on one of them")
        if column.type != first.type:
            raise TypeError(f"sample: on a device all axes have one type; axis {d} is "
                            f"{column.dtype} and axis 0 {first.dtype}; convert one of them")
        if d:
            first.join(column, f"sample[{d}]")
        as_numbers(column, ctx)
    if weights is not None:
        first.join(weights, "weights")
        as_numbers(weights, ctx)
    if any(part is not None and part.valid is not None for part in (*columns, weights)):
        raise ValueError("sample: it has nulls, which points on a device must not have; copy it "
                         "to the host")
    return [DeviceColumn(column, ctx) for column in columns]


def weights_of(weights: Any) -> tuple[int, int]:
    """Where weights are, of NumPy or an operand, and their type."""
    if isinstance(weights, np.ndarray):
        return address(weights), TYPES[weights.dtype]
    array = weights.array
    if isinstance(array, DeviceArray) and array.strides is not None and array.size:
        raise ValueError("weights: on a device they lie side by side; copy them")
    if isinstance(array, np.ndarray):
        weights.host = array = np.ascontiguousarray(array)
    return pointer_of(array), weights.type


def table_of(x: Operand, ctx: Context, shape: tuple[int, ...], dtype: Any) -> Any:
    """Memory for results on x's device: of x's library, counts aside, which are soon floats."""
    if np.dtype(dtype) == np.float64:
        return empty(x, ctx, shape, dtype)
    assert x.device_array is not None
    return DeviceArray.empty(shape, dtype, x.device_array.device, x.current_stream())


def to_floats(x: Operand, counts: DeviceArray, ctx: Context) -> Any:
    """Counts as float64, without a wait: each is the sum of a row of its own."""
    made = empty(x, ctx, counts.shape, np.float64)
    rows = Rows.along(1, (counts.size, 1), None)
    check(lib.heddle_reduce_rows(ctx.handle, SUM, I64, counts.pointer, byref(rows),
                                 pointer_of(made), byref(Options(out_type=F64))))
    return made


def give(x: Operand, array: Any) -> Any:
    """A table or edges as the kind of array that points on a device are; of the host NumPy's."""
    own = x.device_array
    if own is None:
        return array
    if isinstance(array, np.ndarray) and not x.library:
        return DeviceArray.from_host(array, own.device, own.stream)
    return x.give(array, aligned=False)
