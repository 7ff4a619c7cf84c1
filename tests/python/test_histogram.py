"""hd.histogram against NumPy and against searchsorted on the edges.

Counts must be those of searchsorted, on every device; edges must have the bits and the type of the
pinned NumPy's; sums of weights are compared by tolerance, and by bits between numbers of threads.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import heddle as hd
from heddle._arrays import pieces

from outcomes import outcome

FLOATS = [np.float16, np.float32, np.float64]
INTEGERS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]
DTYPES = FLOATS + INTEGERS
LENGTHS = [0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 63, 65, 255, 256, 257, 1535, 1536, 1537, 4097, 70001]


def wide(values):
    """As the library compares: f64, to which 64-bit integers are rounded."""
    return np.asarray(values).reshape(-1).astype(np.float64)


def searched(x, edges):
    """Counts by searchsorted, and what is below, above and NaN."""
    x, edges = wide(x), wide(edges)
    slots = np.searchsorted(edges, x, "right") - 1
    slots[x == edges[-1]] = len(edges) - 2
    inside = (x >= edges[0]) & (x <= edges[-1])
    counts = np.bincount(slots[inside], minlength=len(edges) - 1)
    return counts, (x < edges[0]).sum(), (x > edges[-1]).sum(), np.isnan(x).sum()


def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape
    assert a.tobytes() == b.tobytes()


def sample(rng, dtype, size):
    if np.dtype(dtype).kind == "f":
        return (rng.standard_normal(size) * 3).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(max(info.min, -1000), min(info.max, 1000), size, dtype, endpoint=True)


# ---- edges ------------------------------------------------------------------------------------


def ends(rng, dtype):
    """Ranges of all kinds: wide, narrow beside their distance from 0, of few numbers."""
    middle = rng.choice([0.0, 1.0, -3.7, 1000.25, 1e4]) * rng.random()
    width = 10.0 ** rng.uniform(-7, 4)
    lo, hi = middle - width * rng.random(), middle + width * rng.random()
    if np.dtype(dtype).kind != "f":
        lo, hi = sorted(int(v) for v in (lo, hi))
    return lo, hi


@pytest.mark.parametrize("dtype", DTYPES)
def test_edges_have_the_bits_of_numpys(dtype):
    rng = np.random.default_rng(1)
    for _ in range(1500):
        lo, hi = ends(rng, dtype)
        info = np.iinfo(dtype) if np.dtype(dtype).kind != "f" else np.finfo(dtype)
        data = np.clip([lo, hi, hi], float(info.min), float(info.max) * 0.99).astype(dtype)
        count = int(rng.integers(1, 40) if rng.random() < 0.8 else rng.integers(1, 3000))
        scalar = rng.choice([np.float64, np.float32, np.float16, np.int16, float, int])
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            typed = (scalar(lo), scalar(hi))
        for chosen in (None, (lo, hi), (int(lo), hi), typed, (typed[0], hi)):
            expected = outcome(np.histogram_bin_edges, data, count, chosen)
            found = outcome(hd.histogram, data, count, chosen)
            if isinstance(expected, type):
                assert found is expected, (data, count, chosen)
            else:
                assert not isinstance(found, type), (data, count, chosen, found)
                same(found[1], expected)


@pytest.mark.parametrize("value", [0, 1, -3, 200.5, 1e-300, -1e4])
@pytest.mark.parametrize("dtype", FLOATS + [np.int32])
def test_constant_data_has_a_range_of_one(dtype, value):
    data = np.full(9, value).astype(dtype)
    found, expected = outcome(hd.histogram, data, 5), outcome(np.histogram, data, 5)
    if isinstance(expected, type):  # half a unit is too little for float16
        assert found is expected and dtype is np.float16
        return
    assert found[0].tolist() == expected[0].tolist()
    same(found[1], expected[1])


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_elements(dtype):
    for arguments in ({}, {"bins": 3, "range": (1, 2)}, {"bins": [0, 1, 5]}, {"bins": "auto"}):
        hist, edges = hd.histogram(np.array([], dtype), **arguments)
        expected = np.histogram(np.array([], dtype), **arguments)
        same(hist, expected[0])
        same(edges, expected[1])


@pytest.mark.parametrize("bins", [[], [2], [2.5]])
def test_fewer_than_two_edges_are_no_bins(bins):
    hist, edges = hd.histogram([1, 2, 3], bins)
    expected = np.histogram([1, 2, 3], bins)
    same(hist, expected[0])
    same(edges, expected[1])
    h = hd.histogram([1, 2, 3], bins, full=True)
    assert h.count == 3 and h._repr_svg_()


# ---- counts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_counts_are_those_of_searchsorted(dtype, device):
    rng = np.random.default_rng(2)
    for size in LENGTHS:
        x = sample(rng, dtype, size)
        for count in (1, 10, 100, 1000):
            for chosen in (None, (-2, 3), (0.25, 40.0)):
                if size == 0 and chosen is None:
                    continue
                found = outcome(hd.histogram, x, count, chosen, full=True, device=device)
                if isinstance(found, type):
                    assert outcome(np.histogram_bin_edges, x, count, chosen) is found
                    continue
                counts, under, over, nan = searched(x, found.edges)
                assert found.hist.dtype == np.int64
                assert found.hist.tolist() == counts.tolist()
                assert (found.under, found.over, found.nan) == (under, over, nan)
                assert found.count == size and found.nulls == 0


@pytest.mark.parametrize("dtype", FLOATS)
def test_values_within_an_ulp_of_edges(dtype, device):
    rng = np.random.default_rng(3)
    for _ in range(40):
        lo, hi = ends(rng, dtype)
        count = int(rng.integers(2, 300))
        edges = outcome(np.histogram_bin_edges, np.zeros(1, dtype), count, (lo, hi))
        if isinstance(edges, type):
            continue
        near = [edges, np.nextafter(edges, dtype(np.inf)), np.nextafter(edges, dtype(-np.inf))]
        tiny = np.finfo(dtype).smallest_subnormal
        odd = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, tiny], dtype)
        x = rng.permutation(np.concatenate([*near, odd, *near]))
        for bins in (edges, len(edges) - 1):
            found = hd.histogram(x, bins, (lo, hi), full=True, device=device)
            same(found.edges, edges)
            counts, under, over, nan = searched(x, edges)
            short = hd.histogram(x, bins, (lo, hi))[0]  # in a way of its own
            assert found.hist.tolist() == short.tolist() == counts.tolist()
            assert (found.under, found.over, found.nan) == (under, over, nan)


EDGE_KINDS = [np.float64, np.float32, np.float16, np.int64, np.uint8, np.int16, bool]


@pytest.mark.parametrize("edge_dtype", EDGE_KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_explicit_edges_of_every_type(dtype, edge_dtype, device):
    rng = np.random.default_rng(4)
    for count in (1, 2, 9, 200):
        edges = np.sort(rng.integers(0, 60, count + 1) / 2).astype(edge_dtype)  # often equal
        x = np.concatenate([sample(rng, dtype, 500), edges.astype(dtype)])
        hist, given_back = hd.histogram(x, edges, device=device)
        assert given_back is edges
        assert hist.tolist() == np.histogram(x, edges)[0].tolist() == searched(x, edges)[0].tolist()


def test_infinite_edges():
    x = np.array([-np.inf, -1, 0, 5, np.inf, np.nan])
    for edges in ([-np.inf, 0, np.inf], [0, np.inf, np.inf], [-np.inf, -np.inf, 1]):
        assert hd.histogram(x, edges)[0].tolist() == np.histogram(x, edges)[0].tolist()


@given(x=hnp.arrays(st.sampled_from(FLOATS), st.integers(1, 400),
                    elements=st.floats(-100, 100, width=16)),
       count=st.integers(1, 300),
       chosen=st.none() | st.tuples(st.floats(-120, 0), st.floats(0, 120)))
def test_any_floats(x, count, chosen):
    found = outcome(hd.histogram, x, count, chosen)
    edges = outcome(np.histogram_bin_edges, x, count, chosen)
    if isinstance(edges, type):
        assert found is edges
        return
    same(found[1] + 0.0, edges + 0.0)  # which of two zeros is the least is not NumPy's to say
    assert found[0].tolist() == searched(x, edges)[0].tolist()


@given(x=st.sampled_from(INTEGERS).flatmap(lambda t: hnp.arrays(t, st.integers(1, 300))),
       count=st.integers(1, 300))
def test_any_integers(x, count):
    found = outcome(hd.histogram, x, count)
    edges = outcome(np.histogram_bin_edges, x, count)
    if isinstance(edges, type):
        assert found is edges
        return
    same(found[1], edges)
    assert found[0].tolist() == searched(x, edges)[0].tolist()


@given(x=hnp.arrays(np.float64, st.integers(0, 200)),
       edges=st.lists(st.floats(allow_nan=False), min_size=2, max_size=60).map(sorted))
def test_any_edges(x, edges):
    found = hd.histogram(x, edges, full=True)
    counts, under, over, nan = searched(x, edges)
    assert found.hist.tolist() == counts.tolist() == np.histogram(x, edges)[0].tolist()
    assert (found.under, found.over, found.nan) == (under, over, nan)


def test_numpys_shortcut_misses_its_own_edges():
    """float16 has 11 bits for the number of one of 1,643 bins; 418 goes below the edge 418."""
    x = np.arange(430, dtype=np.float16)
    edges = np.histogram_bin_edges(x, 1643)
    assert (edges[:-1] < edges[1:]).all() and edges[1602] == 418
    assert np.histogram(x, 1643)[0][1601:1603].tolist() == [1, 0]
    assert np.histogram(x, edges)[0][1601:1603].tolist() == [0, 1]
    hist, found = hd.histogram(x, 1643)
    same(found, edges)
    assert hist.tolist() == searched(x, edges)[0].tolist()
    assert hist[1601:1603].tolist() == [0, 1]


def test_long_integers_are_compared_as_integers():
    big = 2**60
    x = np.array([big - 1, big, big + 1, big + 2, big + 3])
    edges = np.array([big, big + 2, big + 3])
    h = hd.histogram(x, edges, full=True)
    assert h.hist.tolist() == np.histogram(x, edges)[0].tolist() == [2, 2]
    assert (h.under, h.over) == (1, 0)
    h = hd.histogram(x, 2, (0, big + 1), full=True)
    assert h.hist.tolist() == np.histogram(x, 2, (0, big + 1))[0].tolist() and h.over == 2
    weighted = hd.histogram(x, edges, weights=np.array([1, 2, 3, 4, 5]))[0]
    assert weighted.tolist() == [5, 9] and weighted.dtype == np.int64


# ---- weights and densities ---------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_weights_of_every_type(dtype, device):
    rng = np.random.default_rng(5)
    x = rng.random(5000)
    w = sample(rng, dtype, 5000) if np.dtype(dtype).kind == "f" else rng.integers(0, 3, 5000, dtype)
    tolerance = {"rtol": 4e-2, "atol": 2} if dtype is np.float16 else {"rtol": 1e-3, "atol": 1e-2}
    for bins in (1, 7, [0, 0.1, 0.5, 0.9]):
        hist, _ = hd.histogram(x, bins, weights=w, device=device)
        expected = np.histogram(x, bins, weights=w)[0]
        assert hist.dtype == expected.dtype == dtype
        if np.dtype(dtype).kind == "f":
            np.testing.assert_allclose(hist.astype(float), expected.astype(float), **tolerance)
        else:
            assert hist.tolist() == expected.tolist()


def test_bool_weights_say_whether_any_is_set():
    hist, _ = hd.histogram([1, 2, 3, 4], 2, weights=[False, False, True, False])
    assert hist.dtype == bool and hist.tolist() == [False, True]


def test_weights_that_are_not_finite_stay_in_their_bin(device):
    w = np.array([1, np.nan, np.inf, 2.5])
    hist, _ = hd.histogram([0.5, 1.5, 2.5, 3.5], 4, (0, 4), weights=w, device=device)
    np.testing.assert_array_equal(hist, w)


@pytest.mark.parametrize("weighted", [False, True])
def test_density(weighted):
    rng = np.random.default_rng(6)
    x, w = rng.random(3000), rng.random(3000)
    for bins in (9, [0, 0.25, 0.3, 2.0], [0, 0.5, np.inf]):
        arguments = {"bins": bins, "density": True, "weights": w if weighted else None}
        found, expected = hd.histogram(x, **arguments), np.histogram(x, **arguments)
        np.testing.assert_allclose(found[0], expected[0], rtol=0 if not weighted else 1e-12)
        assert found[0].dtype == expected[0].dtype


def test_threads_do_not_show(device):
    rng = np.random.default_rng(7)
    x = rng.standard_normal(3_000_001).astype(np.float32)
    w = rng.standard_normal(x.size)
    whole = hd.histogram(x, 100, device=device)
    sums = hd.histogram(x, 100, weights=w, device=device)
    for threads in range(1, 9):
        same(hd.histogram(x, 100, threads=threads)[0], whole[0])
        same(hd.histogram(x, 100, weights=w, threads=threads)[0], sums[0])


# ---- layouts and nulls -------------------------------------------------------------------------


def layouts(x):
    """The same elements in other places and orders of memory."""
    cube = x[: x.size // 24 * 24].reshape(4, -1, 6)
    yield from (x[::-1], x[::3], x[5:], cube, cube.T, np.asfortranarray(cube), cube[:, ::-1, ::2],
                cube.transpose(1, 0, 2), np.broadcast_to(x[:50], (7, 50)), x.reshape(1, -1, 1),
                x[3], x.astype(x.dtype.newbyteorder()))
    frozen = x.copy()
    frozen.flags.writeable = False
    yield frozen
    packed = np.zeros(x.size, [("gap", np.uint8), ("value", x.dtype)])
    packed["value"] = x
    yield packed["value"]


@pytest.mark.parametrize("large", [pieces.LARGE, 64])
@pytest.mark.parametrize("dtype", DTYPES + [bool])
def test_layouts(dtype, large, monkeypatch):
    monkeypatch.setattr(pieces, "LARGE", large)
    monkeypatch.setattr(pieces, "_PIECE", 1000 if large == 64 else 1 << 20)
    rng = np.random.default_rng(8)
    x = rng.integers(0, 2, 5003).astype(bool) if dtype is bool else sample(rng, dtype, 5003)
    for array in layouts(x):
        w = np.arange(array.size, dtype=np.float32).reshape(array.shape).T.copy().T
        for bins, chosen in ((10, None), (10, (0, 2)), ([0, 1, 5], None)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                expected = np.histogram(np.array(array, order="C"), bins, chosen)
                found = hd.histogram(array, bins, chosen)
                sums = hd.histogram(array, bins, chosen, weights=w)[0]
                exact = np.histogram(array, bins, chosen, weights=w.astype(np.float64))[0]
            if dtype is np.float16 and not isinstance(bins, list):
                assert found[0].tolist() == searched(array, found[1])[0].tolist()
            else:
                assert found[0].tolist() == expected[0].tolist()
                np.testing.assert_allclose(sums, exact, rtol=1e-6)
            same(found[1], np.asarray(expected[1]))


def test_pieces_have_the_bits_of_the_whole(monkeypatch):
    rng = np.random.default_rng(9)
    table = rng.standard_normal((3, 40000)).astype(np.float32)
    w = rng.standard_normal((3, 40000))
    whole = hd.histogram(table[:, ::2].copy(), 50, weights=w[:, ::2].copy())
    monkeypatch.setattr(pieces, "LARGE", 1000)
    for piece in (1, 777, 1 << 20):
        monkeypatch.setattr(pieces, "_PIECE", piece if piece > 1 else 4096)
        found = hd.histogram(table[:, ::2], 50, weights=w[:, ::2])
        same(found[0], whole[0])
        same(found[1], whole[1])
    table[1, 4] = np.nan
    with pytest.raises(ValueError, match="autodetected range"):
        hd.histogram(table[:, ::2], 50)


def test_nulls_are_skipped_and_counted(monkeypatch):
    x = np.ma.MaskedArray([1.0, 2.0, 99.0, np.nan, 5.0], [False, False, True, True, False])
    for _ in range(2):
        h = hd.histogram(x, 2, full=True)
        assert np.asarray(h.hist).tolist() == [2, 1] and (h.lo, h.hi) == (1, 5)
        assert (h.count, h.nulls, h.nan) == (3, 2, 0)
        w = np.ma.MaskedArray([1, 2, 3, 4, 5], [True, False, False, False, False])
        h = hd.histogram(x, 2, (1, 5), weights=w, full=True)
        assert np.asarray(h.hist).tolist() == [2, 5] and h.nulls == 3
        monkeypatch.setattr(pieces, "LARGE", 1)
    all_null = hd.histogram(np.ma.MaskedArray([1.0, 2.0], [True, True]), 2, full=True)
    assert (all_null.lo, all_null.hi, all_null.nulls, all_null.count) == (0, 1, 2, 0)


def test_arrays_of_a_device_give_such_arrays(gpu):
    rng = np.random.default_rng(10)
    for dtype in DTYPES[::8] if gpu == "simt" else DTYPES:
        x = sample(rng, dtype, 3000)
        there = hd.DeviceArray.from_host(x, gpu)
        for arguments in ({}, {"bins": 30, "range": (-1, 2)}, {"bins": [0, 1, 3]},
                          {"density": True}, {"bins": "sturges"}, {"weights": x, "bins": 4}):
            hist, edges = hd.histogram(there, **arguments)
            assert isinstance(hist, hd.DeviceArray) and isinstance(edges, hd.DeviceArray)
            expected = hd.histogram(x, **arguments)
            same(hist.to_host(), expected[0])
            same(edges.to_host(), np.asarray(expected[1]))
        whole = hd.histogram(there, 7, full=True)
        assert np.array_equal(whole.hist.to_host(), hd.histogram(x, 7)[0]) and whole.count == 3000
        gaps = hd.DeviceArray.from_host(x, gpu)
        gaps.shape, gaps.strides = (30, 50), (100, 2)
        same(hd.histogram(gaps, 9)[0].to_host(), hd.histogram(x[::2], 9)[0])
