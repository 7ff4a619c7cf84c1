#!/usr/bin/env python3
"""Writes golden.csv, what a library that follows order v1 and exact sums has to give.

Result   one result a line; README.md explains the columns
Use      conformance/make.py [--check]: with --check nothing is written, and the exit status is 1 if the
         file differs from what is computed
Method   order v1 by the model in tests/order_v1.py, exact sums as fractions rounded once, those of f64
         compared with math.fsum. No library takes part.
"""

import math
import pathlib
import sys
from fractions import Fraction

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
import order_v1 as model  # noqa: E402

TYPES = ("f32", "f64")
LEAST = {"f32": -149, "f64": -1074}    # the exponents of the least bit and of infinity
BEYOND = {"f32": 128, "f64": 1024}
# kind: powers of two, up and down from 1, that it covers
SPANS = {"close": {"f32": 2, "f64": 2}, "wide": {"f32": 20, "f64": 20}, "middle": {"f32": 60, "f64": 500}}
BASE = {"first8": "close", "lane0": "close", "cancel": "middle", "mirror": "middle"}


def lanes(name):
    return model.lanes_of(name)


def chunk(name):
    return model.ROWS * lanes(name)


# ---- data: the same in conformance.c -------------------------------------------------------

def drawn(kind, name, seed, count):
    bits, fraction, _ = model.FORMATS[name]
    word = model.word_type(name)
    if kind == "minus0":
        return np.full(count, 1 << (bits - 1), word)
    w = model.splitmix64(seed, count)
    bias = (1 << (bits - fraction - 2)) - 1
    if kind == "tiny":
        w = w >> np.uint64(63) << np.uint64(bits - 1) | w & np.uint64((2 << fraction) - 1)
        return w.astype(word)
    span = SPANS[BASE.get(kind, kind)][name]
    power = (w >> np.uint64(52) & np.uint64(0x7FF)) % np.uint64(2 * span) + np.uint64(bias - span)
    w = w >> np.uint64(63) << np.uint64(bits - 1) | w & np.uint64((1 << fraction) - 1)
    w |= power << np.uint64(fraction)
    half, at = count // 2, np.arange(count)
    if kind in ("cancel", "mirror"):
        w[half:2 * half] = w[:half] ^ np.uint64(1 << (bits - 1) | 1 if kind == "cancel" else 0)
    elif kind == "first8":
        w[at % chunk(name) >= 8] = 0
    elif kind == "lane0":
        w[at % lanes(name) != 0] = 0
    return w.astype(word)


def data(spec, name, seed, count):
    """The bit patterns that a field x or y of the table stands for."""
    if spec.startswith("="):
        return np.array([int(h, 16) for h in spec[1:].split(":") if h], model.word_type(name))
    kind, *patches = spec.split("+")
    words = drawn(kind, name, seed, count)
    for patch in patches:
        bits, at = patch.split("@")
        words[int(at)] = int(bits, 16)
    return words


def given(name, *values):
    """A field with these values, or bit patterns where they are text."""
    width = model.FORMATS[name][0] // 4
    return "=" + ":".join(v if isinstance(v, str) else
                          f"{int(model.encode(name, np.array([v], model.DTYPE[name]))[0]):0{width}x}"
                          for v in values)


# ---- exact sums ----------------------------------------------------------------------------

def round_once(value, name):
    """The bit pattern of a fraction rounded to nearest even."""
    bits, fraction, _ = model.FORMATS[name]
    sign = int(value < 0) << (bits - 1)
    value = abs(value)
    if value == 0:
        return 0
    power = value.numerator.bit_length() - value.denominator.bit_length()
    power -= value < Fraction(2) ** power
    quantum = max(power - fraction, LEAST[name])
    units = round(value / Fraction(2) ** quantum)
    if units >= Fraction(2) ** (BEYOND[name] - quantum):
        return sign | ((1 << (bits - 1 - fraction)) - 1) << fraction
    return sign | units + ((quantum - LEAST[name]) << fraction)


def exact(name, x, y=None):
    """The bit pattern of the exact sum of x, or of the products x y."""
    values = [v.tolist() for v in [model.decode(name, x, "f64")]
              + ([model.decode(name, y, "f64")] if y is not None else [])]
    special = [math.prod(t) for t in zip(*values) if not all(math.isfinite(v) for v in t)]
    if special:
        total = sum(special)
        return model.CANONICAL_NAN[name] if math.isnan(total) else int(
            model.encode(name, np.array([total]))[0])
    grid = 1 << (1074 * len(values))
    total = Fraction(sum(math.prod(int(Fraction(v) * (1 << 1074)) for v in t)
                         for t in zip(*values)), grid)
    result = round_once(total, name)
    if y is None and name == "f64":
        try:
            assert result == int(np.float64(math.fsum(values[0])).view(np.uint64)) or total == 0
        except OverflowError:
            pass  # fsum gives up where a partial sum is beyond f64
    return result


# ---- rows ----------------------------------------------------------------------------------

def fold_cases(name):
    """(case, count, x, y) for sum and dot, from what needs fewest rules to what needs all."""
    c, width = chunk(name), lanes(name)
    one, ulp = 1.0, 2.0 ** -(model.FORMATS[name][1] + 1)
    inf, nan = math.inf, model.CANONICAL_NAN[name]
    odd = f"{nan | 5:x}"
    yield "empty", given(name)
    yield "zeros", given(name, -0.0)
    yield "zeros", given(name, -0.0, -0.0, -0.0)
    yield "zeros", given(name, -0.0, 0.0)
    yield "zeros", "minus0", c - 1
    yield "zeros", "minus0", 3 * c + 5
    yield "rounding", given(name, one, ulp)
    yield "rounding", given(name, one + 2 * ulp, ulp)
    yield "accumulator", given(name, ulp, one, 0.0, ulp)
    for n in (1, 2):
        yield "rounding", "close", n
    for n in (4, 8, 16, width // 2, width, 2 * width, c // 2):
        yield "tree", "close", n
    for n in (3, 5, 6, 7, 15, 17, 31, width - 1, width + 1, 777, 1000, c - 1):
        yield "biggest", "close", n
    changed = ["", *(f"+{given(name, v)[1:]}@0" for v in (1.9, -1.7, 0.3, -0.6, 1.1))]  # other data by one element
    for case, kind in (("halves", "first8"), ("lanes", "lane0"), ("lanes", "close")):
        for change in changed:
            yield case, kind + change, c
    for change in changed:
        yield "blocks", "close" + change, 4 * c
    for n in (2, 8, 16):
        yield "blocks", "close", n * c
    for n in (3, 5, 6, 7, 13):
        yield "prefix", "close", n * c
    for n in (c + 1, c + 2, c + 3, c + 5, c + 7, c + 13, c + 30, c + 77, 2 * c + 777, 3 * c + 255, 13 * c + 777):
        yield "onto", "close", n
    normal = float(np.finfo(model.DTYPE[name]).tiny)
    yield "denormal", given(name, 2.0 ** LEAST[name], 2.0 ** LEAST[name])
    yield "denormal", given(name, normal, -(2.0 ** LEAST[name]))
    for n in (1000, 3 * c + 9):
        yield "denormal", "tiny", n
    yield "infinite", given(name, float(np.finfo(model.DTYPE[name]).max), -inf)
    yield "infinite", given(name, *[float(np.finfo(model.DTYPE[name]).max)] * 2)
    yield "nan", given(name, inf, -inf)
    yield "nan", given(name, odd)
    yield "nan", f"close+{odd}@{c + 11}", 2 * c + 100
    yield "large", "wide", (1 << 16) + 17
    for n in ((1 << 17) + 17, (1 << 19) + 4099):
        yield "large", "close", n


def dot_cases(name):
    """(case, x, y): the product of the neighbours of 1, which is not a float, less its neighbour."""
    step = 2.0 ** -model.FORMATS[name][1]
    a, b = 1.0 + step, -1.0 - 2 * step
    yield "product", given(name, a, b), given(name, a, 1.0)
    yield "product", given(name, b, a), given(name, 1.0, a)


def exact_cases(name):
    """(case, count, x) for exact sums."""
    fraction = model.FORMATS[name][1]
    ulp, least, most = 2.0 ** -fraction, 2.0 ** LEAST[name], float(np.finfo(model.DTYPE[name]).max)
    step = 2.0 ** (BEYOND[name] - 1 - fraction)
    inf, odd = math.inf, f"{model.CANONICAL_NAN[name] | 5:x}"
    yield "zero", given(name)
    yield "zero", given(name, -0.0)
    yield "zero", given(name, 1.0, -1.0)
    yield "tie", given(name, 1.0, ulp / 2)
    yield "tie", given(name, 1.0 + ulp, ulp / 2)
    yield "once", given(name, 1.0, ulp / 2, 2.0 ** -100)
    yield "once", given(name, 1.0, ulp / 2, -(2.0 ** -100))
    yield "once", given(name, 1.0, ulp / 2, least)
    yield "once", given(name, -1.0, -ulp / 2, -least)
    yield "once", given(name, 1.0, ulp / 4, ulp / 4, least)
    yield "beyond", given(name, most, most, -most, -most, 1.0)
    yield "beyond", given(name, most, step / 2)
    yield "beyond", given(name, most, step / 2, -least)
    yield "beyond", given(name, most, most, -step)
    yield "cancellation", given(name, most, 1.0, -most)
    yield "cancellation", given(name, 2.0 ** 100, 1.0, -(2.0 ** 100), least)
    yield "denormal", given(name, least, least)
    yield "denormal", "tiny", 1000
    for n in (2, 3, 100, 1001, 5000):
        yield "cancellation", "cancel", n
    for n in (3, 17, 1000, 2049, (1 << 16) + 17):
        for kind in ("close", "wide", "middle"):
            yield "exact", kind, n
    yield "special", given(name, inf, most)
    yield "special", given(name, inf, -inf)
    yield "special", given(name, odd, 1.0)
    yield "special", f"wide+{odd}@777", 1000


def product_cases(name):
    """(case, count, x, y) for exact dots, beside those of sums with ones."""
    least, half = 2.0 ** LEAST[name], LEAST[name] // 2
    a, b = 2.0 ** half, 2.0 ** (LEAST[name] - 1 - half)  # whose product is half of the least
    yield "products", given(name, a), given(name, b)
    yield "products", given(name, a, least), given(name, b, least)
    yield "products", given(name, a, a), given(name, b, b)
    near = 1.0 + 2.0 ** -model.FORMATS[name][1]
    yield "products", given(name, near, -1.0), given(name, near, 1.0 + 2.0 * (near - 1.0))
    most = float(np.finfo(model.DTYPE[name]).max)
    yield "beyond", given(name, most, most, 2.0), given(name, most, -most, 2.0)
    yield "special", given(name, 0.0), given(name, math.inf)
    yield "special", given(name, 1.0, 2.0), given(name, math.inf, -2.0)
    for n in (1, 2, 17, 1000, 5001):
        yield "exact", "wide", n, "wide"
        yield "products", "middle", n, "middle"
    for n in (2, 100, 2049):
        yield "cancellation", "cancel", n, "mirror"
    yield "products", "tiny", 1000, "tiny"
    yield "products", "tiny", 1000, "middle"


def running_cases(name):
    c = chunk(name)
    for n in (1, 2, 3, 4, 5, 8, 17, lanes(name) + 1, 1000, c - 1, c, c + 1, c + 2, c + 777, 2 * c, 3 * c + 5,
              13 * c + 777, (1 << 17) + 17):
        yield "running", "close", n
    yield "zeros", "minus0", c + 5
    yield "denormal", "tiny", 3 * c + 9
    yield "nan", f"close+{model.CANONICAL_NAN[name] | 5:x}@{c + 11}", 2 * c + 100


def extreme_cases(name):
    c, odd = chunk(name), f"{model.CANONICAL_NAN[name] | 5:x}"
    yield "order", given(name, 0.0, -0.0)
    yield "order", given(name, -0.0, 0.0)
    yield "order", given(name, math.inf, -math.inf, 1.0)
    yield "order", "tiny", c + 3
    yield "order", "wide", 3 * c + 777
    yield "nan", given(name, 1.0, odd)
    yield "nan", f"wide+{odd}@{c + 11}", 2 * c + 100


# ---- other orders: what a library that breaks a rule is likely to give -----------------------

def by_lanes(x, rows, width):
    """Order v1 with chunks of other shapes."""
    full = len(x) // (rows * width)
    parts = []
    if full:
        totals = model.fold_lanes(np.add, x[:full * rows * width].reshape(full, rows, width))
        parts.append(model.fold_left(np.add, model.tile(model.table(np.add, totals), full)))
    rest = x[full * rows * width:]
    parts += model.tile(model.table(np.add, rest), len(rest))
    return model.fold_left(np.add, parts)


def other_orders(name, x):
    c, width = chunk(name), lanes(name)
    yield "a loop from left to right", np.add.accumulate(x)[-1]
    yield ("blocks of neighbours throughout with no lanes (rule 2)",
           model.fold_left(np.add, model.tile(model.table(np.add, x), len(x))))
    for other in (width // 8, width // 4, width // 2, 2 * width, 4 * width):
        yield f"{other} lanes in place of {width}", by_lanes(x, c // other, other)
    for other in (c // 4, c // 2, 2 * c, 4 * c):
        yield f"chunks of {other} in place of {c}", by_lanes(x, other // width, width)
    full = len(x) // c
    rest = x[full * c:]
    head = [by_lanes(x[:full * c], model.ROWS, width)] if full else []
    if len(rest):
        yield "a short end that is folded from left to right (rule 5)", model.fold_left(
            np.add, [*head, *rest])
        padded = np.concatenate([rest, np.full(c - len(rest), -0.0, x.dtype)])
        yield "a short end that is folded by lanes (rule 5)", model.fold_left(
            np.add, [*head, by_lanes(padded, model.ROWS, width)])
        tail = model.fold_left(np.add, model.tile(model.table(np.add, rest), len(rest)))
        yield "a short end that is totalled before it is added (rule 5)", model.fold_left(
            np.add, [*head, tail])
    totals = [by_lanes(x[i * c:(i + 1) * c], model.ROWS, width) for i in range(full)]
    if totals:
        ends = model.tile(model.table(np.add, rest), len(rest))
        yield "chunks that are added from left to right (rule 3)", model.fold_left(
            np.add, [*totals, *ends])
    if name == "f32":
        yield "order v1 in f64 (rounded at its end)", np.float32(by_lanes(
            x.astype(np.float64), model.ROWS, lanes("f64")))


def others(name, x, golden):
    """Lines that say which bits other orders give, where they are not the golden ones."""
    with np.errstate(all="ignore"):
        for text, value in other_orders(name, x):
            bits = int(model.encode(name, np.array([value], x.dtype))[0])
            if bits != golden:
                yield "-", name, text, "", "", "", bits


# ---- the table -----------------------------------------------------------------------------

def row(what, name, result, case, x, count=None, y=""):
    words = data(x, name, 1, count or 0)
    return what, name, case, len(words), x, y, result(words, data(y, name, 2, len(words)) if y else None)


def with_y(name, x):
    """The y of a dot: of elements that are given, ones, which change no bit of them."""
    if x == "=" or x[0] != "=":
        return "=" if x == "=" else "close"
    return given(name, *[1.0] * (x.count(":") + 1))


def rows(name):
    plain = {"sum": lambda x, y: model.reduce("sum", name, x), "dot": lambda x, y: model.dot(name, x, y)}
    for what, result in plain.items():
        for case, x, y in dot_cases(name) if what == "dot" else ():
            yield row(what, name, result, case, x, y=y)
        for case, x, *count in fold_cases(name):
            # Products of given values are with ones, which change no bit of them.
            y = "" if what == "sum" else with_y(name, x)
            line = row(what, name, result, case, x, *(count or [None]), y=y)
            yield line
            c = chunk(name)
            if x == "close" and line[3] in (777, 1000, c, 2 * c, 6 * c, c + 7, 13 * c + 777):
                words = model.decode(name, data(x, name, 1, line[3]), name)
                if y:
                    words = words * model.decode(name, data(y, name, 2, line[3]), name)
                yield from others(name, words, line[-1])
    for what, op in (("min", np.minimum), ("max", np.maximum)):
        for case, x, *count in extreme_cases(name):
            yield row(what, name, lambda w, _, op=op: extreme(name, w, op), case, x, *count)
    for case, x, *count in running_cases(name):
        yield row("scan", name, lambda w, _: model.checksum(model.scan("sum", name, w)), case, x, *count)
    for case, x, *count in exact_cases(name):
        yield row("exact_sum", name, lambda w, _: exact(name, w), case, x, *count)
    for case, x, *rest in product_cases(name):
        count, y = (None, rest[0]) if len(rest) == 1 else rest
        yield row("exact_dot", name, lambda w, v: exact(name, w, v), case, x, count, y=y)


def extreme(name, words, op):
    """Rule 10: by value, -0.0 before +0.0, any NaN the canonical one."""
    values = model.decode(name, words, name)
    if np.isnan(values).any():
        return model.CANONICAL_NAN[name]
    best = op.reduce(values)
    ties = words[values == best]
    signs = ties >> ties.dtype.type(model.FORMATS[name][0] - 1)
    return int(ties[np.argmax(signs) if op is np.minimum else np.argmin(signs)])


def main():
    text = "what,type,case,count,x,y,hex\n" + "".join(
        ",".join(map(str, line[:-1])) + f",{line[-1]:x}\n" for name in TYPES for line in rows(name))
    path = HERE / "golden.csv"
    if sys.argv[1:] == ["--check"]:
        if path.read_text(encoding="utf-8") != text:
            print("golden.csv is not what make.py gives: run conformance/make.py", file=sys.stderr)
            return 1
    else:
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
