"""Search, unique values, grids and sums of groups against NumPy, boost-histogram, Polars and DuckDB.

Method   Results are compared first: exactly, sums within rounding, counts of points in a grid but for those at
         an edge, which peers round in another way. Then ours and the peers run in turn in this process,
         and the least CPU time of the process counts, as in sorts.py. Polars and DuckDB work on threads of
         their own, of which run.py allows as many as ours.
Limits   Polars and DuckDB hold the rows in tables of their own before they are timed. numpy.bincount gives sums
         in f64 and has no order of additions that another machine would keep.
"""
import dataclasses
import platform
from collections.abc import Callable

import numpy as np
from sorts import keep, least_times, show_rows

import heddle as hd

try:
    import boost_histogram.numpy as boost
except ImportError:
    boost = None
try:
    import polars as pl
except ImportError:
    pl = None
try:
    import duckdb
except ImportError:
    duckdb = None

PEERS = ("NumPy", "boost-histogram", "Polars", "DuckDB")
SEARCHED, LISTED, POINTS, GROUPED = 1 << 21, 1 << 21, 10**7, 10**8
__all__ = ["PEERS", "keep", "measure", "section", "show"]


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison: what is timed of each, and how results are compared."""

    work: str
    what: str
    count: int
    calls: dict[str, Callable]
    same: Callable = np.array_equal


def _pairs(got, want):
    return all(map(np.array_equal, got, want))


def _near(got, want):
    """Counts of points: few of them at an edge may be elsewhere."""
    apart = np.abs(np.asarray(got[0], np.float64) - np.asarray(want[0], np.float64)).sum()
    return apart <= 4e-5 * np.asarray(want[0]).sum() + 2


def _totals(got, want):
    """Sums of what is above 0, in any order of groups, of which peers leave empty ones out."""
    got, want = (np.sort(sums[sums != 0]) for sums in (got, want))
    return got.size == want.size and np.allclose(got, want, 1e-3)


def searches(largest):
    rng = np.random.default_rng(1)
    for dtype in ("f4", "f8", "i8"):
        for edges in (257, 4097, 10**6):
            a = np.sort(rng.random(edges) * 1e6).astype(dtype)
            v = (rng.random(min(SEARCHED, largest)) * 1e6).astype(dtype)
            yield Row("searchsorted", f"{np.dtype(dtype).name}, {edges:,} edges", v.size,
                      {"heddle": lambda: hd.searchsorted(a, v), "NumPy": lambda: np.searchsorted(a, v)})


def uniques(largest):
    rng, count = np.random.default_rng(2), min(LISTED, largest)
    for dtype, values in (("i8", 10**6), ("i8", 2**62), ("i4", 1000), ("i2", 30_000), ("f4", 0), ("f8", 0)):
        x = rng.integers(0, values, count).astype(dtype) if values else rng.random(count).astype(dtype)
        what = f"{np.dtype(dtype).name} " + (f"below {values:.0e}" if values else "in [0, 1)")
        yield Row("unique", what, count, {"heddle": lambda: hd.unique(x), "NumPy": lambda: np.unique(x)})
        for name in ("counts", "inverse"):
            asked = {f"return_{name}": True}
            yield Row(f"unique, {name}", what, count, {"heddle": lambda: hd.unique(x, **asked),
                                                       "NumPy": lambda: np.unique(x, **asked)}, _pairs)


def grids(largest):
    rng, count, span = np.random.default_rng(3), min(POINTS, largest), ((0.0, 1.0), (0.0, 1.0))
    for dtype in ("f4", "f8"):
        x, y = (np.minimum(rng.random(count).astype(dtype), np.nextafter(dtype_one(dtype), 0)) for _ in "xy")
        for bins in (10, 100, 1000):
            calls = {"heddle": lambda: hd.histogram2d(x, y, bins, span),
                     "NumPy": lambda: np.histogram2d(x, y, bins, span)}
            if boost:
                calls["boost-histogram"] = lambda: boost.histogram2d(x, y, bins, span)
            yield Row("histogram2d", f"{np.dtype(dtype).name}, {bins} x {bins}", count, calls, _near)


def dtype_one(dtype):
    return np.dtype(dtype).type(1)


def groups(largest, threads):
    rng, count = np.random.default_rng(4), min(GROUPED, largest)
    if duckdb:
        base = duckdb.connect()
        base.execute(f"SET threads={threads}")
    for number in (1000, 10_000, 10**6):
        ids, x = rng.integers(0, number, count, np.int32), rng.random(count)
        calls = {"heddle": lambda: hd.group_sum(ids, x, number), "NumPy": lambda: np.bincount(ids, x, number)}
        if pl:
            frame = pl.DataFrame({"k": ids, "x": x})
            calls["Polars"] = lambda: frame.group_by("k").agg(pl.col("x").sum())["x"].to_numpy()
        if duckdb:
            base.execute("CREATE OR REPLACE TABLE rows AS SELECT * FROM frame")
            calls["DuckDB"] = lambda: base.execute("SELECT k, sum(x) s FROM rows GROUP BY k").fetchnumpy()["s"]
        yield Row("group_sum", f"f64 by i32, {number:,} groups", count, calls, _totals)


def measure(largest, threads, machine):
    """All rows, and what they were made with."""
    made, different = [], []
    for rows in (searches(largest), uniques(largest), grids(largest), groups(largest, threads)):
        for row in rows:
            want = row.calls["heddle"]()
            wrong = [who for who, call in row.calls.items() if not row.same(want, call())]
            if wrong:
                different.append(f"{row.work} {row.what}: {', '.join(wrong)}")
                continue
            made.append({"work": row.work, "what": row.what, "count": row.count,
                         "seconds": least_times(row.calls)})
    from heddle._context import context
    versions = {"NumPy": np.__version__, **{name: module.__version__ for name, module in (
        ("Polars", pl), ("DuckDB", duckdb)) if module}}
    if boost:
        import boost_histogram
        versions["boost-histogram"] = boost_histogram.__version__
    return {"largest": largest, "threads": threads, "isa": context("cpu").isa, "machine": machine,
            "versions": versions, "python": platform.python_version(), "different": different, "rows": made}


def cells(row):
    ours = row["seconds"]["heddle"]
    return [row["work"], row["what"], f"{row['count']:,}", f"{ours / row['count'] * 1e9:.2f}",
            *(f"{row['seconds'][who] / ours:.2f}" if who in row["seconds"] else "" for who in PEERS)]


def show(found):
    """The table as text."""
    show_rows(found, cells, 16)


def section(found):
    """The part of docs/performance.md."""
    threads = "One thread" if found["threads"] == 1 else f"{found['threads']} threads each"
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    run = f"`bench/python/run.py --tables --largest {found['largest']}`"
    ratios = " | ".join(f"{who} / ours" for who in PEERS)
    out = ["## Search, unique, grids and groups from Python", "",
           f"Measured by {run}: results are compared first, then",
           "the least CPU time of calls in turn in one process. A ratio is the peer's time divided by ours.",
           "Sums of groups: beside numpy.bincount, which keeps no order that another machine would, and beside",
           f"Polars and DuckDB, whose tables are made before. {threads}; ids and points at random.", "",
           f"Machine: {found['machine']}, a shared virtual machine with other work, {found['isa']};",
           f"{versions}.", "", f"| work | of what | elements | ns an element | {ratios} |",
           "|---|---|---|---|---|---|---|---|"]
    out += [f"| {' | '.join(cells(row))} |" for row in found["rows"]]
    return "\n".join(out) + "\n"
