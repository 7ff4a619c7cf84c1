"""The rows of the GPU's table: jobs, what they move, what they should reach; and their data.

A row's target is (kind, number):
  read, copy, upload   at least this share of the speed of reading, of a copy on the device (read and
                       written), of a pinned copy from the host
  time                 at most this share of CUB's time
  launch               as time, or an empty launch and 1.5 us, whichever is more
  cub                  at least this many times CUB's speed
  ms                   at most this many milliseconds

longer than 400 lines because it is one list.
"""
from dataclasses import dataclass, field

import numpy as np

BLOCK = 1 << 24
SIZE = {"u8": 1, "i16": 2, "f16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8, "u64": 8}


@dataclass
class Row:
    group: str
    name: str
    job: dict
    moved: float  # bytes read and written in all
    targets: list = field(default_factory=list)
    spread: str = ""  # rows of one spread are distributions of one job


# ---- data ---------------------------------------------------------------------------------------

def unit(dist, count):
    """Numbers in [0, 1) of a distribution."""
    u = np.random.default_rng(7).random(count)
    if dist == "constant":
        return np.full(count, 0.3)
    if dist == "sorted":
        return np.sort(u)
    return u ** 4 if dist == "u^4" else u


def block(kind, dist, count=BLOCK):
    """One block of a type and distribution."""
    rng = np.random.default_rng(11)
    if kind == "u8":
        r = rng.integers(0, 256, (3, count), dtype=np.uint8)
        return {"uniform": lambda: r[0], "constant": lambda: np.full(count, 77, np.uint8),
                "half zero": lambda: r[0] & 1,
                "and of three": lambda: r[0] & r[1] & r[2],
                "log skew": lambda: (256.0 ** unit("uniform", count) - 1).astype(np.uint8)}[dist]()
    if dist == "holes":  # three eighths are NaN, below and above what bins are made for
        x, which = unit("uniform", count), rng.integers(0, 8, count)
        x[which == 0] = np.nan if kind in ("f32", "f64", "f16") else 0
        x[which == 1] -= 2
        x[which == 2] += 2
        return x.astype({"f16": "f2", "f32": "f4", "f64": "f8"}[kind]) if kind[0] == "f" else \
            (x * (1 << 20)).astype({"u8": "u1", "i32": "i4", "i64": "i8"}[kind])
    if dist == "few":  # seven values, each a round number
        x = rng.choice(np.array([0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0]), count)
        return x.astype({"f16": "f2", "f32": "f4", "f64": "f8"}[kind]) if kind[0] == "f" else \
            (x * 64).astype({"u8": "u1", "i32": "i4", "i64": "i8"}[kind])
    if dist.startswith("runs of "):  # of equal neighbours, so many on average
        length = int(dist.split()[-1])
        return np.cumsum(rng.random(count) < 1 / length).astype({"i32": "i4", "i64": "i8"}[kind])
    if dist == "half zero":
        x = unit("uniform", count).astype({"f32": "f4", "f64": "f8"}[kind])
        return np.where(x < 0.5, x.dtype.type(0), x)
    if dist == "bits":  # all of an element's
        return rng.integers(0, 256, count * SIZE[kind], dtype=np.uint8).view(
            {"i16": "i2", "i32": "i4", "i64": "i8"}[kind])
    if dist == "million":  # 10^6 values, far apart
        return rng.integers(0, 10**6, count) * 9_000_000_007
    if dist in ("normal", "log-normal", "all exponents"):
        x = rng.standard_normal(count)
        if dist == "log-normal":
            x = np.exp(5 * x)
        if dist == "all exponents":
            most = 125 if kind == "f32" else 1000
            x = np.copysign(np.ldexp(1 + rng.random(count), rng.integers(-most, most, count)), x)
        return x.astype({"f32": "f4", "f64": "f8"}[kind])
    if dist == "wide":
        x = rng.standard_normal(count) * 10.0 ** rng.integers(-6, 7, count)
        if kind == "f16":
            return (rng.standard_normal(count) * 0.01).astype(np.float16)
        if kind in ("i32", "i64"):
            return rng.integers(-1 << 31, 1 << 31, count).astype({"i32": "i4", "i64": "i8"}[kind])
        return x.astype({"f32": "f4", "f64": "f8"}[kind])
    x = unit(dist, count)
    if kind[0] == "i":
        return (x * (1 << 20)).astype({"i32": "i4", "i64": "i8"}[kind])
    return x.astype({"f16": "f2", "f32": "f4", "f64": "f8"}[kind])


def edges(count):
    """Uneven edges over [0, 1], exact in f32."""
    return np.linspace(0, 1, count + 1).astype(np.float32).astype(np.float64) ** 2


def ragged(name):
    """Offsets of 2^28 elements in all."""
    rng = np.random.default_rng(13)
    if name == "one huge row":
        lengths = np.append(rng.integers(0, 511, 1 << 19), 0)
        lengths[1 << 18] = (1 << 28) - lengths.sum()
    else:
        lengths = (rng.pareto(1.2, 1 << 20) * 60).astype(np.int64)
        lengths = np.minimum(lengths, 1 << 20)
        lengths[-1] += max(0, (1 << 28) - lengths.sum())
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint64)


# ---- rows ---------------------------------------------------------------------------------------

def short(n):
    power = n.bit_length() - 1
    return f"2^{power}" if n == 1 << power else f"{n:,}"


def job(what, kind, n, dist="wide", /, **more):
    return {"what": what, "type": kind, "n": n, "dist": dist, **more}


def folds():
    for what, kind, n in [("sum", "f32", 1 << 28), ("sum", "f32", 1 << 30), ("sum", "f64", 1 << 28),
                          ("sum", "i32", 1 << 28), ("min", "f32", 1 << 28), ("max", "f32", 1 << 28),
                          ("sum", "u8", 1 << 32), ("dot", "f32", 1 << 28), ("dot", "f64", 1 << 28),
                          ("dot", "i32", 1 << 28)]:
        arrays = 2 if what == "dot" else 1
        dist = "uniform" if kind == "u8" else "wide"
        yield Row("reduce", f"{what} {kind}, {short(n)}", job(what, kind, n, dist),
                  n * SIZE[kind] * arrays, [("read", 0.97)])
    for power in (8, 10, 14, 18, 20, 22, 24):
        yield Row("reduce, short", f"sum f32, 2^{power}", job("sum", "f32", 1 << power, reps=41),
                  4 << power, [("launch", 0.6)] if power <= 20 else [])


def exact_sums():
    """Beside the peers' sums, whose order is their own."""
    for kind, n in (("f32", 1 << 28), ("f64", 1 << 27)):
        for dist, share in (("uniform", 0.95), ("normal", 0.95), ("constant", 0.95),
                            ("log-normal", 0.8), ("all exponents", 0.2)):
            yield Row("exact", f"exact sum {kind}, {dist}, {short(n)}",
                      job("sum", kind, n, dist, exact=1), n * SIZE[kind], [("read", share)])
        for dist in ("normal", "wide"):
            yield Row("exact", f"exact dot {kind}, {dist}, {short(n)}",
                      job("dot", kind, n, dist, exact=1), 2 * n * SIZE[kind],
                      [("read", 0.93)] if dist == "normal" else [])
        for row in (16, 256, 4096):
            yield Row("exact", f"exact sum {kind}, rows of {row:,}",
                      job("rows", kind, n, "normal", row=row, exact=1), n * SIZE[kind],
                      [("read", 0.8)] if row == 256 else [])
        yield Row("exact", f"exact sum {kind} along axis 0, rows of 8,192",
                  job("columns", kind, n, "normal", row=8192, exact=1), n * SIZE[kind])
        for power in (10, 20):
            yield Row("exact", f"exact sum {kind}, 2^{power}",
                      job("sum", kind, 1 << power, "normal", reps=41, exact=1), SIZE[kind] << power)


def scans():
    for what in ("scan", "before"):
        for kind in ("f32", "f64", "i32", "i64"):
            yield Row("scan", f"{'inclusive' if what == 'scan' else 'exclusive'} sum {kind}, 2^28",
                      job(what, kind, 1 << 28), 2 * SIZE[kind] << 28, [("copy", 0.92)])
    for kind, dist in (("f16", "wide"), ("u8", "uniform")):
        yield Row("scan", f"inclusive sum {kind}, 2^28", job("scan", kind, 1 << 28, dist),
                  2 * SIZE[kind] << 28, [("cub", 2)])
    for power in (10, 14, 18, 20, 22):
        yield Row("scan, short", f"inclusive sum f32, 2^{power}",
                  job("scan", "f32", 1 << power, reps=41), 8 << power,
                  [("time", 0.7)] if power <= 20 else [])


def byte_histograms():
    for dist in ("uniform", "constant", "and of three", "log skew"):
        yield Row("histogram of bytes", f"u8, 256 bins, {dist}, 2^31",
                  job("hist", "u8", 1 << 31, dist, kind="integer", bins=256), 1 << 31,
                  [("read", 0.92), ("cub", 1.8)], "bytes")
    for power in (16, 20, 24):
        yield Row("histogram of bytes", f"u8, 256 bins, uniform, 2^{power}",
                  job("hist", "u8", 1 << power, "uniform", kind="integer", bins=256, reps=41),
                  1 << power, [("time", 1.0)])


def float_histograms():
    n = 1 << 29
    for kind, hi in (("f32", 1), ("i32", 1 << 20)):
        for bins in (64, 256, 2048, 16384, 49152):
            for dist in ("uniform", "constant", "u^4", "sorted"):
                if kind == "i32" and bins == 49152:
                    continue
                targets = [("read", 0.95 if bins <= 16384 else 0.93)]
                if kind == "f32" and 2048 <= bins <= 16384 and dist in ("uniform", "u^4"):
                    targets.append(("cub", 13))
                yield Row("histogram", f"{kind}, {bins:,} bins, {dist}, 2^29",
                          job("hist", kind, n, dist, bins=bins, lo=0, hi=hi), n * 4, targets)
    for bins in (256, 16384):
        yield Row("histogram", f"f64, {bins:,} bins, uniform, 2^28",
                  job("hist", "f64", 1 << 28, "uniform", bins=bins, lo=0, hi=1), 8 << 28,
                  [("read", 0.9)])
        yield Row("histogram", f"f32 with f32 weights, {bins:,} bins, uniform, 2^28",
                  job("weights", "f32", 1 << 28, "uniform", dist2="uniform", kind2="f32", bins=bins,
                      lo=0, hi=1), 8 << 28, [("read", 0.6)])
    for dist in ("uniform", "u^4"):
        yield Row("histogram", f"f32, 262,144 bins, {dist}, 2^29",
                  job("hist", "f32", n, dist, bins=262144, lo=0, hi=1), n * 4,
                  [("cub", 10)] if dist == "uniform" else [])
    for bins in (256, 4096):
        yield Row("histogram", f"f32, {bins:,} explicit edges, uniform, 2^29",
                  job("hist", "f32", n, "uniform", kind="edges", bins=bins, edges=bins), n * 4,
                  [("read", 0.9)])


def in_cache():
    """Arrays of about the size of the second-level cache, read again and again."""
    for what, kind, n, offset in (("sum", "f64", 1817303, 22), ("dot", "f32", 4288734, 61),
                                  ("min", "i64", 4115222, 0), ("max", "f64", 2106089, 0),
                                  ("sum", "f32", 1 << 23, 0), ("sum", "i32", 3873963, 0),
                                  ("dot", "f32", 19506019, 11)):
        size = n * SIZE[kind] * (2 if what == "dot" else 1)
        yield Row("reduce, in cache", f"{what} {kind}, {n:,}, {offset} behind",
                  job(what, kind, n, offset=offset, reps=31), size, [("time", 1.03)])


def unlike_histograms():
    """Data on edges, outside and NaN; more bins than fit anywhere near."""
    n = 1 << 28
    for bins in (256, 4096, 20000):
        for dist in ("uniform", "u^4", "holes", "few", "wide"):
            yield Row("histogram by edges", f"f32, {bins:,} explicit edges, {dist}, 2^28",
                      job("hist", "f32", n, dist, kind="edges", bins=bins, edges=bins), n * 4,
                      [("read", 0.85 if bins <= 4096 else 0.5)], f"edges {bins}")
    for dist in ("uniform", "holes", "few"):
        yield Row("histogram by edges", f"f32, 4,096 logarithmic bins, {dist}, 2^28",
                  job("hist", "f32", n, dist, kind="log", bins=4096, lo=1e-3, hi=1), n * 4,
                  [("read", 0.85)], "log")
    for bins, share in ((100_000, 0.7), (1_000_000, 0.25)):
        for dist in ("uniform", "u^4", "sorted"):
            yield Row("histogram, many bins", f"f32, {bins:,} bins, {dist}, 2^28",
                      job("hist", "f32", n, dist, bins=bins, lo=0, hi=1), n * 4, [("read", share)])
        yield Row("histogram, many bins", f"bincount i32, {bins:,} bins, 2^28",
                  job("hist", "i32", n, "uniform", kind="integer", bins=bins, lo=0, hi=bins), n * 4,
                  [("read", share)])
    for bins in (1000, 49152, 100_000, 1_000_000):
        yield Row("histogram, weights", f"f32 with f32 weights, {bins:,} bins, uniform, 2^27",
                  job("weights", "f32", 1 << 27, "uniform", bins=bins, lo=0, hi=1), 8 << 27,
                  [("read", 0.8)] if bins <= 49152 else [])


def grids():
    """Points of a column an axis; bins of all axes together, counted or weighed."""
    for n, power in ((1 << 24, 24), (1 << 27, 27)):
        for dist in ("uniform", "u^4"):
            yield Row("histogram, several dimensions", f"f32, 100 x 100 bins, {dist}, 2^{power} pairs",
                      job("grid", "f32", n, dist, bins=100, row=2, lo=0, hi=1), 8 * n,
                      [("read", 0.75 if power == 24 else 0.9)] if dist == "uniform" else [])
            yield Row("histogram, several dimensions", f"f32, 64 x 64 x 64 bins, {dist}, 2^{power} points",
                      job("grid", "f32", n, dist, bins=64, row=3, lo=0, hi=1), 12 * n)
    n = 1 << 26
    for bins in (10, 300, 1000):
        yield Row("histogram, several dimensions", f"f32, {bins:,} x {bins:,} bins, uniform, 2^26 pairs",
                  job("grid", "f32", n, "uniform", bins=bins, row=2, lo=0, hi=1), 8 * n)
    yield Row("histogram, several dimensions", "f64, 100 x 100 bins, uniform, 2^26 pairs",
              job("grid", "f64", n, "uniform", bins=100, row=2, lo=0, hi=1), 16 * n, [("read", 0.85)])
    yield Row("histogram, several dimensions", "f32, 100 x 100 logarithmic bins, uniform, 2^26 pairs",
              job("grid", "f32", n, "uniform", kind="log", bins=100, row=2, lo=1e-3, hi=1), 8 * n)
    yield Row("histogram, several dimensions", "f32 with f32 weights, 100 x 100 bins, uniform, 2^26 pairs",
              job("gridweights", "f32", n, "uniform", bins=100, row=2, lo=0, hi=1), 12 * n)


def shifted_scans():
    """Input and output at every distance from an aligned address that an element allows."""
    for kind, size in (("f32", 4), ("f64", 8), ("f16", 2), ("u8", 1)):
        for offset, out_offset in ((1, 0), (0, 1), (3, 0), (1, 2), (3, 3)):
            yield Row("scan, shifted", f"inclusive sum {kind}, input {offset}, output {out_offset}, 2^27",
                      job("scan", kind, 1 << 27, "uniform" if kind == "u8" else "wide",
                          offset=offset, out_offset=out_offset), 2 * size << 27,
                      [("copy", 0.88)] if size >= 4 else [])


def row_sums():
    n = 1 << 28
    for rows, row in ((12, 16), (20, 8)):
        yield Row("rows", f"sum f32, 2^{rows} rows of 2^{row}", job("rows", "f32", n, row=1 << row),
                  n * 4, [("read", 0.9)])
    yield Row("rows", "sum f32 along axis 0, 2^14 by 2^14", job("columns", "f32", n, row=1 << 14),
              n * 4)
    for length, count in ((3, 68256624), (16, 1 << 26), (30, 30 << 21), (333, 110967255)):
        yield Row("rows", f"sum f32, rows of {length}", job("rows", "f32", count, row=length),
                  count * 4 + count // length * 4, [("read", 0.8)])
    for columns, count in ((2, 1 << 26), (8, 34101928), (61, 30646339), (742, 7923076),
                           (742, 742 * 90000), (2711, 65600778), (13980, 92016360)):
        yield Row("rows", f"sum f32 along axis 0, {count // columns:,} by {columns:,}",
                  job("columns", "f32", count, row=columns), count * 4,
                  [("read", 0.8)] if count > 1 << 24 else [])
    for name in ("one huge row", "power law"):
        yield Row("rows", f"sum f32, segments, {name}", job("segments", "f32", None, ragged=name),
                  None, [("read", 0.9)])


def sorts():
    for kind, dist, name, n in (
            ("i32", "bits", "uniform", 1 << 28), ("i32", "constant", "constant", 1 << 28),
            ("i32", "sorted", "sorted blocks of 2^24", 1 << 28), ("f32", "wide", "wide", 1 << 28),
            ("i64", "bits", "uniform", 1 << 27), ("i64", "uniform", "below 2^20", 1 << 27),
            ("f64", "wide", "wide", 1 << 27), ("u8", "uniform", "uniform", 1 << 28),
            ("u8", "constant", "constant", 1 << 28), ("i16", "bits", "uniform", 1 << 28)):
        yield Row("sort", f"keys {kind}, {name}, {short(n)}", job("sort", kind, n, dist),
                  2 * SIZE[kind] * n, [("cub", 5 if SIZE[kind] < 4 else 1.2)])
    for kind, n in (("i32", 1 << 27), ("i64", 1 << 26)):
        yield Row("sort", f"pairs {kind} with 4 bytes, uniform, {short(n)}",
                  job("pairs", kind, n, "bits"), 2 * (SIZE[kind] + 4) * n, [("cub", 1.2)])
    yield Row("sort", "argsort f32, wide, 2^27", job("argsort", "f32", 1 << 27), 8 << 27,
              [("cub", 1.2)])
    for row, n in ((3, 3 << 24), (16, 1 << 26), (30, 30 << 21), (64, 1 << 26), (256, 1 << 26),
                   (1000, 67 * 10**6), (4096, 1 << 26), (10000, 6710 * 10000),
                   (100000, 671 * 100000)):
        yield Row("sort", f"rows of {row:,} f32", job("sortrows", "f32", n, row=row), 8 * n,
                  [("cub", 2)] if row <= 4096 else [])
    for power in (10, 13, 14, 16, 18, 20, 22, 24):
        yield Row("sort, short", f"keys i32, uniform, 2^{power}",
                  job("sort", "i32", 1 << power, "bits", reps=41), 8 << power,
                  [("time", 0.6)] if power <= 20 else [])
    for kind, dist, power in (("u8", "uniform", 14), ("u8", "uniform", 18), ("u8", "uniform", 22),
                              ("i16", "bits", 14), ("i16", "bits", 18), ("i16", "bits", 20),
                              ("i16", "bits", 22), ("i16", "bits", 24)):
        yield Row("sort, short", f"keys {kind}, uniform, 2^{power}",
                  job("sort", kind, 1 << power, dist, reps=41), 2 * SIZE[kind] << power)


def finds():
    for power in (28, 26):
        n = 1 << power
        yield Row("select", f"f32 above 0.5, half of 2^{power}",
                  job("select", "f32", n, "uniform", lo=0.5), 6 * n, [("copy", 0.85), ("cub", 1)])
        yield Row("select", f"positions of f32 other than zero, half of 2^{power}",
                  job("positions", "f32", n, "half zero"), 6 * n, [("copy", 0.85), ("cub", 1)])
        yield Row("select", f"f32 where a mask is set, half of 2^{power}",
                  job("masked", "u8", n, "half zero"), 7 * n, [("copy", 0.85), ("cub", 1)])
    yield Row("select", "f32 above 0.99, one in a hundred of 2^28",
              job("select", "f32", 1 << 28, "uniform", lo=0.99), 4.04 * (1 << 28), [("copy", 0.85)])
    for length in (1, 8, 64):
        n = 1 << 28
        yield Row("runs", f"keys and offsets of i32, runs of {length}, 2^28",
                  job("runs", "i32", n, f"runs of {length}"), 4 * n + 12 * n / length,
                  [("copy", 0.85), ("cub", 1)])
    for length in (8, 64, 1024):
        n = 1 << 28
        yield Row("by_key", f"sum f32 by i32, runs of {length:,}, 2^28",
                  job("by_key", "i32", n, f"runs of {length}"), 8 * n + 8 * n / length, [("cub", 1)])
    for power in (16, 20):
        yield Row("select, short", f"f32 above 0.5, half of 2^{power}",
                  job("select", "f32", 1 << power, "uniform", lo=0.5, reps=41), 6 << power,
                  [("time", 1.0)])


def ranks():
    """Elements by rank; the peers sort, or choose some of them."""
    n = 1 << 26
    for kind, size in (("f32", 4), ("f64", 8)):
        yield Row("quantiles", f"median {kind}, wide, 2^26", job("quantiles", kind, n, "wide", bins=1),
                  size * n, [("read", 0.7), ("cub", 5)])
    yield Row("quantiles", "median f32, constant, 2^26", job("quantiles", "f32", n, "constant", bins=1), 4 * n)
    yield Row("quantiles", "median i16, 2^26", job("quantiles", "i16", n, "bits", bins=1), 2 * n)
    yield Row("quantiles", "three quartiles f32, wide, 2^26",
              job("quantiles", "f32", n, "wide", bins=3), 4 * n, [("read", 0.45), ("cub", 5)])
    for k in (16, 1024, 65536):
        yield Row("top", f"top {k:,} of f32, wide, 2^26", job("top", "f32", n, "wide", bins=k),
                  4 * n, [("read", 0.6), ("cub", 5)])
    yield Row("top", "top 1,024 of f64, wide, 2^26", job("top", "f64", n, "wide", bins=1024), 8 * n)
    yield Row("top", "top 16 of each of 2^16 rows of 1,024 f32",
              job("toprows", "f32", n, "wide", bins=16, row=1024), 4 * n, [("ms", 0.25)])


def table_of(count):
    """Sorted values to search in."""
    return np.sort(np.random.default_rng(5).random(count)).astype("f4")


def ids(groups):
    """A block of ids of groups."""
    return np.random.default_rng(6).integers(0, groups, BLOCK).astype("i4")


def searches_and_groups():
    n = 1 << 26
    for count, most in ((257, 0.12), (4097, 0.15)):
        yield Row("search", f"{count:,} edges, f32, 2^26", job("search", "f32", n, "uniform", row=count, table=count),
                  8 * n, [("ms", most)])
    yield Row("search", "2^20 edges, f32, 2^26", job("search", "f32", n, "uniform", row=1 << 20, table=1 << 20), 8 * n)
    yield Row("unique", "10^6 values i64, counts and inverse, 2^26", job("unique", "i64", n, "million"),
              12 * n)
    for width, most in ((1, None), (16, 1.0), (64, 0.7), (256, 0.6)):
        for what, name in (("groups", "ids as they come"), ("regroup", "by a handle")):
            yield Row("groups", f"sums f32, 2^20 groups, rows of {width}, 2^26 values, {name}",
                      job(what, "f32", n, row=width, bins=1 << 20, ids=1 << 20),
                      4 * n + 4 * n // width + (4 << 20) * width, [("ms", most)] if most else [])
        yield Row("groups", f"sums f32, 2^20 groups, rows of {width}, 2^26 values, peers deterministic",
                  job("groups", "f32", n, row=width, bins=1 << 20, ids=1 << 20, deterministic=1),
                  4 * n + 4 * n // width + (4 << 20) * width)


def from_the_host():
    for what, name in (("pinned", "pinned memory"), ("host", "pageable memory")):
        yield Row("from the host", f"sum f32, 2^30, {name}", job(what, "f32", 1 << 30), 4 << 30,
                  [("upload", 0.95)])


def first_calls():
    for call, name in (("sum", "sum f32"), ("scan", "inclusive sum f32")):
        yield Row("first call", f"{name}, empty cache of kernels", {"what": "cold", "call": call}, 0,
                  [("ms", 300)])
        yield Row("first call", f"{name}, kernels in the cache", {"what": "warm", "call": call}, 0,
                  [("ms", 15)])


def every_row(quick):
    rows = [*folds(), *exact_sums(), *in_cache(), *scans(), *shifted_scans(), *byte_histograms(), *float_histograms(),
            *unlike_histograms(), *grids(), *row_sums(), *sorts(), *finds(), *ranks(), *searches_and_groups(),
            *from_the_host(), *first_calls()]
    if quick:
        rows = [r for r in rows if not any(w in r.name for w in
                ("sorted", "i32, 64", "i32, 2,048", "2^30", "2^32", "exclusive", "2^14", "u^4"))]
    return rows
