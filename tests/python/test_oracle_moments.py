"""mean, var, std, describe and dot against NumPy, the model of order v1, and exact sums."""

import warnings

import numpy as np
import pytest
from hypothesis import strategies as st

import arrays
import exact
import heddle as hd
from arrays import BF16, Case, grid, is_float, plain, try_examples

MOMENTS = ("mean", "var", "std")
PLACES = "device, function, dtype"


def on(device):
    return {} if device == "cpu" else {"device": device}


def seen(array):
    copy = plain(array)
    return copy.astype(np.float32) if copy.dtype == BF16 else copy


def result_dtype(array):
    """The dtype of a mean or variance."""
    if array.dtype.kind in "biu":
        return np.dtype("f8")
    return exact.result_dtype(array.dtype.newbyteorder("=") if array.dtype != BF16 else BF16)


def rounded(value, dtype):
    """A figure in f64, rounded once to the dtype of the result; every NaN is the same."""
    with np.errstate(all="ignore"):
        return np.float64(np.nan if np.isnan(value) else value).astype(dtype)


def beyond(x, quotient):
    """The mean where the total is not finite: of finite elements that of `describe`, if it is."""
    if np.isinf(x).any():
        return x.min() + x.max()
    found = exact.described(x)["mean"]
    return found if np.isfinite(found) else quotient


def expected(function, array):
    """The result's bits: the mean is a total in f64, divided; the variance that of `describe`."""
    x, dtype = plain(array).reshape(-1), result_dtype(array)
    if function == "mean":
        if exact.name_of(x.dtype):
            mean = exact.total("sum", x, np.float64) / np.float64(len(x))
            if dtype == np.float64 and not np.isfinite(mean):
                mean = beyond(x, mean)
            return rounded(mean, dtype)
        if x.dtype.itemsize == 8:
            return rounded(exact.described(x)["mean"], dtype)
        return rounded(float(x.sum(dtype=np.int64)) / len(x), dtype)
    variance = exact.described(x)["variance"]
    return rounded(np.sqrt(variance) if function == "std" else variance, dtype)


def check_line(function, got, array, about=""):
    with np.errstate(all="ignore"):
        exact.same_bits(got, expected(function, array), about)
    x = plain(array).reshape(-1)
    if function == "mean":
        wide = x if x.dtype.kind == "f" or x.dtype == BF16 else x.astype(np.float64)
        exact.check_sum(got, wide, acc=np.float64, divisor=len(x), about=about)
    elif function == "var":
        exact.check_variance(got, x if x.dtype != BF16 else x.astype(np.float32), about=about)


def check_call(function, array, device, about):
    call = getattr(hd, function)
    if array.size:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "overflow|invalid value")  # test_float_errors.py's
            got = call(array, **on(device))
        check_line(function, got, array, about)
        return
    with pytest.warns(RuntimeWarning):
        got = call(array, **on(device))
    exact.same_bits(got, rounded(np.nan, result_dtype(array)), about)


# ---- mean, var, std: one dimension ------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(MOMENTS), indirect=["device"])
def test_every_length(device, function, dtype):
    for n in arrays.SIMT_LENGTHS if device == "simt" else arrays.LENGTHS:
        case = Case(dtype, (n,), "C", "small" if n % 2 or is_float(dtype) else "words", n)
        check_call(function, case.array(), device, case)


@pytest.mark.parametrize(PLACES, grid(MOMENTS), indirect=["device"])
def test_every_layout(device, function, dtype):
    for case in arrays.every_layout(dtype, device):
        check_call(function, case.array(), device, case)


@pytest.mark.parametrize(PLACES, grid(MOMENTS), indirect=["device"])
def test_every_sort_of_value(device, function, dtype):
    for case in arrays.every_sort_of_value(dtype, device):
        check_call(function, case.array(), device, case)


@pytest.mark.parametrize(PLACES, grid(MOMENTS), indirect=["device"])
def test_lines(device, function, dtype):
    def holds(case):
        check_call(function, case.array(), device, case)

    try_examples(arrays.lines(dtype, device), holds, device, 15)


# ---- axes and arguments ------------------------------------------------------------------------

def check_axis(function, array, axis, keepdims, device, **more):
    """NumPy's shape, dtype and warnings, values near its own, and the bits of each row's call."""
    call, x = getattr(hd, function), seen(array)
    with warnings.catch_warnings(record=True) as told, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        wanted = getattr(np, function)(x.astype(np.float64), axis=axis, keepdims=keepdims, **more)
    warned = any("slice" in str(w.message) for w in told)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        got = call(array, axis=axis, keepdims=keepdims, **more, **on(device))
    assert any("slice" in str(w.message) for w in told) == warned
    wanted = rounded_array(wanted, result_dtype(array))
    assert type(got) is type(wanted) and got.dtype == wanted.dtype and got.shape == wanted.shape
    if np.isfinite(x).all() and x.size and np.isfinite(wanted).all():
        eps = float(np.finfo(got.dtype).eps)
        near = 64 * eps * float(np.abs(x.astype(np.float64)).max())
        if function == "var":
            near *= near + float(np.sqrt(np.max(wanted.astype(np.float64), initial=0)))
        with np.errstate(all="ignore"):
            assert np.allclose(got, wanted, rtol=64 * eps, atol=near)


def rounded_array(value, dtype):
    with np.errstate(all="ignore"):
        return value.astype(dtype)


@pytest.mark.parametrize(PLACES, grid(MOMENTS), indirect=["device"])
def test_axes(device, function, dtype):
    @st.composite
    def calls(draw):
        values = ("small", "whole", "equal", "specials", "near1") if is_float(dtype) else None
        case = draw(arrays.blocks(dtype, device, values))
        more = {"ddof": draw(st.sampled_from((0, 1, 2.5)))} if function != "mean" else {}
        return case, draw(arrays.axes(len(case.shape), device != "simt")), draw(st.booleans()), more

    def holds(drawn):
        case, axis, keepdims, more = drawn
        check_axis(function, case.array(), axis, keepdims, device, **more)

    try_examples(calls(), holds, device, 15)


@pytest.mark.parametrize("function", MOMENTS)
@pytest.mark.parametrize("dtype", arrays.DTYPES)
def test_rows_have_the_bits_of_their_calls(function, dtype):
    call = getattr(hd, function)
    for shape in ((3, 4097), (1025, 3), (5, 33), (1, 513), (513, 1)):
        for axis in (0, 1):
            array = Case(dtype, shape, "C", "small", axis).array()
            for more in ({},) if function == "mean" else ({}, {"ddof": 0.5}):
                got = call(array, axis, **more)
                each = [call(np.ascontiguousarray(row), **more) for row in np.moveaxis(array, axis, -1)]
                exact.same_bits(got, np.array(each))


@pytest.mark.parametrize("function", MOMENTS[1:])
def test_degrees_of_freedom(function):
    call, known = getattr(hd, function), getattr(np, function)
    x = Case("f8", (33,), "C", "small").array()
    for ddof in (0, 1, 2, 1.5, -1, 32):
        wanted = known(x, ddof=ddof)
        assert np.isclose(call(x, ddof=ddof), wanted, rtol=1e-14)
        assert np.isclose(call(x, correction=ddof), wanted, rtol=1e-14)
        exact.same_bits(call(x, ddof=ddof), call(x, ddof=ddof, threads=1))
        exact.same_bits(call(x, ddof=ddof), call(x[::-1][::-1], ddof=ddof, axis=0))
    for ddof in (33, 40):
        with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
            mine = call(x, ddof=ddof)
        with pytest.warns(RuntimeWarning, match="Degrees of freedom"), np.errstate(all="ignore"):
            wanted = known(x, ddof=ddof)
        exact.same_values(mine, wanted)


@pytest.mark.parametrize("function", MOMENTS)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i2", "u8"])
def test_dtype_out_where(function, dtype):
    x = Case(dtype, (5, 33), "C", "small").array()
    call, known = getattr(hd, function), getattr(np, function)
    wide = x.astype(np.float64)
    mask = np.random.default_rng(1).random(x.shape) < 0.6
    mask[0] = mask[:, 0] = True
    for axis in (None, 0, 1, (0, 1)):
        wanted = known(wide, axis)
        for kind in ("f2", "f4", "f8"):
            got = call(x, axis, dtype=kind)
            assert got.dtype == kind and np.allclose(got, wanted, rtol=2e-3 if kind == "f2" else 1e-6)
        out = np.empty(np.shape(wanted), np.float64)
        assert call(x, axis, out=out) is out and np.allclose(out, wanted, rtol=2e-3)
        got = call(x, axis, where=mask)
        assert np.allclose(got, known(wide, axis, where=mask), rtol=2e-3) and got.dtype == call(x).dtype


@pytest.mark.parametrize("function", MOMENTS)
@pytest.mark.parametrize("dtype", arrays.FLOATS)
def test_skipna(function, dtype):
    call, known = getattr(hd, function), getattr(np, "nan" + function)
    x = Case(dtype, (7, 129), "C", "small", 3).array()
    x[1, 5] = x[3] = x[:, 9] = np.nan
    wide = x.astype(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for axis in (None, 0, 1):
            wanted = known(wide, axis)
            got = call(x, axis, skipna=True)
            assert np.allclose(got, wanted, rtol=2e-3 if dtype == "f2" else 1e-5, equal_nan=True)


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "i2", "i4", "i8", "u8"))
@pytest.mark.parametrize("shape", ((1000,), (7, 129), (400_001,), (3, 200_000)))
@pytest.mark.parametrize("share", (0, 0.0001, 0.2, 1))
def test_a_mean_without_nan_is_the_total_by_the_count(dtype, shape, share):
    """The bits of the plain mean where there is no NaN, whichever way the call goes."""
    rng = np.random.default_rng(11)
    x = (rng.standard_normal(shape) * 1000).astype(dtype)
    if x.dtype.kind == "f":
        x[rng.random(shape) < share] = np.nan
    kept = ~np.isnan(x)
    for axis in (None, *range(x.ndim)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if kept.all():
                wanted = hd.mean(x, axis)
            else:
                wanted = (hd.sum(x, axis, dtype="f8", skipna=True) / kept.sum(axis)).astype(dtype)
            results = [hd.nanmean(x, axis), hd.mean(x, axis, skipna=True),
                       hd.nanmean(x, axis, keepdims=True, threads=2).reshape(wanted.shape),
                       hd.mean(x, axis, out=np.empty(np.shape(wanted), wanted.dtype), skipna=True)]
            if dtype not in ("i8", "u8"):
                results.append(hd.mean(x, axis, where=kept))
            if axis is None:
                cuts = [0, x.size]
                results += [hd.segment_mean(x.reshape(-1), np.array(cuts), skipna=True)[0],
                            hd.segment_mean(x.reshape(-1), cuts, skipna=True)[0]]
        for got in results:
            np.testing.assert_array_equal(got, wanted)


def test_a_mean_of_wide_integers_does_not_wrap():
    for dtype in ("i8", "u8"):
        top = np.iinfo(dtype).max
        x = np.full(1000, top, dtype)
        for got in (hd.mean(x), hd.mean(x[::2]), hd.mean(x.reshape(10, 100), 1)[3], hd.mean(x, threads=2)):
            assert got == float(top)


# ---- describe ---------------------------------------------------------------------------------------

def check_description(d, array, skipna=False):
    x = seen(array).reshape(-1)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
    nan = int(np.isnan(wide).sum())
    assert (d.count, d.nan, d.infinite, d.nulls) == (x.size, nan, int(np.isinf(wide).sum()), 0)
    kept = wide[~np.isnan(wide)] if skipna else wide
    bits = exact.described(plain(array).reshape(-1), skipna)
    for name in ("sum", "mean", "variance", "skewness"):
        exact.same_bits(getattr(d, name), bits[name], name)
    with np.errstate(all="ignore"):
        exact.same_bits(d.std, np.sqrt(bits["variance"]))
    if kept.size:
        exact.same_values(d.min, np.min(kept))
        exact.same_values(d.max, np.max(kept))


@pytest.mark.parametrize(PLACES, grid(("describe",)), indirect=["device"])
def test_describe(device, function, dtype):
    def holds(case):
        array = case.array()
        check_description(hd.describe(array, **on(device)), array)
        check_description(hd.describe(array, skipna=True, **on(device)), array, True)

    try_examples(arrays.lines(dtype, device), holds, device, 25)


@pytest.mark.parametrize("dtype", arrays.DTYPES)
def test_describe_rows(dtype):
    for shape, axis in (((5, 129), 1), ((129, 5), 0), ((3, 2, 1025), (1, 2)), ((4, 0), 1)):
        array = Case(dtype, shape, "C", "specials" if is_float(dtype) else "small").array()
        d = hd.describe(array, axis)
        rows = np.moveaxis(array, axis, range(-len(np.atleast_1d(axis)), 0)).reshape(len(d.count), -1)
        for i, row in enumerate(rows):
            one = hd.describe(row)
            for name in d._fields:
                if name != "nulls":
                    exact.same_bits(getattr(d, name)[i], getattr(one, name), name)


def test_skewness_is_that_of_the_definition():
    x = np.random.default_rng(2).gamma(2, size=4097)
    m = x - x.mean()
    assert np.isclose(hd.describe(x).skewness, (m ** 3).mean() / (m ** 2).mean() ** 1.5, rtol=1e-12)


# ---- dot -------------------------------------------------------------------------------------------

def check_dot(x, y, device, about=""):
    got = hd.dot(x, y, **on(device))
    a, b = plain(x), plain(y)
    if exact.name_of(a.dtype):
        exact.same_bits(got, exact.dot(a, b), about)
        exact.check_sum(got, a, b, about=about)
        return
    with np.errstate(all="ignore"):
        exact.same_values(got, np.dot(a, b), about)


@pytest.mark.parametrize(PLACES, grid(("dot",), arrays.DTYPES[1:]), indirect=["device"])
def test_dot(device, function, dtype):
    for n in arrays.SIMT_LENGTHS if device == "simt" else arrays.LENGTHS:
        x, y = (Case(dtype, (n,), "C", "small", s).array() for s in (1, 2))
        check_dot(x, y, device, n)

    def holds(drawn):
        case, layout, values, number = drawn
        other = case._replace(layout=layout, values=values, seed=number)
        check_dot(case.array(), other.array(), device, drawn)

    layouts = st.sampled_from(arrays.layouts_of(dtype, arrays.LINE_LAYOUTS))
    drawn = st.tuples(arrays.lines(dtype, device), layouts, st.sampled_from(arrays.values_of(dtype)),
                      st.integers(0, 99))
    try_examples(drawn, holds, device, 25)


@pytest.mark.parametrize("left", ["u1", "i2", "u8", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("right", ["i1", "u4", "i8", "f4"])
def test_dot_of_two_dtypes(left, right):
    for n in (1, 129):
        x = Case(left, (n,), "C", "whole" if is_float(left) else "small").array()
        y = Case(right, (n,), "C", "whole" if is_float(right) else "small").array()
        exact.same_values(hd.dot(x, y), np.dot(x, y))


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
def test_dot_of_rows(dtype):
    for layout in arrays.LAYOUTS:
        x, y = (Case(dtype, (7, 129), layout, "small", s).array() for s in (1, 2))
        for axis in (0, 1, -1):
            got = hd.dot(x, y, axis=axis)
            rows = zip(np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1))
            exact.same_bits(got, np.array([hd.dot(a.copy(), b.copy()) for a, b in rows]))


def test_dot_is_the_sum_of_products():
    x, y = (Case("f8", (65537,), "C", "wide", s).array() for s in (1, 2))
    exact.same_bits(hd.dot(x, y), hd.sum(x * y))
    out = np.empty(())
    assert hd.dot(x, y, out=out) is out and out == hd.dot(x, y)
    exact.same_values(hd.dot([1, 2], (3, 4)), np.dot([1, 2], (3, 4)))


# ---- memory of a device -----------------------------------------------------------------------------

@pytest.mark.parametrize(PLACES, grid(MOMENTS + ("dot",), arrays.DTYPES[1:]), indirect=["device"])
def test_memory_of_the_device(device, function, dtype):
    call = getattr(hd, function)
    for n in (1, 1025):
        x = Case("f4" if dtype == "bf16" else dtype, (n,), "C", "small", n).array()
        operands = [x, x] if function == "dot" else [x]
        got = call(*[arrays.placed(one, device) for one in operands])
        assert isinstance(got, hd.DeviceArray) or device == "cpu"
        exact.same_bits(arrays.fetched(got), call(*operands))
