"""Quantiles in passes over pieces: the bits of quantiles of the whole, for any cuts and merges."""

import functools
import operator
import pickle
import random

import numpy as np
import pytest

import heddle as hd
from heddle._rank.quantiles import _METHODS

SHARES = np.array([[0.5, 0.0, 1.0], [0.25, 0.999, 1 / 3]])


def data(dtype, count=9_001):
    rng = np.random.default_rng(3)
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(count).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)


def passes(x, first, rng):
    """A pass after the other, each in pieces of its own, by states that go through bytes."""
    state, count = first, 0
    while True:
        cuts = [0, *sorted(rng.randrange(x.size + 1) for _ in range(3)), x.size]
        states = [pickle.loads(pickle.dumps(state)).update(x[a:b]) for a, b in zip(cuts, cuts[1:])]
        rng.shuffle(states)
        state = functools.reduce(operator.or_, states)
        assert state.count == x.size
        count += 1
        if not state.round():
            return state, count


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "u1", "i2", "i4", "u8", "i8"))
def test_passes_over_pieces_are_the_whole(dtype):
    x, rng = data(dtype), random.Random(dtype)
    for method in rng.sample(sorted(_METHODS), 3):
        state, count = passes(x, hd.Quantiles(SHARES, method=method), rng)
        whole = x.astype("f8")
        expected = np.quantile(whole, SHARES, method=method)
        assert state.result().tobytes() == expected.tobytes()
        assert count == state.passes == (1 if whole.dtype != x.dtype and x.itemsize < 4 else 2)


def test_nan_is_skipped_or_spreads():
    x, rng = data("f4"), random.Random(7)
    x[::7] = np.nan
    assert np.isnan(passes(x, hd.Quantiles(SHARES), rng)[0].result()).all()
    skipping = passes(x, hd.Quantiles(SHARES, skipna=True), rng)[0]
    assert skipping.result().tobytes() == np.nanquantile(x.astype("f8"), SHARES).tobytes()
    state = hd.state.quantiles(np.full(9, np.nan), 0.5, skipna=True)
    assert not state.round()
    with pytest.raises(ValueError, match="all 9 elements are NaN"):
        state.result()


def test_strided_and_shaped_pieces():
    x = data("f8", 8_000)[::2].reshape(40, 100).T
    state = hd.Quantiles(0.5)
    while state.update(x).round():
        pass
    assert state.result() == np.median(x)
    assert isinstance(state.result(), np.float64)


def test_what_is_refused():
    x = data("f4")
    state = hd.state.quantiles(x, 0.5)
    with pytest.raises(ValueError, match="in its pass 1"):
        state.result()
    with pytest.raises(TypeError, match="not of the same call"):
        state | hd.Quantiles(0.25)
    assert state.round()
    with pytest.raises(ValueError, match="states of one pass merge"):
        state | hd.state.quantiles(x, 0.5)
    with pytest.raises(ValueError, match="all of the same data"):
        state.update(x[1:]).round()
    with pytest.raises(RuntimeError, match="begin anew"):
        state.result()
    with pytest.raises(TypeError, match="not of bool"):
        hd.Quantiles(0.5).update([True])
    with pytest.raises(ValueError, match="0 to 1"):
        hd.Quantiles(1.5)
    with pytest.raises(ValueError, match="is none of"):
        hd.Quantiles(0.5, method="best")
    with pytest.raises(ValueError):
        hd.Quantiles(0.5).result()
