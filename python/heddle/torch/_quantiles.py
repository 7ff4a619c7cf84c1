"""Elements by their share of a row: quantile and nanquantile, and nanmedian.

The operator finds the elements on both sides of a rank, by selection, without a sort; PyTorch's own
arithmetic of ranks and its `lerp` make a quantile of them, and give its derivatives by the elements and by
q. Where NaN are skipped each row has ranks of its own, and rows are sorted.
"""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import torch

from .. import _sort
from .._rank import partition as _firsts
from .._rank.quantiles import _Rows
from ._ranks import Pair, kept, rows_along
from ._shapes import Tensor, dims_of, tensor_of

_BETWEEN = ("linear", "midpoint")
_NAMES = ("linear", "lower", "higher", "nearest", "midpoint")


# ---- sides of a rank -------------------------------------------------------------------------------


def check_quantile(x: Tensor, q: Tensor, interpolation: str) -> None:
    if x.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"x: quantiles are of float32 and float64, not of {x.dtype}; convert it")
    if q.dtype != x.dtype:
        raise RuntimeError(f"q: its dtype is {q.dtype}, and that of x {x.dtype}")
    if q.device != x.device and q.device.type != "cpu":
        raise RuntimeError(f"q: it is on {q.device}, and x is on {x.device}; the CPU's is taken, too")
    if q.dim() > 1:
        raise RuntimeError(f"q: a number or one dimension is wanted, not the shape {list(q.shape)}")
    if interpolation not in _NAMES:
        raise RuntimeError(f"interpolation: {interpolation!r} is none of {', '.join(_NAMES)}")
    if not x.shape[-1]:
        raise RuntimeError("x: there is no element, of which a quantile takes at least one")


def _places(ranks: Tensor, interpolation: str) -> list[Tensor]:
    """Of ranks between elements the elements' own."""
    if interpolation in _BETWEEN:
        return [ranks.floor().long(), ranks.ceil().long()]
    rounded = {"lower": torch.floor, "higher": torch.ceil, "nearest": torch.round}[interpolation]
    return [rounded(ranks).long()]


def op_quantile_sides(x: Tensor, q: Tensor, interpolation: str, skip: bool) -> Tensor:
    check_quantile(x, q, interpolation)
    shares = q.reshape(-1).cpu()
    if not bool(((shares >= 0) & (shares <= 1)).all()):
        raise RuntimeError("q: shares are numbers from 0 to 1")
    sides = 2 if interpolation in _BETWEEN else 1
    shape = [*x.shape[:-1], shares.numel(), sides]
    if not x.numel() or not shares.numel():
        return x.new_empty(shape)
    x = x.contiguous()
    if skip:
        ordered = tensor_of(_sort.sort(x, -1), x.dtype)
        ranks = _ranks_of(x, shares.to(x.device), True)
        places = torch.stack(_places(ranks, interpolation), -1).flatten(-2)
        return ordered.gather(-1, places).reshape(shape)
    places = torch.stack(_places(_ranks_of(x, shares, False), interpolation), -1).reshape(-1)
    last = x.shape[-1] - 1
    wanted = np.append(places.numpy(), last)
    rows = _Rows(x.unsqueeze(0) if x.dim() == 1 else x, -1, None, None)
    found = tensor_of(rows.x.give(rows.nth(wanted)), x.dtype).reshape(*x.shape[:-1], wanted.size)
    greatest = found[..., -1:]  # a NaN, where there is one
    return torch.where(greatest.isnan(), greatest, found[..., :-1]).reshape(shape)


def like_quantile_sides(x: Tensor, q: Tensor, interpolation: str, skip: bool) -> Tensor:
    check_quantile(x, q, interpolation)
    return x.new_empty([*x.shape[:-1], q.numel(), 2 if interpolation in _BETWEEN else 1])


def keep_quantile_sides(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(inputs[0], output)


def quantile_sides_backward(ctx: Any, grad: Tensor) -> Any:
    """To the first element of a row that is what was found."""
    x, output = ctx.saved_tensors
    grad, output = grad.flatten(-2), output.flatten(-2)
    if not output.shape[-1]:
        return torch.zeros_like(x), None, None, None
    places = []
    for j in range(output.shape[-1]):
        one = output[..., j:j + 1]
        places.append(((x == one) | (x.isnan() & one.isnan())).to(torch.uint8).argmax(-1))
    none = torch.zeros_like(x)
    return torch.ops.heddle.scatter_add(none, -1, torch.stack(places, -1), grad), None, None, None


# ---- functions -------------------------------------------------------------------------------------


def _ranks_of(rows: Tensor, shares: Tensor, skip: bool) -> Tensor:
    """Of each share, in PyTorch's arithmetic: in the elements' dtype."""
    if not skip:
        return shares * (rows.shape[-1] - 1)
    counts = rows.isnan().logical_not().sum(-1, keepdim=True)
    return (shares * (counts - 1)).clamp(min=0)


def _quantile(x: Tensor, q: Union[float, Tensor], dim: Optional[int], keepdim: bool, interpolation: str,
              skip: bool) -> Tensor:
    shares = q if isinstance(q, Tensor) else torch.full([], q, dtype=x.dtype)
    if dim is None or not x.dim():
        dims_of(x, dim)
        rows, left = x.reshape(-1), [1] * x.dim() if keepdim else []
    else:
        (d,) = dims_of(x, dim)
        rows = x.movedim(d, -1)
        left = [1 if i == d else length for i, length in enumerate(x.shape) if keepdim or i != d]
    sides = torch.ops.heddle.quantile_sides(rows, shares, interpolation, skip)
    found = sides[..., 0]
    if interpolation in _BETWEEN:
        ranks = _ranks_of(rows, shares.reshape(-1).to(x.device), skip)
        weights = ranks - ranks.floor() if interpolation == "linear" else torch.full_like(ranks, 0.5)
        found = torch.lerp(found, sides[..., 1], weights.expand_as(found))
    return found.movedim(-1, 0).reshape([*shares.shape, *left])


def quantile(x: Tensor, q: Union[float, Tensor], dim: Optional[int] = None, keepdim: bool = False, *,
             interpolation: str = "linear") -> Tensor:
    """The values below which given shares of the elements lie, as `torch.quantile`; found by selection.

    `q` is read on the host: a number or a tensor of the CPU waits for no device.
    """
    return _quantile(x, q, dim, keepdim, interpolation, False)


def nanquantile(x: Tensor, q: Union[float, Tensor], dim: Optional[int] = None, keepdim: bool = False, *,
                interpolation: str = "linear") -> Tensor:
    """`quantile` of what is not NaN, as `torch.nanquantile`; found by a sort."""
    return _quantile(x, q, dim, keepdim, interpolation, True)


# ---- nanmedian -------------------------------------------------------------------------------------


def op_nanmedian(x: Tensor, dim: int, keepdim: bool = False) -> Pair:
    rows, d = rows_along(x, dim)
    length = rows.shape[-1]
    if not length:
        raise IndexError(f"dim: dimension {d} has no elements, which have no median")
    if not rows.numel():
        return like_nanmedian(x, dim, keepdim)
    first, index = _firsts.topk(rows, (length + 1) // 2, False)
    counts = rows.isnan().logical_not().sum(-1, keepdim=True) if x.is_floating_point() else \
        torch.full([*rows.shape[:-1], 1], length, device=x.device)
    middle = ((counts - 1) // 2).clamp(min=0)
    found = tensor_of(first, x.dtype).gather(-1, middle), tensor_of(index, torch.int64).gather(-1, middle)
    return kept(x, found, d, keepdim)


def like_nanmedian(x: Tensor, dim: int, keepdim: bool = False) -> Pair:
    dims = dims_of(x, dim)
    shape = [1 if i in dims else length for i, length in enumerate(x.shape) if keepdim or i not in dims]
    return x.new_empty(shape), x.new_empty(shape, dtype=torch.int64)


def op_nanmedian_of_all(x: Tensor) -> Tensor:
    if not x.numel() and x.is_floating_point():
        return x.new_full((), float("nan"))
    return op_nanmedian(x.reshape(-1), 0)[0].clone()


def nanmedian(x: Tensor, dim: Optional[int] = None, keepdim: bool = False) -> Any:
    """The lower median of what is not NaN, as `torch.nanmedian`."""
    if dim is None:
        return torch.ops.heddle.nanmedian_of_all(x)
    return torch.ops.heddle.nanmedian(x, dim, keepdim)
