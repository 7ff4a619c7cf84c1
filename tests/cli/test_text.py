"""Tables as people have them: line ends, delimiters, quotes, names, empty fields."""

import csv
import gzip
import io
import math

import numpy as np
import pytest


def test_line_ends_of_old_machines(heddle):
    for size in (1, 100_000):
        rows = [f"{k},{k / 2}" for k in range(size)]
        for end in ("\r", "\r\n", "\n"):
            text = end.join(["a,b", *rows, ""]).encode()
            assert float(heddle.text("sum", "-c", "b", stdin=text)) == size * (size - 1) / 4


def test_a_bar_is_a_delimiter(heddle):
    assert heddle.text("sum", "-c", "b", stdin=b"a|b\n1|2\n3|4\n") == "6\n"


def test_names_with_commas(heddle):
    table = b'"a,b",c,"say ""d"""\n1,2,3\n4,5,6\n'
    assert heddle.text("sum", "-c", '"a,b"', stdin=table) == "5\n"
    got = heddle.text("sum", "-c", 'c,"a,b","say ""d"""', stdin=table).split("\n")
    assert [row.split()[0] for row in got[:3]] == ["7", "5", "9"]
    for wrong in ('"a,b', '"a"b', '"'):
        assert "double quotes" in heddle.error("sum", "-c", wrong, stdin=table, code=2)


def test_names_that_are_numbers(heddle):
    table = b"2023,2024\n1,2\n3,4\n"
    assert "add --header" in heddle.error("sum", "-c", "2024", stdin=table, code=2)
    assert heddle.text("sum", "--header", "-c", "2024", stdin=table) == "6\n"


def test_an_open_quote_is_named(heddle):
    table = b'a,b\n"x,1\ny,2\nz,3\n'
    message = heddle.error("sum", "-c", "b", stdin=table, code=1)
    assert "standard input:2:1: this quote is not closed" in message


def test_empty_fields(heddle):
    table = b"a,b\n1,2\n,3\n4,5\n"
    assert heddle.text("sum", "-c", "a", stdin=table) == "nan\n"
    assert heddle.text("sum", "--nan", "skip", "-c", "a", stdin=table) == "5\n"
    done = heddle("sum", "--skip-bad", "-c", "a", stdin=table)
    assert done.stdout == b"5\n" and b"1 bad line" in done.stderr
    done = heddle("sum", "--skip-bad", "--type", "f32", "-c", "a", stdin=table)
    assert done.stdout == b"5\n"


@pytest.mark.parametrize("word", ["1_000", "0x", "1e", "--5", "1.2.3", "0b1", "1d5", "NA", "\uff11",
                                  "1\u00a0000", "5%", "$5", "nan(1)", "infin", "- 5", "1'000"])
def test_what_is_no_number(heddle, word):
    for args, text in (([], f"1\n{word}\n2\n"), (["-c", "a"], f"a;b\n1;1\n{word};1\n2;1\n")):
        line = 2 if not args else 3
        message = heddle.error("sum", *args, stdin=text.encode(), code=1)
        assert f":{line}:1: " in message and "is not a number" in message


def test_two_tables_one_behind_the_other(heddle):
    table = b"a,b\n1,2\n"
    assert ":3:3: 'b' is not a number" in heddle.error("sum", "-c", "b", stdin=table + table, code=1)
    done = heddle("sum", "--skip-bad", "-c", "b", stdin=table + table)
    assert done.stdout == b"4\n" and b"1 bad line" in done.stderr


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused(heddle, encoding):
    message = heddle.error("sum", stdin="1\n2\n".encode(encoding), code=1)
    assert "UTF-16" in message or "zero bytes" in message


def test_zero_bytes_far_behind(heddle):
    text = b"1\n" * 200_000 + b"\0\n"
    assert ":200001:1: " in heddle.error("sum", stdin=text, code=1)


def hostile_table():
    """A table of 3 MB: quotes, line ends in them, other scripts, quotes within fields; and its third column."""
    rng = np.random.default_rng(11)
    words = ["a", "\u20ac \u00e9t\u00e9", "two\nlines", "comma, here", 'say "so"', "\n\n", "\u4f60\u597d", ""]
    picks = rng.integers(0, len(words), size=(60_000, 2))
    numbers = rng.normal(size=60_000) * 10.0 ** rng.integers(-3, 4, size=60_000)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["n", "w", "x", "v"])
    for k, (a, b) in enumerate(picks):
        if k % 997 == 0:
            out.write(f'{k},5" pipe,{float(numbers[k])!r},1\r\n')  # a quote that opens nothing
        else:
            writer.writerow([k, words[a] * (1 + k % 7), repr(float(numbers[k])), words[b] * 3])
    text = out.getvalue()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == 60_001
    return text.encode(), [float(row[2]) for row in rows[1:]]


def test_several_threads_read_what_one_reads(heddle, tmp_path):
    text, column = hostile_table()
    (tmp_path / "t.csv").write_bytes(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text, 1))
    exact = math.fsum(column)
    for threads in (1, 2, 3, 8):
        for name in ("t.csv", "t.csv.gz"):
            args = ("--exact", "-c", "x", "--threads", threads, tmp_path / name)
            assert float(heddle.text("sum", *args)) == exact
    piped = [heddle("convert", "-c", "x", "--to", "raw", "--threads", n, stdin=text).stdout for n in (1, 3)]
    assert np.array_equal(np.frombuffer(piped[0]), column) and piped[1] == piped[0]
    figures = [heddle.text("describe", "-c", "x,n", "--threads", n, tmp_path / "t.csv") for n in (1, 8)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("bad", ['x,y', '7,"open', '7,"8"9', "7"])
def test_several_threads_say_what_one_says(heddle, tmp_path, bad):
    lines = [f"{k},{k}.5" for k in range(300_000)]
    lines[250_000] = bad
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines))
    said = {heddle.error("sum", "-c", "2", "--threads", threads, path, code=1) for threads in (1, 2, 8)}
    assert len(said) == 1 and f"{path}:250001:" in said.pop()
    sums = {heddle("sum", "-c", "2", "--skip-bad", "--threads", threads, path).stdout for threads in (1, 2, 8)}
    assert len(sums) == 1


@pytest.mark.parametrize("words", ["NA,N/A,null,-", "-999", "0,\u20ac", "nan"])
def test_words_for_what_is_missing(heddle, words):
    rng = np.random.default_rng(len(words))
    known = [*words.split(","), "", *(str(k) for k in range(-3, 4)), "2.5", "-999.0", "00"]
    fields = [known[k] for k in rng.integers(0, len(known), 300)]
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL if "-999" in words else csv.QUOTE_MINIMAL).writerows(
        [["n", "x"], *([k, f] for k, f in enumerate(fields))])
    text = out.getvalue().encode()
    values = [math.nan if f in ("", "nan", *words.split(",")) else float(f) for f in fields]
    for threads in (1, 4):
        got = heddle("convert", "-c", "x", "--na", words, "--to", "raw", "--type", "f64", "--format", "text",
                     "--threads", threads, stdin=text).stdout
        assert np.array_equal(np.frombuffer(got), values, equal_nan=True)
    assert float(heddle.text("sum", "-c", "x", "--na", words, "--nan", "skip", stdin=text)) == np.nansum(values)


def test_missing_integers(heddle):
    table = b"n\n1\nNA\n3\n"
    assert heddle.text("sum", "--na", "NA", "--nan", "skip", stdin=table) == "4\n"
    assert heddle.text("sum", "--na", "NA", stdin=table) == "nan\n"
    assert "3:1: an empty field" in heddle.error("sum", "--na", "NA", "--type", "i32", "--format", "text",
                                                stdin=table, code=1)
    done = heddle("sum", "--na", "NA", "--skip-bad", stdin=table)
    assert done.stdout == b"4\n" and b"1 bad line" in done.stderr
    assert heddle.text("max", "--na", "NA", "--nan", "skip", stdin=b"NA\n7\n") == "7\n"  # no header
    assert heddle.text("convert", "--na", "NA", stdin=b"NA\n7\n") == "nan\n7\n"
    assert heddle.text("sum", "--na", "7", "--nan", "skip", stdin=b"7\n77\n 7 \n") == "77\n"
    for wrong in ("", ",", "NA,,x", ",".join("abcdefghijklmnopqrstuvwxyzABCDEFGH")):
        assert "--na takes" in heddle.error("sum", "--na", wrong, stdin=table, code=2)


def test_comments_begin_with_what_is_said(heddle):
    table = b"% by hand\nx;y\n1;2\n %;9\n3;4\n"
    assert heddle.text("sum", "-c", "y", "--comment", "%", stdin=table) == "6\n"
    assert "4:1" in heddle.error("sum", "-c", "1", "-d", ";", "--no-header", "--comment", "none",
                                 stdin=b"1;2\n3;4\n5;6\n#;7\n", code=1)
    assert heddle.text("sort", "-k", "1", "--comment", "%", stdin=table) == "% by hand\nx;y\n1;2\n3;4\n"
    assert heddle.text("select", "x > 1", "--comment", "%", stdin=table) == "% by hand\nx;y\n3;4\n"
    for wrong in ("a", "1", '"', "", "%%", "-", "\u20ac", ","):
        assert "--comment takes" in heddle.error("sum", "--comment", wrong, stdin=table, code=2)


@pytest.mark.parametrize("thousands", ["", ".", "'", "_", "space"])
@pytest.mark.parametrize("threads", [1, 3])
def test_numbers_as_people_write_them(heddle, thousands, threads):
    rng = np.random.default_rng(3)
    values = [*(rng.normal(size=400) * 10.0 ** rng.integers(-3, 9, 400)), 1234567.0, -1000.0, 999.0, 0.5, 1e300]
    mark = " " if thousands == "space" else thousands
    fields = [f"{v:,.3f}".replace(",", "T").replace(".", ",").replace("T", mark) for v in values]
    fields += ["1,5e3", "-,5", "12", "nan", ""]
    wanted = [float(f"{v:.3f}") for v in values] + [1500.0, -0.5, 12.0, math.nan, math.nan]
    options = ["--decimal", ","] + (["--thousands", thousands] if thousands else [])
    table = "n;x\n" + "".join(f"{k};{f}\n" for k, f in enumerate(fields))
    for args, text in ((["-c", "x"], table), ([], "\n".join(fields[:-1]) + "\n")):
        to = ("--to", "raw", "--threads", threads)
        got = heddle("convert", *args, *options, *to, stdin=text.encode()).stdout
        assert np.array_equal(np.frombuffer(got), wanted[:len(got) // 8], equal_nan=True)
        assert len(got) // 8 >= len(wanted) - 1


def test_separators_stand_between_groups_of_three(heddle):
    style = ("--decimal", ",", "--thousands", ".")
    assert heddle.text("sum", *style, stdin=b"9.007.199.254.740.993\n2\n") == "9007199254740995\n"
    assert heddle.text("sum", *style, stdin=b"0,5\n1.234\n") == "1234.5\n"
    assert heddle.text("sum", "-c", "2", *style, stdin=b"1;0,5\n1;1.234\n") == "1234.5\n"
    for bad in ("1.23", "1.23,5", "1.2345", ".123", "1..234", "1234.567", "1,234.567", "1.234,5,6", "1.",
                "1.234e1.000"):
        assert "2:1: " in heddle.error("sum", *style, stdin=f"1\n{bad}\n".encode(), code=1), bad
    assert "1.5" in heddle.error("sum", "--decimal", ",", stdin=b"1\n1.5\n", code=1)
    assert heddle.text("sum", "--thousands", ",", stdin=b"1,234\n1,234.5\n") == "2468.5\n"
    for wrong in (("--decimal", ";"), ("--thousands", "x"), ("--thousands", "."), ("--decimal", ",", "-d", ","),
                  ("--thousands", "")):
        assert heddle.error("sum", *wrong, stdin=b"1\n", code=2)


def test_several_columns_at_once(heddle):
    table = b"id,a,price,q_x,q_y,2-3\n1,10,100,1000,10000,5\n2,20,200,2000,20000,6\n"

    def sums(*args, stdin=table):
        rows = [row.split() for row in heddle.text("sum", *args, stdin=stdin).splitlines()]
        return {row[-1]: row[0] for row in rows}

    assert sums("-c", "2-4,price,/^q_/") == {"a": "30", "price": "300", "q_x": "3000", "q_y": "30000"}
    assert sums("-c", "/[ax]$/,id") == {"a": "30", "q_x": "3000", "id": "3"}
    assert heddle.text("sum", "-c", "2-3", stdin=table) == "11\n"  # a name goes before a range
    bare = b"\n".join(table.split(b"\n")[1:])
    assert sums("-c", "2-3,5", stdin=bare) == {"2": "30", "3": "300", "5": "30000"}
    wide = b",".join(b"%d" % k for k in range(1030)) + b"\n"
    assert "at most 1024" in heddle.error("sum", "-c", "1-1030", stdin=wide, code=2)
    assert "no column '5-9'" in heddle.error("sum", "-c", "5-9", "--header", stdin=table, code=2)
    assert "no column whose name" in heddle.error("sum", "-c", "/z/", stdin=table, code=2)
    assert "regular expression" in heddle.error("sum", "-c", "/(/", stdin=table, code=2)
    for takes_one in (("scan",), ("dot",), ("hist2d",)):
        heddle.error(*takes_one, "-c", "/q_/", stdin=table, code=2)
