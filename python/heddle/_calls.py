"""Calls of the library on Lines: on all of an array at once, by rows, or in pieces.

A state takes an array in pieces and gives the bits of the plain call on the whole, so that an
array that lies in another order, and is too large to be copied, is read as it is.
"""

from __future__ import annotations

from typing import Any

from ._arrays.pieces import pieces
from ._axes import Lines, pointer_of
from ._native import INCLUSIVE, Options, byref, c_void_p, check, lib


def _in_pieces(kind: str, ctx: Any, arguments: tuple[Any, ...], arrays: tuple[Any, ...],
               results: tuple[Any, ...], target: Any = None) -> None:
    """Begin, updates of the arrays' elements in C order, finish."""
    state = c_void_p()
    check(getattr(lib, f"heddle_{kind}_begin")(ctx.handle, *arguments, byref(state)))
    update, done = getattr(lib, f"heddle_{kind}_update"), 0
    try:
        for parts in pieces(arrays, order="C"):
            size = parts[0].size
            more = () if target is None else (pointer_of(target) + done * target.itemsize,)
            check(update(state, *map(pointer_of, parts), size, *more))
            done += size
        if results:
            check(getattr(lib, f"heddle_{kind}_finish")(state, *results))
    finally:
        lib.heddle_state_free(state)


def reduce(ctx: Any, op: int, lines: Lines, result: Any, options: Options) -> None:
    """heddle_reduce of each row into `result`."""
    where = pointer_of(result)
    if lines.parts is not None:
        _in_pieces("reduce", ctx, (op, lines.type, byref(options)), (lines.parts,), (where,))
    elif lines.rows is None:
        check(lib.heddle_reduce(ctx.handle, op, lines.type, lines.pointer, lines.count, where,
                                byref(options)))
    elif lines.results:
        check(lib.heddle_reduce_rows(ctx.handle, op, lines.type, lines.pointer, byref(lines.rows),
                                     where, byref(options)))


def argreduce(ctx: Any, which: int, lines: Lines, result: Any, options: Options) -> None:
    """heddle_argreduce of each row: indices into `result`."""
    where = pointer_of(result)
    if lines.parts is not None:
        _in_pieces("argreduce", ctx, (which, lines.type, byref(options)), (lines.parts,),
                   (None, where))
    elif lines.rows is None:
        check(lib.heddle_argreduce(ctx.handle, which, lines.type, lines.pointer, lines.count, None,
                                   where, byref(options)))
    elif lines.results:
        check(lib.heddle_argreduce_rows(ctx.handle, which, lines.type, lines.pointer,
                                        byref(lines.rows), None, where, byref(options)))


def describe(ctx: Any, lines: Lines, figures: Any, options: Options) -> None:
    """heddle_describe of each row into `figures`."""
    where = pointer_of(figures)
    if lines.parts is not None:
        _in_pieces("describe", ctx, (lines.type, byref(options)), (lines.parts,), (where,))
    elif lines.rows is None:
        check(lib.heddle_describe(ctx.handle, lines.type, lines.pointer, lines.count, where,
                                  byref(options)))
    elif lines.results:
        check(lib.heddle_describe_rows(ctx.handle, lines.type, lines.pointer, byref(lines.rows),
                                       where, byref(options)))


def scan(ctx: Any, op: int, lines: Lines, target: Any, options: Options,
         kind: int = INCLUSIVE) -> None:
    """heddle_scan of each row into `target`, of as many elements."""
    where = pointer_of(target)
    if lines.count == 0:
        return
    if lines.parts is not None:
        _in_pieces("scan", ctx, (op, kind, lines.type, byref(options)), (lines.parts,),
                   (), target)
    elif lines.rows is None:
        check(lib.heddle_scan(ctx.handle, op, kind, lines.type, lines.pointer, lines.count,
                              where, byref(options)))
    else:
        check(lib.heddle_scan_rows(ctx.handle, op, kind, lines.type, lines.pointer,
                                   byref(lines.rows), where, byref(options)))


def dot(ctx: Any, left: Lines, right: Lines, result: Any, options: Options) -> None:
    """heddle_dot of each row, of both operands' one layout, into `result`."""
    where = pointer_of(result)
    if left.parts is not None:
        _in_pieces("dot", ctx, (left.type, byref(options)), (left.parts, right.parts), (where,))
    elif left.rows is None:
        check(lib.heddle_dot(ctx.handle, left.type, left.pointer, right.pointer, left.count, where,
                             byref(options)))
    elif left.results:
        check(lib.heddle_dot_rows(ctx.handle, left.type, left.pointer, right.pointer,
                                  byref(left.rows), where, byref(options)))
