"""describe, convert, info, bench."""

import json

import numpy as np
import pytest
from conftest import TYPES
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


@given(x=hnp.arrays(np.float64, st.integers(2, 300), elements=st.floats(-1e3, 1e3)))
def test_describe(heddle, tmp_path, x):
    path = tmp_path / "x.npy"
    np.save(path, x)
    got = heddle.json("describe", path)
    assert (got["count"], got["nan"], got["infinite"]) == (len(x), 0, 0)
    assert (got["min"], got["max"]) == (x.min(), x.max())
    np.testing.assert_allclose(got["mean"], x.mean(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(got["variance"], x.var(), rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(got["stddev"], x.std(), rtol=1e-6, atol=1e-4)


def test_describe_skewness_nan_and_forms(heddle, save):
    x = np.exp(np.random.default_rng(1).standard_normal(5000))
    central = x - x.mean()
    got = heddle.json("describe", save(x))
    assert got["skewness"] == pytest.approx((central**3).mean() / x.std()**3)
    y = np.array([1.0, np.nan, np.inf, 3.0])
    got = heddle.json("describe", "--nan", "skip", save(y))
    assert (got["count"], got["nan"], got["infinite"], got["max"]) == (4, 1, 1, "inf")
    assert heddle.json("describe", save(y))["min"] == "nan"
    lines = heddle.text("describe", save(x)).splitlines()
    assert [line.split()[0] for line in lines] == [
        "count", "nan", "infinite", "min", "max", "sum", "mean", "variance", "stddev", "skewness"]
    rows = heddle.text("describe", "--csv", save(x, "a.npy"), save(y, "b.npy")).splitlines()
    assert len(rows) == 3 and rows[0].startswith("file,count,nan")


def test_describe_columns(heddle, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,10\n2,20\n3,30\n")
    rows = heddle.json("describe", "-c", "a,b", table)
    assert [(r["column"], r["mean"]) for r in rows] == [("a", 2), ("b", 20)]


@pytest.mark.parametrize("name", TYPES)
def test_convert_round_trips(heddle, save, tmp_path, name):
    rng = np.random.default_rng(3)
    x = (rng.standard_normal(500) if name[0] == "f" else rng.integers(0, 100, 500)).astype(TYPES[name])
    text, raw, npy = (tmp_path / f"y.{ending}" for ending in ("txt", "raw", "npy"))
    heddle("convert", save(x), "-o", text)
    heddle("convert", "--format", "text", "--type", name, text, "-o", raw)
    heddle("convert", "--type", name, raw, "-o", npy)
    back = np.load(npy)
    assert back.dtype == x.dtype
    np.testing.assert_array_equal(back, x)


def test_convert_types(heddle, save, tmp_path):
    x = np.array([1.5, -2.5, 300.0, np.nan, -np.inf])
    out = tmp_path / "y.npy"
    heddle("convert", "--out-type", "i8", save(x), "-o", out)
    assert np.load(out).tolist() == [1, -2, 127, 0, -128]
    heddle("convert", "--out-type", "f32", save(x), "-o", out)
    np.testing.assert_array_equal(np.load(out), x.astype(np.float32))


@pytest.mark.parametrize("order", ["C", "F"])
def test_convert_keeps_the_shape(heddle, save, tmp_path, order):
    x = np.asarray(np.arange(24).reshape(2, 3, 4), order=order)
    out = tmp_path / "y.npy"
    heddle("convert", "--out-type", "f32", save(x), "-o", out)
    np.testing.assert_array_equal(np.load(out), x.astype(np.float32))
    if order == "C":
        rows = [list(map(int, line.split())) for line in heddle.text("convert", save(x)).splitlines()]
        assert rows == x.reshape(6, 4).tolist()
    else:
        assert "Fortran" in heddle.error("convert", save(x), code=1)


def test_convert_columns(heddle, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b,c\n1,2,3\n4,5,6\n")
    assert heddle.text("convert", "-c", "c,a", table) == "3 1\n6 4\n"
    raw = heddle("convert", "-c", "c,a", "--out-type", "u8", "--to", "raw", table).stdout
    assert raw == bytes([3, 1, 6, 4])


@given(x=hnp.arrays(np.float32, st.integers(1, 40), elements=st.floats(width=32, allow_nan=False)))
def test_f32_text_is_as_short_as_numpy_allows(heddle, x):
    words = heddle.text("convert", "--type", "f32", stdin=x.tobytes()).split()
    back = np.array([np.float32(w) for w in words], np.float32)
    np.testing.assert_array_equal(back.view(np.uint32), x.view(np.uint32))
    assert max(len(w.replace("-", "").replace(".", "").split("e")[0].strip("0")) for w in words) <= 9


def test_info(heddle):
    facts = heddle.json("info")
    assert facts["order"] == 1 and facts["abi"] == 0 and facts["threads"] >= 1
    assert facts["isa"] in ("scalar", "avx2", "avx512", "neon")
    assert heddle.json("info", env={"HEDDLE_ISA": "scalar"})["isa"] == "scalar"
    assert facts["version"] in heddle.text("--version")
    assert heddle.text("info").startswith("version")
    devices = {d["device"].split(":")[0]: d for d in facts["devices"]}
    assert list(devices) == ["cpu", "cuda", "simt"] and devices["cpu"]["found"]
    for device in devices.values():
        assert device["processor" if device["found"] else "message"]


def test_bench(heddle):
    got = heddle.json("bench", "--size", "64K,1M", "--only", "sum,hist", "--threads", "1")
    assert [r["array_bytes"] for r in got["results"]] == [65536, 1 << 20]
    names = [p["name"] for p in got["results"][0]["primitives"]]
    assert names == ["sum f32", "hist f32, 100 bins", "sum f64", "hist u8, 256 bins"]
    for p in got["results"][1]["primitives"]:
        assert p["seconds"] > 0 and 0.001 < p["share"]
        # nothing is faster than the memory: what seems to be is said to be no measurement
        assert p["disturbed"] == (p["share"] > 1.05)
        assert p["share"] == pytest.approx(p["bytes_per_second"] / p["ceiling_bytes_per_second"])
    table = heddle.text("bench", "--size", "4K", "--only", "scan", "--threads", 1)
    assert "scan f32" in table and "% of copying" in table
    assert "sum" in heddle.error("bench", "--only", "sun", code=2)
    for size in ("0", "x", "1", "1T", "4K,", "-1"):
        if size != "4K,":
            assert "--size" in heddle.error("bench", "--size", size, code=2)


def digits_of(text):
    """The digits of a decimal and the power of ten of the first, however it is written."""
    mantissa, _, exponent = text.lower().lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    zeros = len(whole + fraction) - len(digits)
    return digits.rstrip("0"), len(whole) - zeros + int(exponent or 0)


@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
def test_numbers_are_the_shortest_decimals(heddle, save, name):
    """Those of Python and NumPy, whose algorithms are others; all subnormal f16, many of the rest."""
    rng = np.random.default_rng(9)
    bits = {"f16": np.arange(65536, dtype=np.uint16),
            "f32": rng.integers(0, 1 << 32, 6000, dtype=np.uint32),
            "f64": rng.integers(0, 1 << 64, 6000, dtype=np.uint64)}[name]
    if name != "f16":
        bits[::3] >>= np.asarray(np.finfo(TYPES[name]).nexp + 1, bits.dtype)  # small exponents
        bits[1::3] &= np.asarray((1 << np.finfo(TYPES[name]).nmant) - 1, bits.dtype)  # subnormal
    x = bits.view(TYPES[name])
    x = x[np.isfinite(x) & (x != 0)]
    lines = heddle.text("convert", save(x)).splitlines()
    assert [digits_of(line) for line in lines] == [
        digits_of(np.format_float_scientific(value, unique=True, trim="-")) for value in x]
    assert heddle.text("convert", save(np.array([0.0, -0.0, 5e-324, -1.5e-323, 1e15, 1e-5]))
                       ).split() == ["0", "-0", "5e-324", "-1.5e-323", "1e+15", "1e-05"]
