"""Lines: an array cut into the rows that a call folds; and where results go."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._arrays.bools import as_numbers
from ._arrays.device_array import DeviceArray
from ._arrays.kinds import NEW, in_c_order
from ._arrays.operand import Operand, operand
from ._arrays.pieces import LARGE, dense
from ._context import Context, context
from ._native import MAX_DIMS, Rows


class Lines:
    """An array as rows along one axis; all of it is one row if `rows` is None.

    Where the fold is order-independent (`any_order`), an array that fills its memory is one row in
    whatever order it lies.

    Attributes
    ----------
    pointer : int
        The first element.
    count : int
        Elements of the one row.
    rows : Rows or None
    parts : numpy.ndarray or None
        An array to be read in pieces, in C order: it does not lie in one line, and a copy of it
        would be larger than pieces.LARGE.
    shape : tuple of int
        What is left of the array's shape: one result each.
    kept : tuple of int
        The same with length 1 where elements are folded.
    length : int
        Elements a row.
    """

    def __init__(self, x: Operand, axis: Any, name: str = "a", any_order: bool = False) -> None:
        self._array = x.host if x.device_array is None else x.device_array
        self.type = x.type
        axes = axes_of(axis, x.ndim)
        self.kept = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        if x.outer is not None:  # of which only elements that are not null are left
            self.kept = (1,) * x.outer
        self.shape = tuple(n for i, n in enumerate(x.shape) if i not in axes)
        self.length = _product(x.shape[i] for i in axes)
        self.results = _product(self.shape)
        self.rows: Rows | None = None
        self.parts: np.ndarray | None = None
        self.count = x.size
        if len(axes) == x.ndim:
            self._whole(x, name, any_order)
        elif len(axes) == 1:
            self._along(x, axes[0], name)
        else:
            self._several(x, axes, name)
        self.pointer = pointer_of(self._array)

    def _whole(self, x: Operand, name: str, any_order: bool) -> None:
        if x.device_array is not None:
            if x.device_array.strides is not None:
                if x.library in NEW and x.ndim != 1:
                    owner, pointer = in_c_order(x.library, x.source)
                    self._array = DeviceArray(pointer, x.shape, x.dtype, x.device_array.device,
                                              owner=owner)
                    return
                if x.ndim != 1:
                    raise ValueError(f"{name}: on a device it must lie in C order for axis=None")
                self.rows = Rows.along(0, x.shape, x.device_array.strides)
            return
        host = x.host
        if host.flags.c_contiguous:
            return
        flat = dense((host,)) if any_order else None
        if flat is not None:
            self._array = flat[0]
            return
        if host.nbytes > LARGE and not _is_line(host):
            self.parts = host
            return
        line = host.reshape(-1)  # a view where that can be, in C order in any case
        self._array = line
        if line.size and line.strides[0] % line.itemsize:
            self._array = np.ascontiguousarray(line)
        elif line.size and not line.flags.c_contiguous:
            self.rows = Rows.along(0, line.shape, (line.strides[0] // line.itemsize,))

    def _along(self, x: Operand, axis: int, name: str) -> None:
        if x.ndim > MAX_DIMS:
            raise ValueError(f"{name}: at most {MAX_DIMS} dimensions can be folded along an axis")
        strides = x.device_array.strides if x.device_array is not None else self._host_strides()
        self.rows = Rows.along(axis, x.shape, strides)

    def _host_strides(self) -> tuple[int, ...] | None:
        host = self._array
        if host.flags.c_contiguous:
            return None
        if any(s % host.itemsize for s in host.strides):
            self._array = np.ascontiguousarray(host)
            return None
        return tuple(s // host.itemsize for s in host.strides)

    def _several(self, x: Operand, axes: tuple[int, ...], name: str) -> None:
        if x.device_array is not None:
            raise ValueError(f"axis: on a device one axis or all can be folded, not {axes}")
        last = range(x.ndim - len(axes), x.ndim)
        moved = np.moveaxis(x.host, axes, last)
        self._array = moved.reshape(self.shape + (self.length,))
        self.rows = Rows.along(len(self.shape), self._array.shape, self._host_strides())


def _is_line(array: np.ndarray) -> bool:
    """Whether elements in C order are evenly apart, by whole elements."""
    steps = [(n, s) for n, s in zip(array.shape, array.strides) if n != 1]
    together = all(s == n_in * s_in for (_, s), (n_in, s_in) in zip(steps, steps[1:]))
    return together and (not steps or steps[-1][1] % array.itemsize == 0)


def _product(numbers: Any) -> int:
    result = 1
    for n in numbers:
        result *= n
    return result


def whole(value: Any, name: str) -> int:
    """An argument that is one whole number."""
    try:
        return operator.index(value)
    except (TypeError, np.ma.MAError):
        raise TypeError(f"{name}: a whole number is wanted, not {value!r}") from None


def axes_of(axis: Any, dims: int) -> tuple[int, ...]:
    """The axes that an argument `axis` names, ascending."""
    if axis is None:
        return tuple(range(dims))
    given = axis if isinstance(axis, tuple) else (axis,)
    numbers = [_whole_number(i, axis) for i in given]
    found = set()
    for i in numbers:
        if not -dims <= i < dims:
            raise np.exceptions.AxisError(i, dims)
        found.add(i % dims)
    if len(found) != len(numbers):
        raise ValueError(f"axis: {axis!r} names an axis twice")
    return tuple(sorted(found))


def _whole_number(i: Any, axis: Any) -> int:
    """One of the numbers of `axis`: nothing that Python would take for one, such as True."""
    try:
        if not isinstance(i, bool):
            return operator.index(i)
    except TypeError:
        pass
    raise TypeError(f"axis: whole numbers are wanted, not {axis!r}") from None


def of_scalar(axis: Any, dims: int) -> Any:
    """None for the axes 0 and -1 of an array without dimensions, which NumPy lets pass."""
    if dims == 0 and axis is not None and not isinstance(axis, tuple) \
            and _whole_number(axis, axis) in (0, -1):
        return None
    return axis


def one_axis(axis: Any, dims: int) -> int:
    """The one axis that an argument names."""
    if isinstance(axis, tuple):
        raise TypeError(f"axis: one whole number is wanted, not {axis!r}")
    return axes_of(axis, dims)[0]


def pointer_of(array: Any) -> int:
    """The address of an array's first element, on the host or a device."""
    if isinstance(array, DeviceArray):
        return array.pointer
    return array.__array_interface__["data"][0]


def context_of(x: Operand, device: str | None, threads: int | None,
               numbers: bool = True) -> Context:
    """The context for a call on x: that of its memory, or the one asked for.

    With `numbers`, the bools of x are 0 and 1 from then on (see _arrays/bools.py).
    """
    ctx = _context_of(x, device, threads)
    if numbers and x.dtype.kind == "b":
        as_numbers(x, ctx)
    return ctx


def _context_of(x: Operand, device: str | None, threads: int | None) -> Context:
    if x.device_array is None:
        ctx = context(device, threads)
        ctx.use_stream(None)  # one that an array on a device brought may be gone
        return ctx
    own = x.device_array.device
    if device is not None and device.partition(":")[0] != own.partition(":")[0]:
        raise ValueError(f"device: the array is on {own}, not on {device!r}")
    if threads is not None:
        raise ValueError(f"threads: they are of device 'cpu', and the array is on {own}")
    ctx = context(own)
    try:
        ctx.use_stream(x.current_stream())
    except ValueError as error:
        raise ValueError(f"a: the stream that its library names is none of {own}: {error}") from None
    return ctx


def empty(x: Operand, ctx: Context, shape: tuple[int, ...], dtype: Any) -> Any:
    """Memory for results, where x is; of the allocator of x's library, if that is one with its own."""
    if x.device_array is None:
        return np.empty(shape, dtype)
    if x.library in NEW:
        made, pointer = NEW[x.library](x.source, shape, np.dtype(dtype))
        result = DeviceArray(pointer, shape, dtype, x.device_array.device, None, x.current_stream(),
                             made)
        result.made = made
        return result
    return DeviceArray.empty(shape, dtype, x.device_array.device, x.current_stream())


def deliver(x: Operand, result: Any, out: Any, is_total: bool = False,
            aligned: bool | None = None) -> Any:
    """Results in `out`, or as the caller's kind of array; a number for an array of the host.

    A total may be written to an `out` that holds less, cut to an integer; `aligned` as of `Operand.give`.
    """
    if out is None:
        if x.device_array is None and result.ndim == 0:
            return result[()]
        return x.give(result, aligned)
    if isinstance(result, DeviceArray):
        raise ValueError("out: it is for arrays of the host; device arrays get a new array")
    check_out(out, result.shape, result.dtype, is_total)
    put(out, result)
    return out


def check_out(out: Any, shape: tuple[int, ...], dtype: np.dtype, is_total: bool = False) -> None:
    """Whether results of a shape and dtype may be written to an argument `out`."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out: a numpy.ndarray is wanted, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out: its shape is {out.shape}, the result's is {shape}")
    if not out.flags.writeable:
        raise ValueError("out: the array is read-only")
    if out.dtype.kind not in "biufcO" \
            or not (is_total or np.can_cast(dtype, out.dtype, "same_kind")):
        raise TypeError(f"out: {dtype} cannot be written to {out.dtype}")


def put(out: np.ndarray, result: np.ndarray) -> None:
    """Results into `out`, which is checked: integers that it does not hold are an error."""
    if out.dtype.kind in "iu" and not np.can_cast(result.dtype, out.dtype) and result.size:
        limits = np.iinfo(out.dtype)
        for found in (result.min(), result.max()):
            if not (np.isfinite(found) and limits.min <= int(found) <= limits.max):
                raise OverflowError(f"out: {found} is out of bounds for {out.dtype}")
    np.copyto(out, result, casting="unsafe")


def skipped(x: Operand, axis: Any, name: str = "a") -> Operand:
    """An operand without its nulls."""
    if x.valid is None or bool(x.valid.all()):
        return x
    if x.ndim > 1 and axis is not None:
        raise ValueError(f"{name}: nulls can be skipped in all of it, not along axis {axis}")
    return x.without_nulls()
