"""heddle.torch's quantiles, uniques, selections, searches beside PyTorch's: run where PyTorch is installed."""

import importlib
import importlib.util

import pytest

from test_torch import odd_tensors, place, same  # noqa: F401

if importlib.util.find_spec("torch"):
    torch = importlib.import_module("torch")
    ht = importlib.import_module("heddle.torch")

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore:.*(beta|prototype|deprecated)")]
INTERPOLATIONS = ["linear", "lower", "higher", "nearest", "midpoint"]
NAN = float("nan")


def dtypes():
    return [] if not importlib.util.find_spec("torch") else [
        torch.bool, torch.uint8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
        torch.float32, torch.float64]


def random(place, dtype, *shape, seed=3, most=7):
    """Numbers with ties, of floats with both zeros and NaN."""
    made = torch.randint(-most, most + 1, shape, generator=torch.Generator().manual_seed(seed))
    if dtype == torch.bool:
        return (made > 0).to(place)
    if dtype == torch.uint8:
        return made.abs().to(dtype).to(place)
    if not dtype.is_floating_point:
        return made.to(dtype).to(place)
    made = (made / 4).to(dtype)
    made = torch.where(made == 1, -0.0, made)
    return torch.where(made == 1.5, NAN, made).to(place)


def equal(found, wanted):
    """Elements, dtypes and shapes; NaN equal one another."""
    assert (found.dtype, found.shape, found.device.type) == (wanted.dtype, wanted.shape, wanted.device.type)
    assert torch.equal(found.nan_to_num(nan=99.0), wanted.nan_to_num(nan=99.0)) \
        if found.is_floating_point() else torch.equal(found, wanted)


# ---- quantiles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
@pytest.mark.parametrize("double", [False, True])
def test_quantile(place, double, interpolation):
    """To the bit: PyTorch's ranks, in the elements' dtype, and its lerp."""
    dtype = torch.float64 if double else torch.float32
    x = torch.randn(4, 11, 3, dtype=dtype, generator=torch.Generator().manual_seed(1)).to(place)
    holed = torch.where(x > 1.2, NAN, x)
    holed[:, :, 1] = NAN
    for q in (0.3, 0.0, 1.0, torch.tensor([0.1, 0.7, 0.5, 1.0], dtype=dtype).to(place),
              torch.tensor(0.9, dtype=dtype).to(place), torch.zeros(0, dtype=dtype).to(place)):
        for t in (x, holed, x.transpose(0, 2), x[:, :1]):
            for dim in (None, 0, 1, -1):
                for keepdim in (False, True):
                    words = {"dim": dim, "keepdim": keepdim, "interpolation": interpolation}
                    equal(ht.quantile(t, q, **words), torch.quantile(t, q, **words))
                    equal(ht.nanquantile(t, q, **words), torch.nanquantile(t, q, **words))
    z = torch.tensor(3.0, dtype=dtype).to(place)
    equal(ht.quantile(z, 0.5, keepdim=True, interpolation=interpolation), z)


def test_quantiles_of_long_rows(place):
    x = torch.randn(2, 40001, generator=torch.Generator().manual_seed(1)).to(place)
    q = torch.linspace(0, 1, 9).to(place)
    equal(ht.quantile(x, q, 1), torch.quantile(x, q, 1))


@pytest.mark.parametrize("dtype", dtypes()[1:])
def test_nanmedian(place, dtype):
    x = random(place, dtype, 5, 8, 3)
    if dtype.is_floating_point:
        x[1, :, 1], x[2, 1:, 0] = NAN, NAN
    for dim in (0, 1, -1):
        for keepdim in (False, True):
            found, wanted = ht.nanmedian(x, dim, keepdim), torch.nanmedian(x, dim, keepdim)
            equal(found[0], wanted[0])
            at = found[1] if keepdim else found[1].unsqueeze(dim)
            equal(x.gather(dim, at), found[0] if keepdim else found[0].unsqueeze(dim))
    equal(ht.nanmedian(x), torch.nanmedian(x))
    first = ht.nanmedian(torch.zeros(2, 4, dtype=dtype).to(place), 1)[1]
    assert first.tolist() == [1, 1]  # the second of equal elements by position
    assert ht.nanmedian(torch.zeros(0)).isnan() and ht.nanmedian(torch.zeros(0, 2), 1)[1].shape == (0,)
    assert ht.nanmedian(torch.tensor([[NAN, NAN]]), 1)[1] == 0


# ---- uniques ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes())
@pytest.mark.parametrize("shape", [(0,), (1,), (2,), (300,), (7, 0), (6, 9, 5), ()])
def test_unique(place, shape, dtype):
    for most in (2, 7):
        x = random(place, dtype, *shape, most=most)
        for t in (x, x.movedim(0, -1) if x.dim() else x, x[1:2] if x.dim() else x):
            for inverse in (False, True):
                for counts in (False, True):
                    words = {"return_inverse": inverse, "return_counts": counts}
                    for name in ("unique", "unique_consecutive"):
                        own, theirs = getattr(ht, name)(t, **words), getattr(torch, name)(t, **words)
                        assert isinstance(own, tuple) == isinstance(theirs, tuple)
                        own, theirs = ((own, theirs) if inverse or counts else ((own,), (theirs,)))
                        if inverse and dtype.is_floating_point:  # PyTorch has NaN in any order
                            theirs[1][t.isnan()] = theirs[1][t.isnan()].sort()[0]
                        for a, b in zip(own, theirs, strict=True):
                            equal(a, b)


def test_values_have_the_bits_of_their_first(place):
    x = torch.tensor([0.0, 1.0, -0.0, -0.0, 0.0]).to(place)
    assert ht.unique(x)[0].signbit().item() is False
    assert ht.unique_consecutive(x).signbit().tolist() == [False, False, True]
    assert torch.equal(ht.unique(x, sorted=False), ht.unique(x))


# ---- conditions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes())
@pytest.mark.parametrize("shape", [(0,), (1,), (2,), (300,), (7, 0), (6, 9, 5), ()])
def test_selections(place, shape, dtype):
    x = random(place, dtype, *shape, most=2)
    mask = torch.randint(0, 2, shape, generator=torch.Generator().manual_seed(2)).bool().to(place)
    turned = (x.movedim(0, -1), mask.movedim(0, -1)) if x.dim() else (x, mask)
    for t, m in ((x, mask), turned, (x, ~mask), (x, torch.ones_like(mask)), (x, torch.zeros_like(mask))):
        equal(ht.masked_select(t, m), torch.masked_select(t, m))
        equal(ht.nonzero(t), torch.nonzero(t))
        for a, b in zip(ht.nonzero(t, as_tuple=True), torch.nonzero(t, as_tuple=True), strict=True):
            equal(a, b)


def test_masks_of_other_shapes(place):
    x = torch.randn(4, 1, 3, dtype=torch.float64).to(place).requires_grad_()
    line = torch.tensor([True, False, True]).to(place)
    tall = torch.tensor([[True], [False]]).to(place)
    for mask in (line, tall, tall & line, torch.ones_like(tall), torch.tensor(True).to(place)):
        equal(ht.masked_select(x, mask), torch.masked_select(x, mask))
        assert torch.autograd.gradcheck(lambda t, mask=mask: ht.masked_select(t, mask), (x,))
        slopes = [torch.autograd.grad(module.masked_select(x, mask).sin().sum(), x)[0]
                  for module in (ht, torch)]
        torch.testing.assert_close(*slopes)


# ---- searches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes()[1:])
@pytest.mark.parametrize("rows", [(), (3,), (2, 3)])
def test_searchsorted(place, rows, dtype):
    sequence = random(place, dtype, *rows, 20).nan_to_num(5.0).sort(-1)[0]
    for count in (0, 1, 2, 33):
        values = random(place, dtype, *rows, count, seed=5, most=9).nan_to_num(5.0)
        for right in (False, True):
            for small in (False, True):
                words = {"right": right, "out_int32": small}
                for t in (values,) if rows else (values, values.reshape(-1, 1, 1)):
                    equal(ht.searchsorted(sequence, t, **words), torch.searchsorted(sequence, t, **words))
                    if not rows:
                        equal(ht.bucketize(t, sequence, **words), torch.bucketize(t, sequence, **words))
    shuffled = random(place, dtype, *rows, 20, seed=9).nan_to_num(5.0)
    order = shuffled.argsort(-1)
    for side in ("left", "right"):
        equal(ht.searchsorted(shuffled, sequence, side=side, sorter=order),
              torch.searchsorted(shuffled, sequence, side=side, sorter=order))
    none = sequence[..., :0]
    equal(ht.searchsorted(none, sequence), torch.searchsorted(none, sequence))


def test_numbers_searched(place):
    whole = torch.tensor([1, 3, 1 << 60, (1 << 60) + 1]).to(place)
    assert ht.searchsorted(whole, (1 << 60) + 1) == 3 and ht.bucketize(2.5, whole) == 1
    assert ht.searchsorted(torch.tensor([1, 200], dtype=torch.uint8).to(place), 300) == 2
    holed = torch.tensor([1.0, 2.0, NAN, NAN]).to(place)
    assert ht.searchsorted(holed, 9.0) == 2 and ht.searchsorted(holed, NAN) == 2
    assert ht.searchsorted(holed, NAN, right=True) == 4


# ---- errors ----------------------------------------------------------------------------------------


def test_refused():
    x, i, m = torch.ones(3), torch.tensor([0]), torch.tensor([True, False])
    for call, error, words in (
            (lambda: ht.quantile(x.half(), 0.5), TypeError, "^x: .*float16"),
            (lambda: ht.quantile(x, 1.5), RuntimeError, "^q: shares"),
            (lambda: ht.quantile(x, torch.tensor([0.2, NAN])), RuntimeError, "^q: shares"),
            (lambda: ht.nanquantile(x, -0.1), RuntimeError, "^q: shares"),
            (lambda: ht.quantile(x, torch.tensor(0.5).double()), RuntimeError, "^q: its dtype"),
            (lambda: ht.quantile(x, torch.ones(2, 2)), RuntimeError, "^q: a number or one"),
            (lambda: ht.quantile(x, 0.5, interpolation="hazen"), RuntimeError, "^interpolation: 'hazen'"),
            (lambda: ht.quantile(x, 0.5, 1), IndexError, "^dim: 1"),
            (lambda: ht.quantile(x[:0], 0.5), RuntimeError, "^x: there is no element"),
            (lambda: ht.nanmedian(torch.zeros(0, 2), 0), IndexError, "^dim: dimension 0"),
            (lambda: ht.unique(torch.eye(2), dim=0), ValueError, "^dim: .*0"),
            (lambda: ht.unique_consecutive(torch.eye(2), dim=1), ValueError, "^dim: "),
            (lambda: ht.masked_select(x, x), RuntimeError, "^mask: its dtype"),
            (lambda: ht.masked_select(x, m), RuntimeError, "^mask: its shape"),
            (lambda: ht.searchsorted(x, x.double()), RuntimeError, "^input: its dtype"),
            (lambda: ht.searchsorted(x.reshape(1, 3), x), RuntimeError, "^input: its shape"),
            (lambda: ht.searchsorted(x.reshape(1, 3), 1.0), RuntimeError, "^input: a number"),
            (lambda: ht.searchsorted(x[0], x), RuntimeError, "^sorted_sequence: it has no"),
            (lambda: ht.searchsorted(x, x, side="middle"), RuntimeError, "^side: 'middle'"),
            (lambda: ht.searchsorted(x, x, side="left", right=True), RuntimeError, "^side: it is 'left'"),
            (lambda: ht.searchsorted(x, x, sorter=i), RuntimeError, "^sorter: int64 of the shape"),
            (lambda: ht.bucketize(x, torch.eye(2)), RuntimeError, "^boundaries: one dimension"),
            (lambda: ht.unique(x.clone().requires_grad_()).sum().backward(), RuntimeError, "^x: .* no deriv"),
            (lambda: ht.unique_consecutive(x.clone().requires_grad_()).sum().backward(), RuntimeError, "^x: ")):
        with pytest.raises(error, match=words):
            call()


def test_odd_tensors(place):
    """The argument is named, whichever it is."""
    t, i = torch.ones(3, device=place), torch.zeros(3, dtype=torch.int64, device=place)
    ops = torch.ops.heddle
    for said, odd in odd_tensors(place):
        calls = [("x", "sort", (odd,)), ("x", "topk", (odd, 1)), ("x", "kthvalue", (odd, 1)),
                 ("x", "median", (odd, 0)), ("x", "nanmedian", (odd, 0)), ("x", "unique", (odd,)),
                 ("x", "unique_consecutive", (odd,)), ("x", "nonzero", (odd,)),
                 ("x", "masked_select", (odd, t > 0)), ("x", "index_add", (odd, 0, i, odd)),
                 ("x", "scatter_add", (odd, 0, i, odd)), ("x", "scatter_reduce", (odd, 0, i, odd, "sum")),
                 ("x", "quantile_sides", (odd, t, "linear", False)),
                 ("sorted_sequence", "searchsorted", (odd, odd))]
        if said != "complex":
            calls += [("mask", "masked_select", (t, odd)), ("source", "index_add", (t, 0, i, odd)),
                      ("src", "scatter_add", (t, 0, i, odd)), ("index", "scatter_add", (t, 0, odd, t)),
                      ("input", "searchsorted", (t, odd)), ("q", "quantile_sides", (t, odd, "linear", False))]
        for name, op, arguments in calls:
            if said != "meta":  # which PyTorch has no elements of either
                with pytest.raises(TypeError, match=f"^{name}: .*{said}"):
                    getattr(ops, op)(*arguments)
    other = torch.ones(3, device="meta")
    for name, op, arguments in (
            ("mask", "masked_select", (t, other > 0)), ("input", "searchsorted", (t, other)),
            ("q", "quantile_sides", (t, other, "linear", False)), ("source", "index_add", (t, 0, i, other)),
            ("src", "scatter_add", (t, 0, i, other)), ("index", "scatter_add", (t, 0, other.long(), t))):
        with pytest.raises(RuntimeError, match=f"^{name}: .* on meta"):
            getattr(ops, op)(*arguments)


# ---- derivatives, graphs, PyTorch's own place ------------------------------------------------------


def calls(place):
    x = torch.randn(5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).to(place)
    q = torch.tensor([0.15, 0.6, 0.55], dtype=torch.float64)
    yield "nanmedian", (x, 0, True), True
    yield "nanmedian_of_all", (x,), True
    yield "masked_select", (x, x > 0), True
    yield "masked_select", (x, x[:, :1] > 0), True
    yield "quantile_sides", (x, q, "linear", False), True
    yield "quantile_sides", (x, q, "nearest", True), True
    for inverse, counts in ((False, False), (True, True)):
        yield "unique", (x, True, inverse, counts), False
        yield "unique_consecutive", (x, inverse, counts), False
    yield "nonzero", (x.round(),), False
    yield "searchsorted", (x.sort(-1)[0], x, True, False), False


def test_operators_keep_their_word(place):
    for name, (x, *rest), differentiable in calls(place):
        op = getattr(torch.ops.heddle, name).default
        x = x.clone().requires_grad_(differentiable)
        torch.library.opcheck(op, (x, *rest))
        if differentiable:
            def call(t, op=op, rest=rest):
                found = op(t, *rest)
                return found[0] if isinstance(found, tuple) else found
            assert torch.autograd.gradcheck(call, (x,)), name


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
def test_gradients_of_quantiles(place, interpolation):
    """By the elements and by q, as PyTorch's."""
    x = torch.randn(4, 9, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    for skip in (False, True):
        found = []
        for module in (ht, torch):
            t = torch.where(x > 1.5, NAN, x) if skip else x.clone()
            t = t.to(place).requires_grad_()
            q = torch.tensor([0.2, 0.21, 0.93], dtype=torch.float64).to(place).requires_grad_()
            y = (module.nanquantile if skip else module.quantile)(t, q, 1, interpolation=interpolation)
            y.sin().sum().backward()
            found.append((t.grad, q.grad))
        torch.testing.assert_close(found[0][0], found[1][0])
        assert (found[0][1] is None) == (found[1][1] is None)
        if found[0][1] is not None:
            torch.testing.assert_close(found[0][1], found[1][1])


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_one_graph(place, backend):
    """Sizes that depend on elements, too."""
    def work(x, q):
        values, inverse, counts = ht.unique(x.round(), True, True, True)
        runs, lengths = ht.unique_consecutive(x.round(), return_counts=True)
        positive = ht.masked_select(x, x > 0)
        at = ht.bucketize(x.sin(), ht.sort(positive)[0])
        return (ht.quantile(x, q, 1) + ht.nanquantile(x, 0.25, 0).sum(), values * counts, inverse,
                runs + lengths, positive.sum() + ht.nonzero(x > 0).sum(), at, ht.nanmedian(x, 1)[0],
                ht.argsort(x))
    graph = torch.compile(work, backend=backend, fullgraph=True)
    for seed in (1, 2):
        x = torch.randn(5, 4, generator=torch.Generator().manual_seed(seed)).to(place)
        q = torch.tensor([0.2, 0.7]).to(place)
        for found, wanted in zip(graph(x, q), work(x, q), strict=True):
            equal(found, wanted)


def test_in_the_place_of_pytorchs_own(place):
    x = random(place, torch.float32, 30, 40)
    with ht.deterministic():
        for name, arguments in (("sort", (1, True)), ("nanmedian", (0,)), ("median", (1, True))):
            found, wanted = getattr(torch, name)(x, *arguments), getattr(ht, name)(x, *arguments)
            equal(found[0], wanted[0])
            equal(found[1], wanted[1])
            out = torch.empty(0).to(place), torch.empty(0, dtype=torch.int64).to(place)
            getattr(torch, name)(x, *arguments, out=out)
            equal(out[1], wanted[1])
        equal(torch.argsort(x, 0), ht.argsort(x, 0))
        equal(torch.median(x.nan_to_num()), ht.median(x.nan_to_num()))
        equal(torch.nanmedian(x), ht.nanmedian(x))
        equal(x.unique(return_inverse=True)[1], ht.unique(x, return_inverse=True)[1])
        with pytest.raises(TypeError, match="^x: .*complex64"):  # PyTorch's own says otherwise
            x.cfloat().unique()
        equal(torch.quantile(x[:, :3], 0.3, 0), ht.quantile(x[:, :3], 0.3, 0))
        grown = x.nan_to_num().requires_grad_()
        (grown.sort(1)[0][:, 0].sum() + grown.nanmedian()).backward()
        assert grown.grad.sum().item() == pytest.approx(31)
        with pytest.raises(RuntimeError, match="^indices: it is of torch.int32"):
            torch.sort(x, out=(torch.empty(0).to(place), torch.empty(0, dtype=torch.int32).to(place)))
    equal(torch.sort(x, dim=1, stable=True)[1], ht.sort(x, 1)[1])
