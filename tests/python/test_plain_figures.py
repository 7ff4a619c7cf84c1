"""The fast path of counts, spreads and segments: what the slow one gives, to the bit, or what it raises."""

import itertools

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain
from test_plain_axis import LAYOUTS, VIEWS, filled, some_axes
from test_plain_where import NUMBERS, both_agree

SEGMENTS = sorted(name for name in _plain.FUNCTIONS if name.startswith("segment_"))
PIECES = sorted(name for name in _plain.FUNCTIONS if name.endswith("_reduceat"))
DTYPES = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d"]
WEIGHTS = np.linspace(-1, 4, 24)
OFFSETS = [np.array([0, 3, 3, 20, 41]), np.array([2, 9, 30], np.uint64), np.array([0, 41]), np.array([0]),
           np.array([5, 3, 41]), np.array([0, 42]), np.array([-1, 3]), np.array([0, 7], "i4"),
           np.array([[0, 7]]), np.array([0, 9, 41])[::2], np.array([0, 41, 41]), np.empty(0, int),
           np.array([1, 2, 40], ">i8"), [0, 3, 41], np.array([0.0, 3.0]), np.zeros(3)]


def with_other_bytes(a):
    """Bools whose True is any byte but 0."""
    more = np.random.default_rng(8).integers(1, 255, a.shape, np.uint8)
    return (a * more).view(bool) if a.dtype.kind == "b" else a


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["count_nonzero", "ptp"])
def test_both_paths_agree(name, dtype):
    for shape in ((9,), (1,), (3, 5), (2, 3, 4), (33, 65), (130, 401)):
        a = with_other_bytes(filled(dtype, shape))
        b = np.nan_to_num(a, posinf=3, neginf=-3) if dtype in "efd" else a
        views = list((LAYOUTS if a.ndim > 1 else VIEWS).items())
        for (kind, view), y in itertools.product(views[::3 if a.size > 999 else 1], (a, b)):
            x = view(y)
            for i, axis in enumerate((*range(-1, x.ndim + 1), *some_axes(x.ndim))):
                both_agree(name, x, kind, axis=axis, keepdims=i % 2 == 0)
                if name == "ptp" and dtype in "?lefd":
                    both_agree(name, x, kind, axis=axis, skipna=True)


def test_differences_wrap_and_overflow_as_numpy_s():
    for dtype in "bhilBHILefd":
        limits = np.finfo(dtype) if dtype in "efd" else np.iinfo(dtype)
        x = np.array([limits.min, limits.max, 1], dtype)
        with np.errstate(over="ignore"):
            assert hd.ptp(x) == np.ptp(x)
        both_agree("ptp", x, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SEGMENTS + PIECES)
def test_both_paths_agree_on_segments(name, dtype):
    word = "offsets" if name in SEGMENTS else "indices"
    takes = {} if name in PIECES or name in ("segment_any", "segment_all") else \
        {"initial": NUMBERS, "skipna": [True]}
    a = with_other_bytes(filled(dtype, (41,)))
    many = a.copy()
    if dtype in "efd":
        many[:9] = np.nan
    for x, offsets in itertools.product((a, many, a[::-1], a[:0], np.stack([a, a])), OFFSETS):
        both_agree(name, x, offsets, **{word: offsets})
        for option, values in takes.items():
            for value in values[:len(values) if x is a else 2]:
                both_agree(name, x, offsets, **{word: offsets, option: value})


@pytest.mark.parametrize("name", ["count_nonzero", "ptp", *SEGMENTS, *PIECES])
def test_it_is_the_one_that_is_taken(monkeypatch, name):
    path, given = _plain.FUNCTIONS[name], []
    monkeypatch.setitem(_plain.FUNCTIONS, name, path._replace(
        entry=lambda *words: given.append(path.entry(*words)) or given[-1]))
    function = _plain.plain(getattr(hd, name).__wrapped__)
    for dtype in "Blefd":
        x = np.arange(1, 25).astype(dtype).reshape(4, 6)
        if name in SEGMENTS + PIECES:
            cuts = np.array([0, 5, 24 if name in SEGMENTS else 20])
            function(x.reshape(-1), cuts)
            function(x.reshape(-1), cuts.astype(np.uint64))
            continue
        for y in (x, x[::-1], x[:, ::2], x.T, x[0]):
            function(y, axis=-1)
            function(y, keepdims=True)
    assert len(given) in (10, 50) and all(one is not _native.DECLINED for one in given)


@pytest.mark.filterwarnings("ignore:.* encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("dtype", ["?", "i", "l", "e", "f", "d"])
def test_both_paths_agree_on_weights(dtype):
    """Of the shape of the elements, of an axis, of another; whose sum is 0, or not finite."""
    a = filled(dtype, (2, 3, 4))
    b = np.nan_to_num(a, posinf=3, neginf=-3) if dtype in "efd" else a
    far = np.full((2, 3, 4), np.finfo("f").max / 2)
    for x, kind in itertools.product((a, b, far.astype(dtype if dtype in "efd" else "d")), LAYOUTS):
        y = LAYOUTS[kind](x)
        whole = np.resize(WEIGHTS, y.shape)
        for weights in (whole, whole.T, whole[::-1], np.zeros(y.shape), np.full(y.shape, np.inf),
                        np.abs(whole).astype("f"), *(whole[0, 0, 0] + np.arange(n) for n in y.shape)):
            for other in {weights.dtype, y.dtype}:
                w = weights.astype(other) if weights.dtype.kind == "f" and other.kind == "f" else weights
                for i, axis in enumerate((None, 0, 1, -1, 2, -3, 5, (0, 1), (0, 2), (1,))):
                    both_agree("average", y, (kind, w), axis=axis, weights=w, keepdims=i % 2 == 0)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_averages_beyond_the_type_are_warned_of(dtype):
    most = np.finfo(dtype).max
    for weights in ([3, -2], [0.75, 0.25], [1, -1]):
        both_agree("average", np.array([most, -most], dtype), "far", weights=np.array(weights, dtype))


def test_weights_are_taken(monkeypatch):
    path, given = _plain.FUNCTIONS["average"], []
    monkeypatch.setitem(_plain.FUNCTIONS, "average", path._replace(
        entry=lambda *words: given.append(path.entry(*words)) or given[-1]))
    function = _plain.plain(hd.average.__wrapped__)
    for dtype in "fd":
        x = np.arange(1, 25).astype(dtype).reshape(4, 6)
        for axis, weights in ((None, x), (0, x), (1, x), (0, x[:, 0].copy()), (-1, x[0])):
            function(x, axis, weights)
    assert len(given) == 10 and all(one is not _native.DECLINED for one in given)
