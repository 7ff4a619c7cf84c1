"""group: random tables against dictionaries and NumPy, whole and in parts, by any number of threads."""

import csv
import io
import json
import math
import os
import random
import resource
import signal
import subprocess
import time

import numpy as np
import pytest

CITIES = ["Oslo", "", "M\u00fcnchen", 'a "quoted" one', "comma, town", "two\nlines", "\u6771\u4eac", " padded",
          "1#"]
FIGURES = ("count", "count:x", "sum:x", "mean:x", "min:x", "max:x", "std:x", "var:x", "skewness:x",
           "median:x", "p95:x", "q0.25:x", "sum:n", "min:n", "max:n", "mean:n", "sum_squares:n", "first:t", "last:t", "distinct:t")


def table_of(rows, seed, cities=CITIES, missing=0.05, delimiter=","):
    """A table of (city, year, x, n, t) as text, and its rows."""
    rng = random.Random(seed)
    made = []
    for i in range(rows):
        x = "" if rng.random() < missing else repr(rng.uniform(-1e3, 1e6))
        made.append((rng.choice(cities), str(rng.choice([2019, 2020, 999])), x, str(rng.randrange(-5000, 5000)),
                     rng.choice(["", "u", "v w", 'q"q', "\u00e9"])))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([("city", "year", "x", "n", "t"), *made])
    return out.getvalue().encode(), [(c.strip(), *rest) for c, *rest in made]


def model(rows, keep=lambda row: True):
    """What the figures of FIGURES are with missing values skipped, by key."""
    parts = {}
    for row in filter(keep, rows):
        parts.setdefault(row[:2], []).append(row)
    results = {}
    for key, part in parts.items():
        x = np.array([float(r[2]) for r in part if r[2] != ""])
        n = np.array([int(r[3]) for r in part])
        t = [r[4] for r in part if r[4] != ""]
        some = len(x) > 0
        with np.errstate(all="ignore"):
            spread = float(np.var(x, ddof=1)) if len(x) > 1 else math.nan
            skew = float(np.mean((x - x.mean()) ** 3) / np.var(x) ** 1.5) if len(x) > 1 else math.nan
        results[key] = [
            len(part), len(x), math.fsum(x), math.fsum(x) / len(x) if some else math.nan,
            x.min() if some else math.nan, x.max() if some else math.nan, math.sqrt(spread), spread, skew,
            *(np.quantile(x, q) if some else math.nan for q in (0.5, 0.95, 0.25)),
            int(n.sum()), int(n.min()), int(n.max()), math.fsum(n) / len(n), int((n * n).sum()),
            t[0] if t else "", t[-1] if t else "", len(set(t))]
    return results


LOOSE = {FIGURES.index(name) for name in ("std:x", "var:x", "skewness:x")}


def check(found, expected):
    got = {tuple(g["key"]): [g[name] for name in FIGURES] for g in found["groups"]}
    assert set(got) == set(expected)
    for key, values in expected.items():
        for i, (ours, theirs) in enumerate(zip(got[key], values)):
            ours = float(ours) if isinstance(theirs, float) else ours
            loose = i in LOOSE or theirs != theirs
            close = pytest.approx(theirs, rel=1e-9, nan_ok=True) if loose else theirs
            assert ours == close, (key, FIGURES[i])
    keys = [g["key"] for g in found["groups"]]
    assert keys == sorted(keys, key=lambda k: (k[0].encode(), float(k[1]), k[1]))


ARGS = ("group", "-k", "city,year", *FIGURES, "--nan", "skip", "--exact", "--ddof", 1, "--json")


@pytest.mark.parametrize("seed, delimiter", ((1, ","), (2, ";"), (3, "\t")))
def test_random_tables(heddle, seed, delimiter):
    table, rows = table_of(3000, seed, delimiter=delimiter)
    found = json.loads(heddle.text(*ARGS, "-d", "tab" if delimiter == "\t" else delimiter, stdin=table))
    assert found["rows"] == 3000 and found["key"] == ["city", "year"]
    check(found, model(rows))
    found = json.loads(heddle.text(*ARGS, "-d", "tab" if delimiter == "\t" else delimiter,
                                   "--where", 'n >= 0 && city != "Oslo"', stdin=table))
    check(found, model(rows, lambda row: int(row[3]) >= 0 and row[0] != "Oslo"))


def test_threads_and_parts_give_the_same_bits(heddle, tmp_path):
    """Several blocks of text; x has integers alone for a while, and n far into the table no longer."""
    cities = [f"city {i}" for i in range(300)] + CITIES
    table, _ = table_of(60_000, 4, cities, missing=0)
    table = table + b"Oslo,2020,1,0.5,u\n" * 3
    integers = b"city,year,x,n,t\n" + b"Oslo,2020,7,9007199254740993,u\n" * 20_000
    path = tmp_path / "t.csv"
    path.write_bytes(integers + table.split(b"\n", 1)[1])
    folds = [f for f in FIGURES if f.split(":")[0] not in ("median", "p95", "q0.25", "distinct")]
    for figures in (FIGURES, folds):
        args = ("group", "-k", "city,year", *figures, path, "--csv", "-q")
        whole = heddle(*args, "--threads", 1).stdout
        assert whole.count(b"\n") == 931  # 309 cities of three years, one of them on two lines
        for options in (("--threads", 2), ("--threads", 5), ("-S", "4M", "--threads", 1),
                        ("-S", "300K", "--threads", 3), ("-S", "64K", "--threads", 1)):
            assert heddle(*args, *options).stdout == whole, (figures, options)


def test_few_groups_of_many_rows_are_folded_on_the_way(heddle, tmp_path):
    """Nothing goes to disk: it could not be written."""
    table, _ = table_of(60_000, 5, ["a", "b"])
    args = ("group", "-k", "city", "sum:x", "mean:x", "var:x", "min:n", "count:x", "first:t", "last:t", "--csv")
    whole = heddle(*args, stdin=table).stdout
    assert heddle(*args, "-S", "1M", "--threads", 1, "--tmp", tmp_path / "none", stdin=table).stdout == whole
    skipped = heddle(*args, "--nan", "skip", stdin=table).stdout
    assert heddle(*args, "--nan", "skip", "-S", "1M", stdin=table).stdout == skipped
    done = heddle(*args, "median:x", "-S", "1M", "--tmp", tmp_path / "none", code=1, stdin=table)
    assert b"cannot be kept in" in done.stderr


def test_the_first_text_and_the_last_come_late_and_early(heddle):
    """Each in a block of its own; states hold what is empty, and what is not."""
    lines = [b"k,x,t", *[b"a,1,"] * 300_000, b"a,1,first", *[b"a,1,"] * 300_000, b"a,1,last", *[b"a,1,"] * 300_000]
    args = ("group", "-k", "k", "sum:x", "first:t", "last:t", "--csv", "-S", "2M", "--nan")
    table = b"\n".join(lines)
    assert heddle.text(*args, "skip", stdin=table).splitlines()[1] == "a,900002,first,last"
    assert heddle.text(*args, "propagate", stdin=table).splitlines()[1] == "a,900002,,"


@pytest.mark.parametrize("style", ("--csv", "--json", "--json-lines", "-q"))
def test_every_style_in_parts(heddle, style):
    table, _ = table_of(9000, 6, [f"c{i}" for i in range(3000)])
    args = ("group", "-k", "city", "count", "sum:n", "last:t", "median:x", style)
    assert heddle(*args, "-S", "4K", stdin=table).stdout == heddle(*args, stdin=table).stdout


def test_few_files_are_open_and_none_is_left(heddle, tmp_path):
    table, _ = table_of(20_000, 7, [f"c{i}" for i in range(9000)])
    args = ("group", "-k", "city,year", "sum:n", "--csv")
    limited = heddle(*args, "-S", "4K", "--tmp", tmp_path, stdin=table,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (180, 180)))
    assert limited.stdout == heddle(*args, stdin=table).stdout
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_output_as_it_was(heddle, tmp_path):
    table, _ = table_of(20_000, 8, [f"c{i}" for i in range(9000)])
    out = tmp_path / "out.csv"
    out.write_text("as it was")
    error = heddle(
        "group", "-k", "city", "sum:x", "-S", "64K", "--tmp", tmp_path, "-o", out, code=1, stdin=table,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))).stderr.decode()
    assert "is grouped in parts and cannot be kept in" in error and "--tmp a folder on a larger disk" in error
    assert out.read_text() == "as it was"
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]


def test_an_interrupt_ends_it_without_files(heddle, tmp_path):
    table, _ = table_of(20_000, 9, [f"c{i}" for i in range(9000)])
    done = subprocess.Popen(
        [heddle.program, "group", "-k", "city", "sum:x", "-S", "64K", "--tmp", tmp_path], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=heddle.environment)
    done.stdin.write(table)
    done.stdin.flush()
    time.sleep(0.2)
    done.send_signal(signal.SIGINT)
    out, _ = done.communicate(timeout=30)
    assert done.returncode == 130 and out == b"" and not os.listdir(tmp_path)


@pytest.mark.parametrize("threads", (1, 4))
def test_the_first_error_is_told_of(heddle, threads):
    """Whichever thread finds one first."""
    row = b'"a\nb",1.5\n' * 300_000
    table = b"k,x\n" + row + b"c,bad\n" + row + b"d,worse\n"
    error = heddle("group", "-k", "k", "sum:x", "-d,", "--threads", threads, stdin=table, code=1).stderr
    assert b"standard input:600002:3: 'bad' is no number" in error


def test_records_across_blocks(heddle):
    """Quoted line ends, long fields and comments at the borders of blocks of 1 MiB."""
    rng = random.Random(10)
    rows = [(rng.choice(["a", "b\nc", "d,e"]), rng.choice(["", "x" * rng.randrange(3000), '"\n"']))
            for _ in range(4000)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("k", "t"))
    for i, row in enumerate(rows):
        writer.writerow(row)
        if i % 100 == 0:
            out.write('#,"a comment, with a quote\n\n')
    out.write('a,"' + "y" * 3_000_000 + '\n"\n')
    args = ("group", "-k", "k", "count", "distinct:t", "--json", "-q")
    found = json.loads(heddle.text(*args, stdin=out.getvalue().encode()))
    rows.append(("a", "y"))
    for g in found["groups"]:
        part = [t for k, t in rows if k == g["key"]]
        assert g["count"] == len(part) and g["distinct:t"] == len(set(part) - {""})
    assert len(found["groups"]) == 3


def test_typed_as_text(heddle, tmp_path):
    """Columns that are taken as they are come to what their text comes to; --na has a table read as text."""
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(5)
    n = 2000
    there = rng.random(n) < 0.9

    def column(values, kind):
        return pa.array([v if t else None for v, t in zip(values, rng.permutation(there))], kind)

    words = rng.choice(["Oslo", "Bergen", "", "a,b", 'q"'], n)
    table = pa.table({
        "word": column(words, pa.string()), "dict": column(words, pa.string()).dictionary_encode(),
        "view": column(words, pa.string_view()), "small": column(rng.integers(0, 5, n), pa.int8()),
        "whole": pa.array(rng.integers(-10**15, 10**15, n)), "u64": pa.array(rng.integers(2**62, 2**64 - 1, n, np.uint64)),
        "real": column(rng.standard_normal(n), pa.float64()), "bit": column(rng.random(n) < .5, pa.bool_()),
        "day": column(rng.integers(0, 9, n).astype(np.int32), pa.date32()),
        "digits": pa.array([str(v) for v in rng.integers(0, 50, n)])})
    path = tmp_path / "t.arrow"
    with pa.ipc.new_file(str(path), table.schema) as file:
        file.write_table(table, max_chunksize=777)
    for key in ("word", "dict", "view", "bit", "digits", "word,small,day"):
        args = ["group", "-k", key, "count", "sum:whole", "max:whole", "sum:u64", "mean:real", "sum:small", "count:small",
                "sum:bit", "sum:digits", "distinct:day", "first:dict", "last:real", "distinct:word", "min:real",
                "--nan", "skip", "--csv", path]
        typed = heddle.text(*args)
        assert typed == heddle.text(*args, "--na", "nothing") and typed.count("\n") > 2
    assert heddle.text(*args, "--threads", 3, "-S", "64K") == typed
    assert heddle.text("group", "-k", "small", "sum:whole", "--where", "small > 2", "--csv", path).count("\n") == 3
    message = heddle.error("group", "-k", "small", "sum:day", path, code=1)
    assert "column 'day', row " in message and "is no number" in message
    assert "NaN" in heddle.error("group", "-k", "word", "sum:real", "--nan", "error", path, code=1)


@pytest.mark.parametrize("missing", [0, 0.1])
@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64"])
def test_words_of_a_dictionary(heddle, tmp_path, kind, missing):
    """Columns of places in a small dictionary, one of a large one, and words that are missing, against the same as text."""
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(6)
    n, many = 40_000, 100 if kind == "int8" else 5000
    words = pa.array([None if i == 3 and missing else f"word {i}" for i in range(many)])
    few = pa.array(["b", "a\0", "", "\u00fc"])
    mask = lambda: rng.random(n) < missing
    table = pa.table({
        "few": pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, 4, n), getattr(pa, kind)(), mask=mask()), few),
        "many": pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, many, n), getattr(pa, kind)(), mask=mask()), words),
        "x": np.round(rng.standard_normal(n), 3)})
    plain = table.cast(pa.schema([("few", pa.string()), ("many", pa.string()), ("x", pa.float64())]))
    for name, of in (("d", table), ("p", plain)):
        with pa.ipc.new_file(tmp_path / f"{name}.arrow", of.schema) as out:
            out.write_table(of, max_chunksize=17_000)
    for key in ("few", "many", "few,many"):
        args = ("group", "-k", key, "sum:x", "count", "first:many", "distinct:few", "--csv", "--threads", 2)
        assert heddle.text(*args, tmp_path / "d.arrow") == heddle.text(*args, tmp_path / "p.arrow")


@pytest.mark.parametrize("groups", [1, 7, 900, 3000])
def test_few_groups_of_many_rows_have_one_result(heddle, tmp_path, groups):
    """Rows that are folded as they come, and all at once: the same bits, first and last ones, and exact sums of integers."""
    rng = np.random.default_rng(groups)
    n = 700_000
    key = rng.integers(0, groups, n)
    key[: n // 2] %= max(groups // 2, 1)  # some groups begin late
    x, whole = rng.standard_normal(n), rng.integers(-2**62, 2**62, n) >> 30
    path = tmp_path / "t.csv"
    path.write_text("k,x,n,t\n" + "".join(f"{k},{v!r},{w},t{i}\n" for i, (k, v, w) in
                                          enumerate(zip(key.tolist(), x.tolist(), whole.tolist()))))
    figures = ("sum:x", "mean:x", "var:x", "min:x", "sum:n", "max:n", "count", "first:t", "last:t")
    found = heddle.text("group", "-k", "k", *figures, "--csv", path)
    # A quantile needs all rows at once, so that none are folded before.
    kept = [line.rsplit(",", 1)[0] for line in heddle.text("group", "-k", "k", *figures, "median:x", "--csv", path).split("\n")]
    assert found.split("\n") == kept
    for more in (("--threads", 1), ("-S", "60M"), ("-S", "20M"), ("-S", "4M"), ("-S", "256K")):
        assert found == heddle.text("group", "-k", "k", *figures, "--csv", *more, path)
    place = np.arange(n)
    for row in csv.reader(found.splitlines()[1:]):
        mine = key == int(row[0])
        assert int(row[5]) == whole[mine].sum() and int(row[7]) == mine.sum()
        assert row[8:] == [f"t{place[mine][0]}", f"t{place[mine][-1]}"]
        assert float(row[1]) == pytest.approx(x[mine].sum(), rel=1e-9, abs=1e-9)
