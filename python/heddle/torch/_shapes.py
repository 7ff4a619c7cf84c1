"""Dtypes and shapes of results by PyTorch's rules, and tensors as the rows of a call."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
import torch

Tensor = torch.Tensor
Dims = Union[int, Sequence[int], None]


def total_dtype(x: Tensor, dtype: Optional[torch.dtype] = None) -> torch.dtype:
    """Of a sum: PyTorch counts bools and integers in int64."""
    if dtype is not None:
        return dtype
    return x.dtype if x.is_floating_point() else torch.int64


def mean_dtype(x: Tensor, dtype: Optional[torch.dtype] = None) -> torch.dtype:
    wanted = x.dtype if dtype is None else dtype
    if not wanted.is_floating_point:
        raise TypeError(f"x: mean is of floating point tensors, not of {wanted}; give a dtype")
    return wanted


def dims_of(x: Tensor, dim: Dims) -> tuple[int, ...]:
    """The dimensions that are folded, ascending; none, or an empty list: all."""
    given = [dim] if isinstance(dim, int) else list(dim or range(x.dim()))
    dims = max(x.dim(), 1)
    for d in given:
        if not -dims <= d < dims:
            raise IndexError(f"dim: {d} is out of range for {x.dim()} dimensions")
    found = {d % dims for d in given}
    if len(found) != len(given):
        raise RuntimeError(f"dim: {dim} names a dimension twice")
    return tuple(sorted(found)) if x.dim() else ()


def folded_shape(x: Tensor, dims: tuple[int, ...], keepdim: bool) -> list[Any]:
    """The shape of results."""
    return [1 if i in dims else n for i, n in enumerate(x.shape) if keepdim or i not in dims]


def numpy_dtype(dtype: torch.dtype) -> np.dtype:
    name = str(dtype).partition(".")[2]
    try:
        return np.dtype("float32" if name == "bfloat16" else name)
    except TypeError:
        raise TypeError(f"dtype: {dtype} is not supported by heddle") from None


def tensor_of(result: Any, dtype: torch.dtype) -> Tensor:
    """A result of heddle's; a number of a CPU tensor becomes a tensor without dimensions.

    Elements of a bfloat16 tensor on a device come as their bits.
    """
    if not isinstance(result, Tensor):
        result = torch.from_numpy(np.array(result))
    if dtype == torch.bfloat16 and result.dtype == torch.uint16:
        return result.view(dtype)
    return result if result.dtype == dtype else result.to(dtype)


def as_totalled(x: Tensor, wanted: torch.dtype) -> Tensor:
    """The elements in the dtype that they are totalled in, where heddle would take another."""
    both = x.is_floating_point() and wanted == torch.float64
    keeps = x.dtype == wanted or both or not (wanted.is_floating_point or x.is_floating_point())
    return x if keeps and not (x.dtype == torch.bool and x.is_cuda) else x.to(wanted)


def real(x: Tensor, name: str = "x") -> Tensor:
    """A tensor of numbers that the operators take."""
    if x.is_complex():
        raise TypeError(f"{name}: dtype {x.dtype} is not supported by heddle; give its real and its "
                        "imaginary part")
    return x


def bytes_of_bools(x: Tensor) -> Tensor:
    """The same memory as integers, for functions that care for no more than zero and one."""
    return x.view(torch.uint8) if x.dtype == torch.bool else x


def rows_of(x: Tensor, dims: tuple[int, ...]) -> tuple[Tensor, Optional[int]]:
    """A tensor whose axis, or all of it, is what is folded of x."""
    if len(dims) == x.dim():
        return x.contiguous(), None
    if len(dims) == 1:
        return x, dims[0]
    last = x.movedim(dims, tuple(range(x.dim() - len(dims), x.dim())))
    length = math.prod(x.shape[d] for d in dims)  # -1 means nothing where there is no element
    return last.reshape([n for i, n in enumerate(x.shape) if i not in dims] + [length]), -1


def fold(call: Callable[..., Any], x: Tensor, dims: tuple[int, ...], keepdim: bool,
          wanted: torch.dtype, **words: Any) -> Tensor:
    rows, axis = rows_of(real(x), dims)
    return tensor_of(call(rows, axis=axis, **words), wanted).reshape(folded_shape(x, dims, keepdim))
