"""Tensors of PyTorch and arrays of CuPy on a GPU: our calls, the library's own, and the C call.

Results are compared first: ours with the library's to rounding, and with those of the CPU to the bit. A
figure is the time of a call among many that are queued one behind the other, with one wait at their end:
what a program that computes on a GPU sees. Ours, the library's and the C call run in turn; figures are
medians, ratios medians of the ratios round by round.
"""
import ctypes
import json
import statistics
import time

import numpy as np

import heddle as hd
from heddle import _native as n
from heddle._context import context

SIZES = (1000, 1 << 20, 1 << 22, 1 << 24, 1 << 26)
BINS, SPAN = 100, (-3.0, 3.0)
EDGES = np.linspace(-1.5, 1.5, BINS + 1) ** 3
QUEUED_S = 4e-3  # of calls between two waits


class Torch:
    """What run.py needs of PyTorch."""

    name = "torch"

    def __init__(self, device):
        import torch
        number = int(device.partition(":")[2] or 0)
        self.torch, self.device = torch, torch.device("cuda", number)
        torch.cuda.set_device(self.device)
        self.version = f"PyTorch {torch.__version__}"

    def there(self, array):
        return self.torch.from_numpy(array).to(self.device)

    def back(self, x):
        return x.cpu().numpy()

    def wait(self):
        self.torch.cuda.synchronize(self.device)

    def pointer(self, x):
        return x.data_ptr()

    def stream(self):
        return self.torch.cuda.current_stream(self.device).cuda_stream or None

    def own(self, x, k):
        """Their calls on floats and on small integers."""
        torch = self.torch
        return {
            "sum": lambda: torch.sum(x), "max": lambda: torch.amax(x), "mean": lambda: torch.mean(x),
            "var": lambda: torch.var(x, correction=0), "std": lambda: torch.std(x, correction=0),
            "argmax": lambda: torch.argmax(x), "dot": lambda: torch.dot(x, x),
            "cumsum": lambda: torch.cumsum(x, 0),
            "histogram": lambda: torch.histc(x, BINS, *SPAN),
            "bincount": lambda: torch.bincount(k), "bincount_w": lambda: torch.bincount(k, x)}


class Cupy:
    """What run.py needs of CuPy."""

    name = "cupy"

    def __init__(self, device):
        import cupy
        self.cupy, self.device = cupy, cupy.cuda.Device(int(device.partition(":")[2] or 0))
        self.device.use()
        self.version = f"CuPy {cupy.__version__}"

    def there(self, array):
        return self.cupy.asarray(array)

    def back(self, x):
        return self.cupy.asnumpy(x)

    def wait(self):
        self.device.synchronize()

    def pointer(self, x):
        return x.data.ptr

    def stream(self):
        return self.cupy.cuda.get_current_stream().ptr or None

    def own(self, x, k):
        cupy, edges = self.cupy, self.cupy.asarray(EDGES)
        return {
            "sum": lambda: cupy.sum(x), "max": lambda: cupy.max(x), "mean": lambda: cupy.mean(x),
            "var": lambda: cupy.var(x), "std": lambda: cupy.std(x),
            "argmax": lambda: cupy.argmax(x), "dot": lambda: cupy.dot(x, x),
            "cumsum": lambda: cupy.cumsum(x),
            "histogram": lambda: cupy.histogram(x, BINS, SPAN)[0],
            "edges": lambda: cupy.histogram(x, edges)[0],
            "weights": lambda: cupy.histogram(x, BINS, SPAN, weights=x)[0],
            "bincount": lambda: cupy.bincount(k), "bincount_w": lambda: cupy.bincount(k, x)}


def ours(x, k):
    return {
        "sum": lambda: hd.sum(x), "max": lambda: hd.max(x), "mean": lambda: hd.mean(x),
        "var": lambda: hd.var(x), "std": lambda: hd.std(x),
        "argmax": lambda: hd.argmax(x), "dot": lambda: hd.dot(x, x), "cumsum": lambda: hd.cumsum(x),
        "histogram": lambda: hd.histogram(x, BINS, SPAN)[0],
        "edges": lambda: hd.histogram(x, EDGES)[0],
        "weights": lambda: hd.histogram(x, BINS, SPAN, weights=x)[0],
        "bincount": lambda: hd.bincount(k), "bincount_w": lambda: hd.bincount(k, x)}


def c_calls(library, device, x, count):
    """The library's entries on the same memory, with results in memory that is there already."""
    ctx = context(device)
    ctx.use_stream(library.stream())
    out = library.there(np.zeros(max(count, BINS), np.float64))
    handle, data, to = ctx.handle, library.pointer(x), library.pointer(out)
    bins = n.Bins(n.BINS_EVEN, BINS, *SPAN, 0)
    edges = n.Bins(n.BINS_EDGES, BINS, 0, 0, 0, n.address(EDGES))
    weights = n.HistogramOptions(weights=data, weights_type=n.F32, sums=to)
    calls = {
        "sum": lambda: n.lib.heddle_reduce(handle, n.SUM, n.F32, data, count, to, None),
        "max": lambda: n.lib.heddle_reduce(handle, n.MAX, n.F32, data, count, to, None),
        "argmax": lambda: n.lib.heddle_argreduce(handle, n.ARGMAX, n.F32, data, count, None, to, None),
        "dot": lambda: n.lib.heddle_dot(handle, n.F32, data, data, count, to, None),
        "cumsum": lambda: n.lib.heddle_scan(handle, n.SUM, n.INCLUSIVE, n.F32, data, count, to, None),
        "histogram": lambda: n.lib.heddle_histogram(handle, n.F32, data, count, ctypes.byref(bins), to,
                                                    None, None),
        "edges": lambda: n.lib.heddle_histogram(handle, n.F32, data, count, ctypes.byref(edges), to,
                                                None, None),
        "weights": lambda: n.lib.heddle_histogram(handle, n.F32, data, count, ctypes.byref(bins), None,
                                                  None, ctypes.byref(weights))}
    return calls, out


def seconds(work, wait, times):
    wait()
    start = time.perf_counter()
    for _ in range(times):
        work()
    wait()
    return (time.perf_counter() - start) / times


def in_turn(works, wait, rounds):
    """Medians of each, and of the ratios of each to the first."""
    times = {}
    for who, work in works.items():
        seconds(work, wait, 3)
        times[who] = max(1, int(QUEUED_S / seconds(work, wait, 3)))
    found = {who: [] for who in works}
    for _ in range(rounds):
        for who, work in works.items():
            found[who].append(seconds(work, wait, times[who]))
    first = next(iter(found.values()))
    return ({who: statistics.median(values) for who, values in found.items()},
            {who: statistics.median(v / f for f, v in zip(first, values))
             for who, values in found.items()})


def is_right(name, library, made, own, host):
    """Bits of the CPU's, and the library's own result to rounding."""
    found, theirs = library.back(made), library.back(own)
    wanted = np.asarray(ours(*host)[name]())
    if found.dtype.kind == "f" and found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    scale = max(1.0, float(np.abs(wanted.astype(np.float64)).max()))
    return bool(np.array_equal(found, wanted)
                and (name == "argmax"
                     or np.allclose(found, theirs, rtol=1e-3, atol=1e-4 * scale)))


def measure(device, largest, rounds):
    rows, different = [], 0
    libraries = [kind(device) for kind in (Torch, Cupy)]
    for library in libraries:
        for count in (size for size in SIZES if size <= largest):
            rng = np.random.default_rng(count)
            host = (rng.standard_normal(count).astype(np.float32),
                    rng.integers(0, 1000, count).astype(np.int64))
            x, k = (library.there(a) for a in host)
            mine, own = ours(x, k), library.own(x, k)
            bare, _kept = c_calls(library, device, x, count)
            for name in own:  # PyTorch has neither edges nor weights of a histogram on a GPU
                right = is_right(name, library, mine[name](), own[name](), host)
                different += not right
                works = {"heddle": mine[name], library.name: own[name]}
                if name in bare:
                    works["C"] = bare[name]
                middle, ratio = in_turn(works, library.wait, rounds)
                rows.append({"work": name, "library": library.name, "elements": count,
                             "seconds": middle, "ratio": ratio, "right": right})
                print(line(rows[-1]), flush=True)
    return {"rows": rows, "different": different, "device": context(device).name,
            "versions": [library.version for library in libraries], "rounds": rounds}


def line(row):
    parts = ", ".join(f"{who} {value * 1e6:.1f} us" for who, value in row["seconds"].items())
    far = f" {row['ratio']['C']:.2f} x C" if "C" in row["ratio"] else ""
    return (f"{row['work']:10} {row['library']:6} {row['elements']:11,} "
            f"{row['ratio'][row['library']]:6.2f} x {row['library']}{far}: {parts}"
            f"{'' if row['right'] else '  DIFFERENT'}")


def show(found):
    behind = sum(row["ratio"][row["library"]] < 1 for row in found["rows"])
    print(f"{len(found['rows'])} rows, {behind} behind their library, {found['different']} different")


def keep(found, path):
    path.write_text(json.dumps(found, indent=1))


def section(found):
    out = ["## Tensors on a GPU, from Python", "",
           "Measured by `bench/python/run.py --device cuda`: f32 of a normal distribution (bincount: int64",
           f"below 1,000; histogram: {BINS} bins, edges: as many between given ones; weights and bincount_w:",
           "the floats as weights), ours, the library's own and the C call in turn, results compared first,",
           "with the CPU's to the bit. A figure is the time of one of many calls that are queued one behind",
           "the other; ratios are theirs divided by ours.", "",
           f"Machine: {found['device']}; {', '.join(found['versions'])}; {found['rounds']} rounds.", "",
           "| work | library | elements | heddle, us | the library, us | the C call, us | "
           "to the library | to the C call |", "|---|---|---|---|---|---|---|---|"]
    for row in found["rows"]:
        took, ratio = row["seconds"], row["ratio"]
        c_time, c_ratio = (f"{took['C'] * 1e6:.1f}", f"{ratio['C']:.2f}") if "C" in took else ("", "")
        out.append(f"| {row['work']} | {row['library']} | {row['elements']:,} | "
                   f"{took['heddle'] * 1e6:.1f} | {took[row['library']] * 1e6:.1f} | {c_time} | "
                   f"{ratio[row['library']]:.2f} | {c_ratio} |")
    return "\n".join(out) + "\n"
