"""Overflow and invalid values: what NumPy warns of, as np.errstate says, for results alike."""

import io
import os
import platform
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle import _float_errors

FOLDS = ["sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "argmin", "argmax", "nansum",
         "nanprod", "nanmean"]
SCANS = ["cumsum", "cumprod"]
DTYPES = ["e", "f", "d"]
INF, NAN = float("inf"), float("nan")


def arrays(dtype):
    """By name; HUGE is the greatest number."""
    huge = float(np.finfo(dtype).max)
    rows = {
        "huge": [huge, huge], "huge, long": [huge] * 100, "less": [-huge, -huge, -huge],
        "some": [huge / 100] * 500, "both infinities": [INF, -INF], "infinity": [INF, 1.0],
        "minus infinity": [1.0, -INF, 2.0], "nan": [NAN, 1.0], "nan, then infinity": [NAN, INF],
        "nothing": [INF, 0.0], "nothing first": [0.0, INF], "overflow, then nothing": [huge, huge, 0.0],
        "both, long": [INF, -INF] * 50, "one": [huge], "one infinity": [INF], "none": [],
        "finite": [1.5, -2.5, 3.0], "squares": [huge ** 0.75, -(huge ** 0.75)] * 3,
        "negative": [huge, -huge, huge], "tiny": [float(np.finfo(dtype).tiny)] * 9}
    return {name: np.array(row, dtype) for name, row in rows.items()}


def kinds(found):
    return [w.message.args[0].split(" encountered")[0] for w in found
            if "encountered" in str(w.message)]


def called(function, *arguments, **options):
    """A result, and what is warned of."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            result = function(*arguments, **options)
        except ValueError as error:
            return type(error), []
    return result, found


def are_alike(a, b):
    """Both results are finite, infinite, or NaN in the same places."""
    if isinstance(a, type) or isinstance(b, type):
        return a is b
    a, b = np.asarray(a, "d"), np.asarray(b, "d")
    return (np.isnan(a) == np.isnan(b)).all() and (np.isinf(a) == np.isinf(b)).all()


def squares_of(function, x):
    return function(x, x)


@pytest.mark.parametrize("shape", [(40, 5), (5, 40)])
@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
def test_rows_of_too_few_numbers_are_warned_of_once(name, shape):
    x = np.random.default_rng(4).random(shape)
    x[3, 1:], x[1] = np.nan, np.nan
    for function in (getattr(hd, name), getattr(hd, name).__wrapped__):
        got, said = called(function, x, 1, ddof=1)
        want, _ = called(getattr(np, name), x, 1, ddof=1)
        assert [str(w.message) for w in said] == ["Degrees of freedom <= 0 for slice"]
        assert said[0].category is RuntimeWarning and said[0].filename == __file__
        assert np.array_equal(np.isnan(got), np.isnan(want)) and np.isnan(want).sum() == 2
        np.testing.assert_allclose(got, want, rtol=1e-12)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeWarning):
                function(x, 1, ddof=1)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_averages_say_whether_they_overflow(dtype):
    for name, row in arrays(dtype).items():
        for weight in (10, 1e-3):
            weights = np.full_like(row, weight)
            for x, w, axis in ((row, weights, None), (np.array([row] * 3), np.array([weights] * 3), 1)):
                if not row.size:
                    continue
                got, said = called(hd.average, x, axis, w)
                over = bool(np.isfinite(row).all() and not np.isfinite(got).all())
                invalid = bool(np.isnan(got).any() and not np.isnan(row).any())
                expected = ["overflow"] * over + ["invalid value"] * invalid
                assert kinds(said) == expected, (name, weight, got)
                with np.errstate(all="raise"):
                    if expected:
                        with pytest.raises(FloatingPointError):
                            hd.average(x, axis, w)
                    else:
                        hd.average(x, axis, w)
    huge = np.finfo(dtype).max
    assert kinds(called(hd.average, np.array([huge, huge], dtype), None, np.array([10, 10], dtype))[1]) == \
        (["overflow"] if dtype == "d" else [])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*FOLDS, *SCANS, "dot"])
def test_numpy_s_warnings_where_results_are_alike(name, dtype):
    alike = 0
    for case, x in arrays(dtype).items():
        arguments = (x, x) if name == "dot" else (x,)
        (want, said), (got, told) = (called(getattr(m, name), *arguments) for m in (np, hd))
        if not are_alike(got, want) or not x.size:
            continue
        alike += 1
        assert set(kinds(told)) == set(kinds(said)), (name, dtype, case)
        if name in ("sum", "prod", "nansum", "nanprod", "cumsum", "cumprod", "dot"):
            assert [str(w.message) for w in told] == [str(w.message) for w in said]
        assert all(w.category is RuntimeWarning for w in told)
    assert alike > 11  # others are mean, var and std, which overflow in NumPy alone


# ---- the rules, on numbers drawn at random --------------------------------------------------------


def expected(results, elements, name, skipna):
    """The kinds of one row's result, or of its last one."""
    if elements.size == 0 or name in ("min", "max"):
        return set()
    if skipna:
        elements = elements[~np.isnan(elements)]
    last = np.asarray(results).reshape(-1)[-1] if name in SCANS else results
    if np.isfinite(last) or np.isnan(elements).any() or not elements.size:
        return set()
    infinite = np.isinf(elements).any()
    if np.isinf(last):
        return set() if infinite else {"overflow"}
    return {"invalid value"} if infinite else {"overflow", "invalid value"}


def drawn(seed, dtype, shape):
    rng = np.random.default_rng(seed)
    huge = float(np.finfo(dtype).max)
    weights = [(.1, .1, .05, .05, .1, .3, .3), (.5, .5, 0, 0, 0, 0, 0), (.3, 0, .2, 0, 0, .5, 0),
               (0, 0, .1, .1, 0, .4, .4), (.2, .2, 0, 0, .2, .2, .2)][seed % 5]
    return rng.choice(np.array([huge, -huge, INF, -INF, NAN, 1.0, 0.0]), shape, p=weights).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["sum", "prod", "sum_squares", "mean", "var", "min", "max", *SCANS])
def test_results_say_what_is_reported(name, dtype):
    seen = set()
    for seed in range(60):
        skipna = seed % 3 == 0
        x = drawn(seed, dtype, (1 + seed % 7, 1 + seed % 9))
        layouts = {"C": x, "Fortran": np.asfortranarray(x), "backwards": x[::-1], "one": x.reshape(-1),
                   "step": np.repeat(x, 2, 1)[:, ::2]}
        for layout, y in layouts.items():
            for axis in (None, 0, y.ndim - 1):
                for function in (getattr(hd, name), getattr(hd, name).__wrapped__):
                    result, found = called(function, y, axis=axis, skipna=skipna)
                    if isinstance(result, type):
                        continue
                    lines = [y.reshape(-1)] if axis is None else \
                        np.moveaxis(y, axis, -1).reshape(-1, y.shape[axis])
                    results = [result] if axis is None else \
                        np.moveaxis(result, axis, -1).reshape(len(lines), -1) if name in SCANS else \
                        np.asarray(result).reshape(-1)
                    want = set().union(*(expected(r, e, name, skipna) for r, e in zip(results, lines)))
                    got = kinds(found)
                    assert set(got) == want and len(got) == len(want), (
                        seed, name, layout, axis, skipna, y.tolist(), result)
                    seen |= want
                    if not called(getattr(np, name, hd.sum), y, axis=axis)[1] and not skipna and \
                            are_alike(result, called(getattr(np, name, hd.sum), y, axis=axis)[0]):
                        assert not got
    assert bool(seen) == (name not in ("min", "max"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_dots(dtype):
    for seed in range(200):
        x, y = drawn(seed, dtype, 5), drawn(seed // 5 + 1, dtype, 5)
        for function in (hd.dot, hd.dot.__wrapped__):
            result, found = called(function, x, y)
            assert set(kinds(found)) == expected(result, np.concatenate([x, y]), "dot", False), (x, y)
    pair = np.stack([np.full(3, np.finfo(dtype).max)] * 2).astype(dtype)
    assert kinds(called(hd.dot, pair, pair, axis=1)[1]) == ["overflow"]


@pytest.mark.parametrize("x, options, want", [
    ([1e308, 1e308], {"where": [True, False]}, []), ([1e308, 1e308], {"where": [True, True]}, ["overflow"]),
    ([INF, 1.0, -INF], {"where": [True, True, False]}, []), ([1.0], {"initial": INF}, []),
    ([-INF], {"initial": INF}, ["invalid value"]), ([1e308], {"initial": 1e308}, ["overflow"]),
    ([1.0], {"initial": NAN}, []), ([NAN, INF, -INF], {"skipna": True}, ["invalid value"]),
    ([NAN, NAN], {"skipna": True}, []), ([1e30, 1e30], {"dtype": "f"}, []),
    ([3e38, 3e38], {"dtype": "f"}, ["overflow"]), ([70000, 70000], {"dtype": "e"}, ["overflow"]),
    ([1e308, 1e308], {"out": np.zeros(())}, ["overflow"]), ([1e308, 1e308], {"axis": 0}, ["overflow"]),
    ([1e308, 1e308], {"keepdims": True}, ["overflow"]), ([], {}, []),
    ([1e308, 1e308], {"threads": 1}, ["overflow"])])
def test_elements_are_those_that_count(x, options, want):
    assert kinds(called(hd.sum, np.array(x), **options)[1]) == want
    assert kinds(called(hd.sum, x, **options)[1]) == want


@pytest.mark.parametrize("x, options, want", [
    ([INF, -INF, 1.0], {"where": [True, True, True]}, ["invalid value"]),
    ([INF, -INF, 1.0], {"where": [True, False, True]}, []),
    ([NAN, INF, -INF], {"where": [True, True, True]}, []),
    ([NAN, INF, -INF], {"skipna": True}, ["invalid value"]), ([NAN, NAN, 1.0], {}, []),
    ([1e308, 1e308, 1e308], {"where": [True, True, True]}, [])])
def test_means_of_elements_that_count(x, options, want):
    for axis in (None, 0):
        assert kinds(called(hd.mean, np.array(x), axis=axis, **options)[1]) == want
    if want or NAN in x:
        assert kinds(called(hd.var, np.array(x), **options)[1]) == want


def test_what_says_more_than_that_is_not_said_twice():
    """Empty slices, and too few degrees of freedom."""
    for call in (lambda: hd.mean(np.empty(0)), lambda: hd.mean(np.ones(2), where=[False, False]),
                 lambda: hd.var(np.ones(1), ddof=1), lambda: hd.nanmean(np.array([NAN])),
                 lambda: hd.mean(1.5, axis=0, where=False), lambda: hd.var(np.array([INF]), ddof=1)):
        assert kinds(called(call)[1]) == []


# ---- what np.errstate says ------------------------------------------------------------------------


CALLS = {"sum": lambda m: m.sum(np.array([1e308, 1e308])),
         "rows": lambda m: m.sum(np.array([[1e308, 1e308], [1.0, INF]]), axis=1),
         "list": lambda m: m.sum([INF, -INF]), "scan": lambda m: m.cumsum(np.array([INF, -INF])),
         "dot": lambda m: m.dot(np.array([1e308]), np.array([1e308])),
         "product": lambda m: m.prod(np.array([1e308, 1e308, 0.0]))}


@pytest.mark.parametrize("over", ["ignore", "warn", "raise", "call", "log", "print"])
@pytest.mark.parametrize("invalid", ["ignore", "warn", "raise", "call", "log", "print"])
@pytest.mark.parametrize("name", CALLS)
def test_each_mode_of_errstate(name, over, invalid, capfd):
    def seen_with(m):
        told, log = [], io.StringIO()
        handler = log if "log" in (over, invalid) else lambda word, flag: told.append(word)
        if {"log", "call"} == {over, invalid}:
            return None  # there is one handler
        with np.errstate(over=over, invalid=invalid, call=handler), \
                warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            try:
                result = repr(CALLS[name](m))
            except FloatingPointError as error:
                result = str(error)
        sys.stderr.flush()
        return result, told, log.getvalue(), [str(w.message) for w in found], capfd.readouterr().err

    assert seen_with(hd) == seen_with(np)


def test_a_warning_names_the_line_of_the_caller():
    for name, call in CALLS.items():
        for m in (hd,):
            _, found = called(call, m)
            assert [w.filename for w in found] == [__file__] * len(found) and found, name
    _, found = called(hd.nansum, np.array([1e308, 1e308]))
    assert [w.filename for w in found] == [__file__]


def test_warnings_that_are_errors_are_raised():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in CALLS.values():
            with pytest.raises(RuntimeWarning, match="encountered in"):
                call(hd)


@pytest.mark.parametrize("axis", [None, 1])
def test_finite_results_are_not_looked_at(monkeypatch, axis):
    def asked():
        raise AssertionError("asked")

    monkeypatch.setattr(_float_errors, "wanted", asked)
    x = np.ones((3, 4))
    for name in ("sum", "mean", "var", "cumsum"):
        getattr(hd, name).__wrapped__(x, axis=axis)
    with pytest.raises(AssertionError):
        hd.sum.__wrapped__(x * INF, axis=axis)


def test_columns_warn_alike_in_cumsum_too():
    pyarrow = pytest.importorskip("pyarrow")
    for values, want in (([1e308, None, 1e308], ["overflow"]), ([INF, None, -INF], ["invalid value"]),
                         ([INF, None], []), ([NAN, None, INF], [])):
        for name in ("sum", "sum", "cumsum"):
            assert kinds(called(getattr(hd, name), pyarrow.array(values))[1]) == want


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows", [15, 16, 17, 40, 4095, 4096, 5003])
def test_one_row_of_many(rows, dtype):
    huge = np.finfo(dtype).max
    for at in {0, 3, rows // 2, rows - 1}:
        x = np.ones((rows, 2), dtype)
        for row, want in (([huge, huge], ["overflow"]), ([INF, -INF], ["invalid value"]), ([INF, 1], [])):
            x[at] = row
            for y, axis in ((x, 1), (np.asfortranarray(x), 1), (x.T.copy(), 0)):
                for name in ("sum", "cumsum"):
                    assert kinds(called(getattr(hd, name), y, axis=axis)[1]) == want, (at, row, name)
    x[:] = huge / 2  # of which a sum of sums is beyond the type, and none of them is
    assert kinds(called(hd.sum, x, axis=1)[1]) == []


def test_integers_wrap_without_a_word():
    x = np.array([2**62] * 4)
    for name in ("sum", "prod", "cumsum", "cumprod"):
        assert called(getattr(hd, name), x)[1] == []
    assert called(hd.dot, x, x)[1] == []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["sum", "prod", "cumsum", "sum_squares"])
def test_long_arrays(name, dtype, threads):
    """Where one thread has the processor's flags to go by."""
    huge = np.finfo(dtype).max
    for count in (8191, 8192, 16385, 40000):
        for some, finite in (([huge, huge], True), ([INF, -INF], False), ([NAN, INF], False), ([INF], False),
                             ([0.5], True)):
            x = np.ones(count, dtype)
            x[count // 3 : count // 3 + len(some)] = some
            for y, axis in ((x, None), (np.stack([x, x]), 1), (np.stack([x, x], 1), 0),
                            (np.stack([x[:1]] * count)[:, 0], 0)):
                result, found = called(getattr(hd, name), y, axis=axis, threads=threads)
                ends = np.asarray(result)[..., -1:] if name in SCANS and axis != 0 else \
                    np.asarray(result)[-1:] if name in SCANS else np.asarray(result).reshape(-1)
                want = set().union(*(expected(r, y, "sum", False) for r in ends.reshape(-1)))
                assert set(kinds(found)) == want, (name, dtype, count, some, axis)


@pytest.mark.parametrize("name", ["sum", "cumsum"])
def test_each_of_several_threads(name):
    x = np.ones(4_000_000, np.float32)
    for at in range(0, len(x), len(x) // 8):
        x[:] = 1
        x[at : at + 300] = 3e38
        assert kinds(called(getattr(hd, name), x, threads=4)[1]) == ["overflow"]


def test_a_processor_in_another_mode_is_not_trusted():
    """Denormals as 0, which other libraries may have set: the flags of such a call are lost."""
    code = """
import ctypes, sys, warnings
import numpy as np, heddle as hd
fenv = (ctypes.c_byte * 64)()
libm = ctypes.CDLL("libm.so.6")
libm.fegetenv(fenv)
mxcsr = ctypes.cast(ctypes.addressof(fenv) + 28, ctypes.POINTER(ctypes.c_uint32))
assert mxcsr[0] & 0x1f80 == 0x1f80
mxcsr[0] |= 0x8040
libm.fesetenv(fenv)
x = np.full(40000, 1e308)
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    assert np.isinf(hd.sum(x, threads=1))
    hd.sum(np.stack([x, x]), axis=1, threads=1)
assert len(found) == 2, found
"""
    if platform.machine() != "x86_64":
        pytest.skip("the mode is set as x86-64 has it")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(Path(hd.__file__).parents[1])})
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer")
def test_a_signal_s_handler_leaves_the_flags():
    """The first of many rows overflows, and a handler's own arithmetic comes behind it."""
    handled = []

    def handler(number, frame):
        handled.append(np.ones(3) / 3)

    x = np.ones(1_000_000)
    x[:2] = 1e308
    rows = np.lib.stride_tricks.sliding_window_view(np.r_[x, np.ones(3000)], len(x))
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.03, 0.03)
        _, found = called(hd.sum, rows, axis=1, threads=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled and kinds(found) == ["overflow"]
