"""histogram2d and histogramdd: NumPy's results, bit by bit where NumPy counts."""
import fractions
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import heddle as hd

DTYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]


def points(rng, dtype, n, axes):
    """Coordinates of which many are alike, so that some lie on edges."""
    values = rng.integers(0, 40, (n, axes)) if np.dtype(dtype).kind == "u" else \
        rng.integers(-20, 20, (n, axes)) / (2 if np.dtype(dtype).kind == "f" else 1)
    return values.astype(dtype)


def same(ours, numpys):
    assert ours[0].dtype == numpys[0].dtype and ours[0].shape == numpys[0].shape
    np.testing.assert_array_equal(ours[0], numpys[0])
    flat = [*ours[1]] if isinstance(ours[1], tuple) else ours[1:]
    expected = [*numpys[1]] if len(numpys) == 2 else numpys[1:]
    assert len(flat) == len(expected)
    for a, b in zip(flat, expected):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def edges_of(draw, dtype):
    low, high = (0, 40) if np.dtype(dtype).kind == "u" else (-22, 22)
    kind = draw(st.sampled_from(["count", "integers", "floats", "f4"]))
    if kind == "count":
        return draw(st.integers(1, 12))
    numbers = draw(st.lists(st.integers(low, high), min_size=2, max_size=9))
    edges = np.sort(np.array(numbers))
    return edges if kind == "integers" else (edges / 2).astype("f4" if kind == "f4" else "f8")


@settings(max_examples=150)
@given(st.data())
def test_any_points_and_bins_count_as_numpys(data):
    draw = data.draw
    dtype = draw(st.sampled_from(DTYPES))
    axes = draw(st.integers(1, 4))
    n = draw(st.integers(0, 60) | st.sampled_from([255, 256, 257, 1536, 1537, 4000]))
    sample = points(np.random.default_rng(draw(st.integers(0, 99))), dtype, n, axes)
    bins = [edges_of(draw, dtype) for _ in range(axes)]
    limits = [draw(st.sampled_from([None, (0, 7), (-3.5, 19.25)])) for _ in range(axes)]
    density = draw(st.booleans())
    with np.errstate(invalid="ignore", divide="ignore"):
        same(hd.histogramdd(sample, bins, limits, density),
             np.histogramdd(sample, bins, limits, density))
        same(hd.histogramdd(np.asfortranarray(sample)[::-1], bins, limits, density),
             np.histogramdd(sample, bins, limits, density))


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_arrays_count_as_numpys(dtype):
    x, y = points(np.random.default_rng(3), dtype, 5000, 2).T
    for bins in (10, [7, 5], np.arange(9), [np.arange(9), 4], [[0, 1, 5.5], [2, 3]]):
        same(hd.histogram2d(x, y, bins), np.histogram2d(x, y, bins))
    same(hd.histogram2d(x, y, 3, [[0, 7], [1, 8]]), np.histogram2d(x, y, 3, [[0, 7], [1, 8]]))
    same(hd.histogram2d(x[::3], y[:1667], 3), np.histogram2d(x[::3], y[:1667], 3))


def test_types_are_promoted_to_one():
    x, y = [1, 2, 3, 4], np.array([0.5, 0.25, 8, 1], "f4")
    same(hd.histogram2d(x, y, 3), np.histogram2d(x, y, 3))
    same(hd.histogramdd([x, y, x], 2), np.histogramdd([x, y, x], 2))
    same(hd.histogramdd([1, 2, 5], 2), np.histogramdd([1, 2, 5], 2))
    flags = np.array([True, False, True])
    same(hd.histogram2d(flags, flags, 2), np.histogram2d(flags.view("u1"), flags.view("u1"), 2))


@pytest.mark.parametrize("dtype", ["u1", "i4", "f2", "f4", "f8"])
def test_a_range_without_width_is_widened(dtype):
    x, y = np.full(5, 3, dtype), np.arange(5).astype(dtype)
    same(hd.histogram2d(x, x, 4), np.histogram2d(x, x, 4))
    same(hd.histogram2d(x, y, 3, [[3, 3], [2, 2]]), np.histogram2d(x, y, 3, [[3, 3], [2, 2]]))


def test_a_large_grid_and_every_thread():
    rng = np.random.default_rng(5)
    x, y = rng.standard_normal((2, 300_000))
    wanted = np.histogram2d(x, y, [300, 150], [[-2, 2], [-1, 3]])
    for threads in (1, 2, 3):
        same(hd.histogram2d(x, y, [300, 150], [[-2, 2], [-1, 3]], threads=threads), wanted)


def test_weights_are_summed_exactly_where_they_can_be():
    rng = np.random.default_rng(6)
    x, y = rng.standard_normal((2, 20_000))
    whole = rng.integers(-50, 50, x.size)
    for weights in (whole, whole.astype("i1"), whole / 8, (whole / 8).astype("f4"), whole > 0):
        same(hd.histogram2d(x, y, 20, weights=weights), np.histogram2d(x, y, 20, weights=weights))
    w = rng.standard_normal(x.size)
    ours, numpys = (m.histogram2d(x, y, 9, weights=w, density=True)[0] for m in (hd, np))
    np.testing.assert_allclose(ours, numpys, rtol=1e-9, atol=1e-15)


def test_exact_sums_are_those_of_fractions():
    w = np.array([1e300, 1.0, -1e300, 2.0**-60, 3.0])
    x = np.zeros(5)
    made = hd.histogram2d(x, x, 1, [[-1, 1], [-1, 1]], weights=w, exact=True)[0]
    assert made[0, 0] == float(sum(map(fractions.Fraction, w)))
    assert made[0, 0] == math.fsum(w)


def test_flow_counts_all():
    x = np.array([-1.0, 0, 0.5, 1, 2, np.nan])
    y = np.array([0.5, 0.5, -3, 0.5, 0.5, 0.5])
    made, *_ = hd.histogram2d(x, y, [2, 1], [[0, 1], [0, 1]], flow=True)
    wanted = np.zeros((4, 3))
    for at in ((0, 1), (1, 1), (2, 0), (2, 1), (3, 1), (3, 1)):
        wanted[at] += 1
    np.testing.assert_array_equal(made, wanted)
    np.testing.assert_array_equal(made[1:-1, 1:-1],
                                  hd.histogram2d(x, y, [2, 1], [[0, 1], [0, 1]])[0])


def test_integers_beyond_f64_are_numpys():
    x = np.array([2**53, 2**53 + 1, 2**53 + 2])
    edges = np.array([2**53, 2**53 + 1, 2**53 + 3])
    same(hd.histogram2d(x, x, [edges, edges]), np.histogram2d(x, x, [edges, edges]))


def test_masked_points_are_left_out():
    x = np.ma.array([1.0, 2, 3, 4], mask=[0, 1, 0, 0])
    y = np.ma.array([1.0, 2, 3, 4], mask=[0, 0, 0, 1])
    same(hd.histogram2d(x, y.data, [[0, 2, 5]] * 2),
         np.histogram2d([1.0, 3, 4], [1.0, 3, 4], [[0, 2, 5]] * 2))
    same(hd.histogram2d(x, y, [[0, 2, 5]] * 2), np.histogram2d([1.0, 3], [1.0, 3], [[0, 2, 5]] * 2))


@pytest.mark.parametrize("error, match, arguments", [
    (ValueError, "same length", dict(x=[1], y=[1, 2])),
    (ValueError, "dimension of bins", dict(x=[1], y=[1], bins=[6])),
    (ValueError, "positive", dict(x=[1], y=[1], bins=0)),
    (TypeError, "must be an integer", dict(x=[1], y=[1], bins=[2.5, 2])),
    (ValueError, "monotonically", dict(x=[1], y=[1], bins=[[1, 0], 2])),
    (ValueError, "NaN", dict(x=[1], y=[1], bins=[[1, np.nan], 2])),
    (ValueError, "1d array", dict(x=[1], y=[1], bins=[[[1, 2]], 2])),
    (ValueError, "not finite", dict(x=[np.nan], y=[1])),
    (ValueError, "not finite", dict(x=[1], y=[1], range=[[0, np.inf], None])),
    (ValueError, "max must be larger", dict(x=[1], y=[1], range=[[2, 1], None])),
    (ValueError, "one entry per dimension", dict(x=[1], y=[1], range=[[2, 1]])),
    (ValueError, "weights", dict(x=[1], y=[1], weights=[1, 2])),
    (ValueError, "flow", dict(x=[1], y=[1], density=True, flow=True)),
    (ValueError, "bins together", dict(x=[1], y=[1], bins=20_000)),
    (TypeError, "complex", dict(x=[1j], y=[1])),
])
def test_refusals(error, match, arguments):
    with pytest.raises(error, match=match):
        hd.histogram2d(**arguments)


def test_refused_samples():
    with pytest.raises(ValueError, match="dimension"):
        hd.histogramdd(np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="lengths"):
        hd.histogramdd([[1, 2], [1]])
    with pytest.raises(ValueError, match="axes"):
        hd.histogramdd(np.zeros((3, 9)), 1)


# ---- points on a device ----------------------------------------------------------------------


def there(x, gpu):
    return hd.DeviceArray.from_host(np.asarray(x), gpu)


def alike(made, wanted):
    assert len(made) == len(wanted)
    for part, want in zip(made, wanted):
        assert part.dtype == want.dtype
        np.testing.assert_array_equal(part.to_host(), want)


def test_arrays_of_a_device_give_such_arrays(gpu):
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(2, 3000)).astype("f4")
    for arguments in ({}, {"bins": [7, 9], "range": [[-1, 1], [-2, 2]]}, {"density": True},
                      {"bins": [5, 6], "weights": rng.random(3000)}):
        wanted = hd.histogram2d(x, y, **arguments)
        weights = arguments.pop("weights", None)
        made = hd.histogram2d(there(x, gpu), there(y, gpu), **arguments,
                              weights=None if weights is None else there(weights, gpu))
        alike(made, wanted)
    points = rng.integers(0, 50, (1000, 2))
    made, edges = hd.histogramdd(there(points, gpu), 4)
    wanted, wanted_edges = hd.histogramdd(points, 4)
    alike([made, *edges], [wanted, *wanted_edges])
    same(hd.histogram2d(x, y, 7, [[-1, 1], [-2, 2]], device=gpu),
         hd.histogram2d(x, y, 7, [[-1, 1], [-2, 2]]))


def test_refused_points_on_a_device(gpu):
    x = np.zeros(4)
    with pytest.raises(TypeError, match="axis 1 is on the host"):
        hd.histogram2d(there(x, gpu), x)
    with pytest.raises(TypeError, match="points on the host"):
        hd.histogram2d(x, there(x, gpu))
    with pytest.raises(TypeError, match="one type"):
        hd.histogram2d(there(x, gpu), there(x.astype("f4"), gpu))
    with pytest.raises(ValueError, match="same length"):
        hd.histogram2d(there(x, gpu), there(x[1:], gpu))
    with pytest.raises(ValueError, match="not finite"):
        hd.histogram2d(there(x + np.nan, gpu), there(x, gpu))
    with pytest.raises(ValueError, match="on the host, without flow"):
        hd.histogram2d(there([1, 2], gpu), there([1, 2], gpu), [[0, 2**60], 2])
