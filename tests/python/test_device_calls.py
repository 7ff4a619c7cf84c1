"""Calls on DeviceArray, the package's own array on a device: results stay there, and have the host's bits."""

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray
from heddle._arrays import exchange
from heddle._arrays.operand import operand
from heddle._native import DECLINED, methods
from test_exchange import same, values


def own(found):
    assert type(found) is DeviceArray
    return found.to_host()


@pytest.mark.parametrize("dtype", ["f4", "i4", "f8", "u1"])
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "mean", "var", "std", "argmax", "cumsum"])
def test_functions(gpu, name, dtype):
    a = values(dtype, 6, 30)
    there, function = DeviceArray.from_host(a, gpu), getattr(hd, name)
    for axis in (None, 0, 1):
        same(own(function(there, axis)), function(a, axis))


def test_of_two_arrays_and_in_bins(gpu):
    a, w = values("f4", 300), values("f4", 300)
    x, y = DeviceArray.from_host(a, gpu), DeviceArray.from_host(w, gpu)
    same(own(hd.dot(x, y)), hd.dot(a, w))
    for arguments in ((5,), (5, (-1, 1)), ([-1, 0, 0.5],), (np.array([0.0, 0.5]),)):
        for words, beside in (({}, {}), ({"weights": y}, {"weights": w})):
            wanted = hd.histogram(a, *arguments, **beside)
            for found, part in zip(hd.histogram(x, *arguments, **words), wanted):
                same(own(found), part)
    whole = values("i8", 300)
    same(own(hd.bincount(DeviceArray.from_host(whole, gpu))), hd.bincount(whole))
    assert hd.describe(x) == hd.describe(a)


def test_they_are_read_by_the_fast_path(gpu):
    x = DeviceArray.from_host(values("f4", 6, 30), gpu)
    for view, taken in ((x, True), (DeviceArray(x.pointer, (30, 6), "f4", x.device, (1, 30), owner=x), True),
                        (DeviceArray(x.pointer, (6, 30), "f4", x.device, stream=1 << 40, owner=x), False),
                        (DeviceArray(x.pointer, (0, 3), "f4", x.device, owner=x), False)):
        found = methods.device_reduce(view, 3, 1, False, False, None, None, True, None)
        assert (found is not DECLINED) == taken
    bits = DeviceArray(x.pointer, (360,), "u2", x.device, owner=x, is_bfloat16=True)
    assert exchange._read_own(bits)[2:4] == (4, 16)


def test_nothing_is_read_back(gpu, monkeypatch):
    """A call copies nothing to the host, and no memory comes from elsewhere than the pool."""
    x = DeviceArray.from_host(values("f4", 6, 30), gpu)
    monkeypatch.setattr(DeviceArray, "to_host", None)
    monkeypatch.setattr(DeviceArray, "_copy", None)
    for name in ("sum", "mean", "var", "std", "cumsum"):
        assert getattr(hd, name)(x, 1).device == x.device


@pytest.mark.parametrize("lend", [
    lambda a: a.__dlpack__(stream=1), lambda a: a.__dlpack__(), lambda a: a.__dlpack__(stream=2)])
def test_memory_of_the_default_streams_ends_in_their_order(gpu, lend):
    there = DeviceArray.from_host(np.arange(8), gpu)
    lend(there)
    assert there.owner.in_order


@pytest.mark.parametrize("lend", [
    lambda a: a.__dlpack__(stream=-1), lambda a: a.__cuda_array_interface__, lambda a: a.__dlpack__(stream=77),
    lambda a: setattr(a, "stream", 77),
    lambda a: DeviceArray(a.pointer, (4,), a.dtype, a.device, stream=77, owner=a),
    lambda a: operand(DeviceArray(4096, (8,), a.dtype, a.device, stream=77)).join(operand(a), "b")])
def test_memory_that_others_have_used_is_waited_for(gpu, lend):
    """Views and all: whoever got it may still work with it on a stream of its own."""
    there = DeviceArray.from_host(np.arange(8), gpu)
    lend(DeviceArray(there.pointer, (8,), there.dtype, there.device, owner=there))
    assert not there.owner.in_order
