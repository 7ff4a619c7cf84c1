"""Columns of .npy arrays: the fields of records, and the columns of two dimensions, with and without --where."""

import csv
import io
import json

import numpy as np
import pytest

FIELDS = [("x", "f8"), ("n", ">i4"), ("city", "S5"), ("u", "U3"), ("pair", "f4", (2,)), ("b", "?"), ("q", "i8")]
STATISTICS = (("sum",), ("min",), ("max",), ("mean",), ("std",), ("var",), ("count",), ("median",), ("minmax",),
              ("quantile", "0.1,0.9"), ("describe",), ("top",), ("mode",), ("reduce", "--op", "sum_squares"))


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """More than one batch, with padding between the fields."""
    rng, n = np.random.default_rng(6), 30_000
    a = np.zeros(n, dtype=np.dtype(FIELDS, align=True))
    a["x"], a["n"], a["q"] = rng.normal(size=n).round(3), rng.integers(-3, 5, n), rng.integers(-2**48, 2**48, n)
    a["city"], a["u"] = rng.choice([b"Oslo", b"Rome", b""], n), rng.choice(['a"', "\xe9", "\U0001f600,x"], n)
    a["b"] = a["n"] > 1
    path = tmp_path_factory.mktemp("records") / "r.npy"
    np.save(path, a)
    return path, a


def test_fields_are_columns(heddle, records, tmp_path):
    path, a = records
    assert heddle.text("sum", "-c", "n", path).strip() == str(a["n"].sum())
    assert heddle.text("sum", "-c", "q", stdin=path.read_bytes()).strip() == str(sum(map(int, a["q"])))
    assert heddle.text("max", "-c", "1", path) == heddle.text("max", stdin="\n".join(map(str, a["x"])).encode())
    np.savez(tmp_path / "r.npz", r=a, other=np.arange(3))
    assert heddle.text("sum", "-c", "b", tmp_path / "r.npz:r").strip() == str(a["b"].sum())
    np.save(tmp_path / "grid.npy", a[:100].reshape(5, 20))
    assert heddle.text("sum", "-c", "n", tmp_path / "grid.npy").strip() == str(a["n"][:100].sum())


@pytest.mark.parametrize("statistic", STATISTICS, ids=" ".join)
def test_where_of_records(heddle, records, statistic):
    path, a = records
    left = a["x"][(a["n"] > 0) & (a["city"] == b"Oslo") & (a["u"] != 'a"')]
    got = heddle.json(*statistic, "-c", "x", "--where", 'n > 0 && city == "Oslo" && u != "a\\""', path)
    assert left.size > 1000 and got == heddle.json(*statistic, stdin="\n".join(map(str, left)).encode())


def test_groups_histograms_and_rows_of_records(heddle, records, tmp_path):
    path, a = records
    for where, kept in (((), a), (("--where", "q > 0"), a[a["q"] > 0])):
        rows = list(csv.DictReader(io.StringIO(heddle.text("group", "-k", "u", "sum:n", "count", "--csv", *where, path))))
        assert {r["u"]: (int(r["sum:n"]), int(r["count"])) for r in rows} == {
            u: (kept["n"][kept["u"] == u].sum(), (kept["u"] == u).sum()) for u in np.unique(a["u"])}
        counts = heddle.json("hist", "-c", "n", "--integer", *where, path)["counts"]
        assert counts == np.bincount(kept["n"] + 3).tolist()
    out = tmp_path / "o.jsonl"
    heddle("convert", "-c", "x,n,city,u,b,q", path, "-o", out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(r["x"], r["n"], r["u"], r["b"], r["q"]) for r in rows] == a[["x", "n", "u", "b", "q"]].tolist()
    assert [r["city"] or "" for r in rows] == [c.decode() for c in a["city"]]
    small = tmp_path / "s.npy"
    np.save(small, np.array([(1, b"a,b"), (2, b"c")], dtype=[("k", "u1"), ("t", "S3")]))
    assert heddle.text("select", "k > 0 && t != \"c\"", small) == 'k,t\n1,"a,b"\n'
    assert heddle.text("sort", "-k", "k:r", small) == 'k,t\n2,c\n1,"a,b"\n'


@pytest.mark.parametrize("dtype", ("f4", ">f8", "i8", "u1"))
def test_columns_of_two_dimensions(heddle, tmp_path, dtype):
    a = np.random.default_rng(2).integers(0, 100, (70_000, 5)).astype(dtype)
    path = tmp_path / "m.npy"
    np.save(path, a)
    kept = a[a[:, 2] > 30][:, 1]
    assert float(heddle.text("sum", "-c", "2", path)) == a[:, 1].sum(dtype="f8")
    for statistic, value in (("sum", kept.sum(dtype="f8")), ("median", np.median(kept)), ("count", kept.size)):
        assert float(heddle.text(statistic, "-c", "2", "--where", "`3` > 30", path)) == value, statistic
    counts = heddle.json("hist", "-c", "2", "--integer", "--where", "`3` > 30", path)["counts"]
    assert counts == np.bincount(kept.astype(int)).tolist()
    rows = heddle.text("select", "`3` > 98 && `1` == 7", path).splitlines()
    assert rows[0] == "1,2,3,4,5"
    expected = a[(a[:, 2] > 98) & (a[:, 0] == 7)]
    assert [[float(x) for x in row.split(",")] for row in rows[1:]] == expected.tolist()
    assert float(heddle.text("sum", "--where", "> 30", path)) == a[a > 30].sum(dtype="f8")  # of elements, as before


def header(descr, shape="(2,)", data=b"\0" * 64):
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text + data


@pytest.mark.parametrize("descr, message", (
    ("[('x', '<f8'), ('y', '|O')]", "Python objects"), ("[('x', [('y', '<f8')])]", "fields of its own"),
    ("[('x', '<f8')", "( expected"), ("[('x', '<f8'", "a number"), ("[('x', '<f99999999999')]", "a size below"),
    ("[('x', 'S2000000000')]", "at most 16 MiB"), ("[('x', '<f8', (2000000, 2000000))]", "at most 16 MiB"),
    ("[('x', '<q7')]", "a known type"), ("[('x\\\\', '<f8')]", "a plain string"), ("[]", "a field that has bytes"),
    ("[('', '|V4')]", "no columns"), ("[('x', '<c16')]", "complex"), ("[('x', 'S0')]", "a field that has bytes"),
    ("[('x', '<f8'), ('y', '<f8')]", "choose by"), ("[('x', '<f8', 3)]", "array"), ("[('x'", "a number")))
def test_records_that_are_not_read(heddle, descr, message):
    code = 2 if message == "choose by" else 1
    assert message in heddle("sum", stdin=header(descr), code=code).stderr.decode()
    if code == 1 and "x" in descr:
        assert message in heddle("sum", "-c", "x", "--where", "x > 1", stdin=header(descr), code=1).stderr.decode()


def test_records_cut_off(heddle, tmp_path):
    for shape, data in (("(9,)", b"\0" * 71), ("(99999999999,)", b"\0" * 64), ("(4611686018427387904,)", b"")):
        path = tmp_path / "r.npy"
        path.write_bytes(header("[('x', '<f8')]", shape, data))
        for args in (("sum", "-c", "x"), ("sum", "-c", "x", "--where", "x > 1"), ("group", "count", "-k", "x")):
            assert b"cut off" in heddle(*args, path, code=1).stderr or b"address" in heddle(*args, path, code=1).stderr
    titled = header("[(('a title', 'x'), '<i4'), ('y', '<i4')]", "(2,)", np.arange(4, dtype="<i4").tobytes())
    assert heddle.text("sum", "-c", "x", stdin=titled).strip() == "2"
