"""Elements by rank: topk, kthvalue, median, sort, with the positions that PyTorch's tell.

Of equal elements the first in the dimension is taken, on every device; PyTorch promises none.
"""

from __future__ import annotations

from typing import Any, Optional

import torch

from .. import _reduce, _sort
from .._rank import partition as _firsts
from .._rank import quantiles as _quantiles
from ._shapes import Tensor, dims_of, folded_shape, real, tensor_of

Pair = tuple[Tensor, Tensor]


def rows_along(x: Tensor, dim: int) -> tuple[Tensor, int]:
    """The tensor with the dimension as its last one, and which it was."""
    dims = dims_of(real(x), dim)
    if not dims:
        return x.reshape(1), 0
    return x.movedim(dims[0], -1).contiguous(), dims[0]


def _back(x: Tensor, found: Any, d: int, dtype: torch.dtype) -> Tensor:
    found = tensor_of(found, dtype)
    if not x.dim():
        return found.reshape([])
    return found.movedim(-1, d).contiguous()


def op_topk(x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Pair:
    rows, d = rows_along(x, dim)
    if not 0 <= k <= rows.shape[-1]:
        raise RuntimeError(f"k: {k} is out of range for dimension of size {rows.shape[-1]}")
    if not x.dim():  # a number is its own first, as PyTorch has it, also where none are wanted
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    if not rows.numel() or not k:
        shape = [k if i == d else length for i, length in enumerate(x.shape)]
        return x.new_empty(shape), x.new_empty(shape, dtype=torch.int64)
    values, index = _firsts.topk(rows, k, largest)
    return _back(x, values, d, x.dtype), _back(x, index, d, torch.int64)


def _kth(rows: Tensor, k: int) -> Pair:
    """Of the last dimension, which is kept."""
    if not 1 <= k <= rows.shape[-1]:
        raise RuntimeError(f"k: {k} is out of range for dimension of size {rows.shape[-1]}")
    values, index = _firsts.topk(rows, k, False)
    return tensor_of(values, rows.dtype)[..., k - 1:], tensor_of(index, torch.int64)[..., k - 1:]


def kept(x: Tensor, found: Pair, d: int, keepdim: bool) -> Pair:
    values, index = (_back(x, part, d, part.dtype) for part in found)
    if keepdim or not x.dim():
        return values, index
    return values.squeeze(d), index.squeeze(d)


def op_kthvalue(x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Pair:
    rows, d = rows_along(x, dim)
    return kept(x, _kth(rows, k), d, keepdim)


def op_median(x: Tensor, dim: int, keepdim: bool = False) -> Pair:
    rows, d = rows_along(x, dim)
    if not rows.shape[-1]:
        raise IndexError(f"dim: dimension {d} has no elements, which have no median")
    values, index = _kth(rows, (rows.shape[-1] + 1) // 2)
    if x.is_floating_point():
        first = tensor_of(_reduce.argmax(rows, axis=-1, keepdims=True), torch.int64)  # the first NaN, if any
        found = rows.gather(-1, first)
        has = found.isnan()
        index = torch.where(has, first, index)
        values = torch.where(has, found, values)
    return kept(x, (values, index), d, keepdim)


def op_median_of_all(x: Tensor) -> Tensor:
    if not x.numel():
        return x.new_full((), float("nan")) if x.is_floating_point() else op_median(x.reshape(-1), 0)[0]
    if not x.is_floating_point():
        return op_median(x.reshape(-1), 0)[0].clone()
    return tensor_of(_quantiles.quantile(x.reshape(-1), 0.5, method="lower"), x.dtype).reshape(())


def op_sort(x: Tensor, dim: int = -1, descending: bool = False, *, stable: Optional[bool] = None) -> Pair:
    """Stable whatever is asked for."""
    rows, d = rows_along(x, dim)
    if not rows.numel():
        return x.clone(), torch.empty_like(x, dtype=torch.int64)
    length = rows.shape[-1]
    if x.is_cuda:  # a device makes positions while it sorts
        values, index = _firsts.topk(rows, length, descending)
    else:
        narrow = torch.int32 if length < 1 << 31 else torch.int64
        places = torch.arange(length, dtype=narrow).expand(rows.shape).contiguous()
        values, index = _sort.sort_pairs(rows, places, -1, descending=descending, nan_first=descending)
    return _back(x, values, d, x.dtype), _back(x, index, d, torch.int64)


# ---- fake tensors ----------------------------------------------------------------------------------


def _pair(x: Tensor, shape: Any) -> Pair:
    return x.new_empty(shape), x.new_empty(shape, dtype=torch.int64)


def like_topk(x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Pair:
    dims = dims_of(x, dim)
    return _pair(x, [k if i in dims else length for i, length in enumerate(x.shape)])


def like_kthvalue(x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Pair:
    return _pair(x, folded_shape(x, dims_of(x, dim), keepdim))


def like_median(x: Tensor, dim: int, keepdim: bool = False) -> Pair:
    return _pair(x, folded_shape(x, dims_of(x, dim), keepdim))


def like_median_of_all(x: Tensor) -> Tensor:
    return x.new_empty(())


def like_sort(x: Tensor, dim: int = -1, descending: bool = False, *, stable: Optional[bool] = None) -> Pair:
    dims_of(x, dim)
    return _pair(x, x.shape)


# ---- derivatives -----------------------------------------------------------------------------------


def _keep(ctx: Any, x: Tensor, dim: int, index: Tensor, keepdim: bool) -> None:
    ctx.shape, ctx.dim, ctx.keepdim = x.shape, dim, keepdim
    ctx.mark_non_differentiable(index)
    ctx.save_for_backward(index)


def keep_topk(ctx: Any, inputs: Any, output: Any) -> None:
    _keep(ctx, inputs[0], inputs[2], output[1], True)


def keep_kthvalue(ctx: Any, inputs: Any, output: Any) -> None:
    _keep(ctx, inputs[0], inputs[2], output[1], inputs[3])


def keep_median(ctx: Any, inputs: Any, output: Any) -> None:
    _keep(ctx, inputs[0], inputs[1], output[1], inputs[2])


def keep_median_of_all(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(inputs[0], output)


def median_of_all_backward(ctx: Any, grad: Tensor) -> Any:
    """Evenly to all that are the median, as PyTorch has it."""
    x, output = ctx.saved_tensors
    hits = ((x == output) | (x.isnan() & output.isnan())).to(grad.dtype)
    return (hits * (grad / hits.sum()),)


def keep_sort(ctx: Any, inputs: Any, output: Any) -> None:
    _keep(ctx, inputs[0], inputs[1], output[1], True)


def place_backward(ctx: Any, grad: Tensor, _: Any) -> Any:
    """The gradient of values, to where they came from: no place twice."""
    (index,) = ctx.saved_tensors
    if not len(ctx.shape):
        return grad, None, None, None, None
    if not ctx.keepdim:
        grad, index = grad.unsqueeze(ctx.dim), index.unsqueeze(ctx.dim)
    return grad.new_zeros(ctx.shape).scatter(ctx.dim, index, grad), None, None, None, None
