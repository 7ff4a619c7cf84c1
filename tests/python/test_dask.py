"""heddle.dask on real workers, processes of their own: the bits of heddle's functions on the whole."""
import numpy as np
import pytest

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

import heddle as hd  # noqa: E402
import heddle.dask as hdd  # noqa: E402

REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "sum_squares", "argmin", "argmax", "fsum"]


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None,
                                  memory_limit=None) as cluster, distributed.Client(cluster) as client:
        yield client


def numbers(count, dtype, seed=1):
    r = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (r.standard_normal(count) * np.exp2(r.integers(-6, 6, count))).astype(dtype)
    return r.integers(-100, 100, count).astype(dtype)


def cuts(count):
    """Ways to cut an array: uneven, into single elements, none, with chunks of nothing between."""
    yield (count,)
    if count >= 20_000:
        yield (1, 2048, 0, 4096, 777, count - 6922)
        yield (4096,) * (count // 4096) + (count % 4096,)
        yield tuple(np.diff([0, *sorted(np.random.default_rng(2).integers(0, count, 20)), count]).tolist())


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    assert a.dtype == b.dtype and a.tobytes() == b.tobytes(), (a, b)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32"])
def test_reductions_have_the_bits_of_the_whole(client, dtype):
    x = numbers(30_001, dtype)
    names = [name for name in REDUCTIONS if name != "fsum" or dtype != "int32"]
    lazy = {(name, cut): getattr(hdd, name)(da.from_array(x, chunks=(cut,)))
            for name in names for cut in cuts(x.size)}
    values = client.gather(client.compute(list(lazy.values())))
    for (name, _), value in zip(lazy, values):
        same(value, getattr(hd, name)(x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dots(client, dtype):
    x, y = numbers(30_001, dtype), numbers(30_001, dtype, 2)
    b = da.from_array(y, chunks=5_000)  # cut otherwise
    for cut in cuts(x.size):
        a = da.from_array(x, chunks=(cut,))
        same(hdd.dot(a, b).compute(), hd.dot(x, y))
        same(hdd.fdot(a, b).compute(), hd.fdot(x, y))


def test_describe(client):
    x = numbers(30_001, "float32")
    for cut in cuts(x.size):
        assert hdd.describe(da.from_array(x, chunks=(cut,))).compute() == hd.describe(x)


@pytest.mark.parametrize("bins, limits", [(10, (-3, 2)), ([-4.0, 0.0, 0.5, 9.0], None), (37, None)])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_histograms(client, dtype, bins, limits):
    x = numbers(30_001, dtype)
    for cut in cuts(x.size):
        counts, edges = hdd.histogram(da.from_array(x, chunks=(cut,)), bins, limits).compute()
        expected = hd.histogram(x, bins, limits)
        same(counts, expected[0])
        same(edges, expected[1])


def test_several_dimensions_count_in_c_order(client):
    x = numbers(30_000, "float32").reshape(50, 20, 30)
    cut = da.from_array(x, chunks=(13, 7, 30))
    same(hdd.sum(cut).compute(), hd.sum(x))
    same(hdd.argmax(cut).compute(), hd.argmax(x))
    same(hdd.dot(cut, cut).compute(), hd.dot(x.ravel(), x.ravel()))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int32", "int64"])
def test_moments(client, dtype):
    x = numbers(30_001, dtype)
    for cut in cuts(x.size):
        a = da.from_array(x, chunks=(cut,))
        for name, options in (("mean", {}), ("var", {}), ("std", {"ddof": 1}), ("mean", {"skipna": True})):
            same(getattr(hdd, name)(a, **options).compute(), getattr(hd, name)(x, **options))


def test_means_beyond_float64_and_of_nan():
    for x in (np.full(50_000, 1e308), np.array([np.inf, 1.0] * 9), np.array([np.inf, -np.inf] * 9),
              np.array([1.0, np.nan] * 9), np.array([1.0, np.nan] * 9, np.float32)):
        for skipna in (False, True):
            with np.errstate(all="ignore"):
                expected = [getattr(hd, name)(x, skipna=skipna) for name in ("mean", "var", "std")]
                a = da.from_array(x, chunks=4 if x.size < 99 else 7_000)
                got = [getattr(hdd, name)(a, skipna=skipna).compute(scheduler="synchronous")
                       for name in ("mean", "var", "std")]
            for want, found in zip(expected, got):
                assert np.array_equal(want, found, equal_nan=True), (x[:2], skipna, want, found)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "maximum_accumulate", "minimum_accumulate"])
def test_running_totals(client, name):
    for dtype in ("float32", "int32"):
        x = numbers(30_001, dtype)
        lazy = [getattr(hdd, name)(da.from_array(x, chunks=(cut,))) for cut in cuts(x.size)]
        for got in client.gather(client.compute(lazy)):
            same(got, getattr(hd, name)(x))
        assert all(a.dtype == getattr(hd, name)(x).dtype and a.shape == x.shape for a in lazy)
    table = numbers(12_000, "float32").reshape(20, 30, 20)
    cut = da.from_array(table, chunks=(7, 11, 20))
    for axis in (0, -1, None):
        same(getattr(hdd, name)(cut, axis).compute(scheduler="threads"), getattr(hd, name)(table, axis))


AXES = [0, -1, (0, 2), (0, 1, 2)]


@pytest.mark.parametrize("name", [*REDUCTIONS, "mean", "var", "std", "median", "quantile", "percentile"])
def test_along_axes(name):
    x = numbers(12_000, "float32").reshape(20, 30, 20)
    cut = da.from_array(x, chunks=(7, 11, 20))
    more = {"quantile": (0.3,), "percentile": ([5, 50, 99],)}.get(name, ())
    for axis in AXES if "arg" not in name else AXES[:2]:
        for keepdims in (False, True):
            got = getattr(hdd, name)(cut, *more, axis=axis, keepdims=keepdims)
            expected = getattr(hd, name)(x, *more, axis=axis, keepdims=keepdims)
            assert got.shape == np.shape(expected) and got.dtype == np.asarray(expected).dtype
            same(got.compute(scheduler="threads"), expected)


def test_axes_of_workers_and_none_cut(client):
    x = numbers(12_000, "float64").reshape(400, 30)
    small = da.from_array(x, chunks=(33, 7))
    same(hdd.sum(small, axis=0, skipna=True).compute(), hd.sum(x, axis=0, skipna=True))
    whole = da.from_array(x, chunks=(400, 7))
    assert hdd.sum(whole, axis=0).chunks == (whole.chunks[1],)
    assert hdd.sum(da.zeros((0, 3)), axis=0).compute(scheduler="synchronous").tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_quantiles_of_the_whole(client, dtype):
    x = numbers(30_001, dtype)
    for cut in [*cuts(x.size)][::2]:
        a = da.from_array(x, chunks=(cut,))
        same(hdd.quantile(a, [0.1, 0.5], method="hazen"),
             hd.quantile(x.astype("f8"), [0.1, 0.5], method="hazen"))
        same(hdd.median(a), hd.median(x.astype("f8")))
        same(hdd.median(a[:-1]), hd.median(x[:-1].astype("f8")))


def test_weighted_histograms(client):
    x, w = numbers(30_001, "float32"), numbers(30_001, "float32", 3)
    b = da.from_array(w, chunks=5_000)  # cut otherwise
    for cut in cuts(x.size):
        got = hdd.histogram(da.from_array(x, chunks=(cut,)), 50, (-3, 3), weights=b).compute()
        for mine, theirs in zip(got, hd.histogram(x, 50, (-3, 3), weights=w, exact=True)):
            same(mine, theirs)


def test_options_and_other_schedulers():
    x = numbers(30_001, "float32")
    x[::7] = np.nan
    cut = da.from_array(x, chunks=4_001)
    for scheduler in ("threads", "synchronous"):
        same(hdd.sum(cut, skipna=True).compute(scheduler=scheduler), hd.sum(x, skipna=True))
        same(hdd.max(cut, skipna=True, threads=2).compute(scheduler=scheduler), hd.max(x, skipna=True))
    assert hdd.sum(da.zeros(0)).compute(scheduler="synchronous") == 0


def test_states_stay_as_they_are():
    """What a task made may be another task's input as well: no merge changes it."""
    x = da.from_array(numbers(30_001, "float64"), chunks=1_000)
    total = hdd.sum(x).persist(scheduler="threads")
    same(total.compute(), hdd.sum(x).compute(scheduler="threads"))
    same(hdd.fsum(x).compute(scheduler="threads"), hdd.fsum(x[::-1]).compute(scheduler="threads"))


def test_refusals():
    x = da.from_array(numbers(1_000, "float64"), chunks=100)
    with pytest.raises(TypeError, match="array of Dask"):
        hdd.sum(np.zeros(3))
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        hdd.sum(x[x > 0])
    with pytest.raises(ValueError, match="not aligned"):
        hdd.dot(x, x[:-1])
    with pytest.raises(TypeError, match="rule"):
        hdd.histogram(x, "auto")
    with pytest.raises(ValueError, match="same shape"):
        hdd.histogram(x, weights=x[1:])
    with pytest.raises(ValueError, match="keepdims"):
        hdd.sum(x, keepdims=True)
    with pytest.raises(ValueError, match="keepdims"):
        hdd.median(x, keepdims=True)
    with pytest.raises(ValueError, match="axis"):
        hdd.sum(x, axis=1)
    with pytest.raises(TypeError, match="dtype"):
        hdd.maximum_accumulate(x, dtype="f4")
    with pytest.raises(ValueError, match="least|empty|no values|nothing|minimum"):
        hdd.min(da.zeros(0)).compute(scheduler="synchronous")
