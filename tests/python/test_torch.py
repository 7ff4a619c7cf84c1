"""PyTorch's tensors, and heddle.torch: run where PyTorch is installed, on the CPU and on its GPU.

By hand: HEDDLE_BUILD=build/release python -m pytest tests/python/test_torch.py, with an interpreter
that has PyTorch, pytest and Hypothesis; HEDDLE_TEST_DEVICES=cpu,cuda for a GPU.
"""

import importlib
import importlib.util
import threading

import numpy as np
import pytest

import heddle as hd
from conftest import DEVICES

if importlib.util.find_spec("torch"):
    torch = importlib.import_module("torch")
    ht = importlib.import_module("heddle.torch")

pytestmark = pytest.mark.torch
DTYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"]
FUNCTIONS = ["sum", "prod", "min", "max", "mean", "any", "all", "nansum"]


@pytest.fixture
def place(device):
    return "cuda" if device.startswith("cuda") else "cpu"


def array(dtype, *shape):
    rng = np.random.default_rng(5)
    made = rng.standard_normal(shape) if dtype.startswith("float") else rng.integers(0, 2, shape)
    return made.astype(dtype)


def same(found, wanted):
    """The bits of an array, in a tensor (without a GPU, a number of NumPy's for one) of its dtype."""
    found = found.cpu().numpy() if isinstance(found, torch.Tensor) else np.asarray(found)
    wanted = np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    assert found.tobytes() == wanted.tobytes()


# ---- heddle's functions on tensors -----------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_folds(place, name, dtype):
    a = array(dtype, 6, 50)
    t, function = torch.from_numpy(a).to(place), getattr(hd, name)
    for words in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": -1}):
        same(function(t, **words), function(a, **words))


@pytest.mark.parametrize("dtype", DTYPES)
def test_other_functions(place, dtype):
    a = array(dtype, 300)
    t = torch.from_numpy(a).to(place)
    same(hd.cumsum(t), hd.cumsum(a))
    same(hd.argmax(t), hd.argmax(a))
    same(hd.var(t), hd.var(a))
    if dtype != "bool":
        same(hd.dot(t, t), hd.dot(a, a))
        for found, wanted in zip(hd.histogram(t, 7, (0, 1)), hd.histogram(a, 7, (0, 1))):
            same(found, wanted)
    if not dtype.startswith("float"):
        same(hd.bincount(t), hd.bincount(a))
        same(hd.bincount(t, length=40), hd.bincount(a, length=40))
        for w in (t, t.float(), t.double()):
            same(hd.bincount(t, w), hd.bincount(a, w.cpu().numpy()))
            same(hd.bincount(t, w, length=40), hd.bincount(a, w.cpu().numpy(), length=40))


@pytest.mark.parametrize("name", ["sum", "max", "cumsum"])
def test_layouts(place, name):
    t = torch.from_numpy(array("float32", 6, 7, 8)).to(place)
    function = getattr(hd, name)
    for view in (t[::2], t.transpose(0, 1), t[:, 1:5, ::3], t[:1].expand(6, 7, 8), t[2:2], t.mT):
        wanted = np.ascontiguousarray(view.cpu().numpy())
        for axis in (0, 1, 2):
            if wanted.shape[axis] or name != "max":
                same(function(view, axis), function(wanted, axis))


def test_edges(place):
    """Of an array, a list, a tensor wherever it is; they come back as a tensor where the elements are."""
    a, edges = array("float32", 300), np.array([-1, 0, 0.5, 2])
    t, w = torch.from_numpy(a).to(place), torch.from_numpy(a * 2).to(place)
    for given in (edges, edges.tolist(), torch.from_numpy(edges), torch.from_numpy(edges).to(place)):
        for words, beside in (({}, {}), ({"weights": w}, {"weights": a * 2})):
            for _ in range(2):
                found = hd.histogram(t, given, **words)
                assert [part.device for part in found] == [t.device] * 2
                for part, wanted in zip(found, hd.histogram(a, edges, **beside)):
                    same(part, wanted)


def test_figures(place):
    a = array("float32", 40, 30)
    a[3, 4] = np.nan
    t = torch.from_numpy(a).to(place)
    for name in ("mean", "var", "std", "nanmean", "nanvar", "nanstd"):
        for axis in (None, 0, 1):
            np.testing.assert_array_equal(np.asarray(torch.as_tensor(getattr(hd, name)(t, axis)).cpu()),
                                          getattr(hd, name)(a, axis))
    for skip in (False, True):
        np.testing.assert_array_equal([*hd.describe(t, skipna=skip)], [*hd.describe(a, skipna=skip)])


def test_bfloat16(place):
    t = torch.randn(500).to(torch.bfloat16)
    wide = t.float().numpy()
    same(hd.sum(t.to(place)), hd.sum(wide))
    same(hd.max(t.to(place)), hd.max(wide))
    assert ht.sum(t.to(place)).dtype == torch.bfloat16


def test_all_of_a_tensor_with_gaps(place):
    a = array("float32", 30, 40)
    t = torch.from_numpy(a).to(place)
    for name in ("sum", "mean", "var", "cumsum", "argmin"):
        same(getattr(hd, name)(t.mT), getattr(hd, name)(np.ascontiguousarray(a.T)))
        same(getattr(hd, name)(t[:, ::2]), getattr(hd, name)(np.ascontiguousarray(a[:, ::2])))


def test_results_are_tensors(place):
    t = torch.ones(4, 5, device=place)
    for _ in range(2):  # the first of a type goes through Python's code
        assert hd.sum(t, 0).device == t.device and hd.cumsum(t).shape == (20,)
        assert isinstance(hd.sum(t), torch.Tensor) == (place == "cuda")


def test_gradients_are_left_alone(place):
    """heddle's own functions read a tensor as it is; the differentiable ones are in heddle.torch."""
    t = torch.ones(4, device=place, requires_grad=True)
    parameter = torch.nn.Parameter(torch.ones(4, device=place))
    for x in (t, parameter, t * 2):
        found = hd.cumsum(x)
        assert not found.requires_grad and found[-1] == x.detach().sum()


def test_lazily_negated(place):
    z = torch.randn(9, dtype=torch.complex64, device=place)
    view = z.conj().imag
    assert view.is_neg()
    for _ in range(2):
        same(hd.cumsum(view), hd.cumsum(-z.cpu().numpy().imag))
        same(hd.cumsum(view[:1]), hd.cumsum(-z.cpu().numpy().imag[:1]))


def odd_tensors(place):
    yield "complex", torch.ones(3, dtype=torch.complex64, device=place)
    yield "sparse", torch.eye(3, device=place).to_sparse()
    yield "sparse", torch.eye(3, device=place).to_sparse_csr()
    yield "meta", torch.ones(3, device="meta")
    yield "nested", torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    yield "quantized", torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)


def test_tensors_that_are_refused(place):
    for said, odd in odd_tensors(place):
        for _ in range(2):
            with pytest.raises(TypeError, match=f"^a: .*{said}"):
                hd.sum(odd)
    t = torch.ones(3, device=place)
    with pytest.raises(TypeError, match="^weights: .*sparse"):
        hd.histogram(t, 3, (0, 1), weights=torch.ones(3).to_sparse())


def test_tensors_freed_while_work_is_queued(place):
    wanted = hd.cumsum(np.ones(1 << 16, np.float32))
    made = [hd.cumsum(torch.ones(1 << 16, device=place)) for _ in range(50)]
    for found in made:
        same(found, wanted)


def test_threads(place):
    a = array("float32", 1 << 15)
    wanted, bad = hd.sum(a), []

    def work():
        t = torch.from_numpy(a).to(place)
        bad.extend(1 for _ in range(200) if float(hd.sum(t)) != float(wanted))
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not bad


def test_streams():
    """Work is queued on the current stream, behind what is there, and nothing else waits."""
    one, two = torch.cuda.Stream(), torch.cuda.Stream()
    t = torch.zeros(1 << 22, device="cuda")
    hd.sum(t), hd.sum(t)  # which compiles the kernels
    for stream in (one, two, one):
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)
            t.fill_(2.0)
            total = hd.sum(t)
            assert not stream.query()  # the call has not waited
        torch.cuda.synchronize()
        assert float(total) == 2.0 * (1 << 22)
        t.zero_()


def test_captured_graphs():
    t = torch.ones(1 << 20, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            hd.sum(t), hd.cumsum(t)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        total, running = hd.sum(t), hd.cumsum(t)
    t.fill_(3.0)
    graph.replay()
    torch.cuda.synchronize()
    assert float(total) == 3.0 * (1 << 20) and float(running[-1]) == 3.0 * (1 << 20)


for _test in (test_streams, test_captured_graphs):
    _test.__test__ = any(name.startswith("cuda") for name in DEVICES)


# ---- heddle.torch ------------------------------------------------------------------------------------


def calls(place):
    x = torch.randn(4, 5, 6, dtype=torch.float64, device=place)
    v = torch.rand(7, dtype=torch.float64, device=place)
    grads = [x.clone().requires_grad_() for _ in range(7)]
    yield "sum", (grads[0],)
    yield "sum", (grads[1], [0, 2], True)
    yield "mean", (grads[2], [1])
    yield "amax", (grads[3], [0, 1])
    yield "amin", (grads[4],)
    yield "argmax", (x, 1)
    yield "argmin", (x,)
    yield "dot", (v.clone().requires_grad_(), v.clone().requires_grad_())
    yield "cumsum", (grads[5], 1)
    yield "cumprod", (grads[6], 0)
    yield "histc", (x, 10, -1.0, 1.0)
    yield "bincount", (torch.tensor([1, 2, 5], device=place),)
    yield "bincount", (torch.tensor([1, 2, 5], device=place), torch.ones(3, device=place), 0, 4)


def test_opcheck(place):
    for name, arguments in calls(place):
        torch.library.opcheck(getattr(torch.ops.heddle, name).default, arguments)


def test_gradients(place):
    x = torch.randn(3, 4, 5, dtype=torch.float64, device=place, requires_grad=True)
    v = torch.randn(6, dtype=torch.float64, device=place, requires_grad=True)
    w = torch.randn(6, dtype=torch.float64, device=place, requires_grad=True)
    number = torch.randn((), dtype=torch.float64, device=place, requires_grad=True)
    check = torch.autograd.gradcheck
    for call in (ht.sum, ht.mean, lambda t: ht.sum(t, [0, 2], True), lambda t: ht.mean(t, 1),
                 lambda t: ht.cumsum(t, 1), lambda t: ht.cumprod(t, 2), lambda t: ht.amax(t, 1),
                 lambda t: ht.logsumexp(t, 1), lambda t: ht.logsumexp(t, [0, 1], True)):
        assert check(call, x)
    assert check(ht.dot, (v, w)) and check(lambda t: ht.cumsum(t, 0), number)
    assert check(lambda t: ht.cumprod(t * torch.tensor([0.0, 1, 1, 0, 1], device=place), 2), x)
    with pytest.raises(RuntimeError, match="no derivative"):
        ht.histc(x, 5, -1, 1).sum().backward()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int32", "uint8",
                                   "bool"])
def test_dtypes_are_those_of_pytorch(place, dtype):
    t = torch.ones(4, 6, device=place).to(getattr(torch, dtype))
    for name, arguments in (("sum", ()), ("sum", (1,)), ("sum", ([0, 1], True)), ("cumsum", (0,)),
                            ("amax", ([0],)), ("argmax", (1,)), ("sum", ((0,), False))):
        if (name, dtype) == ("argmax", "bool"):
            continue  # which PyTorch has not
        found, wanted = getattr(ht, name)(t, *arguments), getattr(torch, name)(t, *arguments)
        assert (found.dtype, found.shape, found.device) == (wanted.dtype, wanted.shape, wanted.device)
        assert torch.equal(found.double(), wanted.double()) or name == "argmax"


def test_empty_and_without_dimensions(place):
    for t in (torch.tensor(3.0, device=place), torch.ones(0, device=place),
              torch.ones(3, 0, 2, device=place)):
        for dim in [None, *range(t.dim()), -1]:
            same(ht.sum(t, dim), torch.sum(t, dim).cpu())
            if dim is not None:
                same(ht.cumsum(t, dim), torch.cumsum(t, dim).cpu())


def test_several_dimensions(place):
    a = array("float32", 3, 4, 5, 6)
    t = torch.from_numpy(a).to(place)
    for dims in ((0, 2), (1, 3), (-1, 0), (0, 1, 2, 3)):
        same(ht.sum(t, dims), np.asarray(hd.sum(a, dims)))


def test_logsumexp(place):
    t = torch.randn(5, 9, device=place) * 50
    t[1] = -float("inf")
    t[2, 3] = float("inf")
    torch.testing.assert_close(ht.logsumexp(t, 1), torch.logsumexp(t, 1))


def test_compiled_without_breaks(place):
    def call(t):
        return ht.sum(t.sin(), 1) + ht.cumsum(t, 0).mean() + ht.logsumexp(t, 1) + ht.amax(t, 1)

    t = torch.randn(6, 8, device=place, requires_grad=True)
    made = torch.compile(call, fullgraph=True, backend="aot_eager")(t)
    torch.testing.assert_close(made, call(t))
    made.sum().backward()
    assert t.grad is not None


def test_deterministic(place):
    a = array("float32", 200_000)
    t = torch.from_numpy(a).to(place)
    before = torch.sum(t)
    with ht.deterministic():
        same(torch.sum(t), np.asarray(hd.sum(a)))
        same(t.mean(), np.asarray(hd.mean(a)))
        same(torch.cumsum(t, 0), hd.cumsum(a))
        x = torch.arange(200_000, device=place) % 100
        same(torch.bincount(x, t.double()), hd.bincount(x.cpu().numpy(), a.astype(np.float64)))
        counts = hd.histogram(a, 50, (-3, 3))[0]
        same(torch.histc(t, 50, -3, 3), counts.astype(np.float32))
        z = torch.randn(4, 5, dtype=torch.complex64, device=place)
        assert torch.sum(z, 0).shape == (5,) and z.mean().is_complex() and z.cumsum(0).is_complex()
        y = t.clone().requires_grad_()
        torch.nn.functional.mse_loss(y, 2 * t).backward()
        assert y.grad.shape == t.shape
    assert torch.sum(t) == before


def test_deterministic_into_given_tensors(place):
    a = array("float32", 6, 5000)
    t = torch.from_numpy(a).to(place)
    with ht.deterministic():
        for name, arguments, wanted in (
                ("sum", (1,), hd.sum(a, 1)), ("mean", (1,), hd.mean(a, 1)), ("cumsum", (1,), hd.cumsum(a, 1)),
                ("histc", (50, -3, 3), hd.histogram(a, 50, (-3, 3))[0].astype(np.float32))):
            for out in (torch.empty(wanted.shape, device=place), torch.empty(0, device=place)):
                assert getattr(torch, name)(t, *arguments, out=out) is out
                same(out, wanted)
        double = torch.empty(6, dtype=torch.float64, device=place)
        same(torch.sum(t, 1, dtype=torch.float64, out=double), hd.sum(a, 1, dtype=np.float64))
        own = t.clone()
        assert own.cumsum_(1) is own
        same(own, hd.cumsum(a, 1))


def test_errors_of_the_operators(place):
    t = torch.ones(3, 4, device=place)
    with pytest.raises(IndexError, match="^dim: "):
        ht.sum(t, 2)
    with pytest.raises(RuntimeError, match="^dim: .*twice"):
        ht.sum(t, [0, -2])
    with pytest.raises(RuntimeError, match="^y: "):
        ht.dot(t[0], t[0, :2])
    with pytest.raises(TypeError, match="^x: mean"):
        ht.mean(t.int())
    with pytest.raises(TypeError, match="^x: histc"):
        ht.histc(t.int())


# ---- borders of PyTorch's functions ------------------------------------------------------------------


def test_firsts_of_a_number(place):
    """PyTorch has a tensor without dimensions for its own first, whatever k is."""
    for x in (torch.tensor(2.5, device=place), torch.tensor(7, device=place)):
        for k in (0, 1):
            for found, wanted in zip(ht.topk(x, k), torch.topk(x, k)):
                same(found, wanted.cpu().numpy())
        for call in (lambda: ht.topk(x, 1, 2), lambda: ht.median(x, 2), lambda: ht.sort(x, -2)):
            with pytest.raises(IndexError, match="^dim: "):
                call()


@pytest.mark.parametrize("dtype", ["uint8", "int32", "bool"])
def test_logsumexp_of_integers(place, dtype):
    x = torch.from_numpy(array(dtype, 6, 50)).to(place)
    found = ht.logsumexp(x, 1)
    assert found.dtype == torch.float32 and torch.allclose(found, torch.logsumexp(x, 1))


def test_results_of_no_elements(place):
    x = torch.ones(0, 2, 3, device=place)
    for name in ("sum", "amax", "amin", "logsumexp", "mean"):
        found, wanted = getattr(ht, name)(x, [1, 2]), getattr(torch, name)(x, [1, 2])
        assert found.shape == wanted.shape == (0,)
    assert ht.logsumexp(x, 0).tolist() == [[-float("inf")] * 3] * 2
    assert ht.logsumexp(x, 0, True).shape == (1, 2, 3)
