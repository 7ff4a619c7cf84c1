"""Real sums by integers, rounded once: what an exact sum has to be, whatever adds it.

Result   `rounded(Fraction, dtype)`; `total`, `mean`, `product`: those of arrays, with IEEE's special
         values. `reachable`: the devices that have exact sums.
Method   An element is an integer of units of 2^-1074, Python adds those; the quotient is rounded half to
         even to a multiple of the dtype's spacing there. Nothing of it is arithmetic of floats.
"""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np

from arrays import DEVICES

#: Devices whose exact sums are tested; the others have to refuse them.
EXACT = ("cpu",)
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
