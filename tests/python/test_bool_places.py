"""Places of the first True, and the first False, in rows of bools however they lie."""

import itertools

import numpy as np
import pytest

import heddle as hd

#: Rows side by side: vectors of 8 and 16 with what is left over, and fewer than one has.
WIDTHS = (1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 300)
#: Lines: around four, between two looks, and 64, which are looked at.
LENGTHS = (1, 2, 3, 4, 5, 8, 63, 64, 65, 130, 700)


def layouts(x):
    """The same bools, lying in other ways; the gaps hold the opposite."""
    yield x
    wide = np.repeat(~x, 2, axis=-1)
    wide[..., ::2] = x
    yield wide[..., ::2]
    framed = ~np.pad(x, [(1, 2)] * x.ndim, mode="edge")
    framed[tuple(slice(1, 1 + n) for n in x.shape)] = x
    yield framed[tuple(slice(1, 1 + n) for n in x.shape)]
    yield np.asfortranarray(x)
    yield x[::-1].copy()[::-1]
    yield x[..., ::-1].copy()[..., ::-1]


@pytest.mark.parametrize("length", LENGTHS)
def test_rows_side_by_side(length):
    rng = np.random.default_rng(length)
    for width, share in itertools.product(WIDTHS, (0.5, 0.03, 0.0)):
        x = rng.random((3, length, width)) < share
        if length > 1:
            x[1, -1, width // 2] = True  # one that is found last of all
        for y, z in itertools.product(layouts(x), (False, True)):
            y = ~y if z else y
            for axis in (1, 2):
                assert np.array_equal(hd.argmax(y, axis=axis), np.argmax(y, axis=axis))
                assert np.array_equal(hd.argmin(y, axis=axis), np.argmin(y, axis=axis))


def test_any_byte_but_zero_is_true():
    x = np.zeros((2, 70, 19), np.uint8)
    x[0, 5], x[0, 3, 7], x[1, 2, ::2], x[1, 69] = 1, 128, 255, 2
    y = x.view(bool)
    want = np.argmax(x != 0, axis=1)
    for z in (y, y[:, :40], y[:, :, 1:10]):
        assert np.array_equal(hd.argmax(z, axis=1), np.argmax(z.view("u1") != 0, axis=1))
        assert np.array_equal(hd.argmin(z, axis=1), np.argmin(z.view("u1") != 0, axis=1))
    assert np.array_equal(hd.argmax(y, axis=1), want)
