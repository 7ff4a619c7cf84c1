"""The fast path with a mask, with `initial`: what the slow one gives, to the bit, or what it raises."""

import itertools
import warnings

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain
from outcomes import is_sampled
from test_plain_axis import LAYOUTS, VIEWS, filled, some_axes

NAMES = sorted(name for name, path in _plain.FUNCTIONS.items() if "where" in path.said)
BEGINNING = [name for name in NAMES if "initial" in _plain.FUNCTIONS[name].said]
EXTREMES = ("min", "max", "nanmin", "nanmax")
SKIPPING = [name for name in NAMES if _plain.FUNCTIONS[name].skips == "skipna"]
NUMBERS = [0, 1, -1, 3, 300, 2**31, 2**63, -2**63, 2**64, 10**400, 2.5, -0.0, 1e5, 1e300, float("nan"),
           float("inf"), True, None, np.float64(2), np.int8(2), "2", [1], np.ones(2)]


def masks(shape):
    """Of all kinds that broadcast to a shape, and some that do not."""
    some = np.random.default_rng(7).random(shape) > 0.4
    yield some
    yield np.asfortranarray(some)[::-1][..., ::-1]
    yield some[..., :1]
    yield some[-1:]
    yield some.reshape(-1)[:shape[-1]]
    yield np.zeros(shape, bool)
    yield np.array(True)
    yield np.lib.stride_tricks.as_strided(np.array(False), shape, (0,) * len(shape))
    yield (some * np.uint8(3)).view(bool)
    yield np.repeat(some, 2, axis=-1)[..., ::2]
    yield some[None]
    yield np.ones(shape[-1] + 1, bool)
    yield some.astype("B")


def outcome(function, x, more):
    """The result, what is raised, and what is warned of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = function(x, **more)
        except Exception as error:
            return type(error), str(error)
    found = np.asarray(result)
    return (type(result), found.dtype, found.shape, found.tobytes(),
            [(w.category, str(w.message)) for w in said])


def both_agree(name, x, place, /, **more):
    function = getattr(hd, name)
    assert outcome(function, x, more) == outcome(function.__wrapped__, x, more), \
        (name, place, x.dtype, x.shape, x.strides, more)


def first_of(name, dtype):
    """An `initial` where a mask needs one."""
    return {} if name not in EXTREMES else {"initial": 2 if dtype in "lihBL" else 1.5}


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("dtype", ["?", "B", "i", "l", "L", "e", "f", "d"])
@pytest.mark.parametrize("name", NAMES)
def test_both_paths_agree(name, dtype):
    for shape in ((9,), (3, 5), (2, 3, 4)):
        a = filled(dtype, shape)
        if dtype == "?":  # True is any byte but 0
            a = (a * np.random.default_rng(8).integers(1, 255, shape, np.uint8)).view(bool)
        b = a if dtype not in "efd" else np.nan_to_num(a, posinf=3, neginf=-3)
        for i, ((kind, view), y) in enumerate(itertools.product((LAYOUTS if a.ndim > 1 else VIEWS).items(),
                                                               (a, b))):
            x = view(y)
            for k, mask in enumerate(masks(x.shape)):
                axes = (*range(x.ndim), *some_axes(x.ndim))
                for axis in axes[(i + k) % 9::9] if is_sampled(name, dtype, shape, i, k) else ():
                    both_agree(name, x, (kind, k), axis=axis, where=mask, keepdims=k % 2 == 0,
                               **first_of(name, dtype))


@pytest.mark.parametrize("dtype", ["?", "l", "e", "f", "d"])
@pytest.mark.parametrize("name", SKIPPING)
def test_both_paths_agree_on_what_is_skipped(name, dtype):
    a = filled(dtype, (7, 33))
    if dtype in "efd":
        a[a == np.inf] = np.nan
        a[3] = np.nan
    for rows in (a, a[:3], a[:, 5:].T):
        for k, mask in enumerate(masks(rows.shape)):
            for axis in (None, 0, 1):
                if not is_sampled(name, dtype, rows.shape, k, axis):
                    continue
                both_agree(name, rows, k, axis=axis, where=mask, skipna=True, **first_of(name, dtype))
                both_agree(name, rows, k, axis=axis, skipna=True)


@pytest.mark.parametrize("dtype", ["B", "h", "I", "l", "L", "e", "f", "d", "?"])
@pytest.mark.parametrize("name", BEGINNING)
def test_both_paths_agree_on_what_is_first(name, dtype):
    for shape in ((7,), (3, 5)):
        x = filled(dtype, shape)
        for initial in NUMBERS:
            for axis, mask in itertools.product((None, 0), (True, *itertools.islice(masks(shape), 2))):
                both_agree(name, x, mask, axis=axis, where=mask, initial=initial)
                both_agree(name, x.T, mask, axis=axis, initial=initial)
                both_agree(name, x, mask, axis=axis, where=mask)


@pytest.mark.parametrize("ddof", [0, 1, 2.5, 30])
@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_divisors_are_of_what_is_let_through(name, ddof):
    x = np.random.default_rng(2).random((4, 40)).astype("f")
    x[1, ::3] = np.nan
    for k, mask in enumerate(masks(x.shape)):
        for axis in (None, 0, 1):
            both_agree(name, x, k, axis=axis, where=mask, ddof=ddof)
            both_agree(name, x, k, axis=axis, ddof=ddof)


LARGE = {"row": (300_001,), "rows": (7, 50_021), "short": (60_007, 5), "wide": (5, 60_007),
         "cube": (61, 73, 79)}


@pytest.mark.parametrize("shape", LARGE)
@pytest.mark.parametrize("dtype", ["?", "l", "e", "f", "d"])
def test_both_paths_agree_on_large_arrays(dtype, shape):
    """More than a part: some rows each, or one row a piece; one mask for all, and one a row."""
    rng = np.random.default_rng(3)
    a = rng.integers(0 if dtype == "?" else -9, 9, LARGE[shape]).astype(dtype)
    if dtype in "efd":
        a *= a.dtype.type(0.37)
    for x in (a, a.T[..., ::-1]):
        some = rng.random(x.shape) > 0.3
        for i, name in enumerate(("sum", "min", "mean", "var")):
            for k, mask in enumerate((some, some[..., :1], some.T.copy().T)):
                axes = (None, *range(x.ndim), *([(0, 2)] if x.ndim > 2 else []))
                for axis in axes[(i + k) % 2::2]:
                    both_agree(name, x, (name, shape), axis=axis, where=mask, **first_of(name, dtype))


def test_it_is_the_one_that_is_taken(monkeypatch):
    x = np.random.default_rng(4).random((6, 8))
    for name in NAMES:
        path, given = _plain.FUNCTIONS[name], []
        monkeypatch.setitem(_plain.FUNCTIONS, name, path._replace(
            where=lambda *words, entry=path.where: given.append(entry(*words)) or given[-1]))
        function = _plain.plain(getattr(hd, name).__wrapped__)
        for y in (x, x[::-1], x[:, ::2], x.T, x[0], np.asfortranarray(x)):
            for mask in (y > 0.1, y[:1] > 0.0, y.T.copy().T > 0.1):
                for axis in (None, *range(y.ndim)):
                    function(y, axis=axis, where=mask, **first_of(name, "d"))
        large = np.ones(50_000)
        function(large, where=large > 0, **first_of(name, "d"))
        assert len(given) == 52 and all(one is not _native.DECLINED for one in given), name
