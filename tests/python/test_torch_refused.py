"""Tensors of PyTorch that hold no numbers of heddle's: the argument is named, whichever it is."""

import importlib
import importlib.util

import pytest

import heddle as hd
from test_torch import odd_tensors, place  # noqa: F401

if importlib.util.find_spec("torch"):
    torch = importlib.import_module("torch")
    ht = importlib.import_module("heddle.torch")

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore:.*(beta|prototype|deprecated)")]


def test_arguments_of_heddles_functions(place):
    t, whole = torch.ones(3, device=place), torch.ones(3, dtype=torch.int64, device=place)
    for said, odd in odd_tensors(place):
        for name, call in (("a", lambda: hd.mean(odd)), ("a", lambda: hd.var(odd)),
                           ("a", lambda: hd.cumsum(odd)), ("a", lambda: hd.describe(odd)),
                           ("a", lambda: hd.dot(odd, t)), ("b", lambda: hd.dot(t, odd)),
                           ("a", lambda: hd.histogram(odd, 3, (0, 1))), ("bins", lambda: hd.histogram(t, odd)),
                           ("weights", lambda: hd.histogram(t, 3, (0, 1), weights=odd)),
                           ("x", lambda: hd.bincount(odd)), ("weights", lambda: hd.bincount(whole, odd)),
                           ("where", lambda: hd.sum(t.cpu(), where=odd)),
                           ("offsets", lambda: hd.segment_sum(t.cpu(), odd)),
                           ("indices", lambda: hd.add_reduceat(t.cpu(), odd))):
            for _ in range(2):  # by the fast path, where it knows the type
                with pytest.raises(TypeError, match=f"^{name}: .*{said}"):
                    call()


def test_arguments_of_the_operators(place):
    t, whole = torch.ones(3, device=place), torch.ones(3, dtype=torch.int64, device=place)
    for said, odd in odd_tensors(place):
        if said == "meta":
            continue  # which PyTorch has no elements of either
        for name, arguments in (("sum", ()), ("mean", ()), ("amax", ()), ("amin", ()), ("argmax", ()),
                                ("argmin", ()), ("cumsum", (0,)), ("cumprod", (0,)), ("histc", ()),
                                ("bincount", ())):
            with pytest.raises(TypeError, match=f"^x: .*{said}"):
                getattr(ht, name)(odd, *arguments)
        if said != "complex":
            with pytest.raises(TypeError, match=f"^y: .*{said}"):
                ht.dot(t, odd)
            with pytest.raises(TypeError, match=f"^weights: .*{said}"):
                ht.bincount(whole, odd)


def test_tensors_of_several_devices(place):
    t, whole = torch.ones(3, device=place), torch.ones(3, dtype=torch.int64, device=place)
    other = torch.ones(3, device="meta")
    for name, call in (("y", lambda: ht.dot(t, other)), ("weights", lambda: ht.bincount(whole, other)),
                       ("y", lambda: torch.ops.heddle.dot_rows(t[None], other[None]))):
        with pytest.raises(RuntimeError, match=f"^{name}: .* on meta"):
            call()
    if place == "cuda":
        for name, call in (("y", lambda: ht.dot(t, t.cpu())), ("weights", lambda: ht.bincount(whole, t.cpu()))):
            with pytest.raises(RuntimeError, match=f"^{name}: "):
                call()
        with pytest.raises(ValueError, match="^b: one array is on a device"):
            hd.dot(t, t.cpu())
