"""Derivatives of operators, for PyTorch's own graphs and for the transforms of torch.func.

`torch.library.register_autograd` makes an autograd.Function whose forward keeps what backward needs,
which torch.func refuses: a transform may be one of several, one around the other. PyTorch's dispatcher,
though, takes a call through one transform after the other, and runs an operator's kernel of the key
"Autograd" once in each, as it does those of aten. A function of one level, which is what it makes of
Python's functions itself, is right there.

Source: the modules torch._functorch.autograd_function and torch._library.autograd of PyTorch 2.11.
"""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import _C
from torch._functorch.utils import enable_single_level_autograd_function
from torch.autograd.function import _SingleLevelFunction


def _below(op: Any, keyset: Any, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
    """The operator's call without its derivative."""
    with _C._AutoDispatchBelowAutograd():
        return op.redispatch(keyset & _C._after_autograd_keyset, *args, **words)


def _inputs(schema: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments that are not keywords alone, with the defaults that the dispatcher has left out."""
    rest = [a.default_value for a in schema.arguments[len(args):] if not a.kwarg_only]
    return (*args, *rest)


def kernel(op: Any, backward: Callable[..., Any], keep: Callable[..., Any]) -> Callable[..., Any]:
    """The operator's kernel of the key "Autograd".

    Parameters
    ----------
    backward : callable
        backward(ctx, grad): a gradient, or None, of each input; of results that are several, a grad each.
    keep : callable
        keep(ctx, inputs, output): notes in ctx what backward needs.
    """

    def forward(ctx: Any, keyset: Any, words: dict[str, Any], *args: Any) -> Any:
        with torch.enable_grad():  # for a transform around this one, whose turn is next
            output = _below(op, keyset, args, words)
        ctx.count = len(args)
        keep(ctx, _inputs(op._schema, args), output)
        return output

    def back(ctx: Any, *grads: Any) -> Any:
        return (None, None, *backward(ctx, *grads)[:ctx.count])

    parts = {"forward": staticmethod(forward), "backward": staticmethod(back)}
    name = f"HeddleBackwardFor_{op._opname}"
    plain = type(name, (torch.autograd.Function,), parts)
    single = type(name, (_SingleLevelFunction,), parts)

    def call(keyset: Any, *args: Any, **words: Any) -> Any:
        if not (_C.is_grad_enabled() and _C._any_requires_grad(*args)):
            return _below(op, keyset, args, words)
        if not _C._are_functorch_transforms_active():
            return plain.apply(keyset, words, *args)
        with enable_single_level_autograd_function():
            return single.apply(keyset, words, *args)
    return call
