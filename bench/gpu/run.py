#!/usr/bin/env python3
"""Heddle, CUB, PyTorch and CuPy on one GPU, in turn, row by row, on the same data.

usage: bench/gpu/run.py [--programs DIR] [--only PATTERN] [--quick] [--results FILE] [--write]
       bench/gpu/run.py --results FILE --from-results --write
       bench/gpu/run.py --hunt [--draws N] [--seed N] [--results FILE]

DIR (build/release/bench/gpu) has bench_gpu; CUB's program is built there by nvcc if it is missing.
Every result of Heddle is verified before it counts: counts are exact, everything else has the bits
that a CPU gives, scans give them 40 times. The ceilings are measured in the same run. --results
keeps the figures; --write puts the table into docs/performance.md. --hunt draws jobs at random and
prints the ten in which a peer does best beside Heddle (hunt.py).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import hunt  # noqa: E402
import rows as table  # noqa: E402
from report import markdown, one_line, write  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent


class Program:
    """A process that answers a line of JSON to every line; None once it has failed."""

    def __init__(self, command):
        self.name, self.why = None, ""
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True, bufsize=1)
        except OSError as error:
            self.process, self.why = None, str(error)
            return
        greeting = self.answer()
        self.name = greeting and greeting.get("name")
        if not self.name:
            self.end((greeting or {}).get("missing", self.why or "it ended"))

    def answer(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.end(f"it ended with status {self.process.wait()}")
        return None

    def end(self, why=""):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
        self.process, self.why = None, why

    def ask(self, job):
        """The answer, or None where there is none."""
        if not self.process:
            return None
        try:
            self.process.stdin.write(" ".join(f"{k}={v}" for k, v in job.items()) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.answer()
        return None if not answer or answer.get("skip") else answer


def build_cub(folder):
    """CUB's program; None where there is no nvcc to build it."""
    program = folder / "cub"
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not program.exists() and pathlib.Path(nvcc).exists():
        print("building CUB's program ...", flush=True)
        subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", "-o", program, HERE / "cub.cu"],
                       check=True)
    return program if program.exists() else None


class Data:
    """Files of blocks, made when they are first asked for."""

    def __init__(self, folder):
        self.folder, self.made = folder, {}

    def file(self, key, make):
        if key not in self.made:
            path = self.folder / f"{len(self.made)}.raw"
            array = make()
            array.tofile(path)
            self.made[key] = (path, len(array), array)
        return self.made[key]

    def of(self, job, count=table.BLOCK):
        """The job as the programs read it, with files of so many elements."""
        said = {k: v for k, v in job.items() if k not in ("dist", "dist2", "kind2", "edges",
                                                          "ragged", "table", "ids")}
        if "type" not in job:
            return said
        kind, dist = job["type"], job["dist"]
        second = None
        if "ragged" in job:
            second = self.file(("ragged", job["ragged"]), lambda: table.ragged(job["ragged"]))
            said["n"] = int(second[2][-1])
        elif "edges" in job:
            second = self.file(("edges", job["edges"]), lambda: table.edges(job["edges"]))
        elif "table" in job:
            second = self.file(("table", job["table"]), lambda: table.table_of(job["table"]))
        elif "ids" in job:
            second = self.file(("ids", job["ids"]), lambda: table.ids(job["ids"]))
        elif job["what"] == "dot":
            second = self.file((kind, dist, 2, count),
                               lambda: table.block(kind, dist, count)[::-1].copy())
        elif job["what"] in ("weights", "gridweights"):
            second = self.file(("f32", "uniform", 2, count),
                               lambda: table.block("f32", "uniform", count)[::-1].copy())
        elif job["what"] in ("by_key", "masked"):
            second = self.file(("f32", "uniform", 2, count),
                               lambda: table.block("f32", "uniform", count)[::-1].copy())
        elif job["what"] == "pairs":
            second = self.file(("i32", "bits", 2, count),
                               lambda: table.block("i32", "bits", count)[::-1].copy())
        path, length, _ = self.file((kind, dist, count), lambda: table.block(kind, dist, count))
        said |= {"data": path, "block": length}
        if second:
            said |= {"data2": second[0], "block2": second[1]}
        return said


def ceilings(heddle, cub):
    """Bytes a second of reading, copying, uploading; the milliseconds of an empty launch."""
    n = 4 << 30
    asked = {"read": (cub, {"what": "read", "n": n}, n), "copy": (heddle, {"what": "copy", "n": n}, 2 * n),
             "upload": (heddle, {"what": "upload", "n": n >> 2}, n >> 2)}
    found = {}
    for name, (program, job, moved) in asked.items():
        answer = program.ask(job) if program else None
        if answer:
            found[name] = moved / answer["ms"] * 1e3
    empty = cub.ask({"what": "empty", "reps": 101}) if cub else None
    if empty:
        found["empty_ms"] = empty["ms"]
    return found


def first_call(program, call, what, cache):
    """Milliseconds of the first call of a process; no cache, NVIDIA's own neither, helps the cold one."""
    env = {**os.environ, "HEDDLE_CACHE_DIR": str(cache)}
    if what == "cold":
        env["CUDA_CACHE_DISABLE"] = "1"
    times = []
    for _ in range(3):
        if what == "cold":
            shutil.rmtree(cache, ignore_errors=True)
        done = subprocess.run([program, "first", call], capture_output=True, text=True, check=True,
                              env=env)
        times.append(json.loads(done.stdout))
    return sorted(times, key=lambda t: t["ms"])[1]


def programs(folder):
    """Ours, and the peers that are there."""
    cub_program = build_cub(folder)
    peers = {"cub": Program([cub_program]) if cub_program else None,
             "torch": Program([sys.executable, HERE / "peers.py", "torch"]),
             "cupy": Program([sys.executable, HERE / "peers.py", "cupy"])}
    heddle = Program([folder / "bench_gpu"])
    if not heddle.process:
        sys.exit(f"bench_gpu: {heddle.why}")
    return heddle, peers


def look(arguments):
    """--hunt"""
    heddle, peers = programs(arguments.programs)
    print(heddle.name, {k: p.name for k, p in peers.items() if p and p.name}, flush=True)
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as scratch:
        return hunt.hunt(arguments, heddle, peers, Data(pathlib.Path(scratch)))


def measure(arguments):
    folder = arguments.programs
    heddle, peers = programs(folder)
    results = {"gpu": heddle.name, "date": time.strftime("%Y-%m-%d"), "rows": [],
               "peers": {k: p.name for k, p in peers.items() if p and p.name},
               "ceilings": ceilings(heddle, peers["cub"])}
    print(json.dumps({k: v for k, v in results.items() if k != "rows"}), flush=True)
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as scratch:
        data = Data(pathlib.Path(scratch))
        cache = pathlib.Path(scratch) / "kernels"
        for row in table.every_row(arguments.quick):
            if not re.search(arguments.only, f"{row.group}: {row.name}"):
                continue
            entry = {"group": row.group, "name": row.name, "targets": row.targets,
                     "spread": row.spread, "moved": row.moved}
            if row.group == "first call":
                entry["heddle"] = first_call(folder / "bench_gpu", row.job["call"],
                                             row.job["what"], cache)
            else:
                job = data.of(row.job)
                entry["n"] = job["n"]
                entry["moved"] = row.moved if row.moved is not None else 4 * job["n"]
                entry["heddle"] = heddle.ask(job)
                entry |= {name: peer.ask(job) for name, peer in peers.items() if peer}
                if not heddle.process:
                    heddle = Program([folder / "bench_gpu"])
            results["rows"].append(entry)
            print(one_line(entry, results["ceilings"]), flush=True)
            if arguments.results:
                arguments.results.write_text(json.dumps(results, indent=1))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bench/gpu")
    parser.add_argument("--only", default="", help="rows whose 'group: name' matches")
    parser.add_argument("--quick", action="store_true", help="fewer rows")
    parser.add_argument("--results", type=pathlib.Path, help="keeps the figures as JSON")
    parser.add_argument("--from-results", action="store_true", help="reads them, measures nothing")
    parser.add_argument("--write", action="store_true", help="writes docs/performance.md")
    parser.add_argument("--hunt", action="store_true", help="draws jobs, and tells the worst")
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--seed", type=int, default=18)
    arguments = parser.parse_args()
    if arguments.hunt:
        return look(arguments)
    if arguments.from_results:
        results = json.loads(arguments.results.read_text())
    else:
        results = measure(arguments)
    if arguments.write:
        write(ROOT / "docs" / "performance.md", markdown(results))
    wrong = [r["name"] for r in results["rows"] if not (r["heddle"] or {}).get("verified")]
    print(f"{len(results['rows'])} rows; not verified: {', '.join(wrong) or 'none'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
