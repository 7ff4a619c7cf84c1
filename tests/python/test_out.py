"""out=: it says what is added in, as NumPy has it; initial= of bool; arrays without dimensions."""


import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

DTYPES = ["?", "u1", "i1", "u2", "i4", "u8", "i8", "e", "f", "d"]
NUMBERS = [100, 100, 100, 1, 7]


@pytest.mark.parametrize("name,wanted", [
    (name, wanted) for name in ("sum", "prod", "cumsum", "cumprod") for wanted in DTYPES
    if not (name.startswith("cum") and wanted == "?")])  # running totals of bool are refused
@pytest.mark.parametrize("dtype", DTYPES)
def test_out_is_the_dtype(name, dtype, wanted):
    a = np.array(NUMBERS if name.endswith("sum") else [3, 2, 1, 5, 4], dtype)
    shape = a.shape if name.startswith("cum") else ()
    for options in ({}, {"threads": 2}):
        got, want = np.zeros(shape, wanted), np.zeros(shape, wanted)
        if dtype in "efd" and wanted in ("u1", "i1") and name.endswith("sum"):
            with pytest.raises(OverflowError, match="^out: "):  # where NumPy casts 308 to 52
                getattr(hd, name)(a, out=got, **options)
            continue
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


@pytest.mark.parametrize("name", ["sum", "prod", "cumsum", "cumprod"])
def test_out_that_holds_less_takes_the_total(name):
    """Elements are not cut before they are added."""
    for values in ([0.75] * 8, [-0.75, -0.5, -2.5], [0.5, -0.5], [1.5, 1.5, 3.0]):
        for dtype in "efd":
            a = np.array(values, dtype)
            for wanted in ("?", "i1", "i4", "i8", "u4"):
                if wanted == "?" and name.startswith("cum"):
                    continue  # refused
                for axis in (None, 0):
                    got, want = (np.zeros(a.shape if "cum" in name else (), wanted) for _ in "12")
                    raw = getattr(np, name)(a, axis)
                    if wanted == "u4" and np.min(raw) <= -1:
                        with pytest.raises(OverflowError, match="^out: "):
                            getattr(hd, name)(a, axis, out=got)
                        continue
                    getattr(hd, name)(a, axis, out=got)
                    getattr(np, name)(a, axis, out=want) if "cum" not in name else \
                        np.copyto(want, raw, casting="unsafe")
                    assert got.tolist() == want.tolist(), (values, dtype, wanted)


def test_out_of_bool_takes_the_total_of_integers():
    for values in ([1, -1], [1, 1], [0], [16, 16], [-128, -128]):
        a = np.array(values, np.int8)
        for name in ("sum", "prod"):
            got, want = np.zeros((), bool), np.zeros((), bool)
            getattr(hd, name)(a, out=got)
            getattr(np, name)(a, out=want)
            assert got == want


@pytest.mark.parametrize("total", [1e300, np.inf, np.nan, -1e19, 300.0])
def test_out_of_integers_that_do_not_hold_the_total(total):
    out = np.full((), 7, np.int8)
    with pytest.raises(OverflowError, match="^out: "):
        hd.sum(np.array([total]), out=out)
    assert out == 7


def test_out_in_another_byte_order():
    out = np.zeros((), ">f8")
    hd.sum(np.full(3000, 0.1, "f"), out=out)
    assert out == hd.sum(np.full(3000, 0.1, "f"), dtype="d")


def test_out_of_other_numbers():
    out = np.zeros((), complex)
    hd.sum(np.ones(3), out=out)
    assert out == 3


FUNCTIONS = ("sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean", "var", "std",
             "cumsum", "cumprod", "minimum_accumulate", "maximum_accumulate")


@pytest.mark.parametrize("kind", ["S8", "U8", "M8[s]", "m8[s]", "V8", [("a", "f8")]], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_out_that_is_not_of_numbers(name, kind):
    """NumPy's rules of casting would write numbers as text."""
    for dtype in DTYPES:
        a = np.array([1, 0, 1], dtype)
        out = np.zeros((3,) if "cum" in name else (), kind)
        with pytest.raises((TypeError, ValueError), match="^out: "):
            getattr(hd, name)(a, out=out)


@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_out_of_indices_is_of_integers(name):
    for dtype in ("?", "e", "f", "d", complex):
        with pytest.raises(TypeError, match="^out: "):
            getattr(hd, name)(np.arange(5.0), out=np.zeros((), dtype))
    for dtype in ("i1", "i2", "i4", "i8"):
        out, want = np.zeros((), dtype), np.zeros((), dtype)
        getattr(hd, name)(np.arange(5.0), out=out)
        getattr(np, name)(np.arange(5.0), out=want)
        assert out == want


def test_integers_that_out_does_not_hold():
    """NumPy wraps the index, and the elements before it compares them."""
    a = np.zeros(1000, int)
    a[500], a[7] = 300, -200
    for name in ("argmax", "max", "min"):
        out = np.full((), 99, np.int8)
        with pytest.raises(OverflowError, match="^out: .* is out of bounds for int8"):
            getattr(hd, name)(a, out=out)
        assert out == 99
    with pytest.raises(OverflowError, match="^out: "):
        hd.cumsum(a, dtype=int, out=np.zeros(1000, np.int8))
    with pytest.raises(OverflowError, match="^out: "):
        hd.maximum_accumulate(a, out=np.zeros(1000, np.int8))
    out = np.zeros(3, np.int8)
    assert hd.max(np.arange(12).reshape(3, 4), axis=1, out=out) is out and out.tolist() == [3, 7, 11]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_out_is_no_tuple_or_list(name):
    for out in ((np.zeros(()),), [np.zeros(())], (None,), [0]):
        with pytest.raises(TypeError, match="^out: "):
            getattr(hd, name)(np.arange(5.0), out=out)


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
