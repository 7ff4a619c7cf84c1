"""The fast path of histogram and bincount: what the written functions give, to the bit."""

import itertools
import warnings

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain

DTYPES = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d"]
WEIGHTS = [None, "?", "b", "H", "i", "l", "L", "e", "f", "d"]
COUNTS = [0, 1, 2, 17, 511, 512, 513, 1023, 1024, 1025]
RANGES = [None, (0, 7), (-1, 1), (-1.0, 5), (2, 2), (-2.5, 3.25), (0.0, 2**53), (1, 0), (0, 2**53 + 1),
          (0, np.float64(5)), (np.float32(0), 5), (True, 3), (float("nan"), 1), (0, float("inf")),
          (-2**70, 1), [0, 5], (0, 1, 2), (1e308, -1e308), (-1e308, 1e308), (5, 5 + 1e-14), (0, 7e4), (0, 1e39)]
EDGES = [[0, 1, 3, 3, 7], [0.5], [], [1, 0], [-np.inf, 0, np.inf], [0, np.nan, 2], [[0, 1], [2, 3]],
         [-2.5, -0.0, 0.0, 2.75, 100]]


def numbers(dtype, count, seed=0):
    """Of both signs where there are two; a few repeat."""
    rng = np.random.default_rng(seed + count)
    made = rng.integers(0, 2 if dtype == "?" else 9, count).astype(dtype)
    if made.dtype.kind in "if":
        made -= made.dtype.type(3)
    if made.dtype.kind == "f":
        made += made.dtype.type(0.37) * rng.integers(0, 3, count).astype(dtype)
    return made


def outcome(function, *arguments, **options):
    """The arrays' bits, or what is raised; and what is warned of."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            result = function(*arguments, **options)
        except Exception as error:
            return type(error), str(error)
    said = [(str(w.message), w.category, w.filename == __file__) for w in found]
    arrays = result if isinstance(result, tuple) else (result,)
    return [(type(a), a.dtype, a.shape, a.flags.owndata, a.tobytes()) for a in arrays], said


def both_agree(name, *arguments, **options):
    function = getattr(hd, name)
    got, want = (outcome(f, *arguments, **options) for f in (function, function.__wrapped__))
    if not isinstance(want[0], type):  # of which the caller's line is one frame nearer
        got, want = (got[0], [w[:2] for w in got[1]]), (want[0], [w[:2] for w in want[1]])
    assert got == want, (name, arguments, options)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_histograms_of_even_bins_agree(dtype, weights):
    for count in COUNTS:
        x = numbers(dtype, count)
        w = None if weights is None else numbers(weights, count, 1)
        for bins in (1, 3, 10, 4096, 4097, 0, -1, 2**70):
            both_agree("histogram", x, bins, weights=w)
            both_agree("histogram", x, bins, (-2, 5), weights=w)
    for span in RANGES:
        both_agree("histogram", x, 5, span, weights=w)
        both_agree("histogram", x, 1, span, weights=w)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_histograms_between_edges_agree(dtype, weights):
    for count, values in itertools.product((1, 40, 1025), EDGES):
        x = numbers(dtype, count)
        w = None if weights is None else numbers(weights, count, 1)
        for edges in ("d", "f", "e", "l", "B"):
            with np.errstate(invalid="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                bins = np.array(values).astype(edges)
            both_agree("histogram", x, bins, weights=w)
            both_agree("histogram", x, bins, density=True)
    edges = np.array([0, 2**53 + 2], "l")
    both_agree("histogram", x, edges, weights=w)


@pytest.mark.parametrize("dtype", ["B", "l", "e", "f", "d"])
def test_densities_agree(dtype):
    for count in COUNTS:
        x = numbers(dtype, count)
        for span in (None, (0, 4), (0.1, 3.7), (100, 200)):
            both_agree("histogram", x, 7, span, True)
            both_agree("histogram", x, 7, span, False)
            both_agree("histogram", x, 7, span, True, x)


def test_given_edges_are_the_second_result():
    x, edges = numbers("d", 30), np.array([0.0, 1.0, 2.0])
    assert hd.histogram(x, edges)[1] is edges and hd.histogram(x, edges, weights=x)[1] is edges


@pytest.mark.parametrize("dtype", "efd")
def test_what_is_not_finite_agrees(dtype):
    for count, value in itertools.product((5, 600), (np.nan, np.inf, -np.inf, -0.0)):
        x = numbers(dtype, count)
        x[count // 2] = value
        if value == 0:
            x = np.where(x > 0, value, x - x.dtype.type(4))  # the greatest
        for options in ({}, {"range": (-1, 1)}, {"weights": x}, {"range": (-1, 1), "weights": x}):
            both_agree("histogram", x, 4, **options)
    both_agree("histogram", x, 2, weights=np.full(600, np.finfo(dtype).max))


def test_large_weights_agree():
    x = np.arange(600) % 7
    for value in (2**52, 2**53, 2**53 + 1, 2**60, -2**63, 2**63 - 1, -2**44, 2**43, 2**44):
        w = np.full(600, value)
        w[3] = 1
        for some in (1, 2, 600):
            both_agree("histogram", x[:some], 3, weights=w[:some])
            both_agree("bincount", x[:some], w[:some])
            both_agree("bincount", x[:some], w[:some].view("u8"))
    both_agree("histogram", x, 3, weights=np.full(600, 60000, "e"))
    both_agree("histogram", x, 3, weights=np.full(600, 3e38, "f"))


def test_weights_of_other_kinds_agree():
    x = numbers("d", 24)
    for shape in ((24,), (4, 6), (6, 4), (1, 24), (2, 3, 4)):
        for taken in (x.reshape(shape), x.reshape(shape).T):
            for w in (x, x.reshape(4, 6), x.reshape(shape), x[:7], x.reshape(shape).T,
                      x.tolist(), x.astype(">f8"), x.astype("g"), x.astype("D"),
                      np.ma.MaskedArray(x, x > 1), np.array("a"), x.view("M8[s]")):
                both_agree("histogram", taken, 4, weights=w)
    odd = np.zeros(25 * 8, np.uint8)[1:193].view("d")
    odd[:] = x
    for options in ({"weights": odd}, {"weights": x}, {}):
        both_agree("histogram", odd, 4, **options)
    both_agree("histogram", np.ma.MaskedArray(x, x > 1), 4, weights=x)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_bincounts_agree(dtype, weights):
    for count in COUNTS:
        x = numbers(dtype, count)
        for y in (x, np.abs(x) if x.dtype.kind in "if" else x):
            w = None if weights is None else numbers(weights, count, 1)
            for least in (0, 3, 100):
                both_agree("bincount", y, w, least)
            if w is not None and count:
                both_agree("bincount", y, w[:-1])
                both_agree("bincount", y, w[::-1])
                both_agree("bincount", y.reshape(1, -1), w)
                both_agree("bincount", y, w.reshape(1, -1))


def test_bincounts_of_large_numbers_agree():
    for value in (2**20 - 1, 2**20, -1, 2**63 - 1):
        x = np.array([1, value, 3])
        if value < 2**30:
            both_agree("bincount", x, np.array([0.5, 1.5, 2.5]))
        for w in (None, np.ones(3)):
            both_agree("bincount", x[::2].copy(), w if w is None else w[:2], 2**20)
    both_agree("bincount", np.array([0, 3, 1], np.uint8).view(bool), np.ones(3))
    both_agree("bincount", np.array([0, 1, 1], bool), np.array([1, 2, 4], np.uint8).view(bool))


def test_bins_beyond_the_greatest_are_zero_in_memory_that_was_used_before():
    for least in (5, 50, 500):
        np.full(least, 7.5)
        assert hd.bincount(np.array([1, 0]), np.ones(2), least).tolist() == [1, 1] + [0] * (least - 2)


@pytest.mark.parametrize("name, arguments", [
    ("histogram", (numbers("d", 100), 10, None, None, None)),
    ("histogram", (numbers("f", 100), 10, (0, 4), True, None)),
    ("histogram", (numbers("e", 100), 10, (-1.0, 4), None, numbers("e", 100))),
    ("histogram", (numbers("l", 1000), 10, (-1, np.float64(4)), False, numbers("l", 1000))),
    ("histogram", (numbers("B", 1000).reshape(4, 250), np.array([1, 2, 4]), "any", None,
                   numbers("d", 1000).reshape(4, 250))),
    ("bincount", (numbers("B", 1000), None, 0, None)),
    ("bincount", (numbers("l", 100) + 3, None, 9, None)),
    ("bincount", (numbers("l", 1000) + 3, numbers("l", 1000), 9, None)),
    ("bincount", (numbers("H", 100), numbers("f", 100), 0, None))])
def test_it_is_the_one_that_is_taken(name, arguments):
    result = _plain.FUNCTIONS[name].entry(*arguments, 1)
    assert result is not _native.DECLINED
