"""Means, variances and descriptions of tensors by an exchange table, of the host and of a device.

A device makes them of what it has found, and nothing waits: heddle/_plain.py calls these entries, and their
results have the bits of those of NumPy's arrays.
"""

import gc

import numpy as np
import pytest

import heddle as hd
from heddle._native import DECLINED, methods
from test_exchange import far, frame, same, values  # noqa: F401

DTYPES = ["f4", "f8", "f2", "i1", "i4", "i8", "u1", "u8"]


def mean(x, axis=None, keepdims=False, skip=False, dtype=None):
    return methods.device_mean(x, axis, keepdims, skip, dtype, True, None)


def variance(x, axis=None, root=0, ddof=0, keepdims=False, skip=False, dtype=None):
    return methods.device_variance(x, ddof, root, axis, keepdims, skip, dtype, True, None)


def alike(found, wanted):
    """As `same`, but for which NaN one is."""
    found = found.host() if hasattr(found, "host") else np.asarray(found)
    wanted = np.asarray(wanted)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", DTYPES)
def test_means(frame, dtype):
    a = values(dtype, 6, 50)
    x = frame.of(a)
    for axis, keepdims in ((None, False), (None, True), (0, False), (1, True), ((0, 1), False)):
        found = mean(x, axis, keepdims)
        same(found, hd.mean(a, axis, keepdims=keepdims))
    same(mean(x, dtype=np.float64), hd.mean(a, dtype=np.float64))


@pytest.mark.parametrize("dtype", DTYPES)
def test_variances(frame, dtype):
    a = values(dtype, 6, 50)
    x = frame.of(a)
    for root, like in ((0, hd.var), (1, hd.std)):
        for axis, keepdims in ((None, False), (0, True), (1, False)):
            for ddof in (0, 1.5):
                same(variance(x, axis, root, ddof, keepdims), like(a, axis, ddof=ddof, keepdims=keepdims))
        same(variance(x, root=root, dtype=np.float64), like(a, dtype=np.float64))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_figures_of_what_is_not_finite(far, dtype):
    a = values(dtype, 7, 40)
    a[0, 3] = np.nan
    a[1, 4] = np.inf
    a[2, 5:7] = np.inf, -np.inf
    a[3] = np.finfo(dtype).max  # whose sum is beyond the type, and whose mean is not
    a[4] = -0.0
    a[5, 1:] = np.nan
    x = far.of(a)
    with np.errstate(all="ignore"):
        for skip in (False, True):
            alike(mean(x, 1, skip=skip), hd.mean(a, 1, skipna=skip))
            alike(mean(x, skip=skip), hd.mean(a, skipna=skip))
            alike(variance(x, 1, skip=skip), hd.var(a, 1, skipna=skip))
            for row in range(6):
                alike(mean(far.of(a[row]), skip=skip), hd.mean(a[row], skipna=skip))
                alike(variance(far.of(a[row]), skip=skip), hd.var(a[row], skipna=skip))
        alike(variance(far.of(a[1:2, 4])), hd.var(a[1:2, 4]))  # infinite, and alone


def test_divisors_that_are_not_positive(frame):
    """Are for Python's code, which warns; of NaN that are skipped the device knows alone."""
    x = frame.of(values("f4", 3, 2))
    for call in ({"ddof": 2, "axis": 1}, {"ddof": 6}, {"ddof": 7.5}):
        assert variance(x, **call) is DECLINED


def test_too_few_numbers(far):
    a = np.array([[1, np.nan, np.nan], [1, 2, np.nan], [1, 2, 4]], "f8")
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        wanted = hd.var(a, 1, ddof=1, skipna=True)
    alike(variance(far.of(a), 1, ddof=1, skip=True), wanted)
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        wanted = hd.var(a, 1, ddof=2.5, skipna=True)
    alike(variance(far.of(a), 1, ddof=2.5, skip=True), wanted)


def test_means_of_float64_are_quotients(far):
    """As the sum is divided, and not as describe finds them; where the sum is beyond float64 they are."""
    a = values("f8", 40, 3000)
    assert not np.array_equal(hd.mean(a, 1), hd.describe(a, 1).mean)
    same(mean(far.of(a), 1), hd.mean(a, 1))
    a[3] = 1e308
    same(mean(far.of(a), 1), hd.mean(a, 1))


def test_bfloat16(far):
    bits = np.arange(16256, 16300, dtype="u2")
    x = far.of(bits, is_bfloat16=True)
    wide = (bits.astype("u4") << 16).view("f4")
    same(mean(x), hd.mean(wide))
    same(variance(x), hd.var(wide))


@pytest.mark.parametrize("dtype", ["f4", "i8", "f2"])
def test_descriptions(far, dtype):
    a = values(dtype, 6, 50)
    a[1, 2] = 7 if dtype == "i8" else np.nan
    for skip in (False, True):
        found = methods.device_describe(far.of(a), skip)
        wanted = [part for name, part in hd.describe(a, skipna=skip)._asdict().items() if name != "nulls"]
        assert [type(part) for part in found] == [type(part) for part in wanted]
        np.testing.assert_array_equal(found, wanted)


def test_figures_wait_for_nothing(far):
    """A call asks the framework for the tensor, its stream, and memory once; means of rows of float64 twice."""
    x, wide = far.of(values("f4", 5, 100)), far.of(values("f8", 5, 100))
    for call, made in ((lambda: mean(x), 1), (lambda: variance(x), 1), (lambda: mean(x, 1), 1),
                       (lambda: variance(x, 1, root=1), 1), (lambda: mean(wide, 1), 2)):
        call()
        far.calls.clear()
        call()
        assert [c for c in far.calls if c != "look"] == ["stream", *["allocate"] * made, "import"]
        assert not far.pending or made == 1


def test_work_is_given_back(far):
    x = far.of(values("f8", 5, 100))
    for failing in ("allocate", "import"):  # what is not imported is the framework's, as it is stolen
        for call in (mean, variance):
            for axis in (None, 1):
                for far.spared in (0, 1) if axis and call is mean and failing == "allocate" else (0,):
                    far.fails.add(failing)
                    assert call(x, axis) is DECLINED
                    far.fails.clear()
                    assert not far.pending or failing == "import"
    far.spared = 0
    far.pending.clear()
    assert mean(x, 1).host().shape == (5,) and not far.pending
    whole = mean(x)
    assert len(far.pending) == 1
    del whole
    gc.collect()
    assert not far.pending


def test_bools_are_left_to_python(far):
    x = far.of(values("u1", 30) > 50)
    assert mean(x) is DECLINED and variance(x) is DECLINED and methods.device_describe(x, False) is DECLINED
