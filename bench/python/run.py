#!/usr/bin/env python3
"""Times the Python package against NumPy, fast-histogram and boost-histogram.

usage: PYTHONPATH=BUILD/python bench/python/run.py [--rounds N] [--largest N] [--write]
       PYTHONPATH=BUILD/python bench/python/run.py --hunt [--seed N] [--cases N] [--threads N]
                                                   [--isa NAME] [--json FILE] [--write]

Needs bench/python/requirements.txt; the hunt needs NumPy alone. peers.py times whole arrays against
all three. --hunt looks for what NumPy does faster: cases of any shape, axis, layout and dtype, drawn
by a seed (hunt.py, cases.py). --write puts the table into docs/performance.md.
"""
import argparse
import os
import pathlib
import platform
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


def hunt(arguments):
    """Of a process of so many threads: what the library reads when it is loaded is set before."""
    os.environ["HEDDLE_NUM_THREADS"] = str(arguments.threads)
    if arguments.isa:
        os.environ["HEDDLE_ISA"] = arguments.isa
    import hunt
    found = hunt.hunt(arguments.seed, arguments.cases, arguments.threads, processor())
    hunt.show(found)
    if arguments.json:
        hunt.keep(found, arguments.json)
    if arguments.write:
        table.write(PAGE, table.HUNT_MARK, hunt.section(found))
    return 1 if found["different"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--largest", type=int, default=10**8, help="elements of the longest arrays")
    parser.add_argument("--write", action="store_true", help="writes docs/performance.md")
    parser.add_argument("--hunt", action="store_true", help="any shape, axis and layout, by a seed")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--cases", type=int, default=960)
    parser.add_argument("--threads", type=int, default=1, help="of ours; more than one: by wall time")
    parser.add_argument("--isa", help="scalar, avx2 or avx512, as $HEDDLE_ISA")
    parser.add_argument("--json", type=pathlib.Path, help="keeps each row")
    arguments = parser.parse_args()
    return hunt(arguments) if arguments.hunt else against_peers(arguments)


if __name__ == "__main__":
    sys.exit(main())
