"""Nulls along an axis: elements that do not count, where they cannot be left out of the array.

Result   A sum, product, any, all or running total takes the identity in their places, as with
         where=; so does a least or greatest element, and a row of nothing but nulls is null then.
         Means and variances count what is there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native as n
from ._arrays.operand import Operand


def nulls_along(x: Operand, axis: Any) -> np.ndarray | None:
    """Which elements are not null, if some are and an axis of several is named; else None."""
    if x.valid is None or x.ndim < 2 or axis is None or bool(x.valid.all()):
        return None
    return x.valid


def numbers(x: Operand) -> np.ndarray:
    """The elements of an operand of the host, bfloat16 as float32."""
    host = (x.astype(np.float32) if x.is_bfloat16 else x).host
    assert host is not None
    return host


def identity_of(op: int, dtype: np.dtype) -> Any:
    """What changes no sum, product, minimum or maximum, in the elements' dtype."""
    if op not in (n.MIN, n.MAX):
        return dtype.type(op == n.PROD)
    if dtype.kind == "b":
        return np.bool_(op == n.MIN)
    if dtype.kind == "f":
        return dtype.type(np.inf if op == n.MIN else -np.inf)
    limits = np.iinfo(dtype)
    return dtype.type(limits.max if op == n.MIN else limits.min)


def filled(x: Operand, op: int, valid: np.ndarray) -> Operand:
    """The operand with an operator's identity where it is null."""
    host = numbers(x)
    return x.replaced(np.where(valid, host, identity_of(op, host.dtype)))


def rows_with_values(x: Operand, valid: np.ndarray, axis: Any, keepdims: bool,
                     skipna: bool) -> np.ndarray:
    """Which rows have an element that counts."""
    if skipna and x.type in n.FLOATS:
        valid = valid & ~np.isnan(numbers(x))
    return np.asarray(valid.any(axis=axis, keepdims=keepdims))


def give_rows(x: Operand, result: np.ndarray, valid: np.ndarray) -> Any:
    """Results of rows, null where there is none, as the caller's kind of array."""
    if result.ndim == 0:
        return result[()] if valid else np.ma.masked
    return x.give_masked(result, valid)
