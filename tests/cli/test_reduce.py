"""sum, min, max, reduce, dot: against NumPy where exact, against order v1 for bits."""

import numpy as np
import order_v1
import pytest
from conftest import TYPES, as_float, bits_of
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

INTEGERS = [name for name in TYPES if name[0] != "f"]
LENGTHS = [0, 1, 2, 15, 17, 127, 129, 1023, 1025, 2047, 2049, 70001]


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_sum_wraps_at_64_bits(heddle, save, name):
    info = np.iinfo(TYPES[name])
    x = np.random.default_rng(5).integers(info.min, info.max, 5001, TYPES[name], endpoint=True)
    got = heddle.json("sum", save(x))
    wide = np.uint64 if name[0] == "u" else np.int64
    expected = x.sum(dtype=wide)
    assert got["value"] == int(expected)
    assert got["hex"] == bits_of(expected)
    assert got["count"] == 5001 and got["op"] == "sum"


@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
@pytest.mark.parametrize("length", LENGTHS)
def test_float_sum_has_the_bits_of_order_v1(heddle, save, name, length):
    x = np.random.default_rng(length).standard_normal(length).astype(TYPES[name])
    bits = x.view(f"u{x.itemsize}")
    expected = order_v1.reduce("sum", name, bits)
    width = 16 if name == "f64" else 8
    assert int(heddle.json("sum", save(x))["hex"], 16) == int(expected)
    assert len(heddle.json("sum", save(x))["hex"]) == width


def test_sum_does_not_depend_on_threads(heddle, save):
    path = save(np.random.default_rng(1).standard_normal(3_000_017).astype(np.float32))
    seen = {heddle.json("sum", path, "--threads", n)["hex"] for n in range(1, 9)}
    seen |= {heddle.json("sum", path, env={"HEDDLE_ISA": isa})["hex"]
             for isa in ("scalar", "neon", "avx2", "avx512")}
    assert len(seen) == 1


@given(x=hnp.arrays(np.float32, st.integers(1, 300),
                    elements=st.floats(width=32, allow_nan=False)))
def test_min_max_argmin_argmax(heddle, tmp_path, x):
    path = tmp_path / "x.npy"
    np.save(path, x)
    for op, value in (("min", x.min()), ("max", x.max())):
        assert as_float(heddle.json(op, path)["value"]) == value
    for op, place in (("argmin", x.argmin()), ("argmax", x.argmax())):
        got = heddle.json("reduce", "--op", op, path)
        assert got["index"] == place
        assert got["hex"] == bits_of(x[place])


@pytest.mark.parametrize("op,ufunc", [("and", np.bitwise_and), ("or", np.bitwise_or),
                                      ("xor", np.bitwise_xor)])
def test_bit_operators(heddle, save, op, ufunc):
    x = np.random.default_rng(2).integers(0, 2**32, 999, np.uint32)
    assert heddle.json("reduce", "--op", op, save(x))["value"] == int(ufunc.reduce(x))


def test_prod_any_all(heddle, save):
    x = np.array([3, 5, 0, 7], np.int16)
    path = save(x)
    assert heddle.text("reduce", "--op", "prod", path) == "0\n"
    assert heddle.text("reduce", "--op", "any", path) == "1\n"
    assert heddle.text("reduce", "--op", "all", path) == "0\n"
    assert heddle.text("reduce", "--op", "prod", "--count", "2", path) == "15\n"


def test_nan_policy(heddle, save):
    path = save(np.array([1.5, np.nan, 2.5], np.float32))
    assert heddle.json("sum", path)["value"] == "nan"
    assert heddle.json("sum", path)["hex"] == "7fc00000"
    assert heddle.json("sum", "--nan", "skip", path)["value"] == 4.0
    assert heddle.json("reduce", "--op", "argmin", path)["index"] == 1
    only = save(np.array([np.nan]), "nan.npy")
    assert "NaN" in heddle.error("min", "--nan", "skip", only, code=1)


def test_accumulator_output_type_and_init(heddle, save):
    x = np.full(10, 0.1, np.float32)
    path = save(x)
    exact = np.sum(x.astype(np.float64))
    assert heddle.json("sum", "--acc", "f64", path)["hex"] == bits_of(exact)
    got = heddle.json("sum", "--acc", "f64", "--out-type", "f32", path)
    assert got["hex"] == bits_of(np.float32(exact)) and got["type"] == "f32"
    assert heddle.text("reduce", "--init", "-3", save(np.arange(4), "i.npy")) == "3\n"
    assert "--init" in heddle.error("reduce", "--init", "x", path, code=2)


def test_empty_input(heddle, save):
    path = save(np.array([], np.float64))
    assert heddle.json("sum", path)["hex"] == "0" * 16
    assert heddle.text("reduce", "--op", "prod", path) == "1\n"
    for op in ("min", "max"):
        assert "no values" in heddle.error(op, path, code=1)
    assert "no values" in heddle.error("reduce", "--op", "argmax", path, code=1)


def test_floats_have_no_bits_to_and(heddle, save):
    heddle.error("reduce", "--op", "and", save(np.ones(3)), code=2)


def test_several_files_and_columns(heddle, save, tmp_path):
    a, b = save(np.arange(5), "a.npy"), save(np.ones(3), "b.npy")
    lines = heddle.text("sum", a, b).splitlines()
    assert [line.split() for line in lines] == [["10", str(a)], ["3", str(b)]]
    assert lines[0].index("10") + 2 == lines[1].index("3") + 1  # aligned to the right
    rows = heddle.json("sum", a, b)
    assert [(r["file"], r["value"]) for r in rows] == [(str(a), 10), (str(b), 3)]
    table = tmp_path / "t.csv"
    table.write_text("a,b,c\n1,2,3\n4,5,6\n")
    rows = heddle.json("sum", "-c", "c,a", table)
    assert [(r["column"], r["value"]) for r in rows] == [("c", 9), ("a", 5)]
    assert heddle.text("sum", "-c", "2", table) == "7\n"
    assert heddle.text("sum", "--csv", a, b).splitlines()[1].split(",")[1:3] == ["sum", "10"]


@pytest.mark.parametrize("name", ["f32", "f64"])
@pytest.mark.parametrize("length", [0, 1, 1000, 5000])
def test_dot_has_the_bits_of_order_v1(heddle, save, name, length):
    rng = np.random.default_rng(length)
    x, y = (rng.standard_normal(length).astype(TYPES[name]) for _ in range(2))
    word = f"u{x.itemsize}"
    expected = order_v1.dot(name, x.view(word), y.view(word))
    got = heddle.json("dot", save(x, "x.npy"), save(y, "y.npy"))
    assert int(got["hex"], 16) == int(expected)


def test_dot_of_columns_and_its_errors(heddle, save, tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text("p\tq\n1\t2\n3\t4\n")
    assert heddle.text("dot", "-c", "p,q", table) == "14\n"
    long, short = save(np.ones(10), "long.npy"), save(np.ones(9), "short.npy")
    assert "ends after 9" in heddle.error("dot", long, short, code=1)
    assert "f32" in heddle.error("dot", long, save(np.ones(10, np.float32), "f.npy"), code=1)
    assert "two" in heddle.error("dot", long, code=2)


@given(x=hnp.arrays(np.float64, st.integers(0, 50), elements=st.floats()))
def test_values_read_back_exactly(heddle, tmp_path, x):
    path = tmp_path / "x.npy"
    np.save(path, x)
    text = heddle.text("convert", path).split()
    back = np.array([float(t) for t in text])
    np.testing.assert_array_equal(back, x)
    finite = back[np.isfinite(x)].view(np.uint64)
    np.testing.assert_array_equal(finite, x[np.isfinite(x)].view(np.uint64))
