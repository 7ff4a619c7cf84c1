"""One total of columns that lie side by side, long ones of floats or any: the bits of a copy in C order."""

import os
import subprocess
import sys

import numpy as np
import pytest

import heddle as hd

CHUNK = {"f4": 2048, "f8": 1024}
COLUMNS = (4, 5, 8, 9, 16, 17, 33, 100, 129, 257)  # about a vector, and about the widest strips
LENGTHS = (-1, 0, 1, 63, 64, 65, 129, 777)  # behind four chunks
CALLS = (("sum", {}), ("prod", {}), ("mean", {}), ("sum", {"dtype": np.float64}),
         ("prod", {"dtype": np.float64}))


def numbers(dtype, *shape):
    x = np.random.default_rng(11).standard_normal(shape)
    return np.copysign(1 + x / 512, x).astype(dtype)


def compare(x, calls=CALLS):
    line = np.ascontiguousarray(x).reshape(-1)
    for name, options in calls:
        got, want = (getattr(hd, name)(a, threads=1, **options) for a in (x, line))
        assert got.dtype == want.dtype and got.tobytes() == want.tobytes(), (name, options, x.shape)


def every_boundary(dtype, every=1):
    for i, columns in enumerate(COLUMNS[::every]):
        for more in LENGTHS[i % 2::2]:
            compare(numbers(dtype, 4 * CHUNK[dtype] + more, columns).T)
        compare(numbers(dtype, (1 + i % 3) * CHUNK[dtype], columns).T)  # each begins with a chunk


@pytest.mark.parametrize("dtype", CHUNK)
def test_every_boundary(dtype):
    every_boundary(dtype)


def test_scalar():
    code = "import test_lanes as t; t.every_boundary('f4', 3); t.every_boundary('f8', 3); print('done')"
    path = os.pathsep.join([os.path.dirname(__file__), os.environ["PYTHONPATH"]])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "HEDDLE_ISA": "scalar", "PYTHONPATH": path})
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr


@pytest.mark.parametrize("dtype", CHUNK)
def test_more_columns_than_a_strip(dtype):
    for columns in (129, 257):
        for more in (1, 500, CHUNK[dtype] - 1):  # so long that they are not copied
            compare(numbers(dtype, 9 * CHUNK[dtype] + more, columns).T, CALLS[:2])


#: Of columns first, the nearest in memory; then of the axes of their lines, the last one the outermost.
LINES = ((41, 130, 65), (40, 33, 257), (57, 3, 2731), (63, 257, 32), (45, 7, 37, 33), (129, 300, 64),
         (40, 5, 3, 17, 33), (39, 130, 65), (41, 300, 31))  # the last two are copied


@pytest.mark.parametrize("dtype", CHUNK)
@pytest.mark.parametrize("shape", LINES)
def test_lines_of_several_axes(dtype, shape):
    x = numbers(dtype, *shape[::-1]).T
    compare(x)
    y = np.repeat(numbers(dtype, 2, *shape[::-1]), 2, axis=2)[:, :, ::2]  # planes and gaps
    compare(np.moveaxis(y, 0, -1).T, CALLS[:2])
    compare(x[:, ::-1, :-1], CALLS[:2])
    compare(x[1:-1, 1:], CALLS[:2])


@pytest.mark.parametrize("dtype", CHUNK)
def test_planes_gaps_and_directions(dtype):
    length = 4 * CHUNK[dtype] + 321
    cube = numbers(dtype, 3, length, 19)
    for x in (cube, cube[::-1, ::-1], cube[:, :, 2:15], np.repeat(cube, 2, axis=1)[:, ::2]):
        compare(x.swapaxes(1, 2), CALLS[:3])


@pytest.mark.parametrize("dtype", CHUNK)
def test_more_chunks_than_a_chunk_has_elements(dtype):
    compare(numbers(dtype, CHUNK[dtype]**2 // 8 + 5, 9).T, CALLS[:1])


@pytest.mark.parametrize("dtype", CHUNK)
@pytest.mark.parametrize("odd", [[np.nan], [np.inf], [np.inf, -np.inf], [np.nan, np.inf]])
def test_what_is_not_finite(dtype, odd):
    x = numbers(dtype, 5 * CHUNK[dtype] + 5, 33)
    for i, value in enumerate(odd):
        x[-1 - 1500 * i, 32 - 20 * i] = value
    with np.errstate(invalid="ignore"):
        compare(x.T)


@pytest.mark.parametrize("dtype", CHUNK)
def test_zeros_and_denormals(dtype):
    shape = 4 * CHUNK[dtype] + 3, 12
    least = np.finfo(dtype).smallest_subnormal
    assert np.signbit(hd.sum(np.full(shape, -0.0, dtype).T))
    assert hd.sum(np.full(shape, least).T) == np.dtype(dtype).type(shape[0] * shape[1]) * least


@pytest.mark.parametrize("dtype", CHUNK)
def test_overflow_is_reported(dtype):
    x = np.full((4 * CHUNK[dtype], 8), np.finfo(dtype).max)
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert np.isinf(hd.sum(x.T))
    x[3, 3] = np.inf
    assert np.isinf(hd.sum(x.T))


def test_nan_left_out():
    x = numbers("f8", 5000, 12)
    x[::7, 3] = np.nan
    compare(x.T, (("sum", {"skipna": True}), ("prod", {"skipna": True})))


@pytest.mark.parametrize("dtype", ("f4", "i4", "f8", "i8"))
def test_columns_that_share_the_sets_of_a_cache(dtype):
    pitch = 65536 // np.dtype(dtype).itemsize
    for columns, rows, at in ((16, pitch, 0), (33, 700, 3), (150, 33, 0), (17, 650, 5)):
        memory = (np.arange(columns * pitch + at) * 7919 % 1009 - 300).astype(dtype)
        x = memory[at:].reshape(columns, pitch)[:, :rows].T
        for call in (hd.sum, hd.mean, hd.var, lambda y: hd.cumsum(y, axis=None)):
            assert np.asarray(call(x)).tobytes() == np.asarray(call(np.ascontiguousarray(x))).tobytes()
