"""fsum, fmean, fdot: exact sums under the names of Python's own, math.fsum and statistics.fmean.

`exact=True` of sum, mean and dot calls them.
"""

from __future__ import annotations

from typing import Any

from . import _native as n
from ._exact import exact_dot, exact_mean, exact_sum
from ._fold import NOTHING
from ._plain import plain
from ._typing import Array, Axis, DType, Out, Scalar

__all__ = ["fdot", "fmean", "fsum"]


@plain
def fsum(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, keepdims: bool = False,
         initial: Scalar = NOTHING, where: Array = True, *, skipna: bool = False,
         threads: int | None = None, device: str | None = None) -> Any:
    """The exact sum: the real sum of the elements, rounded once; parameters as in `heddle.sum`.

    Returns
    -------
    scalar or array
        Of `dtype`, which is a float's: by default the array's own, float32 for bfloat16, float64
        for integers, which are added as they are, without wrapping.

    Raises
    ------
    TypeError
        For a dtype that is no float's; for integers on a device.

    Notes
    -----
    Any order of the elements, any device and number of threads give the same bits; of float64 they
    are those of `math.fsum`, but a sum of zero is +0.0, and one that float64 does not hold is
    infinite. NaN, or both infinities, give NaN. `initial` is one more element, of the result's
    dtype.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.sum([1.0, 1e100, 1.0, -1e100]), hd.fsum([1.0, 1e100, 1.0, -1e100])
    (np.float64(0.0), np.float64(2.0))
    >>> hd.fsum([[0.1, 0.2], [0.3, 0.4]], axis=0)
    array([0.4, 0.6])
    """
    return exact_sum(n.SUM, a, axis, dtype, out, keepdims, initial, where, skipna, threads, device)


@plain
def fmean(a: Array, axis: Axis = None, dtype: DType = None, out: Out = None, keepdims: bool = False,
          *, where: Array = True, skipna: bool = False, threads: int | None = None,
          device: str | None = None) -> Any:
    """The exact mean: the real sum over the number of elements, rounded once.

    Parameters
    ----------
    a, axis, dtype, out, keepdims, where, skipna, threads, device
        As in `heddle.mean`; elements that are left out are not counted.

    Raises
    ------
    TypeError
        As `heddle.fsum`.
    ValueError
        With skipna and an axis, for an array on a device in whose rows not as many elements count.

    Warns
    -----
    RuntimeWarning
        For no elements; the result is NaN.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.mean([1.0, 1e16, -1e16]), hd.fmean([1.0, 1e16, -1e16])
    (np.float64(0.0), np.float64(0.3333333333333333))
    >>> hd.fmean([[1e16, 1.0, -1e16], [1.0, 2.0, 4.0]], axis=1)
    array([0.33333333, 2.33333333])
    """
    return exact_mean(a, axis, dtype, out, keepdims, where, skipna, threads, device)


@plain
def fdot(a: Array, b: Array, out: Out = None, *, axis: Axis = None, dtype: DType = None,
         threads: int | None = None, device: str | None = None) -> Any:
    """The exact sum of products of two one-dimensional arrays, or of rows, rounded once.

    Parameters
    ----------
    a, b, out, axis, threads, device
        As in `heddle.dot`.
    dtype : dtype, optional
        Of the result, a float's: by default the arrays' own, float64 if one of them has integers.

    Raises
    ------
    TypeError
        As `heddle.fsum`.
    ValueError
        As `heddle.dot`.

    Examples
    --------
    >>> import heddle as hd
    >>> x, y = [1e10, 1.0, 1e10], [1e10, 1.0, -1e10]
    >>> hd.dot(x, y), hd.fdot(x, y)
    (np.float64(0.0), np.float64(1.0))
    """
    return exact_dot(a, b, out, axis, dtype, threads, device)
