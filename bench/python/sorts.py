"""Sorts against NumPy and Polars: keys, positions that sort stably, and rows of a 2-D array.

Method   Results are compared first, to the bit. Then ours and the peers run in turn in this process, and the
         least CPU time of the process counts: Polars works on a thread of its own, of which run.py allows one.
Limits   One thread. Polars has no rows; its positions, which are not stable, are compared by their elements.
"""
import dataclasses
import platform
import time

import numpy as np

import heddle as hd

try:
    import polars as pl
except ImportError:
    pl = None

LARGE, SMALL = 1 << 26, 1000
ROWS = 1 << 20  # elements of all rows
LENGTHS = (2, 4, 8, 16, 32, 64, 100, 128, 256, 300, 512, 1000)
CONTENTS = ("uniform", "normal", "sixteen values", "in order", "reversed", "one value")


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison: keys, positions or rows of some content."""

    work: str
    dtype: str
    content: str
    shape: tuple


def numbers(dtype, count, content):
    """An array of some content; integers are normal around the middle of a small range."""
    rng, kind = np.random.default_rng(count), np.dtype(dtype)
    if content == "one value":
        return np.full(count, 7, kind)
    if content == "sixteen values":
        return rng.integers(0, 16, count).astype(kind)
    if content == "normal":
        x = rng.standard_normal(count, np.float32)
        return x.astype(kind) if kind.kind == "f" else (x * 1e4 + 1e5).astype(np.int64).astype(kind)
    if kind.kind == "f":
        x = rng.random(count).astype(kind)
    else:
        limits = np.iinfo(kind)
        x = rng.integers(limits.min, limits.max, count, kind, endpoint=True)
    if content in ("in order", "reversed"):
        x = np.sort(x)[::-1 if content == "reversed" else 1].copy()
    return x


def rows(largest):
    for dtype in ("u4", "i4", "f4", "u8", "f8", "u2"):
        for content in CONTENTS if dtype in ("u4", "f4") else CONTENTS[:2]:
            yield Row("sort", dtype, content, (min(LARGE, largest),))
    for dtype in ("u4", "f4", "u8", "f8"):
        for count in (10, 100, SMALL, 10_000, 10**6):
            yield Row("sort", dtype, "uniform", (count,))
        for count in (SMALL, 10**6, min(LARGE, largest)):
            yield Row("argsort", dtype, "normal", (count,))
        for length in LENGTHS:
            yield Row("sort", dtype, "uniform", (ROWS // length, length))


def calls(row):
    """Of heddle and of each peer that has the function."""
    x = numbers(row.dtype, int(np.prod(row.shape)), row.content).reshape(row.shape)
    if row.work == "argsort":
        found = {"heddle": lambda: hd.argsort(x), "NumPy": lambda: np.argsort(x, kind="stable")}
    else:
        found = {"heddle": lambda: hd.sort(x), "NumPy": lambda: np.sort(x)}
    if pl is not None and x.ndim == 1:
        series = pl.Series(x)
        found["Polars"] = series.arg_sort if row.work == "argsort" else series.sort
    return x, found


def wrong(row, x, found):
    """Who gives other bits than NumPy."""
    want = found["NumPy"]()
    for who, call in found.items():
        got = call()
        got = got.to_numpy() if who == "Polars" else got
        if row.work == "argsort" and who == "Polars":
            same = np.array_equal(x[got], x[want])
        else:
            same = np.array_equal(got, want)
        if not same:
            return who
    return None


def least_times(found, budget=0.2):
    """The least CPU time of a call of each, over turns of at least a millisecond."""
    least = dict.fromkeys(found, float("inf"))
    repeats = {}
    for who, call in found.items():
        began = time.perf_counter()
        call()
        repeats[who] = max(1, int(1e-3 / max(time.perf_counter() - began, 1e-7)))
    end, turns = time.perf_counter() + budget, 0
    while turns < 3 or time.perf_counter() < end:
        for who, call in found.items():
            began = time.process_time()
            for _ in range(repeats[who]):
                call()
            least[who] = min(least[who], (time.process_time() - began) / repeats[who])
        turns += 1
    return least


def measure(largest, machine):
    """All rows, and what they were made with."""
    made, different = [], []
    for row in rows(largest):
        x, found = calls(row)
        who = wrong(row, x, found)
        if who:
            different.append(f"{row}: {who}")
            continue
        made.append({**vars(row), "seconds": least_times(found)})
    from heddle._context import context
    return {"largest": largest, "isa": context("cpu").isa, "machine": machine, "numpy": np.__version__,
            "polars": pl.__version__ if pl else "", "python": platform.python_version(),
            "different": different, "rows": made}


def ratio(row, who):
    return row["seconds"][who] / row["seconds"]["heddle"] if who in row["seconds"] else None


def cells(row):
    shape = " x ".join(f"{n:,}" for n in row["shape"])
    count = int(np.prod(row["shape"]))
    return [row["work"], np.dtype(row["dtype"]).name, row["content"], shape,
            f"{row['seconds']['heddle'] / count * 1e9:.2f}",
            *("" if ratio(row, who) is None else f"{ratio(row, who):.2f}" for who in ("NumPy", "Polars"))]


def show_rows(found, cells, width):
    """Rows as text, in columns of that width, then what differs from a peer's."""
    for row in found["rows"]:
        print("  ".join(f"{cell:>{width}}" for cell in cells(row)))
    for line in found["different"]:
        print(f"DIFFERENT: {line}")


def show(found):
    """The table as text."""
    show_rows(found, cells, 14)


def keep(found, path):
    """All rows as JSON."""
    import json
    path.write_text(json.dumps(found, indent=1) + "\n")


def section(found):
    """The part of docs/performance.md."""
    run = f"`bench/python/run.py --sorts --largest {found['largest']}`"
    machine = (f"Machine: {found['machine']}, a shared virtual machine, {found['isa']}; "
               f"NumPy {found['numpy']}, Polars {found['polars']}.")
    out = ["## Sorts from Python", "",
           f"Measured by {run}: results are compared first, then",
           "the least CPU time of calls in turn in one process. A ratio is the peer's time divided by",
           "ours; `argsort` against NumPy's with `kind=\"stable\"`, Polars' is not stable. One thread, 2-D",
           "arrays along their rows.", "", machine, "",
           "| work | dtype | content | elements | ns an element | NumPy / ours | Polars / ours |",
           "|---|---|---|---|---|---|---|"]
    out += [f"| {' | '.join(cells(row))} |" for row in found["rows"]]
    return "\n".join(out) + "\n"
