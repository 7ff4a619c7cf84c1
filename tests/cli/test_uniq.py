"""uniq: distinct lines and elements, against sort(1) and uniq(1), NumPy and dictionaries."""

import itertools
import os
import random
import resource
import subprocess

import numpy as np
import pytest
from conftest import TYPES


def coreutils(command, text):
    return subprocess.run(command, shell=True, input=text, capture_output=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def words(count, distinct, seed=1):
    rng = random.Random(seed)
    stems = ["", "x", "aaaaaaaa", "aaaaaaaab", "aaaaaaaabbbbbbbbb", "\xc3\xa9", "# ", '"', " ", "z" * 300]
    return "\n".join(rng.choice(stems) + str(rng.randrange(distinct)) for _ in range(count)).encode("latin-1")


LINES = words(40_000, 900)
SETS = (b"", b"\n", b"a", b"b\na\nb", b"a\n\n\nb\r\nb\n", b"-3\n2\n10\n2\n", words(70, 2))


# ---- lines ----------------------------------------------------------------------------------

@pytest.mark.parametrize("memory", ((), ("-S", "4K"), ("-S", "64K")))
@pytest.mark.parametrize("options, program", (
    ((), "sort -u"), (("-c",), "sort | uniq -c"), (("-d",), "sort | uniq -d"), (("-u", "-c"), "sort | uniq -uc")))
def test_lines_are_those_of_sort_and_uniq(heddle, memory, options, program):
    """With 4 KiB there are more runs than are merged at once."""
    assert heddle("uniq", *options, *memory, stdin=LINES).stdout == coreutils(program, LINES)


def test_few_files_are_open_at_once(heddle):
    done = heddle("uniq", "-S", "4K", stdin=LINES,
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (90, 90)))
    assert done.stdout == coreutils("sort -u", LINES)


@pytest.mark.parametrize("options", ("", "-c", "-d", "-u", "-dc"))
def test_short_texts_and_consecutive_lines(heddle, options):
    given = options and (options,)
    for text in (*SETS, LINES):
        ended = text + b"\n" * (text[-1:] not in (b"\n", b""))
        assert heddle("uniq", *given, stdin=text).stdout == coreutils(f"sort | uniq {options}", ended)
        assert heddle("uniq", "--consecutive", *given, stdin=text).stdout == coreutils(f"uniq {options}", ended)


def test_lines_longer_than_the_memory_and_the_buffer(heddle):
    text = b"\n".join(c * n for c in (b"b", b"a", b"b", b"c") for n in (3_000_000, 5000, 1))
    assert heddle("uniq", "-c", "-S", "4K", stdin=text).stdout == coreutils("sort | uniq -c", text + b"\n")


# ---- tables ---------------------------------------------------------------------------------

TABLE = b'# t\nid,city,n\n1,Oslo,a\n2,"Ulm",b\n3,"a ""q"", b",c\n# x\n4,Oslo,d\n5,,e\n6,"a ""q"", b","f\ng"\n7,Ulm,h\n'


def test_the_first_line_of_each_text_of_a_column(heddle):
    done = heddle("uniq", "-k", "city", stdin=TABLE)
    assert done.stdout == b'# t\nid,city,n\n5,,e\n1,Oslo,a\n2,"Ulm",b\n3,"a ""q"", b",c\n'
    assert b"1 comment behind" in done.stderr
    assert heddle("uniq", "-k", 2, "-c", "-q", stdin=TABLE).stdout == (
        b'# t\ncount,id,city,n\n1,5,,e\n2,1,Oslo,a\n2,2,"Ulm",b\n2,3,"a ""q"", b",c\n')
    assert heddle("uniq", "-k", "city", "-u", "-q", stdin=TABLE).stdout == b"# t\nid,city,n\n5,,e\n"
    assert heddle.text("uniq", "-k", 1, "-c", "--no-header", stdin=b"x y\nz y\nx w\n") == "2 x y\n1 z y\n"
    swapped = heddle("uniq", "-k", "city", "--consecutive", "-c", stdin=b"id;city\n1;a\n2;a\n3;b\n4;a\n").stdout
    assert swapped == b"count;id;city\n2;1;a\n1;3;b\n1;4;a\n"


@pytest.mark.parametrize("memory", ("4K", "100K", "1G"))
def test_tables_of_any_size(heddle, tmp_path, memory):
    rng, path, out = random.Random(3), tmp_path / "t.csv", tmp_path / "o.csv"
    rows = [(f"key{rng.randrange(2000)}", str(i), rng.choice(["", "x" * 50])) for i in range(30_000)]
    path.write_text("k,i,x\n" + "".join(",".join(r) + "\n" for r in rows))
    first, counts = {}, {}
    for row in rows:
        first.setdefault(row[0], row)
        counts[row[0]] = counts.get(row[0], 0) + 1
    heddle("uniq", "-k", "k", "-c", "-S", memory, path, "-o", out)
    assert out.read_text() == "count,k,i,x\n" + "".join(
        f"{counts[k]},{','.join(first[k])}\n" for k in sorted(first))


@pytest.mark.parametrize("options", ((), ("-S", "128K"), ("--threads", 1)))
def test_blocks_by_several_threads(heddle, tmp_path, options):
    """Whole lines and columns, of which the first line in the file is kept, in text of several blocks."""
    rng, path = random.Random(4), tmp_path / "t.csv"
    rows = [f'{rng.randrange(9000):x}commonprefix,"{i}\n{i}"' for i in range(120_000)]
    text = "# c\nk,v\n" + "\n".join(f"{row}\n# {row[:3]}" if i % 5000 == 0 else row for i, row in enumerate(rows))
    path.write_text(text + "\n")
    first = {}
    for row in rows:
        first.setdefault(row.split(",")[0], row)
    done = heddle("uniq", "-k", "k", *options, path)
    assert done.stdout.decode() == "# c\nk,v\n" + "".join(first[k] + "\n" for k in sorted(first))
    assert b"24 comments behind" in done.stderr
    assert heddle("uniq", "-c", *options, path).stdout == coreutils("sort | uniq -c", path.read_bytes())


@pytest.mark.parametrize("options", (("--threads", 2), ("--threads", 3), ("--threads", 9, "-S", "600K")))
def test_the_first_line_comes_from_the_first_block(heddle, tmp_path, options):
    """All blocks have all keys, and threads may come to a later block's before those of the first."""
    rng, path = random.Random(11), tmp_path / "t.csv"
    rows = [(rng.randrange(3000), i) for i in range(60_000)]
    lines = [f'{i},"a ""quoted"" key {k}",{"." * (k % 90)}' for k, i in rows]
    path.write_text("i,k,x\n" + "".join(line + "\n" for line in lines))
    first, counts = {}, {}
    for (key, _), line in zip(rows, lines):
        first.setdefault(str(key), line)
        counts[str(key)] = counts.get(str(key), 0) + 1
    for _ in range(3):
        found = heddle.text("uniq", "-k", "k", "-c", *options, path)
        assert found == "count,i,k,x\n" + "".join(f"{counts[k]},{first[k]}\n" for k in sorted(first))


@pytest.mark.parametrize("bad, message", (
    ("x", b"t.csv:60003:2: the line has too few columns"), ('1,"a" b', b"t.csv:60003:3: something stands behind")))
def test_the_first_bad_line_of_the_file_is_told(heddle, tmp_path, bad, message):
    path = tmp_path / "t.csv"
    lines = ["k,v"] + [f'{i},"{i}-{"y" * 20}"' for i in range(100_000)]
    lines[60_001:60_001] = ["", bad]
    lines[80_000] = "z"
    path.write_text("\n".join(lines) + "\n")
    assert message in heddle("uniq", "-k", "v", path, code=1).stderr
    path.write_text("\n".join(lines) + '\n1,"a\n')
    done = heddle("uniq", "-k", "v", "--skip-bad", path, code=1)
    assert b"t.csv:100004:3: this quote is not closed" in done.stderr
    path.write_text("\n".join(lines) + "\n")
    assert b"2 bad lines passed over" in heddle("uniq", "-k", "v", "--skip-bad", path).stderr


# ---- numbers --------------------------------------------------------------------------------

@pytest.mark.parametrize("memory", ((), ("-S", "16K")))
@pytest.mark.parametrize("name", TYPES)
def test_elements(heddle, save, tmp_path, name, memory):
    rng, dtype, out = np.random.default_rng(5), np.dtype(TYPES[name]), tmp_path / "o.npy"
    x = rng.integers(0, 120, 20_000).astype(dtype)
    if dtype.kind != "f":
        x[::7] = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, x[::7].size, dtype=dtype, endpoint=True)
    else:
        x[::7] = rng.normal(size=x[::7].size)
        x[::1001] = np.nan
    path, (values, counts) = save(x), np.unique(x, return_counts=True)
    for options, kept in (((), counts > 0), (("-d",), counts > 1), (("-u",), counts == 1)):
        heddle("uniq", *options, *memory, path, "-o", out)
        found = np.load(out)
        assert found.dtype == dtype and np.array_equal(found, values[kept], equal_nan=dtype.kind == "f"), options
    lines = heddle.text("uniq", "-c", *memory, path).splitlines()
    assert [int(line.split()[0]) for line in lines] == counts.tolist()
    assert [dtype.type(line.split()[1]) for line in lines][:-1] == values[:-1].tolist()
    assert all(line[7] == " " for line in lines if len(line.split()[0]) <= 7)


def test_consecutive_elements(heddle, tmp_path):
    x, out = np.random.default_rng(8).integers(0, 3, 3_000_001, dtype=np.uint8), tmp_path / "o.raw"
    heddle("uniq", "--bytes", "--consecutive", "-o", out, stdin=x.tobytes())
    expected = x[np.concatenate(([True], x[1:] != x[:-1]))]
    assert out.read_bytes() == expected.tobytes()
    runs = [(len(list(group)), value) for value, group in itertools.groupby(x[:2000].tolist())]
    text = heddle.text("uniq", "--consecutive", "-c", "--bytes", "--count", 2000, stdin=x.tobytes())
    assert text == "".join(f"{n:7} {v}\n" for n, v in runs)


def test_text_as_numbers(heddle, tmp_path):
    text = b"1\n1.0\n-0\n9007199254740993\n0\nnan\n1e0\nNaN\n"
    assert heddle.text("uniq", "-n", "-c", "-q", stdin=text) == (
        "      2 -0\n      3 1\n      1 9007199254740992\n      2 nan\n")
    big = b"9007199254740993\n9007199254740992\n"
    assert heddle("uniq", "--numbers", stdin=big).stdout == b"9007199254740992\n9007199254740993\n"
    assert heddle("uniq", "--numbers", "--consecutive", stdin=big * 2).stdout == big * 2
    assert heddle.text("uniq", "--numbers", "--consecutive", stdin=b"1\n1.0\n2\n1\n") == "1\n2\n1\n"
    out = tmp_path / "o.csv"
    heddle("uniq", "-nc", "-o", out, stdin=b"2\n1\n2\n")
    assert out.read_text() == "count,value\n1,1\n2,2\n"


# ---- mistakes -------------------------------------------------------------------------------

@pytest.mark.parametrize("args, message", (
    (("-d", "-u"), "nothing is both"), (("-k", "a,b"), "-k takes one column"), (("-k", "a:r"), "-k takes one column"),
    (("-k", "a", "-n"), "give one"), (("-k", "a", "--type", "f32"), "no --type"), (("-k", "bogus"), "no column 'bogus'"),
    (("-S", "1"), "--memory takes"), (("-nc", "-o", "x.npy"), "two columns"), (("-o", "x.npy"), "--numbers reads"),
    (("-k", "a", "-o", "x.tsv"), "no tabs")))
def test_refused(heddle, args, message, tmp_path):
    assert message in heddle.error("uniq", *args, stdin=b"a,b\n1,2\n" if "-nc" not in args else b"1\n", code=2,
                                   cwd=tmp_path)


def test_lines_with_too_few_columns(heddle):
    table = b"a,b\n1,2\n3\n4,2\n"
    assert "3:2: the line has too few columns" in heddle("uniq", "-k", "b", stdin=table, code=1).stderr.decode()
    done = heddle("uniq", "-k", "b", "--skip-bad", stdin=table)
    assert done.stdout == b"a,b\n1,2\n" and b"1 bad line passed over" in done.stderr
