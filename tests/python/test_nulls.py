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
    nulls = np.ma.MaskedArray([[1.0, 2.0], [3.0, 4.0]], [[1, 0], [0, 0]])
    for pair in ((nulls, nulls.data), (nulls.data, nulls)):
        with pytest.raises(ValueError, match="^a: nulls"):
            hd.dot(*pair, axis=1)
    none = np.ma.MaskedArray(nulls.data, False)
    assert hd.dot(none, nulls.data, axis=1).tolist() == [5.0, 25.0]


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
    with pytest.raises(ValueError, match="^a: nulls"):
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
    with pytest.raises(ValueError, match="^a: nulls"):
        hd.sum(a, axis=0, where=[True, False, True])


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
    with pytest.raises(ValueError, match="^a: nulls"):
        hd.sum(table, axis=0)
    with pytest.raises(TypeError, match="^a: dtype category"):
        hd.sum(pandas.DataFrame({"array": table["array"], "c": pandas.Categorical(["x", "y"])}))
    with pytest.raises(TypeError, match="^a: dtype object"):
        hd.sum(pandas.DataFrame({"array": [1.0, 2.0], "c": ["x", None]}, dtype=object))
