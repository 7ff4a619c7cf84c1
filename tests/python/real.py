"""Real sums by integers, rounded once: what an exact sum has to be, whatever adds it.

Result   `rounded(Fraction, dtype)`; `total`, `mean`, `product`: those of arrays, with IEEE's special
         values; `check_sum_and_mean`. `wide_range`: numbers that cancel. `reachable`: the devices
         that have exact sums.
Method   An element is an integer of units of 2^-1074, Python adds those; the quotient is rounded half to
         even to a multiple of the dtype's spacing there. Nothing of it is arithmetic of floats.
"""

import math
import warnings
from fractions import Fraction

import ml_dtypes
import numpy as np

import heddle as hd
from arrays import BF16, DEVICES, dtype_of, plain
from exact import same_bits

#: Devices whose exact sums are tested.
EXACT = ("cpu", "simt", "cuda")
reachable = [name for name in DEVICES if name.partition(":")[0] in EXACT]
UNIT = 1074  # the least bit of a float64 is 2^-1074


def rounded(number, dtype):
    """A Fraction as the nearest float of a dtype, half to even: an infinity beyond its range, a zero of its
    sign below it."""
    dtype = np.dtype(dtype)
    info = ml_dtypes.finfo(dtype)
    if not number:
        return dtype.type(0)
    size = abs(number)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    spacing = Fraction(2) ** (max(exponent, info.minexp) - info.nmant)
    found = round(number / spacing) * spacing
    if abs(found) > Fraction(float(info.max)):
        return dtype.type(math.inf if number > 0 else -math.inf)
    return dtype.type(math.copysign(float(found), 1 if number > 0 else -1))


def units(value):
    """A finite number, a float or an integer, in units of 2^-UNIT."""
    numerator, denominator = value.as_integer_ratio()
    return numerator << (UNIT - denominator.bit_length() + 1)


def numbers(x):
    """The elements as numbers of Python, of equal value."""
    x = np.asarray(x)
    return (x.astype(np.float32) if x.dtype == ml_dtypes.bfloat16 else x).reshape(-1).tolist()


def _special(values):
    """What elements that are not finite make of a sum; None without them."""
    odd = {v for v in values if isinstance(v, float) and not math.isfinite(v)}
    if not odd:
        return None
    one = odd.pop()
    return math.nan if odd or one != one else one


def total(values, dtype, divisor=1, skipna=False):
    """The real sum of numbers of Python over a divisor, as a scalar of a dtype."""
    dtype = np.dtype(dtype)
    kept = [v for v in values if not skipna or v == v]
    special = _special(kept)
    if special is not None:
        return dtype.type(special)
    if not divisor:
        return dtype.type(math.nan)
    return rounded(Fraction(sum(map(units, kept)), divisor << UNIT), dtype)


def mean(values, dtype, skipna=False):
    """The real mean of those that count."""
    return total(values, dtype, sum(not skipna or v == v for v in values), skipna)


def product(x, y, dtype):
    """The real sum of products."""
    with np.errstate(all="ignore"):
        odd = [p * q for p, q in zip(x, y) if not (math.isfinite(p) and math.isfinite(q))]
    if odd:
        return np.dtype(dtype).type(_special(odd))
    parts = sum(units(p) * units(q) for p, q in zip(x, y))
    return rounded(Fraction(parts, 1 << 2 * UNIT), dtype)


def default(x):
    """The dtype of a result of x that no dtype was asked of."""
    return np.dtype(np.float32) if x.dtype == BF16 else x.dtype if x.dtype.kind == "f" else np.dtype(float)


def wide_range(dtype, count, seed=0):
    """Numbers from the least to the greatest exponents, most of which cancel."""
    rng = np.random.default_rng([seed, count])
    reach = {"f2": 10, "bf16": 110, "f4": 110, "f8": 900}[dtype]
    with np.errstate(under="ignore"):
        x = rng.standard_normal(count) * np.exp2(rng.uniform(-reach, reach / 1.1, count))
    x = x.astype(dtype_of(dtype))
    half = count // 2
    x[half : 2 * half] = -x[:half]
    x[rng.integers(count, size=count // 50)] = 1
    return rng.permutation(x)


def lanes(x, axis):
    """The rows along axes of an array, each as numbers of Python, in C order of the others."""
    axis = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    moved = np.moveaxis(x, axis, range(-len(axis), 0)) if axis else x
    shape = moved.shape[: x.ndim - len(axis)]
    length = math.prod(moved.shape[x.ndim - len(axis) :])
    return shape, [numbers(row) for row in np.ascontiguousarray(moved).reshape(math.prod(shape), length)]


def of_rows(function, x, axis, dtype, **more):
    """An oracle's results along axes."""
    shape, rows = lanes(x, axis)
    found = np.array([function(row, dtype, **more) for row in rows], dtype).reshape(shape)
    return found[()]


def check_sum_and_mean(x, where, to, initial, more):
    """fsum and fmean of the elements that count, by those that are left when the others are taken out."""
    own = np.dtype(to) if to else default(plain(x))
    axis, skipna, keepdims = more["axis"], more["skipna"], more["keepdims"]
    mask = np.broadcast_to(where, x.shape)
    shape, rows = lanes(plain(x), axis)
    _, seen = lanes(mask.astype(float), axis)
    kept = [[v for v, s in zip(row, those) if s] for row, those in zip(rows, seen)]
    if keepdims:
        every = range(x.ndim) if axis is None else {i % x.ndim for i in np.atleast_1d(axis)} if x.ndim else ()
        shape = tuple(1 if i in every else n for i, n in enumerate(x.shape))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        first = [] if initial is None else numbers(np.asarray(initial).astype(own))
        sums = [total(row, own, skipna=skipna) if not first else total(
            ([v for v in row if not skipna or v == v]) + first, own) for row in kept]
        wanted = np.array(sums, own).reshape(shape)[()]
        given = {} if initial is None else {"initial": initial}
        same_bits(hd.fsum(x, dtype=to, where=where, **given, **more), wanted, more)
        wanted = np.array([mean(row, own, skipna) for row in kept], own).reshape(shape)[()]
        same_bits(hd.fmean(x, dtype=to, where=where, **more), wanted, more)
