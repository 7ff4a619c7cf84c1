"""Exact sums of integers, of rows of which not as many elements count, of other libraries' arrays, in
pieces; and what is refused."""

import numpy as np
import pytest

import heddle as hd
import real
from arrays import FLOATS, INTEGERS, Case, is_float, plain, values_of
from exact import same_bits

pytestmark = pytest.mark.filterwarnings("ignore:Mean of empty slice:RuntimeWarning")


# ---- integers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_added_as_they_are(dtype):
    for values in values_of(dtype):
        for layout in ("C", "backwards", "swapped"):
            x = Case(dtype, (3, 129), layout, values, 5).array()
            if layout != "C" and dtype == "?":
                continue
            for axis in (None, 0, 1, -1, (1, 0), ()):
                same_bits(hd.fsum(x, axis), real.of_rows(real.total, plain(x), axis, float), (values, axis))
                same_bits(hd.fmean(x, axis), real.of_rows(real.mean, plain(x), axis, float), (values, axis))
            assert hd.fsum(x, 1, keepdims=True).shape == (3, 1)
            assert hd.fsum(x, keepdims=True).shape == (1, 1)
            flat = plain(x).reshape(-1)
            p, q = real.numbers(flat), real.numbers(flat[::-1])
            same_bits(hd.fdot(flat, flat[::-1]), real.product(p, q, "f8"), values)
            same_bits(hd.sum_squares(x, exact=True), real.product(p, p, "f8"), values)
            same_bits(hd.fsum(x, dtype="f4"), real.total(p, "f4"), values)


def test_integers_that_no_float64_holds():
    big = np.array([2**53 + 1, 2**63 - 1, -(2**62) - 1, 5, -(2**63)])
    same_bits(hd.fsum(big, initial=0.5), real.total([*big.tolist(), 0.5], "f8"))
    mask = np.array([True, True, False, True, True])
    same_bits(hd.fsum(big, where=mask), real.total(big[mask].tolist(), "f8"))
    same_bits(hd.fmean(np.stack([big, -big // 3]), 1, where=np.stack([mask, ~mask])),
              np.array([real.mean(big[mask].tolist(), "f8"), real.mean((-big // 3)[~mask].tolist(), "f8")]))
    with np.errstate(invalid="ignore"):
        for y in ([np.inf, 1, 2, 3, 4], [1, np.inf, 2, 3, 4], [1, 2, 3, -np.inf, 4], [np.nan, 1, 2, 3, 4],
                  [1, -np.inf, 2, np.inf, 4], [0.1] * 5):
            same_bits(hd.fdot(big, y), real.product(big.tolist(), y, "f8"), y)
            same_bits(hd.fdot(np.array(y, "f4"), big), real.product(
                real.numbers(np.array(y, "f4")), big.tolist(), "f8"), y)
    rows = np.stack([big, big[::-1]])
    same_bits(hd.fdot(rows, rows[::-1], axis=1), np.array(
        [real.product(a, b, "f8") for a, b in zip(rows.tolist(), rows[::-1].tolist())]))
    same_bits(hd.fsum(np.int64(2**53 + 1)), np.float64(2**53))
    same_bits(hd.fsum(np.array([2**64 - 1], "u8"), dtype="f4"), np.float32(2**64))


# ---- means of rows of which not as many elements count ----------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_means_beside_nan_and_masks(dtype):
    rng = np.random.default_rng(3)
    x = real.wide_range(dtype, 7 * 11 * 5).reshape(7, 11, 5)
    mask = rng.random(x.shape) < 0.6
    mask[2], mask[:, 3] = False, True
    x[mask & (rng.random(x.shape) < 0.2)] = np.nan
    x[3, 4, 2] = np.inf
    for y, seen in ((x, mask), (np.asfortranarray(x), mask), (x[::-1], mask[::-1])):
        for axis in (None, 0, 1, 2, (0, 2), (2, 1), ()):
            for where in (True, seen):
                for skipna in (False, True):
                    more = {"axis": axis, "skipna": skipna, "keepdims": axis == 1}
                    real.check_sum_and_mean(y, where, None, None, more)
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        found = hd.fmean(np.ones((2, 3)), 1, where=np.array([[True], [False]]))
    assert found[0] == 1 and np.isnan(found[1])
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        assert np.isnan(hd.fmean([np.nan], skipna=True))


# ---- inputs and arguments -------------------------------------------------------------------------


def test_nulls_and_other_libraries():
    values = [1e100, 1.0, -1e100, 0.1]
    masked = np.ma.masked_array([*values, 7.0], [0, 0, 0, 0, 1])
    assert hd.fsum(masked) == 1.1 and hd.fmean(masked) == 1.1 / 4 and hd.fdot(masked, masked) == hd.fdot(
        values, values)
    table = np.ma.masked_array([[1e16, 1.0, -1e16], [1.0, 2.0, 4.0]], [[0, 0, 0], [1, 0, 0]])
    assert hd.fmean(table, 1).tolist() == [1 / 3, 3.0]
    assert hd.fsum(values) == hd.fsum(tuple(values)) == 1.1 and hd.sum(values) != 1.1
    pandas = pytest.importorskip("pandas")
    assert hd.fsum(pandas.Series(values)) == 1.1
    assert hd.fsum(pandas.Series([*values, None], dtype="Float64")) == 1.1
    assert hd.fmean(pandas.Series([3, None, 4], dtype="Int64")) == 3.5
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    assert hd.fsum(polars.Series([*values, None])) == hd.fsum(pyarrow.array([*values, None])) == 1.1
    assert hd.fdot(polars.Series([1e10, None, 1e10, 1]), [1e10, 5, -1e10, 1]) == 1


def test_arguments():
    x = real.wide_range("f4", 600).reshape(20, 30)
    out = np.empty(30, np.float64)
    assert hd.fsum(x, 0, out=out) is out
    same_bits(out, real.of_rows(real.total, x, 0, "f8"))
    assert hd.fmean(x, 0, out=out) is out and hd.fsum(np.array(2.5), axis=-1) == 2.5
    same_bits(out, real.of_rows(real.mean, x, 0, "f8"))
    for function in (hd.fsum, hd.fmean):
        with pytest.raises(TypeError, match="dtype: "):
            function(x, dtype=int)
        with pytest.raises(np.exceptions.AxisError):
            function(x, 2)
        with pytest.raises(TypeError, match="complex"):
            function([1j])
    with pytest.raises(TypeError, match="without `exact` adds integers exactly"):
        hd.sum([1, 2], dtype=int, exact=True)
    with pytest.raises(ValueError, match="zero-size array"):
        hd.fsum([], initial=None)
    with pytest.raises(ValueError, match="one-dimensional"):
        hd.fdot(x, x)
    with pytest.raises(ValueError, match="not aligned"):
        hd.fdot([1.0], [1.0, 2.0])
    with pytest.raises(TypeError, match="dtype: "):
        hd.fdot([1.0], [1.0], dtype=int)
    with pytest.raises(TypeError):
        hd.prod([1.0], exact=True)


# ---- pieces ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", (*FLOATS, "i4", "i8", "u8"))
def test_pieces_in_any_order(dtype):
    x = real.wide_range(dtype, 30_001) if is_float(dtype) else Case(dtype, (30_001,), "C", "words", 1).array()
    wanted = real.total(real.numbers(x), real.default(x))
    cuts = np.sort(np.random.default_rng(4).integers(0, x.size, 9))
    parts = np.split(x, cuts)
    for order in (parts, parts[::-1]):
        total = hd.Reduction("sum", exact=True)
        for part in order:
            total.update(part[::-1])
        same_bits(total.result(), wanted)
    if is_float(dtype):
        squares = hd.Reduction("sum_squares", "f8", exact=True)
        for part in parts:
            squares.update(part)
        numbers = real.numbers(x)
        same_bits(squares.result(), real.product(numbers, numbers, "f8"))


def test_pieces_refuse():
    with pytest.raises(ValueError, match="exact: it is for sum and sum_squares, not for 'max'"):
        hd.Reduction("max", exact=True)
    with pytest.raises(TypeError, match="fdot"):
        hd.Reduction("sum_squares", exact=True).update([2**53 + 1])
    with pytest.raises(TypeError, match="dtype"):
        hd.Reduction("sum", int, exact=True).update([1])
    same_bits(hd.Reduction("sum", exact=True).result(), np.float64(0))
    total = hd.Reduction("sum", exact=True, skipna=True).update([1e100, np.nan]).update([1.0, -1e100])
    same_bits(total.result(), np.float64(1))
