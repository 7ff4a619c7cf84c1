"""mean, count, std, var, minmax, mode: figures of columns, against NumPy and Python."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from conftest import TYPES, bits_of

PEOPLE = b"name,height,weight\nada,1.5,60\nbob,,61\ncyd,2.5,60\n"


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("count", (1, 2, 30_001))
def test_figures_of_every_type(heddle, save, name, count):
    rng, dtype = np.random.default_rng(count), np.dtype(TYPES[name])
    x = rng.normal(5, 2, count).astype(dtype) if dtype.kind == "f" else rng.integers(0, 100, count).astype(dtype)
    path, exact = save(x), [Fraction(float(v)) for v in x]
    mean = sum(exact) / count
    squares = sum((v - mean) ** 2 for v in exact)
    assert heddle.json("mean", path)["value"] == pytest.approx(float(mean), rel=1e-14)
    assert heddle.json("var", path)["value"] == pytest.approx(float(squares / count), rel=1e-12, abs=1e-20)
    if count > 1:
        sample = float(squares / (count - 1))
        assert heddle.json("var", path, "--ddof", 1)["value"] == pytest.approx(sample, rel=1e-12, abs=1e-20)
        assert heddle.json("std", path, "--ddof", 1)["value"] == pytest.approx(math.sqrt(sample), rel=1e-12)
    found = heddle.json("count", path)
    assert (found["value"], found["type"], found["count"]) == (count, "u64", count)
    found = heddle.json("minmax", path)
    assert (dtype.type(found["min"]), dtype.type(found["max"]), found["type"]) == (x.min(), x.max(), name)
    best = max(Counter(x.tolist()).items(), key=lambda item: (item[1], -item[0]))
    found = heddle.json("mode", path)
    assert (dtype.type(found["value"]), found["count"], found["elements"]) == (dtype.type(best[0]), best[1], count)


def test_the_mean_is_that_of_describe(heddle, save):
    path = save(np.random.default_rng(1).normal(1e6, 1, 300_007).astype(np.float32))
    described = heddle.json("describe", path)
    assert heddle.json("mean", path)["hex"] == bits_of(np.float64(described["mean"]))
    assert heddle.json("mean", "--threads", 2, path) == heddle.json("mean", path)
    assert heddle.json("std", path)["value"] == math.sqrt(heddle.json("var", path)["value"])


def test_columns_and_files(heddle, tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_bytes(PEOPLE)
    b.write_bytes(PEOPLE.replace(b"60", b"70"))
    args = ("-c", "height,weight", "--nan", "skip")
    assert heddle.text("mean", *args, a) == "                 2  height\n60.333333333333336  weight\n"
    assert heddle.text("count", *args, a) == "2  height\n3  weight\n"
    assert heddle.text("count", "-c", "height", a) == "3\n"
    assert heddle.text("mean", "-c", "height", a) == "nan\n"
    assert heddle.text("minmax", *args, a) == "1.5  2.5  height\n 60   61  weight\n"
    assert heddle.text("mode", *args, "--csv", a) == "column,value,count,elements\nheight,1.5,1,3\nweight,60,2,3\n"
    assert heddle.text("mode", "-c", "height", a) == "nan  1\n"
    found = heddle.json("minmax", "-c", "weight", a, b)
    assert [(f["file"], f["min"], f["max"]) for f in found] == [(str(a), 60, 61), (str(b), 61, 70)]
    out = tmp_path / "o.npy"
    heddle("mean", "-c", "weight", a, b, "-o", out)
    assert np.load(out).tolist() == [181 / 3, 67]


def test_integers_of_text_stay_exact(heddle):
    assert heddle.text("minmax", stdin=b"9007199254740993\n18446744073709551615\n") == (
        "9007199254740993  18446744073709551615\n")
    assert heddle.text("mode", stdin=b"9007199254740993\n9007199254740992\n9007199254740993\n") == (
        "9007199254740993  2\n")
    done = heddle("count", stdin=b"9007199254740993\n")
    assert (done.stdout, done.stderr) == (b"1\n", b"")


@pytest.mark.parametrize("axis", (0, 1, -1))
def test_along_an_axis(heddle, save, tmp_path, axis):
    x = np.random.default_rng(3).normal(size=(7, 5, 3))
    x[2, 1, 0] = np.nan
    path, out = save(x), tmp_path / "o.npy"
    for name, expected in (("mean", np.nanmean(x, axis)), ("var", np.nanvar(x, axis, ddof=1)),
                           ("std", np.nanstd(x, axis, ddof=1)), ("count", (~np.isnan(x)).sum(axis))):
        ddof = ("--ddof", 1) if name in ("var", "std") else ()
        heddle(name, "--axis", axis, "--nan", "skip", *ddof, path, "-o", out)
        found = np.load(out)
        assert found.shape == expected.shape and found.dtype == ("u8" if name == "count" else "f8")
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    heddle("mean", "--axis", axis, path, "-o", out)
    assert np.array_equal(np.isnan(np.load(out)), np.isnan(x.mean(axis)))


@pytest.mark.parametrize("args, text, message", (
    (("mean",), b"", "the mean of no values"),
    (("mode",), b"", "the mode of no values"),
    (("minmax",), b"", "the minmax of no values"),
    (("var", "--nan", "skip"), b"nan\n", "all are NaN"),
    (("mode", "--nan", "skip"), b"nan\nnan\n", "all are NaN"),
    (("std", "--ddof", "1"), b"3\n", "1 value with --ddof 1 is not defined")))
def test_what_is_not_defined(heddle, args, text, message):
    assert message in heddle.error(*args, stdin=text, code=1)


def test_infinities_and_nothing(heddle):
    assert heddle.text("count", stdin=b"") == "0\n"
    assert heddle.text("var", stdin=b"inf\n1\n") == "nan\n"
    for text, expected in ((b"inf\n1\n", "inf"), (b"-inf\n1\n", "-inf"), (b"-inf\ninf\n", "nan"), (b"inf\nnan\n", "nan")):
        assert heddle.text("mean", stdin=text) == expected + "\n"
    assert heddle.text("mode", stdin=b"nan\nnan\n1\n1\n1\n") == "nan  2\n"
    assert heddle.text("mode", "--nan", "skip", stdin=b"nan\nnan\n1\n") == "1  1\n"
