"""Tensors on several streams and in several threads, freed early, after a fork; and devices and streams that
are not theirs."""

import contextlib
import ctypes
import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray
from heddle import _native as n
from heddle._arrays.operand import operand
from heddle._native import DECLINED, methods
from test_exchange import far, fold, frame, same, values  # noqa: F401
from test_operand_device import Numba


@pytest.fixture
def driver(gpu):
    return ctypes.CDLL(os.path.join(os.environ["HEDDLE_SIMT"], "libsimt_cuda.so") if gpu == "simt"
                       else "libcuda.so.1")


@pytest.fixture
def streams(gpu, driver):
    """Two streams of the device that do not wait for the default one."""
    context, made = ctypes.c_void_p(), []
    DeviceArray.empty(1, "u1", gpu)  # which starts the driver
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxPushCurrent_v2(context) == 0
    for _ in range(2):
        made.append(ctypes.c_void_p())
        assert driver.cuStreamCreate(ctypes.byref(made[-1]), 1) == 0
    yield [stream.value for stream in made]
    hd.synchronize()
    hd.sum(DeviceArray.from_host(np.ones(2), gpu))  # whose context has the default stream from then on
    for stream in made:
        assert driver.cuStreamDestroy_v2(stream) == 0
    driver.cuCtxPopCurrent_v2(ctypes.byref(context))
    driver.cuDevicePrimaryCtxRelease_v2(0)


def test_calls_follow_the_frameworks_stream(far, streams):
    """A total of running totals, each call on another stream than the one before."""
    a = values("f4", 4000)
    x, wanted = far.of(a), hd.sum(hd.cumsum(a))
    for one, two in (streams, streams[::-1], (None, streams[0]), (streams[1], None)):
        far.stream = one
        running = methods.device_scan(x, None, n.SUM, None, False, None, n.PY_TOTALS, None)
        far.stream = two
        same(fold(running, n.SUM), wanted)
        same(methods.device_mean(running, None, False, False, None, True, None), hd.mean(hd.cumsum(a)))
    far.stream = None
    fold(x, n.SUM)


def test_calls_are_queued_on_the_frameworks_stream(far, streams, driver):
    """As a capture of it shows, whose graph computes the call again."""
    stream, graph, made = ctypes.c_void_p(streams[0]), ctypes.c_void_p(), ctypes.c_void_p()
    ones = np.ones(4000, np.float32)
    x, threes = far.of(ones), ones * 3
    far.stream = streams[0]
    calls = (lambda: fold(x, n.SUM), lambda: methods.device_mean(x, None, False, False, None, True, None),
             lambda: methods.device_histogram(x, 7, (0, 7), None, None, None))
    for call in calls * 2:  # which have all run before they are captured
        call()
    hd.synchronize()
    assert driver.cuStreamBeginCapture_v2(stream, 2) == 0
    found = [call() for call in calls]
    assert driver.cuStreamEndCapture(stream, ctypes.byref(graph)) == 0
    x.array._copy(x.array.pointer, threes.ctypes.data, ones.nbytes)
    assert driver.cuGraphInstantiateWithFlags(ctypes.byref(made), graph, ctypes.c_uint64(0)) == 0
    assert driver.cuGraphLaunch(made, stream) == 0
    assert driver.cuStreamSynchronize(stream) == 0
    total, mean, (counts, edges) = found
    assert (total.host(), mean.host()) == (12000, 3)
    assert (counts.host().argmax(), edges.host().tolist()) == (3, list(range(8)))
    far.stream = None
    fold(x, n.SUM)
    assert driver.cuGraphExecDestroy(made) == driver.cuGraphDestroy(graph) == 0


def test_arrays_of_two_streams(gpu, streams):
    """One waits for the other, and their memory for both."""
    a = values("f4", 300)
    x, y = DeviceArray.from_host(a, gpu, streams[0]), DeviceArray.from_host(a, gpu, streams[1])
    assert not x.owner.in_order
    z = DeviceArray.from_host(a, gpu)
    for left in (x, y, z):
        for right in (x, y, z):
            same(hd.dot(left, right).to_host(), hd.dot(a, a))
            same(hd.histogram(left, 4, (0, 1), weights=right)[0].to_host(),
                 hd.histogram(a, 4, (0, 1), weights=a)[0])
    assert not z.owner.in_order


def test_arrays_freed_while_work_is_queued(gpu):
    wanted = hd.cumsum(np.ones(5000, np.float32))
    made = [hd.cumsum(DeviceArray.from_host(np.ones(5000, np.float32), gpu)) for _ in range(30)]
    gc.collect()
    for found in made:
        same(found.to_host(), wanted)


def test_memory_outlives_work_on_another_stream(gpu, streams):
    ones, made = np.ones(5000, np.float32), []
    for _ in range(20):
        x = DeviceArray.from_host(ones, gpu)
        made.append(hd.cumsum(DeviceArray(x.pointer, (5000,), "f4", x.device, stream=streams[0], owner=x)))
        del x
        DeviceArray.from_host(ones * 3, gpu)  # at its place
    for found in made:
        assert found.stream == streams[0]
        same(found.to_host(), hd.cumsum(ones))


def test_threads(far):
    a = values("f4", 3000)
    wanted, bad = [hd.sum(a), hd.mean(a), hd.var(a)], []

    def work():
        x = far.of(a)
        for _ in range(20):
            found = [fold(x, n.SUM), methods.device_mean(x, None, False, False, None, True, None),
                     methods.device_variance(x, 0, 0, None, False, False, None, True, None)]
            bad.extend(1 for f, w in zip(found, wanted) if f.host() != w)
            array = DeviceArray.from_host(a, x.array.device)
            bad.extend(1 for f, w in zip((hd.sum(array), hd.mean(array)), wanted) if f.to_host() != w)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not bad


def test_a_child_cannot_use_the_device(far):
    """Whose driver does not survive a fork; arrays of the host can be used."""
    x, a = far.of(values("f4", 300)), values("f4", 300)
    fold(x, n.SUM)
    child = os.fork()
    if not child:
        status = 1
        with contextlib.suppress(BaseException):
            assert fold(x, n.SUM) is DECLINED
            assert methods.device_mean(x, None, False, False, None, True, None) is DECLINED
            with pytest.raises(hd.DeviceError, match="fork"):
                hd.sum(x.array)
            assert hd.sum(a) == hd.sum(list(a))
            status = 0
        os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert fold(x, n.SUM) is not DECLINED


def test_read_only_memory_is_read(gpu):
    a = values("f4", 40)
    there = DeviceArray.from_host(a, gpu)
    for readonly in (Numba(shape=(40,), typestr="<f4", data=(there.pointer, True)),
                     DeviceArray(there.pointer, (40,), "f4", there.device, owner=there, readonly=True)):
        for function in (hd.sum, hd.cumsum, hd.mean):
            same(function(readonly).to_host(), function(a))


def test_streams_that_are_none(gpu):
    if gpu == "simt":  # which looks, where a GPU's driver would follow the address
        there = DeviceArray.from_host(values("f4", 40), gpu)
        liar = Numba(shape=(40,), typestr="<f4", data=(there.pointer, False), stream=4096)
        for call in (hd.sum, hd.var, hd.cumsum, hd.describe, lambda x: hd.histogram(x, 3)):
            with pytest.raises(ValueError, match="^a: the stream that its library names is none of simt"):
                call(liar)
        same(hd.sum(there).to_host(), hd.sum(there.to_host()))


def test_several_devices(gpu):
    """Are refused by what the arrays say, before anything is read."""
    a = values("f4", 40)
    there = DeviceArray.from_host(a, gpu)
    elsewhere = DeviceArray(there.pointer, (40,), "f4", "cuda:5", owner=there)
    for call in (lambda: hd.dot(there, elsewhere), lambda: hd.dot(elsewhere, there)):
        with pytest.raises(ValueError, match="^b: it is on "):
            call()
    with pytest.raises(ValueError, match="^weights: it is on cuda:5"):
        hd.histogram(there, 3, (0, 1), weights=elsewhere)
    whole = DeviceArray.from_host(np.arange(40), gpu)
    with pytest.raises(ValueError, match="^weights: it is on cuda:5"):
        hd.bincount(whole, elsewhere)
    for call in (lambda: hd.dot(there, a), lambda: hd.dot(a, there)):
        with pytest.raises(ValueError, match="^b: one array is on a device"):
            call()
    assert operand(there).device_array is there


def test_all_of_this_where_work_is_late(gpu, build):
    """On the software device whose streams do everything as late as they may, which shows missing waits."""
    late = build / "lib/late"
    if gpu != "simt" or os.environ["HEDDLE_SIMT"] == str(late):
        return
    assert (late / "libsimt_cuda.so").exists(), "ninja lazy_driver"
    env = {**os.environ, "HEDDLE_SIMT": str(late), "HEDDLE_BUILD": str(build), "HEDDLE_TEST_DEVICES": "simt"}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__], env=env,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    assert "11 passed" in done.stdout
