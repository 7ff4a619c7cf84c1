"""What results ought to be: bits by the model of order v1, values by exact sums, and comparisons.

Result   functions that raise AssertionError where a result is not what it has to be.
Method   tests/order_v1.py gives the bits of float results; as it was written from docs/order.md
         alone, a mistake of that page would be in both: so sums are also held to math.fsum, within
         the error that the depth of the order's tree allows.
"""

import math
import sys
from pathlib import Path

import numpy as np

from arrays import BF16

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import order_v1  # noqa: E402: found by the line above

_NAMES = {np.dtype("f2"): "f16", BF16: "bf16", np.dtype("f4"): "f32", np.dtype("f8"): "f64"}
_WORDS = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def name_of(dtype):
    """The model's name of a dtype of floats; None for others."""
    return _NAMES.get(np.dtype(dtype))


def bits(array):
    """The bit patterns of floats."""
    array = np.ascontiguousarray(array)
    return array.reshape(-1).view(_WORDS[array.dtype.itemsize])


def accumulator(dtype):
    return np.dtype("f8") if dtype == np.float64 else np.dtype("f4")


def result_dtype(dtype):
    """The dtype of a float result: the input's, f32 for bf16."""
    return np.dtype("f4") if dtype == BF16 else np.dtype(dtype)


def same_bits(got, wanted, about=""):
    """The same dtype, shape and bits."""
    assert type(got) is type(wanted), (type(got), type(wanted), about)
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, \
        (got.dtype, got.shape, wanted.dtype, wanted.shape, about)
    assert got.tobytes() == wanted.tobytes(), (got, wanted, about)


def same_values(got, wanted, about=""):
    """The same type, dtype, shape and values; zeros of either sign are equal, and so are NaN."""
    assert type(got) is type(wanted), (type(got), type(wanted), about)
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, \
        (got.dtype, got.shape, wanted.dtype, wanted.shape, about)
    assert np.array_equal(got, wanted, equal_nan=got.dtype.kind == "f"), (got, wanted, about)


# ---- bits, by the model -----------------------------------------------------------------------

def total(op, x, dtype=None, skipna=False):
    """The sum or product of a line of floats, as a scalar of `dtype`."""
    acc = "f64" if dtype == np.float64 else None
    dtype = result_dtype(x.dtype) if dtype is None else np.dtype(dtype)
    word = order_v1.reduce(op, name_of(x.dtype), bits(x), acc, name_of(dtype),
                           "skip" if skipna else "propagate")
    return np.array(word, _WORDS[dtype.itemsize]).view(dtype)[()]


def totals(op, x, dtype=None, skipna=False):
    """The running sums or products of a line of floats."""
    acc = "f64" if dtype == np.float64 else None
    dtype = result_dtype(x.dtype) if dtype is None else np.dtype(dtype)
    return order_v1.scan(op, name_of(x.dtype), bits(x), acc, name_of(dtype),
                         "skip" if skipna else "propagate").view(dtype)


def dot(x, y):
    dtype = result_dtype(x.dtype)
    word = order_v1.dot(name_of(x.dtype), bits(x), bits(y), None, name_of(dtype))
    return np.array(word, _WORDS[dtype.itemsize]).view(dtype)[()]


def described(x, skipna=False):
    """sum, mean, variance, skewness of a line, as floats; integers as if they were f64."""
    x = x.astype(np.float64) if name_of(x.dtype) is None else x
    words = order_v1.describe(name_of(x.dtype), bits(x), "skip" if skipna else "propagate")
    return {key: np.uint64(word).view(np.float64) for key, word in words.items()}


# ---- values, by exact sums -----------------------------------------------------------------------

def _depth(count):
    """At least so many additions lie between an element and the result, in any type."""
    return 40 + 3 * math.log2(count + 1)


def check_sum(got, x, y=None, acc=None, divisor=1, about=""):
    """A float sum (of products with y, divided) lies where an order of its depth can bring it."""
    acc = np.dtype(acc or accumulator(x.dtype))
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        if y is not None:
            wide = wide * y.astype(np.float64)  # a rounding of f64: one level of depth
        if np.isnan(wide).any():
            assert np.isnan(got), (got, about)
            return
        finite = wide[np.isfinite(wide)]
        scale = float(np.abs(finite).astype(np.longdouble).sum())
        if not scale < float(np.finfo(acc).max) * 0.99:
            return  # it may have overflowed on its way
        infinite = wide[~np.isfinite(wide)]
        if infinite.size:
            wanted = infinite.sum()
            assert np.isnan(got) if np.isnan(wanted) else got == wanted, (got, wanted, about)
            return
        middle = math.fsum(finite)
        error = _depth(len(x)) * float(np.finfo(acc).eps) / 2 * scale
        if y is not None:
            error += len(x) * float(np.finfo(acc).smallest_subnormal)
        low, high = np.array([middle - error, middle + error]) / divisor
        slack = abs(high) * 1e-15 if divisor != 1 else 0
        low, high = (np.float64(v).astype(np.asarray(got).dtype) for v in (low - slack, high + slack))
        assert low <= got <= high, (got, low, high, about)


def check_product(got, x, about=""):
    """A float product is within n roundings of the exact one, where no partial one can leave the
    range of normal numbers."""
    acc = np.finfo(accumulator(x.dtype))
    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)
    if np.isnan(wide).any():
        assert np.isnan(got), (got, about)
        return
    if not wide.all() or np.isinf(wide).any():
        if wide.all():
            assert np.isinf(got) or len(x) > 1, (got, about)
        return
    mantissa, exponent = np.frexp(wide)
    reach = np.abs(exponent).sum() + len(x)
    if len(x) == 0 or reach > -acc.minexp - 2:
        return
    wanted = np.prod(np.ldexp(mantissa, exponent))
    error = abs(wanted) * len(x) * float(acc.eps)
    with np.errstate(all="ignore"):
        low, high = (np.asarray(v).astype(np.asarray(got).dtype)
                     for v in (wanted - error, wanted + error))
    assert low <= got <= high, (got, low, high, about)


def check_variance(got, x, ddof=0, about=""):
    """A variance of finite numbers is as near as one pass by pairs can bring it."""
    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)
    if not np.isfinite(wide).all():
        assert np.isnan(got), (got, about)
        return
    biggest = float(np.abs(wide).max())
    if biggest > 1e150:
        return
    middle = wide - np.longdouble(math.fsum(x.astype(np.float64))) / len(x)
    wanted = float((middle * middle).sum()) / (len(x) - ddof)
    unit = 4 * _depth(len(x)) * 2.0 ** -53
    error = unit * (wanted + math.sqrt(wanted) * biggest) + (unit * biggest) ** 2 + 2.0 ** -1060
    with np.errstate(all="ignore"):
        low, high = (np.float64(v).astype(np.asarray(got).dtype)
                     for v in (max(wanted - error, 0), wanted + error))
    assert low <= got <= high, (got, low, high, about)
