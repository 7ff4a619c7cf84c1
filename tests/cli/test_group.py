"""group: figures of the rows that have one key, against Python's dictionaries."""

import csv
import gzip
import io
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


def test_several_keys(heddle):
    table = b"year,city,x\n2021,Oslo,1\n2020,Ulm,2\n2021,Aal,4\n2020,Ulm,8\n999,,16\n"
    assert heddle.text("group", "-k", "year,city", "sum:x", "count", stdin=table) == (
        "year  city  sum:x  count\n"
        "999            16      1\n"
        "2020  Ulm      10      2\n"
        "2021  Aal       4      1\n"
        "2021  Oslo      1      1\n")
    assert heddle.text("group", "-k", "city", "-k", "year", "sum:x", "--csv", stdin=table) == (
        "city,year,sum:x\n,999,16\nAal,2021,4\nOslo,2021,1\nUlm,2020,10\n")
    found = groups(heddle, "-k", "2,1", "max:x", stdin=table)
    assert found["key"] == ["city", "year"] and found["groups"][3] == {"key": ["Ulm", "2020"], "max:x": 8}
    args = ("group", "-k", "city,year", "first:x", "sum:x", "--json-lines")
    lines = heddle.text(*args, stdin=table).splitlines()
    assert json.loads(lines[-1]) == {"city": "Ulm", "year": "2020", "first:x": "2", "sum:x": 10}
    assert len(lines) == 4


def test_keys_are_not_mixed_up(heddle):
    """Fields whose join is one text are keys of their own."""
    table = b"a,b\nx,yz\nxy,z\n,xyz\nxyz,\n" + "\u00e9,\u00e9\n".encode()
    found = groups(heddle, "-k", "a,b", "count", stdin=table)["groups"]
    assert [g["key"] for g in found] == [["", "xyz"], ["x", "yz"], ["xy", "z"], ["xyz", ""], ["\u00e9", "\u00e9"]]


def test_missing_values(heddle):
    table = b"k,x,t\na,,\na,2,u\na,4,\nb,,\nc,nan,v\n"
    args = ("count", "count:x", "sum:x", "mean:x", "min:x", "median:x", "first:t", "last:t",
            "distinct:t")
    found = {g.pop("key"): list(g.values()) for g in groups(heddle, "-k", "k", *args, stdin=table)["groups"]}
    assert found == {"a": [3, 2, "nan", "nan", "nan", "nan", "", "", 1],
                     "b": [1, 0, "nan", "nan", "nan", "nan", "", "", 0],
                     "c": [1, 0, "nan", "nan", "nan", "nan", "v", "v", 1]}
    found = {g.pop("key"): list(g.values())
             for g in groups(heddle, "-k", "k", *args, "--nan", "skip", stdin=table)["groups"]}
    assert found == {"a": [3, 2, 6, 3, 2, 3, "u", "u", 1],
                     "b": [1, 0, 0, "nan", "nan", "nan", "", "", 0],
                     "c": [1, 0, 0, "nan", "nan", "nan", "v", "v", 1]}


def test_rows_for_which_a_condition_holds(heddle):
    args = ("-k", "town", "sum:qty", "count", "--csv")
    assert heddle.text("group", *args, "--where", 'price > 1 && town != "Aal"', stdin=GOODS) == (
        "town,sum:qty,count\nBern,2,1\nUlm,3,1\n")
    missing = heddle.text("group", *args, "--where", "price is missing", stdin=GOODS)
    assert missing == "town,sum:qty,count\nUlm,5,1\n"
    assert heddle.text("group", *args, "--where", "qty > 99", stdin=GOODS) == "town,sum:qty,count\n"


def test_bad_lines_are_passed_over(heddle):
    table = b'k,x\na,1\na,oops\na\nb,"2" 3\nb,4\n'
    done = heddle("group", "-k", "k", "sum:x", "count", "--csv", "--skip-bad", stdin=table)
    assert done.stdout == b"k,sum:x,count\na,1,1\nb,4,1\n"
    assert b"3 bad lines passed over" in done.stderr


BIG = 2 ** 63 - 1


def test_integers_never_wrap(heddle):
    table = f"k,x\nb,{BIG}\na,{BIG}\nb,-7\na,7\na,-7\nc,{BIG}\nc,1\n".encode()
    args = ("group", "-k", "k", "sum:x", "--csv", "-q")
    fitting = heddle.text(*args, "--where", 'k != "c"', stdin=table)
    assert fitting == f"k,sum:x\na,{BIG}\nb,{BIG - 7}\n"
    for figure, group in (("sum:x", "c"), ("prod:x", "a"), ("sum_squares:x", "a")):
        error = heddle.error("group", "-k", "k", figure, code=1, stdin=table)
        assert f"{figure} of the group '{group}' does not fit 64 bits; with a point" in error
    assert heddle.text(*args, stdin=table + b"d,.5\n").splitlines()[3] == "c,9.223372036854776e+18"


def test_rounded_integers_are_told_of(heddle):
    for table in (b"k,x\na,9007199254740993\na,0.5\n", b"k,x\na,0.5\na,9007199254740993\n",
                  b"k,x\na,18446744073709551615\n"):
        done = heddle("group", "-k", "k", "max:x", stdin=table)
        assert b"integers beyond 2^53 in column 'x' were rounded to f64" in done.stderr
    assert heddle("group", "-k", "k", "max:x", stdin=b"k,x\na,9007199254740992\na,0.5\na,1e300\n").stderr == b""


def test_a_table_has_nothing_that_a_terminal_obeys(heddle):
    table = b'k,t\n"\x1b[2J\nx",\xff\n'
    args = ("group", "-k", "k", "first:t", "-d,")
    assert heddle.text(*args, stdin=table).splitlines()[1] == r"\x1b[2J\x0ax     \xff"
    assert heddle(*args, "--csv", stdin=table).stdout == b'k,first:t\n"\x1b[2J\nx",\xff\n'


def test_packed_files_and_other_tables(heddle, tmp_path):
    packed = tmp_path / "goods.csv.gz"
    packed.write_bytes(gzip.compress(GOODS))
    args = ("group", "-k", "town", "sum:qty", "max:price", "--csv", "--nan", "skip")
    expected = heddle(*args, stdin=GOODS).stdout
    assert heddle(*args, packed).stdout == expected
    assert heddle(*args, stdin=b"\xef\xbb\xbf" + GOODS.replace(b"\n", b"\r\n")).stdout == expected
    blanks = b"# a comment\ntown price   qty\nUlm   1\t 2\nBern  3 4\nUlm 5 6\n"
    assert heddle.text(*args, stdin=blanks) == "town,sum:qty,max:price\nBern,4,3\nUlm,8,5\n"
    lines = ["k" + "".join(f",c{i}" for i in range(80)), *(f"{k}" + f",{k}" * 80 for k in (1, 2, 1))]
    wide = heddle.text("group", "-k", "k", "sum:c79", "sum:c3", "--csv", stdin="\n".join(lines).encode())
    assert wide == "k,sum:c79,sum:c3\n1,2,2\n2,2,2\n"


def test_nothing_and_one_column(heddle):
    assert groups(heddle, "-k", "a", "sum:b", stdin=b"a,b\n")["groups"] == []
    found = groups(heddle, "-k", 1, "count", "--no-header", stdin=b"x\ny\nx\n")["groups"]
    assert found == [{"key": "x", "count": 2}, {"key": "y", "count": 1}]


@pytest.mark.parametrize("args, table, code, message", (
    (("sum:price",), GOODS, 2, "-k COLUMN"),
    (("-k", "town:r", "count"), GOODS, 2, "rising"),
    (("-k", "town"), GOODS, 2, "sum:COLUMN"),
    (("-k", "town", "count", "a", "b"), GOODS, 2, "second file"),
    (("-k", "town", "sum:bogus"), GOODS, 2, "no column 'bogus'"),
    (("-k", "town", "sum:name"), GOODS, 1,
     "standard input:2:12: 'a \"b\"' is no number; figures of text are count, first"),
    (("-k", "town", "sum:price"), GOODS + b'Ulm,"1,5",1,x\n', 1, ":8:5: '1,5' is no number"),
    (("-k", "bogus", "count"), GOODS, 2, "no column 'bogus'; it has 1 'town', 2 'price'"),
    (("-k", "town", "averge:price"), GOODS, 2, "no figure is called 'averge'; it is one of count, sum"),
    (("-k", "town", "avg:price"), GOODS, 2, "did you mean 'mean'?"),
    (("-k", "town", "medain:price"), GOODS, 2, "did you mean 'median'?"),
    (("-k", "town", "p101:price"), GOODS, 2, "'p101' is no quantile: p has 0 to 100"),
    (("-k", "town", "q1.5:price"), GOODS, 2, "'q1.5' is no quantile"),
    (("-k", "town", "sum"), GOODS, 2, "'sum' needs a column behind it: sum:COLUMN"),
    (("-k", "town", "sum:"), GOODS, 2, "'sum:' has no column behind its colon"),
    (("-k", "town", "count", "--where", "> 3"), GOODS, 2, "says of no column"),
    (("-k", "town", "count", "--where", "bogus > 3"), GOODS, 2, "no column 'bogus'"),
    (("-k", "town", "count", "--where", "name > 3"), GOODS, 1, ":2:12: 'a \"b\"' is no number, and --where"),
    (("-k", "town", "count", "-S", "1"), GOODS, 2, "--memory takes bytes"),
    (("-k", "town", "count", "-o", "x.npy"), GOODS, 2, ".jsonl"),
    (("-k", "town", *(f"sum:c{i}" for i in range(65))), GOODS, 2, "more than 64 figures"),
    (("-k", "town", "sum:name", "-d,"), b"town,name\nUlm\n", 1, ":2:4: the line has too few columns"),
    (("-k", "a", "sum:b", "-d,"), b'a,b\n"x,1\n', 1, "quote is not closed"),
))
def test_refused(heddle, args, table, code, message):
    done = heddle("group", *args, stdin=table, code=code)
    assert message in done.stderr.decode()


def test_numbers_as_they_are_written_elsewhere(heddle, tmp_path):
    """Words for what is missing, a decimal comma, separators of thousands, another sign of comments."""
    table = tmp_path / "t.csv"
    table.write_text("% made by hand\ncity;x\na;1.234,5\nb;NA\n% between\na;2\nb;-0,25\n")
    done = heddle("group", "-k", "city", "sum:x", table, "-d", ";", "--comment", "%", "--decimal", ",",
                  "--thousands", ".", "--na", "NA,-", "--nan", "skip", "--csv")
    assert done.stdout.decode().splitlines() == ["city,sum:x", "a,1236.5", "b,-0.25"]
    refused = heddle("group", "-k", "city", "sum:x", table, "-d", ";", "--comment", "%", "--na", "NA", code=1)
    assert b"1.234,5" in refused.stderr


def test_quotes_wherever_they_may_stand(heddle):
    fields, pick, sums, out = ("a", "b c", "d,e", 'f"g', "two\nlines", "", " h "), random.Random(4), {}, io.StringIO()
    rows = [(pick.choice(fields), pick.choice(fields), pick.randrange(9)) for _ in range(500)]
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("k", "note", "x"), *rows])
    for k, note, x in rows:
        sums[k, note] = sums.get((k, note), 0) + x
    found = heddle.text("group", "-k", "k,note", "sum:x", "--csv", stdin=out.getvalue().encode())
    assert {(k, note): x for k, note, x in list(csv.reader(io.StringIO(found)))[1:]} == {
        key: str(x) for key, x in sums.items()}
