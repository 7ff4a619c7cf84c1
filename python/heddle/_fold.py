"""Folds of any arguments: what the functions of _reduce.py do where _plain.py does not.

Which elements count, in which dtype they are totalled and where the result goes; means and scans
prepare their operands here, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _calls
from . import _float_errors
from . import _native as n
from ._arrays.operand import Operand, on_host, operand
from ._arrays.pieces import LARGE
from ._axes import Lines, context_of, deliver, empty, of_scalar, one_axis, skipped
from ._native import Options
from ._nulls import filled, give_rows, identity_of, nulls_along, numbers, rows_with_values

_UFUNCS = {n.SUM: np.add, n.PROD: np.multiply, n.MIN: np.minimum, n.MAX: np.maximum,
           n.ANY: np.logical_or, n.ALL: np.logical_and}
_UFUNC_NAMES = {n.MIN: "minimum", n.MAX: "maximum", n.SUM: "add", n.PROD: "multiply",
                n.SUM_SQUARES: "add"}
#: For `initial`: none was given. None says that the operator's identity is not to stand in.
NOTHING: Any = np._NoValue
_EXTREMES, _LOGICAL = (n.MIN, n.MAX), (n.ANY, n.ALL)
_TOTALS = n.REDUCTIONS.difference(_EXTREMES, _LOGICAL)


def prepared(op: int, x: Operand, dtype: Any) -> tuple[Operand, Options, np.dtype]:
    """An operand to total in `dtype`: converted first where the library's types do not do it.

    Floats are added in f32, or in f64 if input or result is; integers modulo 2**64.
    """
    own = np.dtype(np.float32) if x.is_bfloat16 else n.TOTALS[x.dtype]
    wanted = own if dtype is None else dtype_of(dtype)
    number = n.TYPES.get(wanted)
    if number is None:
        raise TypeError(f"dtype: {wanted} is not supported by heddle")
    options = Options(out_type=number)
    if wanted.kind == "f":
        if x.type not in n.FLOATS and (op != n.SUM or x.dtype.itemsize == 8):
            x = x.astype(np.float64)
        if wanted == np.float64 and x.type in n.FLOATS:
            options.acc_type = n.F64
    elif x.type in n.FLOATS or wanted.kind == "b":
        x = x.astype(wanted)
    return x, options, wanted


def dtype_of(dtype: Any) -> np.dtype:
    """The dtype that an argument names."""
    try:
        return np.dtype(dtype)
    except TypeError as error:
        raise TypeError(f"dtype: {error}") from None


def mask_of(x: Operand, where: Any) -> np.ndarray:
    """An argument `where`, of the shape of x."""
    if x.device_array is not None:
        raise TypeError("where: it is for arrays of the host")
    mask = np.asarray(on_host(where, "where"), bool)
    try:
        return np.broadcast_to(mask, x.shape)
    except ValueError:
        raise ValueError(f"where: its shape {mask.shape} does not broadcast to the array's, "
                         f"{x.shape}") from None


def chosen(a: Any, axis: Any, where: Any) -> tuple[Operand, np.ndarray | None]:
    """An operand, and which of its elements count; None: all. Nulls never do."""
    x = operand(a)
    x.along = nulls_along(x, axis)
    if where is True and x.along is None:
        return skipped(x, axis), None
    mask = x.along if where is True else mask_of(x, where)
    if x.valid is not None:
        mask, x.valid = mask & x.valid, None
    return x, mask


def _is_float(out: Any) -> bool:
    return isinstance(out, np.ndarray) and out.dtype.newbyteorder("=") in n.TYPES \
        and out.dtype.kind == "f"


def mean_dtype(x: Operand, dtype: Any, out: Any) -> np.dtype:
    """Of a mean or variance; as wide as `out` where there is no dtype, as NumPy has it."""
    if dtype is not None:
        wanted = dtype_of(dtype)
        if wanted.kind != "f" or wanted not in n.TYPES:
            raise TypeError(f"dtype: float16, float32 or float64 are possible, not {wanted}")
        return wanted
    own = np.dtype(np.float32 if x.is_bfloat16 else x.dtype if x.dtype.kind == "f" else np.float64)
    return np.result_type(own, out.dtype) if _is_float(out) else own


def dtype_by(out: Any, dtype: Any, x: Operand) -> Any:
    """The dtype to total in: by `out` where there is no other, as NumPy has it.

    An `out` that holds less than the elements (integers for floats, bools for numbers) takes the
    total of theirs.
    """
    if dtype is None and isinstance(out, np.ndarray) and x.device_array is None:
        native = out.dtype.newbyteorder("=")
        if native in n.TYPES:
            is_less = native.kind == "b" or native.kind in "iu" and x.type in n.FLOATS
            return native if not is_less else np.float32 if x.is_bfloat16 else x.dtype
    return dtype


def counted(x: Operand, op: int, mask: np.ndarray | None, initial: Any,
            has_identity: bool) -> Operand:
    """The elements that count; the others become the operator's identity."""
    if mask is None:
        return x
    if initial is None and not has_identity:
        raise ValueError(f"reduction operation '{_UFUNC_NAMES[op]}' does not have an identity, so "
                         "to use a where mask one has to specify 'initial'")
    identity = _UFUNCS.get(op, np.add).identity
    if identity is None:
        identity = initial
    if x.is_bfloat16:
        x = x.astype(np.float32)
    return x.replaced(np.where(mask, x.host, x.host.dtype.type(identity)))


def pair(x: Operand, y: Operand, axis: Any) -> tuple[Operand, Operand]:
    """Two operands of one memory space, shape, dtype and layout, without what is null in either."""
    if (x.device_array is None) != (y.device_array is None):
        raise ValueError("b: one array is on a device and the other is not")
    if x.shape != y.shape:
        raise ValueError(f"b: shapes {x.shape} and {y.shape} not aligned")
    if x.device_array is not None:
        if x.type != y.type or x.device_array.strides != y.device_array.strides:
            raise ValueError("b: arrays on a device must be of one dtype and layout")
        x.join(y, "b")
        return x, y
    valid = x.valid if y.valid is None else y.valid if x.valid is None else x.valid & y.valid
    if valid is not None:
        if x.ndim == 1:
            x, y = x.chosen(valid), y.chosen(valid)
        elif not valid.all():
            x, y = filled(x, n.SUM, valid), filled(y, n.SUM, valid)
    wanted = np.result_type(*(np.float32 if z.is_bfloat16 else z.dtype for z in (x, y)))
    if wanted.kind == "b":
        raise TypeError("a: heddle.dot is for numbers; of two bool arrays use numpy.dot")
    if not (x.is_bfloat16 and y.is_bfloat16):
        x = x.astype(wanted) if x.dtype != wanted or x.is_bfloat16 else x
        y = y.astype(wanted) if y.dtype != wanted or y.is_bfloat16 else y
    if x.host.strides != y.host.strides and (x.ndim > 1 or x.host.nbytes <= LARGE):
        return x.in_c_order(), y.in_c_order()
    return x, y


def init(options: Options, initial: Any, dtype: np.dtype) -> Any:
    """Sets options.init; what it points at must be kept by the caller."""
    value = np.asarray(initial)
    if initial is np.ma.masked or value.dtype.kind not in "biuf" and not isinstance(initial, int):
        raise TypeError(f"initial: one {dtype} is wanted, not {initial!r}")
    if value.ndim:
        raise ValueError(f"initial: one value is wanted, not an array of shape {value.shape}")
    kept = np.empty((), dtype)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            kept[()] = initial
    except (OverflowError, ValueError) as error:  # out of bounds; NaN or an infinity for an integer
        raise type(error)(f"initial: {error}") from None
    options.init = kept.ctypes.data
    return kept


def fold(op: int, a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any,
            where: Any, skipna: bool, threads: int | None, device: str | None) -> Any:
    """A reduction by an operator."""
    x, mask = chosen(a, axis, where)
    nulls = x.along if where is True and op in _EXTREMES and initial is NOTHING else None
    if nulls is not None:
        return _extreme_beside_nulls(op, x, nulls, axis, out, keepdims, skipna, threads, device)
    axis = of_scalar(axis, x.ndim)
    ctx = context_of(x, device, threads, numbers=op not in _LOGICAL)
    total = op in _TOTALS
    if total:
        x, options, wanted = prepared(op, x, dtype_by(out, dtype, x))
    else:
        wanted = np.dtype(bool if op in _LOGICAL else np.float32 if x.is_bfloat16 else x.dtype)
        widened = x.is_bfloat16 and op in _EXTREMES
        options = Options(out_type=n.F32 if widened else n.result_type(op, x.type))
    options.nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
    kept = None if initial is None or initial is NOTHING else init(options, initial, wanted)
    has_identity = op in _LOGICAL or total and initial is NOTHING
    if kept is not None and wanted.kind == "f" and x.type not in n.FLOATS:
        x = x.astype(np.float64)  # integers are added as such, and `initial` may be no integer
    x = counted(x, op, mask, kept, has_identity)
    ufunc = _UFUNC_NAMES.get(op)
    if total and wanted.kind == "b":
        op, options.init = (n.ALL if op == n.PROD else n.ANY), None
    lines = Lines(x, axis, any_order=op not in _TOTALS or wanted.kind != "f")
    if lines.length == 0 and kept is None and not has_identity:
        raise ValueError(f"zero-size array to reduction operation {ufunc} which has no "
                         "identity")
    result = empty(x, ctx, lines.kept if keepdims else lines.shape, wanted)
    if lines.rows is None and op in _EXTREMES and lines.count == 0:
        np.copyto(result, kept)
    else:
        _calls.reduce(ctx, op, lines, result, options)
        if op in _EXTREMES and skipna and kept is None and x.type in n.FLOATS and lines.rows \
                and lines.results:
            _check_rows(x, ctx, lines, op, options)
    if total:
        _float_errors.check(ctx, (lines,), result, skipna=skipna, also=kept)
    if kept is not None and total and wanted.kind == "b":
        (np.logical_or if op == n.ANY else np.logical_and)(result, kept, out=result)
    return deliver(x, result, out, total and dtype is None)


def _extreme_beside_nulls(op: int, x: Operand, nulls: np.ndarray, axis: Any, out: Any,
                          keepdims: bool, skipna: bool, threads: int | None,
                          device: str | None) -> Any:
    """A least or greatest element of each row with nulls, of which some may have no other."""
    valid = rows_with_values(x, nulls, axis, keepdims, skipna)
    host = filled(x, op, nulls).host
    far = identity_of(op, host.dtype)  # also what rows of NaN that are skipped come to
    result = fold(op, host, axis, None, None, keepdims, far, True, skipna, threads, device)
    if valid.all():
        return deliver(x, np.asarray(result), out)
    if out is not None:
        raise ValueError("out: rows of nothing but nulls have no result; they get a new array")
    return give_rows(x, np.asarray(result), valid)


def _check_rows(x: Operand, ctx: Any, lines: Lines, op: int, options: Options) -> None:
    """Raises for rows of nothing but NaN, as the call for one row does; infinity is no element."""
    index = empty(x, ctx, lines.shape, np.intp)
    which = n.ARGMIN if op == n.MIN else n.ARGMAX
    _calls.argreduce(ctx, which, lines, index, Options(nan=options.nan))
    index = index if isinstance(index, np.ndarray) else index.to_host()
    if bool((index < 0).any()):
        raise ValueError(f"a: nothing but NaN has no {_UFUNC_NAMES[op]}")


def fold_index(which: int, a: Any, axis: Any, out: Any, keepdims: bool, skipna: bool,
                  threads: int | None, device: str | None) -> Any:
    """argmin and argmax."""
    source = operand(a)
    if nulls_along(source, axis) is not None:
        return _index_beside_nulls(which, source, axis, out, keepdims, skipna, threads, device)
    x = skipped(source, axis)
    axis = of_scalar(axis, x.ndim)
    ctx = context_of(x, device, threads)
    if axis is not None:
        axis = one_axis(axis, x.ndim)
    lines = Lines(x, axis)
    if lines.length == 0:
        name = "argmin" if which == n.ARGMIN else "argmax"
        raise ValueError(f"attempt to get {name} of an empty sequence")
    options = Options(nan=n.NAN_SKIP if skipna else n.NAN_PROPAGATE)
    result = empty(x, ctx, lines.kept if keepdims else lines.shape, np.intp)
    _calls.argreduce(ctx, which, lines, result, options)
    if skipna and isinstance(result, np.ndarray) and bool((result < 0).any()):
        raise ValueError("All-NaN slice encountered")
    if isinstance(out, np.ndarray) and out.dtype.kind not in "iuO" and out.shape == result.shape:
        raise TypeError(f"out: indices are integers, which cannot be written to {out.dtype}")
    if x.nulls:
        result = np.flatnonzero(source.valid)[result]
    return deliver(x, result, out)


def _index_beside_nulls(which: int, x: Operand, axis: Any, out: Any, keepdims: bool, skipna: bool,
                        threads: int | None, device: str | None) -> Any:
    """argmin and argmax of rows with nulls: the first place that holds the row's extreme."""
    where, host, valid = one_axis(axis, x.ndim), numbers(x), x.valid
    op = n.MIN if which == n.ARGMIN else n.MAX
    beside = filled(x, op, valid).host
    extreme = fold(op, beside, where, None, None, True, identity_of(op, host.dtype), True, skipna,
                   threads, device)
    hits = host == extreme
    if host.dtype.kind == "f":
        hits |= np.isnan(host) & np.isnan(extreme)
    hits &= valid
    if not hits.any(axis=where).all():
        raise ValueError("a: a row of nothing but nulls, or NaN that are skipped, has no "
                         f"{'argmin' if which == n.ARGMIN else 'argmax'}")
    return x.give(fold_index(n.ARGMAX, hits, where, out, keepdims, False, threads, device))
