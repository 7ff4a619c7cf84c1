"""heddle convert into formats of columns under names: .npz, JSON Lines, Arrow, Parquet; and back."""

import json
import resource
import sys
import zipfile

import numpy as np
import pytest

ENV = {"HEDDLE_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
TYPES = {"u8": np.uint8, "i16": np.int16, "u32": np.uint32, "i64": np.int64, "f16": np.float16, "f32": np.float32,
         "f64": np.float64}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 100, 777), rng.integers(0, 100, 777)
    path.write_text('x,"y, z"\n' + "".join(f"{a},{b}\n" for a, b in zip(x, y)))
    return path, x, y


def test_npz(heddle, tmp_path, table):
    path, x, y = table
    out = tmp_path / "o.npz"
    heddle("convert", "-c", "1-2", path, "-o", out)
    with np.load(out) as got:
        assert got.files == ["x", "y, z"] and got["x"].dtype == np.int64
        assert np.array_equal(got["x"], x) and np.array_equal(got["y, z"], y)
    assert zipfile.ZipFile(out).testzip() is None
    assert heddle.text("sum", f"{out}:y, z") == f"{y.sum()}\n"
    heddle("convert", "-c", "x", "--out-type", "i16", path, "-o", out)
    assert np.load(out)["x"].dtype == np.int16
    a = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    np.save(tmp_path / "a.npy", a)
    heddle("convert", tmp_path / "a.npy", "-o", out)
    got = np.load(out)["arr_0"]
    assert got.shape == (3, 4) and np.array_equal(got, a)
    packed = heddle("convert", "--to", "npz", tmp_path / "a.npy").stdout
    assert packed == out.read_bytes()


@pytest.mark.parametrize("name, kind", TYPES.items())
def test_types_through_arrow(heddle, tmp_path, name, kind):
    x = np.random.default_rng(2).integers(0, 100, 501).astype(kind)
    np.save(tmp_path / "x.npy", x)
    for ending in (".arrow", ".arrows"):
        heddle("convert", tmp_path / "x.npy", "-o", tmp_path / f"x{ending}")
        heddle("convert", tmp_path / f"x{ending}", "-o", tmp_path / "y.npy")
        got = np.load(tmp_path / "y.npy")
        assert got.dtype == kind and np.array_equal(got, x)


def test_arrow_and_parquet_for_others(heddle, tmp_path, table):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path, x, y = table
    for ending, read in ((".arrow", lambda p: pa.ipc.open_file(p).read_all()),
                         (".arrows", lambda p: pa.ipc.open_stream(p).read_all()), (".parquet", pq.read_table)):
        out = tmp_path / f"o{ending}"
        heddle("convert", "-c", "1-2", path, "-o", out, env=ENV)
        got = read(str(out))
        got.validate(full=True)
        assert got.column_names == ["x", "y, z"] and got["x"].type == pa.int64()
        assert got["x"].to_pylist() == x.tolist() and got["y, z"].to_pylist() == y.tolist()
    empty = tmp_path / "e.arrow"
    heddle("convert", "-o", empty, "-c", "a", "--header", stdin=b"a,b\n")
    assert pa.ipc.open_file(str(empty)).read_all().num_rows == 0
    many = np.random.default_rng(3).standard_normal(700_001).astype(np.float32)
    np.save(tmp_path / "m.npy", many)
    heddle("convert", tmp_path / "m.npy", "-o", empty)
    assert np.array_equal(pa.ipc.open_file(str(empty)).read_all()["value"].to_numpy(), many)


def test_parquet_without_a_python(heddle, tmp_path, table):
    out = tmp_path / "o.parquet"
    out.write_text("precious")
    message = heddle.error("convert", "-c", "x", table[0], "-o", out, env={"HEDDLE_PYTHON": "/none"}, code=1)
    assert "HEDDLE_PYTHON, or write .arrow" in message and out.read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["o.parquet", "t.csv"]


def test_json_lines(heddle, tmp_path):
    big = (1 << 63) - 1
    text = f"a,b\n{big},1.5\n2,nan\n".encode()
    out = tmp_path / "o.jsonl"
    heddle("convert", "-c", "a,b", "-o", out, stdin=text)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert rows == [{"a": big, "b": 1.5}, {"a": 2, "b": None}]
    assert heddle.text("convert", "--to", "jsonl", stdin=b"1\n2\n") == "1\n2\n"
    assert heddle.text("convert", "--to", "jsonl", "-c", "1,2", stdin=b"1 2\n3 4\n").replace(" ", "") == "[1,2]\n[3,4]\n"


def test_unknown_names(heddle, tmp_path):
    for name in ("x.xyz", "x.md"):
        message = heddle.error("convert", "-o", tmp_path / name, stdin=b"1\n", code=2)
        assert ".npz" in message and ".parquet" in message and "--to" in message
    heddle("convert", "-o", tmp_path / "x.xyz", "--to", "text", stdin=b"1\n")
    for name in ("x.txt", "plain", ".hidden"):
        heddle("convert", "-o", tmp_path / name, stdin=b"1\n")
        assert (tmp_path / name).read_text() == "1\n"
    for ending in (".npz", ".arrow", ".parquet"):
        assert "bf16" in heddle.error("convert", "--out-type", "bf16", "-o", tmp_path / f"x{ending}", stdin=b"1\n", code=2)
    assert "does not fit" in heddle.error("convert", "--out-type", "i8", "-o", tmp_path / "x.npz", stdin=b"1\n300\n", code=1)
    assert not (tmp_path / "x.npz").exists()


def rows_of(columns, count=50):
    """A table whose first column is text if `columns` is odd."""
    rows = [[f"c{k}" for k in range(columns)]]
    rows += [[f"t{i}" if k == 0 and columns % 2 else str((i * 31 + k * 17) % 1000) for k in range(columns)]
             for i in range(count)]
    return "".join(",".join(row) + "\n" for row in rows)


@pytest.mark.parametrize("columns", (2, 3, 16, 17, 33, 64, 65, 1000, 1024))
def test_all_columns_of_a_table(heddle, tmp_path, columns):
    table, path = rows_of(columns), tmp_path / "t.csv"
    path.write_text(table)
    assert heddle.text("convert", path, "--to", "csv") == table
    assert heddle.text("convert", "--to", "tsv", stdin=table.encode()) == table.replace(",", "\t")
    heddle("convert", path, "-o", tmp_path / "t.arrow")
    assert heddle.text("convert", tmp_path / "t.arrow", "--to", "csv") == table
    heddle("convert", tmp_path / "t.arrow", "-o", tmp_path / "t.jsonl")
    names = table.split("\n", 1)[0].split(",")
    for line, row in zip((tmp_path / "t.jsonl").read_text().splitlines(), table.splitlines()[1:]):
        assert {k: str(v) for k, v in json.loads(line).items()} == dict(zip(names, row.split(",")))


@pytest.mark.parametrize("columns", (1025,))
def test_more_columns_than_are_read_at_once(heddle, columns):
    table = rows_of(columns).encode()
    assert "at most 1024 columns at once" in heddle.error("convert", "--to", "csv", stdin=table, code=2)
    some = heddle.text("convert", "--to", "csv", "-c", f"2-{columns}", stdin=table)
    assert some.split("\n")[1].split(",") == table.decode().split("\n")[1].split(",")[1:]


def test_no_names_and_one_column(heddle):
    assert heddle.text("convert", "--to", "csv", stdin=b"1 2 3\n4 5 6\n") == "1,2,3\n4,5,6\n"
    assert heddle.text("convert", "--to", "jsonl", stdin=b"1,2\n3,.5\n") == "[1, 2]\n[3, 0.5]\n"
    assert heddle.text("convert", "--to", "csv", stdin=b"1\n4\n") == "1\n4\n"
    assert heddle.text("convert", "--to", "csv", stdin=b"") == ""
    assert heddle.text("convert", stdin=b"1,2\n3,4.5\n") == "1 2\n3 4.5\n"


TABLE = b"id,price,big\n1,2.5,9007199254740993\n2,,9223372036854775809\n-3,1e3,7\n"


def test_all_columns_to_arrays_and_types(heddle, tmp_path):
    heddle("convert", "-o", tmp_path / "t.npz", stdin=b"a,b\n1,2.5\n3,4\n")
    with np.load(tmp_path / "t.npz") as got:
        assert {name: got[name].tolist() for name in got} == {"a": [1, 3], "b": [2.5, 4]}
    heddle("convert", "-o", tmp_path / "t.npz", "--out-type", "i16", stdin=b"a,b\n1,2\n3,4\n")
    with np.load(tmp_path / "t.npz") as got:
        assert {got[name].dtype for name in got} == {np.dtype("i2")}
    heddle("convert", "-o", tmp_path / "t.raw", "--out-type", "f32", stdin=b"a,b\n1,2\n3,4\n")
    assert np.fromfile(tmp_path / "t.raw", np.float32).tolist() == [1, 2, 3, 4]
    assert heddle.text("convert", "--to", "csv", "--skip-bad", stdin=b"a,b\n1,2\n3,x\n") == "a,b\n1,2\n"
    assert "write .npz" in heddle.error("convert", "-o", tmp_path / "t.npy", stdin=b"a,b\n1,2\n", code=2)
    message = heddle.error("convert", "-o", tmp_path / "u.npz", stdin=b"a,b\n1,x\n", code=1)
    assert "holds text" in message or "'x' is not a number" in message
    assert not (tmp_path / "u.npz").exists()


def test_columns_of_numbers_keep_their_types(heddle, tmp_path):
    pa = pytest.importorskip("pyarrow")
    for late in (b"", b"8,2,3\n" * 300_000):  # the first float of id may come far behind
        table = TABLE + late + (b"0.5,1,1\n" if late else b"")
        heddle("convert", "-o", tmp_path / "t.arrow", stdin=table)
        got = pa.ipc.open_file(tmp_path / "t.arrow").read_all()
        assert [str(kind) for kind in got.schema.types] == ["double" if late else "int64", "double", "uint64"]
        assert got["big"].to_pylist()[:3] == [9007199254740993, 9223372036854775809, 7]
        assert got["price"].to_pylist()[:3] == [2.5, None, 1000] and got["id"].to_pylist()[:3] == [1, 2, -3]
    heddle("convert", "-o", tmp_path / "t.arrow", stdin=b"x,y\n.5,1.5\n1,\n")
    assert [str(kind) for kind in pa.ipc.open_file(tmp_path / "t.arrow").schema.types] == ["double", "double"]


def test_many_columns_at_once(heddle, tmp_path):
    rng = np.random.default_rng(4)
    x = rng.integers(0, 1000, (300, 1000)) / rng.choice([1, 8], 1000)
    path = tmp_path / "t.csv"
    path.write_text("".join(",".join(map(repr, row)) + "\n" for row in x.tolist()))
    for threads in (1, 2):
        sums = [row["value"] for row in heddle.json("sum", "-c", "1-1000", "--threads", threads, path)]
        assert np.array_equal(sums, x.sum(0))
        medians = [row["value"] for row in heddle.json("median", "-c", "1-1000", "--threads", threads, path)]
        assert np.array_equal(medians, np.median(x, 0))
    least = [row["min"] for row in heddle.json("minmax", "-c", "1-1000", path)]
    assert np.array_equal(least, x.min(0))
    matrix = heddle.json("corr", "-c", "1-1000", path)["values"]
    assert np.allclose(matrix, np.corrcoef(x.T), atol=1e-9)
    # Each column of an archive is a file until the end; more of them than the usual limit of descriptors.
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    heddle("convert", "-o", tmp_path / "t.npz", path, preexec_fn=few)
    with np.load(tmp_path / "t.npz") as got:
        assert all(np.array_equal(got[str(k + 1)], x[:, k]) for k in range(1000))


@pytest.mark.parametrize("words", ["", ",t", ",nan"])
def test_what_is_missing_is_missing_in_every_table(heddle, tmp_path, words):
    """Empty fields and nan, beside numbers alone, a column of text, one of missing values: null, or an empty field."""
    names, cells = ("a,b" + (",c" if words else "")), words
    table = f"{names}\n1,{cells}\n2,nan{cells}\n,3.5{cells}\n".encode()
    rest = {} if not words else {"c": "t" if words == ",t" else None}
    rows = [{"a": 1, "b": None, **rest}, {"a": 2, "b": None, **rest}, {"a": None, "b": 3.5, **rest}]
    lines = heddle.text("convert", "--to", "jsonl", stdin=table)
    assert [json.loads(line) for line in lines.splitlines()] == rows
    last = "," + (rest["c"] or "") if words else ""
    assert heddle.text("convert", "--to", "csv", stdin=table) == f"{names}\n1,{last}\n2,{last}\n,3.5{last}\n"
    pa = pytest.importorskip("pyarrow")
    heddle("convert", "-o", tmp_path / "t.arrow", stdin=table)
    assert pa.ipc.open_file(tmp_path / "t.arrow").read_all().to_pylist() == rows
    # And back: an Arrow table of numbers alone keeps its types and what it lacks, too.
    assert heddle.text("convert", "--to", "csv", tmp_path / "t.arrow") == f"{names}\n1,{last}\n2,{last}\n,3.5{last}\n"
    heddle("convert", tmp_path / "t.arrow", "-o", tmp_path / "u.arrow")
    first, second = (pa.ipc.open_file(tmp_path / f"{name}.arrow").read_all() for name in "tu")
    assert first.equals(second)
    assert heddle.text("convert", "--to", "csv", stdin=b"1\nnan\n") == "1\nnan\n"  # one column is an array


def test_parquet_without_room_for_its_stream(heddle, tmp_path):
    few = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    table = b"a,b\n" + b"1,2\n" * 20_000
    message = heddle.error("convert", "-o", tmp_path / "t.parquet", stdin=table, env=ENV, preexec_fn=few, code=1)
    assert "the Parquet file is made of an Arrow stream and cannot be kept in" in message
    assert not list(tmp_path.iterdir())
