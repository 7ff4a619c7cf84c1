"""groupby, group_sum, add_at and scatter_reduce, against loops over NumPy's rows."""

import copy
import pickle
import warnings

import heddle as hd
import numpy as np
import pytest

KEYS = {
    "dense": lambda rng, count: rng.integers(0, 30, count),
    "offset": lambda rng, count: rng.integers(-20, 40, count).astype("i2"),
    "wide": lambda rng, count: rng.integers(0, 20, count) * 10**15 - 5,
    "u8": lambda rng, count: rng.integers(0, 20, count).astype("u8") * 3,
    "floats": lambda rng, count: rng.integers(0, 20, count) / 8,
    "strings": lambda rng, count: np.array(list("abcdefg"))[rng.integers(0, 7, count)],
    "bools": lambda rng, count: rng.integers(0, 2, count).astype(bool),
    "in order": lambda rng, count: np.sort(rng.integers(0, 40, count)),
    "one": lambda rng, count: np.zeros(count, "i4"),
}


def rows_of(keys, x):
    return [x[keys == key] for key in np.unique(keys)]


def same(got, expected, close=False):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape
    if close:
        np.testing.assert_allclose(got, expected, rtol=1e-5, equal_nan=True)
    else:
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("shape", ((), (3,), (2, 4)))
@pytest.mark.parametrize("name", ("i4", "u1", "f4", "f8", "f2"))
@pytest.mark.parametrize("kind", KEYS)
def test_folds(kind, name, shape):
    rng = np.random.default_rng(len(kind))
    keys = KEYS[kind](rng, 700)
    x = rng.integers(0, 100, (700,) + shape).astype(name)
    groups, parts = hd.groupby(keys), rows_of(keys, x)
    same(groups.keys, np.unique(keys))
    same(groups.count(), np.array([len(part) for part in parts]))
    sums = np.array([hd.sum(part, axis=0) for part in parts])
    same(groups.sum(x), sums)
    real = np.array([part.astype("f8").sum(axis=0) for part in parts])  # exact
    same(groups.sum(x, exact=True), real.astype(sums.dtype))
    same(groups.min(x), np.array([part.min(axis=0) for part in parts]))
    same(groups.max(x), np.array([part.max(axis=0) for part in parts]))
    same(groups.any(x), np.array([part.any(axis=0) for part in parts]))
    same(groups.all(x), np.array([part.all(axis=0) for part in parts]))
    same(groups.first(x), np.array([part[0] for part in parts]))
    same(groups.last(x), np.array([part[-1] for part in parts]))
    same(groups.gather(x), np.concatenate(parts))
    if name != "f2":
        wide = [part.astype("f8") for part in parts]
        same(groups.mean(x), np.array([part.mean(axis=0) for part in wide]), close=True)
        same(groups.var(x), np.array([part.var(axis=0) for part in wide]), close=True)
        same(groups.std(x, 1), np.array([part.std(axis=0, ddof=1) for part in wide]), close=True)
    assert groups.offsets[-1] == 700 and len(groups) == len(parts)


def test_bits_for_any_number_of_threads():
    rng = np.random.default_rng(1)
    ids, x = rng.integers(0, 500, 400_000), rng.random(400_000).astype("f4")
    groups = hd.groupby(ids, threads=1)
    for threads in (2, 3):
        assert (hd.groupby(ids, threads=threads).sum(x) == groups.sum(x)).all()
    for g in (0, 17, 499):
        assert groups.sum(x)[g] == hd.sum(x[ids == g])
        assert groups.sum(x, exact=True)[g] == hd.fsum(x[ids == g]).astype("f4")


def test_against_pandas():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    keys, x = rng.integers(0, 50, 5000), rng.random(5000)
    by = pd.Series(x).groupby(keys)
    groups = hd.groupby(keys)
    for name in ("sum", "mean", "min", "max", "first", "last", "prod"):
        np.testing.assert_allclose(getattr(groups, name)(x), getattr(by, name)().to_numpy())
    np.testing.assert_allclose(groups.std(x, ddof=1), by.std().to_numpy())


def test_nan():
    x = np.array([1.0, np.nan, 2.0, np.nan])
    groups = hd.groupby([0, 0, 1, 2])
    same(groups.sum(x), np.array([np.nan, 2, np.nan]))
    same(groups.sum(x, skipna=True), np.array([1.0, 2.0, 0.0]))
    same(groups.max(x, skipna=True)[:2], np.array([1.0, 2.0]))


def test_group_sum():
    rng = np.random.default_rng(3)
    ids, x = rng.integers(0, 9, 1000), rng.integers(0, 50, 1000)
    same(hd.group_sum(ids, x), np.bincount(ids, x).astype("i8"))
    same(hd.group_sum(ids, x, 20), np.bincount(ids, x, 20).astype("i8"))
    same(hd.group_sum([], np.zeros((0, 2)), 3), np.zeros((3, 2)))
    for bad in ([9], [-1]):
        with pytest.raises(ValueError, match=r"ids\[0\]"):
            hd.group_sum(bad, [1.0], 9)
    with pytest.raises(ValueError, match="rows"):
        hd.group_sum([1, 2], [1.0])
    with pytest.raises(TypeError, match="integers"):
        hd.group_sum([0.5], [1.0])


@pytest.mark.parametrize("name", ("i8", "i2", "f4", "f8"))
def test_add_at(name):
    rng = np.random.default_rng(4)
    for row in ((), (5,)):
        ids, x = rng.integers(-7, 7, 300), rng.integers(0, 9, (300,) + row).astype(name)
        table = rng.integers(0, 9, (7,) + row).astype(name)
        expected = table.copy()
        np.add.at(expected, ids, x)
        hd.add_at(table, ids, x)
        same(table, expected)
    table = np.zeros(3)
    hd.add_at(table, [0, 0, 2], 1.0)
    same(table, np.array([2.0, 0, 1]))
    with pytest.raises(IndexError, match="out of bounds"):
        hd.add_at(table, [3], 1.0)
    same(table, np.array([2.0, 0, 1]))


def test_scatter_reduce():
    table, ids, x = np.array([1.0, 2, 3, 4]), [0, 0, 2], np.array([3.0, 5, 7])
    for include, expected in ((True, dict(sum=[9, 2, 10, 4], prod=[15, 2, 21, 4], amin=[1, 2, 3, 4],
                                          amax=[5, 2, 7, 4], mean=[3, 2, 5, 4])),
                              (False, dict(sum=[8, 2, 7, 4], prod=[15, 2, 7, 4], amin=[3, 2, 7, 4],
                                           amax=[5, 2, 7, 4], mean=[4, 2, 7, 4]))):
        for reduce, wanted in expected.items():
            got = hd.scatter_reduce(table, ids, x, reduce, include_self=include)
            same(got, np.array(wanted, float))
    with pytest.raises(ValueError, match="reduce"):
        hd.scatter_reduce(table, ids, x, "median")


def test_refused():
    with pytest.raises(ValueError, match="one dimension"):
        hd.groupby([[1]])
    with pytest.raises(ValueError, match="rows"):
        hd.groupby([1, 2]).sum([1.0])
    with pytest.raises(TypeError, match="complex"):
        hd.groupby([1]).sum([1j])
    assert len(hd.groupby(np.array([], int))) == 0
    with pytest.raises(ValueError, match="groups: -1"):
        hd.group_sum([], [], -1)
    with pytest.raises(TypeError, match="groups: a whole number"):
        hd.group_sum([0], [1.0], "2")
    with pytest.raises(ValueError, match="x: its shape"):
        hd.add_at(np.zeros(3), [0, 1], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("name", ("i8", "u8"))
def test_means_of_64_bits_do_not_wrap(name):
    most = np.iinfo(name).max
    x = np.array([most, 1, most, 5, 3], name)
    same(hd.groupby([0, 1, 0, 1, 1]).mean(x), np.array([float(most), 3.0]))
    same(hd.groupby([0, 1, 0, 1, 1]).mean(np.stack([x, x[::-1]], 1)),
         np.array([[float(most), hd.mean(np.array([3, most], name))],
                   [3.0, hd.mean(np.array([5, 1, most], name))]]))
    same(hd.groupby([7, 7]).mean([1e308, 1e308]), np.array([1e308]))


@pytest.mark.parametrize("ddof", (0, 1, 2, 3))
@pytest.mark.parametrize("name", ("f2", "f4", "f8", "i8", "?"))
def test_figures_have_the_bits_of_the_plain_functions(name, ddof):
    rng = np.random.default_rng(ddof)
    keys = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 30, 300, 2, 2])
    x = (rng.standard_normal(keys.size) * 3).astype(name)
    if x.dtype.kind == "f":
        top = np.finfo(name).max if name == "f4" else 2.0
        tiny = np.finfo(name).smallest_subnormal
        x[-4:-2], x[-2:] = [top, -top], [3 * tiny, 9 * tiny]
    groups, parts = hd.groupby(keys), rows_of(keys, x)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(groups.mean(x), np.array([hd.mean(part) for part in parts]))
        same(groups.var(x, ddof), np.array([hd.var(part, ddof=ddof) for part in parts]))
        same(groups.std(x, ddof), np.array([hd.std(part, ddof=ddof) for part in parts]))


def test_rows_of_more_than_a_mebibyte():
    x = np.arange(3 * 140_000.0).reshape(3, -1)
    groups = hd.groupby([1, 0, 1])
    same(hd.take(x, [-1, 0], axis=0), x[[-1, 0]])
    same(hd.take(x, [0, 0], axis=1), x[:, [0, 0]])
    same(groups.gather(x), x[[1, 0, 2]])
    same(groups.first(x), x[[1, 0]])
    same(groups.mean(x.astype("i8")), np.stack([x[1], (x[0] + x[2]) / 2]))
    same(groups.var(x), np.stack([np.zeros(140_000), np.full(140_000, 140_000.0**2)]))
    for outside in ([3], np.array([2**64 - 1], "u8")):
        with pytest.raises(IndexError, match="out of bounds"):
            hd.take(x, outside, axis=0)


@pytest.mark.parametrize("count", (700, 2**20))
@pytest.mark.parametrize("name", ("f4", "u8"))
@pytest.mark.parametrize("kind", ("dense", "offset", "wide"))
def test_folds_by_ids_and_in_order_agree(kind, name, count):
    """Many rows are folded by ids, until something has wanted them in order."""
    rng = np.random.default_rng(6)
    keys, x = KEYS[kind](rng, count), (rng.standard_normal(count) * 100).astype(name)
    if x.dtype.kind == "f":
        x[::50] = np.nan
    ordered, by_ids = hd.groupby(keys), hd.groupby(keys.copy())
    ordered.order
    for call in ("sum", "prod", "min", "max", "any", "all", "mean"):
        for more in ({}, {"skipna": True}) if call in ("sum", "prod", "min", "max") else ({},):
            same(getattr(hd.groupby(keys), call)(x, **more), getattr(ordered, call)(x, **more))
            same(getattr(by_ids, call)(x, **more), getattr(ordered, call)(x, **more))
    for call in ("sum", "mean"):
        same(getattr(hd.groupby(keys), call)(x, exact=True), getattr(ordered, call)(x, exact=True))


@pytest.mark.parametrize("count", (1000, 2**20))
def test_groups_keep_the_keys_that_they_were_made_of(count):
    keys, x = np.arange(count) % 7, np.arange(float(count))
    groups = hd.groupby(keys)
    before = groups.sum(x)
    keys[:] = 3
    same(groups.sum(x), before)
    same(pickle.loads(pickle.dumps(groups)).sum(x), before)
    same(groups.gather(x), x[np.argsort(np.arange(count) % 7, kind="stable")])
    same(groups.sum(x), before)


@pytest.mark.parametrize("kind", KEYS)
def test_groups_are_pickled_and_copied(kind):
    rng = np.random.default_rng(5)
    keys, x = KEYS[kind](rng, 500), rng.standard_normal((500, 3))
    groups = hd.groupby(keys, threads=1)
    for other in (pickle.loads(pickle.dumps(groups)), copy.copy(groups), copy.deepcopy(groups)):
        same(other.keys, groups.keys)
        same(other.offsets, groups.offsets)
        same(other.order, groups.order)
        same(other.count(), groups.count())
        for name in ("sum", "mean", "var", "first", "gather"):
            same(getattr(other, name)(x), getattr(groups, name)(x))
    none = pickle.loads(pickle.dumps(hd.groupby(keys[:0])))
    assert len(none) == 0 and none.keys.dtype == np.asarray(hd.groupby(keys[:0]).keys).dtype


def test_groups_of_a_device_array(gpu):
    """Folds and rows in order are there; of the rest and of keys with gaps the message names the array."""
    x = np.arange(8, dtype="f8").reshape(4, 2)
    there, groups = hd.DeviceArray.from_host(x, gpu), hd.groupby([1, 0, 1, 2])
    for name in ("sum", "max", "gather"):
        wanted = getattr(groups, name)(x)
        assert getattr(groups, name)(there).to_host().tolist() == wanted.tolist()
    for call in (groups.mean, groups.var, groups.std, groups.first, groups.last, hd.groupby([1, 0, 1, 4]).sum):
        with pytest.raises(TypeError, match="^x: .* arrays of the host"):
            call(there)
