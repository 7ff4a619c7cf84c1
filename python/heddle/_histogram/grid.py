"""histogram2d and histogramdd: how many points fall into each bin of a grid; NumPy's results.

Edges are made by NumPy's own operations and handed to the library as they are, so that a point has
the bin that searchsorted on them gives each coordinate; the range of float64 and float32 is found
by the library, which makes the same edges of it. Columns of a matrix are read where they lie, and
so are those in a GPU's memory (grid_device.py).

Source: numpy/lib/_histograms_impl.py and numpy/lib/_twodim_base_impl.py, of NumPy 2.4.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays.bools import as_numbers
from .._arrays.operand import Operand, on_host, operand
from .._axes import context_of, pointer_of
from .._context import Context
from .._native import (BINS_EDGES, BINS_EVEN, TYPES, Bins, HistogramNdOptions, HistogramResult,
                       address, byref, c_void_p, check, lib)
from .._typing import Array
from .bins import refuse_range
from .grid_device import (DeviceColumn, column_views, device_columns, give, table_of, to_floats,
                          weights_of)

_EXACT = 2**53  # integers below are themselves in f64
_FOUND = (np.dtype(np.float64), np.dtype(np.float32))  # types whose range the library finds


def histogram2d(x: Array, y: Array, bins: Any = 10, range: Any = None, density: Any = None,
                weights: Array | None = None, *, flow: bool = False, exact: bool = False,
                threads: int | None = None, device: str | None = None) -> Any:
    """The histogram of points in two dimensions.

    Parameters
    ----------
    x, y : array_like
        The coordinates, in one dimension and of one length; their types are promoted to one.
    bins : int, array or two of them
        How many bins of one width both axes have, or their edges; or one of the two for each axis.
    range : ((number, number), (number, number)), optional
        The first and the last edge of each axis; an entry that is None, or no range, stands for the
        least and the greatest coordinate.
    density, weights, flow, exact, threads, device
        As `histogramdd`.

    Returns
    -------
    H : numpy.ndarray
        float64, x along the first axis.
    xedges, yedges : numpy.ndarray

    Examples
    --------
    >>> import heddle as hd
    >>> H, xedges, yedges = hd.histogram2d([0, 1, 1, 3], [0, 0, 2, 2], bins=[[0, 1, 3], [0, 1, 2]])
    >>> H
    array([[1., 0.],
           [1., 2.]])
    """
    columns = [_column(x, "x"), _column(y, "y")]
    if columns[0].size != columns[1].size:
        raise ValueError("x and y must have the same length.")
    try:
        two = len(bins) in (1, 2)
    except TypeError:
        two = True
    if not two:
        edges = on_host(bins, "bins")
        bins = [edges, edges]
    made, edges = _histogram(columns, bins, range, density, weights, flow, exact, threads, device)
    return made, edges[0], edges[1]


def histogramdd(sample: Array | Sequence[Array], bins: Any = 10, range: Any = None,
                density: Any = None, weights: Array | None = None, *, flow: bool = False,
                exact: bool = False, threads: int | None = None,
                device: str | None = None) -> Any:
    """The histogram of points in up to eight dimensions.

    Parameters
    ----------
    sample : (N, D) array_like or sequence of D arrays
        The points: a row each of an array, or an array for each axis.
    bins : int or sequence
        How many bins of one width every axis has; or for each axis their number or their edges.
    range : sequence, optional
        For each axis the first and the last edge, or None: the least and the greatest coordinate.
    density : bool, optional
        Divide by the total and the volumes of the bins.
    weights : array_like, optional
        What each point counts for.
    flow : bool
        Each axis has two bins more: the first for what lies below its first edge, the last for what
        lies above its last one and for NaN. Without, a point that is in no bin on one axis is not
        counted.
    exact : bool
        Sums of weights are the real ones, rounded once.
    threads : int, optional
        At most so many threads.
    device : str, optional
        Where arrays of the host are counted: "cpu", "cuda:0".

    Returns
    -------
    H : numpy.ndarray
        float64. Of points on a GPU it is an array there, of their library, and so are the edges.
    edges : tuple of numpy.ndarray

    Raises
    ------
    TypeError
        For elements, edges or weights that are not numbers of the library's types; for axes on a GPU
        of several types.
    ValueError
        Edges that fall or are NaN; NaN or infinities without a range; weights of another length;
        more than eight axes, or than 2**28 bins.

    Notes
    -----
    Points with a null are skipped. Counts are NumPy's. Sums of weights are rounded once, of weights
    as multiples of 2**-86 of the power of two above the greatest; any number of threads and any
    device give the same bits. Of points on a GPU no more than a range that is to be found is waited
    for.

    Examples
    --------
    >>> import heddle as hd
    >>> import numpy as np
    >>> points = np.array([[0.5, 0.5], [1.5, 0.5], [9.0, 0.5]])
    >>> H, edges = hd.histogramdd(points, bins=2, range=[(0, 2), (0, 1)])
    >>> H
    array([[0., 1.],
           [0., 1.]])
    >>> hd.histogramdd(points[::2], bins=(2, 1), range=[(0, 2), (0, 1)], flow=True)[0]
    array([[0., 0., 0.],
           [0., 1., 0.],
           [0., 0., 0.],
           [0., 1., 0.]])
    """
    return _histogram(_columns(sample), bins, range, density, weights, flow, exact, threads,
                      device)


# ---- the points ------------------------------------------------------------------------------


def _column(x: Any, name: str) -> Operand:
    column = operand(x, name)
    if column.ndim != 1:
        raise ValueError(f"{name}: it has {column.ndim} dimensions; coordinates have one")
    return column


def _columns(sample: Any) -> list[Operand]:
    """An operand an axis: columns of a matrix, or arrays of a sequence, as NumPy tells them."""
    if hasattr(sample, "shape") or not isinstance(sample, (list, tuple)):
        matrix = operand(sample, "sample")
        host, valid = matrix.host, matrix.valid
        if matrix.ndim == 1:
            return [matrix]
        if matrix.ndim != 2:
            raise ValueError(f"sample: it has {matrix.ndim} dimensions; a row is a point, a column "
                             "an axis")
        if host is None:
            return column_views(matrix)
        made = []
        for d in np.arange(host.shape[1]):
            column = Operand(host[:, d], matrix.type)
            column.is_bfloat16 = matrix.is_bfloat16
            column.valid = None if valid is None else valid[:, d]
            made.append(column)
        return made
    if all(np.ndim(part) == 0 for part in sample):
        return [_column(sample, "sample")]
    columns = [_column(part, f"sample[{d}]") for d, part in enumerate(sample)]
    if len({column.size for column in columns}) > 1:
        raise ValueError("sample: its arrays have different lengths")
    return columns


def _values(column: Operand, ctx: Context) -> np.ndarray:
    as_numbers(column, ctx)
    host = column.host
    if host is None:
        raise TypeError(f"sample: points on the host, but an axis or weights on "
                        f"{column.array.device}; give all of them on one of the two")
    if column.is_bfloat16:
        return (host.astype(np.uint32) << 16).view(np.float32)
    return host.view(np.uint8) if host.dtype.kind == "b" else host


def _arrays(columns: list[Operand], weights: Operand | None,
            ctx: Context) -> tuple[list[np.ndarray], np.ndarray | None]:
    """The coordinates, of one type, and the weights, both without nulls."""
    arrays = [_values(column, ctx) for column in columns]
    dtype = np.result_type(*arrays) if len({a.dtype for a in arrays}) > 1 else arrays[0].dtype
    arrays = [a.astype(dtype, copy=False) for a in arrays]
    w = None if weights is None else _values(weights, ctx)
    valid: Any = None
    for part in columns if weights is None else [*columns, weights]:
        if part.valid is not None:
            valid = part.valid if valid is None else valid & part.valid
    if valid is not None:
        arrays, w = [a[valid] for a in arrays], None if w is None else w[valid]
    return [_strided(a) for a in arrays], None if w is None else np.ascontiguousarray(w)


def _strided(array: np.ndarray) -> np.ndarray:
    """Whose elements are whole elements apart."""
    return array if array.strides[0] % array.itemsize == 0 else np.ascontiguousarray(array)


# ---- the bins --------------------------------------------------------------------------------


def _ends(values: np.ndarray, given: Any, d: int) -> tuple[Any, Any]:
    """The first and the last edge of bins of one width, as NumPy's _get_outer_edges has them."""
    if given is not None:
        try:
            lo, hi = given
        except (TypeError, ValueError):
            raise ValueError(f"range: axis {d}: two numbers are wanted, not {given!r}") from None
        if lo > hi:
            raise ValueError(f"range: axis {d}: max must be larger than min in range parameter.")
        if not (np.isfinite(lo) and np.isfinite(hi)):
            raise ValueError(f"range: axis {d}: supplied range of [{lo}, {hi}] is not finite")
    elif values.size == 0:
        lo, hi = 0, 1
    else:
        lo, hi = values.min(), values.max()
        if not (np.isfinite(lo) and np.isfinite(hi)):
            refuse_range(lo, hi)
    return (lo - 0.5, hi + 0.5) if lo == hi else (lo, hi)


def _axis_edges(values: np.ndarray, bins: Any, given: Any, d: int) -> np.ndarray | int:
    """The edges of an axis; or how many bins it has, between ends that the library is to find."""
    bins = on_host(bins, "bins")
    if np.ndim(bins) == 0:
        try:
            count = operator.index(bins)
        except TypeError:
            raise TypeError(f"`bins[{d}]` must be an integer, when a scalar") from None
        if count < 1:
            raise ValueError(f"`bins[{d}]` must be positive, when an integer")
        if given is None and values.size and values.dtype in _FOUND:
            return count
        return np.linspace(*_ends(values, given, d), count + 1)
    if np.ndim(bins) != 1:
        raise ValueError(f"`bins[{d}]` must be a scalar or 1d array")
    edges = np.asarray(bins)
    if edges.dtype.kind not in "biuf" or edges.dtype.itemsize > 8:
        raise TypeError(f"bins[{d}]: dtype {edges.dtype} is not supported by heddle; edges are "
                        "bool, integers, float16, float32 or float64")
    if (edges[:-1] > edges[1:]).any():
        raise ValueError(f"`bins[{d}]` must be monotonically increasing, when an array")
    if edges.dtype.kind == "f" and np.isnan(edges).any():
        raise ValueError(f"bins[{d}]: edge {int(np.isnan(edges).argmax())} is NaN")
    return edges


def _all_edges(arrays: list[np.ndarray], bins: Any, range: Any) -> list[np.ndarray | int]:
    try:
        count = len(bins)
    except TypeError:
        bins, count = len(arrays) * [bins], len(arrays)
    if count != len(arrays):
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is None:
        range = len(arrays) * [None]
    elif len(range) != len(arrays):
        raise ValueError("range argument must have one entry per dimension")
    return [_axis_edges(a, bins[d], range[d], d) for d, a in enumerate(arrays)]


def _beyond_f64(values: np.ndarray, edges: np.ndarray | int) -> bool:
    """Whether integers are compared with integers that f64 cannot tell apart."""
    return not isinstance(edges, int) and edges.size > 0 \
        and np.result_type(values.dtype, edges).kind in "iu" and values.dtype.itemsize == 8 \
        and max(abs(int(edges[0])), abs(int(edges[-1]))) >= _EXACT


# ---- counting ----------------------------------------------------------------------------------


def _histogram(columns: list[Operand], bins: Any, range: Any, density: Any, weights: Any,
               flow: bool, exact: bool, threads: int | None, device: str | None) -> Any:
    if not columns:
        raise ValueError("sample: it has no axis")
    if density and flow:
        raise ValueError("flow: its bins have no volume; give density or flow")
    w = None if weights is None else operand(weights, "weights")
    if w is not None and (w.ndim != 1 or w.size != columns[0].size):
        raise ValueError("weights: The weights and list don't have the same length.")
    ctx = context_of(columns[0], device, threads, numbers=False)
    arrays: Any
    values: Any
    if columns[0].device_array is None:
        arrays, values = _arrays(columns, w, ctx)
    else:
        arrays, values = device_columns(columns, w, ctx), w
    edges: Any = _all_edges(arrays, bins, range)
    counts = [e if isinstance(e, int) else len(e) - 1 for e in edges]
    shape = tuple(count + 2 * bool(flow) for count in counts)
    if min(counts) < 1:
        if flow or min(counts) < 0:
            raise ValueError("bins: an axis has no bin; give two edges at least")
        edges = [_numpys_edges(a, e) for a, e in zip(arrays, edges)]
        made = np.zeros(shape)
    elif any(map(_beyond_f64, arrays, edges)):
        if flow or exact or columns[0].device_array is not None:
            raise ValueError("bins: integers of 2**53 and more between such edges are counted on "
                             "the host, without flow and exact; or give edges that are floats")
        made = np.histogramdd(arrays, edges, weights=values)[0]
    else:
        stays = columns[0] if columns[0].device_array is not None and not density else None
        made, edges = _count(ctx, arrays, edges, values, shape, flow, exact, stays)
    if density:
        total = made.sum()
        for d, e in enumerate(edges):
            made = made / np.diff(e).reshape([-1 if i == d else 1 for i in np.arange(len(edges))])
        made /= total
    return give(columns[0], made), tuple(give(columns[0], e) for e in edges)


def _count(ctx: Context, arrays: list[Any], edges: list[Any], weights: Any, shape: tuple[int, ...],
           flow: bool, exact: bool, stays: Operand | None) -> tuple[Any, list[np.ndarray]]:
    """The counts, or sums of weights, as float64, in the memory of `stays` if given; the edges."""
    dims = len(arrays)
    wide = [None if isinstance(e, int) else np.ascontiguousarray(e, np.float64) for e in edges]
    bins = (Bins * dims)(*(Bins(BINS_EVEN, e, 0, 0, 1) if w is None else
                           Bins(BINS_EDGES, len(e) - 1, 0, 0, 0, address(w))
                           for e, w in zip(edges, wide)))
    found = (HistogramResult * dims)(*(HistogramResult() for _ in arrays))
    columns = [_place(a) for a in arrays]
    pointers = (c_void_p * dims)(*(column[1] for column in columns))
    strides = (ctypes.c_ssize_t * dims)(*(column[2] for column in columns))
    options = HistogramNdOptions(strides=ctypes.cast(strides, c_void_p), flow=int(bool(flow)),
                                 exact=int(bool(exact)))
    _check_size(shape)
    dtype = np.int64 if weights is None else np.float64
    table: Any = np.empty(shape, dtype) if stays is None else table_of(stays, ctx, shape, dtype)
    if weights is not None:
        options.weights, options.weights_type = weights_of(weights)
        options.sums = pointer_of(table)
    counts = pointer_of(table) if weights is None else None
    # Of points on a device results are waited for, so only if there is something to learn.
    known = stays is not None and all(e is not None for e in wide)
    results = None if known else found
    check(lib.heddle_histogram_nd(ctx.handle, columns[0][0], dims, pointers, arrays[0].size, bins,
                                  counts, results, byref(options)))
    made = [e if w is not None else _found_edges(array, of, its)
            for e, w, array, of, its in zip(edges, wide, arrays, bins, found)]
    if stays is None:
        return table.astype(np.float64, copy=False), made
    return (to_floats(stays, table, ctx) if weights is None else table), made


def _place(column: Any) -> tuple[int, int, int]:
    """The type, the first element and how many elements the next one is from it."""
    if isinstance(column, DeviceColumn):
        return column.type, column.pointer, column.stride
    return TYPES[column.dtype], address(column), column.strides[0] // column.itemsize


def _found_edges(values: Any, bins: Bins, found: HistogramResult) -> np.ndarray:
    """The edges between ends that the library has found, which all values must lie between."""
    if found.nan or found.under or found.over:
        refuse_range(values.min(), values.max())
    bins.lo, bins.hi = found.lo, found.hi
    edges = np.empty(bins.count + 1)
    check(lib.heddle_histogram_edges(_place(values)[0], byref(bins), address(edges)))
    return edges.astype(values.dtype, copy=False)


def _numpys_edges(values: np.ndarray, edges: Any) -> np.ndarray:
    return np.linspace(*_ends(values, None, 0), edges + 1) if isinstance(edges, int) else edges


def _check_size(shape: tuple[int, ...]) -> None:
    """Before memory for the table is asked for."""
    bins = 1
    for length in shape:
        bins *= length
    if len(shape) > 8 or bins > 2**28:
        raise ValueError(f"bins: {len(shape)} axes with {bins} bins together; use up to 8 axes and "
                         "2**28 bins")
