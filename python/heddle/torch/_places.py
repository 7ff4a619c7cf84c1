"""Elements and positions by a condition, positions by values: masked_select, nonzero, searchsorted."""

from __future__ import annotations

from typing import Any, Optional, Union

import torch

from .._groups.search import searchsorted as _search
from .._select import elements as _elements
from ._fakes import check_devices
from ._shapes import Tensor, bytes_of_bools, real, tensor_of

_MOVED = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


# ---- masked_select ---------------------------------------------------------------------------------


def _check_mask(x: Tensor, mask: Tensor) -> None:
    check_devices(x, "mask", mask)
    if mask.dtype != torch.bool:
        raise RuntimeError(f"mask: its dtype is {mask.dtype}, and bool is wanted")
    try:
        torch.broadcast_shapes(x.shape, mask.shape)
    except RuntimeError:
        raise RuntimeError(f"mask: its shape {list(mask.shape)} and that of x, {list(x.shape)}, "
                           "have none in common") from None


def op_masked_select(x: Tensor, mask: Tensor) -> Tensor:
    _check_mask(real(x), mask)
    elements, chosen = torch.broadcast_tensors(x, mask)
    line = elements.contiguous().reshape(-1).view(_MOVED[x.element_size()])
    if not line.numel():
        return x.new_empty([0])
    found = _elements.compress(bytes_of_bools(chosen.contiguous()).reshape(-1), line)
    return tensor_of(found, line.dtype).view(x.dtype)


def like_masked_select(x: Tensor, mask: Tensor) -> Tensor:
    _check_mask(real(x), mask)
    return x.new_empty([torch.library.get_ctx().new_dynamic_size()])


def keep_masked_select(ctx: Any, inputs: Any, output: Any) -> None:
    x, mask = inputs
    ctx.shape = x.shape
    ctx.save_for_backward(mask)


def masked_select_backward(ctx: Any, grad: Tensor) -> Any:
    """To where elements came from; of one that stood for several the sum."""
    (mask,) = ctx.saved_tensors
    shape = torch.broadcast_shapes(ctx.shape, mask.shape)
    wide = grad.new_zeros(shape).masked_scatter(mask.expand(shape), grad)
    more = len(shape) - len(ctx.shape)
    dims = [i for i, length in enumerate(shape) if i < more or ctx.shape[i - more] != length]
    if dims:
        wide = torch.ops.heddle.sum(wide, dims, True)
    return wide.reshape(ctx.shape), None


# ---- nonzero ---------------------------------------------------------------------------------------


def op_nonzero(x: Tensor) -> Tensor:
    line = bytes_of_bools(real(x)).contiguous().reshape(-1)
    if not line.numel():
        return x.new_empty([0, x.dim()], dtype=torch.int64)
    at = tensor_of(_elements.flatnonzero(line), torch.int64)
    columns, step = [at.new_empty([at.numel(), 0])], line.numel()
    for length in x.shape:
        step //= length
        columns.append((torch.div(at, step, rounding_mode="floor") % length).unsqueeze(1))
    return torch.cat(columns, 1)


def like_nonzero(x: Tensor) -> Tensor:
    return x.new_empty([torch.library.get_ctx().new_dynamic_size(), x.dim()], dtype=torch.int64)


def nonzero(x: Tensor, *, as_tuple: bool = False) -> Any:
    """The positions of elements that are not zero, a row each, as `torch.nonzero`."""
    found = torch.ops.heddle.nonzero(x if x.dim() or not as_tuple else x.reshape(1))
    return found.unbind(1) if as_tuple else found


# ---- searchsorted ----------------------------------------------------------------------------------


def _check_search(sequence: Tensor, values: Tensor, out_int32: bool) -> None:
    check_devices(sequence, "input", values, "sorted_sequence")
    for name, x in (("sorted_sequence", sequence), ("input", values)):
        real(x, name)
    if values.dtype != sequence.dtype:
        raise RuntimeError(f"input: its dtype is {values.dtype}, and that of sorted_sequence {sequence.dtype}")
    if not sequence.dim():
        raise RuntimeError("sorted_sequence: it has no dimension, and at least one is wanted")
    if sequence.dim() > 1 and (values.dim() != sequence.dim() or values.shape[:-1] != sequence.shape[:-1]):
        raise RuntimeError(f"input: its shape is {list(values.shape)}, and that of sorted_sequence "
                           f"{list(sequence.shape)}; but for the last dimension they are the same, or "
                           "sorted_sequence has one dimension")
    if out_int32 and sequence.shape[-1] >= 1 << 31:
        raise RuntimeError(f"out_int32: positions in {sequence.shape[-1]} elements need int64")


def op_searchsorted(sorted_sequence: Tensor, input: Tensor, out_int32: bool = False,
                    right: bool = False) -> Tensor:
    _check_search(sorted_sequence, input, out_int32)
    wanted = torch.int32 if out_int32 else torch.int64
    side, length = "right" if right else "left", sorted_sequence.shape[-1]
    if not length or not input.numel():
        return torch.zeros_like(input, dtype=wanted, memory_format=torch.contiguous_format)
    sequence, values = (bytes_of_bools(x).contiguous() for x in (sorted_sequence, input))
    if sequence.dim() == 1:
        return tensor_of(_search(sequence, values.reshape(-1), side), wanted).reshape(input.shape)
    rows = zip(sequence.reshape(-1, length), values.reshape(-1, values.shape[-1]))
    found = [tensor_of(_search(row, line, side), wanted) for row, line in rows]
    return torch.stack(found).reshape(input.shape)


def like_searchsorted(sorted_sequence: Tensor, input: Tensor, out_int32: bool = False,
                      right: bool = False) -> Tensor:
    _check_search(sorted_sequence, input, out_int32)
    return input.new_empty(input.shape, dtype=torch.int32 if out_int32 else torch.int64)


def _side(right: bool, side: Optional[str]) -> bool:
    if side not in (None, "left", "right"):
        raise RuntimeError(f"side: {side!r} is neither 'left' nor 'right'")
    if side == "left" and right:
        raise RuntimeError("side: it is 'left', and right is True; give one")
    return right or side == "right"


def _in_order(sequence: Tensor, sorter: Optional[Tensor]) -> Tensor:
    if sorter is None:
        return sequence
    check_devices(sequence, "sorter", sorter, "sorted_sequence")
    if sorter.dtype != torch.int64 or sorter.shape != sequence.shape:
        raise RuntimeError(f"sorter: int64 of the shape {list(sequence.shape)} is wanted, not {sorter.dtype} "
                           f"of {list(sorter.shape)}")
    return sequence.gather(-1, sorter)


def _holding(sequence: Tensor, value: Union[int, float]) -> Tensor:
    """Elements of a dtype that the number has one in, too."""
    if sequence.is_floating_point():
        return sequence
    if isinstance(value, float):
        return sequence.double()
    if sequence.dtype == torch.bool:
        return sequence.long()
    ends = torch.iinfo(sequence.dtype)
    return sequence if ends.min <= value <= ends.max else sequence.long()


def searchsorted(sorted_sequence: Tensor, input: Union[Tensor, float], *, out_int32: bool = False,
                 right: bool = False, side: Optional[str] = None, sorter: Optional[Tensor] = None) -> Tensor:
    """Where values would be put into sorted ones, as `torch.searchsorted`; NaN stand behind all numbers.

    Several dimensions are searched row by row, a call each.
    """
    sequence, right = _in_order(sorted_sequence, sorter), _side(right, side)
    if not isinstance(input, Tensor):
        if sequence.dim() != 1:
            raise RuntimeError("input: a number is searched in one dimension, and sorted_sequence has "
                               f"{sequence.dim()}")
        sequence = _holding(sequence, input)
        input = torch.full([], input, dtype=sequence.dtype, device=sequence.device)
    return torch.ops.heddle.searchsorted(sequence, input, out_int32, right)


def bucketize(input: Union[Tensor, float], boundaries: Tensor, *, out_int32: bool = False,
              right: bool = False) -> Tensor:
    """The bucket that each value is in, as `torch.bucketize`."""
    if boundaries.dim() != 1:
        raise RuntimeError(f"boundaries: one dimension is wanted, not {boundaries.dim()}")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)
