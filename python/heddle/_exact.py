"""Exact sums, means and dots: the real result, rounded once to nearest even.

No order binds them (docs/order.md, rule 15). Integers are added as the floats that they are: those
of 64 bits that no float64 holds as two, the nearest one and the rest. A mean is the real sum over
the number of elements, rounded once, too; rows in which as many elements count are divided in one
call.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _calls
from . import _float_errors
from . import _native as n
from ._arrays.operand import Operand, operand
from ._axes import Lines, axes_of, context_of, deliver, empty, of_scalar, one_axis
from ._description import FIGURES
from ._float_errors import callers_level
from ._fold import NOTHING, chosen, counted, dtype_by, dtype_of, init, mean_dtype, pair
from ._native import Options

_LOW = 0xFFFFFFFF  # of an integer's bits


def float_terms(x: Operand) -> tuple[Operand, ...]:
    """Operands of floats whose real sum the elements are; null where they were.

    Raises
    ------
    TypeError
        For integers on a device, whose own library converts them.
    """
    if x.type in n.FLOATS:
        return (x,)
    nearest = x.astype(np.float64)
    if x.dtype.itemsize < 8:
        return (nearest,)
    high, low = nearest.replaced(x.host - (x.host & x.dtype.type(_LOW))), nearest.host
    rest = (x.host & x.dtype.type(_LOW)).astype(np.float64) - (low - high.host.astype(np.float64))
    if not rest.any():
        return (nearest,)
    other = nearest.replaced(rest)
    other.valid = x.valid
    return nearest, other


def total_dtype(x: Operand, dtype: Any) -> np.dtype:
    """The dtype of an exact result.

    Raises
    ------
    TypeError
        For one that is no float's.
    """
    if dtype is None:
        own = np.float32 if x.is_bfloat16 else x.dtype if x.type in n.FLOATS else np.float64
        return np.dtype(own)
    wanted = dtype_of(dtype)
    if wanted.kind != "f" or wanted not in n.TYPES:
        raise TypeError(f"dtype: an exact result is a float16, float32 or float64, not {wanted}; "
                        "heddle.sum without `exact` adds integers exactly, modulo 2**64")
    return wanted


def exact_options(wanted: np.dtype, skipna: bool, **fields: Any) -> Options:
    """Options of an exact call whose result is of a float dtype."""
    return Options(out_type=n.TYPES[wanted], exact=1,
                   nan=n.NAN_SKIP if skipna else n.NAN_PROPAGATE, **fields)


class _Factors:
    """What a call adds up, as rows: elements, or the products of two arrays.

    Terms of one element lie along an axis of their own, the last one.
    """

    def __init__(self, op: int, arrays: list[tuple[Operand, ...]], axis: Any) -> None:
        self.op, self.axis = op, axis
        first = arrays[0]
        self.arrays = first
        if len(arrays) > 1:
            shape = first[0].shape
            if axis is not None:
                self.axis = (*axes_of(axis, len(shape)), len(shape))
            self.arrays = tuple(x.replaced(np.stack([terms[i].host for terms in arrays], -1))
                                for i, x in enumerate(first))
        self.lines = tuple(Lines(x, self.axis, any_order=len(first) == 1) for x in self.arrays)
        kept = self.lines[0].kept
        self.kept = kept if len(arrays) == 1 or first[0].outer is not None else kept[:-1]
        if len(first) > 1 and first[0].host is not None \
                and self.arrays[0].host.strides != self.arrays[1].host.strides:
            for x, line in zip(self.arrays, self.lines):
                line.parts = x.host  # in C order, since the products are of neighbours

    def call(self, ctx: Any, result: Any, options: Options) -> None:
        """The sum of each row into `result`."""
        _call(self.op, ctx, self.lines, result, options)

    def of_rows(self, chosen_rows: np.ndarray) -> tuple[Lines, ...]:
        """Some rows of arrays of the host."""
        axes = axes_of(self.axis, self.arrays[0].ndim)
        last = range(-len(axes), 0)
        rows = []
        for x in self.arrays:
            moved = np.moveaxis(x.host, axes, last)
            picked = x.replaced(moved.reshape(chosen_rows.size, -1)[chosen_rows.reshape(-1)])
            picked.type, picked.is_bfloat16 = x.type, x.is_bfloat16
            rows.append(Lines(picked, 1))
        return tuple(rows)


def _call(op: int, ctx: Any, lines: tuple[Lines, ...], result: Any, options: Options) -> None:
    if len(lines) == 1:
        _calls.reduce(ctx, op, lines[0], result, options)
    else:
        _calls.dot(ctx, *lines, result, options)


def _products(left: tuple[Operand, ...], right: tuple[Operand, ...],
              axis: Any) -> list[tuple[Operand, ...]]:
    """Pairs of terms whose products add up to those of two arrays.

    The nearest float of an element has its sign, and is zero only if it is: it alone meets what is
    not finite.
    """
    pairs = []
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            pairs.append(pair(_finite(x) if j else x, _finite(y) if i else y, axis))
    return pairs


def _finite(x: Operand) -> Operand:
    """The operand with zeros for what is not finite."""
    if x.type not in n.FLOATS or np.isfinite(_wide(x).host).all():
        return x
    found = x.replaced(np.where(np.isfinite(_wide(x).host), _wide(x).host, 0))
    found.valid = x.valid
    return found


def _wide(x: Operand) -> Operand:
    return x.astype(np.float32) if x.is_bfloat16 else x


def _factors(op: int, x: Operand, axis: Any) -> _Factors:
    """The elements of an operand, or their squares."""
    terms = float_terms(x)
    if len(terms) > 1 and op == n.SUM_SQUARES:
        return _Factors(n.SUM, _products(terms, terms, axis), axis)
    return _Factors(op, [(term,) for term in terms], axis)


def exact_sum(op: int, a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any,
              where: Any, skipna: bool, threads: int | None, device: str | None) -> Any:
    """The exact sum, or that of squares; arguments as of `fold`."""
    x, mask = chosen(a, axis, where)
    axis = of_scalar(axis, x.ndim)
    ctx = context_of(x, device, threads)
    wanted = total_dtype(x, dtype_by(out, dtype, x) if _is_float(out) else dtype)
    options = exact_options(wanted, skipna)
    kept = None if initial is None or initial is NOTHING else init(options, initial, wanted)
    factors = _factors(op, counted(x, op, mask, kept, initial is NOTHING), axis)
    lines = factors.lines[0]
    if lines.length == 0 and initial is None:
        raise ValueError("zero-size array to reduction operation add which has no identity")
    result = empty(x, ctx, factors.kept if keepdims else lines.shape, wanted)
    factors.call(ctx, result, options)
    _float_errors.check(ctx, factors.lines, result, skipna=skipna, also=kept)
    return deliver(x, result, out, dtype is None)


def _is_float(out: Any) -> bool:
    return isinstance(out, np.ndarray) and out.dtype.kind == "f"


def _counts(x: Operand, ctx: Any, lines: Lines, axis: Any, mask: np.ndarray | None,
            skipna: bool) -> Any:
    """How many elements count: of each row, or one number for all."""
    skipna = skipna and x.type in n.FLOATS
    if mask is not None:
        seen = mask & ~np.isnan(_wide(x).host) if skipna else mask
        found = np.asarray(np.sum(seen, axis=axis))
    elif skipna:
        figures = np.zeros(lines.shape, FIGURES)
        figures["size"] = FIGURES.itemsize
        _calls.describe(ctx, lines, figures, Options(nan=n.NAN_SKIP, figures=n.FIGURES_MEAN))
        found = figures["count"] - figures["nan"]
    else:
        return x.size // lines.results if lines.results else 0
    few = np.unique(found)
    return int(few[0]) if few.size == 1 else found


def _divisor(count: Any) -> float:
    """What a sum of so many elements is divided by: NaN for none, whose mean is NaN."""
    return float(count) if count else float("nan")


def exact_mean(a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool, where: Any, skipna: bool,
               threads: int | None, device: str | None) -> Any:
    """The exact mean; arguments as of `heddle.mean`."""
    source, mask = chosen(a, axis, where)
    axis = of_scalar(axis, source.ndim)
    ctx = context_of(source, device, threads)
    wanted = mean_dtype(source, dtype, out)
    x = counted(source, n.SUM, mask, None, True)
    factors = _factors(n.SUM, x, axis)
    lines = factors.lines[0]
    counts = _counts(source, ctx, lines, axis, mask, skipna)
    if lines.results and not np.all(counts):
        warnings.warn("Mean of empty slice.", RuntimeWarning, stacklevel=callers_level())
    result = empty(x, ctx, factors.kept if keepdims else lines.shape, wanted)
    if not isinstance(counts, np.ndarray) or not counts.size:
        options = exact_options(wanted, skipna, divisor=_divisor(np.max(counts, initial=0)))
        factors.call(ctx, result, options)
    elif x.host is None:
        raise ValueError("skipna: rows of an array on a device of which not as many elements count "
                         "have no exact means there; take it to the host")
    else:
        for count in np.unique(counts):
            those = counts == count
            means = np.empty(np.count_nonzero(those), wanted)
            _call(n.SUM, ctx, factors.of_rows(those), means,
                  exact_options(wanted, skipna, divisor=_divisor(count)))
            result.reshape(-1)[those.reshape(-1)] = means
    _float_errors.check(ctx, factors.lines, result, skipna=skipna, besides=counts == 0)
    return deliver(x, result, out)


def exact_dot(a: Any, b: Any, out: Any, axis: Any, dtype: Any, threads: int | None,
              device: str | None) -> Any:
    """The exact sum of products; arguments as of `heddle.dot`, and a dtype."""
    left, right = operand(a, "a"), operand(b, "b")
    if (axis is None and left.ndim != 1) or left.ndim == 0:
        raise ValueError("a: an exact dot is of one-dimensional arrays, or along an axis, not of "
                         f"shape {left.shape}")
    ctx = context_of(left, device, threads)
    context_of(right, device, threads)  # whose bools are numbers from then on
    where = None if left.ndim == 1 else one_axis(0 if axis is None else axis, left.ndim)
    one_axis(0 if axis is None else axis, left.ndim)
    factors = _Factors(n.SUM, _products(float_terms(left), float_terms(right), axis), where)
    x = factors.arrays[0]
    wanted = total_dtype(x, dtype)
    result = empty(x, ctx, factors.lines[0].shape, wanted)
    factors.call(ctx, result, exact_options(wanted, False))
    _float_errors.check(ctx, factors.lines, result, _float_errors.DOT)
    return deliver(x, result, out)
