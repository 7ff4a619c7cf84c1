"""Arrow IPC streams and files (Feather): columns of numbers, missing values, words and dictionaries as keys."""

import csv
import io
import subprocess

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")

ROWS = 3000


def make_table():
    rng = np.random.default_rng(3)
    missing = rng.random(ROWS) < 0.2
    words = np.array(["plain", "with, comma", 'a "quote"', "ü longer than twelve bytes", "", " blank"])
    x = rng.standard_normal(ROWS)
    return pa.table({
        "x": x, "f": x.astype(np.float32), "h": x.astype(np.float16), "i": rng.integers(-9, 9, ROWS).astype(np.int16),
        "u": rng.integers(0, 1 << 62, ROWS).astype(np.uint64), "n": pa.array(rng.integers(0, 99, ROWS), mask=missing),
        "nx": pa.array(x, mask=missing), "bool": x > 0, "word": words[rng.integers(0, 6, ROWS)],
        "some": pa.array(words[rng.integers(0, 5, ROWS)], mask=missing),
        "key": pa.array(words[rng.integers(0, 3, ROWS)]).dictionary_encode(),
        "code": pa.array(rng.integers(0, 4, ROWS) * 10).dictionary_encode(),
        "when": pa.array(rng.integers(0, 1 << 40, ROWS), pa.timestamp("us"))})


def stream(table, rows=1000, **options):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=rows)
    return sink.getvalue()


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(scope="module", params=["stream", "zstd", "file", "lz4", "views"])
def path(table, request, tmp_path_factory):
    path = tmp_path_factory.mktemp("arrow") / "t.arrow"
    if request.param in ("file", "lz4"):
        feather.write_feather(table, path, compression="lz4" if request.param == "lz4" else "uncompressed",
                              chunksize=700)
    elif request.param == "views":
        pl = pytest.importorskip("polars")
        try:
            pl.from_arrow(table).write_ipc(path)
        except Exception:  # a polars without float16
            pytest.skip("polars does not write these types")
    else:
        path.write_bytes(stream(table, compression="zstd" if request.param == "zstd" else None))
    return path


@pytest.mark.parametrize("column, kind", [
    ("x", np.float64), ("f", np.float32), ("h", np.float16), ("i", np.int16), ("u", np.uint64), ("bool", np.uint8),
    ("code", np.int64), ("when", np.int64)])
def test_columns_of_numbers(heddle, table, path, tmp_path, column, kind):
    out = tmp_path / "y.npy"
    heddle("convert", "-c", column, path, "-o", out)
    got = np.load(out)
    expected = table[column].cast(pa.int64()) if column == "when" else table[column]
    if column == "code":
        expected = expected.cast(pa.int64())
    assert got.dtype == kind and np.array_equal(got, expected.to_numpy().astype(kind))
    with open(path, "rb") as file:
        heddle("convert", "-c", column, "-", "-o", out, stdin=file.read())
    assert np.array_equal(np.load(out), got)


def test_missing_values(heddle, table, path):
    expected = table["n"].to_numpy()
    assert heddle.text("sum", "-c", "n", path) == "nan\n"
    assert float(heddle.text("sum", "-c", "n", "--nan", "skip", path)) == np.nansum(expected)
    done = heddle.json("describe", "-c", "nx,n", path)
    rows = done if isinstance(done, list) else done["columns"]
    assert [row["nan"] for row in rows] == [table["n"].null_count] * 2
    assert "has no" not in heddle.text("sum", "-c", "n", "--nan", "skip", stdin=path.read_bytes())


def test_several_columns_have_one_type(heddle, table, path, tmp_path):
    heddle("convert", "-c", "i,bool", path, "-o", tmp_path / "a.csv")
    got = np.loadtxt(tmp_path / "a.csv", delimiter=",", skiprows=1, dtype=np.int64)
    assert np.array_equal(got[:, 0], table["i"].to_numpy())
    assert (tmp_path / "a.csv").read_text().startswith("i,bool\n")
    rows = heddle.text("sum", "-c", "x,i", path).split()
    assert float(rows[0]) == pytest.approx(table["x"].to_numpy().sum(), rel=1e-12)
    assert float(rows[2]) == table["i"].to_numpy().sum()
    done = heddle("sum", "-c", "u,x", path)
    assert b"integers beyond 2^53 in column 'u' were rounded" in done.stderr


@pytest.mark.parametrize("key", ["word", "key", "some"])
def test_words_as_keys(heddle, table, path, key):
    done = heddle.text("group", "--csv", "-k", key, "count", "sum:i", path)
    got = {}
    for row in list(csv.reader(io.StringIO(done)))[1:]:
        got[row[0]] = (int(row[1]), int(row[2]))
    words, numbers = table[key].to_pylist(), table["i"].to_pylist()
    expected = {}
    for word, number in zip(words, numbers):
        word = (word or "").strip() if word != " blank" else " blank"
        count, total = expected.get(word, (0, 0))
        expected[word] = (count + 1, total + number)
    assert got == expected


def test_rows_by_a_condition(heddle, table, path):
    text = heddle.text("select", "x > 2.5", path)
    again = heddle.text("group", "-k", "bool", "count", "--json", stdin=text.encode())
    assert f'"count": {int((table["x"].to_numpy() > 2.5).sum())}' in again
    assert text.splitlines()[0] == ",".join(table.column_names)
    assert heddle.text("sum", "-c", "f", "--type", "f64", path)


def test_windows_of_rows(heddle, table, path):
    x = table["i"].to_numpy()
    assert heddle.text("sum", "-c", "i", "--offset", 950, "--count", 100, path) == f"{x[950:1050].sum()}\n"
    assert heddle.text("sum", "-c", "i", "--offset", ROWS + 5, path) == "0\n"


def test_statistics_of_two_passes(heddle, table, path):
    x = table["x"].to_numpy()
    assert float(heddle.text("median", "-c", "x", path)) == np.median(x)
    with open(path, "rb") as file:
        assert heddle.json("hist", "-c", "x", "--bins", 7, stdin=file.read())["count"] == ROWS
    assert len(heddle.text("sort", "-c", "i", path).split()) == ROWS


def test_what_is_not_read_says_so(heddle, table, path, tmp_path):
    assert "holds text" in heddle.error("sum", "-c", "word", path, code=1)
    assert "choose by --column: 1 'x', 2 'f'" in heddle.error("sum", path, code=2)
    assert "leave out --delimiter" in heddle.error("sum", "-c", "x", "-d", ",", path, code=2)
    assert "choose its columns by --column" in heddle.error("sum", "--member", "x", path, code=2)
    nested = pa.table({"l": [[1], [2, 3]], "s": [{"a": 1}, {"a": 2}], "x": [1, 2], "d": pa.array([1, 2], pa.decimal128(5)),
                       "z": pa.nulls(2)})
    (tmp_path / "n").write_bytes(stream(nested))
    assert heddle.text("sum", "-c", "x", tmp_path / "n") == "3\n"
    for name, kind in (("l", "list"), ("s", "struct"), ("d", "decimal"), ("z", "null")):
        assert f"of type {kind}" in heddle.error("sum", "-c", name, tmp_path / "n", code=1)
    assert heddle.text("group", "-k", "x", "count", "--csv", tmp_path / "n").split() == ["x,count", "1,1", "2,1"]
    assert "'s' is of type struct" in heddle.error("group", "-k", "x", "first:s", tmp_path / "n", code=1)
    assert "has no column 'y'" in heddle.error("group", "-k", "y", "count", tmp_path / "n", code=2)
    assert "'l' is of type list" in heddle.error("select", "x > 1", tmp_path / "n", code=1)
    (tmp_path / "v1").write_bytes(b"FEA1" + bytes(60) + b"FEA1")
    assert "Feather of version 1" in heddle.error("sum", tmp_path / "v1", code=1)


def test_empty_tables(heddle, tmp_path):
    path = tmp_path / "e"
    path.write_bytes(stream(pa.table({"x": pa.array([], pa.float64()), "w": pa.array([], pa.string())})))
    assert heddle.text("sum", "-c", "x", path) == "0\n"
    assert heddle.text("select", "x > 1", path) == "x,w\n"
    path.write_bytes(stream(pa.table({"w": pa.array(["a", None, "a"])})))
    assert heddle.text("group", "-k", "w", "count", "--csv", path).split() == ["w,count", ",1", "a,2"]


def test_damaged_files(heddle, tmp_path):
    """Cut anywhere, or with any byte turned, it is a message or numbers, never a signal."""
    small = pa.table({"x": [1, None, 3], "w": pa.array(["a", "b", "a"]).dictionary_encode()})
    path = tmp_path / "d"
    sink = tmp_path / "f"
    feather.write_feather(small, sink, compression="uncompressed")
    good = stream(small, rows=2)
    for cut in range(16, len(good) - 8, 61):
        path.write_bytes(good[:cut])
        run = subprocess.run([heddle.program, "sum", "-c", "x", path], capture_output=True, env=heddle.environment)
        assert run.returncode == 1 or (run.returncode, run.stdout) in ((0, b"0\n"), (0, b"nan\n")), cut
    for raw in (good, sink.read_bytes()):
        for at in range(12, len(raw), 23):
            path.write_bytes(raw[:at] + bytes([raw[at] ^ 0x81]) + raw[at + 1:])
            run = subprocess.run([heddle.program, "group", "-k", "w", "sum:x", path], capture_output=True,
                                 env=heddle.environment, timeout=20)
            assert run.returncode in (0, 1, 2), (at, run.returncode)
    path.write_bytes(sink.read_bytes()[:-3])
    assert "no footer" in heddle.error("sum", "-c", "x", path, code=1)


def test_lz4(heddle, tmp_path):
    """Literals, matches that overlap themselves, long counts, several linked blocks."""
    rng = np.random.default_rng(8)
    parts = [np.zeros(100_000), rng.standard_normal(200_000), np.tile(rng.standard_normal(7), 50_000), np.arange(300_000.0)]
    x = np.concatenate(parts)
    path = tmp_path / "x.feather"
    feather.write_feather(pa.table({"x": x}), path, compression="lz4")
    heddle("convert", path, "-o", tmp_path / "y.npy")
    assert np.array_equal(np.load(tmp_path / "y.npy"), x)
    raw = bytearray(path.read_bytes())
    for at in range(1000, 1_600_000, 200_003):
        raw[at] ^= 0xff
        (tmp_path / "bad").write_bytes(raw)
        run = subprocess.run([heddle.program, "sum", tmp_path / "bad"], capture_output=True, env=heddle.environment)
        assert run.returncode in (0, 1)


def test_dates_as_text(heddle, tmp_path):
    days = np.array([0, -1, 59, 789, 19_000, 11_016, -719_528, 2_932_896], "i4")
    moments = np.array([0, -1, 1_700_000_000_123_456_789, -62_135_596_800 * 10**6, 951_782_400 * 10**9])
    path = tmp_path / "d.arrows"
    path.write_bytes(stream(pa.table({"d": pa.array(days, pa.date32()), "m": pa.array(days.astype("i8") * 86_400_000, pa.date64())})))
    text = heddle.text("select", 'd >= "0"', path).split()[1:]
    expected = [str(v) for v in days.astype("M8[D]")]
    assert text == [f"{d},{d}" for d in expected]
    assert heddle.text("select", 'd < "1970" && d > "1000"', path).split()[1:] == ["1969-12-31,1969-12-31"]
    assert heddle.text("max", "-c", "d", path) == "2932896\n"
    for unit, zone in (("s", None), ("ms", "UTC"), ("us", None), ("ns", "Europe/Berlin")):
        values = moments // {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[unit]
        path.write_bytes(stream(pa.table({"t": pa.array(values, pa.timestamp(unit, zone))})))
        got = heddle.text("select", 't >= "0"', path).split()[1:]
        assert got == [str(v) + ("Z" if zone else "") for v in values.astype(f"M8[{unit}]")]


def counted(keys, x):
    groups = {}
    for key, value in zip(keys, x):
        group = groups.setdefault(key, [0, 0])
        group[0] += 1
        group[1] += value
    return groups


def hide(array, missing):
    """The array with some of it missing, whose bytes are there as before."""
    bits = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(array.type, len(array), [bits, *array.buffers()[1:]])


@pytest.mark.parametrize("rows", (1, 255, 256, 257, 1024, 1025, 1281, 40_000))
@pytest.mark.parametrize("kind", ("text", "large text", "words", "few words"))
@pytest.mark.parametrize("some_missing", (False, True))
def test_keys_of_any_number_of_rows(heddle, tmp_path, rows, kind, some_missing):
    """Texts are taken many at a time, and where the first of them are all new, or are not, others are."""
    rng = np.random.default_rng(rows)
    kinds = 7 if kind == "few words" else 5000
    number = np.where(np.arange(rows) < 1100, np.arange(rows) % kinds, rng.integers(0, kinds, rows))
    keys = [f"{'prefix ' * (n % 3)}{n}" if n else "" for n in number.tolist()]
    missing = (rng.random(rows) < 0.3) & some_missing
    x = rng.integers(-99, 99, rows)
    column = pa.array(keys, pa.large_string() if kind == "large text" else pa.string())
    if "words" in kind:
        column = column.dictionary_encode()
        column = pa.DictionaryArray.from_arrays(hide(column.indices, missing), column.dictionary)
    else:
        column = hide(column, missing)
    path = tmp_path / "keys.arrow"
    feather.write_feather(pa.table({"k": column, "x": x, "same": column}), path, compression="uncompressed")
    found = heddle.json("group", "-k", "k", "count", "sum:x", "first:same", "distinct:same", path)["groups"]
    keys = ["" if gone else key for key, gone in zip(keys, missing)]
    expected = counted(keys, x.tolist())
    assert {g["key"]: [g["count"], g["sum:x"]] for g in found} == expected
    assert all(g["first:same"] == g["key"] and g["distinct:same"] == (g["key"] != "") for g in found)


def test_integers_as_keys_are_in_order_of_their_values(heddle, tmp_path):
    """They are numbers without a look at their texts; with one missing they are not."""
    rng = np.random.default_rng(6)
    keys = np.concatenate([rng.integers(-500, 500, 3000), rng.integers(-1 << 62, 1 << 62, 3000)])
    for mask in (None, np.arange(keys.size) == 4000):
        column = pa.array(keys, mask=mask)
        path = tmp_path / "integers.arrow"
        feather.write_feather(pa.table({"k": column}), path, compression="uncompressed")
        found = [g["key"] for g in heddle.json("group", "-k", "k", "count", path)["groups"]]
        texts = {"" if value is None else str(value) for value in column.to_pylist()}
        assert found == (sorted(texts, key=lambda t: (float(t), t)) if mask is None else sorted(texts))
