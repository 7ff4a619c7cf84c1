"""heddle.torch: sums, scans, histograms, scatters, ranks, uniques of PyTorch tensors as its operators.

The functions take and give tensors, on a CPU or a GPU, with PyTorch's names, arguments and dtypes,
and with heddle's bits: of order v1, the same on every device. They are custom operators,
`torch.ops.heddle.sum` and so on, with a meaning for fake tensors, so that `torch.compile` keeps
them in one graph; those that have a derivative have it, and `torch.func` takes them.
`deterministic` puts some of them in PyTorch's own place.

Only this module imports PyTorch, which `import heddle` does not. docs/python.md has the table.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false

from . import _batches as b
from . import _derivatives as d
from . import _fakes as f
from . import _operators as o
from . import _places as p
from . import _quantiles as q
from . import _ranks as r
from . import _scatter as s
from . import _uniques as u
from ._autograd import kernel
from ._in_place import deterministic
from ._places import bucketize, nonzero, searchsorted
from ._quantiles import nanmedian, nanquantile, quantile
from ._shapes import Dims, Tensor, dims_of, folded_shape, mean_dtype, total_dtype
from ._uniques import unique, unique_consecutive

__all__ = ["amax", "amin", "argmax", "argmin", "argsort", "bincount", "bucketize", "cumprod", "cumsum",
           "deterministic", "dot", "histc", "index_add", "kthvalue", "logsumexp", "masked_select", "mean",
           "median", "nanmedian", "nanquantile", "nonzero", "quantile", "scatter_add", "scatter_reduce",
           "searchsorted", "sort", "sum", "topk", "unique", "unique_consecutive"]

_lib = torch.library.Library("heddle", "DEF")
#: Tensors without one array of elements.
_REFUSED = ("SparseCPU", "SparseCUDA", "SparseCsrCPU", "SparseCsrCUDA", "QuantizedCPU", "QuantizedCUDA",
            "NestedTensorCPU", "NestedTensorCUDA", "AutogradNestedTensor", "MkldnnCPU")
_TAGS = (torch.Tag.pt2_compliant_tag,)


_FOLD = "(Tensor x, int[1]? dim=None, bool keepdim=False{}) -> Tensor"
_SCAN = "(Tensor x, int dim, *, ScalarType? dtype=None) -> Tensor"
_INDEX = "(Tensor x, int? dim=None, bool keepdim=False) -> Tensor"
_DTYPE = ", *, ScalarType? dtype=None"
_PAIR = "(Tensor values, Tensor indices)"


#: name -> schema, what it does, what it is for fake tensors, its derivative, what that one needs.
_OPERATORS: dict[str, tuple[Any, ...]] = {
    "sum": (_FOLD.format(_DTYPE), o.op_sum, f.like_fold(total_dtype), d.sum_backward, d.keep_fold),
    "mean": (_FOLD.format(_DTYPE), o.op_mean, f.like_fold(mean_dtype), d.mean_backward,
             d.keep_fold),
    "amax": (_FOLD.format(""), o.op_amax, f.like_fold(f.own_dtype), d.extreme_backward,
             d.keep_extreme),
    "amin": (_FOLD.format(""), o.op_amin, f.like_fold(f.own_dtype), d.extreme_backward,
             d.keep_extreme),
    "argmax": (_INDEX, o.op_argmax, f.like_fold(f.int64_dtype), None, None),
    "argmin": (_INDEX, o.op_argmin, f.like_fold(f.int64_dtype), None, None),
    "dot": ("(Tensor x, Tensor y) -> Tensor", o.op_dot, f.like_dot, d.dot_backward, d.keep_dot),
    "dot_rows": ("(Tensor x, Tensor y) -> Tensor", o.op_dot_rows, f.like_dot_rows,
                 d.dot_rows_backward, d.keep_dot),
    "cumsum": (_SCAN, o.op_cumsum, f.like_scan, d.cumsum_backward, d.keep_cumsum),
    "cumprod": (_SCAN, o.op_cumprod, f.like_scan, d.cumprod_backward, d.keep_cumprod),
    "histc": ("(Tensor x, int bins=100, float min=0, float max=0) -> Tensor", o.op_histc,
              f.like_histc, d.refuse, d.keep_nothing),
    "bincount": ("(Tensor x, Tensor? weights=None, int minlength=0, int? length=None) -> Tensor",
                 o.op_bincount, f.like_bincount, d.refuse, d.keep_nothing),
    "index_add": ("(Tensor x, int dim, Tensor index, Tensor source, Scalar alpha=1) -> Tensor",
                  s.op_index_add, s.like_x("source"), s.index_add_backward, s.keep_index_add),
    "scatter_add": ("(Tensor x, int dim, Tensor index, Tensor src) -> Tensor", s.op_scatter_add,
                    s.like_x("src"), s.scatter_add_backward, s.keep_scatter_add),
    "scatter_reduce": ("(Tensor x, int dim, Tensor index, Tensor src, str reduce, "
                       "bool include_self=True) -> Tensor", s.op_scatter_reduce, s.like_x("src"),
                       s.scatter_reduce_backward, s.keep_scatter_reduce),
    "topk": (f"(Tensor x, int k, int dim=-1, bool largest=True, bool sorted=True) -> {_PAIR}",
             r.op_topk, r.like_topk, r.place_backward, r.keep_topk),
    "kthvalue": (f"(Tensor x, int k, int dim=-1, bool keepdim=False) -> {_PAIR}", r.op_kthvalue,
                 r.like_kthvalue, r.place_backward, r.keep_kthvalue),
    "median": (f"(Tensor x, int dim, bool keepdim=False) -> {_PAIR}", r.op_median, r.like_median,
               r.place_backward, r.keep_median),
    "median_of_all": ("(Tensor x) -> Tensor", r.op_median_of_all, r.like_median_of_all,
                      r.median_of_all_backward, r.keep_median_of_all),
    "sort": (f"(Tensor x, int dim=-1, bool descending=False, *, bool? stable=None) -> {_PAIR}", r.op_sort,
             r.like_sort, r.place_backward, r.keep_sort),
    "nanmedian": (f"(Tensor x, int dim, bool keepdim=False) -> {_PAIR}", q.op_nanmedian, q.like_nanmedian,
                  r.place_backward, r.keep_median),
    "nanmedian_of_all": ("(Tensor x) -> Tensor", q.op_nanmedian_of_all, r.like_median_of_all,
                         r.median_of_all_backward, r.keep_median_of_all),
    "quantile_sides": ("(Tensor x, Tensor q, str interpolation, bool skip) -> Tensor", q.op_quantile_sides,
                       q.like_quantile_sides, q.quantile_sides_backward, q.keep_quantile_sides),
    "unique": ("(Tensor x, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> "
               "(Tensor, Tensor, Tensor)", u.op_unique, u.like_unique, d.refuse, d.keep_nothing),
    "unique_consecutive": ("(Tensor x, bool return_inverse=False, bool return_counts=False) -> "
                           "(Tensor, Tensor, Tensor)", u.op_unique_consecutive, u.like_unique_consecutive,
                           d.refuse, d.keep_nothing),
    "masked_select": ("(Tensor x, Tensor mask) -> Tensor", p.op_masked_select, p.like_masked_select,
                      p.masked_select_backward, p.keep_masked_select),
    "nonzero": ("(Tensor x) -> Tensor", p.op_nonzero, p.like_nonzero, None, None),
    "searchsorted": ("(Tensor sorted_sequence, Tensor input, bool out_int32=False, bool right=False) -> Tensor",
                     p.op_searchsorted, p.like_searchsorted, None, None),
}


def _define(name: str, schema: str, does: Any, fake: Any, backward: Any, keep: Any) -> None:
    _lib.define(name + schema, tags=_TAGS)
    for key in ("CPU", "CUDA"):
        _lib.impl(name, does, key)
    refuse = o.refusing([argument.name for argument in _overload(name)._schema.arguments])
    for key in _REFUSED:
        _lib.impl(name, refuse, key)
    torch.library.register_fake(f"heddle::{name}", fake, lib=_lib)
    if backward is not None:
        _lib.impl(name, kernel(_overload(name), backward, keep), "Autograd", with_keyset=True)


def _overload(name: str) -> Any:
    return getattr(torch.ops.heddle, name).default


for _name, _row in _OPERATORS.items():
    _define(_name, *_row)
#: How an operator takes examples of torch.vmap: as a call of which one.
_RULES = {**{name: (b.fold_rule, name) for name in ("sum", "mean", "amax", "amin")},
          **{name: (b.index_rule, name) for name in ("argmax", "argmin")},
          **{name: (b.scan_rule, name) for name in ("cumsum", "cumprod")},
          **{name: (b.dot_rule, "dot_rows") for name in ("dot", "dot_rows")},
          **{name: (b.pair_rule, name, 1) for name in ("topk", "kthvalue")},
          **{name: (b.pair_rule, name, 0) for name in ("median", "nanmedian", "sort")},
          **{f"{name}_of_all": (b.whole_rule, name) for name in ("median", "nanmedian")},
          "searchsorted": (b.search_rule, "searchsorted")}
for _name, (_rule, _of, *_more) in _RULES.items():
    torch.library.register_vmap(f"heddle::{_name}", _rule(_overload(_of), *_more), lib=_lib)

sum = torch.ops.heddle.sum
mean = torch.ops.heddle.mean
amax = torch.ops.heddle.amax
amin = torch.ops.heddle.amin
argmax = torch.ops.heddle.argmax
argmin = torch.ops.heddle.argmin
dot = torch.ops.heddle.dot
cumsum = torch.ops.heddle.cumsum
cumprod = torch.ops.heddle.cumprod
histc = torch.ops.heddle.histc
bincount = torch.ops.heddle.bincount
index_add = torch.ops.heddle.index_add
scatter_add = torch.ops.heddle.scatter_add
scatter_reduce = torch.ops.heddle.scatter_reduce
topk = torch.ops.heddle.topk
kthvalue = torch.ops.heddle.kthvalue
masked_select = torch.ops.heddle.masked_select
sort = torch.ops.heddle.sort


def argsort(x: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The positions that sort a dimension, as `torch.argsort`; of equal elements the first comes first."""
    return sort(x, dim, descending, stable=stable)[1]


def logsumexp(x: Tensor, dim: Dims, keepdim: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials, as `torch.logsumexp`: its sum is heddle's."""
    if not x.is_floating_point() and not x.is_complex():
        x = x.to(torch.get_default_dtype())
    if guard_or_false(x.numel() == 0):  # a dimension without elements has no greatest
        return sum(x.exp(), dim, keepdim).log()
    most = amax(x.detach(), dim, True)
    most = torch.where(most.isfinite(), most, torch.zeros_like(most))
    total = sum((x - most).exp(), dim, True).log() + most
    return total if keepdim else total.reshape(folded_shape(x, dims_of(x, dim), False))


def median(x: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower median, as `torch.median`: of all elements a value, along a dimension values and indices."""
    if dim is None:
        return torch.ops.heddle.median_of_all(x)
    return torch.ops.heddle.median(x, dim, keepdim)
