"""compress, extract, nonzero and their kin, runs and by key, against NumPy."""

import heddle as hd
import numpy as np
import pytest
from arrays import BF16, INTEGERS
from test_sort import FLOATS, same, values

LENGTHS = (0, 1, 2, 17, 63, 64, 65, 1000, 16385)


def mask_of(length, seed, share=0.4):
    return np.random.default_rng(seed).random(length) < share


@pytest.mark.parametrize("name", INTEGERS + FLOATS)
def test_as_numpy(name):
    for length in LENGTHS:
        x, mask = values(name, length, length), mask_of(length, length)
        same(hd.compress(mask, x), x[mask])
        few = np.where(mask, x, np.zeros(1, x.dtype))
        same(hd.flatnonzero(few), np.flatnonzero(few))
        same(hd.nonzero(few)[0], np.nonzero(few)[0])
        same(hd.extract(few, x), np.extract(few, x))


@pytest.mark.parametrize("share", (0.0, 0.001, 0.5, 0.999, 1.0))
def test_large(share):
    x, mask = values("f4", 600_001, 5), mask_of(600_001, 6, share)
    for threads in (1, 3):
        same(hd.compress(mask, x, threads=threads), x[mask])
        same(hd.flatnonzero(mask, threads=threads), np.flatnonzero(mask))


@pytest.mark.parametrize("share", (0.0, 0.03, 0.5, 0.97, 1.0))
@pytest.mark.parametrize("front", (0.0, 1.0, None))
def test_parts_of_one_thread(share, front):
    """The first elements are found where they go, the others a block of 4,096 at a time."""
    for length in (4096, 4097, 8191, 8193, 20_000):
        mask = mask_of(length, 2, share)
        if front is not None:
            mask[:length // 3] = front
        same(hd.flatnonzero(mask, threads=1), np.flatnonzero(mask))
        same(hd.flatnonzero(mask * 1.5, threads=1), np.flatnonzero(mask))
        for name in ("i1", "f8"):
            x = values(name, length + 5, 3)
            same(hd.compress(mask, x, threads=1), x[:length][mask])


def test_shapes_and_layouts():
    x = values("i4", 840, 3).reshape(4, 7, 30) % 3
    for a in (x, x.T, x[::-1, ::2], x[:, :, 3], x[0, 0], x[:, :0]):
        for got, wanted in zip(hd.nonzero(a), np.nonzero(a)):
            same(got, wanted)
        same(hd.argwhere(a), np.argwhere(a))
        same(hd.flatnonzero(a), np.flatnonzero(a))
        same(hd.extract(a, a), np.extract(a, a))
        same(hd.compress(a.ravel() != 0, a), np.compress(a.ravel() != 0, a))
    same(hd.argwhere(3), np.argwhere(3))
    same(hd.compress([0, 1], [5, 6, 7]), np.array([6]))
    same(hd.compress([0.0, np.nan, -0.0], [5, 6, 7], axis=0), np.array([6]))


@pytest.mark.parametrize("dtype", ("c8", "c16", "M8[s]", "S4", "S16", "i1,u1", "?", ">i4"))
def test_elements_of_any_dtype(dtype):
    size = np.dtype(dtype).itemsize
    x = np.random.default_rng(1).integers(65, 90, 100 * size).astype("u1").view(dtype)
    mask = mask_of(100, 1)
    got = hd.compress(mask, x)
    assert got.tobytes() == x[mask].tobytes() and got.dtype == x.dtype


def test_bfloat16():
    x = np.array([1, -2, 0, 3, -0.0, 3], BF16)
    same(hd.flatnonzero(x), np.array([0, 1, 3, 5]))
    got = hd.compress([1, 0, 0, 1], x)
    same(got.astype(np.float32), np.array([1, 3], np.float32))


def test_results_own_their_memory():
    x = np.arange(100_000, dtype=np.float32)
    assert hd.compress(x < 3, x).base is None
    assert hd.flatnonzero(x < 3).base is None
    assert hd.run_length_encode(x // 50_000)[0].base is None


@pytest.mark.parametrize("call, error, words", (
    (lambda: hd.compress([[1]], [1]), ValueError, "condition: one dimension"),
    (lambda: hd.compress([1, 1], [1]), ValueError, "more than the 1 of a"),
    (lambda: hd.compress([1], [[1]], axis=1), ValueError, "axis"),
    (lambda: hd.compress([1], np.zeros(1, "S3")), TypeError, "1, 2, 4, 8 or 16"),
    (lambda: hd.compress([1], np.array([None])), TypeError, "not supported"),
    (lambda: hd.nonzero(3), ValueError, "a number has no positions"),
    (lambda: hd.flatnonzero(np.ma.array([1, 2], mask=[0, 1])), ValueError, "nulls"),
    (lambda: hd.run_length_encode([[1]]), ValueError, "one dimension"),
    (lambda: hd.reduce_by_key([1], [1, 2]), ValueError, "their shape is"),
    (lambda: hd.reduce_by_key([1], [1], "mean"), ValueError, "'mean' is none of"),
    (lambda: hd.reduce_by_key([1], [1.0], "max", dtype="f8"), TypeError, "dtype"),
    (lambda: hd.reduce_by_key([1], [1.0], "and"), TypeError, "^and is not defined for f64"),
    (lambda: hd.reduce_by_key([1], [1], exact=True), TypeError, "exact"),
    (lambda: hd.scan_by_key([1], [1], "any"), ValueError, "'any' is none of")))
def test_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


# ---- runs ---------------------------------------------------------------------------------------


def heads_of(x):
    """Where runs begin; NaN equal one another."""
    differs = (x[1:] != x[:-1]) & ((x[1:] == x[1:]) | (x[:-1] == x[:-1]))
    return np.flatnonzero(np.concatenate([np.ones(min(x.size, 1), bool), differs]))


def keys_of(name, length, mean, seed):
    rng = np.random.default_rng(seed)
    some = values(name, length, seed)
    return some[np.maximum.accumulate(np.where(rng.random(length) < 1 / mean, np.arange(length), 0))] \
        if length else some


@pytest.mark.parametrize("name", INTEGERS + FLOATS)
def test_runs(name):
    for length in LENGTHS:
        x = keys_of(name, length, 3, length)
        starts = heads_of(x)
        lengths = np.diff(np.append(starts, length))
        got, counts = hd.run_length_encode(x)
        same(got, x[starts])
        same(counts, lengths)
        got, inverse, counts = hd.unique_consecutive(x, True, True)
        same(got, x[starts])
        same(inverse, np.repeat(np.arange(starts.size), lengths))
        same(counts, lengths)
        same(hd.unique_consecutive(x), x[starts])


@pytest.mark.parametrize("mean", (1, 2, 9, 40, 3000))
@pytest.mark.parametrize("name", ("f4", "i2", "f8", "u8", "?"))
def test_by_key(name, mean):
    for length, threads in ((5000, 1), (300_001, 3)):
        keys = keys_of("i4", length, mean, mean)
        x = values(name, length, 7, few=name != "?")
        starts = heads_of(keys)
        got, sums = hd.reduce_by_key(keys, x, threads=threads)
        same(got, keys[starts])
        same(sums, hd.add_reduceat(x, starts) if name != "?" else np.add.reduceat(x, starts, dtype=int))
        same(hd.reduce_by_key(keys, x, "max")[1], np.maximum.reduceat(x, starts))
        same(hd.reduce_by_key(keys, x, "any")[1], np.logical_or.reduceat(x, starts))
        same(hd.scan_by_key(keys, x, threads=threads),
             hd.segment_cumsum(x, np.append(starts, length)))


def test_by_key_of_nothing():
    got, sums = hd.reduce_by_key(np.zeros(0, "i4"), np.zeros(0, "f4"))
    same(got, np.zeros(0, "i4"))
    same(sums, np.zeros(0, "f4"))
    same(hd.scan_by_key(np.zeros(0, "i4"), np.zeros(0, "f4")), np.zeros(0, "f4"))


def test_options_by_key():
    keys, x = [1, 1, 2, 2], np.array([1e8, 1, np.nan, 3], np.float32)
    same(hd.reduce_by_key(keys, x, skipna=True)[1], np.array([1e8, 3], np.float32))
    same(hd.reduce_by_key(keys, x, skipna=True, dtype="f8")[1], np.array([1e8 + 1, 3]))
    same(hd.reduce_by_key([0] * 3, [1e300, 1.0, -1e300], exact=True)[1], np.array([1.0]))
    same(hd.scan_by_key(keys, [5, 6, 7, 8], exclusive=True), np.array([0, 5, 0, 7]))
    same(hd.scan_by_key(keys, [5, 6, 7, 3], "min"), np.array([5, 5, 7, 3]))


def test_exact_is_of_floats():
    keys = [1, 1, 2]
    for integers in ([1, 2, 3], [True, True, True]):
        with pytest.raises(TypeError, match="^exact: it is for floats"):
            hd.reduce_by_key(keys, integers, exact=True)
    assert hd.reduce_by_key(keys, [1e100, -1e100, 3], exact=True)[1].tolist() == [0, 3]
    for op in ("min", "prod", "any"):
        with pytest.raises(ValueError, match="exact: it is for 'sum' and 'sum_squares'"):
            hd.reduce_by_key(keys, [1.0, 2.0, 3.0], op, exact=True)
