"""Overflow and invalid values of float results, reported as np.errstate says.

A result that is finite is not looked at any further. An infinity of elements of which none is, is
an overflow; a NaN of elements of which none is, is an invalid value, and an overflow, too, if none
of them is infinite. Of running totals the last one of each row is looked at. So neither the order of
an addition nor the number of threads shows. python/native/errors has the same for the fast path;
arrays on a device are not looked at.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from . import _calls
from . import _native as n
from ._axes import Lines
from ._native import Options, fast, py_object

OVER, INVALID, FEW = 1, 2, 4
REDUCE, ACCUMULATE, DOT, REDUCEAT = range(4)
_NAMES = ("reduce", "accumulate", "dot", "reduceat")
#: np.errstate's keyword, NumPy's word and NumPy's number of each kind.
_KINDS = {OVER: ("over", "overflow", 2), INVALID: ("invalid", "invalid value", 8)}


def wanted() -> bool:
    """Whether np.errstate wants to know of either kind."""
    said = np.geterr()
    return said["over"] != "ignore" or said["invalid"] != "ignore"


def callers_level() -> int:
    """The stack level, for who calls this function, of the first frame that is not the package's.

    Warnings name the line of it, by whichever of the package's functions they are reached."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "heddle":
        level, frame = level + 1, frame.f_back
    return level


def report(kinds: int, call: int) -> None:
    """Does with kinds of errors what np.errstate says; of too few elements it warns in any case.

    Raises
    ------
    FloatingPointError
        If it says "raise".
    """
    if kinds & FEW:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=callers_level())
    said = np.geterr()
    for kind, (key, word, number) in _KINDS.items():
        if not kinds & kind or said[key] == "ignore":
            continue
        message = f"{word} encountered in {_NAMES[call]}"
        if said[key] == "warn":
            warnings.warn(message, RuntimeWarning, stacklevel=callers_level())
        elif said[key] == "raise":
            raise FloatingPointError(message)
        elif said[key] == "call":
            np.geterrcall()(word, number)
        elif said[key] == "log":
            np.geterrcall().write(f"Warning: {message}\n")
        else:
            print(f"Warning: {message}", file=sys.stderr)


def _extremes(ctx: Any, lines: Lines, skipna: bool) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest element of each row, NaN if there is one that counts."""
    if lines.type not in n.FLOATS:
        return np.zeros(lines.results), np.zeros(lines.results)
    number = n.F32 if lines.type == n.BF16 else lines.type
    options = Options(out_type=number, nan=n.NAN_SKIP if skipna else n.NAN_PROPAGATE)
    found = np.empty((2, lines.results), n.DTYPES[number])
    for op, to in zip((n.MIN, n.MAX), found):
        try:
            _calls.reduce(ctx, op, lines, to, options)
        except ValueError:  # nothing but NaN, which are skipped
            to[:] = np.inf if op == n.MIN else -np.inf
    return found[0], found[1]


def check(ctx: Any, lines: tuple[Lines, ...], results: Any, call: int = REDUCE,
          skipna: bool = False, also: Any = None, besides: Any = False) -> None:
    """Reports what results of rows say, one of each row.

    `also`: another element of each row; `besides`: True for rows of which nothing is said.
    """
    if not isinstance(results, np.ndarray) or results.dtype.kind != "f" or not lines[0].length \
            or np.isfinite(results).all() or not wanted():
        return
    flat = results.reshape(-1).astype(np.float64)
    ends = [_extremes(ctx, line, skipna) for line in lines]
    with np.errstate(invalid="ignore"):
        low = np.minimum.reduce([end[0].astype(np.float64) for end in ends])
        high = np.maximum.reduce([end[1].astype(np.float64) for end in ends])
        if also is not None:
            low, high = np.minimum(low, also), np.maximum(high, also)
    infinite = np.isinf(low) | np.isinf(high)
    plain = (low <= high) & ~np.asarray(besides).reshape(-1)
    over = plain & ~np.isfinite(flat) & ~infinite
    invalid = plain & np.isnan(flat)
    report(OVER * bool(over.any()) | INVALID * bool(invalid.any()), call)


def check_scan(ctx: Any, lines: Lines, totals: Any, axis: int | None, skipna: bool) -> None:
    """The same of running totals, by the last one of each row."""
    if isinstance(totals, np.ndarray) and totals.dtype.kind == "f" and totals.size:
        last = totals.reshape(-1)[-1:] if axis is None else np.take(totals, -1, axis)
        check(ctx, (lines,), np.asarray(last), ACCUMULATE, skipna)


fast.heddle_py_errors.argtypes, fast.heddle_py_errors.restype = [py_object] * 2, None
if n.PLAIN is not None:
    fast.heddle_py_errors(wanted, report)
