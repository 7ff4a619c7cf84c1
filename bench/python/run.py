#!/usr/bin/env python3
"""Times the Python package against NumPy, histogram packages, bottleneck, pandas and Polars.

usage: PYTHONPATH=BUILD/python bench/python/run.py [--rounds N] [--largest N] [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --hunt [--seed N] [--cases N] [--threads N]
                                                   [--isa NAME] [--json FILE] [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --frames [--largest N] [--isa NAME] [--json FILE]
                                                   [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --sorts [--largest N] [--isa NAME] [--json FILE]
                                                   [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --ranks [--largest N] [--isa NAME] [--json FILE]
                                                   [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --selects [--largest N] [--isa NAME] [--json FILE]
                                                   [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --tables [--largest N] [--threads N] [--isa NAME]
                                                   [--json FILE] [--write]
       PYTHONPATH=BUILD/python bench/python/run.py [--scatters] --device cuda [--rounds N] [--largest N]
                                                   [--json FILE] [--write]

Needs bench/python/requirements.txt; the hunt needs NumPy alone. peers.py times whole arrays against
NumPy and histogram packages. --hunt looks for what NumPy does faster: cases of any shape, axis, layout
and dtype, drawn by a seed (hunt.py, cases.py). --frames takes each function that bottleneck, pandas or
Polars has, too (frames.py). --sorts takes sorts against NumPy and Polars (sorts.py), --selects selects and
runs against NumPy (selects.py), --tables search, unique values, grids and groups against NumPy,
boost-histogram, Polars and DuckDB (tables.py). --device takes tensors of PyTorch and arrays of CuPy on a
GPU against those two, which it needs alone, and against the C call (tensors.py), with --scatters
heddle.torch's scatters and ranks against PyTorch's (scatters.py). --write puts the table into
docs/performance.md.
"""
import argparse
import os
import pathlib
import platform
import subprocess
import sys

import table

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "performance.md"


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def against_peers(arguments):
    import peers
    calls, bare = peers.overhead(arguments.rounds)
    print("10 elements: " + ", ".join(f"{k} {v * 1e6:.2f} us" for k, v in calls.items()))
    print(f"sum of 128 MiB: {bare:.3f} of the speed of the C call")
    results = []
    for row in peers.rows(arguments.largest, arguments.rounds):
        results.append(row)
        print(table.line(row), flush=True)
    short = [row for row in results if not table.met(row)]
    print(f"{len(results)} rows, {len(short)} behind")
    if arguments.write:
        machine = f"{processor()}, {os.cpu_count()} processors seen, a shared virtual machine"
        table.write(PAGE, table.MARK,
                    table.section(results, calls, bare, machine, arguments.rounds))
    return 0


def beyond(isa):
    """The features of processors that NumPy has code for and an instruction set lacks."""
    ask = "import numpy._core._multiarray_umath as m; print(*m.__cpu_dispatch__)"
    names = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True,
                           text=True).stdout.split()
    wide = [name for name in names if "AVX512" in name or name == "X86_V4"]
    return {"scalar": names, "avx2": wide}.get(isa, [])


def settle(arguments, threads):
    """A process of so many threads: what libraries read when they are loaded is set before."""
    os.environ["HEDDLE_NUM_THREADS"] = os.environ["POLARS_MAX_THREADS"] = str(threads)
    if arguments.isa:
        os.environ["HEDDLE_ISA"] = arguments.isa
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", " ".join(beyond(arguments.isa)))


def report(module, mark, found, arguments):
    module.show(found)
    if arguments.json:
        module.keep(found, arguments.json)
    if arguments.write:
        table.write(PAGE, mark, module.section(found))
    return 1 if found["different"] else 0


def against_numpy(arguments):
    settle(arguments, arguments.threads)
    import hunt
    found = hunt.hunt(arguments.seed, arguments.cases, arguments.threads, processor())
    mark = table.HUNT_ISA_MARK if arguments.isa else table.HUNT_MARK
    return report(hunt, mark, {**found, "asked": arguments.isa}, arguments)


def against_frames(arguments):
    settle(arguments, 1)
    import frames
    sizes = [n for n in frames.SIZES if n <= arguments.largest]
    return report(frames, table.FRAMES_MARK, frames.measure(sizes, processor()), arguments)


def against_sorts(arguments):
    settle(arguments, 1)
    import sorts
    return report(sorts, table.SORTS_MARK, sorts.measure(arguments.largest, processor()), arguments)


def against_selects(arguments):
    settle(arguments, 1)
    import selects
    return report(selects, table.SELECTS_MARK, selects.measure(arguments.largest, processor()), arguments)


def against_tables(arguments):
    settle(arguments, arguments.threads)
    import tables
    found = tables.measure(arguments.largest, arguments.threads, processor())
    return report(tables, table.TABLES_MARK, found, arguments)


def against_ranks(arguments):
    settle(arguments, 1)
    import ranks
    return report(ranks, table.RANKS_MARK, ranks.measure(arguments.largest, processor()), arguments)


def against_tensors(arguments):
    import tensors
    found = tensors.measure(arguments.device, arguments.largest, arguments.rounds)
    return report(tensors, table.TENSORS_MARK, found, arguments)


def against_scatters(arguments):
    import scatters
    found = scatters.measure(arguments.device, arguments.largest, arguments.rounds)
    return report(scatters, table.SCATTERS_MARK, found, arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--largest", type=int, default=10**8, help="elements of the longest arrays")
    parser.add_argument("--write", action="store_true", help="writes docs/performance.md")
    parser.add_argument("--hunt", action="store_true", help="any shape, axis and layout, by a seed")
    parser.add_argument("--frames", action="store_true", help="bottleneck, pandas, Polars")
    parser.add_argument("--sorts", action="store_true", help="NumPy's and Polars' sorts")
    parser.add_argument("--selects", action="store_true", help="NumPy's selects, sums by key")
    parser.add_argument("--tables", action="store_true", help="search, unique values, grids, groups")
    parser.add_argument("--ranks", action="store_true", help="NumPy's quantiles and partitions")
    parser.add_argument("--scatters", action="store_true", help="with --device: PyTorch's scatters and ranks")
    parser.add_argument("--device", help="cuda, cuda:1: tensors of PyTorch, arrays of CuPy")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--cases", type=int, default=960)
    parser.add_argument("--threads", type=int, default=1, help="of ours; more than one: by wall time")
    parser.add_argument("--isa", help="scalar, avx2 or avx512, as $HEDDLE_ISA; NumPy has none beyond it")
    parser.add_argument("--json", type=pathlib.Path, help="keeps each row")
    arguments = parser.parse_args()
    if arguments.scatters and not arguments.device:
        parser.error("--scatters needs --device")
    if arguments.scatters:
        return against_scatters(arguments)
    if arguments.device:
        return against_tensors(arguments)
    if arguments.sorts:
        return against_sorts(arguments)
    if arguments.selects:
        return against_selects(arguments)
    if arguments.tables:
        return against_tables(arguments)
    if arguments.ranks:
        return against_ranks(arguments)
    if arguments.frames:
        return against_frames(arguments)
    return against_numpy(arguments) if arguments.hunt else against_peers(arguments)


if __name__ == "__main__":
    sys.exit(main())
