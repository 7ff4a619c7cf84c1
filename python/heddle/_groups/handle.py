"""heddle_groups: the order of groups, made once; every column is folded by it where it lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, operand
from .._axes import empty, pointer_of
from .._context import Context
from .._native import TOTALS, TYPES, GroupsDetails, Options, byref, c_void_p, check, fast, lib
from .search import ROW_BYTES, dense_pointer, no_nulls


def row_of(x: Operand, count: int, name: str) -> tuple[int, tuple[int, ...]]:
    """Elements a row, and what a row's shape is, of so many rows."""
    if x.ndim < 1 or x.shape[0] != count:
        raise ValueError(f"{name}: its shape is {x.shape}, but there are {count} rows")
    width = 1
    for length in x.shape[1:]:
        width *= length
    return width, x.shape[1:]


def options_of(dtype: Any, acc: int = 0, exact: bool = False, skip: bool = False) -> Options:
    """Of a fold as elements of dtype."""
    options = Options(out_type=TYPES[np.dtype(dtype)], acc_type=acc, exact=int(exact),
                      nan=1 if skip else 0)
    if dtype == np.bool_:
        options.out_type = n.U8
    return options


class Handle:
    """heddle_groups of a context."""

    def __init__(self, ctx: Context, number: int, pointer: int, count: int, groups: int) -> None:
        handle = c_void_p()
        check(lib.heddle_groups_make(ctx.handle, number, pointer, count, groups, byref(handle)))
        self.pointer, self.ctx, self.count, self.groups = handle.value, ctx, count, groups
        self._free, self._has_ended = lib.heddle_groups_free, fast.heddle_py_has_ended

    def __del__(self) -> None:
        if getattr(self, "pointer", None) and not self._has_ended() and self.ctx.survives():
            self._free(self.pointer)
            self.pointer = None

    def details(self) -> GroupsDetails:
        found = GroupsDetails()
        check(lib.heddle_groups_info(self.pointer, byref(found)))
        return found

    def _copy(self, pointer: int | None, count: int, dtype: Any) -> np.ndarray:
        out = np.empty(count, dtype)
        if count:
            check(lib.heddle_copy(self.ctx.handle, pointer_of(out), pointer, out.nbytes))
            self.ctx.synchronize()
        return out

    def offsets(self) -> np.ndarray:
        found = self.details()
        return self._copy(found.offsets, self.groups + 1, np.int64)

    def order(self) -> np.ndarray:
        found = self.details()
        if not found.order:
            return np.arange(self.count)
        wide = found.index_type == n.U64
        dtype = np.uint64 if wide else np.uint32
        return self._copy(found.order, self.count, dtype).astype(np.int64)

    def rows(self, x: Operand, name: str) -> tuple[int, tuple[int, ...]]:
        return row_of(x, self.count, name)

    def reduce(self, op: int, x: Operand, dtype: np.dtype, acc: int = 0, exact: bool = False,
               skip: bool = False, name: str = "x") -> Any:
        """Each group's rows folded, as elements of dtype."""
        width, row = self.rows(x, name)
        out = empty(x, self.ctx, (self.groups,) + row, dtype)
        if width == 0:
            return out
        options = options_of(dtype, acc, exact, skip)
        where, kept = dense_pointer(x, name)
        check(lib.heddle_groups_reduce(self.pointer, op, x.type, where, width, pointer_of(out),
                                       byref(options)))
        del kept
        return out

    def gather(self, x: Operand, name: str = "x") -> Any:
        width, row = self.rows(x, name)
        if width * x.dtype.itemsize > ROW_BYTES and x.host is not None:
            return x.host[self.order()]
        out = empty(x, self.ctx, (self.count,) + row, x.dtype)
        if width and self.count:
            where, kept = dense_pointer(x, name)
            check(lib.heddle_groups_gather(self.pointer, width * x.dtype.itemsize, where,
                                           pointer_of(out)))
            del kept
        return out


def rows_of(x: Any, name: str = "x") -> Operand:
    found = operand(x, name)
    no_nulls(found, name, "group")
    if found.is_bfloat16:
        raise TypeError(f"{name}: bfloat16 is not supported here; convert it to float32")
    return found


def sum_type(dtype: np.dtype) -> np.dtype:
    return TOTALS[dtype]


def float_type(dtype: np.dtype) -> np.dtype:
    return dtype if dtype.kind == "f" else np.dtype(np.float64)
