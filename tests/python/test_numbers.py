"""Whole numbers and ends that C's types do not hold: as NumPy refuses them, or as they are meant."""

import numpy as np
import pytest

import heddle as hd

X = np.arange(12, dtype=np.float32)
OUT = np.empty(12, np.float32)
CALLS = [
    lambda t: hd.sum(X, threads=t), lambda t: hd.prod(X, threads=t), lambda t: hd.min(X, threads=t),
    lambda t: hd.max(X, threads=t), lambda t: hd.any(X, threads=t), lambda t: hd.all(X, threads=t),
    lambda t: hd.argmin(X, threads=t), lambda t: hd.argmax(X, threads=t),
    lambda t: hd.mean(X, threads=t), lambda t: hd.var(X, threads=t), lambda t: hd.std(X, threads=t),
    lambda t: hd.dot(X, X, threads=t), lambda t: hd.describe(X, threads=t),
    lambda t: hd.cumsum(X, threads=t), lambda t: hd.cumprod(X, threads=t, out=OUT),
    lambda t: hd.maximum_accumulate(X, threads=t), lambda t: hd.minimum_accumulate(X, threads=t),
    lambda t: hd.histogram(X, threads=t), lambda t: hd.histogram(X, bins=[0.0, 5.0], threads=t),
    lambda t: hd.bincount(np.array([1, 2]), threads=t), lambda t: hd.bincount([], threads=t),
]


@pytest.mark.parametrize("threads", [0, -1, 1025, -1000000, 2**31, 2**32 + 2, -(2**32) + 2, 2**64 + 1,
                                     10**400])
@pytest.mark.parametrize("call", range(len(CALLS)))
def test_threads_out_of_bounds(call, threads):
    with pytest.raises(ValueError, match="^threads: "):
        CALLS[call](threads)


@pytest.mark.parametrize("call", range(len(CALLS)))
def test_threads(call):
    for threads in (None, 1, 2, 16, 17):
        CALLS[call](threads)


@pytest.mark.parametrize("least", [2**63, 2**64 + 3, 10**30, -(2**63) - 1, 2**62, -1])
def test_minlength(least):
    for x in ([1, 1], []):
        with pytest.raises((OverflowError, ValueError)) as refused:
            np.bincount(np.array(x, int), minlength=least)
        for given in (np.array(x, int), x):
            with pytest.raises(refused.type):
                hd.bincount(given, minlength=least)


ENDS = [(0, 10**400), (-(10**400), 0), (10**400, 10**400 + 1), (0.0, 10**400), [0, 10**400],
        (0, 10**5000)]


@pytest.mark.parametrize("ends", ENDS, ids=range(len(ENDS)))
@pytest.mark.parametrize("a", [X, X.astype(int), np.ones(10000), X.astype("f2")])
def test_range_beyond_doubles(a, ends):
    with pytest.raises(TypeError):
        np.histogram(a, 2, ends)
    with pytest.raises(TypeError, match="^range: two numbers") as refused:
        hd.histogram(a, 2, ends)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("ends", [(0, 2**64), (-(2**63) - 1, 2**70), (0, 10**308)])
@pytest.mark.parametrize("a", [X.astype(float), X.astype(int), np.ones(10000), X.astype("u8")])
def test_range_beyond_integers(a, ends):
    """NumPy refuses them."""
    counts, edges = hd.histogram(a, 2, ends)
    expected = np.histogram(a, 2, tuple(map(float, ends)))
    assert counts.tolist() == expected[0].tolist() and edges.tolist() == expected[1].tolist()


@pytest.mark.filterwarnings("ignore:Degrees of freedom")
def test_ddof_beyond_integers():
    for m in (np, hd):
        with pytest.raises(OverflowError):
            m.var(np.arange(3.0), ddof=10**400)
    assert hd.var(np.arange(3.0), ddof=-(2**60)) == np.var(np.arange(3.0), ddof=-(2**60))


@pytest.mark.parametrize("count", [1, 5000])
@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("values", [[1, np.inf], [-np.inf, 2], [np.inf], [-np.inf, 1, np.inf],
                                    [1, np.nan], [3, 8, np.inf]])
def test_range_that_was_found_is_named(values, dtype, count):
    a = np.array(values * count, dtype)
    for options in ({}, {"weights": np.ones(a.shape)}, {"full": True}):
        with pytest.raises(ValueError) as refused:
            np.histogram(a)
        with pytest.raises(ValueError) as ours:
            hd.histogram(a, **options)
        assert str(ours.value) == f"a: {refused.value}; give `range`"
