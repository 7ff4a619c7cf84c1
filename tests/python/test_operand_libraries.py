"""Columns of pandas, Polars and PyArrow and host tensors of PyTorch; results as they came."""

import numpy as np
import pytest

from heddle import _native
from heddle._arrays.operand import device_of, operand
from producers import Lender, library

DTYPES = ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]


def numbers(dtype):
    return (np.arange(24) % 3).astype(dtype)


# ---- pandas -------------------------------------------------------------------------------------


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


@pytest.mark.parametrize("dtype", DTYPES)
def test_pandas(pandas, dtype):
    a = numbers(dtype)
    series = pandas.Series(a, index=range(5, 29), name="n", copy=False)
    taken = operand(series)
    assert np.shares_memory(taken.host, series.to_numpy()) and taken.dtype == a.dtype
    assert taken.valid is None and not taken.copied
    given = taken.give(np.arange(24.0))
    pandas.testing.assert_series_equal(
        given, pandas.Series(np.arange(24.0), index=range(5, 29), name="n"))
    assert type(taken.give(np.arange(3))) is np.ndarray  # bins, and not elements
    assert type(taken.give(np.arange(24), aligned=False)) is np.ndarray
    assert taken.give(np.float32(3)) == 3


@pytest.mark.parametrize("dtype,result", [("Int8", "i8"), ("UInt64", "u8"), ("Float32", "f4"),
                                          ("Float64", "f2"), ("boolean", "?")])
def test_pandas_nullable(pandas, dtype, result):
    series = pandas.Series([1, None, 0], dtype=dtype, index=list("abc"))
    taken = operand(series)
    assert taken.valid.tolist() == [True, False, True]
    assert np.shares_memory(taken.host, series.array._data)
    given = taken.give_masked(np.array([1, 0, 1], result), taken.valid)
    assert given.isna().tolist() == [False, True, False] and list(given.index) == list("abc")
    assert given.iloc[2] == 1 and str(given.dtype)[0].isupper() == (result != "?")
    assert not taken.give(np.array([1, 0, 1], result)).isna().any()
    assert type(taken.give(np.array([1, 0, 1]), aligned=False)) is np.ndarray
    assert operand(series.array).valid.tolist() == [True, False, True]
    assert operand(pandas.Series([1, 0], dtype=dtype)).valid is None


def test_pandas_of_arrow(pandas):
    pytest.importorskip("pyarrow")
    series = pandas.Series([1, None, 3], dtype="int32[pyarrow]", name="n")
    taken = operand(series)
    assert taken.valid.tolist() == [True, False, True] and taken.type == _native.I32
    given = taken.give_masked(np.array([1, 0, 4]), taken.valid)
    assert given.isna().tolist() == [False, True, False] and given.name == "n"
    assert str(given.dtype) == "int64[pyarrow]"


@pytest.mark.parametrize("label", ["columns", "dtype", "array", "to_numpy"])
def test_pandas_labels_are_not_taken_for_attributes(pandas, label):
    series = pandas.Series([1.0, 2.5], index=[label, "b"])
    assert operand(series).host.tolist() == [1.0, 2.5]


def test_pandas_frames_and_indexes(pandas):
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=list("xy"))
    taken = operand(frame)
    assert taken.shape == (2, 2)
    pandas.testing.assert_frame_equal(taken.give(taken.host * 2), frame * 2)
    assert operand(pandas.Index([1, 2])).host.tolist() == [1, 2]
    assert type(operand(pandas.Index([1, 2])).give(np.zeros(2))) is np.ndarray


def test_pandas_refused(pandas):
    for x in (pandas.Series(["a"]), pandas.Series([1, 2], dtype="category"),
              pandas.Series(["2020-01-01"], dtype="datetime64[ns, UTC]"),
              pandas.Series([np.datetime64("2020-01-01")]), pandas.Series([1j]),
              pandas.Series([1, "a"]), pandas.Series(["a"], dtype="string"),
              pandas.Series(pandas.interval_range(0, 2)),
              pandas.DataFrame({"a": [1], "b": ["x"]})):
        with pytest.raises(TypeError, match="^a: dtype .* not supported by heddle"):
            operand(x)


# ---- Polars and PyArrow -------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES[:9] + DTYPES[10:])
def test_polars(dtype):
    polars = pytest.importorskip("polars")
    a = numbers(dtype)
    taken = operand(polars.Series("n", a))
    np.testing.assert_array_equal(taken.host, a, strict=True)
    assert taken.valid is None and taken.copied == (dtype == "?")
    given = taken.give(np.arange(3.0))
    assert isinstance(given, polars.Series) and given.name == "n" and given.to_list() == [0, 1, 2]
    values = [None if i % 5 == 2 else v for i, v in enumerate(a.tolist())]
    series = polars.Series("n", values, dtype=polars.Series(a).dtype)[3:]
    taken = operand(series)
    assert taken.valid.tolist() == [v is not None for v in values[3:]]
    given = taken.give_masked(taken.host, taken.valid)
    assert given.to_list() == values[3:]
    assert operand(polars.concat([series, series], rechunk=False)).size == 42


def test_polars_refused():
    polars = pytest.importorskip("polars")
    for values in (["a"], [[1]], [None], [{"a": 1}]):
        with pytest.raises(TypeError, match="^a: dtype .* not supported by heddle"):
            operand(polars.Series(values))


@pytest.mark.parametrize("dtype", DTYPES)
def test_pyarrow(dtype):
    pyarrow = pytest.importorskip("pyarrow")
    a = numbers(dtype)
    column = pyarrow.array(a)
    taken = operand(column)
    np.testing.assert_array_equal(taken.host, a, strict=True)
    assert taken.valid is None and taken.copied == (dtype == "?")
    assert dtype == "?" or taken.host.ctypes.data == column.buffers()[1].address
    mask = np.arange(24) % 7 == 3
    column = pyarrow.array(a, mask=mask)[5:20]
    for x in (column, pyarrow.chunked_array([column, column.slice(0, 0), column])):
        taken = operand(x)
        times = taken.size // 15
        assert taken.valid.tolist() == np.tile(~mask[5:20], times).tolist()
        np.testing.assert_array_equal(taken.host[taken.valid], np.tile(a[5:20], times)[taken.valid])
        given = taken.give_masked(taken.host, taken.valid)
        assert isinstance(given, pyarrow.Array) and given.to_pylist() == x.to_pylist()
    assert isinstance(taken.give(np.zeros((2, 2))), np.ndarray)
    assert operand(Lender(column, "__arrow_c_array__")).valid.tolist() == (~mask[5:20]).tolist()
    assert operand(pyarrow.py_buffer(b"ab")).host.tolist() == [97, 98]


def test_pyarrow_refused():
    pyarrow = pytest.importorskip("pyarrow")
    for x in (pyarrow.array(["a"]), pyarrow.array([None]), pyarrow.array([[1]]),
              pyarrow.array(["a"]).dictionary_encode(), pyarrow.table({"a": ["x"]}),
              pyarrow.array([1], pyarrow.date32()), pyarrow.array([1], pyarrow.timestamp("s")),
              pyarrow.array([1], pyarrow.decimal128(5))):
        with pytest.raises(TypeError, match="^b: dtype .*not supported by heddle"):
            operand(x, "b")


# ---- PyTorch on the host ------------------------------------------------------------------------


def test_torch_on_the_host(monkeypatch):
    class Tensor:
        is_cuda, device = False, None

        def __init__(self, array):
            self.array = array

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **words):
            return self.array.__dlpack__(**words)

    library(monkeypatch, "torch", Tensor=Tensor, from_numpy=Tensor)
    a = np.arange(6.0).reshape(2, 3).T
    taken = operand(Tensor(a))
    assert taken.library == "torch" and np.shares_memory(taken.host, a)
    assert taken.host.shape == (3, 2) and device_of(Tensor(a)) == "cpu"
    given = taken.give(a[::-1])
    assert isinstance(given, Tensor) and given.array.tolist() == a[::-1].tolist()
    assert given.array.flags.c_contiguous
    for x in (type("Size", (), {"__module__": "torch"})(), Lender(Tensor(a), "nothing")):
        with pytest.raises(TypeError):
            operand(x)
