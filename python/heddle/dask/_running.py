"""Running totals: of a line, each chunk's from the state of what lies before it; along an axis, rows."""

from __future__ import annotations

import functools
from typing import Any, Callable

import dask.array as da
import numpy as np
from dask.delayed import delayed

import heddle as hd

from .. import state
from .._typing import DType
from ._chunks import flat, merged, rows, starts

__all__ = ["cumprod", "cumsum", "maximum_accumulate", "minimum_accumulate"]

_NAMES = {"cumsum": "sum", "cumprod": "prod", "maximum_accumulate": "max", "minimum_accumulate": "min"}


def _totals(block: np.ndarray, before: Any, name: str, options: dict[str, Any]) -> np.ndarray:
    return hd.Scan(name, prefix=before, **options).update(block)


def _line(name: str, x: da.Array, dtype: np.dtype, options: dict[str, Any]) -> da.Array:
    take, give = delayed(getattr(state, name), pure=True), delayed(_totals, pure=True)
    join = delayed(merged, pure=True)
    blocks, made, before = x.to_delayed(), [], None
    for start, size, block in zip(starts(x), x.chunks[0], blocks):
        made.append(da.from_delayed(give(block, before, name, options), (size,), dtype))
        part = take(block, start=start, **options)
        before = part if before is None else join([before, part])
    return da.concatenate(made)


def _running(function: str) -> Callable[..., da.Array]:
    name = _NAMES[function]

    def running(a: da.Array, axis: Any = None, *, dtype: DType = None, skipna: bool = False,
                threads: int = 1) -> da.Array:
        options: dict[str, Any] = {"skipna": skipna, "threads": threads}
        if name in ("sum", "prod"):
            options["dtype"] = dtype
        elif dtype is not None:
            raise TypeError(f"dtype: running totals of {function} are of the array's own")
        call = functools.partial(getattr(hd, function), **options)
        if axis is None or getattr(a, "ndim", 0) == 1 and axis in (0, -1):
            x = flat(a, "a")
            return _line(name, x, np.asarray(call(np.ones(1, x.dtype))).dtype, options)
        a, axes = rows(a, axis)
        if len(axes) != 1:
            raise TypeError(f"axis: one is wanted, not {axis!r}")
        made = np.asarray(call(np.ones((1,) * a.ndim, a.dtype), axis=axes[0])).dtype
        return a.map_blocks(call, axis=axes[0], dtype=made, meta=np.empty((0,) * a.ndim, made))

    running.__name__ = running.__qualname__ = function
    running.__doc__ = f"""`heddle.{function}`, an array of Dask: of a line, or of all elements in C order,
    by the states of its chunks, each of which is read twice; along an axis by rows."""
    return running


cumprod, cumsum, maximum_accumulate, minimum_accumulate = map(
    _running, ("cumprod", "cumsum", "maximum_accumulate", "minimum_accumulate"))
