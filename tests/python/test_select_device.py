"""Elements by a condition, runs and by key of arrays on a device: results stay there, and are the host's."""

import numpy as np
import pytest

import heddle as hd
from heddle import DeviceArray
from test_exchange import frame  # noqa: F401: a fixture
from test_exchange import same
from test_select import keys_of
from test_sort import values

LENGTHS = (0, 1, 65, 5001)


def own(found):
    assert type(found) is DeviceArray
    return found.to_host()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ("u1", "f2", "f4", "i8"))
def test_elements(gpu, dtype, length):
    x = values(dtype, length, length)
    mask = np.random.default_rng(length).random(length) < 0.4
    there = DeviceArray.from_host(x, gpu)
    same(own(hd.compress(DeviceArray.from_host(mask, gpu), there)), x[mask])
    same(own(hd.flatnonzero(there)), np.flatnonzero(x))
    same(own(hd.nonzero(there)[0]), np.flatnonzero(x))


@pytest.mark.parametrize("dtype", ("u1", "f2", "f4", "i8"))
def test_tests_as_text(gpu, dtype):
    x = values(dtype, 3000, 5)
    there = DeviceArray.from_host(x, gpu)
    wanted = x[(x > 3) & (x < 90)]
    assert 0 < wanted.size < x.size
    same(own(hd.compress("x > 3 && x < 90", there)), wanted)
    same(hd.compress("x > 3 && x < 90", x, device=gpu), wanted)
    with pytest.raises(ValueError, match="does not compile.*correct it"):
        hd.compress("x > nothing", there)
    with pytest.raises(ValueError, match="not along axis"):
        hd.compress("x > 3", there, axis=1)


def test_text_on_the_host():
    with pytest.raises(TypeError, match="for arrays of a device"):
        hd.compress("x > 3", np.ones(4))


@pytest.mark.parametrize("length", LENGTHS)
def test_runs(gpu, length):
    keys, x = keys_of("i4", length, 4, length), values("f4", length, 2)
    there, with_them = DeviceArray.from_host(keys, gpu), DeviceArray.from_host(x, gpu)
    for got, wanted in zip(hd.run_length_encode(there), hd.run_length_encode(keys)):
        same(own(got), wanted)
    for got, wanted in zip(hd.reduce_by_key(there, with_them), hd.reduce_by_key(keys, x)):
        same(own(got), wanted)
    same(own(hd.scan_by_key(there, with_them)), hd.scan_by_key(keys, x))


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "i4"))
def test_ranks(gpu, dtype):
    """One number of each row; as float64, which an even row's middle needs."""
    x = values(dtype, 60 * 41, 3).reshape(60, 41)
    there = DeviceArray.from_host(x, gpu)
    for axis, keepdims in ((None, False), (1, False), (1, True)):
        same(own(hd.median(there, axis, keepdims=keepdims)),
             np.asarray(hd.median(x.astype("f8"), axis, keepdims=keepdims)))
        for method in ("lower", "linear", "hazen"):
            wanted = hd.quantile(x.astype("f8"), 0.3, axis, method=method, keepdims=keepdims)
            same(own(hd.quantile(there, 0.3, axis, method=method, keepdims=keepdims)), np.asarray(wanted))
    with pytest.raises(ValueError, match="one share"):
        hd.quantile(there, [0.25, 0.5])


def test_refused(gpu):
    there = DeviceArray.from_host(np.ones((4, 4), np.float32), gpu)
    with pytest.raises(TypeError, match="one device, or both on the host"):
        hd.extract(np.ones((4, 4)), there)
    with pytest.raises(ValueError, match="use flatnonzero"):
        hd.nonzero(there)
    with pytest.raises(TypeError, match="use flatnonzero"):
        hd.argwhere(there)
    with pytest.raises(TypeError, match="return_inverse"):
        hd.unique_consecutive(DeviceArray.from_host(np.ones(4), gpu), return_inverse=True)
