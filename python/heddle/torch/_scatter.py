"""Rows and elements folded into those that an index names: index_add, scatter_add, scatter_reduce.

What an index names is grouped first, each group is folded in its order, and meets the tensor's own
element once: one result for every run, thread count and device, where additions as they come give
another one each time.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

import numpy as np
import torch

from .. import _native as n
from .._context import Context, context
from .._groups.handle import options_of, sum_type
from .._groups.ids import Rows, fold_rows
from .._histogram.bincount import bincount as _counted
from .._native import TYPES
from ._fakes import check_devices
from ._shapes import Tensor, dims_of, numpy_dtype, real, tensor_of

_FOLDS = {"sum": n.SUM, "prod": n.PROD, "mean": n.SUM, "amin": n.MIN, "amax": n.MAX}
_JOINS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "sum": torch.add, "mean": torch.add, "prod": torch.mul, "amin": torch.minimum, "amax": torch.maximum}


class Named(NamedTuple):
    """Rows, the group of each, how many groups there are, and what their folds are as a tensor."""

    ids: Tensor
    rows: Tensor
    groups: int
    shaped: Callable[[Tensor], Tensor]


def check_like(x: Tensor, name: str, other: Tensor) -> None:
    """Elements for x: of its dtype, where it is."""
    if other.device != x.device:
        raise RuntimeError(f"{name}: it is on {other.device}, and x is on {x.device}")
    if other.dtype != x.dtype:
        raise RuntimeError(f"{name}: its dtype is {other.dtype}, and that of x {x.dtype}")
    real(x)


def check_index(x: Tensor, index: Tensor) -> None:
    if index.device != x.device:
        raise RuntimeError(f"index: it is on {index.device}, and x is on {x.device}")
    if index.dtype not in (torch.int64, torch.int32):
        raise IndexError(f"index: int64 or int32 is wanted, not {index.dtype}")


def _beyond(index: Tensor, length: int) -> None:
    """Refuses an index of the host that names none of so many; those of a device the call finds."""
    if index.device.type == "cpu" and index.numel():
        ends = int(index.min()), int(index.max())
        for found in ends:
            if not 0 <= found < length:
                raise IndexError(f"index: {found} is out of range for dimension of size {length}")


#: torch's dtype of an element -> the library's type and that of its sums.
_TYPES = {getattr(torch, dtype.name): (number, getattr(torch, sum_type(dtype).name))
          for dtype, number in TYPES.items() if dtype.kind != "b" and hasattr(torch, dtype.name)}


def _context(x: Tensor) -> Context:
    """Of the tensor's device, at work on PyTorch's stream."""
    ctx = context(f"cuda:{x.device.index}" if x.is_cuda else None)
    ctx.use_stream(torch.cuda.current_stream(x.device).cuda_stream or None if x.is_cuda else None)
    return ctx


def _fold(op: int, named: Named) -> Tensor:
    """Each group's rows folded; of none the neutral element, of sums of floats -0.0, which changes nothing."""
    rows, dtype = named.rows, named.rows.dtype
    held = {torch.bfloat16: torch.float32, torch.bool: torch.uint8}.get(dtype, dtype)
    rows = rows.to(held).contiguous()
    if rows.dtype not in _TYPES:
        raise TypeError(f"src: {dtype} is not supported by heddle")
    number, totals = _TYPES[rows.dtype]
    out = rows.new_empty([named.groups, *rows.shape[1:]],
                         dtype=totals if op in (n.SUM, n.PROD) else rows.dtype)
    if not out.numel():
        return named.shaped(out.to(dtype))
    options, ids = options_of(numpy_dtype(out.dtype)), named.ids
    if op == n.SUM and out.is_floating_point():
        init = np.array(-0.0, numpy_dtype(out.dtype))
        options.init = init.ctypes.data
    given = Rows(number, rows.data_ptr(), out.numel() // named.groups, TYPES[numpy_dtype(ids.dtype)],
                 ids.data_ptr(), ids.numel())
    fold_rows(_context(rows), op, given, out.data_ptr(), named.groups, options)
    return named.shaped(out if out.dtype == dtype else out.to(dtype))


def _counts(named: Named) -> Tensor:
    """How many rows each group has, to stand beside folds."""
    counts = tensor_of(_counted(named.ids, None, 0, length=named.groups), torch.int64)
    return named.shaped(counts.reshape([named.groups] + [1] * (named.rows.dim() - 1)))


def _along(rows: Tensor, ids: Tensor, dim: int, groups: int) -> Named:
    """Rows across the dimension."""
    rows = rows.movedim(dim, 0).contiguous()
    return Named(ids.contiguous(), rows, groups, lambda found: found.movedim(0, dim))


def _row_index(index: Tensor, x: Tensor, dim: int) -> Optional[Tensor]:
    """The index of one dimension that was expanded to this one; None: it was not."""
    for d in range(index.dim()):
        if d != dim and (index.shape[d] != x.shape[d] or (index.shape[d] > 1 and index.stride(d))):
            return None
    line = index.movedim(dim, -1)
    return line.reshape(-1, line.shape[-1])[0] if line.numel() else None


def _each(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Named:
    """Elements, each with a place of x as its group."""
    step, at = 1, torch.zeros([], dtype=torch.int64, device=x.device)
    for d in reversed(range(x.dim())):
        places = torch.arange(index.shape[d], device=x.device)
        named = index.to(torch.int64) if d == dim else places.reshape([-1] + [1] * (x.dim() - 1 - d))
        at, step = at + named * step, step * x.shape[d]
    there = (index >= 0) & (index < x.shape[dim])
    ids = torch.where(there, at, torch.full_like(at, x.numel()))
    return Named(ids.reshape(-1).contiguous(), src.reshape(-1).contiguous(), x.numel(),
                 lambda found: found.reshape(x.shape))


def named_of(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Optional[Named]:
    """What scatter's index names; None: nothing."""
    check_like(x, "src", src)
    check_index(x, index)
    if x.dim() == 0:
        return named_of(x.reshape(1), dim, index.reshape(-1), src.reshape(-1))
    (d,) = dims_of(x, dim)
    if index.dim() != x.dim() or src.dim() != x.dim():
        raise RuntimeError(f"index: x, index and src have {x.dim()}, {index.dim()} and {src.dim()} "
                           "dimensions, and as many are wanted")
    for k in range(x.dim()):
        if index.shape[k] > src.shape[k] or (k != d and index.shape[k] > x.shape[k]):
            raise RuntimeError(f"index: its shape {list(index.shape)} is not within that of src, "
                               f"{list(src.shape)}, and, but for dimension {d}, that of x, {list(x.shape)}")
    if not index.numel():
        return None
    _beyond(index, x.shape[d])
    src = src[tuple(slice(0, length) for length in index.shape)]
    line = _row_index(index, x, d)
    return _each(x, d, index, src) if line is None else _along(src, line, d, x.shape[d])


def op_scatter_reduce(x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str,
                      include_self: bool = True) -> Tensor:
    if reduce not in _FOLDS:
        raise RuntimeError(f"reduce: {reduce!r} is none of {', '.join(_FOLDS)}")
    if x.dtype == src.dtype == torch.bool:
        return op_scatter_reduce(x.long(), dim, index, src.long(), reduce, include_self).bool()
    named = named_of(x, dim, index, src)
    if named is None:
        return x.clone(memory_format=torch.contiguous_format)
    own = x if x.dim() else x.reshape(1)
    folded = _fold(_FOLDS[reduce], named)
    joined = _JOINS[reduce](own, folded) if include_self else folded
    if include_self and reduce != "mean":  # where nothing comes, the neutral element did
        return joined.to(x.dtype).reshape(x.shape).contiguous()
    counts = _counts(named)
    if reduce == "mean":
        all_of = (counts + int(include_self)).clamp(min=1)
        joined = joined / all_of if x.is_floating_point() else \
            torch.div(joined, all_of, rounding_mode="floor")
    return torch.where(counts > 0, joined.to(x.dtype), own).reshape(x.shape).contiguous()


def op_scatter_add(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return op_scatter_reduce(x, dim, index, src, "sum")


def op_index_add(x: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Any = 1) -> Tensor:
    if x.dtype == source.dtype == torch.bool:
        return op_index_add(x.long(), dim, index, source.long(), alpha).bool()
    check_like(x, "source", source)
    check_index(x, index)
    own = x if x.dim() else x.reshape(1)
    rows = source if x.dim() else source.reshape(-1)
    (d,) = dims_of(own, dim)
    wanted = [index.numel() if k == d else length for k, length in enumerate(own.shape)]
    if index.dim() > 1 or list(rows.shape) != wanted:
        raise RuntimeError(f"source: its shape is {list(rows.shape)}, and {wanted} is wanted for an index of "
                           f"the shape {list(index.shape)} along dimension {d}")
    if not rows.numel():
        return x.clone(memory_format=torch.contiguous_format)
    _beyond(index, own.shape[d])
    named = _along(rows, index.reshape(-1), d, own.shape[d])
    return torch.add(own, _fold(n.SUM, named), alpha=alpha).reshape(x.shape).contiguous()


def op_embedding_backward(grad: Tensor, index: Tensor, count: int, padding: int,
                          by_frequency: bool) -> Tensor:
    """Of a table of `count` rows: the gradients of each row's uses, summed."""
    rows = grad.reshape(index.numel(), grad.shape[-1])
    _beyond(index, count)
    if not rows.numel():
        return grad.new_zeros(count, grad.shape[-1])
    named = Named(index.reshape(-1).contiguous(), rows.contiguous(), count, lambda found: found)
    sums = _fold(n.SUM, named) + 0.0
    if by_frequency:
        sums = sums / _counts(named).clamp(min=1).to(sums.dtype)
    if 0 <= padding < count:
        sums[padding] = 0
    return sums


# ---- fake tensors ----------------------------------------------------------------------------------


def like_x(name: str) -> Callable[..., Tensor]:
    """name: of the argument that is added."""
    def fake(x: Tensor, dim: int, index: Tensor, added: Tensor, *rest: Any) -> Tensor:
        check_devices(x, "index", index)
        check_devices(x, name, added)
        return x.new_empty(x.shape)
    return fake


# ---- derivatives -----------------------------------------------------------------------------------


def keep_index_add(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.dim, index, source, ctx.alpha = inputs
    ctx.shape = source.shape
    ctx.save_for_backward(index)


def index_add_backward(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    line = grad if grad.dim() else grad.reshape(1)
    rows = line.index_select(ctx.dim, index.reshape(-1)).reshape(ctx.shape)
    return grad, None, None, rows if ctx.alpha == 1 else rows * ctx.alpha, None


def keep_scatter_add(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.dim, index, src = inputs
    ctx.shape = src.shape
    ctx.save_for_backward(index)


def _gathered(grad: Tensor, dim: int, index: Tensor, shape: Any) -> Tensor:
    """Of each element of src the gradient of what it went to; of those that went nowhere zero."""
    found = grad.gather(dim, index.to(torch.int64))
    if found.shape == shape:
        return found
    wide = grad.new_zeros(shape)
    wide[tuple(slice(0, length) for length in index.shape)] = found
    return wide


def scatter_add_backward(ctx: Any, grad: Tensor) -> Any:
    (index,) = ctx.saved_tensors
    return grad, None, None, _gathered(grad, ctx.dim, index, ctx.shape)


def keep_scatter_reduce(ctx: Any, inputs: Any, output: Any) -> None:
    x, ctx.dim, index, src, ctx.reduce, ctx.include_self = inputs
    ctx.save_for_backward(x, index, src, output)


def _spread(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return torch.ops.heddle.scatter_add(x, dim, index, src)


def scatter_reduce_backward(ctx: Any, grad: Tensor) -> Any:
    x, index, src, output = ctx.saved_tensors
    dim, own = ctx.dim, grad
    index = index.to(torch.int64)
    if ctx.reduce == "prod":
        raise RuntimeError("reduce: products have no derivative here; torch.scatter_reduce has it")
    if ctx.reduce == "mean":
        counts = torch.ones_like(grad) if ctx.include_self else torch.zeros_like(grad)
        grad = grad / _spread(counts, dim, index, torch.ones_like(src)).clamp(min=1)
        own = grad
    if ctx.reduce in ("amin", "amax"):
        shown = src[tuple(slice(0, length) for length in index.shape)]
        hits = (shown == output.gather(dim, index)).to(grad.dtype)
        mine = (x == output).to(grad.dtype)
        start = mine if ctx.include_self else torch.zeros_like(mine)
        grad = grad / _spread(start, dim, index, hits).clamp(min=1)
        own = grad * mine
        given = torch.zeros_like(src)
        given[tuple(slice(0, length) for length in index.shape)] = hits * grad.gather(dim, index)
    else:
        given = _gathered(grad, dim, index, src.shape)
    if not ctx.include_self:
        own = own.scatter(dim, index, 0) if own.dim() else torch.zeros_like(own)
    return own, None, None, given, None, None
