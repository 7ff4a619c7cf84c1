"""The same jobs as bench_gpu.c by PyTorch or CuPy: peers.py torch|cupy.

A line of JSON a job on standard output; {"skip": true} for what the package has no call for. Files
are repeated as by the other programs, and times are taken in the same way.
"""
import json
import sys

import numpy as np

NUMPY = {"u8": "uint8", "i16": "int16", "i32": "int32", "i64": "int64", "f16": "float16", "f32": "float32",
         "f64": "float64"}
COLUMNS_APART = 5000000  # as in work.c
LONGEST = 4 << 30  # bytes: temporary arrays of the packages are several times larger


class Torch:
    def __init__(self):
        import torch
        self.t = torch
        self.name = f"PyTorch {torch.__version__}"
        torch.zeros(1, device="cuda")

    def up(self, array):
        return self.t.from_numpy(array).cuda()

    def repeat(self, block, n):
        return block[:n] if len(block) >= n else block.repeat(-(-n // len(block)))[:n]

    def event(self):
        return self.t.cuda.Event(enable_timing=True)

    def between(self, a, b):
        b.synchronize()
        return a.elapsed_time(b)

    def work(self, j, x, other, n):
        t, what = self.t, j["what"]
        same = None if j["type"] not in ("u8", "i32") else x.dtype
        kind = j.get("kind", "even")
        if what == "sum":
            return lambda: x.sum()
        if what in ("min", "max"):
            return lambda: getattr(x, what)()
        if what == "dot" and j["type"] in ("f32", "f64"):
            y = other("f32" if j["type"] == "f32" else "f64")
            return lambda: t.dot(x, y)
        if what == "scan":
            return lambda: t.cumsum(x, 0, dtype=same)
        if what == "masked":
            mask, y = x.bool(), other("f32")
            return lambda: t.masked_select(y, mask)
        if what == "hist" and j["type"] == "u8":
            return lambda: t.bincount(x, minlength=256)
        if what in ("hist", "weights") and kind == "integer":
            weights = other("f32") if what == "weights" else None
            return lambda: t.bincount(x, weights, minlength=int(j["bins"]))
        if what == "hist" and kind == "even" and j["type"] == "f32":
            bins, lo, hi = int(j["bins"]), float(j["lo"]), float(j["hi"])
            return lambda: t.histc(x, bins, lo, hi)
        if what in ("rows", "columns"):
            table = x.view(-1, int(j["row"]))
            return lambda: table.sum(1 if what == "rows" else 0)
        if what in ("sort", "argsort"):
            return lambda: t.sort(x, stable=True)
        if what == "sortrows":
            return lambda: t.sort(x.view(-1, int(j["row"])), dim=1)
        if what == "quantiles" and int(j["bins"]) == 1:
            return lambda: t.median(x)
        if what == "quantiles":
            q = t.tensor([0.25, 0.5, 0.75], dtype=x.dtype, device="cuda")
            return lambda: t.quantile(x, q)
        if what in ("top", "toprows"):
            table, k = x.view(-1, int(j.get("row", n))), int(j["bins"])
            return lambda: t.topk(table, k, dim=1)
        if what == "segments":
            offsets = other("i64", int(j["block2"]))
            return lambda: t.segment_reduce(x, "sum", offsets=offsets)
        if what == "search":
            edges = other("f32", int(j["row"]))
            return lambda: t.searchsorted(edges, x, out_int32=True)
        if what == "unique":
            return lambda: t.unique(x, return_inverse=True, return_counts=True)
        if what == "groups":
            return self.groups(j, x, other)
        return None

    def groups(self, j, x, other):
        """index_add_ of zeros: by atomics, or so that every run gives the same."""
        t, width = self.t, int(j["row"])
        table, ids = x.view(-1, width), other("i32", len(x) // width)

        def run():
            t.use_deterministic_algorithms("deterministic" in j)
            t.zeros((int(j["bins"]), width), device="cuda").index_add_(0, ids, table)
            t.use_deterministic_algorithms(False)
        return run


class Cupy:
    def __init__(self):
        import cupy
        self.c = cupy
        self.name = f"CuPy {cupy.__version__}"

    def up(self, array):
        return self.c.asarray(array)

    def repeat(self, block, n):
        return block[:n] if len(block) >= n else self.c.tile(block, -(-n // len(block)))[:n]

    def event(self):
        return self.c.cuda.Event()

    def between(self, a, b):
        b.synchronize()
        return self.c.cuda.get_elapsed_time(a, b)

    def work(self, j, x, other, n):
        c, what, kind = self.c, j["what"], j.get("kind", "even")
        if what in ("sum", "min", "max"):
            return lambda: getattr(x, what)()
        if what == "dot" and j["type"] in ("f32", "f64"):
            y = other(j["type"])
            return lambda: c.dot(x, y)
        if what == "scan":
            return lambda: c.cumsum(x, dtype=x.dtype)
        if what == "hist" and j["type"] == "u8":
            return lambda: c.bincount(x, minlength=256)
        if what in ("hist", "weights") and kind == "integer":
            weights = other("f32") if what == "weights" else None
            return lambda: c.bincount(x, weights, minlength=int(j["bins"]))
        if what == "hist" and kind == "even":
            bins, lo, hi = int(j["bins"]), float(j["lo"]), float(j["hi"])
            return lambda: c.histogram(x, bins, (lo, hi))
        if what == "grid" and kind == "even":
            apart, span = len(x) // int(j["row"]), (float(j["lo"]), float(j["hi"]))
            columns = [x[d * apart:d * apart + n] for d in range(int(j["row"]))]
            bins, spans = [int(j["bins"])] * len(columns), [span] * len(columns)
            return lambda: c.histogramdd(columns, bins, spans)
        if what == "hist" and kind == "edges":
            edges = other("f64", int(j["bins"]) + 1).astype(x.dtype)
            return lambda: c.histogram(x, edges)
        if what in ("rows", "columns"):
            table = x.reshape(-1, int(j["row"]))
            return lambda: table.sum(axis=1 if what == "rows" else 0)
        if what in ("sort", "argsort"):
            return lambda: getattr(c, what)(x)
        if what == "sortrows":
            return lambda: c.sort(x.reshape(-1, int(j["row"])), axis=1)
        if what == "quantiles":
            q = [50.0] if int(j["bins"]) == 1 else [25.0, 50.0, 75.0]
            return lambda: c.percentile(x, q)
        if what == "search":
            edges = other("f32", int(j["row"]))
            return lambda: c.searchsorted(edges, x)
        if what == "unique":
            return lambda: c.unique(x, return_inverse=True, return_counts=True)
        return None


def timed(package, run, reps):
    times = []
    for i in range(reps + 2):
        a, b = package.event(), package.event()
        a.record()
        run()
        b.record()
        times.append(package.between(a, b))
    times = sorted(times[2:])
    return {"ms": times[len(times) // 2], "least": times[0], "most": times[-1]}


def do(package, j, kept):
    n = int(j.get("n", 0))
    if j["what"] not in ("sum", "min", "max", "dot", "scan", "hist", "weights", "grid", "rows",
                         "columns", "segments", "sort", "argsort", "sortrows", "quantiles", "top", "toprows",
                         "search", "unique", "groups", "masked"):
        return {"skip": True}

    def load(path, block, count, kind):
        key = (path, count, kind)
        if key not in kept:
            while len(kept) > 1:
                kept.pop(next(iter(kept)))
            part = np.fromfile(path, NUMPY[kind], min(block, count))
            kept[key] = package.repeat(package.up(part), count)
        return kept[key]

    size = np.dtype(NUMPY[j["type"]]).itemsize
    if n * size > LONGEST or (j["what"] == "hist" and j["type"] == "u8" and n > 1 << 28):
        return {"skip": True}
    offset = int(j.get("offset", 0))
    count = int(j["row"]) * (n + COLUMNS_APART) if j["what"] == "grid" else n + offset
    x = load(j["data"], int(j["block"]), count, j["type"])[offset:]
    run = package.work(j, x, lambda kind, count=n: load(j["data2"], int(j["block2"]), count, kind), n)
    return timed(package, run, min(int(j.get("reps", 9)), 9)) if run else {"skip": True}


def main():
    try:
        package = {"torch": Torch, "cupy": Cupy}[sys.argv[1]]()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), flush=True)
        return
    print(json.dumps({"name": package.name}), flush=True)
    kept = {}
    for line in sys.stdin:
        try:
            answer = do(package, dict(word.split("=", 1) for word in line.split()), kept)
        except Exception as error:  # out of memory, a type that is not there: the row goes without
            kept.clear()
            answer = {"skip": True, "why": str(error)[:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
