"""Elements of transposed and cut arrays, read in C order: piece by piece, part by part, by squares of vectors.

Running totals of integers show each element in its place; float totals have the bits that a copy gives.
"""

import numpy as np
import pytest

import heddle as hd

#: Around a line of a cache of 1, 2, 4 and 8 bytes, and around twice that.
SIDES = (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 96, 130)


def table(rows, columns, dtype, offset=0, pitch=None):
    """A table whose columns are neighbours' runs, `offset` elements behind a line's begin."""
    pitch = pitch or rows
    rng = np.random.default_rng(rows * 1009 + columns)
    line = 64 // np.dtype(dtype).itemsize
    memory = np.zeros(pitch * columns + 2 * line, dtype)
    begin = -(memory.ctypes.data // memory.itemsize) % line + offset
    x = memory[begin:begin + pitch * columns].reshape(columns, pitch).T[:rows]
    x[...] = rng.integers(1, 100, x.shape) if np.dtype(dtype).kind != "f" else rng.standard_normal(
        x.shape)
    return x


@pytest.mark.parametrize("dtype", ("u1", "i2", "i4", "i8"))
def test_each_element_is_in_its_place(dtype):
    for rows in SIDES:
        for columns in SIDES:
            for offset in (0, 3):
                x = table(rows, columns, dtype, offset)
                assert np.array_equal(hd.cumsum(x), np.cumsum(x))


@pytest.mark.parametrize("dtype", ("u1", "i2", "i4", "i8"))
@pytest.mark.parametrize("rows, columns", ((700, 300), (1024, 256), (65, 4000), (3000, 40),
                                           (40, 3000), (129, 8192), (17, 70000), (200, 319),
                                           (203, 320), (201, 321), (150, 640), (149, 641)))
def test_pieces(rows, columns, dtype):
    for offset, pitch in ((0, None), (1, None), (5, rows + 3), (2, (rows + 1023) // 1024 * 1024)):
        x = table(rows, columns, dtype, offset, pitch)
        want = np.cumsum(x)
        assert np.array_equal(hd.cumsum(x), want)
        assert hd.argmax(x) == np.argmax(x)
        for y in (x[::-1], x[:, ::-1], x[::2]):
            assert np.array_equal(hd.cumsum(y), np.cumsum(y))


def test_runs_are_taken_where_they_lie():
    for step in (2, 3):
        for shape in ((40, 5000), (9, 20000), (30, 700), (5, 7, 3001), (3, 1 << 16)):
            x = np.random.default_rng(5).integers(-99, 99, (shape[0] * step,) + shape[1:])[::step]
            assert np.array_equal(hd.cumsum(x), np.cumsum(x))
            for y in (x.astype("f8") / 7, x.astype("f4") / 7):
                y = np.repeat(y, 2, axis=0)[::2]
                copied = np.ascontiguousarray(y)
                for call in (hd.sum, hd.mean, hd.prod, hd.var):
                    assert call(y).tobytes() == call(copied).tobytes()
                assert hd.mean(x).tobytes() == hd.mean(np.ascontiguousarray(x)).tobytes()


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "i8"))
@pytest.mark.parametrize("shape", ((42, 30, 57), (3, 200, 300), (700, 7, 9), (90, 16, 16),
                                   (5, 4, 3, 20, 60), (20, 30, 2, 8, 8)))
def test_parts(shape, dtype):
    """Results of two axes, in an order of memory that is not theirs."""
    x = (np.random.default_rng(len(shape)).standard_normal(shape) * 64).astype(dtype)
    order = np.argsort(np.random.default_rng(1).random(len(shape)))
    for turned in (x.swapaxes(-1, -2).copy().swapaxes(-1, -2), np.asfortranarray(x),
                   x.transpose(order).copy().transpose(np.argsort(order)),
                   np.repeat(x, 2, axis=-2)[..., ::2, :], x[..., ::-1, :].copy()[..., ::-1, :]):
        for axis in ((-2, -1), (0, -1), (0, -2), tuple(range(1, len(shape)))):
            for call in (hd.sum, hd.mean, hd.var, hd.std, hd.prod):
                got, want = call(turned, axis=axis), call(np.ascontiguousarray(x), axis=axis)
                assert got.dtype == want.dtype and got.tobytes() == want.tobytes()
            if np.dtype(dtype).kind == "f":
                got = hd.mean(turned, axis=axis, skipna=True)
                assert got.tobytes() == hd.mean(x, axis=axis, skipna=True).tobytes()


def test_parts_with_what_is_not_finite():
    x = np.random.default_rng(2).standard_normal((60, 40, 50))
    x[3, 2, 1], x[7, 0, 0], x[8, 1, 1], x[8, 2, 2] = np.nan, np.inf, np.inf, -np.inf
    turned = x.swapaxes(1, 2).copy().swapaxes(1, 2)
    with pytest.warns(RuntimeWarning, match="invalid"):
        got = hd.sum(turned, axis=(1, 2))
    with pytest.warns(RuntimeWarning, match="invalid"):
        want = hd.sum(x, axis=(1, 2))
    assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("dtype", ("i4", "i8", "f8"))
@pytest.mark.parametrize("shape", ((18, 7, 4, 8, 2), (5, 3, 4, 2, 2, 3), (40, 5, 3, 2), (9, 2, 3, 70)))
def test_running_totals_of_short_runs(shape, dtype):
    """Rows side by side that are few, so that many runs of them are taken together."""
    rng = np.random.default_rng(4)
    framed = rng.integers(-50, 50, tuple(n + 3 for n in shape)).astype(dtype)
    x = framed[tuple(slice(1, 1 + n) for n in shape)]
    for y in (x, x[::-1], x[..., ::-1], x.swapaxes(0, -1), np.asfortranarray(x), x[:, ::2]):
        for axis in range(y.ndim):
            assert np.array_equal(hd.cumsum(y, axis=axis), np.cumsum(y, axis=axis))
            assert np.array_equal(hd.maximum_accumulate(y, axis=axis),
                                  np.maximum.accumulate(y, axis=axis))


@pytest.mark.parametrize("dtype", ("?", "u1", "i2", "f4", "i8"))
def test_the_extreme_in_every_place_of_a_row(dtype):
    for n in (*range(1, 140), 200, 256, 257, 300):
        there = np.eye(n, dtype=dtype)
        rest = ~there if dtype == "?" else (1 - there).astype(dtype)
        for x, y in ((there, rest), (np.repeat(there, 2, axis=1)[:, ::2],
                                     np.repeat(rest, 2, axis=1)[:, ::2])):
            assert hd.max(x, axis=1).all() and not hd.min(y, axis=1).any()
            assert hd.any(x, axis=1).all() and not hd.all(y, axis=1).any()
