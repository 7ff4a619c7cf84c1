"""Arrays of CuPy, a framework without an exchange table: by a stand-in, on a device."""

import contextlib
import sys
import types

import numpy as np
import pytest

import heddle as hd
from frames import NUMBER
from heddle import _native as n
from heddle._arrays import exchange
from heddle._native import DECLINED, methods
from test_exchange import fold, same, values


class Pointer:
    """Where an array begins, and its memory."""

    def __init__(self, array, offset=0):
        self.mem, self.ptr, self.device_id = array, array.pointer + offset, NUMBER

    def __add__(self, offset):
        return Pointer(self.mem, self.ptr - self.mem.pointer + offset)


class Called:
    """An array as CuPy has them: of a device, by its attributes; made of another one's memory, too."""

    def __init__(self, array, dtype=None, memptr=None):
        if memptr is not None:
            array = hd.DeviceArray(memptr.ptr, array, dtype, memptr.mem.device, owner=memptr.mem)
        self.array, self.dtype, self.shape = array, array.dtype, array.shape
        strides = array.strides
        if strides is None:
            strides = np.empty(array.shape, np.int8).strides
        self.strides = tuple(s * array.dtype.itemsize for s in strides)
        self.data = Pointer(array)

    def host(self):
        return self.array.to_host()


@pytest.fixture
def cupy(gpu, monkeypatch):
    """A stand-in, whose current device is another one than the arrays'."""
    kind = type("ndarray", (Called,), {})
    entered = []
    cuda = types.SimpleNamespace(
        device=types.SimpleNamespace(get_device_id=lambda: 0),
        Device=lambda number: entered.append(number) or contextlib.nullcontext(),
        get_current_stream=lambda: types.SimpleNamespace(ptr=0))
    module = types.SimpleNamespace(cuda=cuda, entered=entered, ndarray=kind, made=0)

    def empty(shape, dtype):
        module.made += 1
        return kind(hd.DeviceArray.empty(shape, dtype, gpu))
    module.empty = empty
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setitem(exchange.DEVICES, NUMBER, gpu)
    exchange.learn_cupy(kind)
    assert kind in exchange.TENSORS
    return module


@pytest.mark.parametrize("dtype", ["f4", "i2", "?"])
def test_without_a_table(cupy, gpu, dtype):
    a = values(dtype, 5, 8) if dtype != "?" else values("u1", 5, 8) > 50
    x = cupy.ndarray(hd.DeviceArray.from_host(a, gpu))
    for axis in (None, 0, 1):
        found = fold(x, n.ANY, axis)
        assert type(found) is cupy.ndarray
        same(found, hd.any(a, axis))
        if dtype != "?":
            same(fold(x, n.SUM, axis), hd.sum(a, axis))
            same(methods.device_scan(x, None, n.SUM, axis, False, None, n.PY_TOTALS, None),
                 hd.cumsum(a, axis))
    assert set(cupy.entered) == {NUMBER}
    flipped = hd.DeviceArray(x.array.pointer, (8, 5), a.dtype, x.array.device, (1, 8), owner=x)
    same(fold(cupy.ndarray(flipped), n.ANY, 1), hd.any(a.T, 1))


GOOD = (8, NUMBER, 2, 32, (3,), (4,))  # 8 stands for memory


@pytest.mark.parametrize("said", [
    None, (), (1, 2), ("a", *GOOD[1:]), (*GOOD[:4], 3, (4,)), (*GOOD[:5], (4, 4)),
    (*GOOD[:5], (3,)), (8, NUMBER, 2, 0, (3,), (4,)), (*GOOD[:4], (-3,), (4,)), (0, *GOOD[1:]),
    (8, -1, *GOOD[2:]), (*GOOD[:4], (1,) * 40, (4,) * 40), (*GOOD[:4], (2**62, 8), (4, 4)),
    (8, NUMBER, 5, 32, (3,), (4,)), (8, NUMBER, 2, 4, (3,), (4,)), (8, NUMBER, 2, 2**40, (3,), (4,))], ids=str)
def test_readers_that_say_nonsense(cupy, gpu, said):
    a = values("f4", 3)
    x = cupy.ndarray(hd.DeviceArray.from_host(a, gpu))
    kind = type("ndarray", (), {})
    assert n.fast.heddle_py_exchange_by(
        kind, lambda _: answer, lambda what, shape: exchange._make_cupy(what, shape), None, lambda _: 0)
    answer = (x.data.ptr, *GOOD[1:])
    same(fold(kind(), n.SUM), hd.sum(a))
    assert methods.device_mean(kind(), None, False, True, None, True, None) is DECLINED  # None makes no part
    answer = said and tuple(x.data.ptr if part == 8 else part for part in said)
    assert fold(kind(), n.SUM) is DECLINED


@pytest.mark.parametrize("dtype", ["f4", "u1", "f8"])
def test_figures_without_a_table(cupy, gpu, dtype):
    a = values(dtype, 6, 50)
    x = cupy.ndarray(hd.DeviceArray.from_host(a, gpu))
    for axis in (None, 1):
        found = methods.device_mean(x, axis, False, False, None, True, None)
        assert type(found) is cupy.ndarray
        same(found, hd.mean(a, axis))
        same(methods.device_variance(x, 1, 1, axis, False, False, None, True, None), hd.std(a, axis, ddof=1))
    made = cupy.made
    methods.device_mean(x, None, False, True, None, True, None)
    assert cupy.made == made + 1  # of which the result is a part
