"""heddle.torch's scatters and ranks beside PyTorch's own: run where PyTorch is installed."""

import importlib
import importlib.util

import numpy as np
import pytest

from test_torch import place, same  # noqa: F401

if importlib.util.find_spec("torch"):
    torch = importlib.import_module("torch")
    ht = importlib.import_module("heddle.torch")

pytestmark = pytest.mark.torch
REDUCES = ["sum", "prod", "mean", "amin", "amax"]


def numbers(place, dtype, *shape, seed=3):
    """Small integers: sums of them are exact in every dtype."""
    made = torch.randint(-4, 5, shape, generator=torch.Generator().manual_seed(seed))
    return made.abs().to(dtype).to(place) if dtype == torch.uint8 else made.to(dtype).to(place)


def index_of(place, most, *shape, seed=4):
    return torch.randint(0, most, shape, generator=torch.Generator().manual_seed(seed)).to(place)


def dtypes():
    return [] if not importlib.util.find_spec("torch") else [
        torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32, torch.int64, torch.uint8]


# ---- scatters --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes())
@pytest.mark.parametrize("shape", [(7,), (7, 5), (4, 7, 3)])
def test_index_add(place, shape, dtype):
    x = numbers(place, dtype, *shape)
    for dim in range(-len(shape), len(shape)):
        for count in (0, 1, 2, 40):
            wide = list(shape)
            wide[dim] = count
            source, index = numbers(place, dtype, *wide, seed=5), index_of(place, shape[dim], count)
            for alpha in (1, 2):
                found = ht.index_add(x, dim, index, source, alpha)
                assert torch.equal(found, x.index_add(dim, index, source, alpha=alpha))


@pytest.mark.parametrize("dtype", dtypes())
@pytest.mark.parametrize("reduce", REDUCES)
def test_scatter_reduce(place, reduce, dtype):
    x = numbers(place, dtype, 6, 5)
    for dim, src_shape, index_shape in ((0, (9, 5), (9, 5)), (1, (6, 30), (6, 30)), (-1, (6, 8), (3, 7)),
                                        (0, (9, 4), (1, 4)), (0, (9, 5), (0, 5))):
        src, index = numbers(place, dtype, *src_shape, seed=6), index_of(place, x.shape[dim], *index_shape)
        for include in (True, False):
            found = ht.scatter_reduce(x, dim, index, src, reduce, include)
            wanted = x.scatter_reduce(dim, index, src, reduce, include_self=include)
            if reduce == "mean" and x.is_floating_point():
                assert torch.allclose(found, wanted, rtol=2 ** -6 if found.element_size() == 2 else 1e-6)
            elif reduce == "prod" and found.element_size() < 4:
                assert torch.allclose(found, wanted, equal_nan=True) or dtype == torch.uint8
            else:
                assert torch.equal(found, wanted)
        if reduce == "sum":
            assert torch.equal(ht.scatter_add(x, dim, index, src), x.scatter_add(dim, index, src))


def test_an_expanded_index_names_rows(place):
    """With the bits of index_add, and of the index written out."""
    x, src = torch.randn(50, 8).to(place), torch.randn(400, 8).to(place)
    line = index_of(place, 50, 400)
    wide = line.unsqueeze(-1).expand(400, 8)
    rows = ht.scatter_add(x, 0, wide, src)
    assert torch.equal(rows, ht.scatter_add(x, 0, wide.contiguous(), src))
    assert torch.equal(rows, ht.index_add(x, 0, line, src))
    assert torch.allclose(rows, x.index_add(0, line, src), atol=1e-5)


def test_the_same_bits_on_every_run(place):
    x, src, line = torch.zeros(100, 3), torch.randn(30000, 3), index_of("cpu", 100, 30000)
    on_cpu = ht.index_add(x, 0, line, src)
    for _ in range(3):
        same(ht.index_add(x.to(place), 0, line.to(place), src.to(place)), on_cpu.numpy())


def test_rows_that_nothing_names_stay(place):
    x = torch.tensor([-0.0, float("nan"), 1.0, float("inf")]).to(place)
    index, src = torch.tensor([2, 2]).to(place), torch.tensor([1.0, 2.0]).to(place)
    for found in (ht.index_add(x, 0, index, src), ht.scatter_reduce(x, 0, index, src, "amax", False)):
        bits = found.cpu().numpy().view(np.uint32)
        assert bits[[0, 3]].tolist() == x.cpu().numpy().view(np.uint32)[[0, 3]].tolist() and found[1].isnan()
    assert ht.index_add(x, 0, index, src)[2] == 4


def test_bools_are_any_and_all(place):
    x = torch.tensor([True, False, False]).to(place)
    index, src = torch.tensor([1, 1, 0]).to(place), torch.tensor([True, True, False]).to(place)
    assert ht.index_add(x, 0, index, src).tolist() == [True, True, False]
    assert ht.scatter_reduce(x, 0, index, src, "amin", False).tolist() == [False, True, False]


def test_refused():
    x, i = torch.zeros(3), torch.tensor([0])
    for call, error, words in (
            (lambda: ht.index_add(x, 0, torch.tensor([3]), torch.ones(1)), IndexError, "3 is out of range"),
            (lambda: ht.index_add(x, 0, torch.tensor([-1]), torch.ones(1)), IndexError, "-1 is out of range"),
            (lambda: ht.scatter_add(x, 0, torch.tensor([5]), torch.ones(1)), IndexError, "5 is out of range"),
            (lambda: ht.index_add(x, 1, i, torch.ones(1)), IndexError, "dim: 1"),
            (lambda: ht.index_add(x, 0, i, torch.ones(2)), RuntimeError, "source: its shape"),
            (lambda: ht.index_add(x, 0, i, torch.ones(1).double()), RuntimeError, "source: its dtype"),
            (lambda: ht.index_add(x, 0, i.float(), torch.ones(1)), IndexError, "index: int64"),
            (lambda: ht.scatter_add(x, 0, i.reshape(1, 1), torch.ones(1)), RuntimeError, "dimensions"),
            (lambda: ht.scatter_add(x, 0, torch.zeros(2).long(), torch.ones(1)), RuntimeError, "not within"),
            (lambda: ht.scatter_reduce(x, 0, i, torch.ones(1), "max"), RuntimeError, "reduce: 'max'"),
            (lambda: ht.topk(x, 4), RuntimeError, "k: 4"),
            (lambda: ht.kthvalue(x, 0), RuntimeError, "k: 0"),
            (lambda: ht.index_add(x.cfloat(), 0, i, torch.ones(1).cfloat()), TypeError, "complex64")):
        with pytest.raises(error, match=words):
            call()


# ---- ranks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes())
def test_ranks_as_pytorch_has_them(place, dtype):
    """Values are PyTorch's, positions those of the first equal elements."""
    x = numbers(place, dtype, 4, 33, 3)
    for dim in (0, 1, -1):
        stable = torch.sort(x, dim=dim, stable=True)
        falling = torch.sort(x, dim=dim, stable=True, descending=True)
        for found, wanted in ((ht.sort(x, dim), stable), (ht.sort(x, dim, True), falling)):
            assert torch.equal(found[0], wanted[0]) and torch.equal(found[1], wanted[1])
        for k in {1, 2, x.shape[dim]}:
            part = falling[0].narrow(dim, 0, k), falling[1].narrow(dim, 0, k)
            assert all(torch.equal(a, b) for a, b in zip(ht.topk(x, k, dim), part))
            part = stable[0].narrow(dim, 0, k), stable[1].narrow(dim, 0, k)
            assert all(torch.equal(a, b) for a, b in zip(ht.topk(x, k, dim, False), part))
            assert all(torch.equal(a, b.select(dim, k - 1)) for a, b in zip(ht.kthvalue(x, k, dim), stable))
        middle = (x.shape[dim] - 1) // 2
        found = ht.median(x, dim, True)
        assert all(torch.equal(a, b.narrow(dim, middle, 1)) for a, b in zip(found, stable))
    assert torch.equal(ht.median(x), torch.median(x))


def test_nans(place):
    nan = float("nan")
    x = torch.tensor([[1.0, nan, 3.0, nan], [4.0, 2.0, 3.0, 1.0]]).to(place)
    values, index = ht.median(x, 1)
    assert values[0].isnan() and index.tolist() == [1, 1] and values[1] == 2
    assert ht.median(x).isnan()
    values, index = ht.topk(x, 3, 1)
    assert values[0, :2].isnan().all() and index.tolist() == [[1, 3, 2], [0, 2, 1]]
    assert ht.sort(x, 1)[1].tolist() == [[0, 2, 1, 3], [3, 1, 2, 0]]
    assert ht.sort(x, 1, True)[1].tolist() == [[1, 3, 2, 0], [0, 2, 1, 3]]


def test_small_shapes(place):
    z = torch.tensor(3.0).to(place)
    assert ht.topk(z, 1)[0] == 3 and ht.median(z) == 3 and ht.sort(z)[1] == 0 and ht.kthvalue(z, 1)[0] == 3
    none = torch.zeros(0, 3).to(place)
    assert ht.topk(none, 2)[0].shape == (0, 2) and ht.sort(none)[1].shape == (0, 3)
    assert ht.index_add(none, 0, torch.zeros(0).long().to(place), none).shape == (0, 3)
    one = torch.tensor([2.0]).to(place)
    assert ht.index_add(z, 0, torch.tensor([0]).to(place), one) == 5


# ---- derivatives, graphs, PyTorch's own place --------------------------------------------------------


def differentiable(place):
    x = torch.randn(5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    src = torch.randn(6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    x, src = x.to(place).requires_grad_(), src.to(place).requires_grad_()
    line, wide = index_of(place, 5, 6), index_of(place, 5, 6, 4)
    yield "index_add", (x, 0, line, src, 2.0)
    yield "scatter_add", (x, 0, wide, src)
    for reduce in ("sum", "mean", "amin", "amax"):
        for include in (True, False):
            yield "scatter_reduce", (x, 0, wide, src, reduce, include)
    yield "scatter_reduce", (x, 0, wide[:4, :3], src, "amax", True)
    yield "topk", (x, 2, 0)
    yield "kthvalue", (x, 2, 1)
    yield "median", (x, 0, True)
    yield "median_of_all", (x,)
    yield "sort", (x, 1, True)


def test_derivatives(place):
    for name, arguments in differentiable(place):
        def call(*tensors, name=name, arguments=arguments):
            left = iter(tensors)
            full = [next(left) if isinstance(a, torch.Tensor) and a.requires_grad else a for a in arguments]
            found = getattr(torch.ops.heddle, name)(*full)
            return found[0] if isinstance(found, tuple) else found
        inputs = tuple(a for a in arguments if isinstance(a, torch.Tensor) and a.requires_grad)
        assert torch.autograd.gradcheck(call, inputs), (name, arguments[4:])


def test_operators_keep_their_word(place):
    for name, arguments in differentiable(place):
        torch.library.opcheck(getattr(torch.ops.heddle, name).default, arguments)


def test_one_graph(place):
    def work(x, line, src):
        y = ht.index_add(x.sin(), 0, line, src)
        return ht.topk(y, 2, 0)[0].sum() + ht.sort(y, 1)[0][:, 0].sum() + ht.median(y)
    x, line, src = torch.randn(5, 4).to(place), index_of(place, 5, 6), torch.randn(6, 4).to(place)
    graph = torch.compile(work, backend="aot_eager", fullgraph=True)
    assert torch.equal(graph(x, line, src), work(x, line, src))


def test_in_the_place_of_pytorchs_own(place):
    x, src = torch.randn(40, 6).to(place), torch.randn(900, 6).to(place)
    line = index_of(place, 40, 900)
    wide = line.unsqueeze(-1).expand(900, 6)
    wanted = ht.index_add(x, 0, line, src)
    own = x.index_add(0, line, src)
    with ht.deterministic():
        assert torch.equal(x.index_add(0, line, src), wanted)
        assert torch.equal(x.clone().index_add_(0, line, src), wanted)
        assert torch.equal(torch.index_add(x, 0, line, src, out=torch.empty_like(x)), wanted)
        assert torch.equal(x.scatter_add(0, wide, src), wanted)
        assert torch.equal(x.clone().scatter_add_(0, wide, src), wanted)
        assert torch.equal(x.scatter_reduce(0, wide, src, "sum"), wanted)
        twice = torch.complex(x, x).index_add(0, line, torch.complex(src, -src), alpha=2)
        assert torch.allclose(twice.imag, x - 2 * (own - x), atol=1e-4)
        assert torch.equal(torch.topk(x, 3, 0)[1], ht.topk(x, 3, 0)[1])
        assert torch.equal(x.median(1).indices, ht.median(x, 1)[1])
        assert torch.equal(x.kthvalue(2).values, ht.kthvalue(x, 2)[0])
    assert torch.equal(x.index_add(0, line, src), own) or place == "cuda"


@pytest.mark.parametrize("by_frequency", [False, True])
def test_gradients_of_embeddings(place, by_frequency):
    made = []
    for ours in (False, True):
        torch.manual_seed(0)
        table = torch.nn.Embedding(20, 4, padding_idx=3, scale_grad_by_freq=by_frequency).to(place)
        words = index_of(place, 20, 50, 9)
        if ours:
            with ht.deterministic():
                table(words).sin().sum().backward()
        else:
            table(words).sin().sum().backward()
        made.append(table.weight.grad)
    assert torch.allclose(*made, atol=1e-4) and not made[1][3].any()
