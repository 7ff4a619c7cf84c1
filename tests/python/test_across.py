"""Reductions whose order is free, over axes that are not one: lines on each other first, or rows."""
import numpy as np
import pytest

import heddle as hd

SHAPES = ((3, 5, 64), (2, 4, 17), (7, 3, 70), (4, 9, 300), (5, 6, 40), (2, 3, 4, 33), (6, 5, 2, 16))
FUNCTIONS = ("any", "all", "min", "max", "sum", "prod")


def cut(rng, shape, dtype, layout):
    """An array of that shape whose axes cannot be merged."""
    if layout == "inner":
        whole = rng.integers(0, 9, [n + 3 for n in shape]).astype(dtype)
        return whole[tuple(slice(1, 1 + n) for n in shape)]
    step = [2 if i == len(shape) - 2 else 1 for i in range(len(shape))]
    whole = rng.integers(0, 9, [n * s for n, s in zip(shape, step)]).astype(dtype)
    return whole[tuple(slice(None, None, s) for s in step)]


@pytest.mark.parametrize("layout", ("inner", "second"))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_axes_that_are_not_one(shape, layout):
    """Of every place of a decisive element, the last line's and the last column's, too."""
    rng = np.random.default_rng(len(shape) * sum(shape))
    dims = len(shape)
    for dtype in ("u1", "?", "i4", "i8", "f4", "f8"):
        x = cut(rng, shape, dtype, layout)
        for axis in (None, tuple(range(1, dims)), (dims - 2, dims - 1), (0, dims - 1)):
            for function in FUNCTIONS:
                if dtype[0] == "f" and function in ("sum", "prod"):
                    continue
                want = getattr(np, function)(x, axis=axis)
                np.testing.assert_array_equal(getattr(hd, function)(x, axis=axis), want)


@pytest.mark.parametrize("value", (0, 1))
def test_any_and_all_by_one_element(value):
    """One element among others that are not as it is, at each end of each axis."""
    for shape in ((4, 6, 70), (3, 5, 33), (9, 80)):
        for dtype in ("?", "u1", "f4", "f8"):
            for place in np.ndindex(*(3,) * len(shape)):
                whole = np.full([n + 2 for n in shape], 1 - value, dtype)
                x = whole[tuple(slice(1, 1 + n) for n in shape)]
                whole[...] = value  # around x
                x[...] = 1 - value
                x[tuple((0, n // 2, n - 1)[p] for p, n in zip(place, shape))] = value
                assert hd.any(x) and not hd.all(x)
                for axis in range(len(shape)):
                    np.testing.assert_array_equal(hd.any(x, axis=axis), np.any(x, axis=axis))
                    np.testing.assert_array_equal(hd.all(x, axis=axis), np.all(x, axis=axis))


@pytest.mark.parametrize("length", (1, 2, 3, 4, 7, 8, 12))
def test_means_are_quotients(length):
    """A mean has the bits of a total's quotient, by powers of two and others, at every end of a vector."""
    rng = np.random.default_rng(length)
    for width in (1, 2, 7, 8, 9, 15, 16, 17, 100):
        whole = rng.integers(-10**6, 10**6, (length, width)).astype("i4")
        np.testing.assert_array_equal(hd.mean(whole, axis=0),
                                      whole.sum(axis=0, dtype=np.float64) / length)
        x = rng.standard_normal((length, width)).astype("f4")
        x[:, width // 2] = np.inf
        total = hd.sum(x.astype("f8"), axis=0)
        np.testing.assert_array_equal(hd.mean(x, axis=0), (total / length).astype("f4"))
        tiny = np.full((length, width), 5e-324)
        np.testing.assert_array_equal(hd.mean(tiny, axis=0), tiny[0] * length / length)


def test_variances_of_one_element():
    """0, but NaN where the element is not finite."""
    for dtype in ("f8", "f4", "f2", "i4", "u1", "?"):
        x = np.ones((5, 3, 1), dtype)
        if np.dtype(dtype).kind == "f":
            x[0, 0], x[2, 1], x[4, 2] = np.inf, np.nan, -np.inf
        for axis in (-1, 2):
            want = np.where(np.isfinite(x.astype("f8")), 0.0, np.nan)[..., 0]
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(hd.var(x, axis=axis), want)
                np.testing.assert_array_equal(hd.std(x, axis=axis), want)


def test_running_totals_of_one_element():
    """Rows of one element, many groups of them, are what they were; overflow is told as NumPy does."""
    x = np.arange(24.0).reshape(2, 3, 4, 1)
    np.testing.assert_array_equal(hd.cumsum(x, axis=3), x)
    x[1, 2, 3] = np.inf
    np.testing.assert_array_equal(hd.cumsum(x, axis=3), x)


@pytest.mark.parametrize("length", (1, 2, 7, 8, 9, 64, 65, 71, 72, 73, 256, 257, 700, 9000))
def test_rows_settled_by_one_element(length):
    """One element that decides, on each side of every piece that is looked at."""
    places = sorted({p for p in (0, 1, 7, 8, 63, 64, 65, 71, 72, 511, 512, 583, length - 1)
                     if p < length})
    for dtype in ("?", "u1", "f4", "f8"):
        for step in (1, 2, -1, 3):
            for value in (0, 1):
                whole = np.full((len(places), length * abs(step)), value, dtype)
                x = whole[:, ::step]
                x[...] = 1 - value
                for row, place in enumerate(places):
                    x[row, place] = value
                np.testing.assert_array_equal(hd.any(x, axis=1), x.any(axis=1))
                np.testing.assert_array_equal(hd.all(x, axis=1), x.all(axis=1))
                np.testing.assert_array_equal(hd.argmax(x, axis=1), x.argmax(axis=1))
                np.testing.assert_array_equal(hd.min(x, axis=1), x.min(axis=1))


@pytest.mark.parametrize("value", (0, 1))
def test_places_of_one_bool(value):
    """The first one that decides, among those that are looked at first and behind them."""
    for length in (1, 63, 64, 65, 200, 9000):
        for place in sorted({0, 1, 62, 63, 64, 65, length - 1}):
            x = np.full(length, 1 - value, "?")
            if place < length:
                x[place] = value
            for function in (hd.argmax, hd.argmin):
                want = getattr(np, function.__name__)(x)
                assert function(x) == want and type(function(x)) is type(want)
