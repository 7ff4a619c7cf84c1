"""sort, argsort, sort_pairs and lexsort, against NumPy's stable sorts."""

import heddle as hd
import numpy as np
import pytest
from arrays import BF16, INTEGERS
from hypothesis import given
from hypothesis import strategies as st

FLOATS = ("f2", "f4", "f8")
LENGTHS = (0, 1, 2, 17, 48, 49, 255, 1000, 5001)


def values(name, length, seed, few=False):
    """Random bits, NaN and zeros of both signs among the floats."""
    rng = np.random.default_rng(seed)
    if name == "?":
        return rng.integers(0, 2, length).astype(bool)
    if few:
        return rng.integers(0, 5, length).astype(name)
    words = rng.integers(0, 256, length * np.dtype(name).itemsize, np.uint8).view(name)
    if np.dtype(name).kind == "f" and length:
        words[rng.integers(0, length, length // 5)] = np.nan
        words[rng.integers(0, length, length // 5)] = 0.0
        words[rng.integers(0, length, length // 5)] = -0.0
    return words


def same(got, expected):
    """Alike, a NaN being any NaN; -0.0 equals +0.0."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("few", (False, True))
@pytest.mark.parametrize("name", INTEGERS + FLOATS)
def test_as_numpy(name, few):
    for length in LENGTHS:
        x = values(name, length, length, few)
        same(hd.sort(x), np.sort(x))
        same(hd.argsort(x), np.argsort(x, kind="stable"))


@pytest.mark.parametrize("name", ("i2", "u8", "f4"))
def test_large(name):
    x = values(name, 300_001, 3)
    same(hd.sort(x), np.sort(x))
    same(hd.argsort(x), np.argsort(x, kind="stable"))
    same(hd.sort(x, threads=3), hd.sort(x, threads=1))


@pytest.mark.parametrize("name", ("u1", "f2", "i4", "f4", "u8", "f8"))
def test_rows_of_every_length(name):
    for length in range(1, 301):
        x = values(name, 35 * length, length, length % 3 == 0).reshape(35, length)
        same(hd.sort(x), np.sort(x))
        same(hd.argsort(x), np.argsort(x, axis=-1, kind="stable"))


@pytest.mark.parametrize("name", ("f4", "f8"))
def test_numbers_of_few_exponents(name):
    x = np.random.default_rng(4).random(400_003).astype(name)
    for y in (x, x - 0.5, x**9, np.where(x < 0.01, x**20, 0.75)):
        same(hd.sort(y), np.sort(y))
        same(hd.argsort(y, descending=True), np.argsort(-y, kind="stable"))


@given(shape=st.lists(st.integers(0, 9), min_size=1, max_size=3), axis=st.integers(-3, 2),
       name=st.sampled_from(("i1", "f4", "f8", "u2")), flip=st.booleans(), seed=st.integers(0, 99))
def test_axes_and_layouts(shape, axis, name, flip, seed):
    axis = axis % len(shape)
    x = values(name, int(np.prod(shape)), seed).reshape(shape)
    x = x.T[::-1] if flip else x
    for along in (axis, None):
        same(hd.sort(x, axis=along), np.sort(x, axis=along))
        same(hd.argsort(x, along), np.argsort(x, along, kind="stable"))


def test_numpys_arguments():
    x = np.array([[3, 1], [2, 9]])
    for kind in (None, "quicksort", "mergesort", "heapsort", "stable"):
        same(hd.sort(x, 0, kind), np.sort(x, 0, kind))
    same(hd.sort(x, stable=True), np.sort(x))
    same(hd.argsort(x, axis=-1, stable=True), np.argsort(x))
    for arguments in ({"kind": "bubble"}, {"order": "f"}, {"kind": "stable", "stable": True}):
        for function in (hd.sort, hd.argsort):
            with pytest.raises(ValueError):
                function(x, **arguments)
    with pytest.raises(np.exceptions.AxisError):
        hd.sort(x, axis=2)
    with pytest.raises(np.exceptions.AxisError):
        hd.sort(5)
    same(hd.argsort(5), np.argsort(5))
    with pytest.raises(TypeError):
        hd.sort(np.array(["b", "a"]))
    with pytest.raises(TypeError):
        hd.sort(np.array([1j]))


@pytest.mark.parametrize("name", ("i4", "f2", "f8"))
def test_directions(name):
    x = values(name, 999, 5)
    numbers = x[~np.isnan(x)] if np.dtype(name).kind == "f" else x
    gaps = np.full(x.size - numbers.size, np.nan).astype(name)
    falling = np.sort(numbers)[::-1]
    same(hd.sort(x, descending=True), np.concatenate([falling, gaps]))
    same(hd.sort(x, descending=True, nan_first=True), np.concatenate([gaps, falling]))
    same(hd.sort(x, nan_first=True), np.concatenate([gaps, np.sort(numbers)]))
    order = hd.argsort(x, descending=True)
    same(x[order], hd.sort(x, descending=True))
    ties = np.array([2, 1, 2, 1, 2], name)
    same(hd.argsort(ties, descending=True), np.array([0, 2, 4, 1, 3]))


def test_zeros_and_payloads():
    x = np.array([0.0, -0.0, 1.0, 0.0, -0.0])
    assert np.signbit(hd.sort(x)).tolist() == [True, True, False, False, False]
    assert hd.argsort(x).tolist() == [0, 1, 3, 4, 2]
    words = np.array([0x7fc00001, 0xffc00002, 0x3f800000, 0x7f800003], np.uint32)
    assert hd.sort(words.view(np.float32)).view(np.uint32).tolist() == \
        [0x3f800000, 0x7f800003, 0x7fc00001, 0xffc00002]


@pytest.mark.parametrize("kind", ("?", "u2", "f4", "i8", "c16", "S8", "datetime64[s]"))
def test_pairs(kind):
    keys = values("f4", 700, 1, few=True)
    with_them = np.arange(700).astype("M8[s]" if kind.startswith("d") else kind)
    order = np.argsort(keys, kind="stable")
    got = hd.sort_pairs(keys, with_them)
    same(got[0], keys[order])
    same(got[1], with_them[order])
    table = hd.sort_pairs(keys.reshape(70, 10), with_them.reshape(10, 70).T, axis=0)
    order = np.argsort(keys.reshape(70, 10), 0, kind="stable")
    same(table[1], np.take_along_axis(with_them.reshape(10, 70).T, order, 0))


def test_pairs_refuse():
    with pytest.raises(TypeError):
        hd.sort_pairs([1, 2], np.array(["abc", "d"]))
    with pytest.raises(TypeError):
        hd.sort_pairs([1, 2], np.array([None, 1], object))
    with pytest.raises(ValueError):
        hd.sort_pairs([1, 2], [1, 2, 3])


def test_other_arrays():
    swapped = np.array([3.0, 1.0, 2.0]).astype(">f8")
    assert hd.sort(swapped).tolist() == [1.0, 2.0, 3.0]
    assert hd.sort([3, 1, 2]).tolist() == [1, 2, 3]
    narrow = np.array([2.0, -1.0, 0.5]).astype(BF16)
    assert hd.sort(narrow).tolist() == [-1.0, 0.5, 2.0]
    assert hd.argsort(narrow).tolist() == [1, 2, 0]
    masked = np.ma.array([3, 1, 2, 0], mask=[False, True, False, False])
    got = hd.sort(masked)
    assert got.compressed().tolist() == [0, 2, 3] and got.mask.tolist() == [False] * 3 + [True]
    with pytest.raises(ValueError):
        hd.argsort(masked)


def test_input_is_left_alone():
    x = values("f4", 5000, 9)
    before = x.tobytes()
    hd.sort(x), hd.argsort(x), hd.sort_pairs(x, x)
    assert x.tobytes() == before


@pytest.mark.parametrize("name", INTEGERS + FLOATS + ("?",))
def test_lexsort(name):
    """Of keys of which many are equal, of several types, by each of them first."""
    for length in LENGTHS:
        keys = [values("i2", length, 1, few=True), values(name, length, 2, few=name != "?"),
                values("f8", length, 3, few=True) - 2.0, values(name, length, 4)]
        for count in range(1, 5):
            same(hd.lexsort(keys[:count]), np.lexsort(keys[:count]))
            same(hd.lexsort(tuple(keys[:count][::-1])), np.lexsort(keys[:count][::-1]))


@given(shape=st.lists(st.integers(0, 7), min_size=1, max_size=3), axis=st.integers(-3, 2),
       names=st.lists(st.sampled_from(("i1", "f4", "u8", "?")), min_size=1, max_size=3),
       flip=st.booleans(), seed=st.integers(0, 99))
def test_lexsort_along_axes(shape, axis, names, flip, seed):
    axis = axis % (2 * len(shape)) - len(shape)
    keys = [values(name, int(np.prod(shape)), seed + i, few=name != "?").reshape(shape)
            for i, name in enumerate(names)]
    keys = [key.T[::-1] if flip else key for key in keys]
    same(hd.lexsort(keys, axis), np.lexsort(keys, axis))
    same(hd.lexsort(keys, axis=axis), np.lexsort(keys, axis=axis))


def test_lexsort_takes_what_numpy_takes():
    table = np.array([[3, 1, 2, 1], [0, 1, 0, 1]])
    same(hd.lexsort(table), np.lexsort(table))
    same(hd.lexsort(table, 0), np.lexsort(table, 0))
    same(hd.lexsort(np.zeros((3, 2, 4)), 0), np.lexsort(np.zeros((3, 2, 4)), 0))
    same(hd.lexsort(([3, 1], (2, 2))), np.lexsort(([3, 1], (2, 2))))
    for scalars in ([5], [1, 2], (1.5, 2), np.array([3, 1])):
        same(hd.lexsort(scalars), np.lexsort(scalars))
    for wrong in ([], (), 5, np.array(5), np.zeros((0, 3))):
        for function in (hd.lexsort, np.lexsort):
            with pytest.raises(TypeError):
                function(wrong)
    for wrong in (([1, 2], [1]), ([1, 2], [[1, 2]]), ([1, 2], 3)):
        for function in (hd.lexsort, np.lexsort):
            with pytest.raises(ValueError):
                function(wrong)
    for axis in (1, -2):
        with pytest.raises(np.exceptions.AxisError):
            hd.lexsort(([1, 2], [2, 1]), axis)
    with pytest.raises(np.exceptions.AxisError):
        hd.lexsort([1, 2], 3)
    with pytest.raises(TypeError):
        hd.lexsort(([1, 2], ["a", "b"]))
    with pytest.raises(ValueError, match=r"keys\[1\]"):
        hd.lexsort(([1, 2], np.ma.array([1, 2], mask=[True, False])))


def test_lexsort_ties_and_nan():
    zeros = np.array([0.0, -0.0, 0.0, -0.0])
    same(hd.lexsort((np.array([2, 1, 0, 3]), zeros)), np.array([2, 1, 0, 3]))
    gaps = np.array([np.nan, 1.0, -np.nan, np.nan])
    same(hd.lexsort((np.array([3, 0, 2, 1]), gaps)), np.lexsort((np.array([3, 0, 2, 1]), gaps)))
    x = [values("u1", 300_000, k, few=True) for k in range(4)]
    same(hd.lexsort(x, threads=3), hd.lexsort(x, threads=1))
    same(hd.lexsort(x), np.lexsort(x))


def test_lexsort_of_a_table_of_nullable_columns():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": [3, 1], "b": [1, 2]}, dtype="Int64")
    same(hd.lexsort(table), np.lexsort(table.to_numpy(np.int64)))
    table.iloc[0, 0] = None
    with pytest.raises(ValueError, match="keys: nulls"):
        hd.lexsort(table)
