"""sum_squares: each square is rounded once, then order v1."""

import numpy as np
import pytest

import heddle as hd
from arrays import DEVICES

LENGTHS = (0, 1, 2, 31, 32, 33, 1023, 1024, 4097, 20_011)


def numbers(dtype, n, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (rng.standard_normal(n) * np.exp2(rng.integers(-6, 7, n))).astype(dtype)
    return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, n, dtype, endpoint=True)


def squares(x):
    """The squares, each rounded to the type that x is added in; of float16 they are float32's."""
    wide = x.astype({"f2": "f4"}.get(x.dtype.str[1:], x.dtype.str[1:]))
    if x.dtype.kind in "iu":
        wide = x.astype(x.dtype.kind + "8")
    with np.errstate(over="ignore"):
        return wide * wide


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"))
def test_bits_are_those_of_the_sum_of_squares(dtype, device):
    for n in LENGTHS:
        x = numbers(dtype, n)
        got, expected = hd.sum_squares(x, device=device), hd.sum(squares(x), device="cpu")
        with np.errstate(over="ignore"):
            expected = expected.astype(got.dtype)
        assert got.dtype == hd.sum(x).dtype and got.tobytes() == expected.tobytes(), n
        if dtype in ("f4", "f8") and n:
            assert got.tobytes() == hd.dot(x, x).tobytes(), n


@pytest.mark.parametrize("device", DEVICES)
def test_nan_and_axes(device):
    x = numbers("f4", 60_000).reshape(40, 50, 30)
    x[3, 4], x[::7, 1, 2] = np.nan, np.inf
    for axis in (None, (0, 2)) if device == "simt" else (None, 0, 1, 2, (0, 2)):
        for skipna in (False, True):
            got = hd.sum_squares(x, axis, skipna=skipna, device=device)
            expected = hd.sum(x * x, axis, skipna=skipna)
            assert got.tobytes() == expected.tobytes(), (axis, skipna)


def test_arguments():
    x = np.array([1, -2, 3], np.int8)
    assert hd.sum_squares(x) == 14 and hd.sum_squares(x).dtype == np.int64
    assert hd.sum_squares(x, dtype="f8").tobytes() == np.float64(14).tobytes()
    assert hd.sum_squares(np.full(4, 2**31, "i8"), dtype="f8") == 4 * 2.0**62
    assert hd.sum_squares(np.full(9, 2**30, "i4"), dtype="f8") == 9 * 2.0**60
    assert hd.sum_squares(x, initial=5) == 19 and hd.sum_squares(x, where=[1, 0, 1]) == 10
    assert hd.sum_squares([True, False, True]) == 2 and hd.sum_squares(x, keepdims=True).shape == (1,)
    assert hd.sum_squares([0, 3], dtype=bool) and not hd.sum_squares([0, 0], dtype=bool)
    out = np.empty((), "f4")
    assert hd.sum_squares(x, out=out) is out and out == 14
    assert np.signbit(hd.sum_squares(np.empty(0))) == np.False_
    with pytest.raises(ValueError):
        hd.sum_squares(np.empty(0), initial=None)
    with pytest.raises(TypeError):
        hd.sum_squares(["a"])
