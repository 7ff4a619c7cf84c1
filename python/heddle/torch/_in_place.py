"""heddle's operators in the place of PyTorch's own: `deterministic`."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any, Callable, Optional

import torch

from ._operators import op_bincount, op_cumsum, op_histc, op_mean, op_sum
from ._shapes import Dims, Tensor, dims_of


def _as_reals(call: Callable[..., Tensor], x: Tensor, dims: tuple[int, ...], *rest: Any) -> Tensor:
    """Of complex numbers, whose parts are totalled each for itself."""
    return torch.view_as_complex(call(torch.view_as_real(x.resolve_conj()), dims, *rest).contiguous())


def _aten_fold(call: Callable[..., Tensor], x: Tensor, dim: Dims, keepdim: bool,
               dtype: Optional[torch.dtype]) -> Tensor:
    if dtype is not None and dtype.is_complex:
        x = x.to(dtype)
    if x.is_complex():
        return _as_reals(call, x, dims_of(x, dim), keepdim)
    return call(x, dim, keepdim, dtype=dtype)


def _aten_sum(x: Tensor, dim: Dims = None, keepdim: bool = False, *,
              dtype: Optional[torch.dtype] = None) -> Tensor:
    return _aten_fold(op_sum, x, dim, keepdim, dtype)


def _aten_mean(x: Tensor, dim: Dims = None, keepdim: bool = False, *,
               dtype: Optional[torch.dtype] = None) -> Tensor:
    return _aten_fold(op_mean, x, dim, keepdim, dtype)


def _aten_cumsum(x: Tensor, dim: int, *, dtype: Optional[torch.dtype] = None) -> Tensor:
    if dtype is not None and dtype.is_complex:
        x = x.to(dtype)
    if x.is_complex():
        return _as_reals(lambda parts, dims: op_cumsum(parts, dims[0]), x, dims_of(x, dim))
    return op_cumsum(x, dim, dtype=dtype)


def _aten_histc(x: Tensor, bins: int = 100, min: Any = 0, max: Any = 0) -> Tensor:
    return op_histc(x, bins, float(min), float(max))


def _into(call: Callable[..., Tensor], takes_dtype: bool) -> Callable[..., Tensor]:
    """The call with its result in `out`, in whose dtype a total is then."""
    def does(*arguments: Any, out: Tensor, **words: Any) -> Tensor:
        if takes_dtype and words.get("dtype") is None:
            words["dtype"] = out.dtype
        found = call(*arguments, **words)
        if out.shape != found.shape:
            out.resize_(found.shape)
        return out.copy_(found)
    return does


def _cumsum_in_place(x: Tensor, dim: int, *, dtype: Optional[torch.dtype] = None) -> Tensor:
    return x.copy_(_aten_cumsum(x, dim, dtype=dtype or x.dtype))


_ATEN = {"sum.dim_IntList": _aten_sum, "mean.dim": _aten_mean, "cumsum": _aten_cumsum,
         "histc": _aten_histc, "bincount": op_bincount, "cumsum_": _cumsum_in_place,
         "sum.IntList_out": _into(_aten_sum, True), "mean.out": _into(_aten_mean, True),
         "cumsum.out": _into(_aten_cumsum, True), "histc.out": _into(_aten_histc, False)}


@contextlib.contextmanager
def deterministic() -> Iterator[None]:
    """Has `torch.sum`, `mean`, `cumsum`, `histc` and `bincount` be heddle's while it lasts.

    All that calls them is meant, in this process: losses, backward passes, other threads. Graphs that
    `torch.compile` has made call kernels of their own, and are as they were.

    Examples
    --------
    ::

        with heddle.torch.deterministic():
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
    """
    lib = torch.library.Library("aten", "IMPL")
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Warning only once")  # of overriding
            for name, does in _ATEN.items():
                for key in ("CPU", "CUDA"):
                    lib.impl(name, does, key, allow_override=True)
        yield
    finally:
        lib._destroy()
