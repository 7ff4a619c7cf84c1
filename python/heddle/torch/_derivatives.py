"""Derivatives of the operators: what each keeps of a call, and gradients of its arguments."""

from __future__ import annotations

from typing import Any

import torch

from ._shapes import Tensor, dims_of


def _spread(grad: Tensor, shape: Any, dims: tuple[int, ...], keepdim: bool) -> Tensor:
    """A gradient of results, for each element of its row."""
    if not keepdim:
        for d in dims:
            grad = grad.unsqueeze(d)
    return grad.expand(shape)


def keep_fold(ctx: Any, inputs: Any, output: Any) -> None:
    x, dim, keepdim = inputs
    ctx.shape, ctx.dtype, ctx.dims, ctx.keepdim = x.shape, x.dtype, dims_of(x, dim), keepdim


def sum_backward(ctx: Any, grad: Tensor) -> Any:
    return _spread(grad, ctx.shape, ctx.dims, ctx.keepdim).to(ctx.dtype), None, None


def mean_backward(ctx: Any, grad: Tensor) -> Any:
    count = 1
    for d in ctx.dims:
        count = count * ctx.shape[d]
    return _spread(grad / count, ctx.shape, ctx.dims, ctx.keepdim).to(ctx.dtype), None, None


def keep_extreme(ctx: Any, inputs: Any, output: Any) -> None:
    x, dim, ctx.keepdim = inputs
    ctx.dims = dims_of(x, dim)
    ctx.save_for_backward(x, output)


def extreme_backward(ctx: Any, grad: Tensor) -> Any:
    x, found = ctx.saved_tensors
    hits = (x == _spread(found, x.shape, ctx.dims, ctx.keepdim)).to(grad.dtype)
    share = grad / torch.ops.heddle.sum(hits, ctx.dims, ctx.keepdim)
    return hits * _spread(share, x.shape, ctx.dims, ctx.keepdim), None, None


def keep_dot(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)


def dot_backward(ctx: Any, grad: Tensor) -> Any:
    x, y = ctx.saved_tensors
    return grad * y, grad * x


def dot_rows_backward(ctx: Any, grad: Tensor) -> Any:
    return dot_backward(ctx, grad.unsqueeze(-1))


def keep_cumsum(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.dim = inputs
    ctx.dtype = x.dtype


def cumsum_backward(ctx: Any, grad: Tensor) -> Any:
    if not grad.dim():
        return grad.to(ctx.dtype), None
    return torch.ops.heddle.cumsum(grad.flip(ctx.dim), ctx.dim).flip(ctx.dim).to(ctx.dtype), None


def keep_cumprod(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.dim = inputs
    ctx.save_for_backward(x, output)


def cumprod_backward(ctx: Any, grad: Tensor) -> Any:
    x, output = ctx.saved_tensors
    found = torch.ops.aten.cumprod_backward(grad, x.to(output.dtype), ctx.dim, output)
    return found.to(x.dtype), None


def keep_nothing(ctx: Any, inputs: Any, output: Any) -> None:
    pass


def refuse(ctx: Any, *grads: Any) -> Any:
    raise RuntimeError("x: counts, and values that stand for several elements, have no derivative")
