"""Arrays that do not lie in C order, or not in native bytes: the same bits; large ones uncopied."""

import tracemalloc

import ml_dtypes
import numpy as np
import pytest

import heddle as hd
from heddle import _axes
from heddle._arrays import pieces
from heddle._arrays.operand import operand

RNG = np.random.default_rng(5)
CUBE = RNG.standard_normal((12, 70, 90), np.float32)
LAYOUTS = {
    "Fortran": np.asfortranarray,
    "swapped": lambda a: np.ascontiguousarray(a.swapaxes(0, 1)).swapaxes(0, 1),
    "gaps": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "reversed": lambda a: np.flip(np.flip(a).copy()),
    "half reversed": lambda a: a[:, ::-1].copy()[:, ::-1],
    "broadcast": lambda a: np.broadcast_to(a[:, :1], a.shape),
    "odd": lambda a: np.rec.fromarrays([np.zeros(a.shape, "u1"), a])["f1"],
}
DTYPES = ["?", "i1", "u4", "i8", "f2", "f4", "f8", ml_dtypes.bfloat16]


def made(dtype):
    if np.dtype(dtype).kind in "biu":
        return RNG.integers(0, 2 if dtype == "?" else 100, CUBE.shape).astype(dtype)
    return CUBE.astype(dtype)


def results(a, **on):
    for name in ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "cumsum"):
        yield getattr(hd, name)(a, **on)
    yield hd.sum(a, dtype=np.float64, **on)
    yield hd.mean(a, skipna=True, **on)
    yield hd.min(a, skipna=True, **on)
    yield hd.argmax(a, skipna=True, **on)
    yield from hd.describe(a, **on)
    if a.dtype != bool:
        yield hd.dot(a.reshape(-1)[::2], a.reshape(-1)[1::2], **on)


def check_bits(monkeypatch, a, layout, large, **on):
    monkeypatch.setattr(_axes, "LARGE", large)
    monkeypatch.setattr(pieces, "_PIECE", 1 << 12)
    for got, want in zip(results(LAYOUTS[layout](a), **on), results(a.copy(), **on)):
        assert np.asarray(got).tobytes() == np.asarray(want).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("large", [pieces.LARGE, 1000])
def test_same_bits(monkeypatch, dtype, layout, large):
    a = made(dtype)
    check_bits(monkeypatch, a[:, :1].repeat(70, 1) if layout == "broadcast" else a, layout, large)


@pytest.mark.parametrize("dtype", ["f4", "f8", "u2", "u1"])
@pytest.mark.parametrize("columns", [1, 2, 5, 15, 16, 17, 63, 64, 65, 256, 511, 512, 513, 1024, 4099])
def test_columns_become_rows(dtype, columns):
    """Each element finds its place: what is left of squares and of blocks, rows that share a cache's sets."""
    rng = np.random.default_rng([columns, 3])
    for rows in (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 130, 300):
        a = rng.integers(0, 256 if dtype == "u1" else 60000, (2, rows, columns)).astype(dtype)
        for x in (a, a[:1], a[:, :, ::-1]):
            turned = np.ascontiguousarray(x.transpose(0, 2, 1)).transpose(0, 2, 1)
            assert hd.cumsum(turned).tobytes() == hd.cumsum(x.copy()).tobytes()
            if dtype[0] == "f":
                assert hd.sum(turned).tobytes() == hd.sum(x.copy()).tobytes()


@pytest.mark.parametrize("name", ["sum", "min", "max", "any", "all", "prod"])
@pytest.mark.parametrize("dtype", ["i8", "u1", "?"])
def test_axes_that_are_not_one(name, dtype):
    """Two folds, of which the first leaves its results as memory has them."""
    x = np.random.default_rng(4).integers(0, 4, (6, 9, 5, 8, 4)).astype(dtype)
    for view in (x, x[::2], x[:, 1:8, :3, 1:-1, :3], x.T, x[::-1, :, :, ::-1].swapaxes(1, 3)):
        for axis in [(0, 2), (0, 1, 2), (1, 3), (0, 4), (2, 4), (0, 2, 4), (1, 2, 4), None]:
            got, want = getattr(hd, name)(view, axis), getattr(np, name)(view, axis)
            assert np.array_equal(got, want), (view.strides, axis)


@pytest.mark.parametrize("layout", ["Fortran", "gaps", "half reversed"])
def test_same_bits_in_pieces_on_devices(monkeypatch, gpu, layout):
    check_bits(monkeypatch, made("f4")[:3, :20], layout, 1000, device=gpu)


def peak(call):
    call()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LARGE = np.ones((1200, 1 << 14), np.float32)  # 75 MiB
TURNED = LARGE.T
GAPS = LARGE[:, :-3]


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "argmin", "argmax", "any", "all",
                                  "mean", "var", "std", "describe"])
def test_no_copy_of_large_arrays(name):
    for a in (TURNED, GAPS, LARGE.view("i4").T, LARGE.view("i4")[:, 1:]):
        assert peak(lambda a=a: getattr(hd, name)(a)) < 24 << 20


def test_no_copy_where_order_means_nothing():
    a = np.ones((3, 1 << 20), np.int32).T
    for call in (hd.sum, hd.prod, hd.min, hd.max, hd.any, hd.all, hd.mean):
        assert peak(lambda call=call: call(a)) < 1 << 20
    for call in (hd.min, hd.max, hd.any, hd.all):
        assert peak(lambda call=call: call(a.view("f4"))) < 1 << 20


def test_dot_of_two_strides():
    a, b = np.ones(20 << 20, np.float32), np.ones(40 << 20, np.float32)[::2]
    assert peak(lambda: hd.dot(a, b)) < 24 << 20
    assert hd.dot(a, b) == 20 << 20


def test_errors_in_pieces(monkeypatch):
    monkeypatch.setattr(_axes, "LARGE", 1000)
    a = np.full((50, 60), np.nan).T
    for call in (hd.min, hd.argmin):
        with pytest.raises(ValueError):
            call(a, skipna=True)
        with pytest.raises(ValueError):
            call(np.ascontiguousarray(a), skipna=True)


def test_first_elements_of_a_long_field_of_records(monkeypatch):
    monkeypatch.setattr(_axes, "LARGE", 1000)
    records = np.zeros(5000, [("pad", "u1"), ("x", "f8")])
    records["x"] = RNG.permutation(5000)
    dense = records["x"].copy()
    for largest in (True, False):
        for found, wanted in zip(hd.topk(records["x"], 3, largest), hd.topk(dense, 3, largest)):
            assert found.tolist() == wanted.tolist()
    assert [int(v) for v in hd.kthvalue(records["x"], 7)] == [int(v) for v in hd.kthvalue(dense, 7)]
    assert hd.partition(records["x"], 5)[:6].tolist() == list(range(6))


@pytest.mark.parametrize("rule", ("auto", "fd", "doane", "sturges"))
def test_bins_by_a_rule_of_what_is_taken_in_pieces(monkeypatch, rule):
    monkeypatch.setattr(pieces, "LARGE", 1000)
    monkeypatch.setattr(pieces, "_PIECE", 700)
    gaps = (RNG.standard_normal((90, 80)) * np.arange(1, 91)[:, None])[:, ::2]
    for found, wanted in zip(hd.histogram(gaps, rule), hd.histogram(gaps.copy(), rule)):
        assert np.array_equal(found, wanted)


def test_bfloat16_of_another_byte_order():
    native = np.array([1.5, -2, 300, np.inf], ml_dtypes.bfloat16)
    swapped = native.astype(native.dtype.newbyteorder())
    taken = operand(swapped)
    assert taken.host.tolist() == native.view("u2").tolist() and taken.is_bfloat16 and taken.copied
    assert hd.sum(swapped[:3]) == hd.sum(native[:3]) == 299.5
    assert hd.dot(swapped[:3], native[:3]) == hd.dot(native[:3], native[:3])


@pytest.mark.parametrize("function", (hd.dot, hd.fdot))
def test_steps_along_an_axis_of_one_element_do_not_count(function):
    """Both arrays are contiguous for NumPy, whatever those steps are."""
    x, y = np.arange(3.0) + 1, np.array([10.0, 20.0, 30.0])
    for shape, axis in (((3, 1), 1), ((3, 1), 0), ((1, 3), 0), ((1, 3), 1)):
        expected = x * y if shape[axis] == 1 else [140.0]
        for step in (0, -8, 8, 24, 1 << 20):
            steps = tuple(step if length == 1 else 8 for length in shape)
            odd = np.lib.stride_tricks.as_strided(x, shape, steps)
            for other in (y.reshape(shape), y[::-1].copy()[::-1].reshape(shape), y.astype("f4").reshape(shape)):
                assert function(odd, other, axis=axis).tolist() == list(expected)
                assert function(other, odd, axis=axis).tolist() == list(expected)
