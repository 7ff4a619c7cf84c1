"""What hd.histogram refuses, with the argument's name; what it leaves alone; its full result."""

import re

import numpy as np
import pytest

import heddle as hd

# ---- refusals ----------------------------------------------------------------------------------

X = [1.0, 2.0, 3.0]
REFUSED = [
    (TypeError, "a", dict(a=[1j])), (TypeError, "a", dict(a=["one"])),
    (TypeError, "a", dict(a=[None])), (TypeError, "a", dict(a=np.array([1], "M8[s]"))),
    (TypeError, "a", dict(a=np.array([1], "m8[s]"))),
    (TypeError, "a", dict(a=np.array([1], np.longdouble))),
    (TypeError, "a", dict(a=np.array([b"x"]))), (ValueError, "a", dict(a=[[1, 2], [3]])),
    (ValueError, "a", dict(a=[1, np.nan])), (ValueError, "a", dict(a=[1, np.inf])),
    (ValueError, "a", dict(a=[np.nan], bins="auto")),
    (ValueError, "bins", dict(bins=0)), (ValueError, "bins", dict(bins=-3)),
    (TypeError, "bins", dict(bins=2.5)), (TypeError, "bins", dict(bins=None)),
    (ValueError, "bins", dict(bins="histograms")), (ValueError, "bins", dict(bins=[[0, 1]])),
    (ValueError, "bins", dict(bins=[1, 3, 2])), (ValueError, "bins", dict(bins=[0, np.nan])),
    (ValueError, "bins", dict(bins=np.array([1, 3, 1], np.uint64))),
    (TypeError, "bins", dict(bins=[0, 1j])), (TypeError, "bins", dict(bins=["a", "b"])),
    (TypeError, "bins", dict(bins=np.array([0, 1], np.longdouble))),
    (TypeError, "bins", dict(bins="fd", weights=X)),
    (ValueError, "bins", dict(bins="frd", weights=X)),
    (ValueError, "bins", dict(a=[1, 1 + 2e-16], bins=10)),
    (ValueError, "range", dict(range=(2, 1))), (ValueError, "range", dict(range=(0, np.nan))),
    (ValueError, "range", dict(range=(0, np.inf))), (ValueError, "range", dict(range=(1,))),
    (TypeError, "range", dict(range=5)), (TypeError, "range", dict(range=("a", "b"))),
    (TypeError, "range", dict(range=(0j, 1))), (TypeError, "range", dict(range=(None, 1))),
    (TypeError, "range", dict(range=(0, np.longdouble(1)))),
    (ValueError, "weights", dict(weights=[1, 2])),
    (ValueError, "weights", dict(weights=[[1, 2, 3]])),
    (TypeError, "weights", dict(weights=[1j, 2, 3])),
    (TypeError, "weights", dict(weights=["1"] * 3)),
    (TypeError, "threads", dict(threads="two")), (ValueError, "threads", dict(threads=0)),
    (TypeError, "device", dict(device=3)),
]


@pytest.mark.parametrize("error, name, arguments", REFUSED)
def test_refusals_name_the_argument(error, name, arguments):
    with pytest.raises(error, match=rf"^{name}: ") as raised:
        hd.histogram(**{"a": X, **arguments})
    assert raised.type is error


def test_the_range_is_not_looked_at_beside_edges():
    assert hd.histogram(X, [0, 2, 4], range=(5, 1))[0].tolist() == [1, 2]


def test_bool_warns_as_numpy_does():
    with pytest.warns(RuntimeWarning, match="Converting input from bool"):
        hist, edges = hd.histogram([True, True, False])
    expected = np.histogram(np.array([1, 1, 0], np.uint8))
    assert hist.tolist() == expected[0].tolist()
    assert edges.dtype == expected[1].dtype and edges.tolist() == expected[1].tolist()


def test_input_stays_as_it_is():
    x = np.array([1.3, -2.5, np.nan, 2.3])
    before = x.tobytes()
    hd.histogram(x, 100, (-10, 10), weights=x)
    assert x.tobytes() == before


# ---- results -----------------------------------------------------------------------------------


def test_the_full_result_is_a_pair_and_more():
    h = hd.histogram([-1.0, 0.5, 1.5, 1.7, 9.0, np.nan], 2, (0, 2), full=True)
    hist, edges = h
    assert hist is h.hist is h[0] and edges is h.edges is h[1] and len(h) == 2
    assert (h.under, h.over, h.nan, h.nulls, h.count, h.lo, h.hi) == (1, 1, 1, 0, 6, 0.0, 2.0)
    assert all(type(v) is int for v in (h.under, h.over, h.nan, h.nulls, h.count))
    assert re.fullmatch(r"Histogram\(2 bins from 0 to 2, count=6, .*\)", repr(h))


def test_another_librarys_array_comes_back():
    assert isinstance(hd.histogram(np.ma.MaskedArray([1, 2, 3]), 2)[0], np.ma.MaskedArray)


@pytest.mark.torch
def test_tensors_come_back():
    import torch
    hist, edges = hd.histogram(torch.tensor([1.0, 2.0, 4.0]), 2)
    assert isinstance(hist, torch.Tensor) and isinstance(edges, torch.Tensor)
    assert hist.tolist() == [2, 1] and edges.dtype == torch.float32
    hist, edges = hd.histogram(torch.tensor([1.0, 2.0, 4.0], dtype=torch.bfloat16), 2)
    assert hist.tolist() == [2, 1] and edges.tolist() == [1, 2.5, 4]
