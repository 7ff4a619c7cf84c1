"""What the operators give for fake tensors, which have dtypes and shapes alone."""

from __future__ import annotations

from typing import Any, Callable, Optional

import torch

from ._shapes import Dims, Tensor, dims_of, folded_shape, total_dtype


def like_fold(dtype_of: Callable[..., torch.dtype]) -> Callable[..., Tensor]:
    def fake(x: Tensor, dim: Dims = None, keepdim: bool = False, **words: Any) -> Tensor:
        return x.new_empty(folded_shape(x, dims_of(x, dim), keepdim), dtype=dtype_of(x, **words))
    return fake


def own_dtype(x: Tensor) -> torch.dtype:
    return x.dtype


def like_scan(x: Tensor, dim: int, *, dtype: Optional[torch.dtype] = None) -> Tensor:
    dims_of(x, dim)
    return x.new_empty(x.shape, dtype=total_dtype(x, dtype))


def like_histc(x: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    return x.new_empty([bins])


def like_bincount(x: Tensor, weights: Optional[Tensor] = None, minlength: int = 0,
                  length: Optional[int] = None) -> Tensor:
    if weights is not None:
        check_devices(x, "weights", weights)
    size = torch.library.get_ctx().new_dynamic_size(min=minlength) if length is None else length
    if weights is None:
        return x.new_empty([size], dtype=torch.int64)
    single = weights.dtype == torch.float32
    return x.new_empty([size], dtype=torch.float32 if single else torch.float64)


def int64_dtype(x: Tensor) -> torch.dtype:
    return torch.int64


def check_devices(x: Tensor, name: str, other: Tensor, of: str = "x") -> None:
    """PyTorch calls these for tensors of which one alone is a meta tensor, too."""
    if x.device != other.device:
        raise RuntimeError(f"{name}: it is on {other.device}, and {of} is on {x.device}")


def like_dot(x: Tensor, y: Tensor) -> Tensor:
    check_devices(x, "y", y)
    return x.new_empty([])


def like_dot_rows(x: Tensor, y: Tensor) -> Tensor:
    check_devices(x, "y", y)
    return x.new_empty(x.shape[:-1])
