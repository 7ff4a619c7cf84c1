#!/usr/bin/env python3
"""Writes the golden values of order v1 from the model in tests/order_v1.py.

Result   order_v1.csv        every verb, type, accumulator and length: one bit pattern a line
         edges.csv           histogram edges, computed by numpy.linspace itself
         weights.csv         weighted sums by exact rational arithmetic
Use      tests/golden/make.py [--check]: with --check nothing is written, and the exit status
         is 1 if a file differs from what the model gives
Method   data from seeds 1 and 2; see order_v1.data. The library takes no part.
"""

import io
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import order_v1 as model  # noqa: E402

LENGTHS = [0, 1, 2, 15, 16, 17, 127, 128, 129, 1023, 1024, 1025, 2047, 2048, 2049, 131071,
           131072, 131073, (1 << 22) + 17]
ACCUMULATORS = {"f16": ["f32", "f64"], "bf16": ["f32", "f64"], "f32": ["f32", "f64"],
                "f64": ["f64"]}


def order_rows():
    for name, accumulators in ACCUMULATORS.items():
        longest = {kind: model.data(kind, name, 1, LENGTHS[-1])
                   for kind in ("wide", "near1", "tiny", "holes")}
        other = model.data("wide", name, 2, LENGTHS[-1])
        for n in LENGTHS:
            x = {kind: bits[:n] for kind, bits in longest.items()}
            for acc in accumulators:
                yield "sum", name, acc, "wide", n, model.reduce("sum", name, x["wide"], acc)
                yield "sum", name, acc, "tiny", n, model.reduce("sum", name, x["tiny"], acc)
                yield ("sum_skip", name, acc, "holes", n,
                       model.reduce("sum", name, x["holes"], acc, nan="skip"))
                yield "prod", name, acc, "near1", n, model.reduce("prod", name, x["near1"], acc)
                yield "dot", name, acc, "wide", n, model.dot(name, x["wide"], other[:n], acc)
                inclusive = model.scan("sum", name, x["wide"], acc, acc)
                yield "scan", name, acc, "wide", n, model.checksum(inclusive)
                exclusive = model.scan("sum", name, x["wide"], acc, acc, exclusive=True)
                yield "exclusive", name, acc, "wide", n, model.checksum(exclusive)
                products = model.scan("prod", name, x["near1"], acc, name)
                yield "scan_prod", name, acc, "near1", n, model.checksum(products)
                if n:
                    yield "scan_middle", name, acc, "wide", n, int(inclusive[n // 2])
            for kind, nan in [("wide", "propagate"), ("holes", "skip")]:
                for key, value in model.describe(name, x[kind], nan).items():
                    yield f"describe_{key}", name, "f64", kind, n, value


EDGES = [(0.0, 1.0, 10), (0.0, 1.0, 1), (-1.0, 1.0, 7), (0.1, 0.7, 3), (0.0, 1.0, 1000),
         (-3.5, 1e9, 97), (1e9, 1e9 + 1, 13), (1e15, 1e15 + 4, 11), (5e-324, 1e-322, 5),
         (0.0, 1e-310, 17), (1e-45, 4e-45, 6), (-1e308, 1e307, 33), (2.0, 2.0, 4),
         (0.0, 255.0, 256), (1e-7, 3e-7, 100), (-0.0, 3.0, 3), (16777216.0, 16777220.0, 9)]


def edge_rows():
    for lo, hi, bins in EDGES:
        first, last = (lo - 0.5, hi + 0.5) if lo == hi else (lo, hi)
        with np.errstate(all="ignore"):
            edges = np.linspace(first, last, bins + 1)
        for i, edge in enumerate(edges):
            yield lo.hex(), hi.hex(), bins, i, int(edge.view(np.uint64))


def weight_rows():
    """Four bins; element i falls into bin i % 4, its weight is element i of the data."""
    cases = [("wide", "f64", 1000), ("wide", "f32", 1000), ("tiny", "f64", 400),
             ("near1", "f64", 4096), ("holes", "f32", 64), ("wide", "f64", 0), ("wide", "f64", 1),
             ("wide", "f16", 515), ("wide", "bf16", 515)]
    for kind, name, n in cases:
        w = model.decode(name, model.data(kind, name, 1, n), "f64")
        for given in (None, 40):
            if kind == "tiny" and given:
                continue
            exponent = model.least_exponent(w) if given is None else given
            sums = model.weighted_histogram(np.arange(n) % 4, w, 4, exponent)
            for b, bits in enumerate(model.encode("f64", np.asarray(sums))):
                yield kind, name, n, "find" if given is None else given, b, int(bits)


def table(header, rows):
    text = io.StringIO()
    text.write(header + "\n")
    for row in rows:
        text.write(",".join(str(v) for v in row[:-1]) + f",{row[-1]:016x}\n")
    return text.getvalue()


def main():
    files = {"order_v1.csv": table("what,type,acc,data,count,hex", order_rows()),
             "edges.csv": table("lo,hi,bins,index,hex", edge_rows()),
             "weights.csv": table("data,type,count,exponent,bin,hex", weight_rows())}
    check = sys.argv[1:] == ["--check"]
    stale = [name for name, text in files.items()
             if check and (HERE / name).read_text() != text]
    for name, text in files.items():
        if not check:
            (HERE / name).write_text(text)
    for name in stale:
        print(f"{name} is not what the model gives: run tests/golden/make.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
