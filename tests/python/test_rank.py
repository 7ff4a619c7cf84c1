"""median, quantile, percentile, partition, topk and their kin, against NumPy."""

import warnings

import heddle as hd
import numpy as np
import pytest
from arrays import INTEGERS

FLOATS = ("f2", "f4", "f8")
WHOLE = tuple(name for name in INTEGERS if name != "?")
METHODS = ("linear", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
           "lower", "higher", "midpoint", "nearest")
LENGTHS = (1, 2, 3, 10, 99, 1000, 5001)


def values(name, shape, seed, nan=False):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(name)
    if dtype.kind == "f":
        x = (rng.normal(size=shape) * 100).astype(dtype)
        # Of one sign: which of equal zeros NumPy has at a rank hangs on its partition.
        x[rng.random(shape) < 0.2] = 0.0 if seed % 2 else -0.0
        if nan:
            x[rng.random(shape) < 0.2] = np.nan
        return x
    # A difference of two fits the dtype: where it does not, NumPy's interpolation wraps.
    low, high = (0, 100) if dtype.kind == "u" else (-50, 50)
    return rng.integers(low, high, shape).astype(dtype)


def same(got, expected):
    """The same bits, but that a NaN is any NaN."""
    assert type(got) is type(expected)
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(np.signbit(got[got == got]), np.signbit(expected[expected == expected]))


def shares(seed):
    rng = np.random.default_rng(seed)
    return np.concatenate(([0.0, 1.0, 0.5, 0.25, 0.75, 0.9], rng.random(12)))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", WHOLE + FLOATS)
def test_quantile_has_numpys_bits(name, method):
    for length in LENGTHS:
        x = values(name, length, length)
        q = shares(length)
        same(hd.quantile(x, q, method=method), np.quantile(x, q, method=method))
        same(hd.quantile(x, 0.3, method=method), np.quantile(x, 0.3, method=method))
        same(hd.percentile(x, q * 100, method=method), np.percentile(x, q * 100, method=method))


@pytest.mark.parametrize("name", ("?", *WHOLE, *FLOATS))
def test_median(name):
    for length in LENGTHS:
        x = values(name, length, length)
        same(hd.median(x), np.median(x))
        y = x[:length // 7 * 7].reshape(-1, 7)
        if y.size:
            for axis in (0, 1, -1, (0, 1), None):
                same(hd.median(y, axis=axis), np.median(y, axis=axis))
                same(hd.median(y, axis=axis, keepdims=True), np.median(y, axis=axis, keepdims=True))


@pytest.mark.parametrize("method", ("linear", "inverted_cdf", "hazen", "nearest"))
@pytest.mark.parametrize("name", ("i4", "f4", "f8"))
def test_axes(name, method):
    x = values(name, (4, 5, 6), 3)
    for axis in (None, 0, 1, 2, -1, (0, 2), (1, 2), (2, 0, 1)):
        for q in (0.4, [0.1, 0.9], [[0.2, 0.3], [1.0, 0.0]]):
            for keepdims in (False, True):
                same(hd.quantile(x, q, axis, method=method, keepdims=keepdims),
                     np.quantile(x, q, axis, method=method, keepdims=keepdims))
    for view in (x[::2], x[:, ::-1], x.T, x[1], np.asfortranarray(x)):
        same(hd.quantile(view, 0.3, axis=0, method=method), np.quantile(view, 0.3, axis=0, method=method))
        same(hd.median(view), np.median(view))


@pytest.mark.parametrize("name", FLOATS)
def test_nan(name):
    x = values(name, (12, 40), 5, nan=True)
    x[3] = np.nan
    x[4] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for axis in (None, 0, 1):
            same(hd.median(x, axis), np.median(x, axis))
            same(hd.nanmedian(x, axis), np.nanmedian(x, axis))
            same(hd.quantile(x, [0.2, 0.7], axis), np.quantile(x, [0.2, 0.7], axis))
            got, expected = hd.nanquantile(x, 0.3, axis), np.nanquantile(x, 0.3, axis)
            assert np.asarray(got).dtype == np.asarray(expected).dtype
            np.testing.assert_allclose(got, expected, rtol=4 * np.finfo(name).eps)
            got, expected = hd.nanpercentile(x, [5, 50], axis), np.nanpercentile(x, [5, 50], axis)
            np.testing.assert_allclose(got, expected, rtol=4 * np.finfo(name).eps)
    if name == "f8":
        same(hd.nanquantile(x[5:], shares(1), 1), np.nanquantile(x[5:], shares(1), 1))


def test_infinities_stay():
    x = np.array([1.0, np.inf, np.inf, -np.inf])
    assert hd.quantile(x, 1.0) == np.inf and hd.quantile(x, 0.0) == -np.inf
    assert hd.quantile(x, 0.5) == np.inf and hd.quantile([1.0, np.inf], 0.0) == 1
    narrow = x.astype("f4")
    for q in (0.0, 0.2, 0.5, 0.9, 1.0):
        assert hd.quantile(narrow, q) == hd.quantile(x, q)
    assert np.isnan(hd.quantile([-np.inf, np.inf], 0.5))


def test_wide_integers():
    x = np.array([2**63 - 1, 2**63 - 3, 2**62 + 1], np.int64)
    for method in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation"):
        same(hd.quantile(x, [0.0, 0.5, 1.0], method=method), np.quantile(x, [0.0, 0.5, 1.0], method=method))
    assert hd.quantile(np.array([-128, 127], np.int8), 0.5) == -0.5


def test_weights():
    rng = np.random.default_rng(2)
    x, w = rng.integers(0, 40, (6, 50)).astype("f8"), rng.integers(0, 8, (6, 50)).astype("f8")
    w[:, 0] += 1
    q = [0.0, 0.5, 0.25, 1.0]
    for axis in (None, 0, 1):
        if axis == 0:
            w[0] += 1
        same(hd.quantile(x, q, axis, weights=w, method="inverted_cdf"),
             np.quantile(x, q, axis, weights=w, method="inverted_cdf"))
    same(hd.quantile(x, 0.5, 1, weights=w[0], method="inverted_cdf"),
         np.quantile(x, 0.5, 1, weights=w[0], method="inverted_cdf"))
    with pytest.raises(ValueError, match="inverted_cdf"):
        hd.quantile(x, 0.5, weights=w)
    with pytest.raises(ValueError, match="non-negative"):
        hd.quantile(x, 0.5, weights=-w, method="inverted_cdf")
    cube, heavy = x.reshape(2, 3, 50), w.reshape(2, 3, 50)
    for axis in (1, (0, 2), (2, 0), (0, 1, 2)):
        same(hd.quantile(cube, q, axis, weights=heavy, method="inverted_cdf"),
             np.quantile(cube, q, axis, weights=heavy, method="inverted_cdf"))
    w[3] = 0
    with pytest.raises(ValueError, match="sum of weights is 0"):
        hd.quantile(x, 0.5, 1, weights=w, method="inverted_cdf")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_weights_on_a_device(gpu, dtype):
    rng = np.random.default_rng(3)
    x, w = rng.integers(0, 40, (3, 400)).astype("f4"), rng.random((3, 400)).astype(dtype)
    there, beside = (hd.DeviceArray.from_host(a, gpu) for a in (x, w))
    words = {"method": "inverted_cdf"}
    for q, axis, mine, theirs in ((0.5, None, beside, w), (0.25, 1, beside, w), (0.1, -1, w, w),
                                  (0.9, 1, hd.DeviceArray.from_host(w[0], gpu), w[0])):
        found = hd.quantile(there, q, axis, weights=mine, **words)
        assert isinstance(found, hd.DeviceArray) and found.dtype == np.float64
        same(found.to_host(), np.asarray(np.quantile(x, q, axis, weights=theirs, **words), np.float64))
    same(hd.percentile(there, 30, 1, weights=beside, keepdims=True, **words).to_host(),
         np.percentile(x, 30, 1, weights=w, keepdims=True, **words).astype("f8"))
    x[0, ::2] = np.nan
    found = hd.nanquantile(hd.DeviceArray.from_host(x, gpu), 0.5, 1, weights=beside, **words)
    same(found.to_host(), hd.nanquantile(x, 0.5, 1, weights=w, **words).astype("f8"))
    same(hd.nanquantile(hd.DeviceArray.from_host(x, gpu), 0.5, 0, weights=beside, **words).to_host(),
         hd.nanquantile(x, 0.5, 0, weights=w, **words).astype("f8"))
    with pytest.raises(ValueError, match="last axis"):
        hd.quantile(there, 0.5, 0, weights=hd.DeviceArray.from_host(w[:, 0].copy(), gpu), **words)
    with pytest.raises(ValueError, match="consistent"):
        hd.quantile(there, 0.5, 1, weights=w[:, :5], **words)
    with pytest.raises(TypeError, match="float32 or float64"):
        hd.quantile(there, 0.5, weights=hd.DeviceArray.from_host(w.astype("i4"), gpu), **words)
    bad = hd.DeviceArray.from_host(-w, gpu)
    with pytest.raises(ValueError, match="weight 0 is negative"):
        hd.quantile(there, 0.5, weights=bad, **words)
        hd.synchronize(gpu)


def test_out_and_threads():
    x = values("f8", 400_001, 9)
    out = np.empty(2)
    assert hd.quantile(x, [0.1, 0.6], out=out) is out
    same(out, np.quantile(x, [0.1, 0.6]))
    assert hd.median(x, threads=1) == hd.median(x, threads=3) == np.median(x)
    same(hd.quantile(x.astype("f4"), shares(2)), np.quantile(x.astype("f4"), shares(2)))


def test_refused():
    with pytest.raises(ValueError, match="range"):
        hd.quantile([1, 2], 1.5)
    with pytest.raises(ValueError, match="range"):
        hd.percentile([1, 2], [5, 101])
    with pytest.raises(ValueError, match="valid method"):
        hd.quantile([1, 2], 0.5, method="x")
    with pytest.raises(ValueError, match="at least one"):
        hd.quantile([], 0.5)
    with pytest.raises(np.exceptions.AxisError):
        hd.median([1, 2], axis=1)
    with pytest.raises(TypeError):
        hd.quantile([1, 2], "a")
    with pytest.warns(RuntimeWarning, match="empty"):
        assert np.isnan(hd.median([]))
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        assert np.isnan(hd.nanmedian([np.nan, np.nan]))


# ---- the first elements ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", WHOLE + FLOATS)
def test_topk(name):
    for shape in ((1,), (30,), (5001,), (6, 70), (3, 4, 11)):
        x = values(name, shape, sum(shape), nan=True)
        for axis in range(len(shape)):
            for k in (0, 1, min(10, shape[axis]), shape[axis]):
                for largest in (True, False):
                    got, where = hd.topk(x, k, largest, axis)
                    order = np.argsort(x, axis=axis, kind="stable") if not largest else \
                        hd.argsort(x, axis=axis, descending=True, nan_first=True)
                    order = np.take(order, range(k), axis=axis)
                    same(where, order)
                    same(got, np.take_along_axis(x, order, axis))
    with pytest.raises(ValueError, match="k: 5"):
        hd.topk([1, 2], 5)


def test_kthvalue():
    x = values("f4", (5, 60), 4)
    for k in (1, 7, 60):
        value, index = hd.kthvalue(x, k)
        order = np.argsort(x, axis=-1, kind="stable")[:, k - 1]
        same(index, order)
        same(value, x[np.arange(5), order])
        assert hd.kthvalue(x, 3, axis=0, keepdims=True)[0].shape == (1, 60)
    with pytest.raises(ValueError, match="below 1"):
        hd.kthvalue(x, 0)


@pytest.mark.parametrize("name", ("u1", "i2", "f2", "i4", "f4", "u8", "f8"))
@pytest.mark.parametrize("content", ("any", "few", "one", "nan"))
@pytest.mark.parametrize("length", (4095, 4096, 70_001))
def test_partition_of_a_line(name, content, length):
    """Around places in any part of it, whichever way the call goes; what is less and the rest stay in order."""
    x = values(name, length, 5)
    if content == "few":
        x = (np.abs(x.astype("f8")) % 7).astype(name)
    elif content == "one":
        x = np.full(length, 3, name)
    elif content == "nan" and x.dtype.kind == "f":
        x[::7], x[1::5], x[3::11] = np.nan, 0, -0.0
    whole = hd.sort(x)
    for kth in (0, length // 8 - 1, length // 8, length // 2, length * 9 // 10, -1):
        place = kth % length
        got = hd.partition(x, kth)
        np.testing.assert_array_equal(got.view("u1"), hd.partition(x, [kth]).view("u1"))
        np.testing.assert_array_equal(got[place], whole[place])
        np.testing.assert_array_equal(np.sort(got[:place]), whole[:place])
        np.testing.assert_array_equal(np.sort(got[place:]), whole[place:])
        assert np.signbit(got[place]) == np.signbit(whole[place])
    if name != "u1" and length >= 4096:
        for place in (length // 30, length // 3, length // 2):
            less = x[x < whole[place]] if whole[place] == whole[place] else x[x == x]
            np.testing.assert_array_equal(hd.partition(x, place)[:less.size], less)
    if content == "nan" and x.dtype.kind == "f":
        zeros = np.flatnonzero(whole == 0)
        for place in (zeros[0], zeros[np.flatnonzero(~np.signbit(whole[zeros]))[0]], zeros[-1]):
            got = hd.partition(x, place)
            np.testing.assert_array_equal(got.view("u1"), hd.partition(x, [place]).view("u1"))
            assert got[place] == 0 and np.signbit(got[place]) == np.signbit(whole[place])
            assert np.sort(got[:place])[-1] <= 0 and np.signbit(got[:place]).sum() \
                == np.signbit(whole[:place]).sum()


@pytest.mark.parametrize("name", ("i2", "f4", "f8"))
@pytest.mark.parametrize("kth", (0, 3, -1, [2, 5], [-1, 0], 40))
def test_partition(name, kth):
    x = values(name, (7, 90), 8, nan=True)
    whole = np.sort(x, axis=1)
    got = hd.partition(x, kth)
    where = hd.argpartition(x, kth)
    assert got.dtype == x.dtype and where.dtype == np.intp
    np.testing.assert_array_equal(np.sort(got, axis=1), whole)
    np.testing.assert_array_equal(np.sort(where, axis=1), np.arange(90) + np.zeros((7, 1), int))
    for result in (got, np.take_along_axis(x, where, 1)):
        for place in np.atleast_1d(kth):
            place = int(place) % 90
            np.testing.assert_array_equal(result[:, place], whole[:, place])
            np.testing.assert_array_equal(np.sort(result[:, :place], 1), whole[:, :place])
    np.testing.assert_array_equal(hd.partition(x, 3, axis=0)[3], np.partition(x, 3, axis=0)[3])
    with pytest.raises(ValueError, match="out of bounds"):
        hd.partition(x, 90)


@pytest.mark.parametrize("name", ("i8", "u8"))
def test_weighted_quantiles_of_64_bits_are_elements(name):
    info = np.iinfo(name)
    x = np.array([[info.max, info.max - 1, 5], [info.min + 1, 2**53 + 1, info.max - 2]], name)
    for axis in (None, 0, 1):
        for weights in (np.ones(x.shape), np.array([[1, 2, 0], [0, 2, 1]])):
            if axis == 0 and not weights.all():
                weights = weights + (weights.sum(axis=0) == 0)
            for q in (0, 0.25, 0.5, [0.3, 1]):
                got, wanted = (m.quantile(x, q, axis, method="inverted_cdf", weights=weights) for m in (hd, np))
                assert got.dtype == name and np.array_equal(got, wanted)


@pytest.mark.parametrize("name", ("f2", "f4", "f8", "i8"))
@pytest.mark.parametrize("method", ("linear", "lower", "hazen"))
def test_dtypes_of_no_results(name, method):
    none, some = np.ones((0, 3), name), np.ones((2, 3), name)
    for call in (lambda m: m.quantile(none, 0.5, axis=1, method=method),
                 lambda m: m.quantile(some, [], axis=1, method=method)):
        got, wanted = call(hd), call(np)
        assert got.shape == wanted.shape and got.dtype == wanted.dtype
