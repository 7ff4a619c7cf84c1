"""Device memory as operands: DeviceArray, its ways out, and PyTorch, CuPy and Numba in stand-ins.

Memory is that of the software device or of a GPU where one of them is tested; what protocols say
is tested without any.
"""

import contextlib
import gc
import os
import sys
import types
import weakref

import numpy as np
import pytest

from heddle import _native
from heddle._arrays import device_array, device_memory, dlpack
from heddle._context import context
from heddle._arrays.device_array import DeviceArray
from heddle._arrays.operand import device_of, operand
from producers import Lender, Tensor, library

DTYPES = ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]


class Numba:
    """A producer of __cuda_array_interface__ alone, whose every entry can be given."""

    def __init__(self, **says):
        self.says = {"version": 3, "shape": (4,), "typestr": "<f8", "data": (4096, False),
                     "strides": None, "stream": 1, **says}

    @property
    def __cuda_array_interface__(self):
        return self.says


# ---- memory of a device -------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_there_and_back(gpu, dtype):
    a = (np.arange(24) % 3).astype(dtype).reshape(2, 3, 4)
    for view in (a, a[::-1], a.T, a[:0], a[0, 0, 0], a.astype(a.dtype.newbyteorder(">"))):
        there = DeviceArray.from_host(view, gpu)
        np.testing.assert_array_equal(there.to_host(), np.asarray(view, a.dtype), strict=True)
        assert (there.shape, there.ndim, there.size, there.nbytes) == \
            (view.shape, view.ndim, view.size, view.nbytes)
        taken = operand(there)
        assert taken.device_array is there and taken.host is None and taken.dtype == a.dtype
        assert taken.type == _native.TYPES[a.dtype] and taken.give(there) is there
        assert device_of(there) == there.device
        assert there.device == ("simt" if gpu == "simt" else context(gpu).device)


def test_strided_views_come_back(gpu):
    a = np.arange(24, dtype="i4").reshape(4, 6)
    there = DeviceArray.from_host(a, gpu)
    for view in (a[::2, 1::2], a[::-1, ::-1], a.T, a[1:3, 5:0:-2], a[2:2], a[:, :1]):
        start = view.ctypes.data - a.ctypes.data
        part = DeviceArray(there.pointer + start, view.shape, "i4", there.device,
                           tuple(step // 4 for step in view.strides), owner=there)
        np.testing.assert_array_equal(part.to_host(), view)
    repeated = DeviceArray(there.pointer, (3, 2), "i4", there.device, (0, 1), owner=there)
    assert repeated.to_host().tolist() == [[0, 1]] * 3


def test_memory_ends_with_its_last_user(gpu):
    there = DeviceArray.from_host(np.arange(8), gpu)
    block = weakref.ref(there.owner)
    taken = operand(Lender(there, "__dlpack__", "__dlpack_device__"))
    del there
    gc.collect()
    assert block() is not None and taken.device_array.to_host().tolist() == list(range(8))
    del taken
    gc.collect()
    assert block() is None


def test_memory_is_given_back(gpu):
    there = DeviceArray.from_host(np.arange(8), gpu)
    pointer, freed = there.pointer, []
    free = there.owner._free
    there.owner._free = lambda handle, memory, in_order: freed.append(
        (memory, in_order, free(handle, memory, in_order)))
    assert pointer in device_memory.blocks
    del there
    gc.collect()
    assert freed == [(pointer, True, _native.OK)] and pointer not in device_memory.blocks


def test_memory_ends_in_the_middle_of_a_call(gpu):
    """As a signal's handler would end it: the context of the call is held meanwhile."""
    ctx = context(gpu)
    there = DeviceArray.from_host(np.arange(8), gpu)
    assert there.owner._keeper.handle != ctx.handle


def test_a_child_leaves_the_memory_alone(gpu):
    there = DeviceArray.from_host(np.arange(8), gpu)
    child = os.fork()
    if not child:
        status = 1
        with contextlib.suppress(BaseException):
            freed = []
            there.owner._free = lambda *arguments: freed.append(arguments)
            del there
            gc.collect()
            status = len(freed)
        os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert there.to_host().tolist() == list(range(8))


def test_it_does_not_become_a_host_array(gpu):
    with pytest.raises(TypeError, match="use its to_host"):
        np.asarray(DeviceArray.empty(3, "f4", gpu))
    with pytest.raises(TypeError, match="^array: dtype complex128"):
        DeviceArray.from_host(np.array([1j]), gpu)


def test_the_host_has_arrays_of_its_own():
    for name in ("cpu", "cpu:4"):
        with pytest.raises(ValueError, match="^device: arrays of 'cpu"):
            DeviceArray.from_host(np.arange(3), name)
    with pytest.raises(TypeError, match="^device: a name"):
        DeviceArray.empty(3, "f4", None)
    with pytest.raises(_native.DeviceError):
        DeviceArray.empty(3, "f4", "abacus")


def test_pointers_are_known_again(gpu):
    there = DeviceArray.from_host(np.arange(8.0), gpu)
    inside = Numba(data=(there.pointer + 16, True), shape=(3,), strides=(16,))
    taken = operand(inside)
    assert taken.device_array.device == there.device == device_of(inside)
    assert taken.device_array.to_host().tolist() == [2, 4, 6] and taken.device_array.readonly
    tensor = Tensor(np.arange(3.0), device=(2, 0), data=there.pointer, byte_offset=8)
    assert operand(tensor).device_array.to_host().tolist() == [1, 2, 3]
    del taken, tensor
    gc.collect()


# ---- ways out -----------------------------------------------------------------------------------


def fake(shape=(2, 3), dtype="f4", strides=None, **words):
    """An array that is nowhere, for what is only said."""
    return DeviceArray(4096, shape, dtype, words.pop("device", "cuda:1"), strides, **words)


def test_the_interface_out():
    said = fake(strides=(1, 2), stream=77).__cuda_array_interface__
    assert said == {"version": 3, "shape": (2, 3), "typestr": "<f4", "data": (4096, False),
                    "strides": (4, 8), "stream": 77}
    said = fake(readonly=True).__cuda_array_interface__
    assert said["data"] == (4096, True) and said["strides"] is None and said["stream"] == 1
    assert fake((0,)).__cuda_array_interface__["data"] == (0, False)
    assert not hasattr(fake(dtype="u2", is_bfloat16=True), "__cuda_array_interface__")


@pytest.mark.parametrize("dtype", DTYPES + ["bfloat16"])
@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (2, 1)])
def test_dlpack_out(dtype, max_version):
    is_bfloat16 = dtype == "bfloat16"
    a = fake((2, 3), "u2" if is_bfloat16 else dtype, (1, 2), is_bfloat16=is_bfloat16)
    assert a.__dlpack_device__() == (2, 1) and fake(device="simt").__dlpack_device__() == (2, 0)
    capsule = a.__dlpack__(max_version=max_version, stream=-1)
    tensor = dlpack.read_capsule("a", capsule)
    assert tensor[:-1] == (4096, (2, 3), (1, 2), a.dtype, is_bfloat16, False, dlpack.CUDA, 1)
    is_versioned = "used_dltensor_versioned" in repr(capsule)
    assert is_versioned == (max_version is not None and max_version[0] >= 1)
    watched = weakref.ref(a)
    del a
    assert watched() is not None
    del tensor, capsule
    gc.collect()
    assert watched() is None


def test_strides_are_always_said():
    tensor = dlpack.read_capsule("a", fake((2, 3, 4)).__dlpack__(stream=-1))
    assert tensor.strides == (12, 4, 1)
    tensor = dlpack.read_capsule("a", fake((2, 0, 4)).__dlpack__(stream=-1))
    assert tensor.shape == (2, 0, 4) and tensor.pointer == 0
    assert dlpack.read_capsule("a", fake(()).__dlpack__(stream=-1)).shape == ()


def test_a_capsule_that_nobody_took():
    a = fake()
    watched = weakref.ref(a)
    capsules = [a.__dlpack__(stream=-1), a.__dlpack__(stream=-1, max_version=(1, 0))]
    del a
    gc.collect()
    assert watched() is not None
    del capsules
    gc.collect()
    assert watched() is None


def test_a_consumer_that_refuses():
    """NumPy drops the capsule of a GPU's memory while its own exception is on the way."""
    a = fake(stream=None)
    watched = weakref.ref(a)
    with pytest.raises((BufferError, RuntimeError), match="(?i)device"):
        np.from_dlpack(a)
    del a
    gc.collect()
    assert watched() is None


def test_what_dlpack_out_refuses():
    with pytest.raises(BufferError, match="dl_device"):
        fake().__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="copy"):
        fake().__dlpack__(copy=True)
    with pytest.raises(BufferError, match="read-only"):
        fake(readonly=True).__dlpack__(stream=-1)
    tensor = dlpack.read_capsule(
        "a", fake(readonly=True).__dlpack__(stream=-1, max_version=(1, 0), dl_device=(2, 1)))
    assert tensor.readonly
    for stream in (0, -2):
        with pytest.raises(ValueError, match="^stream: "):
            fake().__dlpack__(stream=stream)
    for stream in ("1", 1.0, True):
        with pytest.raises(TypeError, match="^stream: "):
            fake().__dlpack__(stream=stream)


@pytest.mark.parametrize("own,other,waits", [
    (None, None, False), (None, 1, False), (None, 2, False), (None, -1, False), (None, 77, True),
    (77, 77, False), (77, None, True), (77, 1, True), (77, 2, True), (77, -1, False),
    (77, 78, True)])
def test_who_waits(monkeypatch, own, other, waits):
    done = []
    ctx = types.SimpleNamespace(use_stream=lambda stream: done.append(stream),
                                synchronize=lambda: done.append("wait"))
    monkeypatch.setattr(device_array, "context", lambda device: ctx)
    fake(stream=own).__dlpack__(stream=other)
    assert done == ([own, "wait"] if waits else [])


# ---- __cuda_array_interface__ in ----------------------------------------------------------------


def test_the_interface_in():
    x = Numba(shape=(2, 3), typestr="<i2", strides=(6, -2), stream=77)
    taken = operand(x)
    array = taken.device_array
    assert (array.pointer, array.shape, array.strides, array.stream) == (4096, (2, 3), (3, -1), 77)
    assert taken.type == _native.I16 and array.owner is x and array.device == "cuda:0"
    assert taken.give(array) is array
    assert operand(Numba(shape=(0,), data=(0, False))).size == 0
    assert operand(Numba(shape=(0,), data=(None, False))).size == 0


@pytest.mark.parametrize("said,stream", [(None, None), (1, None), (2, None), (77, 77)])
def test_streams_in(said, stream):
    assert operand(Numba(stream=said)).device_array.stream == stream
    old = Numba(version=2)
    del old.says["stream"]
    assert operand(old).device_array.stream is None


@pytest.mark.parametrize("says,error,message", [
    ({"typestr": "<c16"}, TypeError, "dtype complex128"),
    ({"typestr": ">f4"}, TypeError, "dtype >f4"),
    ({"typestr": "|V2"}, TypeError, "dtype"), ({"typestr": "<U1"}, TypeError, "dtype"),
    ({"typestr": "nonsense"}, TypeError, "typestr 'nonsense'"),
    ({"mask": object()}, TypeError, "masks"), ({"stream": 0}, ValueError, "stream 0"),
    ({"stream": -1}, ValueError, "stream -1"), ({"stream": "a"}, ValueError, "stream 'a'"),
    ({"shape": (-1,)}, ValueError, "negative length"), ({"shape": 3}, ValueError, "shape 3"),
    ({"shape": (1.5,)}, ValueError, "shape"), ({"shape": (1,) * 33}, ValueError, "33 dimensions"),
    ({"shape": (2**61,)}, ValueError, "more than memory"),
    ({"strides": (3,)}, ValueError, "multiples"), ({"strides": (8, 8)}, ValueError, "2 strides"),
    ({"strides": (2**62,)}, ValueError, "address space"),
    ({"data": (0, False)}, ValueError, "no memory"), ({"data": None}, ValueError, "lacks data"),
    ({"data": ("x", False)}, ValueError, "lacks data")], ids=str)
def test_the_interface_refused(says, error, message):
    with pytest.raises(error, match=f"^weights: .*{message}"):
        operand(Numba(**says), "weights")


def test_the_interface_is_missing_or_raises():
    for says in ({}, {"shape": (3,)}, None, 3):
        x = Numba()
        x.says = says
        with pytest.raises((TypeError, ValueError), match="^a: its __cuda_array_interface__"):
            operand(x)


# ---- DLPack in ----------------------------------------------------------------------------------


def test_dlpack_in():
    tensor = Tensor(np.arange(6.0).reshape(2, 3).T, device=(2, 1))
    taken = operand(tensor)
    array = taken.device_array
    assert (array.shape, array.strides, array.device) == ((3, 2), (1, 3), "cuda:1")
    assert array.pointer == tensor.array.ctypes.data and array.stream is None
    assert tensor.asked == [{"max_version": (1, 0), "stream": 1}] and taken.host is None
    assert device_of(tensor) == "cuda:1" and taken.give(array) is array
    del taken, array
    gc.collect()
    assert tensor.released == 1
    managed = Tensor(np.arange(3), device=(dlpack.CUDA_MANAGED, 0))
    assert operand(managed).device_array.device == "cuda:0"
    bits = operand(Tensor(np.arange(3, dtype="u2"), device=(2, 0), code=4))
    assert bits.is_bfloat16 and bits.type == _native.BF16 and bits.device_array.is_bfloat16


# ---- libraries ----------------------------------------------------------------------------------


def torch_and_tensor(monkeypatch, stream):
    class TorchTensor(Tensor):
        is_cuda = True

        @property
        def device(self):
            return types.SimpleNamespace(index=self.where[1])

        @device.setter
        def device(self, value):
            self.where = value

        def __dlpack_device__(self):
            return self.where

        def to(self, device):
            return ("moved", self, device.index)

    def current_stream(device):
        return types.SimpleNamespace(cuda_stream=stream)

    module = library(monkeypatch, "torch", Tensor=TorchTensor, from_numpy=TorchTensor,
                     from_dlpack=lambda x: ("view", x),
                     cuda=types.SimpleNamespace(current_stream=current_stream))
    return module, TorchTensor(np.arange(6.0), device=(2, 1))


@pytest.mark.parametrize("stream", [0, 77])
def test_torch(monkeypatch, stream):
    _, tensor = torch_and_tensor(monkeypatch, stream)
    assert device_of(tensor) == "cuda:1"
    taken = operand(tensor)
    array = taken.device_array
    assert array.device == "cuda:1" and array.stream == (stream or None)
    assert tensor.asked == [{"max_version": (1, 0), "stream": -1}]  # it is the tensor's own stream
    result = fake()
    assert taken.give(result) == ("view", result)
    word, moved, index = taken.give(np.arange(3))
    assert word == "moved" and moved.array.tolist() == [0, 1, 2] and index == 1
    assert taken.give(np.float32(3)) == 3


@pytest.mark.parametrize("stream", [0, 77])
def test_cupy(monkeypatch, stream):
    class Device:
        id, entered = 1, 0

        def __enter__(self):
            type(self).entered += 1

        def __exit__(self, *_):
            pass

    class Cupy(Numba):
        dtype, device = np.dtype("f8"), Device()

    cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=stream))
    library(monkeypatch, "cupy", ndarray=Cupy, cuda=cuda, asarray=lambda x: ("cupy", x))
    x = Cupy(stream=55)
    assert device_of(x) == "cuda:1"
    taken = operand(x)
    assert taken.device_array.device == "cuda:1" and taken.device_array.owner is x
    assert taken.device_array.stream == (stream or None)  # the current one, not the array's
    result = fake()
    assert taken.give(result) == ("cupy", result) and Device.entered == 1
    assert taken.give(np.ones(2))[0] == "cupy"


def test_libraries_that_are_not_imported_are_left_alone():
    operand([1, 2])
    operand(Numba())
    assert not {"torch", "cupy"} & set(sys.modules)


def test_strides_that_nobody_walks():
    """Of lengths of one, and of no elements, frameworks give any."""
    for shape, strides in (((1, 5), (9, 1)), ((5, 1), (1, 7)), ((1, 1), (3, 4)), ((0, 5), (1, 1)),
                           ((2, 5), (5, 1)), ((), ())):
        assert DeviceArray(0, shape, "f4", "cuda:0", strides).strides is None
    for shape, strides in (((2, 5), (9, 1)), ((5, 2), (1, 5)), ((2, 1), (-1, 1))):
        assert DeviceArray(0, shape, "f4", "cuda:0", strides).strides == strides
