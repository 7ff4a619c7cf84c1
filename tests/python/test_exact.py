"""fsum, fmean, fdot and exact=True: the real result, rounded once, by the integers of real.py."""

import math
import os
import subprocess
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest

import heddle as hd
import real
from arrays import (BF16, DEVICES, FLOATS, INTEGERS, LENGTHS, Case, axes, blocks, dtype_of, every_layout, fetched,
                    is_float, placed, plain, try_examples, values_of)
from conftest import BUILD
from exact import same_bits
from hypothesis import strategies as st

pytestmark = pytest.mark.filterwarnings("ignore:Mean of empty slice:RuntimeWarning")
on_devices = pytest.mark.parametrize("device", real.reachable)


def default(x):
    """The dtype of a result of x that no dtype was asked of."""
    return np.dtype(np.float32) if x.dtype == BF16 else x.dtype if x.dtype.kind == "f" else np.dtype(float)


def wide_range(dtype, count, seed=0):
    """Numbers from the least to the greatest exponents, most of which cancel."""
    rng = np.random.default_rng([seed, count])
    reach = {"f2": 10, "bf16": 110, "f4": 110, "f8": 900}[dtype]
    with np.errstate(under="ignore"):
        x = rng.standard_normal(count) * np.exp2(rng.uniform(-reach, reach / 1.1, count))
    x = x.astype(dtype_of(dtype))
    half = count // 2
    x[half : 2 * half] = -x[:half]
    x[rng.integers(count, size=count // 50)] = 1
    return rng.permutation(x)


def lanes(x, axis):
    """The rows along axes of an array, each as numbers of Python, in C order of the others."""
    axis = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    moved = np.moveaxis(x, axis, range(-len(axis), 0)) if axis else x
    shape = moved.shape[: x.ndim - len(axis)]
    length = math.prod(moved.shape[x.ndim - len(axis) :])
    return shape, [real.numbers(row) for row in np.ascontiguousarray(moved).reshape(math.prod(shape), length)]


def of_rows(function, x, axis, dtype, **more):
    """An oracle's results along axes."""
    shape, rows = lanes(x, axis)
    found = np.array([function(row, dtype, **more) for row in rows], dtype).reshape(shape)
    return found[()]


# ---- values, lengths, layouts ---------------------------------------------------------------------


@on_devices
@pytest.mark.parametrize("dtype", FLOATS)
def test_every_sort_of_value_and_length(dtype, device):
    for i, values in enumerate(values_of(dtype)):
        for n in LENGTHS[i % 3 :: 3]:
            x = Case(dtype, (n,), "C", values, n + i).array()
            there, own = placed(x, device), default(x)
            numbers = real.numbers(x)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                same_bits(fetched(hd.fsum(there)), real.total(numbers, own), (values, n))
                same_bits(fetched(hd.fmean(there)), real.mean(numbers, own), (values, n))
                same_bits(fetched(hd.fsum(there, skipna=True)), real.total(numbers, own, skipna=True))
                same_bits(fetched(hd.fdot(there, there)), real.product(numbers, numbers, own))
                squares = fetched(hd.sum_squares(there, exact=True))
                same_bits(squares, real.product(numbers, numbers, own), (values, n))


@on_devices
@pytest.mark.parametrize("dtype", FLOATS)
def test_cancellation_to_every_dtype(dtype, device):
    for n in (2, 31, 1025, 2047, 2048, 2049, 20_011):
        x, y = wide_range(dtype, n), wide_range(dtype, n, 1)
        a, b = placed(x, device), placed(y, device)
        p, q = real.numbers(x), real.numbers(y)
        for to in ("f2", "f4", "f8"):
            with np.errstate(over="ignore"):
                same_bits(fetched(hd.fsum(a, dtype=to)), real.total(p, to), (n, to))
                same_bits(fetched(hd.fmean(a, dtype=to)), real.mean(p, to), (n, to))
                same_bits(fetched(hd.fdot(a, b, dtype=to)), real.product(p, q, to), (n, to))
        if dtype == "f8":
            same_bits(fetched(hd.fsum(a)), np.float64(math.fsum(x)))


@on_devices
def test_names_and_exact_are_the_same(device):
    x, y = wide_range("f4", 4097), wide_range("f4", 4097, 1)
    x[17] = np.nan
    a, b = placed(x, device), placed(y, device)
    for more in ({}, {"skipna": True}, {"dtype": "f8"}, {"skipna": True, "keepdims": True}):
        same_bits(fetched(hd.fsum(a, **more)), fetched(hd.sum(a, exact=True, **more)))
        same_bits(fetched(hd.fmean(a, **more)), fetched(hd.mean(a, exact=True, **more)))
    same_bits(fetched(hd.fdot(a, b)), fetched(hd.dot(a, b, exact=True)))
    with np.errstate(all="ignore"):
        assert fetched(hd.fsum(b)) != fetched(hd.sum(b)) and fetched(hd.fdot(b, b)) == fetched(
            hd.sum_squares(b, exact=True))


@on_devices
@pytest.mark.parametrize("dtype", FLOATS)
def test_layouts_and_axes(dtype, device):
    for case in every_layout(dtype, device):
        x = case.array()
        if not device.startswith("cpu"):
            x = plain(x)
        for axis in (None, *range(x.ndim)):
            there, own = placed(x, device), default(plain(x))
            same_bits(fetched(hd.fsum(there, axis)), of_rows(real.total, plain(x), axis, own), (case, axis))
            same_bits(fetched(hd.fmean(there, axis)), of_rows(real.mean, plain(x), axis, own), (case, axis))
            if x.ndim == 1 or axis is not None:
                found = fetched(hd.fdot(there, there, axis=axis))
                assert np.array_equal(found, fetched(hd.sum_squares(there, axis, exact=True))), (case, axis)


@pytest.mark.parametrize("dtype", FLOATS)
def test_random_calls(dtype):
    def holds(drawn):
        case, seed = drawn
        rng = np.random.default_rng(seed)
        x = case.array()
        axis = axes_of_case.draw(rng, x.ndim)
        where = True if rng.integers(2) else rng.random(x.shape) < rng.choice([0.1, 0.9])
        more = {"axis": axis, "skipna": bool(rng.integers(2)), "keepdims": bool(rng.integers(2))}
        to = rng.choice([None, "f2", "f4", "f8"])
        initial = [None, 3, -0.1, np.inf][rng.integers(4)]
        check(x, where, to, initial, more)

    try_examples(st.tuples(blocks(dtype), st.integers(0, 9999)), holds, count=60)


class axes_of_case:
    """An `axis` argument for so many dimensions."""

    @staticmethod
    def draw(rng, dims):
        kind = rng.integers(3)
        if kind == 0 or not dims:
            return None
        if kind == 1:
            return int(rng.integers(-dims, dims))
        return tuple(int(i) for i in rng.permutation(dims)[: rng.integers(dims + 1)])


def check(x, where, to, initial, more):
    """fsum and fmean of the elements that count, by those that are left when the others are taken out."""
    own = np.dtype(to) if to else default(plain(x))
    axis, skipna, keepdims = more["axis"], more["skipna"], more["keepdims"]
    mask = np.broadcast_to(where, x.shape)
    shape, rows = lanes(plain(x), axis)
    _, seen = lanes(mask.astype(float), axis)
    kept = [[v for v, s in zip(row, those) if s] for row, those in zip(rows, seen)]
    if keepdims:
        every = range(x.ndim) if axis is None else {i % x.ndim for i in np.atleast_1d(axis)} if x.ndim else ()
        shape = tuple(1 if i in every else n for i, n in enumerate(x.shape))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        first = [] if initial is None else real.numbers(np.asarray(initial).astype(own))
        sums = [real.total(row, own, skipna=skipna) if not first else real.total(
            ([v for v in row if not skipna or v == v]) + first, own) for row in kept]
        wanted = np.array(sums, own).reshape(shape)[()]
        given = {} if initial is None else {"initial": initial}
        same_bits(hd.fsum(x, dtype=to, where=where, **given, **more), wanted, more)
        wanted = np.array([real.mean(row, own, skipna) for row in kept], own).reshape(shape)[()]
        same_bits(hd.fmean(x, dtype=to, where=where, **more), wanted, more)


# ---- no order -------------------------------------------------------------------------------------


@on_devices
@pytest.mark.parametrize("dtype", FLOATS)
def test_permutations_and_threads(dtype, device):
    x = wide_range(dtype, 400_003)
    rng = np.random.default_rng(2)
    wanted = real.total(real.numbers(x), default(x)), real.mean(real.numbers(x), default(x))
    for y in (x, x[::-1], rng.permutation(x), np.sort(x.astype(float)).astype(x.dtype)):
        there = placed(np.ascontiguousarray(y), device)
        for threads in (None, 1, 2, 5) if device.startswith("cpu") else (None,):
            same_bits(fetched(hd.fsum(there, threads=threads)), wanted[0], threads)
            same_bits(fetched(hd.fmean(there, threads=threads)), wanted[1], threads)


def test_large_arrays_of_any_order_are_read_in_pieces():
    x = wide_range("f8", 9 << 20).reshape(9, 1 << 10, 1 << 10)
    wanted = np.float64(math.fsum(x.reshape(-1)))
    for y in (x, x.T, x[:, ::-1], x.transpose(1, 0, 2)):
        same_bits(hd.fsum(y), wanted)
    line = x.reshape(-1)
    left, right = np.repeat(line, 2)[::2], line[::-1]
    same_bits(hd.fdot(left, right), hd.fdot(line, np.ascontiguousarray(right)))


SET = """
import sys, numpy as np
sys.path.insert(0, {tests!r})
import heddle as hd, test_exact as t
for dtype in t.FLOATS:
    for n in (33, 2049, 30_011):
        x, y = t.wide_range(dtype, n), t.wide_range(dtype, n, 1)
        rows = x[:n // 9 * 9].reshape(9, -1)
        for found in (hd.fsum(x), hd.fmean(x), hd.fdot(x, y), hd.fsum(rows, 0), hd.fmean(rows, 1)):
            print(np.asarray(found).tobytes().hex())
"""


def test_instruction_sets():
    tests = os.path.dirname(__file__)
    said = {}
    for isa in ("scalar", "avx2", "avx512", "neon"):
        path = os.pathsep.join([str(BUILD / "python"), tests])
        done = subprocess.run([sys.executable, "-c", SET.format(tests=tests)], capture_output=True, text=True,
                              env={**os.environ, "HEDDLE_ISA": isa, "PYTHONPATH": path})
        assert not done.returncode, done.stderr
        said[isa] = done.stdout
    assert len(set(said.values())) == 1 and len(said["scalar"].split()) == 5 * 3 * len(FLOATS)


# ---- one rounding ---------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ("f2", "f4", "f8"))
def test_halves_are_settled_by_what_is_far_below(to):
    info = np.finfo(to)
    half, far = float(info.eps) / 2, 2.0 ** -600
    for odd in (0, 1):
        one = 1 + odd * float(info.eps)
        for rest in (0.0, far, -far):
            x = np.array([one, half / 2, rest, half / 2])
            wanted = real.total(x.tolist(), to)
            assert wanted == (one if rest < 0 or not (rest or odd) else one + float(info.eps))
            same_bits(hd.fsum(x, dtype=to), wanted, (odd, rest))
            same_bits(hd.fdot(x, np.ones(4), dtype=to), wanted, (odd, rest))
            same_bits(hd.fmean(np.tile(x, 3), dtype=to), real.mean(x.tolist() * 3, to), (odd, rest))


def test_beyond_the_range_and_zeros():
    top = np.finfo("f8").max
    same_bits(hd.fsum([top, top, -top]), np.float64(top))
    same_bits(hd.fmean([top, top, top]), np.float64(top))
    same_bits(hd.fdot([top, top, 1.0], [2.0, -2.0, 5.0]), np.float64(5))
    for function in (hd.fsum, hd.fmean):
        same_bits(function([-0.0, -0.0]), np.float64(0))
    same_bits(hd.fdot([-0.0], [1.0]), np.float64(0))
    same_bits(hd.fsum([]), np.float64(0))
    same_bits(hd.fdot([], []), np.float64(0))
    with pytest.warns(RuntimeWarning, match="overflow encountered in reduce"):
        assert hd.fsum([top, top]) == np.inf
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        hd.fdot([top], [2.0])
    with pytest.warns(RuntimeWarning, match="invalid value"):
        assert np.isnan(hd.fsum([np.inf, -np.inf]))
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        assert np.isnan(hd.fmean([]))


# ---- integers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_added_as_they_are(dtype):
    for values in values_of(dtype):
        for layout in ("C", "backwards", "swapped"):
            x = Case(dtype, (3, 129), layout, values, 5).array()
            if layout != "C" and dtype == "?":
                continue
            for axis in (None, 0, 1, -1, (1, 0), ()):
                same_bits(hd.fsum(x, axis), of_rows(real.total, plain(x), axis, float), (values, axis))
                same_bits(hd.fmean(x, axis), of_rows(real.mean, plain(x), axis, float), (values, axis))
            assert hd.fsum(x, 1, keepdims=True).shape == (3, 1)
            assert hd.fsum(x, keepdims=True).shape == (1, 1)
            flat = plain(x).reshape(-1)
            p, q = real.numbers(flat), real.numbers(flat[::-1])
            same_bits(hd.fdot(flat, flat[::-1]), real.product(p, q, "f8"), values)
            same_bits(hd.sum_squares(x, exact=True), real.product(p, p, "f8"), values)
            same_bits(hd.fsum(x, dtype="f4"), real.total(p, "f4"), values)


def test_integers_that_no_float64_holds():
    big = np.array([2**53 + 1, 2**63 - 1, -(2**62) - 1, 5, -(2**63)])
    same_bits(hd.fsum(big, initial=0.5), real.total([*big.tolist(), 0.5], "f8"))
    mask = np.array([True, True, False, True, True])
    same_bits(hd.fsum(big, where=mask), real.total(big[mask].tolist(), "f8"))
    same_bits(hd.fmean(np.stack([big, -big // 3]), 1, where=np.stack([mask, ~mask])),
              np.array([real.mean(big[mask].tolist(), "f8"), real.mean((-big // 3)[~mask].tolist(), "f8")]))
    with np.errstate(invalid="ignore"):
        for y in ([np.inf, 1, 2, 3, 4], [np.nan, 1, 2, 3, 4], [1, -np.inf, 2, np.inf, 4], [0.1] * 5):
            same_bits(hd.fdot(big, y), real.product(big.tolist(), y, "f8"), y)
            same_bits(hd.fdot(np.array(y, "f4"), big), real.product(
                real.numbers(np.array(y, "f4")), big.tolist(), "f8"), y)
    rows = np.stack([big, big[::-1]])
    same_bits(hd.fdot(rows, rows[::-1], axis=1), np.array(
        [real.product(a, b, "f8") for a, b in zip(rows.tolist(), rows[::-1].tolist())]))
    same_bits(hd.fsum(np.int64(2**53 + 1)), np.float64(2**53))
    same_bits(hd.fsum(np.array([2**64 - 1], "u8"), dtype="f4"), np.float32(2**64))


# ---- means of rows of which not as many elements count ----------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_means_beside_nan_and_masks(dtype):
    rng = np.random.default_rng(3)
    x = wide_range(dtype, 7 * 11 * 5).reshape(7, 11, 5)
    mask = rng.random(x.shape) < 0.6
    mask[2], mask[:, 3] = False, True
    x[mask & (rng.random(x.shape) < 0.2)] = np.nan
    x[3, 4, 2] = np.inf
    for y, seen in ((x, mask), (np.asfortranarray(x), mask), (x[::-1], mask[::-1])):
        for axis in (None, 0, 1, 2, (0, 2), (2, 1), ()):
            for where in (True, seen):
                for skipna in (False, True):
                    check(y, where, None, None, {"axis": axis, "skipna": skipna, "keepdims": axis == 1})
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        found = hd.fmean(np.ones((2, 3)), 1, where=np.array([[True], [False]]))
    assert found[0] == 1 and np.isnan(found[1])
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        assert np.isnan(hd.fmean([np.nan], skipna=True))


# ---- inputs and arguments -------------------------------------------------------------------------


def test_nulls_and_other_libraries():
    values = [1e100, 1.0, -1e100, 0.1]
    masked = np.ma.masked_array([*values, 7.0], [0, 0, 0, 0, 1])
    assert hd.fsum(masked) == 1.1 and hd.fmean(masked) == 1.1 / 4 and hd.fdot(masked, masked) == hd.fdot(
        values, values)
    table = np.ma.masked_array([[1e16, 1.0, -1e16], [1.0, 2.0, 4.0]], [[0, 0, 0], [1, 0, 0]])
    assert hd.fmean(table, 1).tolist() == [1 / 3, 3.0]
    assert hd.fsum(values) == hd.fsum(tuple(values)) == 1.1 and hd.sum(values) != 1.1
    pandas = pytest.importorskip("pandas")
    assert hd.fsum(pandas.Series(values)) == 1.1
    assert hd.fsum(pandas.Series([*values, None], dtype="Float64")) == 1.1
    assert hd.fmean(pandas.Series([3, None, 4], dtype="Int64")) == 3.5
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    assert hd.fsum(polars.Series([*values, None])) == hd.fsum(pyarrow.array([*values, None])) == 1.1
    assert hd.fdot(polars.Series([1e10, None, 1e10, 1]), [1e10, 5, -1e10, 1]) == 1


def test_arguments():
    x = wide_range("f4", 600).reshape(20, 30)
    out = np.empty(30, np.float64)
    assert hd.fsum(x, 0, out=out) is out
    same_bits(out, of_rows(real.total, x, 0, "f8"))
    assert hd.fmean(x, 0, out=out) is out and hd.fsum(np.array(2.5), axis=-1) == 2.5
    same_bits(out, of_rows(real.mean, x, 0, "f8"))
    for function in (hd.fsum, hd.fmean):
        with pytest.raises(TypeError, match="dtype: "):
            function(x, dtype=int)
        with pytest.raises(np.exceptions.AxisError):
            function(x, 2)
        with pytest.raises(TypeError, match="complex"):
            function([1j])
    with pytest.raises(TypeError, match="without `exact` adds integers exactly"):
        hd.sum([1, 2], dtype=int, exact=True)
    with pytest.raises(ValueError, match="zero-size array"):
        hd.fsum([], initial=None)
    with pytest.raises(ValueError, match="one-dimensional"):
        hd.fdot(x, x)
    with pytest.raises(ValueError, match="not aligned"):
        hd.fdot([1.0], [1.0, 2.0])
    with pytest.raises(TypeError, match="dtype: "):
        hd.fdot([1.0], [1.0], dtype=int)
    with pytest.raises(TypeError):
        hd.prod([1.0], exact=True)


@pytest.mark.parametrize("device", [name for name in DEVICES if name not in real.reachable])
def test_devices_without_exact_sums_say_so(device):
    for call in (hd.fsum, hd.fmean, lambda x, **more: hd.fdot(x, x, **more)):
        with pytest.raises(TypeError, match="exact"):
            call(np.ones(5), device=device)


# ---- pieces ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", (*FLOATS, "i4", "i8", "u8"))
def test_pieces_in_any_order(dtype):
    x = wide_range(dtype, 30_001) if is_float(dtype) else Case(dtype, (30_001,), "C", "words", 1).array()
    wanted = real.total(real.numbers(x), default(x))
    cuts = np.sort(np.random.default_rng(4).integers(0, x.size, 9))
    parts = np.split(x, cuts)
    for order in (parts, parts[::-1]):
        total = hd.Reduction("sum", exact=True)
        for part in order:
            total.update(part[::-1])
        same_bits(total.result(), wanted)
    if is_float(dtype):
        squares = hd.Reduction("sum_squares", "f8", exact=True)
        for part in parts:
            squares.update(part)
        numbers = real.numbers(x)
        same_bits(squares.result(), real.product(numbers, numbers, "f8"))


def test_pieces_refuse():
    with pytest.raises(ValueError, match="exact: it is for sum and sum_squares, not for 'max'"):
        hd.Reduction("max", exact=True)
    with pytest.raises(TypeError, match="fdot"):
        hd.Reduction("sum_squares", exact=True).update([2**53 + 1])
    with pytest.raises(TypeError, match="dtype"):
        hd.Reduction("sum", int, exact=True).update([1])
    same_bits(hd.Reduction("sum", exact=True).result(), np.float64(0))
    total = hd.Reduction("sum", exact=True, skipna=True).update([1e100, np.nan]).update([1.0, -1e100])
    same_bits(total.result(), np.float64(1))


# ---- the oracle -----------------------------------------------------------------------------------


def test_the_oracle_rounds_as_numpy_does():
    rng = np.random.default_rng(8)
    for dtype in ("f2", "f4"):
        bits = rng.integers(0, 1 << 63, 4000).astype("u8").view("f8")
        near = rng.standard_normal(4000) * np.exp2(rng.integers(-30, 20, 4000))
        for v in np.concatenate([near, bits[np.isfinite(bits)]]):
            with np.errstate(all="ignore"):
                assert real.rounded(Fraction(float(v)), dtype) == v.astype(dtype), v
    for v in near:
        assert real.rounded(Fraction(float(v)) / 3, "f8") == float(Fraction(float(v)) / 3)
