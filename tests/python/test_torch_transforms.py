"""heddle.torch under torch.vmap, torch.func and torch.compile: run where PyTorch is installed."""

import importlib
import importlib.util
import shutil

import pytest

from test_torch import place, same  # noqa: F401

if importlib.util.find_spec("torch"):
    torch = importlib.import_module("torch")
    ht = importlib.import_module("heddle.torch")

pytestmark = pytest.mark.torch


def calls():
    """Name, arguments and keywords of a call on an example of shape (5, 6)."""
    for name in ("sum", "mean", "amax", "amin"):
        for arguments in ((), (0,), (-1, True), ([0, 1],), ([], True)):
            yield name, arguments, {}
    for name in ("argmax", "argmin"):
        for arguments in ((), (0,), (-1, True), (None, True)):
            yield name, arguments, {}
    for name in ("cumsum", "cumprod"):
        for arguments in ((0,), (-1,)):
            yield name, arguments, {}
    yield "logsumexp", (1,), {}
    yield "logsumexp", (0, True), {}
    yield "sum", (0,), {"dtype": torch.float64}
    yield "cumsum", (1,), {"dtype": torch.float64}


def operators(call, *arguments):
    """A call's result, and how many of heddle's operators run for it."""
    modes = importlib.import_module("torch.utils._python_dispatch")

    class Counting(modes.TorchDispatchMode):
        count = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            type(self).count += function.namespace == "heddle"
            return function(*args, **(kwargs or {}))
    with Counting():
        return call(*arguments), Counting.count


def test_examples_are_rows_of_one_call(place):
    """With the bits of one call an example, wherever their dimension is."""
    x = torch.randn(3, 5, 6).to(place)
    for name, arguments, words in calls():
        def call(t):
            return getattr(ht, name)(t, *arguments, **words)
        once = operators(call, x[0])[1]
        assert once == (2 if name == "logsumexp" else 1)
        wanted = torch.stack([call(t) for t in x]).cpu().numpy()
        for dim in (0, 1, 2):
            found, count = operators(torch.vmap(call, dim), x.movedim(0, dim))
            same(found, wanted)
            assert count == once
        nested, count = operators(torch.vmap(torch.vmap(call)), torch.stack([x, x]))
        same(nested[1], wanted)
        assert count == once


def ranked():
    """Name, arguments and keywords of a call by rank on an example of shape (5, 6)."""
    for dim in (0, -1):
        yield "topk", (3, dim), {}
        yield "topk", (2, dim, False), {"sorted": True}
        yield "kthvalue", (4, dim, dim == 0), {}
        yield "median", (dim,), {}
        yield "nanmedian", (dim, True), {}
        yield "sort", (dim, dim == 0), {}
        yield "argsort", (dim,), {"descending": dim == 0}
    yield "topk", (1,), {}
    yield "kthvalue", (2,), {}
    yield "sort", (), {"stable": True}
    yield "median", (), {}
    yield "nanmedian", (), {}


def test_ranks_of_examples(place):
    x = torch.randint(0, 9, (3, 5, 6)).double().to(place)
    x[1, 2, 3] = float("nan")
    for name, arguments, words in ranked():
        def call(t):
            found = getattr(ht, name)(t, *arguments, **words)
            return tuple(found) if isinstance(found, (tuple, list)) else (found,)
        wanted = [torch.stack(parts).cpu().numpy() for parts in zip(*(call(t) for t in x))]
        for dim in (0, 1, 2):
            found, count = operators(torch.vmap(call, dim), x.movedim(0, dim))
            assert len(found) == len(wanted) and count == 1
            for mine, theirs in zip(found, wanted):
                same(mine, theirs)
        nested = torch.vmap(torch.vmap(call))(torch.stack([x, x]))
        same(nested[0][1], wanted[0])
    numbers = torch.tensor([3.0, 1.0, 2.0], device=place)
    for name, arguments in (("topk", (1,)), ("kthvalue", (1, 0, True)), ("median", (0,)), ("sort", ())):
        values, index = torch.vmap(lambda t: getattr(ht, name)(t, *arguments))(numbers)
        same(values, numbers.cpu().numpy())
        assert index.tolist() == [0, 0, 0]
    with pytest.raises(IndexError):
        torch.vmap(lambda t: ht.sort(t, 2))(x)


def test_searches_of_examples(place):
    edges, values = torch.randn(3, 7).sort(1)[0].to(place), torch.randn(3, 4, 2).to(place)
    wanted = torch.stack([ht.searchsorted(e, v) for e, v in zip(edges, values)]).cpu().numpy()
    same(torch.vmap(ht.searchsorted)(edges, values), wanted)
    same(torch.vmap(ht.searchsorted, (1, 2))(edges.mT, values.movedim(0, 2)), wanted)
    found, count = operators(torch.vmap(lambda v: ht.bucketize(v, edges[0], right=True)), values)
    same(found, ht.bucketize(values, edges[0], right=True).cpu().numpy())
    assert count == 1
    same(torch.vmap(lambda e: ht.searchsorted(e, values[0]))(edges),
         torch.stack([ht.searchsorted(e, values[0]) for e in edges]).cpu().numpy())
    same(torch.vmap(lambda e: ht.searchsorted(e, 0.25))(edges),
         torch.stack([ht.searchsorted(e, 0.25) for e in edges]).cpu().numpy())
    rows = torch.randn(3, 5, 7).sort(-1)[0].to(place), torch.randn(3, 5, 2).to(place)
    same(torch.vmap(ht.searchsorted)(*rows), ht.searchsorted(*rows).cpu().numpy())


def test_gradients_by_rank_of_examples(place):
    x = torch.randn(3, 4, 6, dtype=torch.float64, device=place)
    for call in (lambda t: (ht.topk(t, 2, 0)[0] ** 2).sum(), lambda t: (ht.sort(t)[0] ** 3).sum(),
                 lambda t: ht.kthvalue(t * t, 2)[0].sum(), lambda t: ht.median(t * t)):
        wanted = torch.stack([torch.func.grad(call)(t) for t in x])
        torch.testing.assert_close(torch.vmap(torch.func.grad(call))(x), wanted)


def test_examples_without_dimensions(place):
    x = torch.randn(7).to(place)
    for name, arguments in (("sum", ()), ("mean", (0,)), ("amax", ()), ("cumsum", (0,)), ("cumprod", (-1,))):
        same(torch.vmap(lambda t: getattr(ht, name)(t, *arguments))(x), x.cpu().numpy())
    assert torch.vmap(lambda t: ht.argmax(t))(x).tolist() == [0] * 7


def test_dot_of_examples(place):
    x, y = torch.randn(3, 8).to(place), torch.randn(3, 8).to(place)
    wanted = torch.stack([ht.dot(*pair) for pair in zip(x, y)]).cpu().numpy()
    found, count = operators(torch.vmap(ht.dot), x, y)
    same(found, wanted)
    assert count == 1
    same(torch.vmap(ht.dot, (1, 0))(x.mT, y), wanted)
    one = torch.stack([ht.dot(t, y[0]) for t in x]).cpu().numpy()
    same(torch.vmap(ht.dot, (0, None))(x, y[0]), one)
    same(torch.vmap(ht.dot, (None, 0))(y[0], x), one)
    with pytest.raises(RuntimeError, match="^y: "):
        torch.vmap(ht.dot, (0, None))(x, y)
    with pytest.raises(RuntimeError, match="^y: "):
        torch.vmap(ht.dot)(x, y[:, :4])


def test_errors_of_examples(place):
    x = torch.randn(3, 5).to(place)
    for call in (lambda t: ht.sum(t, 1), lambda t: ht.cumsum(t, -2), lambda t: ht.argmax(t, 1)):
        with pytest.raises(IndexError, match="^dim: "):
            torch.vmap(call)(x)


def functions():
    yield lambda t: ht.sum(t * t)
    yield lambda t: ht.mean(t * t, [0, 1])
    yield lambda t: (ht.sum(t * t, 1) ** 2).sum()
    yield lambda t: (ht.cumsum(t, 0) ** 2).sum()
    yield lambda t: ht.cumprod(t, 1).sum()
    yield lambda t: ht.amax(t, 1).sum() + ht.amin(t).sin()
    yield lambda t: ht.logsumexp(t, 1).sum()
    yield lambda t: ht.dot(t[0], t[1])


def test_gradients_by_torch_func(place):
    """As those of a graph; around each other, and around examples and within them."""
    x = torch.randn(4, 6, dtype=torch.float64, device=place)
    for call in functions():
        y = x.clone().requires_grad_()
        wanted, = torch.autograd.grad(call(y), y, create_graph=True)
        second, = torch.autograd.grad((wanted * wanted).sum(), y)
        torch.testing.assert_close(torch.func.grad(call)(x), wanted.detach())
        torch.testing.assert_close(torch.func.vjp(call, x)[1](torch.ones((), device=place,
                                                                        dtype=x.dtype))[0], wanted.detach())
        twice = torch.func.grad(lambda t: (torch.func.grad(call)(t) ** 2).sum())(x)
        torch.testing.assert_close(twice, second)


def test_gradients_of_examples(place):
    x = torch.randn(3, 4, 6, dtype=torch.float64, device=place)
    for call in functions():
        wanted = torch.stack([torch.func.grad(call)(t) for t in x])
        torch.testing.assert_close(torch.vmap(torch.func.grad(call))(x), wanted)
        torch.testing.assert_close(torch.func.grad(lambda t: torch.vmap(call)(t).sum())(x), wanted)
        y = x.clone().requires_grad_()
        torch.vmap(call)(y).sum().backward()
        torch.testing.assert_close(y.grad, wanted)


def test_jacobians(place):
    x = torch.randn(5, dtype=torch.float64, device=place)
    found = torch.func.jacrev(lambda t: ht.cumsum(t * t, 0))(x)
    torch.testing.assert_close(found, torch.ones(5, 5, device=place).tril().double() * 2 * x)
    counts = torch.func.jacrev(torch.func.jacrev(lambda t: ht.sum(t ** 3)))(x)
    torch.testing.assert_close(counts, torch.diag(6 * x))
    with pytest.raises(RuntimeError, match="no derivative"):
        torch.func.grad(lambda t: ht.histc(t, 5, -1.0, 1.0).sum())(x)


def test_rows_of_dot_are_an_operator(place):
    x, y = (torch.randn(3, 4, 5, dtype=torch.float64, device=place, requires_grad=True) for _ in range(2))
    torch.library.opcheck(torch.ops.heddle.dot_rows.default, (x, y))
    assert torch.autograd.gradcheck(torch.ops.heddle.dot_rows, (x, y))


def compiled(t):
    return ht.sum(t.sin(), 1) + ht.cumsum(t, 0).mean() + ht.logsumexp(t, 1) + ht.amax(t, 1)


@pytest.mark.skipif(not shutil.which("g++"), reason="inductor's code is C++")
def test_compiled_by_inductor(place):
    t = torch.randn(6, 8, device=place, requires_grad=True)
    u = t.detach().clone().requires_grad_()
    made = torch.compile(compiled, fullgraph=True, backend="inductor")(t)
    wanted = compiled(u)
    torch.testing.assert_close(made, wanted)
    made.sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(t.grad, u.grad)


def test_compiled_bincount_and_histc(place):
    x, w = torch.tensor([1, 2, 5, 1], device=place), torch.rand(4, device=place)

    def call(x, w):
        return ht.bincount(x, w, 0, 8) * 2, ht.histc(w, 4, 0.0, 1.0) + 1
    found = torch.compile(call, fullgraph=True, backend="aot_eager")(x, w)
    for a, b in zip(found, call(x, w)):
        same(a, b.cpu().numpy())


def test_no_examples():
    """Results of a vmap over nothing have the shapes that one example's have."""
    x = torch.ones(3, 0, 5)
    calls = {"sum": (1, lambda x: ht.sum(x, 0)), "argmax": (1, ht.argmax), "median": (1, ht.median),
             "sort": (1, lambda x: ht.sort(x, -1)[1]), "cumsum": (1, lambda x: ht.cumsum(x, 1)),
             "topk": (1, lambda x: ht.topk(x, 2)[0]), "logsumexp": (1, lambda x: ht.logsumexp(x, 1))}
    for name, (dim, call) in calls.items():
        found = torch.func.vmap(call, in_dims=dim)(x)
        assert found.shape == (0, *call(torch.ones(3, 5)).shape), name
    found = torch.func.vmap(ht.searchsorted)(torch.ones(0, 4), torch.ones(0, 5))
    assert found.shape == (0, 5)
