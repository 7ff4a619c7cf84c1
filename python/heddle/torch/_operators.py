"""What the operators do with tensors in memory: calls of heddle's functions, PyTorch's dtypes."""

from __future__ import annotations

from typing import Any, Callable, Optional

import torch

from .. import _moments, _reduce
from .. import _scan as _running
from .._arrays.kinds import torch_memory
from .._histogram.bincount import bincount as _counted
from .._histogram.histogram import histogram as _histogram
from ._shapes import Dims, Tensor, as_totalled, dims_of, fold, mean_dtype, numpy_dtype, real
from ._shapes import tensor_of, total_dtype


def refusing(names: list[str]) -> Callable[..., Any]:
    """What operators do with tensors that have no array of elements: the argument is named."""
    def refuse(*arguments: Any, **words: Any) -> Any:
        for name, x in [*zip(names, arguments), *words.items()]:
            if isinstance(x, Tensor):
                torch_memory(name, x)
        raise TypeError(f"{names[0]}: tensors like {type(arguments[0]).__name__} are not supported by heddle")
    return refuse


def op_sum(x: Tensor, dim: Dims = None, keepdim: bool = False, *,
           dtype: Optional[torch.dtype] = None) -> Tensor:
    wanted = total_dtype(x, dtype)
    return fold(_reduce.sum, as_totalled(real(x), wanted), dims_of(x, dim), keepdim, wanted,
                dtype=numpy_dtype(wanted))


def op_mean(x: Tensor, dim: Dims = None, keepdim: bool = False, *,
            dtype: Optional[torch.dtype] = None) -> Tensor:
    wanted = mean_dtype(x, dtype)
    return fold(_moments.mean, as_totalled(x, wanted), dims_of(x, dim), keepdim, wanted)


def op_amax(x: Tensor, dim: Dims = (), keepdim: bool = False) -> Tensor:
    return fold(_reduce.max, x, dims_of(x, dim), keepdim, x.dtype)


def op_amin(x: Tensor, dim: Dims = (), keepdim: bool = False) -> Tensor:
    return fold(_reduce.min, x, dims_of(x, dim), keepdim, x.dtype)


def op_argmax(x: Tensor, dim: Optional[int] = None, keepdim: bool = False) -> Tensor:
    return fold(_reduce.argmax, x, dims_of(x, dim), keepdim, torch.int64)


def op_argmin(x: Tensor, dim: Optional[int] = None, keepdim: bool = False) -> Tensor:
    return fold(_reduce.argmin, x, dims_of(x, dim), keepdim, torch.int64)


def op_dot(x: Tensor, y: Tensor) -> Tensor:
    if x.dtype != y.dtype or x.device != y.device:
        raise RuntimeError(f"y: its dtype and device are {y.dtype}, {y.device}, those of x "
                           f"{x.dtype}, {x.device}")
    if x.dim() != 1 or y.dim() != 1 or x.shape != y.shape:
        raise RuntimeError(f"y: two tensors of one dimension and length are wanted, not of "
                           f"{list(x.shape)} and {list(y.shape)}")
    return tensor_of(_moments.dot(x.contiguous(), y.contiguous()), x.dtype)


def op_dot_rows(x: Tensor, y: Tensor) -> Tensor:
    """Of rows along the last dimension, for examples of torch.vmap."""
    if x.dtype != y.dtype or x.device != y.device or x.shape != y.shape or not x.dim():
        raise RuntimeError(f"y: two tensors of one dtype, device and shape are wanted, not of {x.dtype}, "
                           f"{x.device}, {list(x.shape)} and {y.dtype}, {y.device}, {list(y.shape)}")
    return tensor_of(_moments.dot(x.contiguous(), y.contiguous(), axis=x.dim() - 1), x.dtype)


def _scan(call: Callable[..., Any], x: Tensor, dim: int, dtype: Optional[torch.dtype]) -> Tensor:
    wanted = total_dtype(x, dtype)
    (axis,) = dims_of(x, dim) or (0,)
    line = as_totalled(real(x), wanted).reshape(x.shape or (1,))
    found = call(line, axis=axis, dtype=numpy_dtype(wanted))
    return tensor_of(found, wanted).reshape(x.shape)


def op_cumsum(x: Tensor, dim: int, *, dtype: Optional[torch.dtype] = None) -> Tensor:
    return _scan(_running.cumsum, x, dim, dtype)


def op_cumprod(x: Tensor, dim: int, *, dtype: Optional[torch.dtype] = None) -> Tensor:
    return _scan(_running.cumprod, x, dim, dtype)


def op_histc(x: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    if not x.is_floating_point():
        raise TypeError(f"x: histc counts floating point tensors, not {x.dtype}")
    span = None if min == max == 0 else (float(min), float(max))
    if span and span[0] == span[1]:
        span = span[0] - 1, span[1] + 1  # as PyTorch has it
    if span is None and x.numel():
        ends = float(_reduce.min(x.contiguous())), float(_reduce.max(x.contiguous()))
        span = ends if ends[0] != ends[1] else (ends[0] - 1, ends[1] + 1)
    counts, _ = _histogram(x.contiguous(), bins, span or (-1.0, 1.0))
    return tensor_of(counts, x.dtype)


def op_bincount(x: Tensor, weights: Optional[Tensor] = None, minlength: int = 0,
                length: Optional[int] = None) -> Tensor:
    if weights is not None and weights.device != x.device:
        raise RuntimeError(f"weights: they are on {weights.device}, and x is on {x.device}")
    counts = _counted(x.contiguous(), None if weights is None else weights.contiguous(), minlength,
                      length=length)
    if weights is None:
        return tensor_of(counts, torch.int64)
    single = weights.dtype == torch.float32
    return tensor_of(counts, torch.float32 if single else torch.float64)
