"""--where and --by of statistics: heddle group's results, and those of the rows that are left."""

import csv
import io
import json

import numpy as np
import pytest

CONDITION = 'qty > 3 && town != "Bergen, ""West"""'.replace('""', '\\"')


@pytest.fixture(scope="module")
def goods(tmp_path_factory):
    """Some 2 MB with quotes, line ends in fields, comments and blank lines: several blocks of text."""
    rng = np.random.default_rng(3)
    out = io.StringIO("")
    out.write("town,qty,price,note\n")
    rows, n = [], 45000
    towns = ("Oslo", 'Bergen, "West"', "Rome", "")
    for i, t, q, p in zip(range(n), rng.integers(0, 4, n), rng.integers(0, 10, n), rng.uniform(0, 9, n), strict=True):
        rows.append((towns[t], int(q), round(p, 3)))
        town = '"' + towns[t].replace('"', '""') + '"' if t == 1 else towns[t]
        out.write(f"{town},{q},{p:.3f},{'x' * 20 if i % 7 else chr(34) + 'two' + chr(10) + 'lines' + chr(34)}\n")
        if i % 1000 == 0:
            out.write("# a comment\n\n")
    path = tmp_path_factory.mktemp("goods") / "goods.csv"
    path.write_text(out.getvalue())
    return path, [row for row in rows if row[1] > 3 and row[0] != towns[1]]


STATISTICS = [("sum",), ("min",), ("max",), ("mean",), ("std", "--ddof", "1"), ("var",), ("count",),
              ("reduce", "--op", "prod"), ("reduce", "--op", "argmax"), ("median",), ("quantile", "0.1,0.75"),
              ("median", "-S", "4K"), ("mode",), ("minmax",), ("describe",), ("top",)]


@pytest.mark.parametrize("statistic", STATISTICS, ids=" ".join)
def test_where_is_as_if_there_were_no_other_rows(heddle, goods, statistic):
    path, rows = goods
    alone = "\n".join(str(row[2]) for row in rows).encode()
    got = heddle.json(*statistic, "-c", "price", "--where", CONDITION, path)
    assert heddle.json(*statistic, "-c", "price", "--where", CONDITION, "--threads", "1", path) == got
    assert heddle.json(*statistic, stdin=alone) == got


def test_where_of_other_shapes(heddle, goods):
    path, rows = goods
    piped = heddle("sum", "-c", "2", "--header", "--where", CONDITION, stdin=path.read_bytes())
    assert int(piped.stdout) == sum(row[1] for row in rows)
    assert heddle.text("sum", "--where", "> 2", stdin=b"1\n5\n# c\n\n7\n").strip() == "12"
    assert heddle.text("sum", "--comment", "none", "--where", "> 2", stdin=b"1\n5\n7\n").strip() == "12"
    assert heddle.text("sum", "-c", "2", "--where", "`1` > 1", stdin=b"1 5\n2  6\n3 7\n").strip() == "13"
    assert heddle.text("sum", "-c", "a", "--where", 'b == "x"', stdin=b"a,b\n1,x\n?,y\n").strip() == "1"
    assert heddle.text("sum", "-c", "a", "--count", "1", "--where", "a > 1", stdin=b"a,b\n1,x\n2,y\n3,z\n").strip() == "2"
    counts = heddle.json("hist", "-c", "qty", "--integer", "--where", CONDITION, path)["counts"]
    assert counts == np.bincount([row[1] for row in rows])[4:].tolist()
    table = heddle.json("describe", "--where", CONDITION, path)
    assert [row["count"] for row in table[1:3]] == [len(rows)] * 2 and table[0]["distinct"] == 2


@pytest.mark.parametrize("where, data, code, words", [
    ("b > 1", b"a,b\n1,2\n2,x\n", 1, ":3:3: 'x' is no number"),
    ("b > 1", b"a,b\n1,2\n2\n", 1, ":3:2: the line has too few columns"),
    ("b > 1", b'a,b\n1,2\n2,"3"x\n', 1, ":3:3: something stands behind"),
    ("b > 1", b'a,b\n1,2\n2,"3\n', 1, ":3:3: this quote is not closed"),
    ("b > 1", b"a,b\n1,0\n", 0, ""),
    ("c > 1", b"a,b\n1,2\n", 2, "no column 'c'"),
    ("> 1", b"a,b\n1,2\n", 2, "which ones are meant"),
    ("b >", b"a,b\n1,2\n", 2, "b >"),
])
def test_where_that_cannot_be(heddle, where, data, code, words):
    done = heddle("sum", "-c", "a", "--where", where, stdin=data, code=code)
    assert words in done.stderr.decode()
    if code == 1:
        done = heddle("sum", "-c", "a", "--skip-bad", "--where", where, stdin=data)
        assert done.stdout.strip() == b"1" and b"1 bad line" in done.stderr


FIGURES = {("sum",): ["sum"], ("min",): ["min"], ("max",): ["max"], ("mean",): ["mean"], ("count",): ["count"],
           ("std", "--ddof", "1"): ["std"], ("var",): ["var"], ("reduce", "--op", "prod"): ["prod"],
           ("minmax",): ["min", "max"], ("median",): ["median"], ("mode",): ["mode"],
           ("quantile", "0.1,0.75"): ["q0.1", "q0.75"], ("sum", "--exact"): ["sum"],
           ("describe",): ["count", "mean", "std", "min", "p25", "p50", "p75", "max"]}


@pytest.mark.parametrize("statistic", FIGURES, ids=" ".join)
def test_by_is_group(heddle, goods, statistic):
    path, _ = goods
    figures = [f"{figure}:{column}" for column in ("price", "qty") for figure in FIGURES[statistic]]
    options = [word for word in statistic[1:] if word in ("--ddof", "1", "--exact")]
    group = heddle.text("group", "-k", "town,note", *figures, *options, "--where", "qty < 5", path)
    by = heddle.text(*statistic, "-c", "price,qty", "--by", "town,note", "--where", "qty < 5", path)
    assert by == group and len(by.splitlines()) > 4


def test_by_and_its_forms(heddle, goods):
    data = b"k,x\nb,1\na,2\na,2\na,7\nb,3\nb,3.5\n"
    rows = list(csv.reader(io.StringIO(heddle.text("mode", "-c", "x", "--by", "k", "--csv", stdin=data))))
    assert rows == [["k", "mode:x"], ["a", "2"], ["b", "1"]]
    lines = heddle.text("count", "--by", "k", "--json-lines", stdin=data).splitlines()
    assert [json.loads(line) for line in lines] == [{"k": "a", "count": 3}, {"k": "b", "count": 3}]
    nan = heddle.text("mode", "-c", "x", "--by", "k", "--csv", stdin=data + b"a,\n")
    assert nan == "k,mode:x\na,nan\nb,1\n"
    assert heddle.text("mode", "-c", "x", "--by", "k", "--csv", "--nan", "skip", stdin=data + b"a,\nc,\n") == (
        "k,mode:x\na,2\nb,1\nc,nan\n")
    little = heddle.text("median", "-c", "price", "--by", "price", "-S", "64K", goods[0])
    assert little == heddle.text("median", "-c", "price", "--by", "price", goods[0])


@pytest.mark.parametrize("words, message", [
    (("mean", "--by", "k"), "-c COLUMN"), (("mean", "--by", "k", "-c", "x", "--offset", "1"), "--offset"),
    (("reduce", "--op", "xor", "--by", "k", "-c", "x"), "xor"), (("mean", "--by", "k:r", "-c", "x"), "--by: groups"),
    (("mean", "--by", "k", "-c", "x", "a", "b"), "one file"), (("mean", "--json-lines"), "--by")])
def test_by_that_cannot_be(heddle, words, message):
    assert message in heddle.error(*words, stdin=b"k,x\n1,2\n", code=2)


def test_where_of_a_table_with_types(heddle, tmp_path):
    """Of an Arrow file rows are asked as those of the same text are, from a pipe, too."""
    text = "price,qty\n" + "".join(f"{k % 97 / 8},{k % 10}\n" for k in range(3000))
    table = tmp_path / "x.arrow"
    heddle.text("convert", "-c", "price,qty", "-o", table, stdin=text.encode())
    for words in (("mean", "-c", "price"), ("median", "-c", "price"), ("describe",), ("hist", "-c", "price")):
        wanted = heddle.text(*words, "--where", "qty > 3 && price < 9", stdin=text.encode())
        assert heddle.text(*words, "--where", "qty > 3 && price < 9", table) == wanted
        assert heddle.text(*words, "--where", "qty > 3 && price < 9", stdin=table.read_bytes()) == wanted
        assert heddle.text(*words, table) != wanted


def test_arrays_are_no_tables(heddle, save):
    assert "heddle convert" in heddle.error("mean", "--where", "a > 1", save(np.arange(6.0).reshape(3, 2)), code=2)
    path = save(np.arange(6.0).reshape(3, 2, order="F"))
    for code, *args in ((2, "mean", "--where", "a > 1"), (1, "mean", "-c", "1"), (1, "select", "a > 1"),
                        (1, "group", "-k", "1", "count")):
        assert "heddle convert FILE.npy -o FILE.csv" in heddle.error(*args, path, code=code)


def test_where_of_arrays(heddle, tmp_path):
    x = np.random.default_rng(8).standard_normal(300_001)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "i.npy", np.arange(-10, 10, dtype=np.int16).reshape(4, 5))
    left = x[(x > 0.5) | (x < -2)]
    np.save(tmp_path / "left.npy", left)
    for condition in ("> 0.5 || < -2", "value > 0.5 || value < -2", "`1` > 0.5 || `1` < -2"):
        for command in (["sum"], ["median"], ["describe", "--json"], ["hist", "--bins", "5", "--csv"], ["ecdf", "--csv"]):
            there = heddle(*command, "--where", condition, tmp_path / "x.npy").stdout
            assert there.replace(b"x.npy", b"left.npy") == heddle(*command, tmp_path / "left.npy").stdout
    assert heddle.text("sum", "--where", "> 0.5 || < -2", "--type", "f64", stdin=x.tobytes()) == heddle.text(
        "sum", tmp_path / "left.npy")
    assert heddle.text("count", "--where", "> 5", tmp_path / "i.npy") == "4\n"
    assert heddle.text("sum", "--where", "> 100", tmp_path / "i.npy") == "0\n"
    for args, part in ((("--where", "price > 3"), "is no column 'price'"), (("--where", "value == value"), "with itself"),
                       (("--where", '== "x"'), "are numbers"), (("--where", "> 3", "--axis", "0"), "with --axis"),
                       (("--where", "value > x"), "no column 'x'")):
        assert part in heddle.error("sum", *args, tmp_path / "i.npy", code=2)
    assert "with --weights" in heddle.error("hist", "--where", "> 3", "--weights", tmp_path / "x.npy", tmp_path / "x.npy",
                                            code=2)
