"""--axis: along any axis of an n-D array, C or Fortran ordered, against NumPy."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

shapes = hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=6)


@given(data=st.data(), shape=shapes, fortran=st.booleans())
def test_integers_along_any_axis(heddle, tmp_path, data, shape, fortran):
    x = np.arange(np.prod(shape)).reshape(shape) * 7 % 31
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    path, out = tmp_path / "x.npy", tmp_path / "y.npy"
    np.save(path, np.asfortranarray(x) if fortran else x)
    for op, expected in (("sum", x.sum(axis)), ("max", x.max(axis)), ("argmin", x.argmin(axis))):
        heddle("reduce", "--op", op, "--axis", axis, path, "-o", out)
        np.testing.assert_array_equal(np.load(out).reshape(expected.shape), expected)
    heddle("scan", "--axis", axis, path, "-o", out)
    np.testing.assert_array_equal(np.load(out), np.cumsum(x, axis))


def test_text_and_json(heddle, save):
    x = np.arange(24).reshape(2, 3, 4)
    path = save(x)
    expected = x.sum(1)
    rows = [list(map(int, line.split())) for line in heddle.text("sum", "--axis", 1, path).splitlines()]
    assert rows == expected.tolist()
    got = heddle.json("sum", "--axis", 1, path)
    assert got["shape"] == [2, 4] and got["values"] == expected.ravel().tolist()
    got = heddle.json("reduce", "--op", "argmax", "--axis", -1, path)
    assert got["indices"] == [3] * 6 and got["values"] == x.max(-1).ravel().tolist()


def test_describe_along_an_axis(heddle, save):
    x = np.random.default_rng(8).standard_normal((3, 500))
    rows = heddle.json("describe", "--axis", 1, save(x))
    assert [r["index"] for r in rows] == [[0], [1], [2]]
    np.testing.assert_allclose([r["mean"] for r in rows], x.mean(1))
    np.testing.assert_allclose([r["variance"] for r in rows], x.var(1))
    assert [r["min"] for r in rows] == x.min(1).tolist()


def test_compressed_and_big_endian_arrays_are_read_whole(heddle, tmp_path):
    import gzip
    x = np.arange(1_500_000, dtype=">f8").reshape(3, -1)
    plain = tmp_path / "x.npy"
    np.save(plain, x)
    packed = tmp_path / "x.npy.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes(), 1))
    for path in (plain, packed):
        assert heddle.json("sum", "--axis", 1, path)["values"] == x.sum(1).tolist()


@pytest.mark.parametrize("axis", ["2", "-3", "x", "99999999999999999999"])
def test_bad_axis(heddle, save, axis):
    assert "--axis" in heddle.error("sum", "--axis", axis, save(np.ones((2, 2))), code=2)


def test_axis_needs_dimensions(heddle, save):
    assert ".npy" in heddle.error("sum", "--axis", 0, stdin=b"1\n2\n", code=2)
    assert "no values" in heddle.error("min", "--axis", 0, save(np.ones((0, 2))), code=1)
    path = save(np.ones((2, 2)))
    assert "--count" in heddle.error("sum", "--axis", 0, "--count", 1, path, code=2)


def test_places_along_an_axis(heddle, save):
    """"[0, 0]" in one field of CSV was more than a reader could take apart."""
    x = np.random.default_rng(8).standard_normal((2, 4, 3))
    path = save(x)
    lines = list(csv.reader(heddle.text("describe", "--axis", 1, "--csv", path).splitlines()))
    assert lines[0][:4] == ["axis0", "axis2", "count", "nan"] and len(set(map(len, lines))) == 1
    assert [line[:2] for line in lines[1:]] == [[str(i), str(k)] for i in range(2) for k in range(3)]
    rows = heddle.json("describe", "--axis", 1, path)
    for line, row in zip(lines[1:], rows):
        i, k = row["index"]
        assert [str(i), str(k)] == line[:2]
        assert float(line[lines[0].index("min")]) == row["min"] == x[i, :, k].min()
    assert "[1, 2]" in heddle.text("describe", "--axis", 1, path)
    none = heddle.text("describe", "--axis", 1, "--csv", save(np.ones((0, 4, 3))))
    assert none.startswith("axis0,axis2,count,") and none.count("\n") == 1
    one = heddle.text("describe", "--axis", 0, "--csv", save(np.ones(3)))
    assert one.startswith("count,") and one.count("\n") == 2
