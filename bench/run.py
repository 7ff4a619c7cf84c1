#!/usr/bin/env python3
"""Runs every benchmark and its peers, and writes the table of docs/performance.md.

usage: bench/run.py --build DIR [--mebibytes N] [--rounds N] [--write]

The C programs of DIR/bench compare with the machine's own ceilings; this script compares with
NumPy in one process through ctypes, and the command with numpy.loadtxt. Ours and the peer run in
turn, and the ratio is the median of the ratios pair by pair. Results are verified first.
"""
import argparse
import ctypes
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"uint8": 1, "uint16": 2, "uint32": 3, "uint64": 4, "int32": 7, "float32": 11, "float64": 12}
SUM, INCLUSIVE = 1, 0
BINS_INTEGER, BINS_EVEN, BINS_EDGES = 1, 2, 4


class Bins(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("kind", ctypes.c_int), ("count", ctypes.c_size_t),
                ("lo", ctypes.c_double), ("hi", ctypes.c_double), ("auto_range", ctypes.c_int),
                ("edges", ctypes.c_void_p), ("first", ctypes.c_int64)]


class Library:
    """The few calls that are timed, on one context."""

    def __init__(self, path, threads):
        self.lib = ctypes.CDLL(str(path))
        self.lib.heddle_message.restype = ctypes.c_char_p
        self.ctx = ctypes.c_void_p()
        self.must(self.lib.heddle_open(f"cpu:{threads}".encode(), ctypes.byref(self.ctx)))

    def must(self, status):
        if status:
            sys.exit(f"bench: {self.lib.heddle_message().decode()}")

    def scan(self, array, out):
        self.must(self.lib.heddle_scan(self.ctx, SUM, INCLUSIVE, TYPES[array.dtype.name],
                                       ctypes.c_void_p(array.ctypes.data),
                                       ctypes.c_size_t(array.size),
                                       ctypes.c_void_p(out.ctypes.data), None))

    def sum(self, array, out):
        self.must(self.lib.heddle_reduce(self.ctx, SUM, TYPES[array.dtype.name],
                                         ctypes.c_void_p(array.ctypes.data),
                                         ctypes.c_size_t(array.size),
                                         ctypes.c_void_p(out.ctypes.data), None))

    def histogram(self, array, bins, counts):
        self.must(self.lib.heddle_histogram(self.ctx, TYPES[array.dtype.name],
                                            ctypes.c_void_p(array.ctypes.data),
                                            ctypes.c_size_t(array.size), ctypes.byref(bins),
                                            ctypes.c_void_p(counts.ctypes.data), None, None))

    def sort(self, array, out):
        self.must(self.lib.heddle_sort(self.ctx, TYPES[array.dtype.name],
                                       ctypes.c_void_p(array.ctypes.data),
                                       ctypes.c_size_t(array.size),
                                       ctypes.c_void_p(out.ctypes.data), None))

    def argsort(self, array, out):
        self.must(self.lib.heddle_argsort(self.ctx, TYPES[array.dtype.name],
                                          ctypes.c_void_p(array.ctypes.data),
                                          ctypes.c_size_t(array.size), TYPES[out.dtype.name],
                                          ctypes.c_void_p(out.ctypes.data), None))


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def pair(group, work, peer, array, threads, ours, theirs, target, rounds):
    """One line of the table: theirs / ours, pair by pair."""
    ours()
    theirs()
    a, b = [], []
    for _ in range(rounds):
        a.append(seconds(ours))
        b.append(seconds(theirs))
    ratios = sorted(y / x for x, y in zip(a, b))
    mid = statistics.median(a)
    return {"group": group, "work": work, "peer": peer, "elements": int(array.size),
            "threads": threads, "seconds": mid, "gb_per_s": array.nbytes / mid * 1e-9,
            "peer_seconds": statistics.median(b), "ratio": statistics.median(ratios),
            "ratio_low": ratios[len(ratios) // 10], "ratio_high": ratios[-1 - len(ratios) // 10],
            "target": target}


def verify(good, what):
    if not good:
        sys.exit(f"bench: {what} gave a wrong result; nothing was timed")


def scan_rows(lib, threads, size, rounds):
    for dtype in ("float32", "float64"):
        array = np.random.default_rng(1).random(size // np.dtype(dtype).itemsize).astype(dtype)
        out = np.empty_like(array)
        lib.scan(array, out)
        verify(np.allclose(out, np.cumsum(array, dtype=np.float64), rtol=1e-4), f"scan {dtype}")
        yield pair("scan", f"inclusive sum {dtype}", "numpy.cumsum", array, threads,
                   lambda a=array, o=out: lib.scan(a, o), lambda a=array, o=out: np.cumsum(a, out=o),
                   6, rounds)


def histogram_rows(lib, threads, size, rounds):
    array = np.random.default_rng(2).random(size // 4, dtype=np.float32)
    for bins in (100, 1000):
        counts = np.empty(bins, np.uint64)
        even = Bins(ctypes.sizeof(Bins), BINS_EVEN, bins, 0.0, 1.0, 0, None, 0)
        lib.histogram(array, even, counts)
        verify((counts == np.histogram(array, bins, (0.0, 1.0))[0]).all(), f"{bins} even bins")
        yield pair("histogram", f"float32, {bins} even bins", "numpy.histogram", array, threads,
                   lambda b=even, c=counts: lib.histogram(array, b, c),
                   lambda n=bins: np.histogram(array, n, (0.0, 1.0)), 8, rounds)
        edges = np.sort(np.random.default_rng(3).random(bins + 1))
        explicit = Bins(ctypes.sizeof(Bins), BINS_EDGES, bins, 0, 0, 0, edges.ctypes.data, 0)
        lib.histogram(array, explicit, counts)
        verify((counts == np.histogram(array, edges)[0]).all(), f"{bins} explicit edges")
        yield pair("histogram", f"float32, {bins} explicit edges", "numpy.histogram", array, threads,
                   lambda b=explicit, c=counts: lib.histogram(array, b, c),
                   lambda e=edges: np.histogram(array, e), 5, rounds)
    octets = (np.random.default_rng(4).random(size // 4) * 256).astype(np.uint8)
    counts = np.empty(256, np.uint64)
    whole = Bins(ctypes.sizeof(Bins), BINS_INTEGER, 256, 0, 0, 0, None, 0)
    lib.histogram(octets, whole, counts)
    verify((counts == np.bincount(octets, minlength=256)).all(), "byte histogram")
    yield pair("histogram", "bytes", "numpy.bincount", octets, threads,
               lambda: lib.histogram(octets, whole, counts),
               lambda: np.bincount(octets, minlength=256), 0, rounds)


def sum_rows(lib, threads, size, rounds):
    for dtype in ("float32", "float64", "int32"):
        array = (np.random.default_rng(5).random(size // np.dtype(dtype).itemsize) * 100)
        array = array.astype(dtype)
        out = np.zeros(1, np.int64 if dtype == "int32" else dtype)
        lib.sum(array, out)
        verify(np.isclose(float(out[0]), float(array.sum(dtype=np.float64)), rtol=1e-5),
               f"sum {dtype}")
        yield pair("reduce", f"sum {dtype}", "numpy.sum", array, threads,
                   lambda a=array, o=out: lib.sum(a, o), lambda a=array: a.sum(), 0, rounds)


def sort_case(lib, threads, array, name, target, rounds):
    """Keys of an array against numpy.sort, which copies it first as we do."""
    out = np.empty_like(array)
    lib.sort(array, out)
    verify(out.tobytes() == np.sort(array).tobytes(), f"sort {name}")
    return pair("sort", name, "numpy.sort", array, threads, lambda: lib.sort(array, out),
                lambda: np.sort(array), target, rounds)


def sort_rows(lib, threads, size, rounds):
    """Uniform integers, normal floats; in order and of one value: against our own of uniform ones."""
    rng = np.random.default_rng(8)
    rounds = max(3, rounds // 2)
    for dtype, target in (("uint32", 1.3), ("float32", 1.3), ("uint64", 1.2), ("float64", 1.2),
                          ("uint8", 0), ("uint16", 0)):
        count = size // 4
        array = rng.standard_normal(count).astype(dtype) if dtype[0] == "f" else \
            rng.integers(0, np.iinfo(dtype).max, count, dtype, endpoint=True)
        yield sort_case(lib, threads, array, f"keys {dtype}", target, rounds)
        if dtype in ("uint8", "uint16", "uint64"):
            continue
        index = np.empty(count, np.uint32)
        lib.argsort(array, index)
        verify((index == np.argsort(array, kind="stable")).all(), f"argsort {dtype}")
        yield pair("sort", f"argsort {dtype}", "numpy.argsort, stable", array, threads,
                   lambda a=array, i=index: lib.argsort(a, i),
                   lambda a=array: np.argsort(a, kind="stable"), 8, 3)
        if dtype != "uint32":
            continue
        out = np.empty_like(array)
        for name, other in (("in order", np.sort(array)), ("of one value", np.full_like(array, 7))):
            yield pair("sort", f"keys {dtype} {name}", "ours, uniform", array, threads,
                       lambda o=other: lib.sort(o, out), lambda a=array: lib.sort(a, out), 4, rounds)


def text_rows(command, threads, rounds):
    """Whole process of ours against numpy.loadtxt alone, which is kinder to NumPy."""
    values = np.random.default_rng(6).random(2_000_000) * 1000
    for name, form in (("%.6f", "%.6f"), ("shortest, 16 to 17 digits", "%r")):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "numbers.txt")
            with open(path, "w") as file:
                file.writelines(form % v + "\n" for v in values.tolist())
            argv = [command, "sum", "--json", "--threads", str(threads), path]
            got = json.loads(subprocess.run(argv, check=True, capture_output=True).stdout)
            verify(np.isclose(got["value"], np.loadtxt(path).sum(), rtol=1e-9), "text sum")
            yield pair("text", f"2 M lines, {name}", "numpy.loadtxt", values, threads,
                       lambda a=argv: subprocess.run(a, check=True, capture_output=True),
                       lambda p=path: np.loadtxt(p), 2, max(3, rounds // 3))


def c_rows(build, mebibytes, rounds):
    environment = dict(os.environ, BENCH_ROUNDS=str(rounds))
    # Histograms are bound by arithmetic, and verifying them takes a while: a smaller array does.
    for program, most in (("bench_fold", 4096), ("bench_exact", 4096), ("bench_scan", 512), ("bench_histogram", 64)):
        argv = [str(build / "bench" / program), str(min(mebibytes, most))]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, env=environment, text=True) as process:
            for line in process.stdout:
                yield json.loads(line)
        if process.returncode:
            sys.exit(f"bench: {program} failed")


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def markdown(rows, arguments):
    out = ["# Performance", "",
           "Measured by `make bench`, which verifies every result first and then times ours and the",
           "peer in turn in one run. A ratio is the peer's time divided by ours, the median of the",
           "pairs, with the 10th and 90th percentile behind it. The ceilings are programs of our own:",
           "sums of 64-bit words in the widest registers for reading, non-temporal stores for copying.", "",
           f"Machine: {processor()}, {os.cpu_count()} processors seen, a shared virtual machine;",
           f"NumPy {np.__version__}; {arguments.rounds} pairs a row; large arrays of "
           f"{arguments.mebibytes} MiB.", ""]
    for group in dict.fromkeys(row["group"] for row in rows):
        out += [f"## {group}", "",
                "| work | elements | threads | ours | peer | ratio | target | met |",
                "|---|---|---|---|---|---|---|---|"]
        for row in (r for r in rows if r["group"] == group):
            small = row["seconds"] < 1e-5
            speed = f"{row['seconds'] * 1e9:.0f} ns" if small else f"{row['gb_per_s']:.1f} GB/s"
            target = f"{row['target']:g}" if row["target"] else ""
            met = "" if not row["target"] else "yes" if row["ratio"] >= row["target"] else "**no**"
            out.append(f"| {row['work']} | {row['elements']:,} | {row['threads']} | {speed} | "
                       f"{row['peer']} | {row['ratio']:.2f} ({row['ratio_low']:.2f} to "
                       f"{row['ratio_high']:.2f}) | {target} | {met} |")
        out.append("")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--mebibytes", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    arguments = parser.parse_args()
    rows = []

    def add(row):
        rows.append(row)
        print(f"{row['group']:10} {row['work']:34} {row['threads']} thread(s) "
              f"{row['gb_per_s']:8.2f} GB/s  {row['ratio']:7.2f} x {row['peer']}", flush=True)

    for row in c_rows(arguments.build, arguments.mebibytes, arguments.rounds):
        add(row)
    size = min(arguments.mebibytes, 256) << 20
    for threads in (1, 2):
        lib = Library(arguments.build / "src" / "libheddle.so", threads)
        for rows_of in (sum_rows, scan_rows, histogram_rows, sort_rows):
            for row in rows_of(lib, threads, size, max(3, arguments.rounds // 3)):
                add(row)
        for row in text_rows(arguments.build / "cli" / "heddle", threads, arguments.rounds):
            add(row)
    text = markdown(rows, arguments)
    if arguments.write:
        target = ROOT / "docs" / "performance.md"
        temporary = target.with_suffix(".new")
        gpu = "".join(target.read_text().partition("<!-- What follows")[1:])  # bench/gpu/run.py's
        temporary.write_text(text + ("\n" + gpu if gpu else ""))
        temporary.replace(target)
    missed = [r for r in rows if r["target"] and r["ratio"] < r["target"]]
    print(f"{len(rows)} rows, {len(missed)} below their target")


if __name__ == "__main__":
    main()
