"""hd.bincount against NumPy's, for every integer type, length, layout and device."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import heddle as hd
from heddle._arrays import pieces
from heddle._histogram import bincount

from arrays import DEVICES

INTEGERS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]
# Around what the C function takes, and around where the greatest is guessed.
LENGTHS = [0, 1, 2, 3, 63, 64, 65, 1000, 2**15 - 1, 2**15, 2**15 + 1, 2**18 - 1, 2**18, 2**18 + 1]


def same(found, expected):
    assert type(found) is np.ndarray and found.flags.c_contiguous
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("size", LENGTHS)
@pytest.mark.parametrize("dtype", INTEGERS + [bool])
def test_counts(dtype, size, device):
    rng = np.random.default_rng(size)
    most = 1 if dtype is bool else np.iinfo(dtype).max
    for greatest in {0, 1, 100, 127, 128, 255, 256, 32767, 32768, 2**20 - 1, 2**20}:
        if greatest > most:
            continue
        x = rng.integers(0, greatest, size, endpoint=True).astype(dtype)
        if size:
            x[rng.integers(size)] = greatest
        # A million bins take as long as all the others: about the greatest, of a few lengths only.
        beyond = (greatest, greatest + 1) if greatest < 2**19 or size in (1, 1000, 2**18) else ()
        for least in (0, *beyond, greatest + 7):
            expected = np.bincount(x, minlength=least)
            same(hd.bincount(x, minlength=least, device=device), expected)
            if device == DEVICES[0]:
                same(hd.bincount(x, minlength=least), expected)


@given(x=st.sampled_from(INTEGERS).flatmap(
    lambda t: hnp.arrays(t, st.integers(0, 200), elements=st.integers(0, 120))),
       least=st.integers(0, 200))
def test_any(x, least):
    same(hd.bincount(x, minlength=least), np.bincount(x, minlength=least))
    same(hd.bincount(x, minlength=least, threads=1), np.bincount(x, minlength=least))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize("size", [1, 1000, 20000, 2**18 + 5])
def test_one_negative_element_is_refused(dtype, size, device):
    for value in (-1, np.iinfo(dtype).min):
        for at in {0, size // 2, size - 1}:
            x = np.ones(size, dtype)
            x[at] = value
            for arguments in ({}, {"device": device}, {"weights": np.ones(size)}):
                with pytest.raises(ValueError, match="^x: .*no negative elements"):
                    hd.bincount(x, **arguments)


def test_a_guess_that_is_too_small_is_made_good(monkeypatch):
    calls = []
    greatest = bincount._greatest
    monkeypatch.setattr(bincount, "_greatest", lambda sample: calls.append(1) or greatest(sample))
    x = np.random.default_rng(1).integers(0, 1000, 2**19, dtype=np.int32)
    same(hd.bincount(x), np.bincount(x))
    assert not calls
    x[12345] = 10**6  # none of those that are looked at
    same(hd.bincount(x), np.bincount(x))
    same(hd.bincount(x, weights=x), np.bincount(x, weights=x))
    assert len(calls) == 2
    x.sort()
    same(hd.bincount(x), np.bincount(x))
    assert len(calls) == 2


def test_more_counts_than_the_library_makes(monkeypatch):
    monkeypatch.setattr(bincount, "_MOST_BINS", 1000)
    x = np.array([70000, 5, 2000, 5])
    same(hd.bincount(x), np.bincount(x))
    w = [0.5, 1, 2, 4]
    same(hd.bincount(x, w, 80000), np.bincount(x, w, 80000))


def test_a_count_that_no_memory_holds():
    for dtype in (np.int64, np.uint64):
        with pytest.raises(MemoryError):
            hd.bincount(np.array([2**50], dtype))
    with pytest.raises(ValueError, match="^x: "):
        hd.bincount(np.array([2**63], np.uint64))


@pytest.mark.parametrize("dtype", INTEGERS + [np.float16, np.float32, np.float64, bool])
def test_weights(dtype, device):
    rng = np.random.default_rng(2)
    for size in (1, 1000, 300001):
        x = rng.integers(0, 300, size, dtype=np.int32)
        w = rng.random(size) * 100 if np.dtype(dtype).kind == "f" else rng.integers(0, 2, size)
        w = w.astype(dtype)
        found, expected = hd.bincount(x, w, 350, device=device), np.bincount(x, w, 350)
        assert found.dtype == expected.dtype == np.float64
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_length_is_that_of_elements_not_of_weights():
    same(hd.bincount([1, 5, 3], weights=[1, 0, 2]), np.array([0, 1.0, 0, 2, 0, 0]))


def test_weights_of_nothing_are_not_looked_at():
    same(hd.bincount([], [1.0, 2.0], 3), np.zeros(3, np.int64))
    same(hd.bincount(np.array([], np.uint8), ["a"], 3), np.zeros(3, np.int64))


def test_threads_do_not_show(device):
    rng = np.random.default_rng(3)
    x, w = rng.integers(0, 5000, 2_000_003, dtype=np.int32), rng.standard_normal(2_000_003)
    counts, sums = hd.bincount(x, device=device), hd.bincount(x, w, device=device)
    same(counts, np.bincount(x))
    for threads in range(1, 9):
        same(hd.bincount(x, threads=threads), counts)
        assert hd.bincount(x, w, threads=threads).tobytes() == sums.tobytes()
    small = (x % 256).astype(np.uint8)
    for threads in range(1, 9):
        same(hd.bincount(small, threads=threads), np.bincount(small))


@pytest.mark.parametrize("large", [pieces.LARGE, 64])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_layouts(dtype, large, monkeypatch):
    monkeypatch.setattr(pieces, "LARGE", large)
    monkeypatch.setattr(pieces, "_PIECE", 1000)
    x = np.random.default_rng(4).integers(0, 100, 9001).astype(dtype)
    frozen = x.copy()
    frozen.flags.writeable = False
    w = np.arange(9001.0)
    for array in (x[::-1], x[::3], x[1:], x.reshape(-1, 1)[:, 0], x.astype(x.dtype.newbyteorder()),
                  frozen, np.broadcast_to(x[3:4], 500), memoryview(x), x.tolist()):
        expected = np.asarray(array)
        same(hd.bincount(array), np.bincount(expected))
        weights = w[: len(expected)][::-1]
        np.testing.assert_allclose(hd.bincount(array, weights), np.bincount(expected, weights))
    unaligned = np.zeros(x.nbytes + 1, np.uint8)[1:].view(dtype)
    unaligned[...] = x
    same(hd.bincount(unaligned), np.bincount(x))


def test_nulls_are_skipped():
    x = np.ma.MaskedArray([1, 2, -5, 2], [False, False, True, False])
    assert np.asarray(hd.bincount(x)).tolist() == [0, 1, 2]
    none = hd.bincount(np.ma.MaskedArray([1], [True]), minlength=2)
    assert np.asarray(none).tolist() == [0, 0]


def test_arrays_of_a_device_give_such_arrays(gpu):
    for dtype in INTEGERS:
        x = np.random.default_rng(5).integers(0, 100, 5000).astype(dtype)
        there = hd.DeviceArray.from_host(x, gpu)
        counts = hd.bincount(there, minlength=120)
        assert isinstance(counts, hd.DeviceArray)
        same(counts.to_host(), np.bincount(x, minlength=120))
        sums = hd.bincount(there, weights=hd.DeviceArray.from_host(x, gpu))
        same(sums.to_host(), np.bincount(x, x))


REFUSED = [
    (TypeError, "x", ([1.5],)), (TypeError, "x", (np.array([1.0]),)),
    (TypeError, "x", (np.zeros(0),)), (TypeError, "x", ([1j],)), (TypeError, "x", (["a"],)),
    (TypeError, "x", ([None],)), (TypeError, "x", (np.array([1], "M8[s]"),)),
    (ValueError, "x", ([[1, 2]],)), (ValueError, "x", (3,)),
    (ValueError, "x", (np.zeros((0, 2), int),)),
    (ValueError, "weights", ([1, 2], [1.0])), (ValueError, "weights", ([1, 2], [[1.0, 2.0]])),
    (TypeError, "weights", ([1, 2], [1j, 2])), (TypeError, "weights", ([1, 2], ["1", "2"])),
    (TypeError, "weights", ([1, 2], np.array([1, 2], object))), (ValueError, "weights", ([1], 3.0)),
    (TypeError, "minlength", ([1], None, None)), (TypeError, "minlength", ([1], None, 2.5)),
    (TypeError, "minlength", ([1], None, "3")), (ValueError, "minlength", ([1], None, -1)),
    (ValueError, "minlength", (np.array([1]), None, -1)),
]


@pytest.mark.parametrize("error, name, arguments", REFUSED)
def test_refusals_name_the_argument(error, name, arguments):
    with pytest.raises(error, match=rf"^{name}: ") as raised:
        hd.bincount(*arguments)
    assert raised.type is error


def test_x_has_no_name_as_with_numpy():
    with pytest.raises(TypeError):
        hd.bincount(x=[1, 2])


@pytest.mark.parametrize("dtype", INTEGERS + [bool])
def test_a_length(dtype, device, monkeypatch):
    rng = np.random.default_rng(8)
    x = rng.integers(-128 if np.dtype(dtype).kind == "i" else 0, 128, 3000).astype(dtype)
    w = rng.integers(-9, 9, 3000).astype(np.float32)
    monkeypatch.setattr(bincount, "_greatest", None)  # nobody asks
    for length in (0, 1, 2, 50, 128, 129, 3000):
        kept = (x.astype(np.int64) >= 0) & (x.astype(np.int64) < length)
        same(hd.bincount(x, length=length, device=device), np.bincount(x[kept], minlength=length))
        same(hd.bincount(x, w, length=length, device=device),
             np.bincount(x[kept], w[kept], length).astype(np.float64))
    same(hd.bincount(x[:0], length=3), np.zeros(3, np.int64))
    same(hd.bincount([], length=3), np.zeros(3, np.int64))
    monkeypatch.setattr(bincount, "_MOST_BINS", 10)
    kept = (x.astype(np.int64) >= 0) & (x.astype(np.int64) < 50)
    same(hd.bincount(x, length=50), np.bincount(x[kept], minlength=50))
    same(hd.bincount(x, w, length=50), np.bincount(x[kept], w[kept], 50).astype(np.float64))


def test_bad_lengths():
    for length, error in ((-1, ValueError), (2.5, TypeError), ("3", TypeError), (2**63, OverflowError),
                          (2**62, (MemoryError, ValueError))):
        with pytest.raises(error):
            hd.bincount([1, 2], length=length)
    with pytest.raises(ValueError, match="^length: "):
        hd.bincount([1, 2], minlength=2, length=3)
