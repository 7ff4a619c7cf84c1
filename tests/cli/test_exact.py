"""sum, dot, reduce with --exact: the real sum of floats, rounded once, against math.fsum and Fraction."""

import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import TYPES, bits_of

ISAS = ("scalar", "avx2", "avx512", None)


def spread(dtype, count, seed=0):
    """Numbers far apart, of both signs, that cancel in part: no plain order adds them exactly."""
    rng = np.random.default_rng([seed, count])
    reach = {"f16": 5, "f32": 60, "f64": 500}[dtype]
    x = (rng.standard_normal(count) * np.exp2(rng.uniform(-reach, reach, count))).astype(TYPES[dtype])
    x[count // 2 : 2 * (count // 2)] = -x[: count // 2]
    return np.append(x, x.dtype.type(0.125))


def real(x):
    return sum(map(Fraction, x.tolist()), Fraction(0))


@pytest.mark.parametrize("dtype", ("f16", "f32", "f64"))
def test_sum_is_the_real_one_rounded_once(heddle, save, dtype):
    for count in (0, 1, 7, 2047, 2049, 30_010):
        x = spread(dtype, count)
        path = save(x)
        got = heddle.json("sum", "--exact", "--out-type", "f64", path)
        assert got["hex"] == bits_of(np.float64(math.fsum(x.tolist()))), (count, got)
        assert got["type"] == "f64" and got["count"] == x.size
    own = heddle.json("sum", "--exact", path)
    assert own["hex"] == bits_of((np.float64 if dtype == "f64" else np.float32)(0.125))
    assert heddle.json("sum", path)["hex"] != own["hex"] or dtype == "f16"


def test_neither_order_nor_threads_nor_instructions_show(heddle, save):
    x = spread("f64", 300_000)
    seen = set()
    for i, y in enumerate((x, x[::-1].copy(), np.random.default_rng(1).permutation(x))):
        path = save(y, f"{i}.npy")
        for threads in (1, 2, 7):
            seen.add(heddle.json("sum", "--exact", "--threads", threads, path)["hex"])
        seen |= {heddle.json("sum", "--exact", path, env={"HEDDLE_ISA": isa} if isa else None)["hex"]
                 for isa in ISAS}
    assert seen == {bits_of(np.float64(math.fsum(x)))}


def test_squares_and_dot(heddle, save, tmp_path):
    x, y = spread("f64", 3000), spread("f64", 3000, 1)
    y[1500:3000] = y[:1500]  # products cancel as well
    a, b = save(x, "a.npy"), save(y, "b.npy")
    squares, products = real_products(x, x), real_products(x, y)
    assert heddle.json("reduce", "--op", "sum_squares", "--exact", a)["hex"] == squares
    assert heddle.json("dot", "--exact", a, b)["hex"] == products
    table = tmp_path / "t.csv"
    table.write_text("p,q\n" + "".join(f"{p!r},{q!r}\n" for p, q in zip(x.tolist(), y.tolist())))
    assert heddle.json("dot", "--exact", "-c", "p,q", table)["hex"] == products
    assert heddle.json("dot", "-c", "p,q", table)["hex"] != products


def real_products(x, y):
    total = sum((Fraction(p) * Fraction(q) for p, q in zip(x.tolist(), y.tolist())), Fraction(0))
    return bits_of(np.float64(total.numerator / total.denominator))


def test_axis_init_nan(heddle, save):
    x = spread("f32", 6001).reshape(2, 3001)
    got = heddle.json("sum", "--exact", "--axis", "1", "--out-type", "f64", save(x))
    assert [float(v) for v in got["values"]] == [math.fsum(row) for row in x.tolist()]
    path = save(np.array([1e100, 1.0, -1e100, np.nan]))
    assert heddle.json("sum", "--exact", path)["value"] == "nan"
    assert heddle.text("sum", "--exact", "--nan", "skip", path) == "1\n"
    assert heddle.text("reduce", "--exact", "--nan", "skip", "--init", "-1", path) == "0\n"
    assert heddle.json("sum", "--exact", save(np.array([-0.0, -0.0])))["hex"] == "0" * 16
    assert heddle.json("sum", "--exact", save(np.full(2, 1.5e308)))["value"] == "inf"


def test_text_and_columns(heddle, tmp_path):
    assert heddle.text("sum", "--exact", stdin=b"1e100\n1\n-1e100\n0.1\n") == "1.1\n"
    assert heddle.text("sum", stdin=b"1e100\n1\n-1e100\n0.1\n") != "1.1\n"
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1e16,1\n1,9007199254740993\n-1e16,1\n")
    rows = heddle.json("sum", "--exact", "-c", "a,b", table)
    assert [row["value"] for row in rows] == [1.0, 9007199254740995]  # integers as always


def test_what_has_no_exact_result(heddle, save):
    floats, whole = save(np.ones(3)), save(np.arange(3, dtype=np.int32), "i.npy")
    for op in ("prod", "min", "argmax", "any"):
        message = heddle.error("reduce", "--op", op, "--exact", floats, code=2)
        assert "--exact" in message and message.rstrip().endswith(f"leave it out for {op}")
    for more in ([], ["--axis", "0"]):
        assert "holds i32" in heddle.error("sum", "--exact", *more, whole, code=2)
        assert "--exact is for" in heddle.error("reduce", "--exact", "--op", "prod", *more, floats, code=2)
    assert "holds i32" in heddle.error("dot", "--exact", whole, whole, code=2)
    for command in ("min", "scan", "describe"):
        assert "unknown option '--exact'" in heddle.error(command, "--exact", floats, code=2)
    assert "is for sums of --weights" in heddle.error("hist", "--exact", floats, code=2)
