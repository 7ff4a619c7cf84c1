"""average, ptp, minmax, count_nonzero: NumPy's results, arguments and errors."""

import inspect

import ml_dtypes
import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

DTYPES = ("?", "u1", "i4", "i8", "f2", "f4", "f8")
AXES = (None, 0, 1, 2, -1, (0, 2), (1, 2))


def block(dtype, seed=3):
    values = np.random.default_rng(seed).standard_normal((4, 5, 6)) * 3
    return values.astype(dtype) if dtype[0] in "fi" else np.abs(values).astype(dtype)


def close(got, want):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol={2: 2e-2, 4: 1e-5, 8: 1e-12}[got.dtype.itemsize],
                               atol=1e-2 if got.dtype.itemsize == 2 else 1e-6)


@pytest.mark.parametrize("name", ["average", "ptp", "count_nonzero"])
def test_arguments_are_numpys(name):
    theirs = inspect.signature(getattr(np, name)).parameters
    ours = list(inspect.signature(getattr(hd, name)).parameters)
    assert ours[:len(theirs)] == list(theirs)


@pytest.mark.parametrize("weights", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_average(dtype, weights):
    a, w = block(dtype), np.abs(block(weights, 4)) + np.ones(1, weights)
    w = w.astype(weights)
    for axis in AXES:
        for keepdims in (False, True):
            got = hd.average(a, axis, w, True, keepdims=keepdims)
            want = np.average(a.astype("f8"), axis, w.astype("f8"), True, keepdims=keepdims)
            dtypes = np.average(a, axis, w, True, keepdims=keepdims)
            for found, wanted, of in zip(got, want, dtypes):
                close(found, np.asarray(wanted).astype(np.asarray(of).dtype))
    close(hd.average(a), np.mean(a, dtype="f8").astype(np.average(a).dtype))


def test_average_along_axes_with_weights_of_those():
    a = block("f8")
    for axis, shape in ((0, (4,)), (1, (5,)), (-1, (6,)), ((0, 2), (4, 6)), ((2, 0), (6, 4))):
        w = np.random.default_rng(5).random(shape)
        close(hd.average(a, axis, w), np.average(a, axis, w))
        close(hd.average(a.T.copy().T, axis, w), np.average(a, axis, w))
    for words in ({"weights": [1, 2]}, {"axis": 0, "weights": [1, 2]}, {"weights": np.zeros((4, 5, 6))},
                  {"axis": 5, "weights": a}):
        got, want = (outcome_or_zero(m.average, a, **words) for m in (hd, np))
        assert isinstance(want, type) and got is want


def outcome_or_zero(call, *arguments, **words):
    try:
        return outcome(call, *arguments, **words)
    except ZeroDivisionError:
        return ZeroDivisionError


def test_average_adds_in_float64_the_same_bits_everywhere():
    rng = np.random.default_rng(6)
    x, w = (rng.random(300_001).astype("f4") for _ in range(2))
    want = hd.dot(x.astype("f8"), w.astype("f8")) / hd.sum(w, dtype="f8")
    for threads in (1, 2, 3):
        assert hd.average(x, weights=w, threads=threads) == np.float32(want)
    assert hd.average(x[::-1][::-1], weights=w) == np.float32(want)


def test_average_leaves_out_what_is_null_in_either():
    a = np.ma.MaskedArray([1.0, np.nan, 3.0, 9.0], [0, 1, 0, 0])
    w = np.ma.MaskedArray([1.0, 5.0, 3.0, 7.0], [0, 0, 0, 1])
    assert hd.average(a, weights=w, returned=True) == (2.5, 4.0)
    table = np.ma.MaskedArray([[1.0, 7.0], [3.0, 9.0]], [[0, 1], [0, 0]])
    assert np.asarray(hd.average(table, axis=0, weights=[1, 3])).tolist() == [2.5, 9.0]
    assert hd.average([1, 2, 6], returned=True) == (3.0, 3.0)
    assert hd.average(np.ones((2, 3)), axis=0, returned=True)[1].tolist() == [2, 2, 2]
    assert hd.average(np.ones(3, ml_dtypes.bfloat16), weights=[1, 2, 3]) == 1


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_ptp_and_minmax(dtype):
    a = block(dtype)
    for axis in AXES:
        np.testing.assert_array_equal(hd.ptp(a, axis), np.ptp(a, axis), strict=True)
        low, high = hd.minmax(a, axis)
        np.testing.assert_array_equal(low, np.min(a, axis), strict=True)
        np.testing.assert_array_equal(high, np.max(a, axis), strict=True)
        np.testing.assert_array_equal(hd.ptp(a, axis, None, True), np.ptp(a, axis, None, True))
    out = np.zeros(5, a.dtype)
    assert hd.ptp(a, axis=(0, 2), out=out) is out
    np.testing.assert_array_equal(out, np.ptp(a, (0, 2)))


def test_ptp_of_nan_bools_and_nothing():
    assert np.isnan(hd.ptp([1.0, np.nan])) and hd.ptp([1.0, np.nan, 3.0], skipna=True) == 2
    assert hd.ptp(np.array([-128, 127], "i1")) == np.ptp(np.array([-128, 127], "i1")) == -1
    assert hd.minmax([np.nan, 2.0, 1.0], skipna=True) == (1, 2)
    assert hd.minmax([True, False]) == (False, True)
    assert outcome(np.ptp, np.array([True])) is outcome(hd.ptp, np.array([True])) is TypeError
    with pytest.raises(ValueError):
        hd.ptp([])
    assert hd.ptp(np.ma.MaskedArray([1, 99, 4], [0, 1, 0])) == 3


@pytest.mark.parametrize("dtype", DTYPES)
def test_count_nonzero(dtype):
    a = block(dtype)
    a[0, 0] = 0
    for axis in AXES:
        for x in (a, a.T, a[::2, :, ::-1]):
            for keepdims in (False, True):
                np.testing.assert_array_equal(hd.count_nonzero(x, axis, keepdims=keepdims),
                                              np.count_nonzero(x, axis, keepdims=keepdims))
    assert hd.count_nonzero(a, 0).dtype == np.count_nonzero(a, 0).dtype


def test_count_nonzero_of_the_rest():
    assert hd.count_nonzero([0.0, -0.0, np.nan, np.inf, 1e-300]) == 3
    assert hd.count_nonzero(np.array([0, -0.0, np.nan, 2], ml_dtypes.bfloat16)) == 2
    assert hd.count_nonzero(np.ma.MaskedArray([1, 2, 0], [0, 1, 0])) == 1
    assert hd.count_nonzero([]) == 0 and hd.count_nonzero(5) == 1
    assert hd.count_nonzero(np.array([0, 1, 2], ">i4")) == 2
