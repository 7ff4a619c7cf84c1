"""Tables of columns: of Polars, pyarrow and pandas, with nulls, along both axes; xarray's arrays."""

import numpy as np
import pytest

import heddle as hd

COLUMNS = {"a": [1.0, 4.0, 2.0, 8.0], "b": [0.5, None, 7.0, 1.0], "c": [3.0, 9.0, None, 5.0]}
VALUES = np.array([[np.nan if v is None else v for v in column] for column in COLUMNS.values()]).T
NULL = np.isnan(VALUES)


def polars_table():
    return pytest.importorskip("polars").DataFrame(COLUMNS)


def arrow_table():
    return pytest.importorskip("pyarrow").table(COLUMNS)


def arrow_batch():
    return pytest.importorskip("pyarrow").record_batch(COLUMNS)


def pandas_table():
    return pytest.importorskip("pandas").DataFrame(COLUMNS).astype("Float64")


TABLES = [polars_table, arrow_table, arrow_batch, pandas_table]


@pytest.mark.parametrize("make", TABLES)
def test_folds(make):
    table = make()
    for name in ("sum", "min", "max", "mean", "var", "prod"):
        for axis in (None, 0, 1):
            got = getattr(hd, name)(table, axis=axis)
            want = getattr(np, f"nan{name}")(VALUES, axis=axis)
            np.testing.assert_allclose(np.asarray(got, float), want, rtol=1e-12)
    assert hd.argmax(table) == 5 and np.asarray(hd.argmax(table, axis=0)).tolist() == [3, 2, 1]
    figures = hd.describe(table, axis=0)
    assert figures.nulls.tolist() == [0, 1, 1] and figures.count.tolist() == [4, 3, 3]
    assert hd.histogram(table, bins=[0, 2, 10])[0] is not None


@pytest.mark.parametrize("make, kind", [(polars_table, "DataFrame"), (arrow_table, "Table"),
                                        (arrow_batch, "Table")])
def test_running_totals_are_a_table(make, kind):
    table = make()
    for axis in (0, 1):
        got = hd.cumsum(table, axis=axis)
        assert type(got).__name__ == kind
        names = got.columns if kind == "DataFrame" else got.column_names
        assert list(names) == list(COLUMNS)
        want = np.where(NULL, np.nan, np.nancumsum(VALUES, axis))
        rows = got.to_dict(as_series=False) if kind == "DataFrame" else got.to_pydict()
        for i, column in enumerate(rows.values()):
            assert column == [None if np.isnan(v) else v for v in want[:, i]]


def test_kinds_of_results():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    assert isinstance(hd.sum(polars_table(), axis=0), polars.Series)
    assert isinstance(hd.sum(arrow_table(), axis=0), pyarrow.Array)
    empty = hd.max(polars.DataFrame({"a": [1, None]}), axis=1)
    assert empty.to_list() == [1, None]


def test_columns_of_several_dtypes_and_chunks():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    mixed = polars.DataFrame({"a": [True, False], "b": [3, 4], "c": [0.5, 1.5]})
    assert hd.sum(mixed, axis=0).to_list() == [1, 7, 2] and hd.sum(mixed).dtype == np.float64
    small = polars.DataFrame({"a": [1, 2], "b": [3, 4]}, schema={"a": polars.UInt8, "b": polars.Int8})
    assert hd.max(small, axis=0).dtype == polars.Int16
    half = pyarrow.table({"a": [1, 2], "b": [3, 4]})
    both = pyarrow.concat_tables([half, half])
    assert both.column(0).num_chunks == 2 and hd.sum(both, axis=0).to_pylist() == [6, 14]
    none = polars.DataFrame({"a": []}, schema={"a": polars.Float64})
    assert hd.sum(none) == 0 and hd.sum(none, axis=0).to_list() == [0]
    assert hd.sum(polars.DataFrame()) == 0


def test_other_columns_are_refused():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for table in (polars.DataFrame({"a": [1], "b": ["x"]}), pyarrow.table({"a": [1], "b": ["x"]})):
        with pytest.raises(TypeError, match="^a: dtype .* not supported by heddle"):
            hd.sum(table)


# ---- xarray: by a stand-in, which has what heddle looks at ------------------------------------------


class DataArray:
    def __init__(self, data, coords):
        self.data, self.coords = data, coords

    def copy(self, data):
        return DataArray(data, self.coords)

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("its memory is to be taken as it is")


DataArray.__module__ = "xarray.core.dataarray"


def test_xarray():
    x = DataArray(np.arange(6.0).reshape(2, 3), "coordinates")
    assert hd.sum(x) == 15 and hd.sum(x, axis=0).tolist() == [3, 5, 7]
    assert type(hd.sum(x, axis=0)) is np.ndarray
    running = hd.cumsum(x, axis=1)
    assert running.coords == "coordinates" and running.data.tolist() == [[0, 1, 3], [3, 7, 12]]
    masked = DataArray(np.ma.MaskedArray([1.0, 2.0, 4.0], [0, 1, 0]), None)
    assert hd.sum(masked) == 5 and hd.cumsum(masked).tolist() == [1, None, 5]
