"""The fast path along an axis: what the slow one gives, to the bit, of arrays in any order."""

import warnings
import zlib

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain

NAMES = sorted(name for name, path in _plain.FUNCTIONS.items() if path.along)
SHAPES = [(1,), (7,), (3, 4), (1, 5), (5, 1), (4, 3, 2), (2, 3, 2, 3), (70, 3), (3, 70), (33, 65)]
VIEWS = {"C": lambda a: a, "backwards": lambda a: a[::-1], "step": lambda a: a[..., ::2],
         "transposed": lambda a: a.T, "Fortran": np.asfortranarray,
         "field": lambda a: a.astype([("x", a.dtype), ("y", "i2")])["x"],
         "swapped": lambda a: a.astype(a.dtype.newbyteorder())}


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


def outcome(function, a, axis):
    try:
        return function(a, axis=axis)
    except (ValueError, TypeError, np.exceptions.AxisError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d"])
@pytest.mark.parametrize("name", NAMES)
def test_both_paths_agree(name, dtype):
    function = getattr(hd, name)
    written = function.__wrapped__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shape in SHAPES:
            a = filled(dtype, shape)
            for kind, view in VIEWS.items():
                x = view(a)
                for axis in range(-x.ndim - 1, x.ndim + 1):
                    got, want = outcome(function, x, axis), outcome(written, x, axis)
                    where = name, dtype, shape, kind, axis
                    assert type(got) is type(want), where
                    if isinstance(got, tuple):
                        assert got == want, where
                        continue
                    assert (got.dtype, got.shape) == (want.dtype, want.shape), where
                    assert got.tobytes() == want.tobytes(), where


@pytest.mark.parametrize("dtype", ["B", "i", "e", "f", "d"])
@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_one_that_is_taken(name, dtype):
    path = _plain.FUNCTIONS[name]
    a = np.arange(24).astype(dtype).reshape(4, 6)
    numbers = {"threads": 1, "ddof": 0.0, "out": None}
    for x in (a, a[::-1], a[:, ::2], a.T, a[0]):
        words = [x if word in ("a", "array") else numbers.get(word, word)
                 for word in path.arguments]
        result = path.along(*words[:-1], x.ndim - 1, words[-1])
        assert result is not _native.DECLINED, (x.shape, x.strides)


def test_bools_of_other_bytes_are_counted_as_one():
    odd = np.array([[0, 1, 2], [3, 0, 0]], np.uint8).view(bool)
    for x in (odd, odd.T):
        assert hd.sum(x, axis=0).tolist() == np.sum(x != 0, axis=0).tolist()
        assert hd.argmax(x, axis=1).tolist() == np.argmax(x != 0, axis=1).tolist()


def test_empty_arrays_are_the_slow_path_s():
    for shape, axis in (((0, 3), 0), ((0, 3), 1), ((3, 0), 1)):
        x = np.empty(shape)
        assert hd.sum(x, axis=axis).tobytes() == np.sum(x, axis=axis).tobytes()
    with pytest.raises(ValueError, match="zero-size array"):
        hd.min(np.empty((0, 3)), axis=0)
