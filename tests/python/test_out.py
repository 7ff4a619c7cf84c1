"""out=: it says what is added in, as NumPy has it; initial= of bool; arrays without dimensions."""

import warnings

import numpy as np
import pytest

import heddle as hd

DTYPES = ["?", "u1", "i1", "u2", "i4", "u8", "i8", "e", "f", "d"]
NUMBERS = [100, 100, 100, 1, 7]


def outcome(call):
    """A result, or the type of what was raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:
            return next(kind for kind in (TypeError, OverflowError, ValueError)
                        if isinstance(error, kind))


@pytest.mark.parametrize("name,wanted", [
    (name, wanted) for name in ("sum", "prod", "cumsum", "cumprod") for wanted in DTYPES
    if not (name.startswith("cum") and wanted == "?")])  # running totals of bool are refused
@pytest.mark.parametrize("dtype", DTYPES)
def test_out_is_the_dtype(name, dtype, wanted):
    a = np.array(NUMBERS if name.endswith("sum") else [3, 2, 1, 5, 4], dtype)
    shape = a.shape if name.startswith("cum") else ()
    for options in ({}, {"threads": 2}):
        got, want = np.zeros(shape, wanted), np.zeros(shape, wanted)
        assert getattr(hd, name)(a, out=got, **options) is got
        getattr(np, name)(a, out=want)
        assert got.tolist() == want.tolist()


def test_out_is_wider():
    a = np.full(3000, 0.1, "f")
    a[7] = 0.3
    out = np.zeros(())
    hd.sum(a, out=out)
    assert out == hd.sum(a, dtype="d") != hd.sum(a)
    line = np.zeros(3000)
    hd.cumsum(a, out=line)
    assert (line == hd.cumsum(a, dtype="d")).all()
    hd.mean(a, out=out)
    assert out == np.mean(a, dtype="d") != hd.mean(a)
    rows = np.zeros(30)
    hd.sum(a.reshape(30, 100), axis=1, out=rows)
    assert (rows == hd.sum(a.reshape(30, 100), axis=1, dtype="d")).all()
    hd.sum(a, dtype="f", out=out)  # what was said
    assert out == hd.sum(a)


def test_out_in_another_byte_order():
    out = np.zeros((), ">f8")
    hd.sum(np.full(3000, 0.1, "f"), out=out)
    assert out == hd.sum(np.full(3000, 0.1, "f"), dtype="d")


def test_out_of_other_numbers():
    out = np.zeros((), complex)
    hd.sum(np.ones(3), out=out)
    assert out == 3


@pytest.mark.parametrize("initial", [True, False, 0, 5, 2.5, np.bool_(True)])
@pytest.mark.parametrize("values", [[], [False], [True], [False, True]])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_initial_of_bool(name, values, initial):
    got = getattr(hd, name)(values, dtype=bool, initial=initial)
    assert got == getattr(np, name)(values, dtype=bool, initial=initial)
    assert type(got) is np.bool_
    table = np.array([values, values], bool)
    assert hd.sum(table, axis=1, dtype=bool, initial=initial, where=table).tolist() == \
        np.sum(table, axis=1, dtype=bool, initial=initial, where=table).tolist()


@pytest.mark.parametrize("name,axis", [
    (name, axis) for axis in (None, 0, -1, 1, -2, (), (0,))
    for name in ("sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "cumsum", "cumprod",
                 "mean", "var", "std")
    if not (axis == () and name in ("mean", "var", "std"))])  # NumPy divides by nothing
def test_axes_of_no_dimensions(name, axis):
    for a in (np.array(3.0), np.float32(2.5), 7, np.array(0, "u1")):
        got, want = (outcome(lambda m=m: getattr(m, name)(a, axis=axis)) for m in (hd, np))
        if not isinstance(want, type):
            assert got == want and type(got) is type(want) and got.dtype == want.dtype
            assert got.shape == want.shape
        else:
            assert got is want


def test_accumulating_no_dimensions():
    for axis in (0, -1):
        with pytest.raises(TypeError, match="cannot accumulate on a scalar"):
            np.maximum.accumulate(np.array(3.0), axis)
        with pytest.raises(TypeError, match="cannot accumulate on a scalar"):
            hd.maximum_accumulate(np.array(3.0), axis)
