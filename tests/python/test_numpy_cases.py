"""NumPy's published cases for histogram and bincount, as tables of input and expected output.

The cases are those of NumPy 2.4's numpy/lib/tests/test_histograms.py and test_function_base.py,
said in our own words: the behaviour that each of them fixes, with its numbers. Not in the tables,
because heddle refuses such input with a TypeError, are object, string, datetime, timedelta,
complex and longdouble elements, weights, edges and ranges (REFUSED lists them), and histogramdd
and histogram2d, which heddle does not have.
"""

from decimal import Decimal

import numpy as np
import pytest

import heddle as hd

RISING = np.linspace(0.0, 1.0, 100)
HALVES = np.arange(10) + 0.5
STEPS = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0, 4.0, 5.0]
inf, nan = np.inf, np.nan


def two_peaks(size, beside=False):
    parts = [np.linspace(-10, -1, size // 5 * 2), np.linspace(1, 10, size // 5 * 3)]
    return np.concatenate([*parts, np.linspace(-100, -50, size)] if beside else parts)


# ---- histogram ---------------------------------------------------------------------------------

# (what, data, arguments, counts or None, edges or None)
HISTOGRAMS = [
    ("a straight line fills all bins alike", np.linspace(0, 10, 100), {}, [10] * 10, None),
    ("one bin between two edges", [1, 2, 3, 4], dict(bins=[1, 2]), [2], [1, 2]),
    ("one bin over everything", [1, 2], dict(bins=1), [2], [1.0, 2.0]),
    ("density in bins of unequal width", np.arange(10), dict(bins=[0, 1, 3, 6, 10], density=True),
     [0.1] * 4, None),
    ("density refused by False", np.arange(10), dict(bins=[0, 1, 3, 6, 10], density=False),
     [1, 2, 3, 4], None),
    ("density with an endless last bin", np.arange(10), dict(bins=[0, 1, 3, 6, inf], density=True),
     [0.1, 0.1, 0.1, 0.0], None),
    ("density of two bins, one endless", [1, 2, 3, 4], dict(bins=[0.5, 1.5, inf], density=True),
     [0.25, 0.0], None),
    ("weights of what is inside", HALVES, dict(bins=8, range=[1, 9], weights=HALVES),
     [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5], None),
    ("half of the weights are zero", np.linspace(0, 10, 10),
     dict(bins=np.arange(11), weights=[0.0] * 5 + [1.0] * 5), [0.0] * 5 + [1.0] * 5, None),
    ("whole weights", [1, 2, 2, 4], dict(bins=4, weights=[4, 3, 2, 1]), [4, 5, 0, 1], None),
    ("no elements between edges", [], dict(bins=[0, 1]), [0], [0, 1]),
    ("a value on the last edge", STEPS, dict(bins=30, range=(-0.5, 5)), None,
     np.linspace(-0.5, 5, 31)),
    ("two values nearly equal, ten times", [0.5] * 10 + [0.500000000000002], {},
     [10] + [0] * 8 + [1], None),
    ("scalars of no dimensions", [np.array(0.5) for _ in range(11)], {}, [0] * 5 + [11] + [0] * 4,
     None),
    ("NaN beside a range", [0, 1, nan], dict(bins="auto", range=(0, 1)), None, None),
    ("NaN beside edges", [0, 1, nan], dict(bins=[0, 1]), [2], None),
    ("nothing but NaN beside edges", [nan, nan], dict(bins=[0, 1]), [0], None),
    ("nothing but NaN beside a range", [nan, nan], dict(bins="auto", range=(0, 1)), [0], None),
    ("bytes swapped, denormal, below zero", np.array([-0.9e-308], ">f8"),
     dict(bins=2, range=(-1e-308, -2e-313)), [1, 0], None),
    ("sixteen bins of nine integers", np.tile(np.arange(9), 1000), dict(bins=16), None,
     np.arange(17) / 2),
    ("edges of one's own", np.tile(np.arange(9), 1000), dict(bins=[0.1, 0.2]), None, [0.1, 0.2]),
]


@pytest.mark.parametrize("data, arguments, counts, edges", [c[1:] for c in HISTOGRAMS],
                         ids=[c[0] for c in HISTOGRAMS])
def test_histogram(data, arguments, counts, edges, device):
    hist, found = hd.histogram(data, **arguments, device=device)
    if counts is not None:
        np.testing.assert_array_equal(hist, counts)
    if edges is not None:
        np.testing.assert_array_equal(found, edges)


# (what, data, arguments, total)
TOTALS = [
    ("all of a hundred", np.random.default_rng(1).random(100), {}, 100),
    ("one is below", HALVES, dict(range=[0, 9]), 9),
    ("one is above", HALVES, dict(range=[1, 10]), 9),
    ("NaN does not count", [0, 1, nan], dict(bins="auto", range=(0, 1)), 2),
]


@pytest.mark.parametrize("data, arguments, total", [c[1:] for c in TOTALS],
                         ids=[c[0] for c in TOTALS])
def test_histogram_total(data, arguments, total, device):
    assert hd.histogram(data, **arguments, device=device)[0].sum() == total


# (what, data, arguments): the integral of a density is 1
DENSITIES = [
    ("of random numbers", np.random.default_rng(1).random(100), {}),
    ("of unequal bins", np.arange(10), dict(bins=[0, 1, 3, 6, 10])),
    ("with some outside", HALVES, dict(range=[1, 9])),
    ("with weights, some outside", HALVES, dict(range=[1, 9], weights=HALVES)),
]


@pytest.mark.parametrize("data, arguments", [c[1:] for c in DENSITIES],
                         ids=[c[0] for c in DENSITIES])
def test_histogram_density(data, arguments):
    hist, edges = hd.histogram(data, **arguments, density=True)
    assert (hist * np.diff(edges)).sum() == pytest.approx(1, abs=1e-15)


# (what, data, arguments, expected): to within 6 decimals
NEARLY = [
    ("whole weights as a density", [1, 2, 2, 4], dict(bins=4, weights=[4, 3, 2, 1], density=True),
     [0.4 / 3 * 4, 0.5 / 3 * 4, 0, 0.1 / 3 * 4]),
    ("whole weights in unequal bins", np.arange(9),
     dict(bins=[0, 1, 3, 6, 10], weights=[2] + [1] * 8, density=True), [0.2, 0.1, 0.1, 0.075]),
]


@pytest.mark.parametrize("data, arguments, expected", [c[1:] for c in NEARLY],
                         ids=[c[0] for c in NEARLY])
def test_histogram_nearly(data, arguments, expected):
    np.testing.assert_allclose(hd.histogram(data, **arguments)[0], expected, atol=1.5e-6)


def test_equal_weights_scale_counts_and_not_densities():
    x, w = np.random.default_rng(2).random(100), np.full(100, 5.0)
    np.testing.assert_allclose(hd.histogram(x, weights=w)[0], hd.histogram(x)[0] * 5)
    np.testing.assert_allclose(hd.histogram(x, weights=w, density=True)[0],
                               hd.histogram(x, density=True)[0])


@pytest.mark.parametrize("arguments, kind", [
    ({}, "i"), (dict(density=True), "f"), (dict(weights=np.ones(10, int)), "i"),
    (dict(weights=np.ones(10)), "f")])
def test_histogram_type(arguments, kind):
    assert hd.histogram(HALVES, **arguments)[0].dtype.kind == kind


def test_bool_is_counted_as_bytes_with_a_warning():
    with pytest.warns(RuntimeWarning, match="Converting input from"):
        hist, edges = hd.histogram([True, True, False])
    expected = hd.histogram(np.array([1, 1, 0], np.uint8))
    np.testing.assert_array_equal(hist, expected[0])
    np.testing.assert_array_equal(edges, expected[1])


def test_histogram_leaves_its_input_alone():
    x = np.array([1.3, 2.5, 2.3])
    hd.histogram(x, 100, (-10, 10))
    assert x.tolist() == [1.3, 2.5, 2.3]


def test_integers_that_fall_on_computed_edges(device):
    x = np.array([337, 404, 739, 806, 1007, 1811, 2012])
    hist, edges = hd.histogram(x, 8296, (2, 2280), device=device)
    used = np.flatnonzero(hist)
    assert len(used) == len(x)
    assert (edges[used] <= x).all() and (x < edges[used + 1]).all()
    assert hd.histogram(STEPS, 30, (-0.5, 5), device=device)[0][-1] == 1


@pytest.mark.parametrize("dtype", [np.byte, np.short, np.intc, np.int_, np.longlong])
def test_a_range_as_wide_as_a_signed_type(dtype, device):
    most = 2 ** (8 * np.dtype(dtype).itemsize - 1) - 4
    hist, edges = hd.histogram(np.array([-most, most], dtype), 2, device=device)
    assert hist.tolist() == [1, 1] and edges.tolist() == [-float(most), 0, float(most)]


@pytest.mark.parametrize("small, large", [
    (np.half, np.single), (np.half, np.double), (np.single, np.double)])
def test_ranges_more_precise_than_the_data(small, large, device):
    """1 is outside of ranges that begin above it or end below it by less than its type can tell."""
    tiny, one = np.finfo(large).eps, np.array([1.0], small)
    for ends in ([1 + tiny, 2], [0, 1 - tiny]):
        hist, edges = hd.histogram(one, 1, np.array(ends, large), device=device)
        assert hist.tolist() == [0] and edges.dtype == large


# ---- rules for the number of bins --------------------------------------------------------------

RULES = ("fd", "scott", "rice", "sturges", "doane", "sqrt", "auto", "stone")
# (what, data, range, {rule: number of bins})
NUMBERS = [
    *[(f"two peaks of {n}", two_peaks(n), None, dict(zip(RULES, numbers))) for n, numbers in (
        (50, (4, 4, 8, 7, 8, 8, 7, 2)), (500, (8, 8, 16, 10, 12, 23, 10, 9)),
        (5000, (17, 17, 35, 14, 17, 71, 17, 20)))],
    *[(f"the first {n} numbers", np.arange(n, dtype=float), None, dict(zip(RULES, numbers)))
      for n, numbers in ((1, (1, 1, 1, 1, 1, 1, 1, 1)), (2, (2, 1, 3, 2, 1, 2, 2, 1)),
                         (3, (2, 2, 3, 3, 3, 2, 3, 1)))],
    ("a hundred ones", np.ones(100), None, dict.fromkeys(RULES, 1)),
    ("nothing", [], None, dict.fromkeys(RULES, 1)),
    ("five far away", np.hstack((np.linspace(-110, -100, 5), np.linspace(-10, 10, 50))), None,
     dict(fd=21, scott=5, doane=11, stone=6)),
    *[(f"two peaks of {n} beside others", two_peaks(n, True), (-20, 20),
       dict(zip(("fd", "scott", "rice", "sturges", "auto", "stone"), numbers))) for n, numbers in (
           (50, (8, 8, 15, 14, 14, 8)), (500, (15, 16, 32, 20, 20, 80)),
           (5000, (33, 33, 69, 27, 33, 80)))],
]


@pytest.mark.filterwarnings("ignore:The number of bins estimated:RuntimeWarning")
@pytest.mark.parametrize("data, ends, numbers", [c[1:] for c in NUMBERS],
                         ids=[c[0] for c in NUMBERS])
def test_number_of_bins(data, ends, numbers):
    assert {rule: len(hd.histogram(data, rule, ends)[0]) for rule in numbers} == numbers


def test_rules_for_data_with_little_variance():
    x = np.ones(1000)
    x[:3], x[-4:] = 0, 100
    edges = hd.histogram(x, "auto")[1]
    assert (edges[0], edges[-1]) == (0, 100) and len(edges) < 100
    assert hd.histogram(x, "fd")[1].tolist() == [0, 100]
    np.testing.assert_array_equal(hd.histogram(x, "sturges")[1], np.linspace(0, 100, 12))
    e = 1 + 1e-12
    edges = hd.histogram([0, 1, 1, 1, 1, 1, e, e, e, e, e, e, 2], "auto")[1]
    assert len(edges) <= 10 and (edges[0], edges[-1]) == (0, 2)


@pytest.mark.filterwarnings("ignore:The number of bins estimated:RuntimeWarning")
@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "sqrt"])
def test_rules_for_integers(rule):
    np.testing.assert_array_equal(hd.histogram(np.tile(np.arange(9), 1000), rule)[1], np.arange(9))
    x = np.array([-2, 0, 127], np.int8)
    for narrow, wide in zip(hd.histogram(x, rule), hd.histogram(x.astype(np.int32), rule)):
        np.testing.assert_array_equal(narrow, wide)


@pytest.mark.filterwarnings("ignore:The number of bins estimated:RuntimeWarning")
def test_scott_and_stone_agree_for_many_normal_numbers():
    shares = []
    for seed in range(10):
        for size in (10, 22, 46, 100):
            x = np.random.RandomState(seed).normal(0, 2, size)
            stone, scott = (len(hd.histogram(x, rule)[0]) for rule in ("stone", "scott"))
            shares.append(stone / (stone + scott))
    distance = abs(np.reshape(shares, (10, 4)).mean(axis=0) - 0.5)
    np.testing.assert_allclose(distance, [0.15, 0.09, 0.08, 0.03], atol=0.015)


# ---- bincount ----------------------------------------------------------------------------------

FEW, THEIRS = [1, 2, 4, 5, 2], [0.2, 0.3, 0.5, 0.1, 0.2]
NONE = np.array([], int)
# (what, arguments, result)
BINCOUNTS = [
    ("each once", (np.arange(4),), [1, 1, 1, 1]),
    ("some", (np.array([1, 5, 2, 4, 1]),), [0, 2, 1, 0, 1, 1]),
    ("each with a weight", (np.arange(4), [0.2, 0.3, 0.5, 0.1]), [0.2, 0.3, 0.5, 0.1]),
    ("some with weights", (np.array(FEW), np.array(THEIRS)), [0, 0.2, 0.5, 0, 0.5, 0.1]),
    ("longer than needed", (np.array([0, 1, 0, 1, 1]), None, 3), [2, 3, 0]),
    ("longer than the greatest already", (np.array([0, 1, 1, 2, 2, 3, 3]), None, 2), [1, 2, 2, 2]),
    ("no least length", (np.array([0, 1, 1, 2, 2, 3, 3]), None, 0), [1, 2, 2, 2]),
    ("weights and a least length", (np.array(FEW), np.array(THEIRS), 8),
     [0, 0.2, 0.5, 0, 0.5, 0.1, 0, 0]),
    ("nothing", (NONE,), []), ("nothing, but five counts", (NONE, None, 5), [0] * 5),
    ("an empty list", ([],), []), ("an empty list, but three counts", ([], None, 3), [0] * 3),
    ("every second", (np.arange(10000)[::2],), np.arange(9999) % 2 == 0),
    *[(f"elements of type {code}", (np.array([0, 1, 1, 3, 2, 1, 7], code),),
       [1, 3, 1, 1, 0, 0, 0, 1]) for code in np.typecodes["AllInteger"]],
]


@pytest.mark.parametrize("arguments, result", [c[1:] for c in BINCOUNTS],
                         ids=[c[0] for c in BINCOUNTS])
def test_bincount(arguments, result, device):
    for found in (hd.bincount(*arguments), hd.bincount(*arguments, device=device)):
        np.testing.assert_array_equal(found, result)
        assert found.dtype == np.bincount(*arguments).dtype


def test_bincount_of_what_makes_an_array_of_itself():
    class Own:
        def __array__(self, dtype=None, copy=None):
            return np.array([0, 1, 1, 3, 2, 1, 7], np.uint64)

    assert hd.bincount(Own()).tolist() == [1, 3, 1, 1, 0, 0, 0, 1]


# ---- what is refused ---------------------------------------------------------------------------

DATES = np.datetime64("2000-01-01") + np.array([0, 0, 1, 1, 2, 3, 5, 10, 20])
COMPLEX = np.array([1 + 2j, -1 + 1j, 2 + 2j])
DECIMALS = np.array([Decimal(1), Decimal(2), Decimal(3)])
VALUES = [1.3, 2.5, 2.3]
histogram, bincount = hd.histogram, hd.bincount
# (what, function, arguments, exception, a part of the message): as NumPy
ERRORS = [
    ("no bins", histogram, ([1, 2], 0), ValueError, "must be positive"),
    ("weights of another length", histogram, (HALVES, 10, [1, 9], True, np.arange(11)), ValueError,
     "same shape as"),
    ("two bins and a half", histogram, (RISING, 2.4), TypeError, "must be an integer"),
    ("a range from NaN", histogram, (RISING, 10, [nan, 0.75]), ValueError, "not finite"),
    ("an endless range", histogram, (RISING, 10, [0.25, inf]), ValueError, "not finite"),
    ("a range that falls", histogram, (RISING, 10, [0.1, 0.01]), ValueError,
     "max must be larger than"),
    ("a table of edges", histogram, (RISING, [[0, 0.5], [0.6, 1.0]]), ValueError, "must be 1d"),
    ("unsigned edges that fall", histogram, ([2], np.array([1, 3, 1], np.uint64)), ValueError,
     "increase monotonically"),
    ("infinity below", histogram, ([np.array(0.4)] * 10 + [-inf],), ValueError, "not finite"),
    ("infinity above", histogram, ([np.array(0.4)] * 10 + [inf],), ValueError, "not finite"),
    ("NaN without a range", histogram, ([0, 1, nan], "auto"), ValueError, "not finite"),
    ("nothing but NaN", histogram, ([nan, nan], "auto"), ValueError, "not finite"),
    ("bins narrower than numbers", histogram, ([1, 1 + 2e-16] * 10, 10), ValueError,
     "Too many bins for data range"),
    *[(f"a rule named {rule}", histogram, ([1, 2, 3], rule), ValueError, "not a valid estimator")
      for rule in ("mad", "freeman", "histograms", "IQR")],
    *[(f"{rule} with weights", histogram, ([1, 2, 3], rule, None, None, [1, 2, 3]), TypeError,
       "not supported for weighted data") for rule in ("fd", "scott", "rice", "sturges", "auto")],
    ("a least length in words", bincount, (NONE, None, "foobar"), TypeError,
     "cannot be interpreted"),
    ("a least length below zero", bincount, (NONE, None, -1), ValueError, "must not be negative"),
    ("the same with elements", bincount, (np.arange(5), None, "foobar"), TypeError,
     "cannot be interpreted"),
    ("below zero with elements", bincount, (np.arange(5), None, -1), ValueError,
     "must not be negative"),
    ("two dimensions", bincount, (np.array([[2, 2]]),), ValueError, "dimension"),
    ("a list of two dimensions", bincount, ([[2, 2]],), ValueError, "dimension"),
    ("no dimensions", bincount, (np.asarray(2),), ValueError, "dimension"),
    ("a number", bincount, (2,), ValueError, "dimension"),
]
# The same for what NumPy takes, and heddle does not.
REFUSED = [
    ("complex weights between edges", histogram, (VALUES, [0, 2, 3], None, None, COMPLEX)),
    ("complex weights in even bins", histogram, (VALUES, 2, [1, 3], None, COMPLEX)),
    ("decimal weights between edges", histogram, (VALUES, [0, 2, 3], None, None, DECIMALS)),
    ("decimal weights in even bins", histogram, (VALUES, 2, [1, 3], None, DECIMALS)),
    ("dates", histogram, (DATES, DATES[[0, 4, 7, 8]])),
    ("spans of time", histogram, (DATES - DATES[0], (DATES - DATES[0])[[0, 4, 7, 8]])),
    ("complex elements", histogram, (COMPLEX, 3)), ("objects", histogram, (DECIMALS, 3)),
    ("strings", histogram, (["a", "b"], 3)),
    ("elements of longdouble", histogram, (np.ones(3, np.longdouble), 1)),
    ("a range of longdouble", histogram, ([1.0], 1, np.array([0, 1], np.longdouble))),
    ("a list of floats to bincount", bincount, ([0.0, 1.0],)),
    ("weights in words", bincount, ([0, 1], ["1", "2"])),
]


@pytest.mark.parametrize("function, arguments, error, part", [c[1:] for c in ERRORS],
                         ids=[c[0] for c in ERRORS])
def test_errors(function, arguments, error, part):
    with pytest.raises(error, match=part):
        function(*arguments)
    with pytest.raises(error):
        getattr(np, function.__name__)(*arguments)


@pytest.mark.parametrize("function, arguments", [c[1:] for c in REFUSED],
                         ids=[c[0] for c in REFUSED])
def test_refused(function, arguments):
    with pytest.raises(TypeError):
        function(*arguments)
