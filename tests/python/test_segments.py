"""Segments and reduceat: each result has the bits of the plain call on that piece."""

import itertools
import warnings

import ml_dtypes
import numpy as np
import pytest

import heddle as hd
from test_plain_where import outcome

FOLDS = ("sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax")
DTYPES = ("?", "u1", "i1", "u2", "i4", "u8", "i8", "f2", "bf16", "f4", "f8")
#: Lengths of segments: around vectors, strips and chunks, and none.
LENGTHS = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 511, 513, 1023, 1024, 1025,
           2047, 2048, 2049, 4097, 1, 5000, 3)


def line(dtype, size, seed=1):
    rng = np.random.default_rng(seed)
    if dtype == "?":
        return rng.random(size) < 0.7
    values = rng.standard_normal(size) * 100
    values = np.abs(values) if dtype[0] == "u" else values
    made = (1 + values / 1e5 if dtype in ("f2", "bf16", "f4", "f8") else values).astype(
        ml_dtypes.bfloat16 if dtype == "bf16" else dtype)
    return made


def cuts(lengths, first=0):
    return first + np.concatenate([[0], np.cumsum(lengths)])


def rows(name, x, offsets, **words):
    return [getattr(hd, name)(x[a:b], **words) for a, b in zip(offsets, offsets[1:])]


def bits(values, dtype):
    return np.asarray(values, dtype).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FOLDS)
def test_bits_of_the_plain_call(name, dtype):
    offsets = cuts(LENGTHS, 5)
    x = line(dtype, offsets[-1] + 9)
    for threads in (1, 2):
        got = getattr(hd, f"segment_{name}")(x, offsets, threads=threads)
        want = rows(name, x, offsets)
        assert got.dtype == want[0].dtype and got.tobytes() == bits(want, got.dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_running_sums(dtype):
    offsets = cuts(LENGTHS, 5)
    x = line(dtype, offsets[-1] + 9)
    got, kind = hd.segment_cumsum(x, offsets), hd.cumsum(x).dtype
    want = np.concatenate([np.zeros(5, kind), *rows("cumsum", x, offsets), np.zeros(9, kind)])
    assert got.dtype == want.dtype == kind and got.tobytes() == want.tobytes()
    inner = x[5:-9]
    assert hd.segment_cumsum(inner, offsets - 5).tobytes() == want[5:-9].tobytes()


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "min", "argmax"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_nan(name, dtype):
    offsets = cuts((3, 1, 2000, 40, 5))
    x = line(dtype, offsets[-1])
    x[::7] = np.nan
    x[0] = x[3] = 1
    for skipna in (False, True):
        got = getattr(hd, f"segment_{name}")(x, offsets, skipna=skipna)
        assert got.tobytes() == bits(rows(name, x, offsets, skipna=skipna), got.dtype)


def test_nothing_but_nan():
    x = np.array([1.0, np.nan, np.nan, np.inf])
    for name in ("min", "max", "argmin", "argmax"):
        with pytest.raises(ValueError, match="^x: segment 1 is nothing but NaN"):
            getattr(hd, f"segment_{name}")(x, [0, 1, 3], skipna=True)
    assert hd.segment_min(x, [1, 3, 4], skipna=True, initial=7.0).tolist() == [7.0, 7.0]
    assert hd.segment_min(x, [3, 4], skipna=True).tolist() == [np.inf]
    assert hd.segment_sum(x, [1, 3], skipna=True).tolist() == [0.0]


def test_empty_segments():
    x = np.arange(1.0, 5.0)
    assert hd.segment_sum(x, [0, 0, 2, 2, 4, 4]).tolist() == [0, 3, 0, 7, 0]
    assert hd.segment_prod(x, [1, 1]).tolist() == [1]
    assert hd.segment_any(x, [1, 1]).tolist() == [False]
    assert hd.segment_all(x, [1, 1]).tolist() == [True]
    with pytest.warns(RuntimeWarning):
        assert np.isnan(hd.segment_mean(x, [0, 0, 4])[0])
    for name in ("min", "max", "argmin", "argmax"):
        with pytest.raises(ValueError, match="^offsets: segment 1 is empty"):
            getattr(hd, f"segment_{name}")(x, [0, 2, 2, 4])
    assert hd.segment_max(x, [0, 2, 2, 4], initial=3).tolist() == [3, 3, 4]
    for name in FOLDS + ("cumsum",):
        assert getattr(hd, f"segment_{name}")(x, [2]).size == (4 if name == "cumsum" else 0)


def test_initial_and_dtype():
    x = np.array([1, 2, 3, 250], np.uint8)
    assert hd.segment_sum(x, [0, 2, 4], initial=10).tolist() == [13, 263]
    assert hd.segment_sum(x, [0, 2, 4], dtype="u1").tolist() == [3, 253]
    assert hd.segment_sum(x, [0, 2, 4], dtype="f4").dtype == np.float32
    assert hd.segment_cumsum(x, [0, 2, 4], dtype="u1").tolist() == [1, 3, 3, 253]
    assert hd.segment_mean(x, [0, 4], dtype="f4").dtype == np.float32


def test_layouts_and_offsets_of_any_kind():
    x = np.arange(40.0)
    for a in (x[::-1], x[::3], x.reshape(5, 8)[:, 3]):
        assert hd.segment_sum(a, [0, 2, 5]).tolist() == [a[:2].sum(), a[2:5].sum()]
        assert hd.segment_cumsum(a, [0, 2, a.size])[2:].tolist() == a[2:].cumsum().tolist()
    for offsets in ((0, 3, 9), np.array([0, 3, 9], "i1"), np.array([0, 3, 9], "u8"),
                    np.array([0, 0, 3, 0, 9, 0])[::2]):
        assert hd.segment_sum(x, offsets).tolist() == [x[a:b].sum() for a, b in
                                                       zip(offsets, offsets[1:])]


@pytest.mark.parametrize("offsets, error, words", [
    ([0, 3, 2], ValueError, "^offsets: they must not fall; offset 2 is 2"),
    ([-1, 3], ValueError, "^offsets: -1 is outside"), ([0, 5], ValueError, "^offsets: 5 is outside"),
    ([], ValueError, "^offsets: one dimension"), ([[0, 1]], ValueError, "^offsets: one dimension"),
    ([0.0, 1.0], TypeError, "^offsets: integers"), ([False, True], TypeError, "^offsets: integers")])
def test_offsets_that_are_none(offsets, error, words):
    for name in FOLDS + ("cumsum",):
        with pytest.raises(error, match=words):
            getattr(hd, f"segment_{name}")(np.arange(4.0), offsets)


def test_arrays_that_have_no_segments():
    for name in FOLDS + ("cumsum",):
        with pytest.raises(ValueError, match="^x: segments are of one dimension"):
            getattr(hd, f"segment_{name}")(np.ones((2, 2)), [0, 1])
        with pytest.raises(TypeError, match="^x: dtype complex128"):
            getattr(hd, f"segment_{name}")(np.ones(2, complex), [0, 1])


def test_nulls_are_skipped():
    x = np.ma.MaskedArray([5.0, 1, 7, 0, 3, 9], [0, 1, 0, 0, 1, 0])
    offsets = [0, 2, 5, 6]
    assert hd.segment_sum(x, offsets).tolist() == [5, 7, 9]
    assert hd.segment_min(x, offsets).tolist() == [5, 0, 9]
    assert hd.segment_mean(x, offsets).tolist() == [5, 3.5, 9]
    assert hd.segment_argmin(x, [0, 2, 6]).tolist() == [0, 1]
    assert hd.segment_argmax(x, [0, 2, 6]).tolist() == [0, 3]
    running = hd.segment_cumsum(x, offsets)
    assert running.mask.tolist() == [False, True, False, False, True, False]
    assert running.compressed().tolist() == [5, 7, 7, 9]
    with pytest.raises(ValueError, match="^offsets: segment 1 is empty"):
        hd.segment_min(x, [0, 1, 2])


def test_other_libraries():
    pyarrow = pytest.importorskip("pyarrow")
    got = hd.segment_sum(pyarrow.array([1, None, 4]), [0, 2, 3])
    assert isinstance(got, pyarrow.Array) and got.to_pylist() == [1, 4]


def test_devices(device):
    x = line("f4", 3000)
    offsets = cuts((1, 700, 0, 2299))
    for name in ("sum", "cumsum"):
        call = getattr(hd, f"segment_{name}")
        assert call(x, offsets, device=device).tobytes() == call(x, offsets).tobytes()


# ---- reduceat -----------------------------------------------------------------------------------

UFUNCS = {"add": np.add, "multiply": np.multiply, "minimum": np.minimum, "maximum": np.maximum,
          "logical_or": np.logical_or, "logical_and": np.logical_and}


@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "i8", "f4", "f8"])
@pytest.mark.parametrize("name", UFUNCS)
def test_reduceat(name, dtype):
    x = line(dtype, 300)
    if dtype == "?" and name in ("add", "multiply", "minimum", "maximum"):
        x = x.astype("u1")  # NumPy's of bools are logical
    for indices in ([0], [0, 7, 8, 120], [299], [5, 2, 2, 200, 199], list(range(300)), []):
        want = UFUNCS[name].reduceat(x, np.array(indices, np.intp))
        got = getattr(hd, f"{name}_reduceat")(x, np.array(indices, np.intp))
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == "f4" else 1e-12)


@pytest.mark.parametrize("name", UFUNCS)
def test_reduceat_refuses(name):
    call = getattr(hd, f"{name}_reduceat")
    for indices in ([3], [-1, 2]):
        with pytest.raises(IndexError):
            UFUNCS[name].reduceat(np.arange(3), indices)
        with pytest.raises(IndexError):
            call(np.arange(3), indices)
    with pytest.raises(TypeError, match="^indices: "):
        call(np.arange(3), [0.5])
    with pytest.raises(ValueError, match="^a: reduceat is for one dimension"):
        call(np.ones((2, 2)), [0])


# ---- overflow and invalid values ---------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "cumsum"])
def test_segments_report_overflow_and_what_is_invalid(name, dtype):
    """As the plain call on a segment does."""
    huge, inf = float(np.finfo(dtype).max), float("inf")
    plain, cut = getattr(hd, name), getattr(hd, f"segment_{name}")
    rows = [[1.0, 2.0], [huge, huge], [inf, -inf], [huge, -inf], [float("nan"), huge, huge], [inf, 1.0]]
    for pair in itertools.permutations(rows, 2):
        x, offsets = np.array(sum(pair, []), dtype), np.cumsum([0, *map(len, pair)])
        said = [w for row in pair for w in outcome(plain, np.array(row, dtype), {})[-1]]
        for function in (cut, getattr(cut, "__wrapped__", cut)):
            found = outcome(function, x, {"offsets": offsets})[-1]
            assert sorted({w[1] for w in found}) == sorted({w[1] for w in said}), pair
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="^overflow encountered in"):
        (hd.segment_sum if name == "mean" else cut)(np.array([huge] * 3, dtype), np.array([0, 3]))


def test_reduceat_reports_under_its_own_name():
    x = np.array([1e308, 1e308, 1.0])
    for function in (hd.add_reduceat, hd.add_reduceat.__wrapped__, np.add.reduceat):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            function(x, np.array([0, 2]))
        assert [str(w.message) for w in said] == ["overflow encountered in reduceat"]
        assert said[0].filename == __file__


def test_means_on_a_device(gpu):
    offsets = cuts((3, 7, 17, 33, 65, 5, 1000))
    for dtype in ("u1", "i4", "i8", "f4"):
        x = np.abs(line(dtype, offsets[-1]))
        there = hd.segment_mean(hd.DeviceArray.from_host(x, gpu), offsets)
        assert there.to_host().tobytes() == hd.segment_mean(x, offsets).tobytes(), dtype


@pytest.mark.parametrize("dtype", ("?", "u1", "i4", "u8"))
def test_integers_have_no_nan_to_skip(dtype):
    x = line(dtype, 30 * 7).reshape(30, 7)
    offsets = cuts([7] * 30)
    for axis in (None, 0, 1):
        assert hd.mean(x, axis, skipna=True).tobytes() == hd.mean(x, axis).tobytes()
        assert hd.nanmean(x[::2], axis).tobytes() == hd.mean(x[::2], axis).tobytes()
    found = hd.segment_mean(x.ravel(), offsets, skipna=True)
    assert found.tobytes() == hd.segment_mean(x.ravel(), offsets).tobytes() == hd.mean(x, 1).tobytes()
