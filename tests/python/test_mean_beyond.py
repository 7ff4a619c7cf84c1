"""Means of float64 whose sum is beyond float64: they are within the elements, as describe's are."""

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray

from arrays import fetched

INF, NAN = np.inf, np.nan
#: Elements; others, and their mean, which is not finite.
FINITE = ([1e308, 1e308], [-1e308] * 5, [1.5e308] * 15, [1e308, 1e308, -1e308],
          [1.7e308, 1.6e308, 1.5e308] * 700, [-1.5e308, -1e308, 1e308, -1e308] * 600)
OTHERS = (([INF, 1], INF), ([-INF, 1], -INF), ([INF, -INF], NAN), ([NAN, 1e308, 1e308], NAN),
          ([1e308] * 5 + [-INF], -INF), ([-1e308] * 3000 + [INF], INF), ([NAN, INF], NAN))


def ways(a, device):
    """Means of all of an array by each way that a call goes."""
    yield hd.mean(a)
    yield hd.mean(a[::-1][::-1], threads=2)
    yield hd.mean(a, device=device)
    yield hd.mean(np.stack([a, np.ones(len(a)), a]), axis=1, device=device)[2]
    yield hd.mean(np.stack([a, a], axis=1), axis=0)[1]
    yield hd.mean(np.concatenate([[7.0], a, [INF]]), where=np.arange(len(a) + 2) % (len(a) + 1) > 0)
    if not device.startswith("cpu"):
        yield fetched(hd.mean(DeviceArray.from_host(a, device)))


@pytest.mark.parametrize("case", range(len(FINITE)))
def test_finite(case, device):
    a = np.array(FINITE[case])
    want = hd.describe(a, device=device).mean
    for got in ways(a, device):
        assert got == want
    for got in (hd.mean(np.append(a, NAN), skipna=True), hd.mean(a, skipna=True)):
        assert got == want
    assert a.min() <= want <= a.max()


@pytest.mark.parametrize("case", range(len(OTHERS)))
def test_infinities_and_nan(case, device):
    values, want = OTHERS[case]
    a = np.array(values)
    for got in ways(a, device):
        np.testing.assert_equal(got, want)
    clean = a[~np.isnan(a)]
    np.testing.assert_equal(hd.mean(a, skipna=True), hd.mean(clean))


def test_other_rows_stay():
    a = np.array([[1.0, 2.0, 4.0], [1e308, 1e308, 1e308], [INF, 0.0, 1.0], [NAN, 0.0, 1.0]])
    assert str(hd.mean(a, axis=1).tolist()) == str([7 / 3, 1e308, INF, NAN])
    np.testing.assert_array_equal(hd.mean(a[:1], axis=1), hd.mean(a, axis=1)[:1])
    assert hd.var(a[1]) == 0
