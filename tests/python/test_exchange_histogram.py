"""Histograms of tensors by an exchange table, of the host and of a device: results are the framework's."""

import numpy as np
import pytest

import heddle as hd
from heddle._native import DECLINED, methods
from test_exchange import far, frame, same, values  # noqa: F401


def histogram(x, bins=10, range=None, weights=None, density=None):
    return methods.device_histogram(x, bins, range, density, weights, None)


def both(found, wanted, kind):
    assert [type(part) for part in found] == [kind] * 2
    same(found[0], wanted[0])
    same(found[1], wanted[1])


def test_even_bins(frame):
    a = values("f4", 1000)
    x = frame.of(a)
    for bins, span in ((10, (-1, 1)), (700, (0.5, 2.5)), (10, (-1, 1)), (20, (-1, 1)), (20, (-1, 2)),
                       (3, (0, 0)), (5, (-0.0, 1)), (5, (0.0, 1))):
        found = histogram(x, bins, span)
        both(found, hd.histogram(a, bins, span), frame)
        found[1].array = None  # the caller's own: the next one has another


def test_more_bins_than_a_call_on_the_host_takes(far):
    a = values("f4", 1000)
    for _ in range(2):
        both(histogram(far.of(a), 9000, (-2, 2)), hd.histogram(a, 9000, (-2, 2)), far)
    edges = np.sort(values("f8", 9001))
    for _ in range(2):
        both(histogram(far.of(a), edges), hd.histogram(a, edges), far)
    assert histogram(far.of(a), 1 << 18, (-2, 2)) is DECLINED
    assert histogram(far.of(a), np.arange(2.0**18)) is DECLINED


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "f2"])
def test_a_range_that_is_found(frame, dtype):
    a = values(dtype, 40, 25)
    for bins in (10, 33):
        both(histogram(frame.of(a), bins), hd.histogram(a, bins), frame)
    equal = np.full(7, 3, dtype)
    both(histogram(frame.of(equal)), hd.histogram(equal), frame)
    if np.dtype(dtype).kind == "f":
        for odd in (np.nan, np.inf, -np.inf):
            a[3, 4] = odd
            assert histogram(frame.of(a)) is DECLINED  # of which Python's code says what is wrong


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1"])
@pytest.mark.parametrize("edges", [np.array([-1, 0, 0.5, 3]), np.array([0, 2, 2, 90]),
                                   np.array([-1, 0, 1], "f4")])
def test_edges(frame, dtype, edges):
    a = values(dtype, 500)
    for _ in range(3):
        both(histogram(frame.of(a), edges), hd.histogram(a, edges), frame)


def test_edges_that_change(far):
    """Are other edges, although the array is the same."""
    a, edges = values("f4", 500), np.array([-1.0, 0.0, 1.0])
    for shift in (0, 0.25, 0.5):
        both(histogram(far.of(a), edges + shift), hd.histogram(a, edges + shift), far)
    for zero in (-0.0, 0.0):
        edges[1] = zero
        both(histogram(far.of(a), edges), hd.histogram(a, edges), far)


def test_edges_that_are_none(far):
    x = far.of(values("f4", 30))
    for odd in (np.array([1, 0, 2.0]), np.array([0, np.nan, 2.0]), np.array([0, np.nan]), np.array([1.0]),
                np.zeros(0), np.zeros((2, 2)), np.array([False, True]), np.array([0, 2**60]), [0, 1, 2], "auto",
                None):
        assert histogram(x, odd) is DECLINED
    for bins, span in ((0, (0, 1)), (-1, (0, 1)), (5, (1, 0)), (5, (0, np.inf)), (5, (0, np.nan)), (5, [0, 1]),
                       (2**70, (0, 1)), (5, (0,))):
        assert histogram(x, bins, span) is DECLINED


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "u2", "i4"])
def test_weights(frame, dtype):
    a, w = values("f4", 30, 20), values(dtype, 30, 20)
    w[3, 4] = -0.0 if np.dtype(dtype).kind == "f" else np.iinfo(dtype).min
    for bins, span in ((10, (-1, 1)), (7, None), (np.array([-1, 0, 0.25]), None)):
        for _ in range(2):
            both(histogram(frame.of(a), bins, span, frame.of(w)), hd.histogram(a, bins, span, weights=w), frame)


def test_weights_that_are_not_finite(far):
    a, w = values("f4", 300), values("f4", 300)
    w[[2, 60]] = np.nan, np.inf
    found, wanted = histogram(far.of(a), 30, (-2, 2), far.of(w)), hd.histogram(a, 30, (-2, 2), weights=w)
    np.testing.assert_array_equal(found[0].host(), wanted[0])


def test_bfloat16_weights(far):
    a, bits = values("f4", 300), np.arange(16000, 16300, dtype="u2")
    w = (bits.astype("u4") << 16).view("f4")
    found = histogram(far.of(a), 5, (-1, 1), far.of(bits, is_bfloat16=True))
    both(found, hd.histogram(a, 5, (-1, 1), weights=w), far)


def test_weights_that_are_left_to_python(far):
    a = values("f4", 30)
    for w in (values("i8", 30), values("u8", 30), values("u1", 30) > 4, values("f4", 29), values("f4", 5, 6)):
        assert histogram(far.of(a), 5, (0, 1), far.of(w)) is DECLINED
    assert histogram(far.of(a), 5, (0, 1), values("f4", 30)) is DECLINED
    assert histogram(far.of(a), 5, (0, 1), density=True) is DECLINED
    many = np.zeros(2**21 + 1, "f4")
    assert histogram(far.of(many), 5, (0, 1), far.of(many.astype("i4"))) is DECLINED  # sums may be beyond 2^53


def test_nothing_waits(far):
    """Once edges are kept, a call asks for memory alone: for edges, and for what is counted."""
    x, w = far.of(values("f4", 500)), far.of(values("f4", 500))
    edges = np.array([-1, 0, 0.5])
    for call, made in ((lambda: histogram(x, 10, (0, 1)), 2), (lambda: histogram(x, edges), 2),
                       (lambda: histogram(x, edges, None, w), 3)):
        call()
        far.calls.clear()
        call()
        assert far.calls.count("allocate") == made and not far.pending


def test_work_is_given_back(far):
    x, w = far.of(values("f4", 500)), far.of(values("f4", 500))
    for bins, span in ((4, (0, 1)), (4, None)):
        histogram(x, bins, span, w)
        for failing in ("allocate", "import"):
            for far.spared in (0, 1, 2) if failing == "allocate" else (0, 1):
                far.fails.add(failing)
                assert histogram(x, bins, span, w) is DECLINED
                far.fails.clear()
                assert not far.pending or failing == "import"
                far.pending.clear()
        assert histogram(x, bins, span, w)[0].host().shape == (4,) and not far.pending
