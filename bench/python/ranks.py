"""Order statistics against NumPy: the median, three quartiles, the greatest ten, the least thousand.

Method   Results are compared first. Then ours and NumPy's run in turn in this process, and the least CPU
         time of the process counts, as in sorts.py.
Limits   One thread. NumPy has no sorted first elements: numpy.partition stands for it, which leaves out their
         order and their positions.
"""
import platform

import numpy as np
from sorts import keep, least_times, numbers, show_rows

import heddle as hd

SIZES = (1000, 10**6, 1 << 24)
CONTENTS = ("uniform", "normal", "sixteen values", "in order")
QUARTILES = [0.25, 0.5, 0.75]
__all__ = ["keep", "measure", "section", "show"]


def works(x):
    """What is measured: ours, NumPy's, and both results as arrays that have to be the same."""
    least = min(1000, x.size // 4)
    return {
        "median": (lambda: hd.median(x), lambda: np.median(x), np.asarray, np.asarray),
        "three quartiles": (lambda: hd.quantile(x, QUARTILES), lambda: np.quantile(x, QUARTILES),
                            np.asarray, np.asarray),
        "greatest 10": (lambda: hd.topk(x, 10), lambda: np.partition(x, x.size - 10),
                        lambda got: got[0][::-1], lambda found: np.sort(found[-10:])),
        f"least {least}": (lambda: hd.topk(x, least, largest=False), lambda: np.partition(x, least),
                           lambda got: got[0], lambda found: np.sort(found[:least])),
    }


def measure(largest, machine):
    """All rows, and what they were made with."""
    made, different = [], []
    for dtype in ("f4", "f8", "i4"):
        for count in SIZES:
            for content in CONTENTS if count == SIZES[-1] else CONTENTS[1:2]:
                if count > largest:
                    continue
                x = numbers(dtype, count, content)
                for work, (ours, theirs, of_ours, of_theirs) in works(x).items():
                    if not np.array_equal(of_ours(ours()), of_theirs(theirs())):
                        different.append(f"{work} {dtype} {content} {count}")
                        continue
                    made.append({"work": work, "dtype": dtype, "content": content, "count": count,
                                 "seconds": least_times({"heddle": ours, "NumPy": theirs})})
    from heddle._context import context
    return {"largest": largest, "isa": context("cpu").isa, "machine": machine, "numpy": np.__version__,
            "python": platform.python_version(), "different": different, "rows": made}


def cells(row):
    ours, theirs = row["seconds"]["heddle"], row["seconds"]["NumPy"]
    return [row["work"], np.dtype(row["dtype"]).name, row["content"], f"{row['count']:,}",
            f"{ours / row['count'] * 1e9:.2f}", f"{theirs / ours:.2f}"]


def show(found):
    """The table as text."""
    show_rows(found, cells, 16)


def section(found):
    """The part of docs/performance.md."""
    out = ["## Order statistics from Python", "",
           f"Measured by `bench/python/run.py --ranks --largest {found['largest']}`: results are compared",
           "first, then the least CPU time of calls in turn in one process. A ratio is NumPy's time divided",
           "by ours. The greatest and the least elements come sorted and with their positions, beside",
           "numpy.partition, which gives neither. One thread.", "",
           f"Machine: {found['machine']}, a shared virtual machine, {found['isa']}; NumPy {found['numpy']}.",
           "", "| work | dtype | content | elements | ns an element | NumPy / ours |",
           "|---|---|---|---|---|---|"]
    out += [f"| {' | '.join(cells(row))} |" for row in found["rows"]]
    return "\n".join(out) + "\n"
