"""initial=: converted as NumPy converts it, for every dtype, with and without elements and masks."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

FOLDS = ("sum", "prod", "min", "max")
DTYPES = ("?", "u1", "i1", "u2", "i4", "u8", "i8", "e", "f", "d")
INITIALS = [True, False, np.True_, np.False_, None, 0, 1, 2, -1, 300, 2.75, -0.5, 2**31, 2**63, 2**64,
            2**70, -(2**70), 1e300, -1e300, float("nan"), float("inf"), np.int64(300), np.uint8(7),
            np.float32(2.5), np.array(3)]


def same(got, want):
    if isinstance(want, type):
        assert got is want
    else:
        np.testing.assert_array_equal(got, want, strict=True)


@pytest.mark.parametrize("initial", INITIALS, ids=repr)
@pytest.mark.parametrize("name", FOLDS)
def test_initial(name, initial):
    for dtype, values in itertools.product(DTYPES, ([], [0], [1], [3], [1, 0, 1], [5, 1, 2])):
        a = np.array(values, dtype)
        for options in ({}, {"keepdims": True}, {"axis": 0}, {"where": a != 1}):
            same(*(outcome(lambda m=m: getattr(m, name)(a, initial=initial, **options))
                   for m in (hd, np)))


@pytest.mark.parametrize("initial", [[1, 2], np.ones(1), "words", "5", 1j, np.datetime64("2000-01-01"),
                                     object()], ids=repr)
@pytest.mark.parametrize("name", FOLDS)
def test_initial_that_is_no_number(name, initial):
    for dtype in DTYPES:
        with pytest.raises((TypeError, ValueError), match="^initial: one "):
            getattr(hd, name)(np.array([1, 0, 1], dtype), initial=initial)


@pytest.mark.parametrize("wanted", ["e", "f", "d", "i8", "?"])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_initial_is_of_the_dtype(name, wanted):
    """Integers added to a fraction."""
    for dtype in DTYPES:
        a = np.array([3, 0, 1], dtype)
        for initial in (1.5, -0.25, 2, True):
            for options in ({}, {"axis": 0}, {"where": a != 0}):
                same(*(outcome(lambda m=m: getattr(m, name)(a, dtype=wanted, initial=initial,
                                                           **options)) for m in (hd, np)))


@pytest.mark.parametrize("name", FOLDS)
def test_extremes_of_bool_and_initial_along_an_axis(name):
    table = np.array([[True, False, True], [False, False, True]])
    for initial in (True, False, None):
        for axis in (0, 1, (0, 1), ()):
            same(getattr(hd, name)(table, axis, initial=initial),
                 getattr(np, name)(table, axis, initial=initial))
            same(*(outcome(lambda m=m: getattr(m, name)(table, axis, initial=initial, where=~table))
                   for m in (hd, np)))


@pytest.mark.parametrize("shape, axis", [((0,), None), ((0,), 0), ((3, 0), 1), ((3, 0), 0),
                                         ((0, 3), 0), ((0, 3), 1), ((0, 3), (0, 1))])
@pytest.mark.parametrize("name", FOLDS)
def test_none_is_no_identity(name, shape, axis):
    for initial in ({}, {"initial": None}, {"initial": 1}):
        for dtype in "?bd":
            same(*(outcome(lambda m=m: getattr(m, name)(np.zeros(shape, dtype), axis, **initial))
                   for m in (hd, np)))


@pytest.mark.parametrize("initial", [2, -3.5, float("nan"), 300])
@pytest.mark.parametrize("name", FOLDS)
def test_initial_of_bfloat16(name, initial):
    a = np.array([1.5, -2.0, 0.25], ml_dtypes.bfloat16)
    same(getattr(hd, name)(a, initial=initial), getattr(np, name)(a.astype("f"), initial=initial))


@pytest.mark.parametrize("name", FOLDS)
def test_initial_on_a_device(name, device):
    for dtype in "?if":
        a = np.array([[3, 1, 2], [0, 5, 4]], dtype)
        for initial in (False, True, 2):
            same(getattr(hd, name)(a, initial=initial, device=device),
                 getattr(np, name)(a, initial=initial))
