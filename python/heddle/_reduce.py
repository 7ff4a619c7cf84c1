"""Reductions: sum, prod, min, max, argmin, argmax, any, all.

The functions as they are seen: their arguments and their documentation. _plain.py does short calls,
_fold.py does all others. All take `threads` and `device`, and skip nulls.
"""

from __future__ import annotations

from typing import Any

from . import _native as n
from ._exact import exact_sum
from ._fold import NOTHING, fold, fold_index
from ._fsum import fsum
from ._plain import plain
from ._typing import Array, Axis, DType, Out, Scalar

__all__ = ["all", "any", "argmax", "argmin", "max", "min", "prod", "sum", "sum_squares"]


@plain
def sum(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, keepdims: bool = False,
        initial: Scalar = NOTHING, where: Array = True, *, skipna: bool = False,
        exact: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The sum of an array's elements, over all axes or some.

    Parameters
    ----------
    a : array_like
        Of any shape; integers, bool, float16, bfloat16, float32, float64.
    axis : int or tuple of int, optional
        What is folded; all by default.
    dtype : dtype, optional
        Of the result: by default int64 or uint64 for integers, the array's own for floats
        (float32 for bfloat16). Integers are added modulo 2**64, float16 to float32 in float32,
        or in float64 if dtype is float64.
    out : ndarray, optional
        Takes the result, of its shape; without a dtype, its own is the one to add in.
    keepdims : bool
        Folded axes stay, with length 1.
    initial : scalar, optional
        Added in front. None: there is none, and a sum of no elements is an error.
    where : array_like of bool
        Elements that count.
    skipna : bool
        NaN count as 0.
    exact : bool
        The real sum, rounded once, as `heddle.fsum` has it: a float, of integers, too.
    threads : int, optional
        At most so many threads of a CPU.
    device : str, optional
        "cpu", "cuda", "cuda:1": what computes; arrays on a GPU are computed there.

    Returns
    -------
    scalar or array
        Of the caller's kind.

    Raises
    ------
    TypeError
        For elements that are not numbers of the types above.
    ValueError
        For axes or shapes that do not fit.

    Warns
    -----
    RuntimeWarning
        For an infinity or NaN of finite floats, and a NaN of infinities, as np.errstate says.

    Notes
    -----
    Order v1 (docs/order.md): any number of threads gives the same bits.

    Examples
    --------
    >>> import heddle as hd
    >>> import numpy as np
    >>> hd.sum(np.array([0.5, 1.5, 2.0]))
    np.float64(4.0)
    >>> hd.sum(np.array([[1, 2], [3, 4]], np.int8), axis=0)
    array([4, 6])
    """
    if exact:
        return fsum(a, axis, dtype, out, keepdims, initial, where, skipna=skipna, threads=threads,
                    device=device)
    return fold(n.SUM, a, axis, dtype, out, keepdims, initial, where, skipna, threads, device)


@plain
def prod(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, keepdims: bool = False,
         initial: Scalar = NOTHING, where: Array = True, *, skipna: bool = False,
         threads: int | None = None, device: str | None = None) -> Any:
    """The product of an array's elements; parameters as in `sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.prod([1.0, 2.0, 4.0])
    np.float64(8.0)
    """
    return fold(n.PROD, a, axis, dtype, out, keepdims, initial, where, skipna, threads, device)


@plain
def sum_squares(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None,
                keepdims: bool = False, initial: Scalar = NOTHING, where: Array = True, *,
                skipna: bool = False, exact: bool = False, threads: int | None = None,
                device: str | None = None) -> Any:
    """The sum of the squares of an array's elements; parameters as in `sum`.

    Each square is rounded once to the type that is added in; of real numbers the result is
    `dot(a, a)`, to the bit. `initial` is added as it is. With `exact` no square is rounded.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.sum_squares([3.0, 4.0])
    np.float64(25.0)
    """
    if exact:
        return exact_sum(n.SUM_SQUARES, a, axis, dtype, out, keepdims, initial, where, skipna,
                         threads, device)
    return fold(n.SUM_SQUARES, a, axis, dtype, out, keepdims, initial, where, skipna, threads,
                device)


@plain
def min(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False,
        initial: Scalar = NOTHING, where: Array = True, *, skipna: bool = False,
        threads: int | None = None, device: str | None = None) -> Any:
    """The least element; NaN if there is one, unless `skipna`.

    Parameters as in `sum`; with `where`, `initial` is needed.

    Raises
    ------
    ValueError
        For no elements without `initial`; with `skipna` for nothing but NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> import numpy as np
    >>> hd.min(np.array([3, 1, 2], np.uint8))
    np.uint8(1)
    >>> hd.min([2.0, float("nan")]), hd.min([2.0, float("nan")], skipna=True)
    (np.float64(nan), np.float64(2.0))
    """
    return fold(n.MIN, a, axis, None, out, keepdims, initial, where, skipna, threads, device)


@plain
def max(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False,
        initial: Scalar = NOTHING, where: Array = True, *, skipna: bool = False,
        threads: int | None = None, device: str | None = None) -> Any:
    """The greatest element; NaN if there is one, unless `skipna`.

    Parameters and errors as in `min`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.max([[3, 1], [2, 5]], axis=1)
    array([3, 5])
    """
    return fold(n.MAX, a, axis, None, out, keepdims, initial, where, skipna, threads, device)


@plain
def any(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False, *,
        where: Array = True, threads: int | None = None, device: str | None = None) -> Any:
    """Whether any element is not zero; NaN is not. Parameters as in `sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.any([0.0, 0.0]), hd.any([0, 3])
    (np.False_, np.True_)
    """
    return fold(n.ANY, a, axis, None, out, keepdims, NOTHING, where, False, threads, device)


@plain
def all(a: Array, axis: Axis = None, out: Out = None, keepdims: bool = False, *,
        where: Array = True, threads: int | None = None, device: str | None = None) -> Any:
    """Whether every element is not zero; NaN is not. Parameters as in `sum`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.all([[1, 0], [1, 1]], axis=0)
    array([ True, False])
    """
    return fold(n.ALL, a, axis, None, out, keepdims, NOTHING, where, False, threads, device)


@plain
def argmin(a: Array, axis: Axis = None, out: Out = None, *, keepdims: bool = False,
           skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The lowest index of the least element, of the first NaN if there is one.

    Parameters as in `sum`. Without an axis the index is that in C order, of the caller's array: a
    null is never found, and counts as a place.

    Raises
    ------
    ValueError
        For no elements.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.argmin([[3, 1], [0, 5]])
    np.int64(2)
    >>> hd.argmin([[3, 1], [0, 5]], axis=1)
    array([1, 0])
    """
    return fold_index(n.ARGMIN, a, axis, out, keepdims, skipna, threads, device)


@plain
def argmax(a: Array, axis: Axis = None, out: Out = None, *, keepdims: bool = False,
           skipna: bool = False, threads: int | None = None, device: str | None = None) -> Any:
    """The lowest index of the greatest element, of the first NaN if there is one.

    Parameters and errors as in `argmin`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.argmax([1.5, 7.5, 7.5])
    np.int64(1)
    """
    return fold_index(n.ARGMAX, a, axis, out, keepdims, skipna, threads, device)
