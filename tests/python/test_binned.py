"""binned_statistic and profile: NumPy's statistics of the values that lie in each bin."""
import numpy as np
import pytest

import heddle as hd

NUMPYS = {"mean": np.mean, "std": np.std, "median": np.median, "count": len, "sum": np.sum,
          "min": np.min, "max": np.max}


def expected(x, values, statistic, edges):
    """Bin after bin by comparisons, the last with both of its edges."""
    made = []
    for b in range(len(edges) - 1):
        last = b == len(edges) - 2
        inside = (x >= edges[b]) & ((x <= edges[b + 1]) if last else (x < edges[b + 1]))
        empty = 0.0 if statistic in ("count", "sum") else np.nan
        made.append(NUMPYS[statistic](values[inside]) if inside.any() else empty)
    return np.array(made, float)


@pytest.mark.parametrize("statistic", sorted(NUMPYS))
@pytest.mark.parametrize("n", [0, 1, 2, 257, 3000])
@pytest.mark.parametrize("bins", [1, 7, [-3, -1, 0, 0.5, 9, 20]])
def test_statistics_are_numpys(statistic, n, bins):
    rng = np.random.default_rng(n)
    x, values = rng.integers(-16, 17, n) / 4, rng.normal(size=n)
    made = hd.binned_statistic(x, values, statistic, bins)
    edges = np.histogram_bin_edges(x, bins)
    np.testing.assert_array_equal(made.bin_edges, edges)
    np.testing.assert_allclose(made.statistic, expected(x, values, statistic, edges), 1e-12, 1e-12)
    numbers = np.digitize(x, edges)
    numbers[x == edges[-1]] = len(edges) - 1
    np.testing.assert_array_equal(made.binnumber, numbers)


def test_points_outside_and_nan_are_in_no_bin():
    x = np.array([-1.0, 0.0, 1.0, 2.0, 2.5, np.nan, np.inf])
    made = hd.binned_statistic(x, 2.0 ** np.arange(7), "sum", 2, (0, 2))
    assert made.statistic.tolist() == [2.0, 12.0]
    assert made.binnumber.tolist() == [0, 1, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("statistic", ["mean", "std", "median", "sum", "min", "max"])
def test_nan_values_make_their_bin_nan(statistic):
    made = hd.binned_statistic([0, 0, 0, 1], [1.0, np.nan, 2.0, 2.0], statistic, 2).statistic
    assert np.isnan(made[0]) and not np.isnan(made[1])


def test_threads_give_the_same_bits():
    rng = np.random.default_rng(5)
    x, y = rng.random(20000), rng.normal(size=20000) * 10.0 ** rng.integers(-8, 9, 20000)
    for one, two in zip(hd.profile(x, y, 9, threads=1), hd.profile(x, y, 9, threads=2)):
        assert one.tobytes() == two.tobytes()


def test_profile():
    rng = np.random.default_rng(3)
    x, y = rng.random(1000), rng.normal(size=1000)
    made = hd.profile(x, y, 4, (0, 1.25))
    parts = [y[(x >= a) & (x < b)] for a, b in zip(made.edges[:-1], made.edges[1:])]
    assert made.count.tolist() == [len(part) for part in parts]
    for b, part in enumerate(parts):
        np.testing.assert_allclose(made.mean[b], part.mean(), 1e-12, 1e-14)
        np.testing.assert_allclose(made.error[b], part.std(ddof=1) / len(part) ** 0.5, 1e-12)
    few = hd.profile([0.0], [7.0], 2, (0, 2))
    assert few.count.tolist() == [1, 0] and few.mean[0] == 7 and np.isnan(few.mean[1])
    assert np.isnan(few.error).all()


@pytest.mark.parametrize("arguments, error, words", [
    (([1, 2], [1.0]), ValueError, "values: 1 elements"),
    (([[1]], [1.0]), ValueError, "x: one dimension"),
    (([1], [1j]), TypeError, "values: dtype complex128"),
    (([1], [1.0], "mode"), ValueError, "statistic: 'mode'"),
    (([1], [1.0], "sum", "auto"), TypeError, "bins: a number"),
    (([1], [1.0], "sum", [2]), ValueError, "bins: two edges"),
])
def test_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        hd.binned_statistic(*arguments)


@pytest.mark.parametrize("statistic", ["std", "median", "sum"])
def test_devices_give_the_bits_of_a_cpu(device, statistic):
    rng = np.random.default_rng(8)
    x, values = rng.integers(-16, 17, 700) / 4, rng.normal(size=700)
    for one, two in zip(hd.binned_statistic(x, values, statistic, 5),
                        hd.binned_statistic(x, values, statistic, 5, device=device)):
        assert one.tobytes() == two.tobytes()
