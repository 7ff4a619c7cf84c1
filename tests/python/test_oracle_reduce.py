"""sum, prod, min, max, argmin, argmax, any, all, against NumPy: every dtype, length, layout, device.

Integers, extremes, indices and truths are compared with NumPy's; float sums and products with the
model of order v1, bit for bit, and with exact sums, by a bound.
"""

import numpy as np
import pytest
from hypothesis import strategies as st

import arrays
import exact
import heddle as hd
from arrays import BF16, Case, grid, is_float, plain, try_examples

TOTALS = ("sum", "prod")
EXTREMES = ("min", "max")
INDICES = ("argmin", "argmax")
TRUTHS = ("any", "all")
ALL = TOTALS + EXTREMES + INDICES + TRUTHS
PLACES = "device, function, dtype"


def on(device):
    """The keyword of a call: none on the CPU, where the short way is to be tested."""
    return {} if device == "cpu" else {"device": device}


def seen(array):
    """What NumPy is to compute with: f32 for bf16, which it does not know."""
    copy = plain(array)
    return copy.astype(np.float32) if copy.dtype == BF16 else copy


def check_zero(function, got, x):
    """-0.0 is less than +0.0."""
    if got == 0 and x.dtype.kind == "f":
        signs = np.signbit(x[x == 0])
        assert np.signbit(got) == (signs.any() if function == "min" else signs.all())


def check_line(function, got, array, about=""):
    """The result of all elements of an array."""
    x, copy = seen(array), plain(array)
    if function in TOTALS and exact.name_of(copy.dtype):
        flat = copy.reshape(-1)
        exact.same_bits(got, exact.total(function, flat), about)
        (exact.check_sum if function == "sum" else exact.check_product)(got, flat, about=about)
        return
    with np.errstate(all="ignore"):
        exact.same_values(got, getattr(np, function)(x), about)
    if function in EXTREMES:
        check_zero(function, got, x)


def none_left(function, array):
    return array.size == 0 and function in EXTREMES + INDICES


def check_call(function, array, device, about):
    call = getattr(hd, function)
    if none_left(function, array):
        with pytest.raises(ValueError):
            getattr(np, function)(seen(array))
        with pytest.raises(ValueError, match="empty|zero-size"):
            call(array, **on(device))
        return
    check_line(function, call(array, **on(device)), array, about)


# ---- one dimension ------------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_every_length(device, function, dtype):
    for n in arrays.SIMT_LENGTHS if device == "simt" else arrays.LENGTHS:
        case = Case(dtype, (n,), "C", "small" if n % 2 else "words", n)
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
        array = case.array()
        check_call(function, array, device, case)

    try_examples(arrays.lines(dtype, device), holds, device, 25)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_views_have_the_bits_of_their_copies(device, function, dtype):
    def holds(case):
        array = case.array()
        if not none_left(function, array):
            call = getattr(hd, function)
            exact.same_bits(call(array, **on(device)), call(plain(array), **on(device)))

    try_examples(arrays.blocks(dtype, device), holds, device, 15)


def test_memory_is_not_written():
    for function in ALL:
        for layout in arrays.LAYOUTS:
            array = Case("f4", (7, 40), layout, "specials").array()
            before = array.tobytes()
            getattr(hd, function)(array)
            getattr(hd, function)(array, 0)
            assert array.tobytes() == before


# ---- axes ------------------------------------------------------------------------------------------

def lines_of(array, axis):
    """The lines along some axes, in C order, as the rows of two dimensions."""
    chosen = range(array.ndim) if axis is None else np.atleast_1d(np.array(axis, int)) % max(
        array.ndim, 1)
    chosen = sorted(int(i) for i in chosen)
    moved = np.moveaxis(array, chosen, range(array.ndim - len(chosen), array.ndim))
    length = int(np.prod([array.shape[i] for i in chosen]))
    rows = array.size // length if length else int(np.prod(moved.shape[:array.ndim - len(chosen)]))
    return np.ascontiguousarray(moved).reshape(rows, length)


def check_axis(function, array, axis, keepdims, device):
    """One call has NumPy's shape and values; its floats have the bits of a call for each line."""
    call, x = getattr(hd, function), seen(array)
    arguments = {"axis": axis, "keepdims": keepdims}
    try:
        with np.errstate(all="ignore"):
            wanted = getattr(np, function)(x, **arguments)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            call(array, **arguments, **on(device))
        return
    got = call(array, **arguments, **on(device))
    if function not in TOTALS or wanted.dtype.kind != "f":
        exact.same_values(got, wanted)
    else:
        assert type(got) is type(wanted) and got.dtype == wanted.dtype and got.shape == wanted.shape
    if wanted.dtype.kind == "f":
        lines = lines_of(plain(array), axis)
        if wanted.size and (lines.shape[1] or function in TOTALS):
            flat = np.asarray(got).reshape(-1)
            for i in arrays.some(len(lines)):
                exact.same_bits(flat[i], call(lines[i]), i)


@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_axes(device, function, dtype):
    @st.composite
    def calls(draw):
        case = draw(arrays.blocks(dtype, device))
        return case, draw(arrays.axes(len(case.shape), function not in INDICES)), draw(st.booleans())

    def holds(drawn):
        case, axis, keepdims = drawn
        if device == "simt" and isinstance(axis, tuple) and function not in ("sum", "min"):
            axis = None
        check_axis(function, case.array(), axis, keepdims, device)

    try_examples(calls(), holds, device, 20)


@pytest.mark.parametrize("function", ALL)
def test_long_rows_and_columns(function):
    for shape in ((3, 70001), (70001, 3), (300, 300), (2, 33, 1025), (1025, 33, 2)):
        for dtype in ("f4", "i2"):
            array = Case(dtype, shape, "C", "wide" if dtype == "f4" else "words").array()
            for axis in range(array.ndim):
                check_axis(function, array, axis, False, "cpu")


# ---- arguments ---------------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(TOTALS, devices=["cpu"]))
@pytest.mark.parametrize("wanted", ["?", "u1", "i4", "u8", "i8", "f2", "f4", "f8"])
def test_dtype(device, function, dtype, wanted):
    wanted = np.dtype(wanted)
    call = getattr(hd, function)
    for values in ("small", "extremes") if not is_float(dtype) else ("whole",):
        for shape, axis in (((0,), None), ((3,), None), ((129,), None), ((4, 33), 0)):
            array = Case(dtype, shape, "C", values).array()
            x = seen(array)
            if function == "prod" and array.size > 8:  # few factors
                few = np.arange(array.size).reshape(shape) % 40 == 0
                array = np.where(few, array, 1).astype(array.dtype)
                x = seen(array)
            with np.errstate(all="ignore"):
                precise = np.float64 if wanted.kind == "f" else wanted
                expected = getattr(np, function)(x, axis=axis, dtype=precise).astype(wanted)
            got = call(array, axis=axis, dtype=wanted)
            assert got.dtype == wanted and type(got) is type(expected)
            if wanted.kind != "f":
                exact.same_values(got, expected)
                continue
            with np.errstate(all="ignore"):
                close = np.isclose(got, expected, rtol=40 * float(np.finfo(wanted).eps))
                assert np.all(close | (np.asarray(got) == expected)), (got, expected)


@pytest.mark.parametrize("dtype", ["i2", "i4", "u8"])
def test_a_float_product_of_integers_does_not_wrap(dtype):
    x = np.full(9 if dtype != "u8" else 2, np.iinfo(dtype).max // 2 + 1, dtype)
    exact.same_values(hd.prod(x, dtype=np.float64), np.prod(x, dtype=np.float64))
    exact.same_values(hd.prod(x[:4], dtype=np.float32), np.prod(x[:4], dtype=np.float32))


@pytest.mark.parametrize("dtype", ["f2", "bf16", "f4", "f8"])
def test_float64_totals_have_the_bits_of_order_v1(dtype):
    for n in arrays.SHORT:
        x = Case(dtype, (n,), "C", "wide", n).array()
        for function in TOTALS:
            exact.same_bits(getattr(hd, function)(x, dtype=np.float64),
                            exact.total(function, x, np.float64), n)


@pytest.mark.parametrize("dtype", arrays.FLOATS)
@pytest.mark.parametrize("function", ALL[:6])
def test_skipna(dtype, function):
    known = getattr(np, "nan" + function)

    def holds(case):
        x = case.array()
        wide = seen(x)
        call = getattr(hd, function)
        if function not in TOTALS and (wide.size == 0 or np.isnan(wide).all()):
            with pytest.raises(ValueError):
                call(x, skipna=True)
            return
        got = call(x, skipna=True)
        if function in TOTALS:
            exact.same_bits(got, exact.total(function, plain(x), None, True))
        else:
            exact.same_values(got, known(wide))

    try_examples(arrays.lines(dtype, values=("specials", "words", "zeros")), holds)


@pytest.mark.parametrize("function", TOTALS + EXTREMES)
@pytest.mark.parametrize("dtype", ["u1", "i4", "u8", "f2", "f4", "f8"])
def test_initial_and_where(function, dtype):
    rng = np.random.default_rng(5)
    call, known = getattr(hd, function), getattr(np, function)
    for shape, axis in (((0,), None), ((1,), None), ((129,), None), ((4, 33), 1), ((4, 33), None)):
        x = Case(dtype, shape, "C", "whole" if dtype[0] == "f" else "small").array()
        if function == "prod":
            x = np.where(rng.random(shape) < 0.1, x, 1).astype(x.dtype)
        for initial in (0, 3, 100):
            with np.errstate(all="ignore"):
                exact.same_values(call(x, axis, initial=initial), known(x, axis, initial=initial))
                for where in (rng.random(shape) < 0.5, np.zeros(shape, bool), np.True_):
                    exact.same_values(call(x, axis, initial=initial, where=where),
                                      known(x, axis, initial=initial, where=where))


@pytest.mark.parametrize("function", TRUTHS + TOTALS)
def test_where_of_other_shapes(function):
    x = Case("i4", (4, 33), "C", "small").array()
    call, known = getattr(hd, function), getattr(np, function)
    for where in (np.arange(33) % 2 == 0, np.array([[True], [False], [True], [True]]), False, True,
                  [0, 1, 2] * 11):
        for axis in (None, 0, 1):
            exact.same_values(call(x, axis, where=where), known(x, axis, where=where))


@pytest.mark.parametrize("function", ALL)
def test_out(function):
    x = Case("f4", (5, 33), "C", "whole").array()
    call, known = getattr(hd, function), getattr(np, function)
    dtype = known(x, 0).dtype
    for out in (np.empty(33, dtype), np.empty(66, dtype)[::2], np.empty(33, dtype)[::-1]):
        wanted = known(x, 0)
        assert call(x, 0, out=out) is out
        assert np.array_equal(out, wanted)
    if function in TOTALS + EXTREMES:
        wide = np.empty(33, np.float64)
        assert call(x, 0, out=wide) is wide and np.array_equal(wide, known(x, 0))
    if function in TOTALS:  # computed in the dtype of `out`
        assert np.array_equal(call(x, 0, out=np.empty(33, np.int32)),
                              known(x, 0, out=np.empty(33, np.int32)))
    one = np.empty((), dtype)
    assert call(x, out=one) is one and one == known(x)


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("value", [3, 2.5, True, np.float32(-0.0), np.int8(-7), [], [1, 2], (0.5,),
                                   [[1, 2], [3, 4]], np.uint64(2 ** 64 - 1), range(5)])
def test_numbers_and_lists(function, value):
    call, known = getattr(hd, function), getattr(np, function)
    if none_left(function, np.asarray(value)):
        with pytest.raises(ValueError):
            call(value)
    else:
        exact.same_values(call(value), known(value))
        exact.same_values(call(value, keepdims=True), known(value, keepdims=True))


# ---- memory of a device -----------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(ALL), indirect=["device"])
def test_memory_of_the_device(device, function, dtype):
    call = getattr(hd, function)
    for n in (1, 1025):
        x = Case("f4" if dtype == "bf16" else dtype, (n,), "C", "small", n).array()
        got = call(arrays.placed(x, device))
        assert isinstance(got, hd.DeviceArray) or device == "cpu"
        exact.same_bits(arrays.fetched(got), call(x))
