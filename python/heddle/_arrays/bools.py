"""Bools: as the numbers 0 and 1.

NumPy takes every byte but 0 for True, and views make bools of any bytes (so do DLPack and the
interfaces of devices); to the library bools are numbers of one byte. Arrays that have other bytes
are copied: their elements are looked at first, at the speed of a maximum.
"""

from __future__ import annotations

import numpy as np

from .._context import Context
from .._native import ANY, MAX, MAX_DIMS, U8, Rows, address, byref, check, lib
from .device_array import DeviceArray
from .elements import Operand
from .pieces import dense

_LARGE = 1 << 22  # bytes, which the library's threads look at


def as_numbers(x: Operand, ctx: Context) -> None:
    """Has an operand of bools refer to bytes that are 0 or 1; one of other elements stays."""
    if x.dtype.kind != "b" or x.size == 0:
        return
    if x.device_array is not None:
        if _greatest_on_device(x.device_array, ctx) > 1:
            x.device_array = _copied_on_device(x.device_array, ctx)
    elif _greatest(x.host, ctx) > 1:
        x.host, x.copied = x.host.view(np.uint8) != 0, True


def _greatest(host: np.ndarray, ctx: Context) -> int:
    if host.size >= _LARGE and ctx.device.startswith("cpu"):
        flat = dense((host,))
        if flat is not None:
            return _reduced(address(flat[0]), host.size, ctx)
    return int(host.view(np.uint8).max())


def _greatest_on_device(array: DeviceArray, ctx: Context) -> int:
    if array.strides is None:
        return _reduced(array.pointer, array.size, ctx)
    return 2  # the copy costs no more than the look


def _reduced(pointer: int, count: int, ctx: Context) -> int:
    made = np.empty(1, np.uint8)
    check(lib.heddle_reduce(ctx.handle, MAX, U8, pointer, count, address(made), None))
    return int(made[0])


def _copied_on_device(array: DeviceArray, ctx: Context) -> DeviceArray:
    """In C order: "any" of each row of one element."""
    if array.strides is None:
        rows = Rows.along(1, (array.size, 1), None)
    elif array.ndim < MAX_DIMS:
        rows = Rows.along(array.ndim, (*array.shape, 1), (*array.strides, 1))
    else:
        raise ValueError(f"a: bools on a device may have at most {MAX_DIMS - 1} dimensions, unless "
                         "they lie in C order")
    made = DeviceArray.empty(array.shape, array.dtype, array.device, array.stream)
    check(lib.heddle_reduce_rows(ctx.handle, ANY, U8, array.pointer, byref(rows), made.pointer,
                                 None))
    return made
