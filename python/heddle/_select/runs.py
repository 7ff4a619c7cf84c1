"""Runs of equal neighbours: run_length_encode, unique_consecutive, reduce_by_key, scan_by_key."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native as n
from .._arrays.device_array import DeviceArray
from .._arrays.operand import Operand, operand
from .._axes import context_of, empty, pointer_of
from .._context import Context
from .._fold import prepared
from .._native import Options, byref, c_uint64, check, lib
from .elements import as_given, cut, in_line
from .._typing import Array, DType

__all__ = ["reduce_by_key", "run_length_encode", "scan_by_key", "unique_consecutive"]

_OPS = {"sum": n.SUM, "prod": n.PROD, "min": n.MIN, "max": n.MAX, "any": n.ANY, "all": n.ALL,
        "and": n.AND, "or": n.OR, "xor": n.XOR, "sum_squares": n.SUM_SQUARES}
_SCANS = ("sum", "prod", "min", "max", "and", "or", "xor")
_TOTALS, _LOGICAL = (n.SUM, n.PROD, n.SUM_SQUARES), (n.ANY, n.ALL)


def _line(x: Operand, name: str) -> Any:
    if x.ndim != 1:
        raise ValueError(f"{name}: runs are of one dimension, not of shape {x.shape}")
    return in_line(x, name)


def runs_of(x: Operand, ctx: Context, name: str) -> tuple[Any, Any]:
    """The first element of each run, and where runs begin and the last one ends."""
    line, found = _line(x, name), c_uint64()
    keys, offsets = empty(x, ctx, (line.size,), x.dtype), empty(x, ctx, (line.size + 1,), np.int64)
    check(lib.heddle_runs(ctx.handle, x.type, pointer_of(line), line.size, pointer_of(keys),
                          pointer_of(offsets), byref(found)))
    return cut(x, ctx, keys, found.value, x.dtype), cut(x, ctx, offsets, found.value + 1, np.int64)


def _lengths(x: Operand, offsets: Any) -> Any:
    if isinstance(offsets, np.ndarray):
        return np.diff(offsets)
    lengths = np.diff(offsets.to_host())
    return DeviceArray.from_host(lengths, offsets.device, x.current_stream())


def run_length_encode(x: Array, *, threads: int | None = None,
                      device: str | None = None) -> tuple[Any, Any]:
    """The runs of equal neighbours in a line: an element of each, and how many there are.

    Parameters
    ----------
    x : array_like
        One dimension; integers, bool, float16, bfloat16, float32, float64, without nulls.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    values : array
        The first element of each run, of the caller's dtype (float32 for bfloat16) and kind.
    lengths : array
        Of int64.

    Notes
    -----
    -0.0 equals +0.0, and all NaN equal one another.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.run_length_encode([7, 7, 7, 5, 7])
    (array([7, 5, 7]), array([3, 1, 1]))
    """
    taken = operand(x, "x")
    ctx = context_of(taken, device, threads)
    keys, offsets = runs_of(taken, ctx, "x")
    return as_given(taken, keys), taken.give(_lengths(taken, offsets), False)


def unique_consecutive(x: Array, return_inverse: bool = False, return_counts: bool = False, *,
                       threads: int | None = None, device: str | None = None) -> Any:
    """An element of each run of equal neighbours in a line.

    Parameters
    ----------
    x, threads, device
        As in `run_length_encode`.
    return_inverse : bool
        Also the number of each element's run; of arrays of the host.
    return_counts : bool
        Also how long runs are.

    Returns
    -------
    array, or tuple of array
        Values; then, as far as they are asked for, the inverse and counts, of int64.

    Notes
    -----
    The arguments and results of ``torch.unique_consecutive``. Of sorted elements it is what
    ``numpy.unique`` gives.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.unique_consecutive([7, 7, 5, 7], return_inverse=True, return_counts=True)
    (array([7, 5, 7]), array([0, 0, 1, 2]), array([2, 1, 1]))
    """
    taken = operand(x, "x")
    if return_inverse and taken.host is None:
        raise TypeError(f"return_inverse: it is for arrays of the host, and x is on {taken.array.device}")
    ctx = context_of(taken, device, threads)
    keys, offsets = runs_of(taken, ctx, "x")
    result = [as_given(taken, keys)]
    if not return_inverse and not return_counts:
        return result[0]
    lengths = _lengths(taken, offsets)
    if return_inverse:
        result.append(taken.give(np.repeat(np.arange(lengths.size), lengths), False))
    if return_counts:
        result.append(taken.give(lengths, False))
    return tuple(result)


def _pair(keys: Any, values: Any, op: str, known: Any) -> tuple[Operand, Operand, int]:
    if not isinstance(op, str) or op not in known:
        raise ValueError(f"op: {op!r} is none of {', '.join(map(repr, known))}")
    k, v = operand(keys, "keys"), operand(values, "values")
    if v.shape != k.shape:
        raise ValueError(f"values: their shape is {v.shape}, that of keys is {k.shape}")
    if (k.host is None) != (v.host is None):
        raise TypeError("values: they and keys are on one device, or both on the host")
    return k, v, _OPS[op]


def _folded(op: int, v: Operand, dtype: Any) -> tuple[Operand, Options, np.dtype]:
    """Values as the library folds them, and what it gives."""
    if op in _TOTALS:
        return prepared(op, v, dtype)
    if dtype is not None:
        raise TypeError("dtype: it is for sums and products")
    if op in _LOGICAL:
        return v, Options(out_type=n.result_type(op, v.type)), np.dtype(bool)
    if v.is_bfloat16:
        return v, Options(out_type=n.F32), np.dtype(np.float32)
    return v, Options(out_type=v.type), v.dtype


def reduce_by_key(keys: Array, values: Array, op: str = "sum", *, exact: bool = False,
                  dtype: DType = None, skipna: bool = False, threads: int | None = None,
                  device: str | None = None) -> tuple[Any, Any]:
    """Every run of equal neighbouring keys, with its values folded into one.

    Parameters
    ----------
    keys : array_like
        One dimension, as `x` of `run_length_encode`.
    values : array_like
        Of the keys' shape, where they are; elements as in `heddle.sum`, without nulls.
    op : str
        "sum", "prod", "min", "max", "any", "all", "and", "or", "xor" or "sum_squares".
    exact : bool
        Sums and sums of squares of floats are the real ones, rounded once.
    dtype : dtype, optional
        Of sums and products, as in `heddle.sum`.
    skipna : bool
        NaN do not count.
    threads, device
        As in `heddle.sum`.

    Returns
    -------
    keys, values : array
        One a run; of the kinds of keys and of values.

    Notes
    -----
    A value has the bits of the plain call on its run. Of keys that are sorted it is a group's.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.reduce_by_key([1, 1, 2, 1], [10.0, 20.0, 30.0, 40.0])
    (array([1, 2, 1]), array([30., 30., 40.]))
    """
    k, v, number = _pair(keys, values, op, _OPS)
    if exact and op not in ("sum", "sum_squares"):
        raise ValueError(f"exact: it is for 'sum' and 'sum_squares', not for {op!r}")
    ctx = context_of(k, device, threads)
    if number not in _LOGICAL:
        context_of(v, device, threads)  # bools as numbers
    k.join(v, "values")
    taken, options, wanted = _folded(number, v, dtype)
    if exact and taken.type not in n.FLOATS:
        raise TypeError(f"exact: it is for floats; {v.dtype} is added without rounding, modulo 2**64")
    options.nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
    options.exact = int(bool(exact))
    of, line, found = _line(k, "keys"), _line(taken, "values"), c_uint64()
    keys_out = empty(k, ctx, (of.size,), k.dtype)
    room = empty(taken, ctx, (of.size,), wanted)
    check(lib.heddle_reduce_by_key(ctx.handle, number, k.type, pointer_of(of), taken.type,
                                   pointer_of(line), of.size, pointer_of(keys_out),
                                   pointer_of(room), byref(found), byref(options)))
    return (as_given(k, cut(k, ctx, keys_out, found.value, k.dtype)),
            v.give(cut(taken, ctx, room, found.value, wanted), False))


def scan_by_key(keys: Array, values: Array, op: str = "sum", *, exclusive: bool = False,
                dtype: DType = None, skipna: bool = False, threads: int | None = None,
                device: str | None = None) -> Any:
    """Running totals that begin anew where the key changes.

    Parameters
    ----------
    keys, values, dtype, skipna, threads, device
        As in `reduce_by_key`.
    op : str
        "sum", "prod", "min", "max", "and", "or" or "xor".
    exclusive : bool
        Totals are of what comes before an element in its run.

    Returns
    -------
    array
        One an element, of the kind of values.

    Notes
    -----
    A run has the bits of `heddle.cumsum`, or its kin, of its values alone.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.scan_by_key([1, 1, 2, 2], [1, 2, 3, 4])
    array([1, 3, 3, 7])
    """
    k, v, number = _pair(keys, values, op, _SCANS)
    ctx = context_of(k, device, threads)
    context_of(v, device, threads)
    k.join(v, "values")
    taken, options, wanted = _folded(number, v, dtype)
    if wanted.kind == "b" and number in _TOTALS:
        raise TypeError("dtype: running totals of bool are not supported by heddle")
    options.nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
    of, line = _line(k, "keys"), _line(taken, "values")
    result = empty(taken, ctx, (of.size,), wanted)
    kind = n.EXCLUSIVE if exclusive else n.INCLUSIVE
    most = np.ones((), bool)  # the greatest bool, which is not the greatest byte
    if exclusive and wanted.kind == "b" and number in (n.MIN, n.AND):
        options.init = pointer_of(most)
    check(lib.heddle_scan_by_key(ctx.handle, kind, number, k.type, pointer_of(of), taken.type,
                                 pointer_of(line), of.size, pointer_of(result), byref(options)))
    return v.give(result)
