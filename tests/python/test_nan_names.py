"""nansum and its kin: NumPy's results, warnings and errors; and the bits of skipna=True."""

import inspect
import warnings

import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

FOLDS = ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd")
INDICES = ("nanargmin", "nanargmax")
SCANS = ("nancumsum", "nancumprod")
NAMES = FOLDS + INDICES + SCANS


def table(dtype="f8", rows=7, columns=2051):
    rng = np.random.default_rng(columns)
    made = (1 + rng.standard_normal((rows, columns)) / 64).astype(dtype)
    if made.dtype.kind == "f":
        made[rng.random(made.shape) < 0.2] = np.nan
        made[:, 3] = 1
        made[2, :] = np.where(np.isnan(made[2, :]), 1, made[2, :])
    return made


def same(got, want, exact):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype
    if exact:
        np.testing.assert_array_equal(got, want)
    else:
        np.testing.assert_allclose(got, want, rtol=1e-3 if got.dtype.itemsize < 8 else 1e-9)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1", "?"])
@pytest.mark.parametrize("name", NAMES)
def test_numpys_results(name, dtype):
    a = table(dtype, 5, 131)
    if dtype == "?" and name in ("nanvar", "nanstd"):
        a = a.astype("u1")
    exact = name in ("nanmin", "nanmax") + INDICES or \
        dtype not in ("f4", "f8") and name not in ("nanmean", "nanvar", "nanstd")
    for axis in (None, 0, 1, -1):
        for x in (a, a.T, a[::2, ::-1]):
            want = getattr(np, name)(x, axis=axis)
            same(getattr(hd, name)(x, axis=axis), want, exact)


@pytest.mark.parametrize("name", NAMES)
def test_bits_of_skipna(name):
    plain = getattr(hd, name[3:])
    for dtype in ("f2", "f4", "f8"):
        a = table(dtype)
        for axis in (None, 0, 1):
            got, want = getattr(hd, name)(a, axis), plain(a, axis, skipna=True)
            assert np.asarray(got).tobytes() == np.asarray(want).tobytes()
            assert np.asarray(got).tobytes() == np.asarray(
                getattr(hd, name)(a, axis, threads=2)).tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_arguments_are_numpys_by_name_and_place(name):
    theirs = inspect.signature(getattr(np, name)).parameters
    ours = list(inspect.signature(getattr(hd, name)).parameters)
    shared = [p for p in theirs if p in ours]
    assert shared == [p for p in ours if p in shared] and len(shared) >= 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_nothing_but_nan(name, axis):
    a = np.array([[np.nan, np.nan], [np.nan, 2.0]])
    for x in (a, np.full((2, 2), np.nan), np.full((2, 2), np.nan, "f4")):
        got, want = (outcome(getattr(m, name), x, axis=axis) for m in (hd, np))
        if isinstance(want, type):
            assert got is want
        else:
            np.testing.assert_array_equal(got, want, strict=True)


@pytest.mark.parametrize("name", ["nanmin", "nanmax", "nanmean", "nanvar"])
def test_nothing_but_nan_is_warned_of(name):
    nan = np.full((2, 3), np.nan)
    for axis in (None, 1):
        with pytest.warns(RuntimeWarning):
            found = getattr(hd, name)(nan, axis=axis, keepdims=True)
        assert np.isnan(found).all() and np.shape(found) == ((1, 1) if axis is None else (2, 1))
    mixed = np.array([[np.nan, np.inf], [np.nan, np.nan], [-np.inf, 5]])
    with pytest.warns(RuntimeWarning):
        np.testing.assert_array_equal(
            getattr(hd, name)(mixed, 1) if name in ("nanmin", "nanmax") else hd.nanmin(mixed, 1),
            np.nanmax(mixed, 1) if name == "nanmax" else [np.inf, np.nan, -np.inf])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        getattr(hd, name)([1.0, np.nan, 2.0])


@pytest.mark.parametrize("name", ["nanmin", "nanmax"])
def test_extremes_with_out_initial_and_where(name):
    a = np.array([[np.nan, np.nan], [4.0, 2.0]])
    for words in ({"initial": 3.0}, {"initial": 3.0, "where": [[True, False], [True, True]]}):
        np.testing.assert_array_equal(getattr(hd, name)(a, axis=1, **words),
                                      getattr(np, name)(a, axis=1, **words))
    out = np.zeros(2, "f4")
    with pytest.warns(RuntimeWarning):
        assert getattr(hd, name)(a, axis=1, out=out) is out
    assert np.isnan(out[0]) and out[1] == (2 if name == "nanmin" else 4)
    for empty in (np.zeros((0,)), np.zeros((2, 0))):
        with pytest.raises(ValueError):
            getattr(hd, name)(empty)
    with pytest.raises(np.exceptions.AxisError):
        getattr(hd, name)(np.full(3, np.nan), axis=4)
