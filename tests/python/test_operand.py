"""Operands of the host: NumPy's arrays, lists, buffers, objects of several protocols."""

import array
import ctypes
import gc
import mmap
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

from heddle import _native
from heddle._arrays.operand import device_of, operand
from producers import ArrayColumn, Tensor

DTYPES = ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]
REFUSED = [np.array([None]), np.array(["a"]), np.array([b"a"]), np.array([1j]),
           np.array([1], "M8[s]"), np.array([1], "m8[s]"), np.array([1], "g"), np.array([1], "G"),
           np.zeros(2, "V2"), np.zeros(2, "i4,f4")]


def numbers(dtype):
    return (np.arange(24) % 3).astype(dtype).reshape(2, 3, 4)


# ---- NumPy --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_are_taken_as_they_are(dtype):
    a = numbers(dtype)
    for view in (a, a[::-1], a[:, ::2, 1:], a.T, a[:0], a[0, 0, 0:1].reshape(())):
        taken = operand(view)
        assert taken.host is view and taken.valid is None and not taken.copied
        assert (taken.shape, taken.size, taken.ndim) == (view.shape, view.size, view.ndim)
        assert taken.dtype == a.dtype and taken.type == _native.TYPES[a.dtype]
        assert taken.device_array is None and not taken.is_bfloat16


@pytest.mark.parametrize("dtype", DTYPES[2:5] + DTYPES[6:])
def test_swapped_bytes_are_swapped_back(dtype):
    a = numbers(dtype)
    swapped = a.astype(a.dtype.newbyteorder(">"))[::-1]
    taken = operand(swapped)
    assert taken.dtype == a.dtype and taken.copied
    np.testing.assert_array_equal(taken.host, a[::-1])


@pytest.mark.parametrize("name", ["longlong", "ulonglong", "intc", "uintc", "long", "ulong"])
def test_every_name_of_an_integer(name):
    taken = operand(np.ones(3, name))
    assert taken.type in _native.DTYPES and taken.host.sum() == 3


def test_fields_and_odd_strides_are_views():
    records = np.zeros(4, [("a", "i1"), ("b", "<f8")])
    records["b"] = [1, 2, 3, 4]
    taken = operand(records["b"])
    assert taken.host.strides == (9,) and np.shares_memory(taken.host, records)


@pytest.mark.parametrize("bad", REFUSED, ids=lambda a: str(a.dtype))
def test_refused_dtypes(bad):
    for x in (bad, bad.reshape(1, -1), bad.tolist() if bad.dtype.kind in "OUSc" else bad):
        with pytest.raises(TypeError, match=r"^weights: dtype .* is not supported by heddle"):
            operand(x, "weights")


def test_subclasses(tmp_path):
    path = tmp_path / "numbers"
    np.arange(6, dtype="f4").tofile(path)
    mapped = np.memmap(path, "f4", mode="r", shape=(2, 3))
    taken = operand(mapped)
    assert type(taken.host) is np.ndarray and np.shares_memory(taken.host, mapped)
    assert not taken.host.flags.writeable and not taken.copied
    result = np.ones(2)
    assert taken.give(result) is result


def test_a_mask_is_of_nulls():
    masked = np.ma.MaskedArray([1, 2, 3], [False, True, False])
    taken = operand(masked)
    assert taken.valid.tolist() == [True, False, True]
    assert np.shares_memory(taken.host, masked.data)
    given = taken.give_masked(np.array([1, 0, 4]), taken.valid)
    assert given.tolist() == [1, None, 4]
    assert isinstance(taken.give(np.array([1, 2])), np.ma.MaskedArray)
    assert operand(np.ma.MaskedArray([1, 2])).valid is None
    assert operand(np.ma.MaskedArray([1, 2], [False, False])).valid is None


@pytest.mark.parametrize("x", [3, 2.5, True, [1, 2], (1.0, 2.0), [[1], [2]], [], range(4),
                               np.float32(2), np.int8(3), np.bool_(True)], ids=repr)
def test_numbers_and_lists(x):
    taken = operand(x)
    np.testing.assert_array_equal(taken.host, np.asarray(x), strict=True)
    assert taken.copied and device_of(x) == "cpu"


@pytest.mark.parametrize("x", [None, "text", [1, None], [1j], 2**70, SimpleNamespace(), {1: 2}, [b"a"],
                               np.str_("a"), np.datetime64("2020")], ids=repr)
def test_what_is_not_numbers(x):
    with pytest.raises(TypeError, match="^b: dtype .* is not supported"):
        operand(x, "b")


def test_classes_are_no_arrays():
    for kind in (np.ndarray, ArrayColumn, float):
        with pytest.raises(TypeError, match=f"^b: the class {kind.__name__} is no array"):
            operand(kind, "b")


def test_ragged_lists():
    with pytest.raises(ValueError, match="^b: NumPy makes no array of this list"):
        operand([[1], [1, 2]], "b")


def test_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.array([1, -2, 0.5], ml_dtypes.bfloat16)[::-1]
    taken = operand(a)
    assert taken.is_bfloat16 and taken.type == _native.BF16 and np.shares_memory(taken.host, a)
    assert taken.host.dtype == np.uint16 and taken.host.tolist() == [0x3F00, 0xC000, 0x3F80]
    with pytest.raises(TypeError, match="^a: dtype float8"):
        operand(a.astype(ml_dtypes.float8_e4m3fn))


# ---- buffers ------------------------------------------------------------------------------------


class Unsigned(ctypes.BigEndianStructure):
    _fields_ = [("n", ctypes.c_uint32)]


def buffers():
    yield b"abc", "u1", [97, 98, 99]
    yield bytearray(b"abc"), "u1", [97, 98, 99]
    for code in "bBhHiIlLqQfd":
        yield array.array(code, [1, 2, 3]), np.dtype(code), [1, 2, 3]
    yield memoryview(np.arange(6, dtype="f4").reshape(2, 3))[::-1], "f4", [[3, 4, 5], [0, 1, 2]]
    yield memoryview(np.array([True, False])), "?", [True, False]
    yield memoryview(np.array([1, 2], "f2")), "f2", [1, 2]
    yield memoryview(np.array([1, 2], ">i2")), "i2", [1, 2]
    yield memoryview(np.array(5, "i8")), "i8", 5
    yield (ctypes.c_double * 2)(1, 2), "f8", [1, 2]
    yield b"", "u1", []


@pytest.mark.parametrize("x,dtype,values", list(buffers()), ids=lambda v: repr(v)[:30])
def test_buffers(x, dtype, values):
    taken = operand(x)
    assert taken.dtype == np.dtype(dtype) and taken.host.tolist() == values
    given = np.zeros(2)
    assert taken.give(given) is given and device_of(x) == "cpu"


def test_buffers_are_not_copied():
    owner = array.array("i", [1, 2, 3])
    taken = operand(owner)
    owner[1] = 7
    assert taken.host.tolist() == [1, 7, 3] and not taken.copied
    with pytest.raises(BufferError):
        owner.append(4)  # it is lent
    del taken
    owner.append(4)
    assert not operand(b"ab").host.flags.writeable


def test_a_mapped_file():
    with mmap.mmap(-1, 4096) as memory:
        memory[:3] = b"abc"
        taken = operand(memory)
        assert taken.size == 4096 and taken.host[:3].tolist() == [97, 98, 99]
        del taken


OTHER_BUFFERS = [array.array("u", "ab"), memoryview(b"ab").cast("c"), (Unsigned * 2)(),
                 (ctypes.c_void_p * 2)(), (ctypes.c_longdouble * 2)(), (ctypes.py_object * 2)()]


@pytest.mark.parametrize("x", OTHER_BUFFERS, ids=lambda x: type(x).__name__)
def test_buffers_of_other_things(x):
    with pytest.raises(TypeError, match="^a: .*not supported by heddle"):
        operand(x)


def test_a_buffer_that_is_gone():
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(BufferError, match="^a: memoryview lends no buffer"):
        operand(view)


def test_suboffsets():
    exporter = pytest.importorskip("_testbuffer")
    pointers = exporter.ndarray([1, 2, 3, 4], shape=[2, 2], format="i", flags=exporter.ND_PIL)
    with pytest.raises(BufferError, match="^a: buffers with suboffsets"):
        operand(pointers)


# ---- order of protocols -------------------------------------------------------------------------


class Both((ctypes.c_double * 2) * 2):
    """A buffer of two dimensions that offers Arrow, too."""

    def __arrow_c_array__(self):
        return self.column.schema_and_array()


@pytest.mark.parametrize("letter,valid,shape", [
    ("g", None, (2, 2)), ("g", [1, 1, 1, 1], (2, 2)), ("g", [1, 0, 1, 1], (4,)),
    ("u", [1, 0, 1, 1], (2, 2))])  # strings, as Arrow would have it; the buffer says floats
def test_a_buffer_beside_arrow(letter, valid, shape):
    both = Both()
    both.column = ArrayColumn(letter, (np.arange(4.0), valid))
    taken = operand(both)
    assert taken.shape == shape
    assert (taken.valid is None) == (shape == (2, 2))


def test_array_interfaces():
    a = np.arange(4.0)
    for name in ("__array_interface__", "__array_struct__"):
        holder = type("Holder", (), {name: property(lambda self, name=name: getattr(a, name))})()
        assert np.shares_memory(operand(holder).host, a)
    converts = type("Converts", (), {"__array__": lambda self, *args, **words: a.copy()})()
    np.testing.assert_array_equal(operand(converts).host, a)


def test_owners_are_kept():
    owner = array.array("i", [0, 1, 2])
    watched = weakref.ref(owner)
    taken = operand(owner)
    del owner
    gc.collect()
    assert watched() is not None and taken.host.tolist() == [0, 1, 2]
    del taken
    gc.collect()
    assert watched() is None



# ---- operands made of operands ------------------------------------------------------------------


def test_without_nulls():
    taken = operand(np.ma.MaskedArray([[1, 2], [3, 4]], [[False, True], [False, False]]))
    left = taken.without_nulls()
    assert left.host.tolist() == [1, 3, 4] and left.valid is None and left.copied
    assert left.library == "masked" and left.type == taken.type
    plain = operand(np.arange(3))
    assert plain.without_nulls() is plain
    bits = operand(Tensor(np.array([1, 2], "u2"), code=4))
    bits.valid = np.array([False, True])
    assert bits.without_nulls().type == _native.BF16 and bits.without_nulls().is_bfloat16


def test_astype():
    masked = operand(np.ma.MaskedArray([1, 2], [False, True])).astype(np.float32)
    assert masked.host.tolist() == [1, 2] and masked.type == _native.F32
    assert masked.valid.tolist() == [True, False] and masked.library == "masked"
    bits = operand(Tensor(np.array([0x3F80, 0xC000, 0x7F80], "u2"), code=4)).astype("f8")
    assert bits.host.tolist() == [1, -2, np.inf]
    assert bits.type == _native.F64 and not bits.is_bfloat16
    with pytest.raises(TypeError, match="^a: dtype complex128"):
        operand(np.arange(3)).astype(complex)


def test_replaced():
    first = operand(np.ma.MaskedArray([1, 2], [False, True]))
    other = first.replaced(np.array([0.5]))
    assert other.host.tolist() == [0.5] and other.valid is None and other.type == _native.F64
    assert other.library == "masked" and first.current_stream() is None
