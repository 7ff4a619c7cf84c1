"""unique and its kin, against NumPy's."""

import heddle as hd
import numpy as np
import pytest
from arrays import INTEGERS

FLOATS = ("f2", "f4", "f8")


def values(name, length, seed, few):
    rng = np.random.default_rng(seed)
    if few or name == "?":
        words = rng.integers(0, 2 if name == "?" else 5, length).astype(name)
    else:
        words = rng.integers(0, 256, length * np.dtype(name).itemsize, np.uint8).view(name).copy()
    if np.dtype(name).kind == "f" and length:
        words[rng.integers(0, length, length // 5)] = np.nan
        words[rng.integers(0, length, length // 5)] = -0.0
        words[rng.integers(0, length, length // 5)] = 0.0
    return words


def same(got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("equal_nan", (True, False))
@pytest.mark.parametrize("few", (False, True))
@pytest.mark.parametrize("name", INTEGERS + FLOATS)
def test_as_numpy(name, few, equal_nan):
    for length in (0, 1, 2, 100, 6000):
        x = values(name, length, length, few)
        asked = dict(return_index=True, return_inverse=True, return_counts=True)
        for got, expected in zip(hd.unique(x, equal_nan=equal_nan, **asked),
                                 np.unique(x, equal_nan=equal_nan, **asked)):
            same(got, expected)
        same(hd.unique(x, equal_nan=equal_nan), np.unique(x, equal_nan=equal_nan))
        got = hd.unique(x, return_counts=True, equal_nan=equal_nan)
        for one, other in zip(got, np.unique(x, return_counts=True, equal_nan=equal_nan)):
            same(one, other)


def test_bits_of_the_first():
    x = np.array([0.0, -0.0, 1.0, -0.0])
    assert not np.signbit(hd.unique(x)[0]) and np.signbit(hd.unique(x[::-1])[0])
    assert not np.signbit(hd.unique(x, return_index=True)[0][0])


def test_shapes_and_kin():
    x = np.random.default_rng(1).integers(0, 9, (30, 4)).astype("f4")
    x[3] = np.nan
    same(hd.unique(x, return_inverse=True)[1], np.unique(x, return_inverse=True)[1])
    for got, expected in zip(hd.unique_all(x), np.unique_all(x)):
        same(got, expected)
    for got, expected in zip(hd.unique_counts(x), np.unique_counts(x)):
        same(got, expected)
    for got, expected in zip(hd.unique_inverse(x), np.unique_inverse(x)):
        same(got, expected)
    same(hd.unique_values(x), np.sort(np.unique_values(x)))
    assert hd.unique_all(x)._fields == np.unique_all(x)._fields


def test_shapes_and_kin_on_a_device(gpu):
    x = np.random.default_rng(2).integers(0, 9, (6, 4))
    there = hd.DeviceArray.from_host(x, gpu)
    same(hd.unique(there, return_inverse=True)[1].to_host(), np.unique(x, return_inverse=True)[1])
    for got, expected in zip(hd.unique_all(there), np.unique_all(x)):
        same(got.to_host(), expected)
    one = hd.DeviceArray(there.pointer, (), x.dtype, there.device, (), owner=there)
    assert hd.unique_inverse(one).inverse_indices.to_host() == 0
    with pytest.raises(TypeError, match="x: .* heddle.unique$"):
        hd.unique_values(hd.DeviceArray.from_host(np.ones(3), gpu))


def test_large_by_threads():
    x = np.random.default_rng(1).integers(0, 5000, 300_000)
    for got, expected in zip(hd.unique(x, return_inverse=True, return_counts=True, threads=2),
                             np.unique(x, return_inverse=True, return_counts=True)):
        same(got, expected)
    same(hd.unique(x.astype("f4"), threads=3), np.unique(x.astype("f4")))


def test_refused():
    with pytest.raises(ValueError, match="axis"):
        hd.unique([[1]], axis=0)
    with pytest.raises(TypeError, match="complex"):
        hd.unique([1j])
