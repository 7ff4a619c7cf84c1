"""group: figures of the rows that have one key, against Python's dictionaries."""

import json
import math
import random

import pytest

GOODS = b'town,price,qty,name\nBern,1.5,2,"a ""b"""\nUlm,2,3,x\nBern,0.25,4,y\n\n"Ulm",,5,z\nAal,7,1,"q"\n'


def groups(heddle, *args, stdin):
    return json.loads(heddle.text("group", "--json", *args, stdin=stdin))


def test_a_table_for_people(heddle):
    assert heddle.text("group", "-k", "town", "sum:price", "mean:qty", "count", stdin=GOODS) == (
        "town  sum:price  mean:qty  count\n"
        "Aal           7         1      1\n"
        "Bern       1.75         3      2\n"
        "Ulm         nan         4      2\n")


def test_csv_json_and_files(heddle, tmp_path):
    expected = "town,sum:qty,min:price\nAal,1,7\nBern,6,0.25\nUlm,8,2\n"
    args = ("-k", "town", "sum:qty", "min:price", "--nan", "skip")
    assert heddle.text("group", *args, "--csv", stdin=GOODS) == expected
    file, out = tmp_path / "goods.csv", tmp_path / "out.csv"
    file.write_bytes(GOODS)
    heddle("group", file, *args, "-o", out)
    assert out.read_text() == expected
    found = groups(heddle, "-k", 4, "count", "max:3", stdin=GOODS)
    assert found["key"] == "name" and found["rows"] == 5
    assert found["groups"][0] == {"key": 'a "b"', "count": 1, "max:3": 2}


def test_the_order_of_keys(heddle):
    table = b"k,v\n10,1\n9,2\n-1.5,3\n9,4\n"
    assert [g["key"] for g in groups(heddle, "-k", "k", "sum:v", stdin=table)["groups"]] == ["-1.5", "9", "10"]
    table += b"a,5\n"
    assert [g["key"] for g in groups(heddle, "-k", "k", "sum:v", stdin=table)["groups"]] == ["-1.5", "10", "9", "a"]


def test_integers_stay_exact_and_floats_follow(heddle):
    table = b"k\tv\na\t9007199254740993\na\t0\nb\t1\n"
    found = groups(heddle, "-k", "k", "sum:v", stdin=table)["groups"]
    assert [g["sum:v"] for g in found] == [9007199254740993, 1]
    found = groups(heddle, "-k", "k", "sum:v", stdin=table + b"b\t0.5\n")["groups"]
    assert found[1]["sum:v"] == 1.5


@pytest.mark.parametrize("threads", (1, 2))
def test_many_rows(heddle, threads):
    random.seed(threads)
    rows = [(f"key {random.randrange(3000)}", random.random()) for _ in range(40_000)]
    table = "k;x\n" + "".join(f"{key};{value!r}\n" for key, value in rows)
    parts = {}
    for key, value in rows:
        parts.setdefault(key, []).append(value)
    found = groups(heddle, "-k", "k", "sum:x", "mean:x", "min:x", "max:x", "count", "--exact",
                   "--threads", threads, stdin=table.encode())["groups"]
    assert [g["key"] for g in found] == sorted(parts)
    for g in found:
        part = parts[g["key"]]
        assert g["sum:x"] == math.fsum(part) and g["count"] == len(part)
        assert g["min:x"] == min(part) and g["max:x"] == max(part)
        assert g["mean:x"] == pytest.approx(math.fsum(part) / len(part))


def test_nothing_and_one_column(heddle):
    assert groups(heddle, "-k", "a", "sum:b", stdin=b"a,b\n")["groups"] == []
    found = groups(heddle, "-k", 1, "count", "--no-header", stdin=b"x\ny\nx\n")["groups"]
    assert found == [{"key": "x", "count": 2}, {"key": "y", "count": 1}]


@pytest.mark.parametrize("args, table, code, message", (
    (("sum:price",), GOODS, 2, "-k COLUMN"),
    (("-k", "town,name", "count"), GOODS, 2, "-k COLUMN"),
    (("-k", "town:r", "count"), GOODS, 2, "rising"),
    (("-k", "town"), GOODS, 2, "sum:COLUMN"),
    (("-k", "town", "count", "a", "b"), GOODS, 2, "second file"),
    (("-k", "town", "sum:bogus"), GOODS, 2, "no column 'bogus'"),
    (("-k", "town", "sum:name"), GOODS, 1, "is no number"),
    (("-k", "town", "sum:name", "-d,"), b"town,name\nUlm\n", 1, ":2: the line has too few columns"),
    (("-k", "a", "sum:b", "-d,"), b'a,b\n"x,1\n', 1, "quote is not closed"),
))
def test_refused(heddle, args, table, code, message):
    done = heddle("group", *args, stdin=table, code=code)
    assert message in done.stderr.decode()
