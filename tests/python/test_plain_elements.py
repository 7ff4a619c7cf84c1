"""The fast path of order statistics, selects, searches and values: each call beside the function that is
written, by the bits, types and shapes of results, and by what is raised."""

import threading

import numpy as np
import pytest

import heddle as hd
from heddle import _native

DTYPES = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]
LENGTHS = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 65, 255, 1000, 2049, 5000]
pytestmark = pytest.mark.skipif(_native.PLAIN is None, reason="this Python has no fast path")


def bits(result):
    """All that tells one result from another."""
    if isinstance(result, tuple):
        return tuple(map(bits, result))
    array = np.asarray(result)
    return type(result), array.dtype.str, array.shape, array.tobytes()


def outcome(function, *arguments, **options):
    try:
        with np.errstate(all="ignore"):
            return bits(function(*arguments, **options))
    except Exception as error:
        return type(error), str(error)


def agree(name, *arguments, taken=None, **options):
    """Both give the same; `taken`: whether the fast path is to do the call, None where it may."""
    function = getattr(hd, name)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__))
    other, written = cells["other"].cell_contents, function.__wrapped__
    calls = []

    def noted(*given, **named):
        calls.append(given)
        return written(*given, **named)

    want = outcome(written, *arguments, **options)
    other.function = noted
    try:
        got = outcome(function, *arguments, **options)
    finally:
        other.function = written
    assert got == want, (name, options)
    assert taken is None or taken != bool(calls), (name, options)


def numbers(dtype, length, seed=0):
    """Many that are equal, both zeros, infinities, NaN of either sign."""
    rng = np.random.default_rng([length, DTYPES.index(dtype), seed])
    if dtype == "?":
        return rng.random(length) < 0.5
    if dtype[0] == "f":
        x = np.round(rng.standard_normal(length) * 50, seed % 3).astype(dtype)
        odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan], dtype)
        some = rng.random(length) < (0.3 if seed else 0.0)
        x[some] = rng.choice(odd[:4] if seed == 1 else odd, some.sum())
        return x
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = rng.integers(low, high, length, dtype, endpoint=True)
    return x if seed else (x // (high // 40)).astype(dtype)


def cases():
    for dtype in DTYPES:
        for length in LENGTHS:
            for seed in range(3 if dtype[0] == "f" else 2):
                yield dtype, numbers(dtype, length, seed)


@pytest.mark.filterwarnings("ignore")
def test_medians_and_quantiles_agree():
    for dtype, x in cases():
        fast = dtype != "f2" and x.size > 0
        agree("median", x, taken=fast)
        agree("median", x, None, None, False, True, threads=1, taken=fast)
        agree("median", x[::-2], taken=fast and x[::-2].size > 0)
        for q in (0, 1, 0.5, 0.3, [0.25, 0.5, 0.75], [0, 1], np.array([0.1, 0.9, 0.999])):
            agree("quantile", x, q, taken=fast)
            agree("percentile", x, q, keepdims=True, threads=1, taken=fast)


@pytest.mark.filterwarnings("ignore")
def test_medians_and_quantiles_along_axes_agree():
    for dtype in DTYPES:
        whole = numbers(dtype, 7 * 9 * 10, 1).reshape(7, 9, 10)
        for x in (whole, whole[:, ::2], whole.T, whole[0], whole[0].T, whole[:, 3:4],
                  np.asfortranarray(whole)):
            for axis in (None, 0, -1, 1, (0, 1), x.ndim):
                for keepdims in (False, True):
                    agree("median", x, axis, keepdims=keepdims)
                    agree("quantile", x, 0.35, axis, keepdims=keepdims)
                    agree("quantile", x, [0.35, 0.5, 0.99], axis, keepdims=keepdims)
                    agree("percentile", x, 40, axis, keepdims=keepdims)
        agree("median", whole[0], 1, out=np.empty(9, np.float64))
    agree("median", np.zeros((2, 3)), True)
    agree("median", np.zeros((2, 3)), 2**70)


def test_other_shares_agree():
    x = numbers("f4", 100)
    for q in (-1, 1.5, -0.0, float("nan"), True, np.float32(0.5), np.float64(0.5), "half", [], [[0.5]],
              [0.5, 2], [True], (0.5,), np.array([0.5], "f4"), np.array([[0.5]]), np.linspace(0, 1, 65), 2**70,
              [-(2**70)], np.linspace(0, 1, 64)[::-1]):
        agree("quantile", x, q)
        agree("percentile", x, q)
    for method in ("linear", "lower", "hazen", "no"):
        agree("quantile", x, 0.3, method=method, taken=method == "linear")
    agree("quantile", x, 0.3, weights=np.ones(100), method="inverted_cdf", taken=False)


def test_first_elements_agree():
    for dtype, x in cases():
        for k in (0, 1, 2, 10, x.size // 8, x.size // 8 + 1, x.size // 2, x.size - 1, x.size, x.size + 1,
                  -1):
            fast = x.size > 0 and 1 <= k <= x.size
            agree("topk", x, k, taken=fast)
            agree("topk", x, k, largest=False, threads=1, taken=fast)
            agree("kthvalue", x, k, taken=fast)
            agree("partition", x, k, taken=-x.size <= k < x.size)
            agree("argpartition", x, k, taken=-x.size <= k < x.size)
            agree("partition", x[::2], k)
    for k in (True, 3.0, "3", [3], [1, 3], 2**40, 2**70, np.int64(3)):
        for name in ("topk", "kthvalue", "partition", "argpartition"):
            agree(name, numbers("f8", 50), k)
    for axis in (None, 0, 1, -1, -2, 2, True, (0,), 2**70):
        for name in ("topk", "kthvalue", "partition", "argpartition"):
            for x in (numbers("f8", 60), numbers("f4", 60, 1).reshape(6, 10),
                      numbers("i4", 60).reshape(6, 10).T):
                agree(name, x, 3, axis=axis)


def test_partitions_keep_the_others_in_order():
    for dtype in ("f8", "i4", "u1", "f2"):
        for size in (63, 64, 65, 1000, 4096, 4097, 20_000):
            x = numbers(dtype, size)
            order = np.argsort(x, kind="stable")
            for k in {0, size // 100, size // 10}:
                others = np.delete(np.arange(size), order[:k + 1])
                wanted = np.concatenate([order[:k + 1], others])
                np.testing.assert_array_equal(hd.argpartition(x, k, threads=1), wanted)
                if size < 4096:  # a longer line has no more in order than it must
                    np.testing.assert_array_equal(hd.partition(x, k, threads=1), x[wanted])


def test_selects_agree():
    for dtype, x in cases():
        mask = numbers("?", x.size, 1)
        agree("flatnonzero", x, taken=True)
        agree("nonzero", x, taken=True)
        agree("flatnonzero", mask.view("u1") * np.uint8(3), threads=1, taken=True)
        for condition in (mask, mask[:x.size // 2], x, ~mask | mask, mask & ~mask, mask[::2], mask.tolist(),
                          np.append(mask, True)):
            agree("compress", condition, x)
            agree("extract", condition, x)
        agree("compress", mask, x, taken=True)
        agree("extract", mask, x, taken=True)
        agree("compress", mask, x, axis=0, taken=True)
        agree("compress", mask, x, -1)
    x, wide = numbers("f4", 60, 2).reshape(6, 10), np.arange(600000) % 7
    for name in ("flatnonzero", "nonzero"):
        for a in (x, x.T, x[:, ::3], np.float64(3), np.zeros(()), [1, 0, 2], wide):
            agree(name, a)
    for condition in (x > 0, x[0] > 0, (x > 0).T, np.True_):
        for a in (x, x.T, x[0], x.astype("c16"), x.astype("S3"), x.astype("O")):
            for axis in (None, 0, 1, True, "0"):
                agree("compress", condition, a, axis)
            agree("extract", condition, a)
    agree("compress", wide > 2, wide)


def test_searches_agree():
    for dtype, v in cases():
        a = np.sort(numbers(dtype, max(1, v.size // 2), 2))
        for side in ("left", "right"):
            agree("searchsorted", a, v, side, taken=dtype != "?")
            agree("searchsorted", v[:0], a, side=side)
        agree("searchsorted", a, v[:60].reshape(-1, 1), taken=dtype != "?")
        agree("searchsorted", a, a[0], threads=1, taken=dtype != "?")
        for value in (3, 3.0, -1, True, 2**70, np.nan, None):
            agree("searchsorted", a, value)
        for edges in (a, a[::-1], a[:1], a[:0], v[:9]):
            agree("digitize", v, edges)
            agree("digitize", v, edges, True, threads=1)
        agree("digitize", v[::2], a)
    a = np.sort(numbers("f8", 50))
    agree("digitize", a, a[::5].copy(), taken=True)
    agree("searchsorted", a, 3.5, taken=True)
    for other in (a.astype("f4"), a.astype("i8"), a[::2], a.reshape(5, 10), a.tolist()):
        for side in ("left", "right", "middle", None, "leftmost"):
            agree("searchsorted", a, other, side)
            agree("searchsorted", other, a, side)
        agree("digitize", a, other)
        agree("digitize", other, a)
    agree("searchsorted", a, a, sorter=np.arange(50), taken=False)


def test_takes_agree():
    for dtype, x in cases():
        rng = np.random.default_rng(x.size)
        for kind in ("i4", "u4", "i8", "u8", "i2"):
            index = rng.integers(0, max(x.size, 1), 40).astype(kind)
            agree("take", x, index, taken=x.size > 0 and kind != "i2")
            if kind[0] == "i":
                agree("take", x, index - 1, axis=0)
                agree("take", x, -index, 0)
    x, index = numbers("f4", 60, 2).reshape(6, 10), np.array([[3, -1], [0, 5]])
    agree("take", x[0], index, taken=True)
    agree("take", x[0], -index, taken=True)
    for a in (x, x.T, x[0], x[:, ::2], x.astype("c16"), x.tolist()):
        for i in (index, index[0], index[:, :0], index + 4, index - 9, index.T, index.astype("f8"), index > 0,
                  2, [1]):
            for axis in (None, 0, 1, -1, 2, True):
                agree("take", a, i, axis)
    agree("take", x[0], np.array([2**63 + 1], "u8"))
    agree("take", x[0], np.array([2**31 + 1], "u4"))


@pytest.mark.filterwarnings("ignore")
def test_values_agree():
    for dtype, x in cases():
        for asked in range(8):
            options = {name: bool(asked >> i & 1) for i, name in
                       enumerate(("return_index", "return_inverse", "return_counts"))}
            if x.size < 300 or asked in (0, 4, 7):
                agree("unique", x, **options, taken=x.size > 0)
                agree("unique", x[::-1], **options)
    x = numbers("f8", 60, 2).reshape(6, 10)
    for a in (x, x.T, [3, 1, 3], np.float32(3), np.arange(300000) % 1000):
        agree("unique", a)
        agree("unique", a, return_inverse=True)
        agree("unique", a, equal_nan=False)
        agree("unique", a, return_counts=1)


def test_bools_may_have_any_byte():
    x = np.array([0, 1, 2, 255, 0, 7], np.uint8).view(bool)
    for name, more in (("median", ()), ("quantile", (0.5,)), ("topk", (3,)), ("kthvalue", (3,)),
                       ("partition", (2,)), ("argpartition", (0,)), ("flatnonzero", ()), ("nonzero", ()),
                       ("unique", ()), ("compress", (np.arange(6),)), ("extract", (x,)), ("searchsorted", (x,)),
                       ("take", (np.array([2, 3]),))):
        agree(name, x, *more)


def test_long_calls_leave_python_to_others():
    x = np.random.default_rng(1).random(250000)
    ran, done = [], threading.Event()

    def count():
        while not done.is_set():
            ran.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        for name, more in (("median", ()), ("topk", (100,)), ("flatnonzero", ()),
                           ("argpartition", (9,))):
            agree(name, x, *more, taken=True)
    finally:
        done.set()
        thread.join()
    assert ran
