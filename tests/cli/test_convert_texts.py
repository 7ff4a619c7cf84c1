"""heddle convert of tables with columns of text: to and from Arrow, Parquet, JSON Lines, CSV and TSV."""

import csv
import io
import json
import resource
import sys

import pytest

ENV = {"HEDDLE_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
TEXT = 'city,n,x,note\nOslo,1,1.5,"a, ""b"""\n"Bergen ",,2,\n,3,,""\n"two\nlines",-4,1e5,é€\n'
ROWS = [{"city": "Oslo", "n": 1, "x": 1.5, "note": 'a, "b"'}, {"city": "Bergen ", "n": None, "x": 2, "note": None},
        {"city": None, "n": 3, "x": None, "note": ""}, {"city": "two\nlines", "n": -4, "x": 1e5, "note": "é€"}]
PLAIN = 'city,n,x,note\nOslo,1,1.5,"a, ""b"""\n"Bergen ",,2,\n,3,,""\n"two\nlines",-4,100000,é€\n'


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TEXT)
    return path


def lines(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_text_out_of_csv(heddle, table):
    assert lines(heddle("convert", "-c", "1-4", "--to", "jsonl", table)) == ROWS
    assert lines(heddle("convert", "-c", "1-4", "--to", "jsonl", stdin=TEXT.encode())) == ROWS
    assert heddle.text("convert", "-c", "1-4", "--to", "csv", table) == PLAIN
    assert heddle.text("convert", "-c", "note,n", "--to", "csv", table) == 'note,n\n"a, ""b""",1\n,\n"",3\né€,-4\n'
    assert heddle.text("convert", "-c", "city", "--to", "csv", table) == 'city\nOslo\n"Bergen "\n""\n"two\nlines"\n'
    tsv = heddle.text("convert", "-c", "1-2", "--to", "tsv", "--delimiter", "comma", stdin=b"a,b\nx\ty,1\n'z,2\n")
    marked = 'a,b\n"#z",1\nx#,2\n'
    assert heddle.text("convert", "-c", "1-2", "--to", "csv", stdin=marked.encode()) == marked
    assert tsv == "a\tb\n\"x\ty\"\t1\n'z\t2\n"
    assert heddle.text("convert", "-c", "1-2", "--offset", 1, "--count", 2, "--to", "csv", table) == (
        'city,n\n"Bergen ",\n,3\n')
    assert lines(heddle("convert", "-c", "1-2", "--to", "jsonl", "--na", "NA", stdin=b"a,b\nNA,NA\nx,18446744073709551615\n")
                 ) == [{"a": None, "b": None}, {"a": "x", "b": 18446744073709551615}]


def test_arrow_and_parquet(heddle, tmp_path, table):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    for ending, read in ((".arrow", lambda p: pa.ipc.open_file(p).read_all()),
                         (".arrows", lambda p: pa.ipc.open_stream(p).read_all()), (".parquet", pq.read_table)):
        out = tmp_path / f"o{ending}"
        heddle("convert", "-c", "1-4", table, "-o", out, env=ENV)
        got = read(str(out))
        got.validate(full=True)
        assert got.schema.types == [pa.string(), pa.int64(), pa.float64(), pa.string()] and got.to_pylist() == ROWS
        assert lines(heddle("convert", "-c", "1-4", out, "--to", "jsonl", env=ENV)) == ROWS
    assert heddle.text("convert", "-c", "1-4", tmp_path / "o.arrow", "--to", "csv") == PLAIN


def test_types_of_arrow(heddle, tmp_path):
    pa = pytest.importorskip("pyarrow")
    source = pa.table({"d": pa.array(["a", "b", None, "a"]).dictionary_encode(), "i": pa.array([1, 2, None, 4], pa.int16()),
                       "f": pa.array([.1, .2, .3, None], pa.float32()), "b": [True, None, False, True],
                       "t": pa.array([0, 1, 2, None], pa.date32()), "v": pa.array(["1", "", None, 'q"\0'], pa.large_string())})
    with pa.ipc.new_file(str(tmp_path / "s.arrow"), source.schema) as file:
        file.write(source)
    rows = [dict(row, b=None if row["b"] is None else int(row["b"]), t=row["t"] and row["t"].isoformat())
            for row in source.to_pylist()]
    heddle("convert", "-c", "1-6", tmp_path / "s.arrow", "-o", tmp_path / "o.arrow")
    got = pa.ipc.open_file(str(tmp_path / "o.arrow")).read_all()
    got.validate(full=True)
    assert got.to_pylist() == rows
    assert got.schema.types == [pa.string(), pa.int16(), pa.float32(), pa.uint8(), pa.string(), pa.string()]
    assert [(r["d"], r["v"]) for r in lines(heddle("convert", "-c", "1-6", tmp_path / "s.arrow", "--to", "jsonl"))] == [
        ("a", "1"), ("b", ""), (None, None), ("a", 'q"\0')]
    assert heddle.text("convert", "-c", "d,f", "--offset", 1, "--count", 2, tmp_path / "s.arrow", "--to", "csv") == (
        "d,f\nb,0.2\n,0.3\n")


def test_first_text_late_and_memory(heddle, tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("a,b\n" + "1,2\n" * 900_000 + "x y,3\n" + "long text of this row,4\n" * 200_000)

    def little():
        resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))

    limit = {} if heddle.environment.keys() & {"ASAN_OPTIONS", "TSAN_OPTIONS"} else {"preexec_fn": little}
    heddle("convert", "-c", "1-2", path, "-o", tmp_path / "o.csv", "--threads", 1, **limit)
    with open(tmp_path / "o.csv", newline="") as file:
        assert file.read() == path.read_text()
    message = heddle("convert", "-c", "1-2", path, "--to", "csv", code=1).stderr.decode()
    assert "late.csv:900002:1: 'x y' is not a number" in message and "-o FILE" in message


def test_refused(heddle, tmp_path, table):
    for ending in ("npy", "npz", "raw"):
        message = heddle.error("convert", "-c", "city", table, "-o", tmp_path / f"o.{ending}", code=1)
        assert "holds text" in message and ".arrow, .parquet, .jsonl, .csv or .tsv" in message
        assert not (tmp_path / f"o.{ending}").exists()
    assert "'Oslo' is not a number" in heddle.error("convert", "-c", "city", table, code=1)
    assert "not a number" in heddle.error("convert", "-c", "city", "--out-type", "f32", table, "--to", "jsonl", code=1)
    message = heddle.error("convert", "-c", "1-2", "-o", tmp_path / "o.arrow", stdin=b"a,b\ncaf\xe9,1\n", code=1)
    assert "not UTF-8" in message and "iconv" in message
    assert ":3:5: the line has too few columns" in heddle.error("convert", "-c", "1-2", "--to", "csv", code=1,
                                                             stdin=b"a,b\nx,1\nlast\n")
    assert "this quote is not closed" in heddle.error("convert", "-c", "1-2", "--to", "csv", code=1,
                                                   stdin=b'a,b\nx,1\n"y,2\n')


def test_csv_of_numbers_by_name(heddle):
    got = heddle.text("convert", "-c", "1-2", "--to", "csv", stdin=b"a b\n1 2.50\n3 4\n")
    assert list(csv.reader(io.StringIO(got))) == [["a", "b"], ["1", "2.5"], ["3", "4"]]
