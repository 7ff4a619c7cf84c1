"""Tensors by DLPack's C exchange table: frameworks in small (frames.py), of the host and of a device.

The calls of libheddle_python are made as heddle/_plain.py makes them; what they decline gets the
same answer from Python's code.
"""

import ctypes
import gc
import threading
import weakref

import numpy as np
import pytest

import heddle as hd
from frames import NUMBER, Table, framework
from heddle import _native as n
from heddle._arrays import exchange
from heddle._context import context
from heddle._native import DECLINED, methods

DTYPES = ["f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
RNG = np.random.default_rng(3)


@pytest.fixture
def frame(device, monkeypatch):
    """A framework whose tensors are where the device's are."""
    on_host = device.startswith("cpu")
    monkeypatch.setitem(exchange.DEVICES, NUMBER, device)
    kind = framework(None if on_host else device)
    assert exchange.learn(kind)
    return kind


@pytest.fixture
def far(gpu, frame):
    return frame


def values(dtype, *shape):
    if np.dtype(dtype).kind == "f":
        return RNG.standard_normal(shape).astype(dtype)
    return RNG.integers(0, 100, shape).astype(dtype)


def fold(x, op, axis=None, keepdims=False, skip=False, dtype=None):
    return methods.device_reduce(x, op, axis, keepdims, skip, dtype, None, True, None)


def same(found, wanted):
    """A number or a tensor has the dtype, shape and bits of an array."""
    found = found.host() if hasattr(found, "host") else np.asarray(found)
    wanted = np.asarray(wanted)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_folds(frame, dtype):
    a = values(dtype, 5, 40)
    x = frame.of(a)
    for op, numpy_like in ((n.SUM, hd.sum), (n.MIN, hd.min), (n.MAX, hd.max), (n.ANY, hd.any)):
        same(fold(x, op), numpy_like(a))
        same(fold(x, op, 1), numpy_like(a, 1))
        same(fold(x, op, 0, True), numpy_like(a, 0, keepdims=True))
        same(fold(x, op, (0, 1), True), numpy_like(a, keepdims=True))
    for which, numpy_like in ((n.ARGMIN, hd.argmin), (n.ARGMAX, hd.argmax)):
        same(methods.device_argreduce(x, which, None, False, False, None), numpy_like(a))
        same(methods.device_argreduce(x, which, 1, True, False, None),
             numpy_like(a, 1, keepdims=True))


@pytest.mark.parametrize("dtype", DTYPES)
def test_scans(frame, dtype):
    a = values(dtype, 4, 9)
    x = frame.of(a)
    for axis in (None, 0, 1):
        found = methods.device_scan(x, None, n.SUM, axis, False, None, n.PY_TOTALS, None)
        assert type(found) is frame
        same(found, hd.cumsum(a, axis))


def test_dtypes_and_nan(frame):
    a = values("f4", 33)
    a[4] = np.nan
    x = frame.of(a)
    same(fold(x, n.SUM, skip=True), hd.sum(a, skipna=True))
    same(fold(x, n.SUM, dtype=np.float64), hd.sum(a, dtype=np.float64))
    same(methods.device_scan(x, None, n.SUM, None, True, np.float64, n.PY_TOTALS, None),
         hd.cumsum(a, dtype=np.float64, skipna=True))


def test_dot(frame):
    a, b = values("f4", 77), values("f4", 77)
    x, y = frame.of(a), frame.of(b)
    same(methods.device_dot(x, y, None), hd.dot(a, b))
    assert methods.device_dot(x, frame.of(b[:76]), None) is DECLINED
    assert methods.device_dot(x, frame.of(b.astype("f8")), None) is DECLINED


@pytest.mark.parametrize("dtype", ["u1", "i8", "u4"])
def test_bincount(frame, dtype):
    a = np.random.default_rng(2).integers(0, 90, 3000).astype(dtype)
    on_host = isinstance(frame.of(a).array, np.ndarray)
    for least in (0, 7, 91, 300):
        found = methods.device_bincount(frame.of(a), None, least, None, None)
        assert type(found) is frame
        same(found, hd.bincount(a, minlength=least))
    for odd in (a[:0], a.reshape(30, 100), a > 3, a.astype("f4"), (a.astype(dtype.replace("u", "i")) - 9)):
        found = methods.device_bincount(frame.of(odd), None, 0, None, None)
        assert found is DECLINED or (on_host and (not odd.size or odd.dtype == bool)), odd.dtype
    assert methods.device_bincount(frame.of(np.array([3, 2**40])), None, 0, None, None) is DECLINED
    assert methods.device_bincount(frame.of(a), None, 2**62, None, None) is DECLINED


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i4", "u1", "i8"])
def test_bincount_of_weights(frame, dtype):
    rng = np.random.default_rng(3)
    a, w = rng.integers(0, 90, 3000), values(dtype, 3000)
    for least in (0, 120):
        found = methods.device_bincount(frame.of(a), frame.of(w), least, None, None)
        assert type(found) is frame
        same(found, hd.bincount(a, w, least))
    on_host = isinstance(frame.of(a).array, np.ndarray)
    for odd in (w[:-1], w.reshape(30, 100), w > 0, w[None]):
        try:
            found = methods.device_bincount(frame.of(a), frame.of(odd), 0, None, None)
        except ValueError:
            found = DECLINED
        assert found is DECLINED or on_host


def test_bincount_of_a_length(frame):
    rng = np.random.default_rng(4)
    a, w = rng.integers(-20, 90, 3000), values("f4", 3000)
    on_host = isinstance(frame.of(a).array, np.ndarray)
    for length in (1, 70, 90, 4000):
        for weights in (None, w):
            found = methods.device_bincount(frame.of(a), None if weights is None else frame.of(w), 0,
                                            length, None)
            assert (found is DECLINED) == on_host  # Python's code does it
            if not on_host:
                same(found, hd.bincount(a, weights, length=length))
    for least, length in ((0, 0), (5, 7), (0, 2**62)):
        assert methods.device_bincount(frame.of(a), None, least, length, None) is DECLINED


def test_layouts(frame):
    a = values("f8", 6, 7, 8)
    host = frame is not None and not hasattr(frame.of(a).array, "pointer")
    if host:
        for view in (a[::2], a[:, ::-1], a.transpose(2, 0, 1), np.broadcast_to(a[:1], a.shape)):
            same(fold(frame(view), n.SUM), hd.sum(np.ascontiguousarray(view)))
            same(fold(frame(view), n.SUM, 1), hd.sum(view, 1))
            same(methods.device_scan(frame(view), None, n.SUM, 0, False, None, 0, None),
                 hd.cumsum(view, 0))
        return
    there = frame.of(a).array
    for strides, shape in (((56, 8, 1), (6, 7, 8)), ((8, 56, 1), (7, 6, 8)), ((112, 8, 1), (3, 7, 8)),
                           ((0, 8, 1), (6, 7, 8)), ((1, 56, 8), (8, 6, 7))):
        part = hd.DeviceArray(there.pointer, shape, "f8", there.device, strides, owner=there)
        view = np.lib.stride_tricks.as_strided(a, shape, [8 * s for s in strides])
        for axis in (0, 1, 2):
            same(fold(frame(part), n.SUM, axis), hd.sum(view, axis))
            same(methods.device_scan(frame(part), None, n.SUM, axis, False, None, 0, None),
                 hd.cumsum(view, axis))
    assert fold(frame(part), n.SUM) is DECLINED  # floats in C order: a copy would be needed
    same(fold(frame(part), n.MAX), view.max())


def test_bfloat16(far):
    bits = np.arange(16256, 16300, dtype="u2")
    x = far.of(bits, is_bfloat16=True)
    wide = (bits.astype("u4") << 16).view("f4")
    same(fold(x, n.SUM), hd.sum(wide))
    same(fold(x, n.MAX), wide.max())


def test_nothing_waits_and_nothing_is_copied(far):
    """A call asks the framework for the tensor, its stream and memory, and no more."""
    x = far.of(values("f4", 500))
    fold(x, n.SUM)
    far.calls.clear()
    fold(x, n.SUM)
    assert [c for c in far.calls if c != "look"] == ["stream", "allocate", "import"]
    methods.device_histogram(x, 10, (0, 1), None, None, None)
    far.calls.clear()
    methods.device_histogram(x, 10, (0, 1), None, None, None)
    assert far.calls.count("allocate") == 2  # counts, and edges from those that are kept


def test_a_repeated_call_allocates_nothing(gpu, monkeypatch):
    """Of the device, by the library: results are the framework's, scratch and edges are kept."""
    asked, kept = [], []
    hook = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    gone = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)

    @hook
    def allocate(user, size, stream):
        asked.append(size)
        kept.append(hd.DeviceArray.empty(size, "u1", gpu))
        return kept[-1].pointer

    hooks = allocate, gone(lambda *arguments: asked.append("freed"))
    monkeypatch.setitem(exchange.DEVICES, NUMBER, gpu)
    kind = framework(gpu)
    assert exchange.learn(kind)
    x = kind.of(values("f4", 30_000))

    def call():
        return [fold(x, n.SUM), fold(x, n.MAX), methods.device_dot(x, x, None),
                methods.device_argreduce(x, n.ARGMAX, None, False, False, None),
                *methods.device_histogram(x, 20, (0, 1), None, None, None),
                methods.device_scan(x, None, n.SUM, None, False, None, n.PY_TOTALS, None)]

    def work():  # in a thread that has no context yet
        set_hooks = n.lib.heddle_set_device_allocator
        assert set_hooks(ctypes.c_void_p(context(gpu).handle), *hooks, None) == n.OK
        call(), call()  # scratch grows between calls
        first, results = len(asked), call()
        found.append((first, results, len(asked)))

    found = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    (first, results, second), = found
    assert 0 < first == second
    same(results[0], hd.sum(x.host()))


def test_a_table_without_look(device, monkeypatch):
    on_host = device.startswith("cpu")
    monkeypatch.setitem(exchange.DEVICES, NUMBER, device)
    kind = framework(None if on_host else device, looks=False)
    assert exchange.learn(kind)
    a = values("f4", 40)
    x = kind.of(a)
    same(fold(x, n.SUM), hd.sum(a))
    assert not kind.pending and "export" in kind.calls  # each was given back


def test_tensors_end(frame):
    x = frame.of(values("f4", 40))
    made = methods.device_scan(x, None, n.SUM, None, False, None, 0, None)
    watched = [weakref.ref(x), weakref.ref(made)]
    del x, made
    gc.collect()
    assert [w() for w in watched] == [None, None] and not frame.pending


def test_what_fails_is_declined(frame):
    x = frame.of(values("f4", 40))
    on_device = not isinstance(x.array, np.ndarray)
    for part in ("look", "allocate", "import", *(["stream"] if on_device else [])):
        frame.fails.add(part)
        assert methods.device_scan(x, None, n.SUM, None, False, None, 0, None) is DECLINED
        frame.fails.clear()
        frame.pending.clear()
    same(fold(x, n.SUM), hd.sum(x.host()))


def test_tensors_that_are_not_known(frame):
    a = values("f8", 6)
    for odd in (frame.of(a, lanes=2), frame.of(a, code=5), frame.of(a, code=3),
                frame.of(a, where=(8, 0)), frame.of(a, where=(2, -1)), frame.of(a[:0])):
        assert methods.device_scan(odd, None, n.SUM, None, False, None, 0, None) is DECLINED
    x = frame.of(a)
    assert methods.device_reduce(x, n.SUM, None, False, False, None, None, a > 0, None) is DECLINED \
        or isinstance(x.array, np.ndarray)
    assert fold(x, n.SUM, axis=3) is DECLINED and fold(x, n.SUM, axis="0") is DECLINED


def test_versions():
    good = framework()
    assert exchange.learn(framework(minor=9))
    assert not exchange.learn(framework(major=2))
    assert exchange.learn(framework(major=3, earlier=framework(major=2, earlier=good.table).table))
    loop = Table(major=2)
    loop.earlier = __import__("ctypes").addressof(loop)
    assert not exchange.learn(framework(major=2, earlier=loop))
    for missing in ("allocate", "export", "import_", "stream"):
        kind = framework()
        setattr(kind.table, missing, None)
        assert not exchange.learn(kind)


def test_types_without_a_table():
    class Other:
        __dlpack_c_exchange_api__ = "no capsule"
    assert not exchange.learn(Other) and not exchange.learn(Other) and not exchange.learn(int)


def test_lazily_negated(device, monkeypatch):
    """Where a type says so, tensors with gaps are asked whether they are read as they lie."""
    monkeypatch.setitem(exchange.DEVICES, NUMBER, device)
    kind = framework()
    kind.asked = 0

    def is_neg(self):
        kind.asked += 1
        return self.code == 2
    kind.is_neg = is_neg
    assert exchange.learn(kind)
    a = values("f8", 20)
    same(fold(kind(a), n.SUM), hd.sum(a))
    assert kind.asked == 0
    same(fold(kind(a[::2]), n.SUM), hd.sum(a[::2]))
    assert kind.asked and fold(kind(a[::2], code=2), n.SUM) is DECLINED
    assert fold(kind(a[:1], code=2), n.SUM) is DECLINED


def test_a_stream_that_is_none(device, frame):
    if device == "simt":  # which looks, where a GPU's driver would follow the address
        x = frame.of(values("f4", 40))
        frame.stream = 4096
        assert fold(x, n.SUM) is DECLINED
        frame.stream = 1  # CUDA's own number of the default stream
        same(fold(x, n.SUM), hd.sum(x.host()))
