"""Values, each once: unique and unique_consecutive, each NaN for itself, as PyTorch has them.

heddle holds all NaN for one value; they are parted afterwards, where there are any. Values have the bits of
their first occurrence.
"""

from __future__ import annotations

from typing import Any, Optional

import torch

from .._arrays.operand import operand
from .._axes import context_of
from .._groups import unique as _unique
from .._select.runs import runs_of
from .._select.elements import as_given
from ._shapes import Tensor, bytes_of_bools, dims_of, real, tensor_of

Triple = tuple[Tensor, Tensor, Tensor]


def _none_of(x: Tensor) -> Tensor:
    return x.new_empty([0], dtype=torch.int64)


def _line(x: Tensor) -> Tensor:
    return bytes_of_bools(real(x)).contiguous().reshape(-1)


def op_unique(x: Tensor, sorted: bool = True, return_inverse: bool = False,
              return_counts: bool = False) -> Triple:
    line = _line(x)
    if not line.numel():
        return x.new_empty([0]), x.new_empty(x.shape, dtype=torch.int64), _none_of(x)
    nans = line.isnan() if x.is_floating_point() else None
    several = nans is not None and int(nans.sum()) > 1
    words = {"return_inverse": return_inverse, "return_counts": return_counts}
    found = _unique.unique(line, **words)
    parts = list(found) if isinstance(found, tuple) else [found]
    values = tensor_of(parts.pop(0), line.dtype)
    inverse = tensor_of(parts.pop(0), torch.int64).reshape(-1) if return_inverse else None
    counts = tensor_of(parts.pop(0), torch.int64) if return_counts else None
    if several:
        values, inverse, counts = _apart(line, nans, values, inverse, counts)
    return (values.to(x.dtype), _none_of(x) if inverse is None else inverse.reshape(x.shape),
            _none_of(x) if counts is None else counts)


def _apart(line: Tensor, nans: Any, values: Tensor, inverse: Optional[Tensor],
           counts: Optional[Tensor]) -> tuple[Tensor, Optional[Tensor], Optional[Tensor]]:
    """Each NaN as a value of its own behind the numbers, in the order of the line."""
    numbers = values.numel() - 1
    which = nans.cumsum(0) - 1 + numbers
    if inverse is not None:
        inverse = torch.where(nans, which, inverse)
    own = line[nans]
    if counts is not None:
        counts = torch.cat([counts[:numbers], torch.ones_like(own, dtype=torch.int64)])
    return torch.cat([values[:numbers], own]), inverse, counts


def op_unique_consecutive(x: Tensor, return_inverse: bool = False, return_counts: bool = False) -> Triple:
    line = _line(x)
    if not line.numel():
        return x.new_empty([0]), x.new_empty(x.shape, dtype=torch.int64), _none_of(x)
    taken = operand(line, "x")
    keys, offsets = runs_of(taken, context_of(taken, None, None), "x")
    values = tensor_of(as_given(taken, keys), line.dtype)
    counts = tensor_of(taken.give(offsets, False), torch.int64).diff()
    if x.is_floating_point() and bool(values.isnan().any()):
        runs = values.isnan()
        times = torch.where(runs, counts, torch.ones_like(counts))
        counts = torch.where(runs, torch.ones_like(counts), counts).repeat_interleave(times)
        values = line[counts.cumsum(0) - counts]
    inverse = _none_of(x)
    if return_inverse:
        inverse = torch.arange(counts.numel(), device=x.device).repeat_interleave(
            counts, output_size=x.numel()).reshape(x.shape)
    return values.to(x.dtype), inverse, counts if return_counts else _none_of(x)


# ---- fake tensors ----------------------------------------------------------------------------------


def _like(x: Tensor, return_inverse: bool, return_counts: bool) -> Triple:
    size = torch.library.get_ctx().new_dynamic_size()
    return (x.new_empty([size]), x.new_empty(x.shape if return_inverse else [0], dtype=torch.int64),
            x.new_empty([size] if return_counts else [0], dtype=torch.int64))


def like_unique(x: Tensor, sorted: bool = True, return_inverse: bool = False,
                return_counts: bool = False) -> Triple:
    return _like(x, return_inverse, return_counts)


def like_unique_consecutive(x: Tensor, return_inverse: bool = False, return_counts: bool = False) -> Triple:
    return _like(x, return_inverse, return_counts)


# ---- functions -------------------------------------------------------------------------------------


def _asked(found: Triple, *flags: bool) -> Any:
    given = [found[0], *(part for part, wanted in zip(found[1:], flags) if wanted)]
    return tuple(given) if len(given) > 1 else given[0]


def _check_dim(x: Tensor, dim: Optional[int]) -> None:
    if dim is not None and (dims_of(x, dim), x.dim()) != ((0,), 1):
        raise ValueError(f"dim: heddle finds values of all of a tensor, not slices along dimension {dim}; "
                         "leave it None")


def unique(x: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
           dim: Optional[int] = None) -> Any:
    """The values of a tensor, each once, in order, as `torch.unique`; each NaN is its own value.

    Values come sorted also where `sorted` is False.
    """
    _check_dim(x, dim)
    return _asked(torch.ops.heddle.unique(x, sorted, return_inverse, return_counts),
                  return_inverse, return_counts)


def unique_consecutive(x: Tensor, return_inverse: bool = False, return_counts: bool = False,
                       dim: Optional[int] = None) -> Any:
    """The first element of each run of equal neighbours, as `torch.unique_consecutive`."""
    _check_dim(x, dim)
    return _asked(torch.ops.heddle.unique_consecutive(x, return_inverse, return_counts),
                  return_inverse, return_counts)
