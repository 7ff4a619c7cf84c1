"""Bools of other bytes than 0 and 1: every byte but 0 is True, in every function, place and layout."""

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray

from arrays import DEVICES, fetched, placed

FOLDS = ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax")
SCANS = ("cumsum", "cumprod", "minimum_accumulate", "maximum_accumulate")
BYTES = np.array([0, 0, 0, 1, 2, 128, 254, 255], np.uint8)
LENGTHS = (1, 2, 7, 63, 64, 65, 1000, 16321, 70000)


def bools(shape, seed, true=False):
    """An array of any bytes, and the same of 0 and 1."""
    rng = np.random.default_rng([seed, 77])
    odd = rng.choice(BYTES[3:] if true else BYTES, shape).view(bool)
    plain = odd.view(np.uint8) != 0
    assert odd.size < 20 or (odd.view(np.uint8) > 1).any()
    return odd, plain


def same(got, want):
    """To the bytes: results of bool are 0 and 1 as well."""
    got, want = (fetched(result) for result in (got, want))
    assert np.asarray(got).dtype == np.asarray(want).dtype
    assert np.asarray(got).tobytes() == np.asarray(want).tobytes(), (got, want)


@pytest.mark.parametrize("name", FOLDS + SCANS)
def test_one_dimension(name):
    call = getattr(hd, name)
    for n in LENGTHS:
        for seed, true in ((n, False), (n + 1, True)):
            odd, plain = bools(n, seed, true)
            same(call(odd), call(plain))
            same(call(odd, threads=2), call(plain))
            same(call(odd[::-1]), call(plain[::-1]))
            same(call(odd[::3]), call(plain[::3]))


@pytest.mark.parametrize("name", ("sum", "mean", "var", "argmax", "cumsum", "prod"))
def test_many_threads(name):
    """The library shares the look at large arrays among its threads."""
    odd, plain = bools(2**22 + 333, 5)
    call = getattr(hd, name)
    for threads in (1, 8):
        for a, b in ((odd, plain), (plain, plain), (odd.reshape(-1, 1), plain)):
            same(call(a, threads=threads), call(b))
    same(hd.sum(plain, threads=8), np.sum(plain))


@pytest.mark.parametrize("call", [lambda a, **more: hd.describe(a, **more)[:10], hd.bincount,
                                  lambda a, **more: hd.histogram(a, 3, **more)[0],
                                  lambda a, **more: hd.histogram(a, "fd", **more)[1],
                                  lambda a, **more: hd.histogram(a, [0, 0.5, 1], **more)[0]])
@pytest.mark.filterwarnings("ignore:Converting input from bool:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:The number of bins estimated:RuntimeWarning")
def test_counts_and_figures(call, device):
    for n in (9, 1000, 40000) if device != "simt" else (1000,):
        odd, plain = bools(n, n)
        same(call(odd, device=device), call(plain))
        same(call(odd[::-2], device=device), call(plain[::-2]))


@pytest.mark.parametrize("n", (1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 71, 72, 73, 136, 137, 200))
def test_places_in_rows(n):
    """The first True, or the first False, at every place of a row, with others behind it."""
    true = np.zeros((n + 1, n), np.uint8)
    for p in range(n):
        true[p, p:] = BYTES[np.arange(n - p) * 5 % 8]
        true[p, p] = BYTES[3 + p % 5]
    for x in (true, np.where(true, 0, BYTES[3 + np.arange(n) % 5]).astype(np.uint8)):
        x, y = x.view(bool), np.asfortranarray(np.repeat(x, 2, axis=0).view(bool))
        for z in (x, x[::-1], x[::2], x[:, None], x.T, y, y.T, y.reshape(n + 1, 2, n)[:, ::-1],
                  x[:, :n - 1], x[:, ::-1], np.broadcast_to(x, (3, n + 1, n)),
                  np.tile(x, (2, 3, 3, 1, 1))[:, ::2, ::2, ::2]):
            for axis in range(-1, z.ndim - 1):
                if z.shape[axis]:
                    same(hd.argmax(z, axis), np.argmax(z.view(np.uint8) != 0, axis))
                    same(hd.argmin(z, axis), np.argmin(z.view(np.uint8) != 0, axis))


def test_as_numpy(device):
    odd, plain = bools((5, 300), 3)
    for axis in (None, 0, 1):
        assert fetched(hd.sum(odd, axis, device=device)).tolist() == np.sum(odd, axis).tolist()
        assert fetched(hd.max(odd, axis, device=device)).tolist() == np.max(odd, axis).tolist()
        assert hd.argmax(odd, axis, device=device).tolist() == np.argmax(plain, axis).tolist()
    assert np.sum(np.array([255, 0, 255], np.uint8).view(bool)) == 2  # as NumPy has it


@pytest.mark.parametrize("device, name", [
    (device, name) for device in DEVICES for name in FOLDS + SCANS
    if device != "simt" or name in ("sum", "max", "argmin", "cumsum", "mean")], indirect=["device"])
def test_along_an_axis(name, device):
    call = getattr(hd, name)
    odd, plain = bools((4, 33, 5), 6)
    for axis in (0, 1, 2):
        for a, b in ((odd, plain), (odd.T, plain.T), (odd[::-1, ::2], plain[::-1, ::2])):
            same(call(a, axis=axis, device=device), call(b, axis=axis))


@pytest.mark.parametrize("name", ("sum", "mean", "argmax", "cumsum", "maximum_accumulate"))
def test_with_gaps_between_them(name):
    """What lies in the gaps counts for nothing, whatever its bytes; the last element does."""
    call = getattr(hd, name)
    cuts = (np.s_[1:-1, 1:-2, 1:4], np.s_[::2, 2:9, ::-3], np.s_[:, ::5, 3:4], np.s_[3, :, 1:],
            np.s_[::-1, 4, ::7], np.s_[2, 3, 1::2], np.s_[None, 1:2, :, 5:])
    for shape, cut in [(shape, cut) for shape in ((9, 21, 7), (4, 11, 90)) for cut in cuts]:
        odd, plain = (x.view(np.uint8) for x in bools(shape, 9))
        gaps, last = odd.copy(), plain.copy()
        gaps[cut] = plain[cut]
        last[cut].flat[-1] = 255
        for x in (odd, gaps, last):
            a = x[cut].view(bool)
            b = np.ascontiguousarray(x[cut] != 0)
            for axis in range(a.ndim):
                same(call(a, axis), call(b, axis))


@pytest.mark.parametrize("name", ("sum", "prod", "min", "max", "any", "all", "mean", "var"))
def test_beside_masks_and_numbers(name):
    call = getattr(hd, name)
    odd, plain = bools((7, 50), 8)
    mask, flags = bools((7, 50), 9)
    initial = {"initial": True} if name in ("min", "max") else {}
    for axis in (None, 0, 1):
        for where in (mask, flags):
            if name == "var" and axis == 0:
                continue  # of nothing
            same(call(odd, axis, where=where, **initial), call(plain, axis, where=flags, **initial))
    same(call(np.ma.array(odd, mask=mask)), call(np.ma.array(plain, mask=flags)))
    if name in ("sum", "prod"):
        for dtype in "?bIqfd":
            same(call(odd, dtype=dtype), call(plain, dtype=dtype))
            same(hd.cumsum(odd, dtype=dtype.replace("?", "q")),
                 hd.cumsum(plain, dtype=dtype.replace("?", "q")))


def test_weights(device):
    odd, plain = bools(500, 10)
    x = np.arange(500) % 7
    for w, v in ((odd, plain), (odd[::-1], plain[::-1])):
        same(hd.bincount(x, w, device=device), hd.bincount(x, v))
        same(hd.histogram(x, 7, weights=w, device=device)[0], hd.histogram(x, 7, weights=v)[0])
    same(hd.dot(odd, np.arange(500.0), device=device), hd.dot(plain, np.arange(500.0)))


@pytest.mark.parametrize("name", ("sum", "min", "argmax", "cumsum", "maximum_accumulate", "mean",
                                  "all"))
def test_memory_of_a_device(name, device):
    call = getattr(hd, name)
    odd, plain = bools((3, 65), 12)
    there = placed(odd, device)
    for axis in (None, 0, 1):
        if name.endswith("accumulate") and axis is None:
            continue
        same(call(there, axis=axis), call(plain, axis=axis))
    turned = there.T if isinstance(there, np.ndarray) else DeviceArray(
        there.pointer, (65, 3), bool, device, (1, 65), owner=there)
    same(call(turned, axis=0), call(plain.T, axis=0))
    assert (fetched(there).view(np.uint8) == odd.view(np.uint8)).all()  # which is the caller's
    if name == "sum":
        same(hd.bincount(placed(odd.reshape(-1), device)), hd.bincount(plain.reshape(-1)))


class Lent:
    """Another library's array, of the host's memory."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **words):
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_protocols():
    odd, plain = bools(300, 14)
    for a in (Lent(odd), memoryview(odd), np.ma.array(odd)):
        assert hd.sum(a) == np.sum(plain) and hd.cumsum(a)[-1] == np.sum(plain)
    assert hd.sum(odd.view(np.uint8)) > 255  # numbers stay numbers


def test_more_than_is_looked_at_at_once():
    a = np.zeros(2**28 + 100, np.uint8)
    a[[0, 5, 2**28 - 1, 2**28, -1]] = [255, 1, 2, 3, 4]
    assert hd.sum(a.view(bool), threads=1) == 5 and hd.mean(a.view(bool)) == 5 / a.size


def test_means_have_the_same_bits_on_a_device(device):
    rng = np.random.default_rng(15)
    for dtype in "?bif":
        a = (rng.standard_normal((30, 37)) * 9).astype(dtype)
        there = placed(a, device)
        for axis in (None, 0, 1):
            same(hd.mean(there, axis), hd.mean(a, axis))


def test_the_greatest_bool_is_one():
    """What is before the first element, of which the least is no byte above 1."""
    a = np.array([True, True, False, True])
    for made in (hd.exclusive_min(a), hd.exclusive_min(np.stack([a, a]), axis=1)[0],
                 hd.Scan("min", exclusive=True).update(a),
                 hd.scan_by_key(np.zeros(4), a, "min", exclusive=True),
                 hd.scan_by_key(np.zeros(4), a, "and", exclusive=True)):
        assert made.view(np.uint8).tolist() == [1, 1, 1, 0]
    assert hd.exclusive_min(a, initial=False).tolist() == [False] * 4


@pytest.mark.parametrize("op", ("min", "max", "and", "or", "xor"))
def test_scans_by_key(op):
    a, keys = np.array([True, False, True, True, False]), [1, 1, 1, 2, 2]
    ufunc = {"min": np.minimum, "max": np.maximum, "and": np.logical_and, "or": np.logical_or,
             "xor": np.logical_xor}[op]
    made = hd.scan_by_key(keys, a, op)
    assert made.dtype == bool
    assert made.tolist() == [*ufunc.accumulate(a[:3]).tolist(), *ufunc.accumulate(a[3:]).tolist()]
    with pytest.raises(TypeError, match="dtype"):
        hd.scan_by_key(keys, a, "sum", dtype=bool)
