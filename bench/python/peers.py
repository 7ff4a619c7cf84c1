"""Ours against NumPy, fast-histogram and boost-histogram on whole arrays: the rows of run.py.

Ours and each peer run in turn on the same data, after their results were compared; a figure is the
median, a ratio the median of the ratios pair by pair, to the fastest peer.
"""
import statistics
import sys
import time

import boost_histogram.numpy
import fast_histogram
import numpy as np

import heddle as hd

SIZES = (1_000, 100_000, 100_000_000)


def seconds(work, times):
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def same(ours, theirs):
    """Whether two results agree: counts exactly, floats to their rounding."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.shape != theirs.shape:
        return False
    if ours.dtype.kind in "iub" and theirs.dtype.kind in "iub":
        return bool((ours == theirs).all())
    scale = max(1.0, float(np.abs(theirs).max(initial=0)))
    wide = ours.dtype == np.float64 and theirs.dtype == np.float64
    return bool(np.allclose(ours, theirs, rtol=1e-9 if wide else 2e-3, atol=1e-9 * scale))


def measured(name, dtype, count, threads, ours, peers, rounds):
    """A row: seconds of ours and of each peer, and the ratio to the fastest of them.

    What takes a second or more is run once: the run that is compared.
    """
    wanted = ours()
    wanted = wanted[0] if isinstance(wanted, tuple) else wanted
    times, found = {"heddle": inner(seconds(ours, 1))}, {"heddle": []}
    for peer, (work, check) in peers.items():
        start = time.perf_counter()
        result = work()
        took = time.perf_counter() - start
        if check and not same(wanted, check(result)):
            sys.exit(f"bench: {name} of {dtype} x {count} differs from {peer}'s; nothing was timed")
        found[peer] = [took] * rounds if took > 1 else []
        times[peer] = inner(took)
    for _ in range(rounds):
        found["heddle"].append(seconds(ours, times["heddle"]))
        for peer, (work, _) in peers.items():
            if len(found[peer]) < rounds:
                found[peer].append(seconds(work, times[peer]))
    middle = {who: statistics.median(values) for who, values in found.items()}
    best = min(peers, key=middle.get)
    ratio = statistics.median(b / a for a, b in zip(found["heddle"], found[best]))
    return {"work": name, "dtype": dtype, "elements": count, "threads": threads, "seconds": middle,
            "best": best, "ratio": ratio}


def inner(took):
    """How often short work is repeated, to be timed at all."""
    return max(1, int(2e-3 / max(took, 1e-7)))


def array_rows(x, threads):
    """(name, ours, peers) of the rows that take an array of floats."""
    out = np.empty_like(x)
    for name in ("sum", "min", "max", "mean", "var"):
        ours, theirs = getattr(hd, name), getattr(np, name)
        yield name, lambda f=ours: f(x, threads=threads), {
            "numpy": (lambda f=theirs: f(x), np.asarray)}
    yield "cumsum", lambda: hd.cumsum(x, out=out, threads=threads), \
        {"numpy": (lambda: np.cumsum(x, out=out), None)}


def sort_rows(x, threads):
    """Keys, and positions as a stable sort gives them."""
    yield "sort", lambda: hd.sort(x, threads=threads), {"numpy": (lambda: np.sort(x), np.asarray)}
    yield "argsort", lambda: hd.argsort(x, threads=threads), {
        "numpy": (lambda: np.argsort(x, kind="stable"), np.asarray)}


def histogram_rows(x, threads):
    """Even bins, edges, weights. Data are in [0, 1), so that all peers agree on what is counted."""
    boost = boost_histogram.numpy.histogram
    first = lambda result: result[0]
    weights = np.random.default_rng(9).random(x.size).astype(x.dtype)
    for bins in (100, 1000):
        span = (0.0, 1.0)
        yield f"histogram, {bins} bins", lambda b=bins: hd.histogram(x, b, span, threads=threads), {
            "numpy": (lambda b=bins: np.histogram(x, b, span), first),
            "fast-histogram": (lambda b=bins: fast_histogram.histogram1d(x, b, span), None),
            "boost-histogram": (lambda b=bins: boost(x, b, span, threads=threads), None)}
        edges = np.sort(np.random.default_rng(3).random(bins + 1)).astype(x.dtype)
        yield f"histogram, {bins} edges", lambda e=edges: hd.histogram(x, e, threads=threads), {
            "numpy": (lambda e=edges: np.histogram(x, e), first),
            "boost-histogram": (lambda e=edges: boost(x, e, threads=threads), None)}
    yield "histogram, 100 bins, weights", \
        lambda: hd.histogram(x, 100, (0.0, 1.0), weights=weights, threads=threads), {
            "numpy": (lambda: np.histogram(x, 100, (0.0, 1.0), weights=weights), first),
            "fast-histogram": (lambda: fast_histogram.histogram1d(x, 100, (0.0, 1.0), weights), None),
            "boost-histogram": (lambda: boost(x, 100, (0.0, 1.0), weights=weights, threads=threads),
                                None)}


def plane_rows(x, threads):
    """Points in a grid, with and without weights."""
    boost = boost_histogram.numpy.histogram2d
    first = lambda result: result[0]
    rng, span = np.random.default_rng(8), ((0.0, 1.0), (0.0, 1.0))
    y, weights = rng.random(x.size).astype(x.dtype), rng.random(x.size)
    y[y >= 1] = 0
    yield "histogram2d, 100 x 100", lambda: hd.histogram2d(x, y, 100, span, threads=threads), {
        "numpy": (lambda: np.histogram2d(x, y, 100, span), first),
        "fast-histogram": (lambda: fast_histogram.histogram2d(x, y, 100, span), None),
        "boost-histogram": (lambda: boost(x, y, 100, span, threads=threads), None)}
    yield "histogram2d, 100 x 100, weights", \
        lambda: hd.histogram2d(x, y, 100, span, weights=weights, threads=threads), {
            "numpy": (lambda: np.histogram2d(x, y, 100, span, weights=weights), first),
            "boost-histogram": (lambda: boost(x, y, 100, span, weights=weights, threads=threads),
                                None)}


def bincount_rows(count, threads):
    for dtype, top in ((np.uint8, 256), (np.int32, 1000)):
        x = (np.random.default_rng(4).random(count) * top).astype(dtype)
        yield x, "bincount", lambda a=x: hd.bincount(a, threads=threads), {
            "numpy": (lambda a=x: np.bincount(a), np.asarray)}


def rows(largest, rounds):
    for threads in (1, 2):
        for count in (n for n in SIZES if n <= largest):
            some = rounds if count < 10**7 else max(3, rounds // 3)
            for dtype in (np.float32, np.float64):
                x = np.random.default_rng(1).random(count).astype(dtype)
                x[x >= 1] = 0  # what rounding to float32 made of the last few
                name = np.dtype(dtype).name
                for rows_of in (array_rows, sort_rows, histogram_rows, plane_rows):
                    for work, ours, peers in rows_of(x, threads):
                        yield measured(work, name, count, threads, ours, peers, some)
            for x, work, ours, peers in bincount_rows(count, threads):
                yield measured(work, x.dtype.name, count, threads, ours, peers, some)


def overhead(rounds):
    """A call on 10 elements, and large ones beside the bare call of the C library."""
    from heddle import _native as n
    from heddle._context import context
    ten = np.arange(10.0)
    calls = {name: statistics.median(seconds(lambda f=f: f(ten), 2000) for _ in range(rounds))
             for name, f in (("sum", hd.sum), ("min", hd.min), ("mean", hd.mean), ("var", hd.var),
                             ("argmax", hd.argmax), ("cumsum", hd.cumsum),
                             ("dot", lambda a: hd.dot(a, a)))}
    x, out = np.random.default_rng(1).random(1 << 24), np.zeros(1)
    handle, start = context().handle, x.ctypes.data
    ours, bare = [], []
    for _ in range(3 * rounds):
        ours.append(seconds(lambda: hd.sum(x), 1))
        bare.append(seconds(lambda: n.lib.heddle_reduce(handle, n.SUM, n.F64, start, x.size,
                                                        out.ctypes.data, None), 1))
    return calls, statistics.median(b / a for a, b in zip(ours, bare))
