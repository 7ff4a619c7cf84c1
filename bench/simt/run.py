#!/usr/bin/env python3
"""Times the software CUDA device and writes the table of docs/simt.md.

usage: bench/simt/run.py --build DIR [--write]

Kernels are timed beside the same loops in C, in one process and in turn, on one OS thread and
on two; the rest against the figures that the device is meant to keep. All results are verified
before they are timed.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "docs" / "simt.md"
BEGIN, END = "<!-- bench/simt/run.py writes from here -->\n", "<!-- to here -->\n"


def run(command, **environment):
    result = subprocess.run(command, capture_output=True, text=True,
                            env={**os.environ, **environment})
    if result.returncode:
        sys.exit(f"bench: {' '.join(map(str, command))}: {result.stderr}")
    return result.stdout


def lines(program, threads):
    return [json.loads(line) for line in run([program], SIMT_THREADS=str(threads)).splitlines()]


def seconds(command, **environment):
    begin = time.perf_counter()
    run(command, **environment)
    return time.perf_counter() - begin


def plain_rows(program):
    one, two = lines(program, 1), lines(program, 2)
    for a, b in zip(one, two):
        yield [a["work"], f"{a['ours_ms']:.2f} ms", f"{a['ratio']:.2f} of the C loop's time", "1.5",
               a["ratio"] <= 1.5]
        gain = a["ours_ms"] / b["ours_ms"]
        yield [a["work"] + ", two threads", f"{b['ours_ms']:.2f} ms", f"{gain:.2f} times faster",
               "1.8", gain >= 1.8]


def shared_rows(program):
    limits = {"histogram": 1.5 * (100 << 20) / 1e6, "tree": 1.0, "grid-synchronised": 500.0}
    for row in lines(program, 2):
        limit = limits.get(row["work"].split()[0])
        yield [row["work"] + ", two threads", f"{row['ours_ms']:.2f} ms", "",
               f"{limit:.0f} ms" if limit else "", row["ours_ms"] <= limit if limit else None]


def barrier_rows(program):
    *pairs, shuffles = lines(program, 2)
    for row in pairs:
        yield [row["work"] + ", two threads", f"{row['ours_ms']:.2f} ms",
               f"{row['ratio']:.2f} of the C loop's time on one", "3", row["ratio"] <= 3]
    lane = shuffles["ours_ms"] * 1e6 / (128 * 32 * 1000)
    yield [shuffles["work"] + ", two threads", f"{lane:.1f} ns a lane", "", "3 ns", lane <= 3]


def peak_bytes(command):
    """Peak resident bytes of a command and what it waits for."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"bench: {' '.join(map(str, command))}: status {status}")
    return usage.ru_maxrss * 1024


def watched_rows(tools):
    """An access under the checker and the profiler, and the checker's memory. Both run a program
    on one OS thread."""
    source = HERE / "watched.cu"
    limits = {("check", "saxpy"): 15, ("check", "histogram"): 45,
              ("profile", "saxpy"): 30, ("profile", "histogram"): 90}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["SIMT_CACHE_DIR"] = cache
        for name in ("check", "profile"):
            command = [tools / f"heddle-{name}", "--output", "/dev/null", source]
            for row in map(json.loads, run(command).splitlines()):
                limit = limits[name, row["work"]]
                unit = "an access" if row["work"] == "saxpy" else "a byte"
                yield [f"{row['work']} under heddle {name}", f"{row['ns']:.1f} ns {unit}", "",
                       f"{limit} ns", row["ns"] <= limit]
        run([tools / "heddle-run", source])
        data = (2 * 4 * 4 + 4) << 20
        more = (peak_bytes([tools / "heddle-check", "--output", "/dev/null", source])
                - peak_bytes([tools / "heddle-run", source])) / data
        yield ["memory of heddle check beside the device's data", "", f"{more:.2f} times the data",
               "4 times", more <= 4]
        del os.environ["SIMT_CACHE_DIR"]


def start_rows(tool):
    cold, warm = [], []
    for _ in range(7):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(seconds([tool, HERE / "hello.cu"], SIMT_CACHE_DIR=cache))
            warm.append(seconds([tool, HERE / "hello.cu"], SIMT_CACHE_DIR=cache))
    for name, times, limit in (("compile and start 50 lines", cold, 1000),
                               ("start them from the cache", warm, 50)):
        median = statistics.median(times) * 1e3
        yield [name, f"{median:.0f} ms", "", f"{limit} ms", median <= limit]


def table(rows):
    words = {True: "yes", False: "**no**", None: ""}
    text = "| work | time | ratio | at most (gain: at least) | met |\n|---|---|---|---|---|\n"
    return text + "".join(f"| {' | '.join(row[:4])} | {words[row[4]]} |\n" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true", help="into docs/simt.md")
    arguments = parser.parse_args()
    tools = arguments.build.resolve() / "libexec" / "heddle"
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for name in ("plain", "shared", "barriers"):
            programs[name] = pathlib.Path(folder, name)
            run([tools / "heddle-cc", HERE / f"{name}.cu", "-o", programs[name]])
        rows = [*plain_rows(programs["plain"]), *shared_rows(programs["shared"]),
                *barrier_rows(programs["barriers"]), *watched_rows(tools), *start_rows(tools / "heddle-run")]
    text = table(rows)
    print(text, end="")
    if arguments.write:
        old = DOCUMENT.read_text(encoding="utf-8")
        head, tail = old[:old.index(BEGIN) + len(BEGIN)], old[old.index(END):]
        DOCUMENT.write_text(head + "\n" + text + "\n" + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
