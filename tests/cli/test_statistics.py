"""Statistics of columns that are not of one column alone, or of what is missing: corr, --weights, --distinct, --nan."""

import csv
import io

import numpy as np
import pytest


def table(columns):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([["" if x != x else repr(float(x)) for x in row] for row in zip(*columns.values(), strict=True)])
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(5)
    x = rng.standard_normal(9000)
    y = 1e8 + x + rng.standard_normal(9000)  # a sum of squares would cancel
    return {"x": x, "y": y, "z": rng.uniform(0, 1, 9000) * (x > 0), "c": np.full(9000, 3.0)}


def test_corr(heddle, columns, tmp_path):
    data, path = table(columns), tmp_path / "t.csv"
    path.write_bytes(data)
    expected = np.corrcoef([columns[name] for name in "xyz"])
    one = heddle.json("corr", "-c", "x,y", path)
    assert one["value"] == pytest.approx(expected[0, 1], abs=1e-12) and one["count"] == 9000
    all_ = heddle.json("corr", "-c", "1-3", path)
    assert all_["columns"] == ["x", "y", "z"] and all_["count"] == 9000
    np.testing.assert_allclose(all_["values"], expected, atol=1e-12)
    assert all_["values"][0][1] == one["value"] and all_["values"][2][2] == 1
    assert heddle.json("corr", "-c", "x,y", "--threads", "1", stdin=data) == one
    rows = list(csv.reader(io.StringIO(heddle.text("corr", "-c", "x,y,z", "--csv", path))))
    assert rows[0] == ["column", "x", "y", "z"] and float(rows[2][1]) == one["value"]
    assert heddle.text("corr", "-c", "x,y,z", path).splitlines()[1].split()[-1] == "y"
    heddle("corr", "-c", "x,y,z", path, "-o", tmp_path / "m.npy")
    assert np.load(tmp_path / "m.npy").tolist() == all_["values"]
    half = columns["x"] > 0.5
    assert heddle.json("corr", "-c", "x,y", "--where", "x > 0.5", path)["value"] == pytest.approx(
        np.corrcoef(columns["x"][half], columns["y"][half])[0, 1], abs=1e-12)
    assert heddle.text("corr", "-c", "x,x", path).strip() == "1"
    assert heddle.text("corr", "-c", "x,c", path).strip() == "nan"
    assert heddle.json("corr", "-c", "x,c,y", path)["values"][1] == ["nan"] * 3
    assert "two columns" in heddle.error("corr", "-c", "x", path, code=2)


def test_corr_of_what_is_missing(heddle, columns):
    holes = {name: np.where(np.arange(9000) % (7 + i) == 0, np.nan, values)
             for i, (name, values) in enumerate(columns.items())}
    data = table(holes)
    assert heddle.json("corr", "-c", "x,y", stdin=data)["value"] == "nan"
    got = heddle.json("corr", "-c", "x,y,z", "--nan", "skip", stdin=data)["values"]
    for i, a in enumerate("xyz"):
        for j, b in enumerate("xyz"):
            both = ~np.isnan(holes[a]) & ~np.isnan(holes[b])
            assert got[i][j] == pytest.approx(np.corrcoef(holes[a][both], holes[b][both])[0, 1], abs=1e-12)


def test_weights(heddle, columns):
    data = table(columns)
    rows = heddle.json("mean", "-c", "x,y", "--weights", "z", stdin=data)
    assert [row["value"] for row in rows] == pytest.approx(
        [np.average(columns[name], weights=columns["z"]) for name in "xy"], rel=1e-13)
    assert heddle.json("mean", "-c", "x", "--weights", "z", "--threads", "1", stdin=data)["value"] == rows[0]["value"]
    data = b"a,w\n1,1\n2,\n,5\n4,3\n"
    assert heddle.text("mean", "-c", "a", "--weights", "w", "--nan", "skip", stdin=data).strip() == "3.25"
    assert heddle.text("mean", "-c", "a", "--weights", "w", stdin=data).strip() == "nan"
    assert "add up to 0" in heddle.error("mean", "-c", "a", "--weights", "w", stdin=b"a,w\n1,1\n2,-1\n", code=1)
    for words, message in ((["--weights", "w"], "-c NAME"), (["-c", "a", "--weights", "w", "--by", "a"], "--by"),
                           (["-c", "a", "--weights", "w", "--axis", "0"], "--axis")):
        assert message in heddle.error("mean", *words, stdin=data, code=2)


def test_distinct(heddle, save):
    data = b'a,b\nx,1\ny,1.0\nx,\n"x",NA\n'
    rows = heddle.json("count", "--distinct", "-c", "a,b", "--na", "NA", stdin=data)
    assert [(row["column"], row["value"], row["count"]) for row in rows] == [("a", 2, 4), ("b", 2, 4)]
    assert heddle.text("count", "--distinct", "-c", "b", "--where", 'a == "x"', "--na", "NA", stdin=data).strip() == "1"
    assert heddle.text("count", "--distinct", stdin=b"q\nr\nr\n1\n").strip() == "2"  # q is the header
    by = heddle.text("count", "--distinct", "-c", "b", "--by", "a", "--csv", stdin=data)
    assert by == "a,distinct:b\nx,2\ny,1\n"
    assert "heddle uniq" in heddle.error("count", "--distinct", save(np.arange(3)), code=2)
    assert "choose some by -c" in heddle.error("count", "--distinct", stdin=data, code=2)
    assert "--type" in heddle.error("count", "--distinct", "--type", "i8", stdin=data, code=2)


@pytest.mark.parametrize("command", ["sum", "mean", "std", "median", "mode", "minmax", "describe", "corr"])
def test_nan_that_is_an_error(heddle, save, command):
    more = ["-c", "a,b"]
    message = heddle.error(command, *more, "--nan", "error", stdin=b"b,a\n1,2\n3,\n", code=1)
    assert "element 2 of column 'a'" in message
    whole = heddle.text(command, *more, "--nan", "error", stdin=b"b,a\n1,2\n3,4\n")
    assert whole == heddle.text(command, *more, "--nan", "keep", stdin=b"b,a\n1,2\n3,4\n")
    if command == "corr":
        return
    assert "element 2" in heddle.error(command, "-c", "a", "--by", "b", "--nan", "error", stdin=b"b,a\n1,2\n3,\n", code=1)
    for dtype in (np.float16, np.float32, np.float64):
        x = np.array([1, -np.inf, np.inf, np.nan], dtype)
        assert "element 4" in heddle.error(command, "--nan", "error", save(x), code=1)
        heddle(command, "--nan", "error", save(x[:3]))


def test_nan_error_of_tables(heddle):
    assert "element 2" in heddle.error("describe", "--nan", "error", stdin=b"a,b\n1,x\n,y\n", code=1)
    assert "1 fields" in heddle.error("describe", "--nan", "error", stdin=b"a,b\n1,x\n2,\n", code=1)
    assert "--axis" in heddle.error("sum", "--nan", "error", "--axis", "0", stdin=b"", code=2)
