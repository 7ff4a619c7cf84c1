#!/usr/bin/env python3
"""heddle on a table of ten columns, beside Polars, DuckDB, pyarrow and coreutils.

usage: bench/command_tables.py --program HEDDLE [--folder DIR] [--rounds N] [--rows N] [--only WORD...] [--keep]

Each command and each peer is a process of its own, with its start. Every result is compared first; then all run in
turn, and the least wall and processor time (user and system) of each stand in the table. Files are made in DIR, which
needs 3 GB for 10 M rows, and go at the end unless --keep is given; those that are there are taken as they are.
"""
import argparse
import csv
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

GROUPS = 4_000_000
CHUNK = 1_000_000

# ---- the table -----------------------------------------------------------------------------------------------


def chunks(rows):
    """The table's record batches: numbers with few and with all digits, few and many distinct texts, dates."""
    import numpy as np
    import pyarrow as pa
    rng = np.random.default_rng(5)
    starts, ends = ("North", "East", "South", "West", "New ", "Old ", "Port ", "Upper "), ("ton", "ham", "ford", "by")
    middles = ("Ash", "Birch", "Clay", "Dun", "Elm", "Fern", "Glen", "Hazel", "Iron", "Juniper")
    cities = np.array([a + b + c + d for a in starts for b in middles for c in ("", "ing", "er") for d in ends], object)
    words = np.array(["none", "returned", "paid late", "gift", "second time", "by telephone", "checked"], object)
    users = rng.permutation(GROUPS)
    for first in range(0, rows, CHUNK):
        count = min(CHUNK, rows - first)
        place = np.arange(first, first + count)
        user = users[(place * 7919) % GROUPS]
        yield pa.record_batch({
            "id": place + 1,
            "city": pa.array(cities[rng.integers(0, len(cities), count)]),
            "user": pa.array(np.char.add("user-", np.char.zfill(user.astype("U7"), 7)).astype(object)),
            "account": user * 25 + 100_000_000,
            "x": np.round(rng.uniform(-1000, 1000, count), 6),
            "y": rng.normal(size=count),
            "price": np.round(rng.exponential(200, count), 2),
            "amount": rng.integers(0, 1_000_000, count),
            "date": np.datetime64("2015-01-01") + rng.integers(0, 4000, count),
            "note": pa.array(words[rng.integers(0, len(words), count)]),
        })


def make_files(folder, rows):
    """One table as CSV, Parquet and Arrow, and its column of users as lines."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet
    names = [folder / f"table.{end}" for end in ("csv", "parquet", "arrow")] + [folder / "lines.txt"]
    if all(name.exists() for name in names):
        return
    writers = []
    with open(names[3], "wb") as lines:
        for batch in chunks(rows):
            if not writers:
                plain = pa.csv.WriteOptions(quoting_style="none")
                writers = [pa.csv.CSVWriter(names[0], batch.schema, write_options=plain),
                           pa.parquet.ParquetWriter(names[1], batch.schema),
                           pa.ipc.new_file(str(names[2]), batch.schema)]
            for writer in writers:
                writer.write_batch(batch)
            lines.write("\n".join(batch["user"].to_pylist()).encode() + b"\n")
    for writer in writers:
        writer.close()


# ---- what is compared ----------------------------------------------------------------------------------------

POLARS = "import sys, polars as pl\nt = pl.scan_{kind}({path!r}{dates})\n"
DUCKDB = ("import sys, duckdb\nt = duckdb.connect()\nt.sql('set threads = {threads}')\n"
          "t.sql('set enable_progress_bar = false')\nfrom_ = \"read_{kind}('{path}')\"\n")
PYARROW = ("import pyarrow as pa, pyarrow.compute as pc\npa.set_cpu_count({threads})\n"
           "t = pa.ipc.open_file(pa.memory_map({path!r})).read_all()\n")


def polars(kind, expression):
    def code(o):
        return POLARS.format(kind=kind, path=str(o.folder / f"table.{kind}"), dates="") + expression
    return "Polars", code


def duckdb(kind, expression):
    def code(o):
        return DUCKDB.format(kind=kind, path=o.folder / f"table.{kind}", threads=o.threads) + expression
    return "DuckDB", code


def pyarrow(expression):
    def code(o):
        return PYARROW.format(path=str(o.folder / "table.arrow"), threads=o.threads) + expression
    return "pyarrow", code


SUM = "print(t.select(pl.col('x').sum()).collect(engine='streaming').item())"
GROUP = ("t.group_by({key!r}).agg(pl.col({value!r}).sum()).sort({key!r})"
         ".collect(engine='streaming').write_csv(sys.argv[1])")
DUCK_SUM = "print(t.sql(f'select sum(x) from {from_}').fetchall()[0][0])"
DUCK_GROUP = ("t.sql(f\"copy (select {key} , sum({value}) from {{from_}} group by {key} order by {key}) "
              "to '{{sys.argv[1]}}' (header)\")")
ARROW_GROUP = ("import pyarrow.csv as c, sys\n"
               "c.write_csv(t.group_by({key!r}).aggregate([({value!r}, 'sum')]).sort_by({key!r}), sys.argv[1])")
DUCK_DESCRIBE = "print(t.sql(f'summarize select * from {from_}').fetchall())"
POLARS_DESCRIBE = "print(t.collect().describe())"


def same_number(a, b):
    return math.isclose(float(a.split()[-1]), float(b.split()[-1]), rel_tol=1e-9)


def same_groups(a, b):
    """CSV of a key and a number, in one order."""
    ours, theirs = (list(csv.reader(io.StringIO(text)))[1:] for text in (a, b))
    return len(ours) == len(theirs) and all(
        p[0] == q[0] and math.isclose(float(p[1]), float(q[1]), rel_tol=1e-9, abs_tol=1e-6)
        for p, q in zip(ours, theirs))


def same_text(a, b):
    return a == b


def anything(a, b):
    return bool(a) and bool(b)


def group(file, key, value):
    return ["group", "-k", key, f"sum:{value}", "--csv", file]


def cases():
    """name, the command's words, peers, how results are compared."""
    for kind in ("csv", "parquet"):
        yield (f"{kind}: sum of one column", ["sum", "-c", "x", f"table.{kind}"],
               [polars(kind, SUM), duckdb(kind, DUCK_SUM)], same_number)
    yield ("csv: sum of one column, one thread", ["sum", "--threads", "1", "-c", "x", "table.csv"], [], same_number)
    for kind in ("csv", "parquet"):
        for key in ("city", "user", "account"):
            yield (f"{kind}: sum by {key}", group(f"table.{kind}", key, "x"),
                   [polars(kind, GROUP.format(key=key, value="x")),
                    duckdb(kind, DUCK_GROUP.format(key=key, value="x"))], same_groups)
    for key in ("city", "user", "account"):
        yield (f"arrow: sum by {key}", group("table.arrow", key, "x"),
               [pyarrow(ARROW_GROUP.format(key=key, value="x"))], same_groups)
    yield ("csv: median of one column", ["median", "-c", "x", "table.csv"],
           [polars("csv", SUM.replace("sum", "median")), duckdb("csv", DUCK_SUM.replace("sum", "median"))],
           same_number)
    yield ("csv: describe all ten columns", ["describe", "table.csv", "--csv"],
           [polars("csv", POLARS_DESCRIBE), duckdb("csv", DUCK_DESCRIBE)], anything)
    yield ("csv: 10^6 bins as CSV", ["hist", "-c", "x", "--bins", "1000000", "--csv", "table.csv"], [], anything)
    for threads, words in (("1", "one thread"), ("2", "two threads")):
        yield (f"lines: uniq, {words}", ["uniq", "--threads", threads, "lines.txt"],
               [("sort -u", ["sort", "-u", f"--parallel={threads}", "-S", "50%", "lines.txt"])], same_text)


# ---- running -------------------------------------------------------------------------------------------------


def run(words, folder, out):
    """Wall seconds, processor seconds, bytes at most."""
    with open(out, "wb") as file:
        start = time.perf_counter()
        child = subprocess.Popen(words, stdout=file, cwd=folder,
                                 env={**os.environ, "LC_ALL": "C", "HEDDLE_PYTHON": sys.executable})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{words}: ended with {child.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def holds(equal, a, b):
    """In a process of its own: what it needs would count as memory of those that are started later."""
    child = os.fork()
    if child == 0:
        os._exit(0 if equal(a.read_text(), b.read_text()) else 1)
    return os.waitpid(child, 0)[1] == 0


def compare(options, name, words, peers, equal):
    ours = [options.program, *words]
    if "--threads" not in words:
        ours += ["--threads", str(options.threads)]
    runs = [("heddle", ours)] + [
        (peer, [sys.executable, "-c", code(options)] if callable(code) else code) for peer, code in peers]
    outs = [(options.folder / f"out.{i}").resolve() for i in range(len(runs))]
    times = {peer: [] for peer, _ in runs}
    for turn in range(options.rounds + 1):
        for (peer, command), out in zip(runs, outs):
            words = [*command, str(out)] if "-c" in command[1:2] else command
            times[peer].append(run(words, options.folder, out))
        if turn > 0:
            continue
        for (peer, _), out in list(zip(runs, outs))[1:]:
            if not holds(equal, outs[0], out):
                raise SystemExit(f"{name}: the result of {peer} differs; see {outs[0]} and {out}")
    for out in outs:
        out.unlink()
    least = {peer: [min(column) for column in zip(*all_)] for peer, all_ in times.items()}
    for peer, (wall, used, most) in least.items():
        own = least["heddle"]
        ratio = "" if peer == "heddle" else f"{own[0] / wall:.2f} | {own[1] / used:.2f}"
        print(f"| {name if peer == 'heddle' else ''} | {peer} | {wall:.2f} | {used:.2f} | {most / 1e6:.0f} | "
              f"{ratio or ' | '} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--only", nargs="*", default=[], help="cases whose names have one of these words")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    made = None if options.keep else tempfile.TemporaryDirectory(dir=options.folder)
    options.folder = pathlib.Path(options.folder or ".") if options.keep else pathlib.Path(made.name)
    make_files(options.folder, options.rows)
    print("| work | who | wall s | processor s | MB | wall, ours / theirs | processor |\n|---|---|---|---|---|---|---|")
    for name, words, peers, equal in cases():
        if not options.only or any(word in name for word in options.only):
            compare(options, name, words, peers, equal)
    if made:
        made.cleanup()


if __name__ == "__main__":
    main()
