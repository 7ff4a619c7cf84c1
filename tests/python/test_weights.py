"""Weights of histogram and bincount: none at all, integers whose sums no float64 holds."""

import math
import warnings

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray

INTEGERS = ("i1", "u2", "i4", "u4", "i8", "u8")
BINS = {"even": (7, None), "even in a range": (6, (-2, 3)), "edges": ([-3, -1, 0, 2.5, 4], None),
        "one": (1, None)}


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("bins, ends", [(5, None), (3, (1, 2)), ([1, 2, 3], None), ([1.0], None),
                                        ([], None)])
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_no_elements(bins, ends, density, device):
    for dtype in "?bIqQefd":
        for a in ([], np.zeros(0, int), np.zeros((3, 0), "f")):
            w = np.zeros(np.shape(a), dtype)
            got = hd.histogram(a, bins, ends, density, w, device=device)
            for ours, theirs in zip(got, np.histogram(a, bins, ends, density, w)):
                np.testing.assert_array_equal(ours, theirs, strict=True)


def test_no_elements_beside_a_list(device):
    counts, edges = hd.histogram([], 5, weights=[], device=device)
    assert counts.tolist() == [0] * 5 and counts.dtype == float
    assert edges.tolist() == np.histogram([], 5)[1].tolist()
    whole = hd.histogram([], 5, weights=[], full=True, device=device)
    assert whole.hist.tolist() == [0] * 5 and whole.count == 0


def exact(a, weights, edges):
    """The sums of Python's integers, modulo 2**64 and in the dtype of the weights."""
    at = np.searchsorted(edges, a, "right") - 1
    at[a == edges[-1]] = len(edges) - 2
    sums = [sum(int(w) for w in weights[at == i]) for i in range(len(edges) - 1)]
    bits = 8 * weights.dtype.itemsize
    return np.array([s % 2**bits for s in sums], f"u{bits // 8}").astype(weights.dtype)


def sample(dtype, count, seed):
    rng = np.random.default_rng([seed, count])
    info = np.iinfo(dtype)
    return rng.standard_normal(count) * 2, rng.integers(info.min, info.max, count, dtype,
                                                        endpoint=True)


@pytest.mark.parametrize("bins", BINS)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_summed_exactly(dtype, bins, device):
    for count in (1, 2, 33, 3000):
        a, w = sample(dtype, count, 5)
        hist, edges = hd.histogram(a, *BINS[bins], weights=w, device=device)
        np.testing.assert_array_equal(hist, exact(a, w, edges), strict=True)


def test_what_numpys_edges_sum_exactly(device):
    """Between edges NumPy adds integers as integers; in even bins it adds float64."""
    a, w = sample("i8", 1000, 6)
    edges = np.linspace(-9, 9, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = np.histogram(a, edges, weights=w)[0]
    np.testing.assert_array_equal(hd.histogram(a, edges, weights=w, device=device)[0], want,
                                  strict=True)


def test_one_more_than_doubles_hold(device):
    w = np.array([2**53, 1, 2**62, 3])
    a = np.array([0.5, 0.5, 1.5, 1.5])
    for bins, ends in (([0, 1, 2], None), (2, (0, 2))):
        hist, _ = hd.histogram(a, bins, ends, weights=w, device=device)
        assert hist.tolist() == [2**53 + 1, 2**62 + 3]


def test_integers_of_other_places(device):
    a, w = sample("i8", 500, 7)
    want = exact(a, w, np.array([-1.0, 0.0, 1.0]))
    for x, y in ((a[::-1], w[::-1]), (a.reshape(20, 25).T, w.reshape(20, 25).T)):
        got = hd.histogram(x, [-1, 0, 1], weights=y, device=device)[0]
        np.testing.assert_array_equal(got, want)
    mask = np.arange(500) % 3 == 0
    got = hd.histogram(np.ma.array(a, mask=mask), [-1, 0, 1], weights=w, device=device)[0]
    np.testing.assert_array_equal(got, exact(a[~mask], w[~mask], np.array([-1.0, 0.0, 1.0])))
    if not device.startswith("cpu"):
        x, y = (DeviceArray.from_host(part, device) for part in (a, w))
        np.testing.assert_array_equal(hd.histogram(x, [-1, 0, 1], weights=y)[0].to_host(), want)


def test_integers_in_pieces():
    """More than is copied as a whole."""
    n = 2**21
    a = np.broadcast_to(np.arange(3.0)[:, None], (3, n))
    w = np.broadcast_to(np.array([1, 2**40 + 1, 2**53 + 1])[:, None], (3, n))
    got = hd.histogram(a, [0, 1, 2, 3], weights=w)[0]
    assert got.tolist() == [n, n * (2**40 + 1), n * (2**53 + 1) - 2**64 * 2**10]


def test_integers_beyond_doubles_of_elements_that_are(device):
    """Elements and edges that float64 cannot tell apart either."""
    a = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3])
    w = np.array([2**60 + 1, 5, -(2**62) - 1, 7])
    edges = np.array([2**53, 2**53 + 1, 2**53 + 3])
    got = hd.histogram(a, edges, weights=w, device=device)[0]
    assert got.tolist() == np.histogram(a, edges, weights=w)[0].tolist() == [
        2**60 + 1, 5 - 2**62 - 1 + 7]


@pytest.mark.parametrize("dtype", ["i8", "u8"])
def test_bincount_rounds_the_exact_sum_once(dtype, device):
    _, w = sample(dtype, 999, 8)
    x = np.arange(999) % 10
    want = [float(sum(int(v) for v in w[i::10])) for i in range(10)]
    assert hd.bincount(x, w, device=device).tolist() == want


# ---- exact sums ------------------------------------------------------------------------------------


def spread_weights(dtype, count, seed):
    """Of every size that the type has, some of which cancel."""
    rng = np.random.default_rng([seed, count])
    powers = {"e": 14, "f": 120, "d": 960}[dtype]
    w = np.ldexp(rng.standard_normal(count), rng.integers(-powers, powers, count)).astype(dtype)
    w[~np.isfinite(w)] = 1
    w[count // 2:] = np.where(rng.integers(0, 2, count - count // 2), -w[: count - count // 2],
                              w[count // 2:])
    return w


def fsums(numbers, w, length):
    return np.array([math.fsum(w[numbers == i].astype(float)) for i in range(length)])


@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000, 70_000])
def test_exact_sums_are_fsum(dtype, count, device):
    x = np.random.default_rng(count).integers(0, 5, count)
    w = spread_weights(dtype, count, 1)
    want = fsums(x, w, 5)
    got = hd.bincount(x, w, length=5, exact=True, device=device)
    np.testing.assert_array_equal(got, want, strict=True)
    np.testing.assert_array_equal(hd.bincount(x, w, 5, exact=True, device=device), want, strict=True)
    for bins, ends in (([0, 1, 2, 3, 4, 5], None), (5, (0, 5)), (5, (-0.5, 4.5))):
        hist, _ = hd.histogram(x, bins, ends, weights=w, exact=True, device=device)
        np.testing.assert_array_equal(hist, want, strict=True)
    full = hd.histogram(x, 5, (0, 5), weights=w, exact=True, full=True, device=device)
    np.testing.assert_array_equal(full.hist, want, strict=True)


def test_exact_sums_in_pieces(monkeypatch, device):
    """Weights of different size in each piece, and a strided array."""
    from heddle._arrays import pieces
    monkeypatch.setattr(pieces, "LARGE", 4096)
    monkeypatch.setattr(pieces, "_PIECE", 1000)
    x = np.random.default_rng(3).integers(0, 7, (300, 101))
    w = np.sort(np.abs(spread_weights("d", x.size, 4))).reshape(x.shape)
    for turned in (slice(None), slice(None, None, 2)):
        a, b = x[:, turned], w[:, turned]
        np.testing.assert_array_equal(hd.bincount(a.reshape(-1), b.reshape(-1), exact=True, device=device),
                                      fsums(a, b, 7), strict=True)
        hist, _ = hd.histogram(a, np.arange(8), weights=b, exact=True, device=device)
        np.testing.assert_array_equal(hist, fsums(a, b, 7), strict=True)


def test_exact_sums_of_specials_and_nulls(device):
    x = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    w = np.array([np.nan, 1, np.inf, -np.inf, np.inf, 1e308, 1e308, 1e308])
    want = [np.nan, np.nan, np.inf, np.inf]
    np.testing.assert_array_equal(hd.bincount(x, w, exact=True, device=device), want)
    masked = np.ma.array([1e300, 7, 1, -1e300], mask=[0, 1, 0, 0])
    assert hd.bincount(np.zeros(4, int), masked, exact=True, device=device).tolist() == [1.0]


def test_exact_sums_of_integers_are_as_before(device):
    a, w = sample("i8", 1000, 6)
    got = hd.histogram(a, 7, (-2, 2), weights=w, exact=True, device=device)[0]
    np.testing.assert_array_equal(got, hd.histogram(a, 7, (-2, 2), weights=w, device=device)[0], strict=True)
    assert hd.bincount([0, 0], [2**53, 3], exact=True, device=device).tolist() == [float(2**53 + 3)]


def test_exact_sums_where_numpy_finds_the_bins(device):
    """Integers that f64 does not hold, in bins between such integers; more bins than one table has."""
    x = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**61, 2**60, 2**61 + 1])
    w = np.array([1e300, 1, 0.25, 0.5, -1e300, 9])
    edges = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**61])
    got = hd.histogram(x, edges, weights=w, exact=True, device=device)[0]
    assert got.tolist() == [0.0, 1.0, 0.75]


def test_exact_sums_in_slabs(monkeypatch, device):
    from heddle._histogram import bincount as module
    monkeypatch.setattr(module, "_MOST_BINS", 8)
    monkeypatch.setattr(module, "_SLAB", 3)
    x, w = np.array([1, 9, 9, 10, 4, 10]), np.array([1, 1e300, 2, 3, 4, 5.0])
    w[2] = -1e300
    want = [0, 1, 0, 0, 4, 0, 0, 0, 0, 0, 8]
    assert hd.bincount(x, w, exact=True, device=device).tolist() == want
    assert hd.bincount(x, w, length=11, exact=True, device=device).tolist() == want
    assert hd.bincount(x, w, length=10, exact=True, device=device).tolist() == want[:10]
