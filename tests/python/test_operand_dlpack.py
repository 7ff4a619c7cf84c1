"""DLPack on the host: what is read, who is released when, and what a capsule may not say."""

import ctypes
import gc

import numpy as np
import pytest

from heddle import _native
from heddle._arrays import dlpack
from heddle._arrays.operand import device_of, operand
from producers import Lender, Tensor, capsule

DTYPES = ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]


@pytest.fixture(params=[True, False], ids=["versioned", "unversioned"])
def versioned(request):
    return request.param


def lent(x):
    """An array of NumPy's that offers DLPack alone."""
    return Lender(x, "__dlpack__", "__dlpack_device__")


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_as_producer(dtype):
    a = (np.arange(24) % 3).astype(dtype).reshape(2, 3, 4)
    for view in (a, a[::-1, :, ::2], a.T, a[:0], a[0, 0, 0:1].reshape(())):
        taken = operand(lent(view))
        np.testing.assert_array_equal(taken.host, view, strict=True)
        assert view.size == 0 or np.shares_memory(taken.host, view)
        assert taken.type == _native.TYPES[a.dtype] and taken.device_array is None
        assert taken.valid is None and taken.give(view) is view
    assert device_of(lent(a)) == "cpu"


def test_read_only():
    a = np.arange(3)
    assert operand(lent(a)).host.flags.writeable
    a.flags.writeable = False
    if hasattr(np, "unstack"):  # from NumPy 2.1 on it lends read-only arrays
        assert not operand(lent(a)).host.flags.writeable
    assert operand(Tensor(np.arange(3))).host.flags.writeable
    assert not operand(Tensor(np.arange(3), flags=1)).host.flags.writeable


def test_released_once_with_the_last_view(versioned):
    tensor = Tensor(np.arange(12.0).reshape(3, 4), versioned)
    taken = operand(tensor)
    np.testing.assert_array_equal(taken.host, tensor.array)
    view = taken.host[1:, ::2]
    del taken
    gc.collect()
    assert tensor.released == 0 and view.tolist() == [[4, 6], [8, 10]]
    del view
    gc.collect()
    assert tensor.released == 1


def test_released_without_elements(versioned):
    tensor = Tensor(np.empty((0, 3)), versioned, data=0)
    taken = operand(tensor)
    assert taken.shape == (0, 3)
    del taken
    gc.collect()
    assert tensor.released == 1


def test_no_deleter(versioned):
    tensor = Tensor(np.arange(3), versioned)
    tensor.struct.deleter = None
    assert operand(tensor).host.tolist() == [0, 1, 2]


def test_what_the_producer_is_asked():
    new, old = Tensor(np.arange(3)), Tensor(np.arange(3), False, takes_version=False)
    operand(new), operand(old)
    assert new.asked == [{"max_version": (1, 0)}]
    assert old.asked == [{"max_version": (1, 0)}, {}]


def test_bfloat16(versioned):
    bits = np.array([0x3F80, 0xC000, 0x7FC0], "u2")
    taken = operand(Tensor(bits, versioned, code=4))
    assert taken.is_bfloat16 and taken.type == _native.BF16
    assert np.shares_memory(taken.host, bits) and taken.dtype == np.uint16


def test_strides_and_offsets(versioned):
    a = np.arange(12, dtype="i4")
    taken = operand(Tensor(a, versioned, shape=(4,), strides=(2,), byte_offset=8))
    assert taken.host.tolist() == [2, 4, 6, 8]
    taken = operand(Tensor(a, versioned, shape=(3,), strides=(-1,), byte_offset=44))
    assert taken.host.tolist() == [11, 10, 9]
    taken = operand(Tensor(a, versioned, shape=(5,), strides=(0,)))
    assert taken.host.tolist() == [0] * 5
    taken = operand(Tensor(a.reshape(3, 4), versioned, strides=None))
    assert taken.host.tolist() == a.reshape(3, 4).tolist()


def test_pinned_memory_is_of_the_host():
    tensor = Tensor(np.arange(3), device=(dlpack.CUDA_HOST, 0))
    assert operand(tensor).host.tolist() == [0, 1, 2] and device_of(tensor) == "cpu"
    assert tensor.asked == [{"max_version": (1, 0)}]  # no stream: pinned memory has none


NONSENSE = [
    ({"shape": (-1,)}, "a negative length"),
    ({"shape": (2**61,)}, "more than memory can hold"),
    ({"shape": (2**62, 2**62), "dims": 2, "strides": None}, "more than memory can hold"),
    ({"shape": (2**32, 2**32), "dims": 2, "strides": None}, "more than memory can hold"),
    ({"dims": -1}, "-1 dimensions"),
    ({"dims": 33}, "33 dimensions"),
    ({"dims": 2**31 - 1}, "dimensions"),
    ({"shape": 0}, "without a shape"),
    ({"data": 0}, "no memory"),
    ({"strides": (2**62,)}, "leave the address space"),
    ({"strides": (-(2**60),)}, "leave the address space"),
    ({"byte_offset": 2**64 - 8}, "leave the address space"),
]


@pytest.mark.parametrize("says,message", NONSENSE, ids=lambda v: str(v))
def test_nonsense(says, message, versioned):
    tensor = Tensor(np.arange(4.0).repeat(2)[:4], versioned, **says)
    with pytest.raises(ValueError, match=f"^weights: .*{message}"):
        operand(tensor, "weights")
    gc.collect()
    assert tensor.released == 1


@pytest.mark.parametrize("says,message", [
    ({"code": 5, "bits": 64}, "complex64"), ({"lanes": 4}, "float64x4"),
    ({"bits": 128}, "float128"), ({"code": 3}, "opaque64"), ({"code": 0, "bits": 4}, "int4"),
    ({"code": 4, "bits": 8}, "bfloat8"),
    ({"code": 8, "bits": 8}, "code 8 of 8"), ({"lanes": 0}, "float64x0")], ids=str)
def test_refused_types(says, message, versioned):
    tensor = Tensor(np.arange(4.0), versioned, **says)
    with pytest.raises(TypeError, match=f"^a: dtype {message} is not supported"):
        operand(tensor)
    gc.collect()
    assert tensor.released == 1


@pytest.mark.parametrize("kind,word", [(4, "OpenCL"), (8, "Metal"), (10, "ROCm"), (14, "oneAPI"),
                                       (99, "number 99")])
def test_other_devices(kind, word):
    tensor = Tensor(np.arange(3), device=(kind, 0))
    with pytest.raises(BufferError, match=f"^a: memory of a {word} device"):
        operand(tensor)
    assert tensor.asked == []


def test_a_tensor_that_is_not_where_its_producer_says():
    tensor = Tensor(np.arange(3), device=(8, 0), says=(1, 0))
    with pytest.raises(BufferError, match="^a: __dlpack_device__ and .* disagree"):
        operand(tensor)
    gc.collect()
    assert tensor.released == 1
    hidden = Tensor(np.arange(3), device=(dlpack.CUDA, 0), says=(1, 0))
    with pytest.raises(BufferError, match="disagree"):
        operand(hidden)


def test_another_version():
    tensor = Tensor(np.arange(3), major=2)
    with pytest.raises(BufferError, match=r"^a: DLPack 2\.0 is not supported"):
        operand(tensor)
    gc.collect()
    assert tensor.released == 1


def test_a_capsule_is_used_once(versioned):
    tensor = Tensor(np.arange(3), versioned)
    shared = tensor.__dlpack__()
    lender = Lender(tensor, "__dlpack_device__")
    type(lender).__dlpack__ = lambda self, **words: shared
    first = operand(lender)
    with pytest.raises(BufferError, match="taken already"):
        operand(lender)
    assert first.host.tolist() == [0, 1, 2]
    del first
    gc.collect()
    assert tensor.released == 1


@pytest.mark.parametrize("given", [None, 3, b"dltensor", capsule(ctypes.c_int(), b"other")],
                         ids=str)
def test_what_is_no_capsule(given):
    lender = Lender(Tensor(np.arange(3)), "__dlpack_device__")
    type(lender).__dlpack__ = lambda self, **words: given
    with pytest.raises(BufferError, match="^a: .*no DLPack capsule"):
        operand(lender)


@pytest.mark.parametrize("error", [BufferError, RuntimeError, TypeError, ValueError,
                                   AttributeError])
def test_a_producer_that_refuses(error):
    def refuse(self, **words):
        raise error("it requires a gradient")

    lender = Lender(Tensor(np.arange(3)), "__dlpack_device__")
    type(lender).__dlpack__ = refuse
    with pytest.raises(BufferError, match=r"^a: Lender.__dlpack__ refuses: it requires a gradient"):
        operand(lender)
    type(lender).__dlpack_device__ = refuse
    with pytest.raises(BufferError, match="^a: Lender.__dlpack_device__ refuses"):
        operand(lender)


def test_an_interrupt_passes():
    def interrupted(self, **words):
        raise KeyboardInterrupt

    lender = Lender(Tensor(np.arange(3)), "__dlpack_device__")
    type(lender).__dlpack__ = interrupted
    with pytest.raises(KeyboardInterrupt):
        operand(lender)


def test_one_that_refuses_may_offer_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    column = pyarrow.array([1, None, 3])
    with pytest.raises(TypeError):  # its DLPack knows no nulls
        column.__dlpack__(max_version=(1, 0))
    taken = operand(Lender(column, "__dlpack__", "__dlpack_device__", "__arrow_c_array__"))
    assert taken.valid.tolist() == [True, False, True]


def test_nothing_is_leaked():
    lender = lent(np.arange(1000.0))
    for _ in range(3):
        before = len(gc.get_objects())
        for _ in range(100):
            operand(lender)
        gc.collect()
    assert len(gc.get_objects()) - before < 20
