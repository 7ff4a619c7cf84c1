"""Reduction, Scan, Moments and added histograms: the bits of the plain call, however it is cut."""

import gc

import ml_dtypes
import numpy as np
import pytest

import heddle as hd

REDUCTIONS = ("sum", "prod", "min", "max", "any", "all", "sum_squares", "argmin", "argmax")
SCANS = {"sum": (hd.cumsum, hd.exclusive_sum), "prod": (hd.cumprod, hd.exclusive_prod),
         "min": (hd.minimum_accumulate, hd.exclusive_min),
         "max": (hd.maximum_accumulate, hd.exclusive_max)}
DTYPES = ("?", "u1", "i4", "i8", "f2", "bf16", "f4", "f8")
#: Where an array of 70,000 is cut.
CUTS = ([], [0], [70000], [1], [2048, 4096], [1, 2, 3, 1000, 1000, 2049, 30000, 65537], [69999])


def line(dtype, size=70000):
    rng = np.random.default_rng(7)
    if dtype == "?":
        return rng.random(size) < 0.5
    if dtype[0] in "ui":
        return rng.integers(1, 100, size).astype(dtype)
    return (1 + rng.standard_normal(size) / 512).astype(
        ml_dtypes.bfloat16 if dtype == "bf16" else dtype)


def bits(x):
    return np.asarray(x).dtype, np.asarray(x).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction(name, dtype):
    x = line(dtype)
    want = bits(getattr(hd, name)(x))
    for cuts in CUTS:
        state = hd.Reduction(name)
        for part in np.split(x, cuts):
            state.update(part)
        assert bits(state.result()) == want and state.count == x.size
        assert bits(state.result()) == want, "twice"


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("name", SCANS)
def test_scan(name, dtype):
    x = line(dtype)
    for exclusive in (False, True):
        want = SCANS[name][exclusive](x)
        for cuts in CUTS[1::2]:
            state = hd.Scan(name, exclusive=exclusive)
            got = [state.update(part) for part in np.split(x, cuts)]
            assert bits(np.concatenate(got)) == bits(want)
        assert bits(state.result()) == bits(SCANS[name][0](x)[-1])


@pytest.mark.parametrize("dtype", DTYPES)
def test_moments(dtype):
    x = line(dtype)
    want = hd.describe(x)
    for cuts in CUTS:
        state = hd.Moments()
        for part in np.split(x, cuts):
            assert state.update(part) is state
        assert all(bits(a) == bits(b) for a, b in zip(state.result(), want) if a is not state.nulls)


def test_results_on_the_way_and_options():
    state = hd.Reduction("sum", skipna=True, threads=2)
    for i, part in enumerate(([1.0, np.nan], [2.0], [])):
        assert state.update(part).result() == (1, 3, 3)[i]
    assert np.isnan(hd.Reduction("sum").update([1.0, np.nan]).result())
    assert bits(hd.Reduction("sum", "f8").update(line("f4")).result()) == \
        bits(hd.sum(line("f4"), dtype="f8"))
    assert bits(hd.Reduction("sum", "f4").update(line("i4")).result()) == \
        bits(hd.sum(line("i4"), dtype="f4"))
    assert hd.Scan("sum", "f8").update([1, 2]).dtype == np.float64
    assert hd.Moments(skipna=True).update([1.0, np.nan]).result().nan == 1
    assert repr(hd.Moments()) == "<heddle.Moments of 0 elements of None>"


def test_nothing():
    assert bits(hd.Reduction("sum").result()) == bits(hd.sum([]))
    assert hd.Reduction("prod").result() == 1 and not hd.Reduction("any").result()
    assert hd.Scan("sum").result() == 0 and hd.Moments().result().count == 0
    for name in ("min", "argmax"):
        with pytest.raises(ValueError):
            hd.Reduction(name).result()
    late = hd.Reduction("sum")
    late.result()
    assert late.update([1.0]).result() == 1 and late.dtype == np.float64


def test_layouts_and_shapes():
    table = line("f4").reshape(200, 350)
    for x in (table.T, table[::2, ::3], table[::-1]):
        assert bits(hd.Reduction("sum").update(x).update(x).result()) == \
            bits(hd.sum(np.concatenate([x.ravel(), x.ravel()])))
        assert bits(hd.Scan("sum").update(x)) == bits(hd.cumsum(x))
    large = np.arange(2 * 1200 * 1000).reshape(1200, 2000)[:, ::2]  # read in pieces of its own
    assert bits(hd.Scan("sum").update(large)) == bits(hd.cumsum(large))
    raw = np.array([0, 2, 255, 1], np.uint8).view(bool)
    assert hd.Reduction("sum").update(raw).update(raw).result() == 6
    assert hd.Reduction("sum").update(np.arange(5, dtype=">i4")).result() == 10


def test_nulls():
    nulls = np.ma.MaskedArray([1.0, 50.0, 3.0], [0, 1, 0])
    assert hd.Reduction("sum").update(nulls).update(nulls).result() == 8
    figures = hd.Moments().update(nulls).update(nulls).result()
    assert (figures.count, figures.nulls, figures.mean) == (4, 2, 2)
    for state in (hd.Reduction("argmin"), hd.Scan("sum")):
        with pytest.raises(ValueError, match="^chunk: "):
            state.update(nulls)


def test_what_is_refused():
    for call in (hd.Reduction, hd.Scan):
        with pytest.raises(ValueError, match="^name: 'mode' is none of sum, prod"):
            call("mode")
        with pytest.raises(TypeError, match="^dtype: "):
            call("sum", "?").update([1])
    state = hd.Reduction("sum").update(np.ones(3, "f4"))
    for other in (np.ones(3), np.ones(3, "u2"), [1]):
        with pytest.raises(TypeError, match="^chunk: its dtype is"):
            state.update(other)
    assert state.update(np.ones(1, "f4")).result() == 4, "as if they had not been given"


def test_states_end():
    for _ in range(200):
        hd.Reduction("sum").update([1.0])
        hd.Moments().update(np.ones(5, "f4"))
    gc.collect()


# ---- histograms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [{}, {"weights": True}])
def test_histograms_add(words):
    x = np.append(line("f8") * 2, [np.nan, -5, 50])
    def count(part):
        weights = {"weights": np.arange(part.size) % 7} if words else {}
        return hd.histogram(part, 37, (1.9, 2.1), full=True, **weights)
    parts = [count(x[:7 * 1000]), count(x[7 * 1000:7 * 7001]), count(x[7 * 7001:])]
    whole = count(x)
    assert sum(parts) == whole and parts[0] + parts[1] + parts[2] == whole
    assert (sum(parts).hist == whole.hist).all() and parts[0] != whole and whole == count(x)
    assert whole != count(x[:-1]) and whole != 3 and not whole == "x"
    assert repr(sum(parts)) == repr(whole) and sum(parts).svg() == whole.svg()


def test_histograms_that_do_not_add():
    make = lambda **more: hd.histogram([1.0, 2.0], 4, more.pop("range", (0, 4)), full=True, **more)
    one = make()
    assert one != make(weights=[1, 1]), "the same numbers, but sums of weights"
    assert one != make(range=(0, 5)) and one != make(weights=[1.0, 1.0]) and one != make(density=True)
    with pytest.raises(ValueError, match="different edges"):
        one + make(range=(0, 5))
    for other in (make(weights=[1.0, 1.0]), make(density=True)):
        with pytest.raises(ValueError, match="do not add"):
            one + other
    for call in (lambda: one + 1, lambda: 1 + one):
        with pytest.raises(TypeError):
            call()
    assert 0 + one is one


def test_histograms_of_other_libraries_add():
    for name in ("polars", "pyarrow", "pandas"):
        library = pytest.importorskip(name)
        x = library.array([1.0, 3.0]) if name == "pyarrow" else library.Series([1.0, 3.0])
        one = hd.histogram(x, 2, (0, 4), full=True)
        both = one + one
        assert type(both.hist) is type(one.hist) and list(np.asarray(both.hist)) == [2, 2]


# ---- a description in a notebook ----------------------------------------------------------------


def test_description_shows_itself():
    one = hd.describe([1.0, 2.0, np.nan])._repr_html_()
    assert one.count("<tr>") == 11 and "<th>count</th><td style='text-align: right'>3</td>" in one
    assert "<th>mean</th><td style='text-align: right'>nan</td>" in one
    rows = hd.describe(np.arange(12.0).reshape(3, 4), axis=1)._repr_html_()
    assert rows.count("<tr>") == 12 and rows.count("<td") == 33 and ">9.5<" in rows
    many = hd.describe(np.ones((1000, 2)), axis=1)._repr_html_()
    assert many.count("<td") == 11 * 11 and "<th>999</th>" in many and "<th>500</th>" not in many
    assert "<table></table>" not in hd.describe(np.ones((0, 2)), axis=1)._repr_html_()
