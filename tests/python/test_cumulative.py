"""cumulative_sum, cumulative_prod and exclusive scans: NumPy's results, the bits of plain folds."""

import ml_dtypes
import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

DTYPES = ("u1", "i2", "i8", "f2", "f4", "f8")
EXCLUSIVE = {"sum": (hd.exclusive_sum, hd.cumsum), "prod": (hd.exclusive_prod, hd.cumprod),
             "min": (hd.exclusive_min, hd.minimum_accumulate),
             "max": (hd.exclusive_max, hd.maximum_accumulate)}


def block(dtype, shape=(3, 5, 37)):
    values = np.random.default_rng(2).standard_normal(shape)
    return (1 + values / 100 if dtype[0] == "f" else values * 100).astype(dtype)


@pytest.mark.parametrize("include_initial", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_numpys_results(name, dtype, include_initial):
    x = block(dtype)
    for axis in (0, 1, 2, -1):
        want = getattr(np, name)(x, axis=axis, include_initial=include_initial)
        got = getattr(hd, name)(x, axis=axis, include_initial=include_initial)
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=2e-2 if dtype == "f2" else 1e-5)
        running = getattr(hd, name.replace("ulative_", ""))(x, axis)
        inner = np.moveaxis(got, axis, 0)[1 if include_initial else 0:]
        assert inner.tobytes() == np.moveaxis(running, axis, 0).tobytes()


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_arguments(name):
    x = np.arange(1.0, 5.0)
    for words in ({}, {"axis": 0}, {"include_initial": True}, {"dtype": "f4"}, {"axis": 1},
                  {"axis": None, "include_initial": True}, {"include_initial": True, "dtype": "i4"}):
        got, want = (outcome(getattr(m, name), x, **words) for m in (hd, np))
        if isinstance(want, type):
            assert got is want
        else:
            np.testing.assert_array_equal(got, want, strict=True)
    out = np.zeros(5)
    assert getattr(hd, name)(x, include_initial=True, out=out) is out
    np.testing.assert_array_equal(out, getattr(np, name)(x, include_initial=True))
    table = np.zeros((2, 2))
    assert outcome(getattr(np, name), table) is ValueError
    with pytest.raises(ValueError, match="^axis: it is needed"):
        getattr(hd, name)(table)
    for words in ({}, {"axis": 0}, {"include_initial": True}):
        np.testing.assert_array_equal(getattr(hd, name)(3.0, **words),
                                      getattr(np, name)(3.0, **words), strict=True)
    with pytest.raises(ValueError, match="^out: "):
        getattr(hd, name)(x, include_initial=True, out=np.zeros(4))
    with pytest.raises(ValueError, match="^x: an array with nulls"):
        getattr(hd, name)(np.ma.MaskedArray(x, [0, 1, 0, 0]), include_initial=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", EXCLUSIVE)
def test_exclusive_is_inclusive_one_later(name, dtype):
    exclusive, inclusive = EXCLUSIVE[name]
    for size in (0, 1, 2, 17, 1025, 70001):
        x = block(dtype, (size,))
        for threads in (1, 2):
            got = exclusive(x, threads=threads)
            want = inclusive(x)
            assert got.dtype == want.dtype and got.shape == want.shape
            assert got[1:].tobytes() == want[:-1].tobytes()
    first = {"sum": 0, "prod": 1, "min": np.inf if dtype[0] == "f" else None,
             "max": -np.inf if dtype[0] == "f" else None}[name]
    if first is None:
        limits = np.iinfo(dtype)
        first = limits.max if name == "min" else limits.min
    assert exclusive(block(dtype, (3,)))[0] == first


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", EXCLUSIVE)
def test_exclusive_from_an_initial_value(name, dtype):
    exclusive, _ = EXCLUSIVE[name]
    x = block(dtype, (2100,))
    got = exclusive(x, initial=3)
    assert got[0] == 3
    for i in (1, 2, 63, 64, 2048, 2099):
        assert got[i] == getattr(hd, name)(x[:i], initial=3).astype(got.dtype)
    table = block(dtype, (3, 40))
    for axis in (0, 1):
        lines = np.moveaxis(exclusive(table, axis, initial=3), axis, -1)
        for found, row in zip(lines, np.moveaxis(table, axis, -1)):
            assert found.tobytes() == exclusive(row, initial=3).tobytes()


def test_exclusive_and_the_rest():
    x = np.array([1.0, np.nan, 2.0, 4.0])
    assert hd.exclusive_sum(x, skipna=True).tolist() == [0, 1, 1, 3]
    assert np.isnan(hd.exclusive_sum(x)[2:]).all()
    masked = hd.exclusive_sum(np.ma.MaskedArray([1, 2, 3], [0, 1, 0]))
    assert masked.tolist() == [0, None, 1]
    out = np.zeros(4, "f8")
    assert hd.exclusive_sum(x, out=out, skipna=True) is out and out[3] == 3
    assert hd.exclusive_max(np.array([3, 1], ml_dtypes.bfloat16)).tolist() == [-np.inf, 3.0]
    with pytest.raises(TypeError, match="^initial: "):
        hd.exclusive_sum(x, initial="3")
    with pytest.raises(ValueError, match="^initial: "):
        hd.exclusive_sum(x, initial=[3, 4])
