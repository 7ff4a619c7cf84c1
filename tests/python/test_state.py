"""States of pieces: cut anywhere, sent as bytes, merged by any tree, they are the whole call."""

import functools
import pickle
import random
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import heddle as hd

DTYPES = ("f4", "f8", "f2", "i4", "u8", "i1")


def data(dtype, count=20_011, seed=1):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (rng.standard_normal(count) * 2.0 ** rng.integers(-9, 9, count)).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)


def cuts_of(rng, count, pieces):
    places = [rng.choice((rng.randrange(count + 1), rng.randrange(count // 1024) * 1024))
              for _ in range(pieces - 1)]
    return [0, *sorted(places), count]


def merged(states, rng):
    """Neighbours in random order, some of them sent."""
    states = list(states)
    while len(states) > 1:
        k = rng.randrange(len(states) - 1)
        left, right = states[k:k + 2]
        if rng.random() < 0.3:
            left = pickle.loads(pickle.dumps(left))
        states[k:k + 2] = [left | right if rng.random() < 0.5 else right.merge(left)]
    return states[0]


def same(expected, got):
    assert np.asarray(got).dtype == np.asarray(expected).dtype
    assert np.asarray(got).tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ("sum", "prod", "min", "max", "any", "all", "argmin", "argmax"))
def test_merged_states_are_the_whole(name, dtype):
    x, rng = data(dtype), random.Random(f"{name}{dtype}")
    for _ in range(4):
        cuts = cuts_of(rng, x.size, 6)
        states = [getattr(hd.state, name)(x[a:b], start=a) for a, b in zip(cuts, cuts[1:])]
        total = merged(states, rng)
        same(getattr(hd, name)(x), total.result())
        assert total.count == x.size
        total.update(x[:77])
        same(getattr(hd, name)(np.concatenate([x, x[:77]])), total.result())


@pytest.mark.parametrize("dtype", DTYPES)
def test_dots_and_figures(dtype):
    x, y, rng = data(dtype), data(dtype, seed=2), random.Random(dtype)
    cuts = cuts_of(rng, x.size, 5)
    pairs = list(zip(cuts, cuts[1:]))
    same(hd.dot(x, y), merged([hd.state.dot(x[a:b], y[a:b], start=a) for a, b in pairs],
                              rng).result())
    got = merged([hd.state.describe(x[a:b], start=a) for a, b in pairs], rng).result()
    assert repr(got) == repr(hd.describe(x))


@pytest.mark.parametrize("dtype", ("f4", "f8"))
def test_exact_sums_need_no_place(dtype):
    x, y = data(dtype), data(dtype, seed=2)
    pieces = [slice(a, a + 3000) for a in range(0, x.size, 3000)]
    random.Random(3).shuffle(pieces)
    same(hd.fsum(x), functools.reduce(lambda a, b: a | b, (hd.state.fsum(x[p]) for p in pieces))
         .result())
    same(hd.fdot(x, y), functools.reduce(lambda a, b: a | b,
                                         (hd.state.fdot(x[p], y[p]) for p in pieces)).result())


def test_options_are_those_of_the_call():
    x = data("f4")
    x[::7] = np.nan
    state = hd.state.sum(x[:9000], skipna=True, dtype="f8", threads=2)
    state |= hd.state.sum(x[9000:], start=9000, skipna=True, dtype="f8")
    same(hd.nansum(x, dtype="f8"), state.result())


@pytest.mark.parametrize("name", ("sum", "prod", "min", "max"))
def test_a_scan_goes_on_behind_a_state(name):
    x = data("f4") if name != "prod" else 1 + data("f4") * 1e-6
    whole = hd.Scan(name).update(x)
    for at in (0, 1, 2048, 5001, x.size):
        scan = hd.Scan(name, prefix=hd.Reduction(name).update(x[:at]))
        parts = [scan.update(x[at:at + 4000])]
        scan = pickle.loads(pickle.dumps(scan))
        parts.append(scan.update(x[at + 4000:]))
        same(whole[at:], np.concatenate(parts))


def test_a_state_of_nothing_merges():
    empty = hd.Reduction("sum")
    some = hd.state.sum(np.arange(5, dtype="i4"))
    assert (empty | some).result() == 10 and (some | empty).result() == 10
    assert empty.count == 0 and pickle.loads(pickle.dumps(empty)).result() == 0.0


def test_operands_stay_as_they_are():
    left, right = hd.state.sum([1.0, 2.0]), hd.state.sum([3.0], start=2)
    assert (left | right).result() == 6.0
    assert left.result() == 3.0 and left.count == 2
    assert left.merge(right) is left and left.result() == 6.0


def test_what_does_not_belong_together_is_refused():
    x = np.arange(10, dtype="f4")
    with pytest.raises(ValueError, match="do not meet"):
        hd.state.sum(x) | hd.state.sum(x, start=11)
    with pytest.raises(ValueError, match="merge it into the state of what lies before"):
        hd.state.sum(x, start=3).result()
    for other in (hd.state.max(x, start=10), hd.state.dot(x, x, start=10),
                  hd.state.sum(x, start=10, skipna=True), hd.state.fsum(x)):
        with pytest.raises(TypeError, match="not of the same call"):
            hd.state.sum(x) | other
    with pytest.raises(TypeError, match="dtype is float64"):
        hd.state.sum(x) | hd.state.sum(x.astype("f8"), start=10)
    with pytest.raises(TypeError, match="unsupported operand"):
        hd.state.sum(x) | 3
    with pytest.raises(TypeError, match="merge Reductions"):
        hd.Scan("sum").merge(hd.Scan("sum"))
    with pytest.raises(TypeError, match="prefix"):
        hd.Scan("sum", prefix=3)
    with pytest.raises(ValueError, match="another operator"):
        hd.Scan("prod", prefix=hd.state.sum(x)).update(x)
    with pytest.raises(ValueError, match="start"):
        hd.Reduction("sum", start=-1)
    with pytest.raises(ValueError, match="not aligned"):
        hd.Dot().update([1.0], [1.0, 2.0])


def test_changed_bytes_are_refused():
    state = hd.state.sum(data("f8"))
    kept = state.__getstate__()
    for place in (0, 9, 40, len(kept["saved"]) - 1):
        bad = bytearray(kept["saved"])
        bad[place] ^= 4
        with pytest.raises(ValueError, match="no state that can be loaded"):
            hd.Reduction("sum").__setstate__({**kept, "saved": bytes(bad)})


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bins, limits", [(100, (-200, 150)), ([-1e9, -3.5, 0, 0.25, 100, 1e9], None)])
def test_merged_histograms_are_the_whole(dtype, bins, limits):
    """In any order; sums of weights are the exact ones."""
    x, rng = data(dtype), random.Random(5)
    all_weights = [data("f8", seed=7), data("f2", seed=8), data("i4", seed=9) % 1000, data("i1", seed=3) > 0]
    for weights in (None, *all_weights):
        whole = hd.histogram(x, bins, limits, weights=weights, full=True, exact=weights is not None)
        cuts = cuts_of(rng, x.size, 6)
        states = [hd.state.histogram(x[a:b], bins, limits, None if weights is None else weights[a:b])
                  for a, b in zip(cuts, cuts[1:])]
        rng.shuffle(states)
        got = merged(states, rng).result()
        same(whole.hist, got.hist)
        same(whole.edges, got.edges)
        assert got == whole


def test_histograms_of_nothing_nulls_and_rows():
    assert hd.Counts(3, (0, 1)).result() == hd.histogram([], 3, (0, 1), full=True)
    x = np.ma.array(np.arange(12.0).reshape(3, 4), mask=np.arange(12).reshape(3, 4) % 5 == 0)
    got = hd.Counts(4, (0, 12)).update(x[:, ::2]).update(x[:, 1::2]).result()
    assert got == hd.histogram(x, 4, (0, 12), full=True) and got.nulls == 3
    both = hd.Counts([0, 1]) | hd.Counts([0, 1]).update(np.float32([0.5]))
    assert both.result().hist == 1 and both.dtype == np.float32


def test_refused_histograms():
    with pytest.raises(ValueError, match="range: give it"):
        hd.Counts(10)
    with pytest.raises(ValueError, match="rule"):
        hd.Counts("auto", (0, 1))
    with pytest.raises(ValueError, match="cannot tell|can tell apart"):
        hd.Counts([2**53 + 1, 2**53 + 2]).update(np.arange(3))
    with pytest.raises(TypeError, match="that of the first was float64"):
        hd.Counts(2, (0, 1)).update([0.5]).update(np.float32([0.5]))
    with pytest.raises(TypeError, match="none here, float64 with"):
        hd.Counts(2, (0, 1)).update([0.5], [1.0]).update([0.5])
    with pytest.raises(TypeError, match="float64 here, none with"):
        hd.Counts(2, (0, 1)).update([0.5]).update([0.5], [1.0])
    with pytest.raises(TypeError, match="beyond float64"):
        hd.Counts(2, (0, 1)).update([0.5], [1])
    with pytest.raises(TypeError, match="not of the same call"):
        hd.Counts(2, (0, 1)) | hd.Counts(2, (0, 2))
    with pytest.raises(ValueError, match="weights"):
        hd.Counts(2, (0, 1)).update([0.5], [1.0]) | hd.Counts(2, (0, 1)).update([0.5])
    large = hd.Counts(1, (0, 1)).update(np.zeros(1 << 22), np.full(1 << 22, 2**31 - 1, np.int32))
    assert large.result().hist.dtype == np.int32
    with pytest.raises(ValueError, match="2\\*\\*53"):
        large.update(np.zeros(4), np.full(4, 2**31 - 1, np.int32)).result()


STATES = {"sum": lambda: hd.Reduction("sum"), "min": lambda: hd.Reduction("min"), "fsum": lambda:
          hd.Reduction("sum", exact=True), "scan": lambda: hd.Scan("sum"), "figures": hd.Moments,
          "first": lambda: hd.TopK(2), "counts": lambda: hd.Counts(2, (0, 9))}


@pytest.mark.parametrize("name", STATES)
def test_a_result_of_nothing_says_nothing_of_dtypes(name):
    state = STATES[name]()
    try:
        state.result()
    except ValueError:
        assert name == "min"
    state.update(np.array([4, 2, 7], np.int16))
    assert state.count == 3 and state.dtype == np.int16


def test_a_refused_piece_leaves_no_trace():
    state = hd.Quantiles(0.5)
    with pytest.raises(TypeError, match="bool"):
        state.update([True])
    state.update([4, 2, 7]).round()


def test_names_of_one_dtype():
    left = hd.Reduction("sum", "f4").update([1.0])
    right = hd.Reduction("sum", np.float32, start=1).update([2.0])
    assert (left | right).result() == 3
    with pytest.raises(TypeError, match="dtype"):
        hd.Reduction("sum", "no dtype")


@pytest.mark.parametrize("call", ("update", "result", "save", "merge"))
def test_a_state_may_be_shared_by_threads(call):
    """One call at a time; in a process of its own, which two calls on one state of the library would end."""
    code = f"""
        import copy, pickle, threading
        import numpy as np, heddle as hd
        x, total = np.ones(3000), hd.Reduction("sum", exact=True)
        other = hd.state.fsum(np.zeros(5))
        calls = {{"update": lambda: None, "result": total.result, "save": lambda: copy.copy(total),
                 "merge": lambda: (total | other, other | total)}}
        def work():
            for _ in range(400):
                total.update(x)
                calls[{call!r}]()
        workers = [threading.Thread(target=work) for _ in range(6)]
        for worker in workers: worker.start()
        for worker in workers: worker.join()
        print(total.count, total.result())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=120, capture_output=True,
                          text=True, check=False)
    assert done.stdout.split() == ["7200000", "7200000.0"], (done.returncode, done.stderr)
