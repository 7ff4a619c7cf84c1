"""cumsum, cumprod, minimum_accumulate, maximum_accumulate against NumPy, and the law of order v1:
element i of a running sum has the bits of the sum of elements 0 to i.
"""

import numpy as np
import pytest
from hypothesis import strategies as st

import arrays
import exact
import heddle as hd
from arrays import BF16, Case, grid, is_float, plain, try_examples

SUMS = {"cumsum": "sum", "cumprod": "prod"}
EXTREMES = {"minimum_accumulate": "min", "maximum_accumulate": "max"}
ALL = tuple(SUMS) + tuple(EXTREMES)
OF_NUMPY = {"cumsum": np.cumsum, "cumprod": np.cumprod,
            "minimum_accumulate": np.minimum.accumulate,
            "maximum_accumulate": np.maximum.accumulate}
PLACES = "device, function, dtype"


def on(device):
    return {} if device == "cpu" else {"device": device}


def seen(array):
    copy = plain(array)
    return copy.astype(np.float32) if copy.dtype == BF16 else copy


def check_line(function, got, array, about=""):
    """The running totals of all elements of an array, in C order."""
    copy = plain(array).reshape(-1)
    if function in SUMS and exact.name_of(copy.dtype):
        exact.same_bits(got, exact.totals(SUMS[function], copy), about)
        return
    with np.errstate(all="ignore"):
        wanted = OF_NUMPY[function](seen(array).reshape(-1))
    exact.same_values(got, wanted, about)
    if function in EXTREMES and wanted.dtype.kind == "f":
        check_zeros(function, got, seen(array).reshape(-1))


def check_zeros(function, got, x):
    """-0.0 is less than +0.0: where a running extreme is a zero, its sign is that of the first so
    extreme zero."""
    extreme = np.signbit(x) if function == "minimum_accumulate" else ~np.signbit(x)
    seen_one = np.logical_or.accumulate((x == 0) & extreme)
    negative = seen_one if function == "minimum_accumulate" else ~seen_one
    at = got == 0
    assert np.array_equal(np.signbit(got[at]), negative[at])


def check_call(function, array, device, about):
    call = getattr(hd, function)
    if array.ndim != 1 and function in EXTREMES:
        return
    check_line(function, call(array, **on(device)), array, about)


# ---- one dimension ------------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_every_length(device, function, dtype):
    for n in arrays.SIMT_LENGTHS if device == "simt" else arrays.LENGTHS:
        values = ("small", "words", "near1")[n % 3] if is_float(dtype) else ("small", "odd")[n % 2]
        case = Case(dtype, (n,), "C", values, n)
        check_call(function, case.array(), device, case)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_every_layout(device, function, dtype):
    for case in arrays.every_layout(dtype, device):
        check_call(function, case.array(), device, case)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_every_sort_of_value(device, function, dtype):
    for case in arrays.every_sort_of_value(dtype, device):
        check_call(function, case.array(), device, case)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_lines(device, function, dtype):
    def holds(case):
        check_call(function, case.array(), device, case)

    try_examples(arrays.lines(dtype, device), holds, device, 20)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_each_element_is_the_total_so_far(device, function, dtype):
    """The bits of a sum, product, min or max of the elements up to it."""
    whole = getattr(hd, {**SUMS, **EXTREMES}[function])

    def holds(case):
        array = case.array()
        got = getattr(hd, function)(array, **on(device))
        for i in np.unique(np.random.default_rng(case.seed).integers(0, max(len(array), 1), 8)):
            if len(array):
                exact.same_bits(got[i], whole(array[:i + 1]), i)

    try_examples(arrays.lines(dtype, device), holds, device, 15)


@pytest.mark.parametrize("dtype", arrays.FLOATS)
def test_running_sums_are_near_exact_ones(dtype):
    for values in ("small", "wide", "specials", "tiny", "finite"):
        x = Case(dtype, (4097,), "C", values, 7).array()
        got = hd.cumsum(x)
        for i in (0, 1, 2, 63, 64, 1023, 1024, 2047, 2048, 4095, 4096):
            exact.check_sum(got[i], x[:i + 1])


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1"])
def test_long(function, dtype):
    """What is cut between threads."""
    for n in (300001, 1 << 20):
        array = Case(dtype, (n,), "C", "words" if dtype[0] in "iu" else "near1", 3).array()
        check_line(function, getattr(hd, function)(array), array)


# ---- axes ------------------------------------------------------------------------------------------

def check_axis(function, array, axis, device):
    call, x = getattr(hd, function), seen(array)
    try:
        with np.errstate(all="ignore"):
            wanted = OF_NUMPY[function](x, axis=axis)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            call(array, axis=axis, **on(device))
        return
    got = call(array, axis=axis, **on(device))
    assert type(got) is type(wanted) and got.shape == wanted.shape and got.dtype == wanted.dtype
    if function in EXTREMES or wanted.dtype.kind != "f":
        exact.same_values(got, wanted)
    if wanted.dtype.kind == "f" and got.ndim and axis is not None:
        rows, source = np.moveaxis(got, axis, -1), np.moveaxis(plain(array), axis, -1)
        for i in arrays.some(int(np.prod(rows.shape[:-1]))):
            index = np.unravel_index(i, rows.shape[:-1])
            exact.same_bits(rows[index].copy(), call(source[index].copy()), index)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_axes(device, function, dtype):
    @st.composite
    def calls(draw):
        case = draw(arrays.blocks(dtype, device))
        return case, draw(arrays.axes(len(case.shape), False))

    def holds(drawn):
        case, axis = drawn
        if function in EXTREMES and (axis is None or not case.shape):
            axis = 0
            case = case._replace(shape=case.shape or (1,))
        check_axis(function, case.array(), axis, device)

    try_examples(calls(), holds, device, 25)


@pytest.mark.parametrize("function", ALL)
def test_long_rows_and_columns(function):
    for shape in ((3, 70001), (70001, 3), (300, 300), (2, 33, 1025), (1025, 33, 2)):
        for dtype in ("f4", "i2"):
            array = Case(dtype, shape, "C", "near1" if dtype == "f4" else "words").array()
            for axis in range(array.ndim):
                got = getattr(hd, function)(array, axis)
                if dtype == "i2" or function in EXTREMES:
                    exact.same_values(got, OF_NUMPY[function](array, axis))
                    continue
                last = np.take(got, -1, axis)
                exact.same_bits(last, getattr(hd, SUMS[function])(array, axis))


def test_default_axes():
    x = np.arange(6).reshape(2, 3)
    for function in ALL:
        exact.same_values(getattr(hd, function)(x), OF_NUMPY[function](x))


# ---- arguments ---------------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(ALL, devices=["cpu"]))
@pytest.mark.parametrize("wanted", ["u1", "i4", "u8", "i8", "f2", "f4", "f8"])
def test_dtype(device, function, dtype, wanted):
    wanted = np.dtype(wanted)
    for shape in ((0,), (9,), (4, 3)):
        array = Case(dtype, shape, "C", "whole" if is_float(dtype) else "small").array()
        with np.errstate(all="ignore"):
            precise = np.float64 if wanted.kind == "f" and function in SUMS else wanted
            expected = OF_NUMPY[function](seen(array), axis=0, dtype=precise)
        got = getattr(hd, function)(array, axis=0, dtype=wanted)
        assert got.dtype == wanted and got.shape == expected.shape
        if wanted.kind != "f":
            exact.same_values(got, expected)
            continue
        with np.errstate(all="ignore"):
            assert np.allclose(got, expected.astype(wanted), rtol=8 * float(np.finfo(wanted).eps),
                               equal_nan=True)


@pytest.mark.parametrize("dtype", ["i2", "i4", "u8"])
def test_a_float_product_of_integers_does_not_wrap(dtype):
    x = np.full(9 if dtype != "u8" else 2, np.iinfo(dtype).max // 2 + 1, dtype)
    exact.same_values(hd.cumprod(x, dtype=np.float64), np.cumprod(x, dtype=np.float64))
    exact.same_values(hd.cumprod(x[:4], dtype=np.float32), np.cumprod(x[:4], dtype=np.float32))


@pytest.mark.parametrize("dtype", ["f2", "bf16", "f4", "f8"])
def test_float64_totals_have_the_bits_of_order_v1(dtype):
    for n in arrays.SHORT:
        x = Case(dtype, (n,), "C", "wide", n).array()
        for function, op in SUMS.items():
            exact.same_bits(getattr(hd, function)(x, dtype=np.float64),
                            exact.totals(op, x, np.float64), n)


@pytest.mark.parametrize("dtype", arrays.FLOATS)
@pytest.mark.parametrize("function", ALL)
def test_skipna(dtype, function):
    def holds(case):
        x = case.array()
        got = getattr(hd, function)(x, skipna=True)
        if function in SUMS:
            exact.same_bits(got, exact.totals(SUMS[function], plain(x), None, True))
            return
        wide = seen(x)
        nothing = np.inf if function == "minimum_accumulate" else -np.inf
        filled = np.where(np.isnan(wide), wide.dtype.type(nothing), wide)
        wanted = OF_NUMPY[function](filled)
        any_yet = np.logical_or.accumulate(~np.isnan(wide))
        assert np.array_equal(got[any_yet], wanted[any_yet])

    try_examples(arrays.lines(dtype, values=("specials", "words", "zeros")), holds)


@pytest.mark.parametrize("function", ALL)
def test_out(function):
    x = Case("f4", (5, 33), "C", "whole").array()
    wanted = OF_NUMPY[function](x, 1)
    for out in (np.empty((5, 33), "f4"), np.empty((10, 66), "f4")[::2, ::-2], np.empty((33, 5), "f4").T,
                np.empty((5, 33), "f8"), np.empty((5, 33), ">f4")):
        assert getattr(hd, function)(x, 1, out=out) is out
        assert np.allclose(out, wanted, rtol=1e-6)
    same = x.copy()
    assert getattr(hd, function)(same, 1, out=same) is same
    assert np.allclose(same, wanted, rtol=1e-6)
    shifted = np.concatenate([np.zeros(1, "f4"), x[0]])
    getattr(hd, function)(shifted[:-1], 0, out=shifted[1:])
    assert np.allclose(shifted[1:], OF_NUMPY[function](np.concatenate([[0], x[0, :-1]])), rtol=1e-6)


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("value", [3, 2.5, True, np.int8(-7), [], [1, 2], (0.5,), [[1, 2], [3, 4]],
                                   range(5)])
def test_numbers_and_lists(function, value):
    call = getattr(hd, function)
    try:
        wanted = OF_NUMPY[function](value)
    except TypeError:
        with pytest.raises((TypeError, ValueError)):
            call(value)
        return
    exact.same_values(call(value), wanted)


# ---- memory of a device -----------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_memory_of_the_device(device, function, dtype):
    call = getattr(hd, function)
    for n in (1, 1025):
        x = Case("f4" if dtype == "bf16" else dtype, (n,), "C", "small", n).array()
        got = call(arrays.placed(x, device))
        assert isinstance(got, hd.DeviceArray) or device == "cpu"
        exact.same_bits(arrays.fetched(got), call(x))
