"""Order v1 in NumPy: an independent model of docs/order.md, slow and plain.

Result   reduce, scan, dot, describe and weighted_histogram give the bits that every back end
         of the library has to give. tests/golden/make.py writes the golden values from it.
Method   every rule literally. `table(op, x)` holds the total of every aligned block of 2^k
         neighbours, `tile` folds those that make up a prefix, biggest first.
Limits   floats only (integers wrap, whatever the order); memory for several copies of x.
Source   docs/order.md; nothing here is shared with the library.
"""

from fractions import Fraction

import numpy as np

ROWS = 16  # a chunk is 16 rows of 512 bytes of the accumulator's type
ROW_BYTES = 512

# type: (bits, bits of the fraction, the accumulator's type by default)
FORMATS = {"f16": (16, 10, "f32"), "bf16": (16, 7, "f32"), "f32": (32, 23, "f32"),
           "f64": (64, 52, "f64")}
CANONICAL_NAN = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "f64": 0x7FF8000000000000}
DTYPE = {"f16": np.float16, "f32": np.float32, "f64": np.float64}

OPERATORS = {"sum": (np.add, -0.0), "prod": (np.multiply, 1.0)}


# ---- element types: bit patterns in, bit patterns out --------------------------------------

def word_type(name):
    return {16: np.uint16, 32: np.uint32, 64: np.uint64}[FORMATS[name][0]]


def decode(name, bits, acc):
    """The elements with these bit patterns, exactly, as an array of the accumulator's type."""
    bits = np.asarray(bits, word_type(name))
    if name == "bf16":
        return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(DTYPE[acc])
    return bits.view(DTYPE[name]).astype(DTYPE[acc])


def encode(name, values):
    """Bit patterns of values rounded once, to nearest even; every NaN is the canonical one."""
    values = np.asarray(values)
    if name == "bf16":
        wide = values.astype(np.float64)
        finite = np.isfinite(wide)
        exponent = np.frexp(np.where(finite, wide, 0.0))[1]
        quantum = np.maximum(exponent - 8, -133)
        units = np.rint(np.ldexp(np.where(finite, wide, 0.0), -quantum))
        rounded = np.where(finite, np.ldexp(units, quantum), wide)
        with np.errstate(over="ignore"):
            bits = (rounded.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    else:
        with np.errstate(over="ignore"):
            bits = values.astype(DTYPE[name]).view(word_type(name)).copy()
    bits = np.asarray(bits)
    bits[np.isnan(values)] = CANONICAL_NAN[name]
    return bits


# ---- rules 1 to 6: the order ---------------------------------------------------------------

def lanes_of(acc):
    return ROW_BYTES // np.dtype(DTYPE[acc]).itemsize


def fold_lanes(op, rows):
    """Rule 2 for many chunks at once: rows[chunk, row, lane] to one total a chunk."""
    s = rows[:, 0, :]
    for row in range(1, rows.shape[1]):
        s = op(s, rows[:, row, :])
    h = s.shape[1] // 2
    while h >= 1:
        s = op(s[:, :h], s[:, h:2 * h])
        h //= 2
    return s[:, 0]


def table(op, x):
    """Rule 3: level[k][i] is the total of the aligned block i of 2^k neighbours."""
    levels = [x]
    while len(levels[-1]) >= 2:
        below = levels[-1]
        pairs = len(below) // 2
        levels.append(op(below[0:2 * pairs:2], below[1:2 * pairs:2]))
    return levels


def tile(levels, count):
    """The first `count` neighbours as aligned blocks, biggest first: the list of totals."""
    blocks, at = [], 0
    for k in reversed(range(count.bit_length())):
        if count >> k & 1:
            blocks.append(levels[k][at >> k])
            at += 1 << k
    return blocks


def fold_left(op, values):
    s = values[0]
    for v in values[1:]:
        s = op(s, v)
    return s


def elements(name, bits, acc, op_name, nan):
    x = decode(name, bits, acc)
    if nan == "skip":
        x = np.where(np.isnan(x), x.dtype.type(OPERATORS[op_name][1]), x)
    return x


def reduce_values(op, x, lanes):
    """Rules 4 and 5: prefix(b), then the blocks of elements of the last, short chunk."""
    chunk = ROWS * lanes
    full = len(x) // chunk
    parts = []
    if full:
        totals = fold_lanes(op, x[:full * chunk].reshape(full, ROWS, lanes))
        parts.append(fold_left(op, tile(table(op, totals), full)))
    rest = x[full * chunk:]
    parts += tile(table(op, rest), len(rest))
    return fold_left(op, parts)


def reduce(op_name, name, bits, acc=None, out=None, nan="propagate"):
    """The bit pattern of the reduction, rounded once to `out`."""
    acc = acc or FORMATS[name][2]
    op, _ = OPERATORS[op_name]
    with np.errstate(all="ignore"):
        if len(bits) == 0:
            total = DTYPE[acc](0.0 if op_name == "sum" else 1.0)  # rule 7
        else:
            total = reduce_values(op, elements(name, bits, acc, op_name, nan), lanes_of(acc))
        return int(encode(out or acc, np.asarray([total], DTYPE[acc]))[0])


def scan_values(op, x, lanes):
    """Rule 6 for every element at once, as one array."""
    chunk = ROWS * lanes
    n = len(x)
    full = n // chunk
    totals = fold_lanes(op, x[:full * chunk].reshape(full, ROWS, lanes)) if full else x[:0]
    chunk_levels = table(op, totals)
    prefixes = [None] + [fold_left(op, tile(chunk_levels, b)) for b in range(1, full + 1)]
    result = np.empty_like(x)
    padded = -(-n // chunk) * chunk
    levels = table(op, np.concatenate([x, np.zeros(padded - n, x.dtype)]))
    index = np.arange(n)
    chunks = index // chunk
    upto = index % chunk + 1  # elements of the chunk that count, 1 to chunk
    started = chunks > 0
    if full:
        head = np.asarray([x.dtype.type(0)] + prefixes[1:], x.dtype)
        result[:] = head[chunks]
    at = chunks * chunk
    for k in reversed(range(chunk.bit_length() - 1)):
        here = (upto >> k & 1) == 1
        block = levels[k][at[here] >> k]
        result[here] = np.where(started[here], op(result[here], block), block)
        started[here] = True
        at[here] += 1 << k
    ends = np.arange(1, full + 1)
    if full:
        result[ends * chunk - 1] = prefixes[1:]
    return result


def scan(op_name, name, bits, acc=None, out=None, nan="propagate", exclusive=False):
    """Bit patterns of the running totals; out defaults to the input's type."""
    acc = acc or FORMATS[name][2]
    op, _ = OPERATORS[op_name]
    with np.errstate(all="ignore"):
        if len(bits) == 0:
            return np.zeros(0, word_type(out or name))
        values = scan_values(op, elements(name, bits, acc, op_name, nan), lanes_of(acc))
        if exclusive:
            first = values.dtype.type(0.0 if op_name == "sum" else 1.0)
            values = np.concatenate([[first], values[:-1]])
        return encode(out or name, values)


def dot(name, x_bits, y_bits, acc=None, out=None):
    """Rule 8: each product rounded once to the accumulator's type, then summed."""
    acc = acc or FORMATS[name][2]
    with np.errstate(all="ignore"):
        products = decode(name, x_bits, acc) * decode(name, y_bits, acc)
    return reduce("sum", acc, products.view(word_type(acc)), acc, out)


# ---- rule 9: mean, variance, skewness ------------------------------------------------------

MOST = np.finfo(np.float64).max


def merge_moments(a, b):
    """Chan's and Pebay's formulas on columns n, mean, M2, M3, in this very order."""
    na, mean_a, m2a, m3a = (a[..., i] for i in range(4))
    nb, mean_b, m2b, m3b = (b[..., i] for i in range(4))
    n = na + nb
    delta = mean_b - mean_a
    r = delta / n
    t = delta * r
    u = na * nb
    apart = np.isinf(delta) & np.isfinite(mean_a) & np.isfinite(mean_b)
    mean = np.where(apart, mean_a * (na / n) + mean_b * (nb / n), mean_a + r * nb)
    m2 = (m2a + m2b) + t * u
    m3 = ((m3a + m3b) + ((t * r) * u) * (na - nb)) + (3.0 * r) * ((na * m2b) - (nb * m2a))
    both = np.stack([n, mean, m2, m3], axis=-1)
    both = np.where((na == 0)[..., None], b, both)
    return np.where((nb == 0)[..., None], a, both)


def chunk_moments(x, kept):
    """Rule 9 for full chunks: x and kept[chunk, row, lane]."""
    n = kept.sum(axis=(1, 2)).astype(np.float64)
    values = np.where(kept, x, -0.0)
    total = fold_lanes(np.add, values)
    scaled = np.clip(fold_lanes(np.add, values * 2.0**-11) / n * 2.0**11, -MOST, MOST)
    overflows = ~np.isfinite(total) & np.isfinite(values).all(axis=(1, 2))
    mean = np.where(overflows, scaled, total / n)
    d = np.where(kept, x - mean[:, None, None], 0.0)
    m2 = fold_lanes(np.add, d * d)
    m3 = fold_lanes(np.add, (d * d) * d)
    moments = np.stack([n, mean, m2, m3], axis=-1)
    moments[n == 0] = 0.0
    return moments


def describe(name, bits, nan="propagate"):
    """Bit patterns (f64) of sum, mean, variance and skewness."""
    x = decode(name, bits, "f64")
    kept = ~np.isnan(x) if nan == "skip" else np.ones(len(x), bool)
    lanes = lanes_of("f64")
    chunk = ROWS * lanes
    full = len(x) // chunk
    with np.errstate(all="ignore"):
        singles = np.stack([kept.astype(np.float64), np.where(kept, x, 0.0), 0.0 * kept,
                            0.0 * kept], axis=-1)
        parts = []
        if full:
            shape = (full, ROWS, lanes)
            totals = chunk_moments(x[:full * chunk].reshape(shape),
                                   kept[:full * chunk].reshape(shape))
            parts.append(fold_left(merge_moments, tile(table(merge_moments, totals), full)))
        rest = singles[full * chunk:]
        parts += tile(table(merge_moments, rest), len(rest))
        moments = fold_left(merge_moments, parts) if parts else np.zeros(4)
        n, mean, m2, m3 = (np.float64(v) for v in moments)
        variance = m2 / n
        skewness = (m3 / n) / (variance * np.sqrt(variance))
    if n == 0 or (nan == "propagate" and np.isnan(x).any()):
        mean = variance = np.float64(np.nan)
    if variance == 0 or np.isnan(variance):
        skewness = np.float64(np.nan)
    # Of no values +0.0, although each that is skipped is -0.0 to a sum.
    total = reduce("sum", name, bits, "f64", "f64", nan) if n else 0
    return {"sum": total, **{key: int(encode("f64", np.asarray([value]))[0]) for key, value in
                             [("mean", mean), ("variance", variance), ("skewness", skewness)]}}


# ---- rule 14: weighted histograms ----------------------------------------------------------

def least_exponent(weights):
    """The least E with |w| < 2^E for every finite weight; 0 if no weight is finite, not 0."""
    finite = [abs(float(w)) for w in weights if np.isfinite(w) and w != 0]
    return int(np.frexp(max(finite))[1]) if finite else 0


def round_to_integer(value):
    """A Fraction to the nearest integer, ties to even (Python's own round does that)."""
    return round(value)


def weighted_histogram(bins, weights, bin_count, exponent=None):
    """The sum of the weights (f64 values) in each bin, as f64: bins[i] is element i's bin."""
    if exponent is None:
        exponent = least_exponent(weights)
    unit = Fraction(2) ** (exponent - 86)
    sums = [0] * bin_count
    marks = [0.0] * bin_count
    for b, w in zip(bins, weights):
        if np.isfinite(w):
            sums[b] += round_to_integer(Fraction(float(w)) / unit)
        else:
            marks[b] += float(w)  # inf, -inf, or NaN for a NaN or for both
    return [m if m != 0.0 else to_double(s * unit) for s, m in zip(sums, marks)]


def to_double(value):
    """A Fraction rounded once to f64."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


# ---- test data: the same in tests/c/data.c -------------------------------------------------

def splitmix64(seed, count):
    """Words 0 .. count-1 of the splitmix64 stream of `seed`."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(
            0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


SPAN = {"f16": 21, "bf16": 41, "f32": 41, "f64": 41}  # powers of two that "wide" data covers
NEAR = {"f16": 1, "bf16": 1, "f32": 12, "f64": 41}    # bits by which "near1" data leaves 1


def data(kind, name, seed, count):
    """Bit patterns of test data, by integer arithmetic alone."""
    bits, fraction, _ = FORMATS[name]
    w = splitmix64(seed, count)
    sign = (w >> np.uint64(63)) << np.uint64(bits - 1)
    bias = (1 << (bits - fraction - 2)) - 1
    mantissa = w & np.uint64((1 << fraction) - 1)
    power = (w >> np.uint64(52)) & np.uint64(0x7FF)
    if kind in ("wide", "holes"):
        lowest = bias - SPAN[name] // 2
        word = sign | (power % np.uint64(SPAN[name]) + np.uint64(lowest)) << np.uint64(fraction)
        word |= mantissa
        if kind == "holes":
            nan = (power & np.uint64(7)) == 0
            word = np.where(nan, np.uint64(CANONICAL_NAN[name]) | sign | mantissa, word)
    elif kind == "tiny":
        word = sign | (w & np.uint64((1 << (fraction + 1)) - 1))
    elif kind == "near1":
        one = np.uint64(bias << fraction)
        d = w & np.uint64((1 << NEAR[name]) - 1)
        word = np.where(sign != 0, one - np.uint64(2) * d, one + d)
    else:
        raise ValueError(kind)
    return word.astype(word_type(name))


def checksum(words):
    """One number for an array of bit patterns: any changed or moved element changes it."""
    with np.errstate(over="ignore"):
        weights = splitmix64(0x5EED, len(words)) | np.uint64(1)
        return int(np.sum(words.astype(np.uint64) * weights, dtype=np.uint64))
