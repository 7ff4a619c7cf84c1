"""searchsorted, digitize and take, against NumPy's."""

import subprocess
import sys
import textwrap

import heddle as hd
import numpy as np
import pytest
from arrays import INTEGERS

FLOATS = ("f2", "f4", "f8")


def values(name, length, seed):
    """Random bits, and NaN and zeros of both signs among the floats."""
    rng = np.random.default_rng(seed)
    if name == "?":
        return rng.integers(0, 2, length).astype(bool)
    words = rng.integers(0, 256, length * np.dtype(name).itemsize, np.uint8).view(name)
    if np.dtype(name).kind == "f" and length:
        words[rng.integers(0, length, length // 5)] = np.nan
        words[rng.integers(0, length, length // 5)] = -0.0
    return words


def same(got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("side", ("left", "right"))
@pytest.mark.parametrize("name", INTEGERS + FLOATS)
def test_as_numpy(name, side):
    for length, count in ((0, 3), (1, 1), (16, 256), (257, 1000), (5000, 300), (70000, 20000)):
        a, v = np.sort(values(name, length, 1)), values(name, count, 2)
        v[::3] = a[np.arange(len(v[::3])) * 7 % length] if length else v[::3]
        same(hd.searchsorted(a, v, side), np.searchsorted(a, v, side))
        same(hd.searchsorted(a, np.sort(v), side, threads=2), np.searchsorted(a, np.sort(v), side))


def test_shapes_and_dtypes():
    a = np.sort(np.random.default_rng(1).random(100))
    v = a.reshape(10, 10).T[::2]
    same(hd.searchsorted(a, v, "right"), np.searchsorted(a, v, "right"))
    assert hd.searchsorted(a, 0.5) == np.searchsorted(a, 0.5)
    assert isinstance(hd.searchsorted([1, 2], 2), np.int64)
    same(hd.searchsorted([1, 2, 3], [2.5, 0.0]), np.searchsorted([1, 2, 3], [2.5, 0.0]))
    few = np.array([1, 5], "u1")
    same(hd.searchsorted(few, [300, -4]), np.searchsorted(few, [300, -4]))
    order = np.random.default_rng(2).permutation(100)
    mixed = np.empty(100)
    mixed[order] = a
    same(hd.searchsorted(mixed, a, sorter=order), np.searchsorted(mixed, a, sorter=order))


def test_refused():
    with pytest.raises(ValueError, match="side"):
        hd.searchsorted([1], [1], "middle")
    with pytest.raises(ValueError, match="one dimension"):
        hd.searchsorted([[1]], [1])
    with pytest.raises(TypeError, match="complex"):
        hd.searchsorted([1j], [1])


@pytest.mark.parametrize("right", (False, True))
def test_digitize(right):
    x = np.random.default_rng(1).normal(size=1000).reshape(20, 50)
    for bins in (np.linspace(-1, 1, 9), np.linspace(1, -1, 9), [0.0], [], [1, 1, 2]):
        same(hd.digitize(x, bins, right), np.digitize(x, bins, right))
    with pytest.raises(ValueError, match="monotonically"):
        hd.digitize(x, [0, 2, 1])


@pytest.mark.parametrize("index", ("i1", "i4", "u4", "i8", "u8"))
def test_take(index):
    rng = np.random.default_rng(3)
    for shape in ((100,), (50, 3), (20, 4, 5)):
        for name in ("u1", "i2", "f4", "f8", "c16", "U3", "M8[s]"):
            a = np.arange(np.prod(shape)).astype("i8").astype(name).reshape(shape)
            where = rng.integers(0, shape[0], (7, 2)).astype(index)
            same(hd.take(a, where), np.take(a, where))
            for axis in range(-len(shape), len(shape)):
                where = rng.integers(0, shape[axis], (3, 2)).astype(index)
                same(hd.take(a, where, axis), np.take(a, where, axis))


def test_take_from_the_end_and_beyond():
    a = np.arange(10.0)
    same(hd.take(a, [-1, 0, -10]), a[[-1, 0, -10]])
    same(hd.take(a, []), np.take(a, np.array([], int)))
    same(hd.take(np.empty((3, 0)), [1, 2], 0), np.empty((2, 0)))
    for bad in ([10], [0, -11], np.array([2**63], "u8")):
        with pytest.raises(IndexError, match="out of bounds"):
            hd.take(a, bad)
    with pytest.raises(TypeError, match="integers"):
        hd.take(a, [0.5])
    with pytest.raises(np.exceptions.AxisError):
        hd.take(a, [0], 1)
    for one in (3, np.int64(3), np.array(3)):
        assert isinstance(hd.take(a, one), np.float64) and hd.take(a, one) == 3.0


def test_take_gives_the_callers_kind():
    assert hd.take(b"abc", [2, 0]).tolist() == [99, 97]
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    made = hd.take(masked, [1, 0], axis=0)
    assert made.tolist() == [[3, 4], [1, None]]
    assert hd.take(masked, 1) is np.ma.masked and hd.take(masked, 2) == 3
    assert hd.groupby([1, 0]).first(masked).tolist() == [[3, 4], [1, None]]
    for name in ("polars", "pyarrow"):
        library = pytest.importorskip(name)
        column = library.Series([1, None, 3]) if name == "polars" else library.array([1, None, 3])
        found = hd.take(column, [2, 1])
        assert isinstance(found, type(column))
        assert list(found.to_pylist() if name == "pyarrow" else found) == [3, None]
    pandas = pytest.importorskip("pandas")
    made = hd.take(pandas.Series([1, None, 3], dtype="Int64"), [2, 1])
    assert made.dtype == "Int64" and made[0] == 3 and made[1] is pandas.NA
    dates = pandas.Series(pandas.date_range("2020", periods=3))
    assert hd.take(dates, [2])[0] == np.datetime64("2020-01-03")


def test_digitize_into_falling_bins():
    for name in ("polars", "pyarrow"):
        library = pytest.importorskip(name)
        column = library.Series([5, 2, 0]) if name == "polars" else library.array([5, 2, 0])
        for bins in ([3, 2, 1], [1, 2, 3]):
            made = hd.digitize(column, bins)
            assert isinstance(made, type(column) if name == "polars" else library.Array)
            assert np.asarray(made).tolist() == np.digitize([5, 2, 0], bins).tolist()
    with pytest.raises(TypeError, match="x: dtype"):
        hd.digitize(["a"], [1, 2])
    with pytest.raises(ValueError, match="x: nulls"):
        hd.digitize(np.ma.array([1, 2], mask=[True, False]), [1, 2])


@pytest.mark.parametrize("call", ("hd.digitize(x, edges)", "hd.searchsorted(edges, x)", "hd.take(x, ids)"))
def test_what_a_handler_raises_comes_out(call):
    code = f"""
        import signal
        import numpy as np, heddle as hd
        rng = np.random.default_rng(1)
        x, ids = rng.random(8_000_000), rng.integers(0, 8_000_000, 8_000_000)
        edges = np.linspace(0, 1, 500_000)
        def stop(*_):
            raise TimeoutError
        signal.signal(signal.SIGALRM, stop)
        for attempt in range(8):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            try:
                while True:
                    {call}
            except TimeoutError:
                pass
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=120, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
