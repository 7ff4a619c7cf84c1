"""Nulls: pairs with one of them, indices, masks beside them, shapes of results, tables of pandas."""

import ml_dtypes
import numpy as np
import pytest

import heddle as hd

MASKED = np.ma.MaskedArray([5, 1, 7, 0, 3, 9], [0, 1, 0, 0, 1, 0])  # 5 - 7 0 - 9
VALID = ~MASKED.mask


# ---- dot ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i4", "f4", ml_dtypes.bfloat16])
def test_dot_leaves_out_what_is_null_in_either(dtype):
    a = np.ma.MaskedArray(np.array([1, 2, 3, 4], dtype), [0, 1, 0, 0])
    b = np.ma.MaskedArray(np.array([10, 20, 30, 40], dtype), [0, 0, 0, 1])
    assert hd.dot(a, b) == 1 * 10 + 3 * 30
    assert hd.dot(a, b.data) == 1 * 10 + 3 * 30 + 4 * 40
    assert hd.dot(a.data, b, axis=0) == 1 * 10 + 2 * 20 + 3 * 30
    assert hd.dot(a[::2], b[::2]) == 1 * 10 + 3 * 30


def test_dot_compares_lengths_with_nulls():
    nulls = np.ma.MaskedArray([1.0, 2.0, 3.0], [1, 0, 0])
    with pytest.raises(ValueError, match=r"^b: shapes \(3,\) and \(2,\)"):
        hd.dot(nulls, np.ones(2))  # as many as are not null
    with pytest.raises(ValueError, match=r"^b: shapes \(2,\) and \(3,\)"):
        hd.dot(np.ones(2), nulls)


def test_dot_of_rows_with_nulls():
    nulls = np.ma.MaskedArray([[1.0, np.inf], [3.0, 4.0]], [[0, 1], [0, 0]])
    other = np.array([[2.0, 0.0], [5.0, 6.0]])
    for pair in ((nulls, other), (other, nulls)):
        assert np.asarray(hd.dot(*pair, axis=1)).tolist() == [2.0, 39.0]
        assert np.asarray(hd.dot(*pair, axis=0)).tolist() == [17.0, 24.0]
    none = np.ma.MaskedArray(other, False)
    assert hd.dot(none, other, axis=1).tolist() == [4.0, 61.0]


# ---- indices ------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [None, 0, -1])
def test_indices_are_those_of_the_callers_array(axis):
    assert hd.argmin(MASKED, axis) == 3 and hd.argmax(MASKED, axis) == 5
    assert hd.argmin(MASKED[::-1], axis) == 2 and type(hd.argmin(MASKED, axis)) is np.int64
    assert hd.argmax(MASKED, keepdims=True).tolist() == [5]


def test_indices_of_several_dimensions():
    table = MASKED.reshape(2, 3)
    assert hd.argmin(table) == 3 and hd.argmax(table) == 5
    assert np.asarray(hd.argmin(table, keepdims=True)).tolist() == [[3]]
    assert np.asarray(hd.argmin(table, axis=1)).tolist() == [0, 0]
    assert np.asarray(hd.argmax(table[:, ::2], axis=0, keepdims=True)).tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="^a: a row of nothing but nulls"):
        hd.argmin(table, axis=0)


def test_indices_with_nan():
    a = np.ma.MaskedArray([np.nan, np.nan, 2.0, 1.0], [1, 0, 0, 0])
    assert hd.argmin(a) == 1 and hd.argmin(a, skipna=True) == 3
    with pytest.raises(ValueError):
        hd.argmin(np.ma.MaskedArray([1.0], [1]))


def test_indices_of_columns():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series([None, 4, 2, None, 8], dtype="Int64")
    assert hd.argmin(series) == 2 and hd.argmax(series) == 4
    pyarrow = pytest.importorskip("pyarrow")
    assert hd.argmin(pyarrow.array([None, 4, 2, None, 8])) == 2


# ---- masks beside nulls ---------------------------------------------------------------------------

WHERE = np.array([1, 1, 0, 1, 0, 1], bool)


@pytest.mark.parametrize("shape", [(6,), (2, 3)])
def test_where_is_of_the_callers_shape(shape):
    a, where = MASKED.reshape(shape), WHERE.reshape(shape)
    kept = MASKED.data[WHERE & VALID]
    assert hd.sum(a, where=where) == kept.sum() == 14
    assert hd.prod(a, where=where) == kept.prod()
    assert hd.min(a, where=where, initial=100) == 0 and hd.max(a, where=where, initial=-1) == 9
    assert hd.any(a, where=where) and not hd.all(a, where=where)
    assert hd.mean(a, where=where) == kept.mean()
    assert hd.var(a, where=where) == pytest.approx(kept.var())
    assert hd.std(a, where=where, ddof=1) == pytest.approx(kept.std(ddof=1))


def test_where_broadcasts_beside_nulls():
    a = MASKED.reshape(2, 3)
    assert hd.sum(a, where=[[True], [False]]) == 12 and hd.sum(a, where=[True, False, True]) == 21
    assert hd.sum(a, where=False) == 0
    with pytest.raises(ValueError, match="^where: its shape"):
        hd.sum(MASKED, where=np.ones(4, bool))  # as many as are not null
    assert np.asarray(hd.sum(a, axis=0, where=[True, False, True])).tolist() == [5, 0, 16]


def test_where_and_nan():
    a = np.ma.MaskedArray([np.nan, 1.0, np.nan, 4.0, 6.0], [1, 0, 0, 0, 0])
    where = np.array([1, 1, 0, 1, 0], bool)
    assert hd.mean(a, where=where) == 2.5 and hd.var(a, where=where) == 2.25
    assert np.isnan(hd.mean(a)) and hd.mean(a, skipna=True) == pytest.approx(11 / 3)
    assert hd.mean(a, where=~where, skipna=True) == 6.0


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ml_dtypes.bfloat16])
def test_mean_counts_no_nan_that_it_skips(dtype):
    a = np.array([1, np.nan, 3, 100], dtype)
    where = [True, True, True, False]
    assert hd.mean(a, where=where, skipna=True) == 2 and hd.var(a, where=where, skipna=True) == 1
    assert np.isnan(hd.mean(a, where=where))


# ---- shapes, tables ---------------------------------------------------------------------------------


def test_keepdims_with_nulls():
    a = MASKED.reshape(2, 3)
    for call in (hd.sum, hd.max, hd.mean, hd.var, hd.argmax):
        assert np.asarray(call(a, keepdims=True)).shape == (1, 1)
    assert hd.sum(a, keepdims=True, dtype=np.float64) == [[21.0]]


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


@pytest.mark.parametrize("names", ["ab", ["array", "dtype"], ["_mask", "_data"]])
def test_table(pandas, names):
    table = pandas.DataFrame({names[0]: [1.5, 2.5], names[1]: [4.0, 8.0]}, index=list("xy"))
    assert hd.sum(table) == 16.0 and hd.argmax(table) == 3
    assert np.asarray(hd.sum(table, axis=0)).tolist() == [4.0, 12.0]
    running = hd.cumsum(table, axis=0)
    assert running.values.tolist() == [[1.5, 4.0], [4.0, 12.0]]
    assert list(running.columns) == list(names) and list(running.index) == list("xy")
    assert hd.histogram(table, bins=[0, 2, 9])[0].tolist() == [1, 3]


def test_table_of_nullable_columns(pandas):
    table = pandas.DataFrame({"array": pandas.Series([1, None], dtype="Int64"), "b": [2, 3]})
    assert hd.sum(table) == 6 and hd.argmax(table) == 3
    assert np.asarray(hd.sum(table, axis=0)).tolist() == [1, 5]
    assert np.asarray(hd.max(table, axis=1)).tolist() == [2, 3]
    with pytest.raises(TypeError, match="^a: dtype category"):
        hd.sum(pandas.DataFrame({"array": table["array"], "c": pandas.Categorical(["x", "y"])}))
    with pytest.raises(TypeError, match="^a: dtype object"):
        hd.sum(pandas.DataFrame({"array": [1.0, 2.0], "c": ["x", None]}, dtype=object))


# ---- along an axis ----------------------------------------------------------------------------------


def masked(dtype, rows=6, columns=700):
    """A table of which a third is null: of a row and of a column all but one."""
    rng = np.random.default_rng(rows)
    data = (1 + rng.standard_normal((rows, columns)) / 64).astype(dtype) if dtype[0] == "f" else \
        rng.integers(0, 100, (rows, columns)).astype(dtype)
    mask = rng.random(data.shape) < 0.3
    mask[2, 1:] = mask[1:, 3] = True
    mask[2, 0] = False
    mask[0, mask.all(axis=0)] = False
    return np.ma.MaskedArray(data, mask)


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std",
                                  "argmin", "argmax", "cumsum", "cumprod", "count_nonzero"])
def test_along_an_axis_as_numpys_masked_arrays(name, dtype):
    a = masked(dtype)
    if dtype == "?" and name in ("var", "std", "cumsum", "cumprod"):
        a = a.astype("u1")
    for axis in (0, 1, -1):
        if name == "count_nonzero":
            want = np.count_nonzero(a.filled(0), axis)
        elif name.startswith("cum"):
            want = getattr(np, name)(a.filled(int(name == "cumprod")), axis)
            assert np.array_equal(np.ma.getmaskarray(hd.cumsum(a, axis)), a.mask)
        else:
            # NumPy's argmin of bools finds a null where all others are True
            want = getattr(a.astype("i4") if dtype == "?" and "arg" in name else a, name)(axis)
        got = getattr(hd, name)(a, axis)
        assert isinstance(got, np.ma.MaskedArray) and got.shape == want.shape
        got = got.filled(0) if name.startswith("cum") else np.asarray(got)
        want = np.where(a.mask, 0, want) if name.startswith("cum") else np.asarray(want)
        if got.dtype.kind == "f":
            np.testing.assert_allclose(got, want, rtol=1e-3 if dtype == "f4" else 1e-9, atol=1e-6)
        else:
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var"])
def test_along_an_axis_is_where(name):
    """By bits: what is null takes the identity, as what `where` leaves out."""
    a = masked("f4")
    for axis in (0, 1):
        for keepdims in (False, True):
            got = getattr(hd, name)(a, axis, keepdims=keepdims)
            want = getattr(hd, name)(a.data, axis, keepdims=keepdims, where=~a.mask)
            assert np.asarray(got).tobytes() == want.tobytes()


def test_rows_of_nothing_but_nulls():
    a = np.ma.MaskedArray([[5.0, 1.0], [7.0, 3.0]], [[1, 1], [0, 1]])
    for call in (hd.min, hd.max):
        got = call(a, 1)
        assert got.mask.tolist() == [True, False] and got[1] == 7
        assert call(a, 1, keepdims=True).shape == (2, 1)
        with pytest.raises(ValueError, match="^out: rows of nothing but nulls"):
            call(a, 1, out=np.zeros(2))
        assert np.asarray(call(a, 1, initial=6.0)).tolist() == [6.0, 6.0 if call is hd.min else 7.0]
        with pytest.raises(ValueError, match="^a: a row of nothing but nulls"):
            (hd.argmin if call is hd.min else hd.argmax)(a, 1)
        assert call(a, (0, 1)) == 7
        assert call(np.ma.masked_all((2, 2)), (0, 1)) is np.ma.masked
    nan = np.ma.MaskedArray([[np.nan, 1.0], [7.0, 3.0]], [[0, 1], [0, 0]])
    assert hd.min(nan, 1, skipna=True).tolist() == [None, 3]
    assert np.asarray(hd.sum(a, 1)).tolist() == [0, 7]
    with pytest.warns(RuntimeWarning):
        assert np.isnan(np.asarray(hd.mean(a, 1))[0])


def test_nan_beside_nulls_along_an_axis():
    nan = np.nan
    a = np.ma.MaskedArray([[nan, 1.0, 9.0], [nan, nan, 2.0], [4.0, nan, 6.0]],
                          [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert np.asarray(hd.min(a, 1)).tolist()[0] == 1 and np.isnan(np.asarray(hd.min(a, 1))[1:]).all()
    assert np.asarray(hd.min(a, 1, skipna=True)).tolist() == [1, 2, 4]
    assert np.asarray(hd.argmin(a, 1)).tolist() == [1, 0, 1]
    assert np.asarray(hd.argmin(a, 1, skipna=True)).tolist() == [1, 2, 0]
    assert np.asarray(hd.sum(a, 1, skipna=True)).tolist() == [10, 2, 4]
    assert np.asarray(hd.mean(a, 1, skipna=True)).tolist() == [5, 2, 4]
    d = hd.describe(a, 1, skipna=True)
    assert d.count.tolist() == [2, 2, 2] and d.nan.tolist() == [0, 1, 1]
    assert d.nulls.tolist() == [1, 1, 1] and d.mean.tolist() == [5, 2, 4]
    assert np.isnan(hd.describe(a, 1).mean).tolist() == [False, True, True]
    ints = hd.describe(masked("i4"), 0)
    assert ints.mean.tolist() == pytest.approx(np.asarray(masked("i4").mean(0)).tolist())
    assert np.array_equal(ints.count, (~masked("i4").mask).sum(0))


def test_figures_beside_nulls():
    a = np.ma.MaskedArray([[5, 1, 9], [7, 3, 0]], [[1, 0, 0], [0, 1, 1]])
    assert np.asarray(hd.ptp(a, 1)).tolist() == [8, 0]
    assert hd.ptp(np.ma.MaskedArray(a.data, [[1, 1, 1], [0, 0, 0]]), 1).tolist() == [None, 7]
    means, counts = hd.average(a, 1, returned=True)
    assert np.asarray(means).tolist() == [5, 7] and np.asarray(counts).tolist() == [2, 1]


def test_running_totals_of_several_dimensions_with_nulls():
    a = np.ma.MaskedArray([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [0, 0]])
    assert hd.cumsum(a).tolist() == [1, None, 4, 8]
    assert hd.cumsum(a, 0).tolist() == [[1, None], [4, 4]]
    assert hd.maximum_accumulate(-a, 1).tolist() == [[-1, None], [-3, -3]]
    with pytest.raises(ValueError, match="^out: "):
        hd.cumsum(a, 0, out=np.zeros((2, 2)))


# ---- nulls in what is no data -------------------------------------------------------------------------

GAPS = np.ma.array([0, 1, 2], mask=[False, True, False])
REFUSED = {
    "indices": lambda m: hd.take([1, 2, 3], m), "keys": lambda m: hd.groupby(m),
    "ids": lambda m: hd.group_sum(m, [1.0, 2.0, 3.0]), "table": lambda m: hd.scatter_reduce(m, [0], [1]),
    "offsets": lambda m: hd.segment_sum([1, 2, 3], m), "bins": lambda m: hd.digitize([1], m),
    "weights": lambda m: hd.quantile([1, 2, 3], 0.5, method="inverted_cdf", weights=m),
    "values": lambda m: hd.sort_pairs([3, 2, 1], m),
    "sorter": lambda m: hd.searchsorted([1, 2, 3], 2, sorter=m),
    "where": lambda m: hd.sum([1, 2, 3], where=m), "kth": lambda m: hd.partition([1, 2, 3], m),
    "ranks": lambda m: hd.Nth(m), "x": lambda m: hd.add_at(np.zeros(3), [0, 1, 2], m),
}


@pytest.mark.parametrize("kind", ("masked", "pandas", "polars", "pyarrow"))
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_data_has_no_nulls(name, kind):
    """What lies under a mask may be anything."""
    given = GAPS
    if kind != "masked":
        library, values = pytest.importorskip(kind), [0, None, 2]
        given = library.Series(values, dtype="Int64") if kind == "pandas" else \
            library.Series(values) if kind == "polars" else library.array(values)
    with pytest.raises(ValueError, match=f"{name}: nulls"):
        REFUSED[name](given)


def test_binned_statistics_refuse_nulls():
    for call in (lambda: hd.binned_statistic(GAPS, [1, 2, 3]), lambda: hd.profile([1, 2, 3], GAPS)):
        with pytest.raises(ValueError, match="nulls"):
            call()


def test_reduceat_of_falling_indices():
    with pytest.raises(ValueError, match="indices"):
        hd.add_reduceat(GAPS, [1, 0])
    same = hd.add_reduceat(np.ma.array([1, 2, 3]), [1, 0])
    assert same.tolist() == [2, 6]
