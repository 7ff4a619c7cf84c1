"""The fast path along an axis: what the slow one gives, to the bit, of arrays in any order."""

import inspect
import itertools
import warnings
import zlib

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain
from outcomes import is_sampled

NAMES = sorted(name for name, path in _plain.FUNCTIONS.items() if path.along)
SEVERAL_NAMES = [name for name in NAMES
                 if "keepdims" in inspect.signature(getattr(hd, name)).parameters]
SKIPPING = [name for name in SEVERAL_NAMES if _plain.FUNCTIONS[name].skips == "skipna"]
SHAPES = [(1,), (7,), (3, 4), (1, 5), (5, 1), (4, 3, 2), (2, 3, 2, 3), (70, 3), (3, 70), (33, 65)]
SEVERAL = [(3, 4), (4, 3, 2), (2, 1, 3), (1, 1), (3, 2, 5, 2), (33, 5, 40), (40, 65)]
VIEWS = {"C": lambda a: a, "backwards": lambda a: a[::-1], "step": lambda a: a[..., ::2],
         "transposed": lambda a: a.T, "Fortran": np.asfortranarray,
         "field": lambda a: a.astype([("x", a.dtype), ("y", "i2")])["x"],
         "swapped": lambda a: a.astype(a.dtype.newbyteorder())}
LAYOUTS = {**VIEWS, "turned": lambda a: np.moveaxis(a, -1, 0), "within": lambda a: a[1:, ..., :-1],
           "rows": lambda a: a[::2], "upside down": lambda a: a.T[..., ::-1],
           "one": lambda a: np.broadcast_to(a[:1], a.shape)}


def filled(dtype, shape):
    """Numbers of both signs, with zeros; of floats NaN and infinities, too."""
    rng = np.random.default_rng(zlib.crc32(f"{dtype}{shape}".encode()))
    a = rng.integers(0, 2 if dtype == "?" else 9, shape).astype(dtype)
    if a.dtype.kind in "fi":
        a -= a.dtype.type(4)
    if a.dtype.kind == "f":
        a.flat[:: 17] *= np.float16(-0.0)
        for at, value in ((5, np.nan), (11, np.inf), (40, -np.inf)):
            a.flat[at :: 61] = value
    return a


def outcome(function, a, axis, **more):
    try:
        return function(a, axis=axis, **more)
    except (ValueError, TypeError, np.exceptions.AxisError) as error:
        return type(error), str(error)


def both_agree(function, x, axis, where, **more):
    if not is_sampled(function.__name__, where):
        return
    got, want = (outcome(f, x, axis, **more) for f in (function, function.__wrapped__))
    assert type(got) is type(want), where
    if isinstance(got, tuple):
        assert got == want, where
        return
    assert (got.dtype, got.shape) == (want.dtype, want.shape), where
    assert got.tobytes() == want.tobytes(), where


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d"])
@pytest.mark.parametrize("name", NAMES)
def test_both_paths_agree(name, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shape in SHAPES:
            a = filled(dtype, shape)
            for kind, view in VIEWS.items():
                x = view(a)
                for axis in range(-x.ndim - 1, x.ndim + 1):
                    both_agree(getattr(hd, name), x, axis, (name, dtype, shape, kind, axis))


def some_axes(dims):
    """None, and tuples of axes, of some with negative numbers; one that is wrong."""
    yield None
    for count in range(dims + 1):
        for axes in itertools.combinations(range(dims), count):
            yield axes if len(axes) % 2 else tuple(i - dims for i in axes[::-1])
    yield 0, dims
    yield 0, 0


@pytest.mark.parametrize("dtype", ["?", "B", "h", "i", "L", "e", "f", "d"])
@pytest.mark.parametrize("name", SEVERAL_NAMES)
def test_both_paths_agree_on_several_axes(name, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, shape in enumerate(SEVERAL):
            a = filled(dtype, shape)
            for k, (kind, view) in enumerate(LAYOUTS.items()):
                x = view(a)
                for m, axis in itertools.islice(enumerate(some_axes(x.ndim)), (i + k) % 2, None, 2):
                    keepdims = (i + k + m) % 3 == 0
                    both_agree(getattr(hd, name), x, axis,
                               (name, dtype, shape, kind, axis, keepdims), keepdims=keepdims)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["?", "l", "e", "f", "d"])
@pytest.mark.parametrize("name", SKIPPING)
def test_both_paths_agree_on_what_is_skipped(name, dtype):
    """With rows of nothing but NaN, and such with an infinity that is the result."""
    for shape in [(2, 7), (4, 3, 2), (33, 65)]:
        a = filled(dtype, shape)
        many = a.copy()
        if a.dtype.kind == "f":
            many[..., :3] = np.nan
            a[a != a] = np.inf
        for x in (a, many):
            for kind, view in LAYOUTS.items():
                y = view(x)
                for axis in (*range(y.ndim), *some_axes(y.ndim)):
                    both_agree(getattr(hd, name), y, axis, (name, dtype, shape, kind, axis),
                               skipna=True)


LARGE = {"Fortran": lambda a: a.reshape(96, 80, -1).T, "turned": lambda a: a.reshape(50, -1, 8).T,
         "few": lambda a: a.reshape(-1, 3).T, "within": lambda a: a.reshape(30, 8, -1).T[1:-1, :, 2:],
         "mixed": lambda a: a.reshape(8, 30, -1).transpose(2, 0, 1)[:, ::-1]}


@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("dtype", ["B", "e", "f", "d"])
def test_both_paths_agree_on_large_arrays(dtype, kind):
    count = 96 * 80 * 50 * 3 * (2 if dtype == "B" else 1)
    a = np.random.default_rng(3).integers(-9, 9, count).astype(dtype)
    if dtype != "B":
        a *= a.dtype.type(0.37)
    x = LARGE[kind](a)
    for name in ("sum", "min", "mean", "var", "argmax", "cumsum"):
        both_agree(getattr(hd, name), x, None, (name, dtype, kind))
    both_agree(hd.sum, x, (0, 1), ("sum", dtype, kind))


@pytest.mark.parametrize("dtype", ["B", "i", "e", "f", "d"])
@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_one_that_is_taken(name, dtype):
    path = _plain.FUNCTIONS[name]
    a = np.arange(24).astype(dtype).reshape(4, 6)
    numbers = {"threads": 1, "ddof": 0.0, "out": None}
    for x in (a, a[::-1], a[:, ::2], a.T, a[0]):
        words = [x if word in ("a", "array") else numbers.get(word, word)
                 for word in path.arguments]
        more = [False] * ((name in SEVERAL_NAMES) + bool(path.skips))
        result = path.along(*words[:-1], x.ndim - 1, *more, words[-1])
        assert result is not _native.DECLINED, (x.shape, x.strides)


def test_bools_of_other_bytes_are_counted_as_one():
    odd = np.array([[0, 1, 2], [3, 0, 0]], np.uint8).view(bool)
    wide = np.zeros((40, 60), np.uint8)
    wide[34, 50] = 255
    wide[7, ::3] = 1
    wide = wide.view(bool)
    for x in (odd, odd.T, wide, wide.T, wide[::2], wide[:, ::2], wide[1:-1, 1:-1], wide[::-1].T):
        assert hd.sum(x, axis=0).tolist() == np.sum(x != 0, axis=0).tolist()
        assert hd.argmax(x, axis=1).tolist() == np.argmax(x != 0, axis=1).tolist()


def test_empty_arrays_are_the_slow_path_s():
    for shape, axis in (((0, 3), 0), ((0, 3), 1), ((3, 0), 1)):
        x = np.empty(shape)
        assert hd.sum(x, axis=axis).tobytes() == np.sum(x, axis=axis).tobytes()
    with pytest.raises(ValueError, match="zero-size array"):
        hd.min(np.empty((0, 3)), axis=0)
