#!/usr/bin/env python3
"""heddle sort beside sort(1) of coreutils, and beside copying the file twice.

usage: bench/command_sort.py --program HEDDLE [--folder DIR] [--rounds N] [--threads N] [--lines N] [--elements N]

Every result is compared first. Then ours and the peer run in turn: the ratio is the median of the ratios pair by
pair, the times are the least of each. Files are made in DIR, which needs four times the elements' 8 bytes, and go at
the end. The cache of the system holds them, if memory does: copying is then as fast as memory, the hardest peer.
"""
import argparse
import filecmp
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np

CHUNK = 10_000_000


def run(*command):
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, env={**os.environ, "LC_ALL": "C"})
    return time.perf_counter() - start


def copy_twice(source, folder):
    """Reading and writing the file twice, by pieces of 1 MiB, the last copy on the disk."""
    start = time.perf_counter()
    piece = bytearray(1 << 20)
    for number, path in enumerate((source, folder / "copy1")):
        with open(path, "rb", buffering=0) as file, open(folder / f"copy{number + 1}", "wb", buffering=0) as out:
            while got := file.readinto(piece):
                out.write(memoryview(piece)[:got])
            if number == 1:
                os.fsync(out.fileno())
    taken = time.perf_counter() - start
    for number in (1, 2):
        (folder / f"copy{number}").unlink()
    return taken


def compare(name, ours, peer, rounds, equal):
    """Runs both in turn, after one run of each whose results have to be equal."""
    ours(), peer()
    if not equal():
        raise SystemExit(f"{name}: the results differ")
    pairs = [(ours(), peer()) for _ in range(rounds)]
    ratio = statistics.median(other / own for own, other in pairs)
    own, other = (min(times) for times in zip(*pairs))
    print(f"| {name} | {own:.2f} s | {other:.2f} s | {ratio:.2f} |", flush=True)


def text_cases(options, folder):
    rng = np.random.default_rng(1)
    numbers, table = folder / "numbers.txt", folder / "table.csv"
    values = rng.integers(0, 10**9, options.lines)
    numbers.write_text("\n".join(map(str, values.tolist())) + "\n")
    rows = zip(rng.permutation(options.lines).tolist(), values.tolist())
    table.write_text("".join(f"{a},{b},{b % 1000}\n" for a, b in rows))
    own, other = folder / "own", folder / "other"
    peer = ("sort", f"--parallel={options.threads}", "-S", "50%", "-o", other)
    mine = (options.program, "sort", "--threads", options.threads, "-o", own)
    million = f"{options.lines / 1e6:g} M lines"
    for name, ours, theirs in (
            (f"{million} of numbers, `sort -n`", (numbers,), ("-n", numbers)),
            (f"{million} of three columns, `-k 2`, `sort -s -t, -k2,2n`", ("-k", 2, table),
             ("-s", "-t,", "-k2,2n", table)),
            (f"the same, `-k 3,1r`, `sort -s -t, -k3,3n -k1,1nr`", ("-k", "3,1r", table),
             ("-s", "-t,", "-k3,3n", "-k1,1nr", table)),
            (f"{million} of numbers, `-u --head 10`, `sort -nu`, all of it", ("-u", "--head", 10, numbers),
             ("-n", "-u", numbers))):
        def equal(head="--head" in ours):
            if head:
                return own.read_bytes() == b"".join(other.open("rb").readlines()[:10])
            return filecmp.cmp(own, other, shallow=False)
        compare(name, lambda: run(*mine, *ours), lambda: run(*peer, *theirs), options.rounds, equal)
    for path in (numbers, table, own, other):
        path.unlink()


def raw_case(options, folder):
    rng = np.random.default_rng(2)
    source, own = folder / "elements.raw", folder / "own.raw"
    with open(source, "wb") as file:
        for first in range(0, options.elements, CHUNK):
            rng.integers(0, 1 << 64, min(CHUNK, options.elements - first), np.uint64).tofile(file)

    def equal():
        expected = np.sort(np.fromfile(source, np.uint64))
        return np.array_equal(np.fromfile(own, np.uint64), expected)

    compare(f"{options.elements / 1e6:g} M u64, `-S 200M`; the peer reads and writes the file twice",
            lambda: run(options.program, "sort", "--threads", options.threads, "-S", "200M", "--tmp", folder,
                        "--type", "u64", "--format", "raw", source, "-o", own),
            lambda: copy_twice(source, folder), options.rounds, equal)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--elements", type=int, default=100_000_000)
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    print("| | heddle | peer | peer / heddle |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        text_cases(options, pathlib.Path(folder))
        raw_case(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
