"""First elements and ranks in pieces: what the calls on the whole give, for any cuts and merges."""

import functools
import operator
import pickle
import random

import numpy as np
import pytest

import heddle as hd
from test_quantile_states import data


def pieces(x, rng):
    cuts = [0, *sorted(rng.randrange(x.size + 1) for _ in range(3)), x.size]
    return list(zip(cuts, cuts[1:]))


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "u1", "i2", "i4", "u8", "i8", "?"))
def test_first_elements_of_pieces(dtype):
    rng = random.Random(dtype)
    x = data("u1").astype("?") if dtype == "?" else data(dtype)
    if x.dtype.kind == "f":
        x[::50] = np.nan
    for k in (0, 7, 500, x.size + 5):
        largest = bool(rng.randrange(2))
        states = [pickle.loads(pickle.dumps(hd.state.topk(x[a:b], k, largest, start=a)))
                  for a, b in pieces(x, rng)]
        rng.shuffle(states)
        values, index = functools.reduce(operator.or_, states).result()
        expected, places = hd.topk(x, min(k, x.size), largest)
        assert values.dtype == expected.dtype and values.tobytes() == expected.tobytes()
        assert index.tobytes() == places.tobytes()


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "u1", "i8", "?"))
def test_ranks_of_pieces(dtype):
    rng = random.Random(dtype)
    x = data("u1").astype("?") if dtype == "?" else data(dtype)
    ranks = np.array([[0, x.size - 1], [17, x.size // 2]])
    state = hd.Nth(ranks)
    while True:
        parts = [pickle.loads(pickle.dumps(state)).update(x[a:b]) for a, b in pieces(x, rng)]
        rng.shuffle(parts)
        state = functools.reduce(operator.or_, parts)
        if not state.round():
            break
    expected = np.sort(x)[ranks]
    assert state.result().dtype == expected.dtype and state.result().tobytes() == expected.tobytes()


def test_strided_pieces_and_nothing():
    x = data("f8", 8_000)[::2].reshape(40, 100).T
    values, index = hd.TopK(5).update(x).result()
    assert np.array_equal(index, np.argsort(-x.reshape(-1), kind="stable")[:5])
    assert np.array_equal(values, x.reshape(-1)[index])
    values, index = hd.TopK(5).result()
    assert values.size == index.size == 0
    state = hd.Nth(3)
    while state.update(x).round():
        pass
    assert state.result() == np.sort(x, None)[3] and isinstance(state.result(), np.float64)


def test_what_is_refused():
    x = data("f4")
    state = hd.state.topk(x, 3)
    with pytest.raises(ValueError, match="at the same position"):
        state | hd.state.topk(x, 3)
    with pytest.raises(TypeError, match="not of the same call"):
        state | hd.TopK(3, largest=False)
    with pytest.raises(ValueError, match="nulls"):
        hd.TopK(3).update(pytest.importorskip("pyarrow").array([1, None]))
    with pytest.raises(ValueError, match="below 0"):
        hd.TopK(-1)
    state = hd.state.nth(x, 3)
    with pytest.raises(ValueError, match="in its pass 1"):
        state.result()
    assert state.round()
    with pytest.raises(ValueError, match="states of one pass merge"):
        state | hd.state.nth(x, 3)
    with pytest.raises(ValueError, match="from 0 on"):
        hd.Nth(-1)
    with pytest.raises(ValueError, match=r"ranks\[0\]. is 9001"):
        hd.state.nth(x, x.size).round()
