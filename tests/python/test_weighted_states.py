"""Weighted quantiles in passes over pieces: those of the whole, for any cuts, orders and merges."""

import functools
import operator
import pickle
import random

import numpy as np
import pytest

import heddle as hd

SHARES = np.array([[0.5, 0.0, 1.0], [0.25, 0.999, 1 / 3]])


def data(dtype, count=9_001):
    rng = np.random.default_rng(3)
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(count).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)


def weights(kind, count):
    rng = np.random.default_rng(4)
    if kind == "any":
        return np.ldexp(rng.random(count), rng.integers(-1000, 1000, count).astype(np.int32))
    return rng.random(count).astype(kind) if kind[0] == "f" else rng.integers(0, 5, count, dtype=kind)


def passes(x, w, first, rng):
    """A pass after the other, each in pieces of its own, by states that go through bytes."""
    state = first
    while True:
        order = np.array(rng.sample(range(x.size), x.size), int)
        cuts = [0, *sorted(rng.randrange(x.size + 1) for _ in range(3)), x.size]
        states = [pickle.loads(pickle.dumps(state)).update(x[order[a:b]], w[order[a:b]])
                  for a, b in zip(cuts, cuts[1:])]
        rng.shuffle(states)
        state = functools.reduce(operator.or_, states)
        assert state.count == x.size
        if not state.round():
            return state


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "u1", "i2", "i4", "u8", "i8"))
@pytest.mark.parametrize("kind", ("f4", "f8", "any", "u1"))
def test_passes_over_pieces_are_the_whole(dtype, kind):
    x = data(dtype)
    w = weights(kind, x.size)
    state = passes(x, w, hd.WeightedQuantiles(SHARES), random.Random(dtype))
    expected = hd.quantile(x, SHARES, method="inverted_cdf", weights=w)
    np.testing.assert_array_equal(state.result(), expected.astype("f8"))
    assert state.passes <= {1: 1, 2: 1, 4: 3, 8: 6}[x.itemsize]


def test_nan_is_skipped_or_spreads():
    x, rng = data("f4"), random.Random(7)
    w = weights("f8", x.size)
    x[::7] = np.nan
    assert np.isnan(passes(x, w, hd.WeightedQuantiles(SHARES), rng).result()).all()
    skipping = passes(x, w, hd.WeightedQuantiles(SHARES, skipna=True), rng)
    expected = hd.nanquantile(x, SHARES, method="inverted_cdf", weights=w)
    np.testing.assert_array_equal(skipping.result(), expected.astype("f8"))


def test_what_is_refused():
    x, w = data("f8"), weights("f8", 9_001)
    state = hd.state.weighted_quantiles(x, w, 0.5)
    with pytest.raises(ValueError, match="in its pass 1"):
        state.result()
    with pytest.raises(TypeError, match="not of the same call"):
        state | hd.WeightedQuantiles(0.25)
    with pytest.raises(TypeError, match="not of the same call"):
        state | hd.Quantiles(0.5)
    assert state.round()
    with pytest.raises(ValueError, match="states of one pass merge"):
        state | hd.WeightedQuantiles(0.5)
    with pytest.raises(ValueError, match="weights of this pass"):
        state.update(x, w * 2).round()
    with pytest.raises(RuntimeError, match="begin anew"):
        state.update(x, w)
    new = hd.WeightedQuantiles(0.5)
    for chunk, weighing, error, words in (
            (x > 0, w, TypeError, "not of bool"), (x, w[1:], ValueError, "^weights: their shape"),
            (np.ma.array(x, mask=x > 0), w, ValueError, "^chunk: .*nulls"),
            (x, np.ma.array(w, mask=x > 0), ValueError, "^weights: .*nulls"),
            (x, -w, ValueError, "^weights: weight 0 is")):
        with pytest.raises(error, match=words):
            new.update(chunk, weighing)
    for q in (-0.1, 1.1, np.nan):
        with pytest.raises(ValueError, match="0 to 1"):
            hd.WeightedQuantiles(q)
    nothing = hd.state.weighted_quantiles(x, w * 0, 0.5)
    assert not nothing.round()
    with pytest.raises(ValueError, match="the sum of weights is 0"):
        nothing.result()


def test_pieces_of_any_layout():
    x, w = data("f8", 9_000).reshape(90, 100), weights("f8", 9_000).reshape(90, 100)
    state = hd.WeightedQuantiles(0.5)
    while True:
        state.update(x[:, ::2], w[:, ::2]).update(x.T[1::2], w.T[1::2])
        if not state.round():
            break
    assert state.result() == hd.quantile(x, 0.5, method="inverted_cdf", weights=w)
