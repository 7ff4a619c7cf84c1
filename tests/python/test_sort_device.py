"""Sorts of arrays on a device: results stay there, and are the host's."""

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray
from heddle._native import DECLINED, methods
from test_exchange import frame  # noqa: F401: a fixture
from test_exchange import same
from test_sort import values

DTYPES = ["u1", "i2", "u4", "i8", "f2", "f4", "f8"]
SHAPE = (7, 5, 41)


def own(found):
    assert type(found) is DeviceArray
    return found.to_host()


def drawn(dtype, shape=SHAPE):
    return values(dtype, int(np.prod(shape)), len(shape)).reshape(shape)


@pytest.mark.parametrize("dtype", DTYPES)
def test_along_an_axis(gpu, dtype):
    a = drawn(dtype)
    there = DeviceArray.from_host(a, gpu)
    for axis in (-1, 0, 1, None):
        for words in ({}, {"descending": True, "nan_first": True}):
            same(own(hd.sort(there, axis, **words)), hd.sort(a, axis, **words))
            same(own(hd.argsort(there, axis, **words)), hd.argsort(a, axis, **words))


@pytest.mark.parametrize("length", [0, 1, 2, 1000, 1025, 9001])
def test_one_row(gpu, length):
    a = drawn("f4", (length,))
    there = DeviceArray.from_host(a, gpu)
    same(own(hd.sort(there)), hd.sort(a))
    same(own(hd.argsort(there, kind="stable")), hd.argsort(a))
    keys, index = hd.sort_pairs(there, DeviceArray.from_host(np.arange(length), gpu))
    same(own(index), hd.argsort(a))
    same(own(keys), a[hd.argsort(a)])


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "i8", "?"])
def test_pairs(gpu, dtype):
    a, v = drawn("i4") % 5, drawn(dtype)
    keys, with_them = DeviceArray.from_host(a, gpu), DeviceArray.from_host(v, gpu)
    for axis in (-1, 0, None):
        for found, wanted in zip(hd.sort_pairs(keys, with_them, axis), hd.sort_pairs(a, v, axis)):
            same(own(found), wanted)


def test_layouts(gpu):
    a = drawn("f4", (30, 40))
    there = DeviceArray.from_host(a, gpu)
    turned = DeviceArray(there.pointer, (40, 30), "f4", there.device, (1, 40), owner=there)
    line = DeviceArray(there.pointer, (400,), "f4", there.device, (3,), owner=there)
    for axis in (0, 1):
        same(own(hd.sort(turned, axis)), hd.sort(a.T, axis))
        same(own(hd.argsort(turned, axis)), hd.argsort(a.T, axis))
    same(own(hd.sort(line)), hd.sort(a.reshape(-1)[::3]))
    with pytest.raises(ValueError, match="in C order"):
        hd.sort(turned, None)
    with pytest.raises(ValueError, match="both lie alike"):
        hd.sort_pairs(turned, DeviceArray.from_host(a.T, gpu))


def test_bools_and_bfloat16(gpu):
    bytes_ = np.arange(600, dtype="u1") % 7
    there = DeviceArray.from_host(bytes_, gpu)
    bools = DeviceArray(there.pointer, (20, 30), "?", there.device, owner=there)
    found = hd.sort(bools)
    assert found.dtype == bool
    same(own(found), np.sort(bytes_.reshape(20, 30) != 0))
    same(own(hd.argsort(bools)), np.argsort(bytes_.reshape(20, 30) != 0, kind="stable"))
    numbers = np.random.default_rng(2).standard_normal(500).astype("f4")
    bits = DeviceArray.from_host((numbers.view("u4") >> 16).astype("u2"), gpu)
    bits.is_bfloat16 = True
    found = hd.sort(bits)
    assert found.is_bfloat16
    rounded = (numbers.view("u4") >> 16 << 16).view("f4")
    same((own(found).astype("u4") << 16).view("f4"), np.sort(rounded))
    same(own(hd.argsort(bits)), np.argsort(rounded, kind="stable"))


def test_no_dimensions(gpu):
    one = DeviceArray.from_host(np.float32(3), gpu)
    same(own(hd.argsort(one)), np.argsort(np.float32(3)))
    same(own(hd.sort(one, None)), np.sort(np.float32(3), None))
    with pytest.raises(np.exceptions.AxisError):
        hd.sort(one)


def test_refused(gpu):
    there = DeviceArray.from_host(np.arange(6), gpu)
    with pytest.raises(TypeError, match="have both on one"):
        hd.sort_pairs(there, np.arange(6))
    with pytest.raises(ValueError, match="values: their shape"):
        hd.sort_pairs(there, DeviceArray.from_host(np.arange(5), gpu))
    with pytest.raises(TypeError, match=r"keys\[1\]: it is on the host, and keys\[0\] on"):
        hd.lexsort([there, np.arange(6)])
    with pytest.raises(TypeError, match=r"keys\[1\]: it is on .*, and keys\[0\] on the host"):
        hd.lexsort([np.arange(6), there])
    with pytest.raises(ValueError, match="threads"):
        hd.lexsort([there, there], threads=2)
    with pytest.raises(ValueError, match="threads"):
        hd.sort(there, threads=2)


@pytest.mark.parametrize("names", [("i4", "f4"), ("f8", "u1", "i2"), ("u8",), ("?", "f2", "?", "i8")])
@pytest.mark.parametrize("shape", [(700,), (1,), (0,), (6, 50), (50, 6), (3, 5, 41), (4, 0, 3)])
def test_several_keys(gpu, names, shape):
    keys = [key % 3 if key.dtype.kind in "iu" else np.sign(key) if key.dtype.kind == "f" else key
            for key in (drawn(name, shape) for name in names)]
    there = [DeviceArray.from_host(key, gpu) for key in keys]
    for axis in range(-1, len(shape) - 1):
        found = hd.lexsort(there, axis)
        assert found.dtype == np.int64
        same(own(found), np.lexsort(keys, axis))
    for key, kept in zip(there, keys):
        same(key.to_host(), kept)


def test_several_keys_apart(gpu):
    there = DeviceArray.from_host(drawn("f4", (30, 40)), gpu)
    turned = DeviceArray(there.pointer, (40, 30), "f4", there.device, (1, 40), owner=there)
    with pytest.raises(ValueError, match=r"keys\[1\]: on a device it must lie in C order"):
        hd.lexsort([DeviceArray.from_host(drawn("i4", (40, 30)), gpu), turned])
    with pytest.raises(ValueError, match="of one shape"):
        hd.lexsort([there, turned])


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors(frame, dtype):  # noqa: F811
    """By the fast path, in memory of the framework."""
    a = drawn(dtype, (6, 70))
    x = frame.of(a)
    for axis in (-1, 0, None):
        found = methods.device_sort(x, axis, True, False, None)
        assert type(found) is frame
        same(found, hd.sort(a, axis, descending=True))
        same(methods.device_argsort(x, axis, False, True, None), hd.argsort(a, axis, nan_first=True))
    if not isinstance(x.array, np.ndarray):
        assert methods.device_sort(x, 2, False, False, None) is DECLINED
        assert methods.device_sort(x, -1, False, False, 3) is DECLINED
        assert methods.device_sort(frame.of(a > 0), -1, False, False, None) is DECLINED
