"""What the operators do under torch.vmap: one call, whose rows are those of all examples.

A rule takes (info, in_dims, *arguments), as torch.library.register_vmap has it, and gives the results,
whose dimension of examples is the first.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from ._shapes import Dims, Tensor, dims_of

Rule = Callable[..., tuple[Tensor, int]]


def _first(x: Tensor, dim: Optional[int], count: int) -> Tensor:
    """With the examples in front; where all have the same one, it is repeated."""
    return x.unsqueeze(0).expand(count, *x.shape) if dim is None else x.movedim(dim, 0)


def _example(x: Tensor) -> Tensor:
    """One like each of the examples, of which there may be none: for its shape alone."""
    return x.new_empty(()).expand(x.shape[1:])


def _behind(x: Tensor, dim: Dims) -> list[int]:
    """Dimensions of an example as those of all."""
    return [d + 1 for d in dims_of(_example(x), dim)]


def fold_rule(op: Any) -> Rule:
    def rule(info: Any, in_dims: Any, x: Tensor, dim: Dims = None, keepdim: bool = False,
             **words: Any) -> tuple[Tensor, int]:
        x = _first(x, in_dims[0], info.batch_size)
        if x.dim() == 1:
            dims_of(_example(x), dim)
            return op(x.unsqueeze(1), [1], False, **words), 0
        return op(x, _behind(x, dim), keepdim, **words), 0
    return rule


def index_rule(op: Any) -> Rule:
    def rule(info: Any, in_dims: Any, x: Tensor, dim: Optional[int] = None,
             keepdim: bool = False) -> tuple[Tensor, int]:
        x = _first(x, in_dims[0], info.batch_size)
        if x.dim() == 1 or dim is None:
            found = op(x.flatten(1) if x.dim() > 1 else x.unsqueeze(1), 1, False)
            return found.reshape([len(x)] + [1] * (x.dim() - 1) * keepdim), 0
        return op(x, _behind(x, dim)[0], keepdim), 0
    return rule


def scan_rule(op: Any) -> Rule:
    def rule(info: Any, in_dims: Any, x: Tensor, dim: int, **words: Any) -> tuple[Tensor, int]:
        x = _first(x, in_dims[0], info.batch_size)
        if x.dim() == 1:
            dims_of(_example(x), dim)
            return op(x.unsqueeze(1), 1, **words).squeeze(1), 0
        return op(x, _behind(x, dim)[0], **words), 0
    return rule


def dot_rule(op: Any) -> Rule:
    """op: of rows, along the last dimension."""
    def rule(info: Any, in_dims: Any, x: Tensor, y: Tensor) -> tuple[Tensor, int]:
        x, y = (_first(z, d, info.batch_size) for z, d in zip((x, y), in_dims))
        if x.dim() < 2 or x.dim() != y.dim():
            raise RuntimeError(f"y: two tensors of one dimension and length are wanted, not of "
                               f"{list(x.shape[1:])} and {list(y.shape[1:])}")
        return op(x, y), 0
    return rule


def pair_rule(op: Any, at: int) -> Rule:
    """op: values and indices along a dimension, argument `at` behind the tensor, by default the last."""
    def rule(info: Any, in_dims: Any, x: Tensor, *arguments: Any, **words: Any) -> tuple[Any, Any]:
        x = _first(x, in_dims[0], info.batch_size)
        before, dim, behind = arguments[:at], (*arguments, -1)[at], arguments[at + 1:]
        if x.dim() > 1:
            return op(x, *before, _behind(x, dim)[0], *behind, **words), (0, 0)
        dims_of(_example(x), dim)
        found = op(x.unsqueeze(1), *before, 1, *behind, **words)
        return tuple(part.reshape(x.shape) for part in found), (0, 0)
    return rule


def whole_rule(op: Any) -> Rule:
    """op: values and indices along a dimension, of which each example's elements are one."""
    def rule(info: Any, in_dims: Any, x: Tensor) -> tuple[Tensor, int]:
        x = _first(x, in_dims[0], info.batch_size)
        line = x.flatten(1) if x.dim() > 1 else x.unsqueeze(1)
        if not line.shape[1] and x.is_floating_point():
            return x.new_full((len(x),), float("nan")), 0
        return op(line, 1, False)[0], 0
    return rule


def search_rule(op: Any) -> Rule:
    def rule(info: Any, in_dims: Any, sequence: Tensor, values: Tensor, *arguments: Any,
             **words: Any) -> tuple[Tensor, int]:
        values = _first(values, in_dims[1], info.batch_size)
        if in_dims[0] is None and sequence.dim() == 1:
            return op(sequence, values, *arguments, **words), 0
        sequence = _first(sequence, in_dims[0], info.batch_size)
        if sequence.dim() != 2:
            return op(sequence, values, *arguments, **words), 0
        found = op(sequence, values.flatten(1) if values.dim() > 1 else values.unsqueeze(1), *arguments,
                   **words)
        return found.reshape(values.shape), 0
    return rule
