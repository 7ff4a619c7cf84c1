"""Selects and runs against NumPy: masks, positions, and sums by sorted keys.

Method   Results are compared first. Then ours and the peer's run in turn in this process, and the least
         CPU time of the process counts, as in sorts.py.
Limits   One thread. NumPy's sums by key are np.add.reduceat behind a comparison of neighbours, in another
         order of additions: they are compared within rounding.
"""
import dataclasses
import platform

import numpy as np
from sorts import least_times, show_rows

import heddle as hd

LARGE = 1 << 24


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison: `share` of elements are selected, or runs have a mean of `share` elements."""

    work: str
    dtype: str
    share: float
    count: int


def rows(largest):
    count = min(LARGE, largest)
    for share in (0.01, 0.5, 0.99):
        for dtype in ("f4", "u1", "f8"):
            yield Row("compress", dtype, share, count)
        yield Row("flatnonzero", "?", share, count)
    for mean in (1, 2, 4, 8, 16, 64, 1000):
        yield Row("sum by key", "f4", mean, count)
    yield Row("run_length_encode", "i4", 4, count)


def _starts(keys):
    return np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))


def calls(row):
    """Of heddle and of NumPy."""
    rng = np.random.default_rng(row.count)
    if row.work in ("compress", "flatnonzero"):
        mask = rng.random(row.count) < row.share
        x = rng.integers(0, 100, row.count).astype(row.dtype)
        if row.work == "flatnonzero":
            return {"heddle": lambda: hd.flatnonzero(mask), "NumPy": lambda: np.flatnonzero(mask)}
        return {"heddle": lambda: hd.compress(mask, x), "NumPy": lambda: x[mask]}
    keys = np.cumsum(rng.random(row.count) < 1 / row.share).astype(np.int32)
    if row.work == "run_length_encode":
        def encoded():
            starts = _starts(keys)
            return keys[starts], np.diff(np.append(starts, keys.size))
        return {"heddle": lambda: hd.run_length_encode(keys), "NumPy": encoded}
    x = rng.random(row.count, np.float32)

    def summed():
        starts = _starts(keys)
        return keys[starts], np.add.reduceat(x, starts)
    return {"heddle": lambda: hd.reduce_by_key(keys, x), "NumPy": summed}


def is_same(found):
    """Whether both give the same, sums within rounding."""
    got, want = found["heddle"](), found["NumPy"]()
    if isinstance(want, tuple):
        return np.array_equal(got[0], want[0]) and np.allclose(got[1], want[1], 1e-4)
    return np.array_equal(got, want)


def measure(largest, machine):
    """All rows, and what they were made with."""
    made, different = [], []
    for row in rows(largest):
        found = calls(row)
        if is_same(found):
            made.append({**vars(row), "seconds": least_times(found)})
        else:
            different.append(str(row))
    from heddle._context import context
    return {"largest": largest, "isa": context("cpu").isa, "machine": machine, "numpy": np.__version__,
            "python": platform.python_version(), "different": different, "rows": made}


def cells(row):
    ours, peer = row["seconds"]["heddle"], row["seconds"]["NumPy"]
    what = f"{row['share']:g} of them" if row["work"] in ("compress", "flatnonzero") \
        else f"runs of {row['share']:g}"
    return [row["work"], np.dtype(row["dtype"]).name, what, f"{row['count']:,}",
            f"{ours / row['count'] * 1e9:.2f}", f"{peer / ours:.2f}"]


def show(found):
    """The table as text."""
    show_rows(found, cells, 17)


def keep(found, path):
    """All rows as JSON."""
    import json
    path.write_text(json.dumps(found, indent=1) + "\n")


def section(found):
    """The part of docs/performance.md."""
    run = f"`bench/python/run.py --selects --largest {found['largest']}`"
    out = ["## Selects and runs from Python", "",
           f"Measured by {run}: results are compared first, then",
           "the least CPU time of calls in turn in one process. A ratio is NumPy's time divided by ours:",
           "`x[mask]`, `np.flatnonzero`, and `np.add.reduceat` behind a comparison of neighbouring keys,",
           "with the keys of each run. One thread.", "",
           f"Machine: {found['machine']}, a shared virtual machine, {found['isa']}; NumPy {found['numpy']}.",
           "", "| work | dtype | of what | elements | ns an element | NumPy / ours |",
           "|---|---|---|---|---|---|"]
    out += [f"| {' | '.join(cells(row))} |" for row in found["rows"]]
    return "\n".join(out) + "\n"
