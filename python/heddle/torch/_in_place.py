"""heddle's operators in the place of PyTorch's own: `deterministic`."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any, Callable, Optional

import torch

from ._operators import op_bincount, op_cumsum, op_histc, op_mean, op_sum
from ._quantiles import op_nanmedian, op_nanmedian_of_all
from ._ranks import Pair, op_kthvalue, op_median, op_median_of_all, op_sort, op_topk
from ._scatter import op_embedding_backward, op_index_add, op_scatter_add, op_scatter_reduce
from ._shapes import Dims, Tensor, dims_of
from ._uniques import op_unique


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


def _aten_index_add(x: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    if not x.is_complex():
        return op_index_add(x, dim, index, source, alpha)
    if not x.dim():
        line = _aten_index_add(x.reshape(1), 0, index, source.reshape(-1), alpha=alpha)
        return line.reshape(())
    (d,) = dims_of(x, dim)
    parts = [torch.view_as_real(z.resolve_conj()) for z in (x, source * alpha)]
    return torch.view_as_complex(op_index_add(parts[0], d, index, parts[1]))


def _aten_scatter_add(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    if not x.is_complex() or not x.dim():
        return op_scatter_add(x, dim, index, src)
    (d,) = dims_of(x, dim)
    wide = index.unsqueeze(-1).expand(*index.shape, 2)
    parts = [torch.view_as_real(z.resolve_conj()) for z in (x, src)]
    return torch.view_as_complex(op_scatter_add(parts[0], d, wide, parts[1]))


def _aten_scatter_reduce(x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *,
                         include_self: bool = True) -> Tensor:
    return op_scatter_reduce(x, dim, index, src, reduce, include_self)


def _in_place(call: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def does(x: Tensor, *arguments: Any, **words: Any) -> Tensor:
        return x.copy_(call(x, *arguments, **words))
    return does


def _into_both(call: Callable[..., Pair]) -> Callable[..., Pair]:
    """The call of values and positions with these in tensors that are given."""
    def does(*arguments: Any, values: Tensor, indices: Tensor, **words: Any) -> Pair:
        for name, out, found in zip(("values", "indices"), (values, indices), call(*arguments, **words)):
            if out.dtype != found.dtype or out.device != found.device:
                raise RuntimeError(f"{name}: it is of {out.dtype} on {out.device}, and {found.dtype} on "
                                   f"{found.device} is wanted")
            if out.shape != found.shape:
                out.resize_(found.shape)
            out.copy_(found)
        return values, indices
    return does


def _aten_sort(x: Tensor, *, stable: Optional[bool], dim: int = -1, descending: bool = False) -> Pair:
    return op_sort(x, dim, descending)


_ATEN = {"sum.dim_IntList": _aten_sum, "mean.dim": _aten_mean, "cumsum": _aten_cumsum,
         "histc": _aten_histc, "bincount": op_bincount, "cumsum_": _cumsum_in_place,
         "sum.IntList_out": _into(_aten_sum, True), "mean.out": _into(_aten_mean, True),
         "cumsum.out": _into(_aten_cumsum, True), "histc.out": _into(_aten_histc, False),
         "index_add": _aten_index_add, "index_add_": _in_place(_aten_index_add),
         "index_add.out": _into(_aten_index_add, False), "scatter_add": _aten_scatter_add,
         "scatter_add_": _in_place(_aten_scatter_add),
         "scatter_add.out": _into(_aten_scatter_add, False),
         "scatter_reduce.two": _aten_scatter_reduce,
         "scatter_reduce_.two": _in_place(_aten_scatter_reduce),
         "scatter_reduce.two_out": _into(_aten_scatter_reduce, False),
         "embedding_dense_backward": op_embedding_backward, "topk": op_topk, "kthvalue": op_kthvalue,
         "median.dim": op_median, "median": op_median_of_all, "nanmedian": op_nanmedian_of_all,
         "nanmedian.dim": op_nanmedian, "sort.stable": _aten_sort, "_unique2": op_unique,
         "sort.values_stable": _into_both(_aten_sort), "topk.values": _into_both(op_topk),
         "kthvalue.values": _into_both(op_kthvalue), "median.dim_values": _into_both(op_median),
         "nanmedian.dim_values": _into_both(op_nanmedian)}


@contextlib.contextmanager
def deterministic() -> Iterator[None]:
    """Has `torch.sum`, `mean`, `cumsum`, `histc`, `bincount`, `index_add`, `scatter_add`, `scatter_reduce`,
    `topk`, `kthvalue`, `median`, `nanmedian`, `sort`, `unique` and the gradients of embeddings be heddle's
    while it lasts.

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
