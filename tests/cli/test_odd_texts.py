"""Texts that CSV, C and terminals would rather not have: zero bytes, '#', blanks and quotes around them."""

import csv
import html
import io
import json

import numpy as np
import pytest

ODD = ["#1", " a", "a ", "\u00fc", 'b"', "c,d", "e\nf", "x", "x\0y", "x\0z"]


@pytest.fixture(name="records")
def records_of(tmp_path):
    """A table of texts and numbers that is no text itself: an array of records. NumPy cuts zero bytes at the end alone."""
    rows = [(text, i) for i, text in enumerate(ODD)] + [("x\0y", 100)]
    path = tmp_path / "odd.npy"
    np.save(path, np.array(rows, dtype=[("k", "U4"), ("v", "i8")]))
    return path


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


SUMS = {text: i + 100 * (text == "x\0y") for i, text in enumerate(ODD)}


@pytest.mark.parametrize("threads", [1, 2])
def test_groups_have_whole_texts(heddle, records, threads):
    args = ("group", "-k", "k", "sum:v", "first:k", "distinct:k", records, "--threads", threads)
    rows = rows_of(heddle.text(*args, "--csv"))[1:]
    assert {row[0]: int(row[1]) for row in rows} == SUMS
    assert all(row[0] == row[2] and row[3] == "1" for row in rows)
    assert [row[0] for row in rows] == sorted(ODD)
    found = heddle.json(*args)["groups"]
    assert {g["key"]: g["sum:v"] for g in found} == SUMS and all(g["key"] == g["first:k"] for g in found)
    lines = [json.loads(line) for line in heddle.text(*args, "--json-lines").splitlines()]
    assert [g["k"] for g in lines] == sorted(ODD)
    table = heddle.text(*args)
    assert "x\\x00y" in table and "\0" not in table
    assert html.unescape(heddle.text(*args, "--html", "-")).count("x\ufffdz") == 2


def test_csv_of_groups_is_read_back(heddle, records):
    groups = heddle("group", "-k", "k", "sum:v", records, "--csv").stdout
    again = heddle.text("group", "-k", "k", "sum:sum:v", "--format", "text", "--csv", stdin=groups)
    assert {row[0]: int(row[1]) for row in rows_of(again)[1:]} == SUMS


@pytest.mark.parametrize("command", [("uniq", "-k", "k"), ("select", "v < 50"), ("sort", "-k", "v")])
def test_lines_of_tables_are_read_back(heddle, records, command):
    lines = heddle(*command, records).stdout
    assert [row[0] for row in sorted(rows_of(lines.decode())[1:])][: len(ODD)] == sorted(
        ODD + ["x\0y"] * (command[0] == "sort"))[: len(ODD)]
    again = heddle("uniq", "-k", "k", "--format", "text", stdin=lines).stdout.decode()
    assert [row[0] for row in rows_of(again)[1:]] == sorted(ODD)
    assert '\u00fc,' in lines.decode() and '"\u00fc"' not in lines.decode()


def test_describe_has_whole_texts(heddle, records):
    found = {row["column"]: row for row in heddle.json("describe", records)}
    assert found["k"]["top"] == "x\0y" and found["k"]["distinct"] == len(ODD) and found["k"]["frequency"] == 2
    assert "x\0y" in [row[-2] for row in rows_of(heddle.text("describe", records, "--csv"))]
    assert "x\\x00y\n" in heddle.text("describe", records)
    assert heddle.text("count", "--distinct", "-c", "k", records) == f"{len(ODD)}\n"


def test_boxes_have_whole_names(heddle, records):
    found = {row["group"] for row in heddle.json("box", "-c", "v", "--by", "k", records)}
    assert found == {text.replace("\0", "\ufffd") for text in ODD}


def test_text_with_zero_bytes_is_text_where_that_is_said(heddle):
    text = b"k,v\nx\0y,1\nx\0z,2\nx,3\nx\0y,4\n"
    for command in (["group", "-k", "k", "sum:v"], ["uniq", "-k", "k"], ["describe"], ["sum", "-c", "v"]):
        message = heddle.error(*command, stdin=text, code=1)
        assert "zero bytes" in message and "--format text" in message
    groups = rows_of(heddle.text("group", "--format", "text", "-k", "k", "sum:v", "--csv", stdin=text))
    assert groups == [["k", "sum:v"], ["x", "3"], ["x\0y", "5"], ["x\0z", "2"]]
    assert heddle.text("sum", "--format", "text", "-c", "v", stdin=text) == "10\n"
    assert heddle.text("select", "--format", "text", 'k == "x"', stdin=text) == "k,v\nx,3\n"
    assert "--format has no 'npy'; it is one of: text" in heddle.error("group", "--format", "npy", "-k", "k", "count", stdin=text, code=2)


def test_texts_are_counted(heddle):
    text = b"k,t,x\na,foo,1\nb,,2\na,bar,\nb,7,3\nc,2020-01-01,4\n"
    rows = rows_of(heddle.text("group", "-k", "k", "count:t", "count:x", "first:t", "--csv", stdin=text))
    assert rows[1:] == [["a", "2", "1", "foo"], ["b", "1", "2", ""], ["c", "1", "1", "2020-01-01"]]
    message = heddle.error("group", "-k", "k", "count:t", "sum:t", stdin=text, code=1)
    assert ":2:3: 'foo' is no number; figures of text are count, first, last and distinct" in message
    assert message == heddle.error("group", "-k", "k", "sum:t", "count:t", stdin=text, code=1)


def test_texts_of_records_are_counted(heddle, records):
    rows = rows_of(heddle.text("group", "-k", "v", "count:k", "--csv", records))
    assert {row[1] for row in rows[1:]} == {"1"}
    assert "is no number" in heddle.error("group", "-k", "v", "count:k", "max:k", records, code=1)


def test_tabs_at_both_ends_are_empty_fields(heddle):
    text = b"first name\tn\n" + b"".join(b"a b\t\n" if i % 3 else b"\t5\n" for i in range(30))
    assert heddle.text("sum", "-c", "n", "--nan", "skip", stdin=text) == "50\n"
    assert rows_of(heddle.text("group", "-k", "first name", "count", "--csv", stdin=text)) == [
        ["first name", "count"], ["", "10"], ["a b", "20"]]
    # Lines that begin with tabs, and have none inside, are still fields of their own.
    assert heddle.text("sum", stdin=b"\t1\n\t2\n\t3\t\n") == "6\n"
