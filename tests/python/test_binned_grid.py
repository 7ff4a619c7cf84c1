"""binned_statistic_2d, binned_statistic_dd and profile2d against loops over bins."""
import itertools

import numpy as np
import pytest

import heddle as hd

NUMPYS = {"mean": np.mean, "std": np.std, "median": np.median, "count": len, "sum": np.sum,
          "min": np.min, "max": np.max}


def inside(x, edges, b):
    """Which points bin b holds, the last with both of its edges."""
    if b == len(edges) - 2:
        return (x >= edges[b]) & (x <= edges[b + 1])
    return (x >= edges[b]) & (x < edges[b + 1])


def each_bin(points, edges):
    for bins in itertools.product(*(range(len(e) - 1) for e in edges)):
        yield bins, np.logical_and.reduce([inside(x, e, b) for x, e, b in zip(points, edges, bins)])


def numbered(points, edges):
    made = []
    for x, e in zip(points, edges):
        number = np.digitize(x, e)
        number[x == e[-1]] = len(e) - 1
        made.append(number)
    return np.array(made)


@pytest.mark.parametrize("statistic", sorted(NUMPYS))
@pytest.mark.parametrize("dims, n, bins", [(1, 40, 3), (2, 0, 2), (2, 1, [2, [0, 1, 4]]), (3, 900, 3),
                                           (2, 700, [[-3, -1, 0, 2], [0, 0.5, 9]])])
def test_statistics_are_those_of_each_bin(statistic, dims, n, bins):
    rng = np.random.default_rng(n)
    points, values = rng.integers(-16, 17, (n, dims)) / 4, rng.normal(size=n)
    made = hd.binned_statistic_dd(points, values, statistic, bins, expand_binnumbers=True)
    for (b, rows), want in zip(each_bin(points.T, made.bin_edges), np.nditer(made.statistic)):
        empty = 0.0 if statistic in ("count", "sum") else np.nan
        np.testing.assert_allclose(want, NUMPYS[statistic](values[rows]) if rows.any() else empty,
                                   1e-12, 1e-12, err_msg=str(b))
    for d, edges in enumerate(made.bin_edges):
        given = bins if isinstance(bins, int) else bins[d]
        np.testing.assert_array_equal(edges, np.histogram_bin_edges(points[:, d], given))
    np.testing.assert_array_equal(made.binnumber, numbered(points.T, made.bin_edges))


def test_two_dimensions_are_the_same():
    rng = np.random.default_rng(4)
    x, y, values = rng.normal(size=(3, 500))
    limits = [[-1, 1], [-2, 0.5]]
    two = hd.binned_statistic_2d(x, y, values, "sum", [4, 5], limits)
    grid = hd.binned_statistic_dd([x, y], values, "sum", [4, 5], limits)
    assert two.statistic.tobytes() == grid.statistic.tobytes() and two.statistic.shape == (4, 5)
    np.testing.assert_array_equal(two.binnumber, grid.binnumber)
    np.testing.assert_array_equal(two.y_edge, np.linspace(-2, 0.5, 6))
    np.testing.assert_array_equal(
        two.binnumber, np.ravel_multi_index(numbered([x, y], [two.x_edge, two.y_edge]), (6, 7)))
    edges = [-1, 0, 0.25, 3]
    one = hd.binned_statistic_2d(x, y, values, "count", edges)
    np.testing.assert_array_equal(one.statistic, np.histogram2d(x, y, [edges, edges])[0])


def test_points_outside_and_nan_are_in_no_bin():
    x, y = [-1.0, 0.5, 0.5, 2.5, np.nan], [0.5, 0.5, 9.0, 0.5, 0.5]
    made = hd.binned_statistic_2d(x, y, [1.0, 2, 4, 8, 16], "sum", [2, 1], [[0, 2], [0, 1]])
    assert made.statistic.tolist() == [[2.0], [0.0]]
    assert made.binnumber.tolist() == [1, 4, 5, 10, 10]


def test_profile2d():
    rng = np.random.default_rng(3)
    x, y, z = rng.random((3, 300))
    made = hd.profile2d(x, y, z, [2, 3], [[0, 1.25], [0, 1]])
    edges = [made.x_edges, made.y_edges]
    for b, rows in each_bin([x, y], edges):
        part = z[rows]
        assert made.count[b] == len(part)
        np.testing.assert_allclose(made.mean[b], part.mean(), 1e-12, 1e-14)
        np.testing.assert_allclose(made.error[b], part.std(ddof=1) / len(part) ** 0.5, 1e-12)
    few = hd.profile2d([0.0], [0.0], [7.0], 2, [[0, 2], [0, 2]])
    assert few.count.tolist() == [[1, 0], [0, 0]] and np.isnan(few.error).all()
    assert hd.profile2d([], [], [], 2).count.shape == (2, 2)


@pytest.mark.parametrize("arguments, error, words", [
    (([[1, 2], [3, 4]], [1.0]), ValueError, "values: 1 elements"),
    ((np.zeros((2, 2, 2)), [1.0]), ValueError, "sample: it has 3 dimensions"),
    (([[1j]], [1.0]), TypeError, r"sample\[0\]: dtype complex128"),
    (([[1]], [1.0], "mode"), ValueError, "statistic: 'mode'"),
    (([[1], [1]], [1.0], "sum", [2, 2, 2]), ValueError, "bins: 3 of them for 2"),
    (([[1], [1]], [1.0], "sum", 2, [[0, 1]]), ValueError, "range: 1 of them for 2"),
    (([[1], [1]], [1.0], "sum", 20_000), ValueError, "bins together"),
    (([], [1.0]), ValueError, "no axis"),
])
def test_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        hd.binned_statistic_dd(*arguments)
