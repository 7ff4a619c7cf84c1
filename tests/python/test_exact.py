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
from arrays import (FLOATS, LENGTHS, Case, blocks, every_layout, fetched, placed, plain, try_examples,
                    values_of)
from conftest import BUILD
from exact import same_bits
from hypothesis import strategies as st

pytestmark = pytest.mark.filterwarnings("ignore:Mean of empty slice:RuntimeWarning")
on_devices = pytest.mark.parametrize("device", real.reachable)
on_devices_of_floats = pytest.mark.parametrize(  # NumPy's bfloat16 stays on the host
    "device, dtype", [(device, dtype) for device in real.reachable for dtype in FLOATS
                      if dtype != "bf16" or device.startswith("cpu")])


# ---- values, lengths, layouts ---------------------------------------------------------------------


@on_devices_of_floats
def test_every_sort_of_value_and_length(dtype, device):
    if dtype == "bf16" and not device.startswith("cpu"):
        pytest.skip("a DeviceArray has no bfloat16")
    for i, values in enumerate(values_of(dtype)):
        for n in LENGTHS[i % 3 :: 3]:
            x = Case(dtype, (n,), "C", values, n + i).array()
            there, own = placed(x, device), real.default(x)
            numbers = real.numbers(x)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                same_bits(fetched(hd.fsum(there)), real.total(numbers, own), (values, n))
                same_bits(fetched(hd.fmean(there)), real.mean(numbers, own), (values, n))
                same_bits(fetched(hd.fsum(there, skipna=True)), real.total(numbers, own, skipna=True))
                same_bits(fetched(hd.fdot(there, there)), real.product(numbers, numbers, own))
                squares = fetched(hd.sum_squares(there, exact=True))
                same_bits(squares, real.product(numbers, numbers, own), (values, n))


@on_devices_of_floats
def test_cancellation_to_every_dtype(dtype, device):
    for n in (2, 31, 1025, 2047, 2048, 2049, 20_011):
        x, y = real.wide_range(dtype, n), real.wide_range(dtype, n, 1)
        a, b = placed(x, device), placed(y, device)
        p, q = real.numbers(x), real.numbers(y)
        for to in ("f2", "f4", "f8"):
            with np.errstate(over="ignore"):
                same_bits(fetched(hd.fsum(a, dtype=to)), real.total(p, to), (n, to))
                same_bits(fetched(hd.fmean(a, dtype=to)), real.mean(p, to), (n, to))
                same_bits(fetched(hd.fdot(a, b, dtype=to)), real.product(p, q, to), (n, to))
        own = real.default(x)
        same_bits(fetched(hd.fdot(a, b)), real.product(p, q, own), n)
        if dtype == "f8":
            same_bits(fetched(hd.fsum(a)), np.float64(math.fsum(x)))


@on_devices
def test_names_and_exact_are_the_same(device):
    x, y = real.wide_range("f4", 4097), real.wide_range("f4", 4097, 1)
    x[17] = np.nan
    a, b = placed(x, device), placed(y, device)
    for more in ({}, {"skipna": True}, {"dtype": "f8"}, {"skipna": True, "keepdims": True}):
        same_bits(fetched(hd.fsum(a, **more)), fetched(hd.sum(a, exact=True, **more)))
        same_bits(fetched(hd.fmean(a, **more)), fetched(hd.mean(a, exact=True, **more)))
    same_bits(fetched(hd.fdot(a, b)), fetched(hd.dot(a, b, exact=True)))
    with np.errstate(all="ignore"):
        assert fetched(hd.fsum(b)) != fetched(hd.sum(b)) and fetched(hd.fdot(b, b)) == fetched(
            hd.sum_squares(b, exact=True))


@on_devices_of_floats
def test_layouts_and_axes(dtype, device):
    for case in every_layout(dtype, device):
        x = case.array()
        if not device.startswith("cpu"):
            x = plain(x)
        for axis in (None, *range(x.ndim)):
            there, own = placed(x, device), real.default(plain(x))
            sums, means = (real.of_rows(f, plain(x), axis, own) for f in (real.total, real.mean))
            same_bits(fetched(hd.fsum(there, axis)), sums, (case, axis))
            same_bits(fetched(hd.fmean(there, axis)), means, (case, axis))
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
        real.check_sum_and_mean(x, where, to, initial, more)

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


# ---- no order -------------------------------------------------------------------------------------


@on_devices_of_floats
def test_permutations_and_threads(dtype, device):
    x = real.wide_range(dtype, 400_003)
    rng = np.random.default_rng(2)
    wanted = real.total(real.numbers(x), real.default(x)), real.mean(real.numbers(x), real.default(x))
    for y in (x, x[::-1], rng.permutation(x), np.sort(x.astype(float)).astype(x.dtype)):
        there = placed(np.ascontiguousarray(y), device)
        for threads in (None, 1, 2, 5) if device.startswith("cpu") else (None,):
            same_bits(fetched(hd.fsum(there, threads=threads)), wanted[0], threads)
            same_bits(fetched(hd.fmean(there, threads=threads)), wanted[1], threads)


def test_large_arrays_of_any_order_are_read_in_pieces():
    x = real.wide_range("f8", 9 << 20).reshape(9, 1 << 10, 1 << 10)
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
        x, y = t.real.wide_range(dtype, n), t.real.wide_range(dtype, n, 1)
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
