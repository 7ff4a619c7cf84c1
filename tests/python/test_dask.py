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
    with pytest.raises(ValueError, match="least|empty|no values|nothing|minimum"):
        hdd.min(da.zeros(0)).compute(scheduler="synchronous")
