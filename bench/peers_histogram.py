"""Histograms against NumPy: np.histogram with even and explicit bins, np.bincount.

usage: peers_histogram.py LIBHEDDLE.SO [MEBIBYTES]

Ours and NumPy's take turns in one process on one array; counts are compared before any timing.
Prints one line of JSON a comparison, with the fields of the C benchmarks.
"""
import ctypes as c
import json
import os
import statistics
import sys
import time

import numpy as np

U8, F32 = 1, 11
INTEGER, EVEN, EDGES = 1, 2, 4


class Bins(c.Structure):
    _fields_ = [("size", c.c_size_t), ("kind", c.c_int), ("count", c.c_size_t),
                ("lo", c.c_double), ("hi", c.c_double), ("auto_range", c.c_int),
                ("edges", c.c_void_p), ("first", c.c_int64)]


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(lib, ctx, threads, name, peer, target, type_, x, bins, theirs):
    counts = np.zeros(bins.count, np.uint64)

    def ours():
        status = lib.heddle_histogram(ctx, type_, c.c_void_p(x.ctypes.data), c.c_size_t(x.size),
                                      c.byref(bins), c.c_void_p(counts.ctypes.data), None, None)
        if status:
            sys.exit(lib.heddle_message().decode())

    ours()
    if not np.array_equal(counts.astype(np.int64), theirs()):
        sys.exit(f"peers_histogram: {name}: counts differ from {peer}")
    rounds = int(os.environ.get("BENCH_ROUNDS", 7))
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    mine, other = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    ratios = sorted(b / a for a, b in pairs)
    print(json.dumps({"group": "histogram", "work": name, "peer": peer, "elements": x.size,
                      "threads": threads, "seconds": mine, "gb_per_s": 1e-9 * x.nbytes / mine,
                      "peer_seconds": other, "ratio": statistics.median(ratios),
                      "ratio_low": ratios[rounds // 10], "ratio_high": ratios[-1 - rounds // 10],
                      "target": target}), flush=True)


def bins_of(kind, count, lo=0.0, hi=0.0, edges=None):
    return Bins(c.sizeof(Bins), kind, count, lo, hi, 0, edges.ctypes.data if edges is not None
                else None, 0)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    lib = c.CDLL(sys.argv[1])
    lib.heddle_message.restype = c.c_char_p
    size = (int(sys.argv[2]) if len(sys.argv) > 2 else 64) << 20
    rng = np.random.default_rng(1)
    x = rng.random(size // 4, dtype=np.float32)
    octets = rng.integers(0, 256, size // 4, dtype=np.uint8)
    edges = np.linspace(0, 1, 101) ** 1.5
    for threads in (1, 2):
        ctx = c.c_void_p()
        if lib.heddle_open(b"cpu:%d" % threads, c.byref(ctx)):
            sys.exit(lib.heddle_message().decode())
        for count in (100, 1000):
            compare(lib, ctx, threads, f"f32, {count} even bins", "np.histogram", 8, F32, x,
                    bins_of(EVEN, count, 0, 1),
                    lambda count=count: np.histogram(x, count, (0.0, 1.0))[0])
        compare(lib, ctx, threads, "f32, 100 explicit edges", "np.histogram", 5, F32, x,
                bins_of(EDGES, 100, edges=edges), lambda: np.histogram(x, edges)[0])
        compare(lib, ctx, threads, "bytes", "np.bincount", 0, U8, octets, bins_of(INTEGER, 256),
                lambda: np.bincount(octets, minlength=256))
        lib.heddle_close(ctx)


if __name__ == "__main__":
    main()
