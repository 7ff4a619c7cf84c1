"""operand(x): whatever holds numbers, as memory that the library reads, without a copy.

Asked for in this order: NumPy's arrays; the arrays of PyTorch, CuPy, PyArrow, Polars and pandas;
Arrow with nulls; the buffer protocol; DLPack; __cuda_array_interface__; Arrow; and what NumPy makes
an array of. An object of both Arrow and a buffer is taken by its buffer, which keeps its shape,
unless it has nulls, of which the buffer says nothing.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy import ndarray

from .._native import BF16, TYPES
from . import arrow
from . import dlpack
from . import exchange
from .columns import learn
from .device_array import DeviceArray, from_dlpack, from_interface
from .dlpack import SUPPORTED
from .elements import Operand, of_array, refuse
from .kinds import cupy_stream, frame_values, is_pandas_nullable, library_of
from .kinds import torch_memory, torch_stream

__all__ = ["Operand", "device_of", "on_host", "operand"]

_WITH_NULLS = ("pandas", "polars", "pyarrow")

# What NumPy alone makes an array of; asked before protocols, because it is frequent.
_PLAIN = frozenset((list, tuple, int, float, bool, complex, str, range, type(None)))


def operand(x: Any, name: str = "a") -> Operand:
    """What `x` holds, as an operand of a call of the library.

    Parameters
    ----------
    x : object
        An array of NumPy; of PyTorch, CuPy, PyArrow, Polars or pandas; an object with a buffer,
        with __dlpack__, __cuda_array_interface__, __arrow_c_array__ or __arrow_c_stream__; or
        numbers, in lists or not.
    name : str
        What messages call it.

    Raises
    ------
    TypeError
        For elements that the library has not: object, string, bytes, datetime, timedelta, complex,
        longdouble, void.
    ValueError
        For arrays that cannot be, such as ragged lists or negative lengths.
    BufferError
        If the object's own library refuses to lend it.

    Examples
    --------
    >>> from heddle._arrays.operand import operand
    >>> operand(memoryview(b"abc")).shape
    (3,)
    >>> operand([1j])
    Traceback (most recent call last):
    ...
    TypeError: a: dtype complex128 is not supported by heddle; it takes bool, integers, float16, \
bfloat16, float32 and float64
    """
    if type(x) is ndarray:
        number = TYPES.get(x.dtype)
        if number is not None:
            return Operand(x, number)
        return of_array(name, x)
    return _of_other(name, x)


def on_host(x: Any, name: str) -> Any:
    """An argument that is read on the host, such as edges: of a device's memory a copy.

    Raises
    ------
    TypeError
        For a tensor that holds no numbers of the library's.
    ValueError
        For nulls, and masked elements, under which there may be anything.
    """
    library = library_of(type(x))
    if isinstance(x, np.ma.MaskedArray) or library in _WITH_NULLS:
        _refuse_nulls(x, name)
        return x
    if library not in ("torch", "cupy") and not isinstance(x, DeviceArray):
        return x
    found = operand(x, name)
    host = found.host if found.device_array is None else found.device_array.to_host()
    return (host.astype(np.uint32) << 16).view(np.float32) if found.is_bfloat16 else host


def _refuse_nulls(x: Any, name: str) -> None:
    if isinstance(x, np.ma.MaskedArray):
        has_nulls = bool(np.ma.getmaskarray(x).any())
    else:
        try:
            found = operand(x, name)
        except TypeError:  # of a dtype that NumPy may take
            return
        has_nulls = found.valid is not None and not found.valid.all()
    if has_nulls:
        raise ValueError(f"{name}: nulls are not taken here; drop or fill them")


def device_of(x: Any, name: str = "a") -> str:
    """Where an operand's memory is, without taking it: "cpu", "cuda:0", "simt".

    Raises
    ------
    BufferError, TypeError, ValueError
        As `operand`, of what has to be asked.
    """
    if isinstance(x, DeviceArray):
        return x.device
    if type(x) is ndarray or type(x) in _PLAIN:
        return "cpu"
    if library_of(type(x)) in ("torch", "cupy"):
        device = x.device
        if library_of(type(x)) == "cupy":
            return f"cuda:{device.id}"
        return f"cuda:{device.index or 0}" if x.is_cuda else "cpu"
    if hasattr(x, "__dlpack_device__") and _buffer(name, x) is None:
        kind, number = dlpack.device_of(name, x)
        if kind not in dlpack.CUDA_KINDS or not hasattr(x, "__cuda_array_interface__"):
            return f"cuda:{number}" if kind in dlpack.CUDA_KINDS else "cpu"
    if hasattr(x, "__cuda_array_interface__"):
        return from_interface(name, x).device
    return "cpu"


# ---- NumPy's arrays -----------------------------------------------------------------------------


def _as_array(name: str, x: Any) -> np.ndarray:
    """What NumPy makes of it."""
    try:
        return np.asarray(x)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name}: NumPy makes no array of this {type(x).__name__}: {error}") from error


def _of_numpy(name: str, x: np.ndarray) -> Operand:
    """An array of a subclass: a memmap, a matrix, a masked array."""
    made = of_array(name, x.view(ndarray))
    if isinstance(x, np.ma.MaskedArray):
        mask = np.ma.getmask(x)
        if mask is not np.ma.nomask and mask.any():
            made.valid = ~mask
        made.source, made.library = x, "masked"
    return made


# ---- libraries ----------------------------------------------------------------------------------


def _of_column(name: str, column: arrow.Column) -> Operand:
    made = of_array(name, column.values)
    made.valid, made.copied = column.valid, column.copied
    return made


def _of_device(array: DeviceArray) -> Operand:
    made = Operand(None, BF16 if array.is_bfloat16 else TYPES[array.dtype])
    made.device_array, made.is_bfloat16 = array, array.is_bfloat16
    return made


def _of_tensor(name: str, tensor: dlpack.Tensor) -> Operand:
    made = of_array(name, dlpack.host_array(tensor))
    if tensor.is_bfloat16:
        made.type, made.is_bfloat16 = BF16, True
    return made


def _of_torch(name: str, x: Any) -> Optional[Operand]:
    if not hasattr(x, "is_cuda"):
        return None  # a storage, a size: no tensor
    exchange.learn(type(x))
    x = torch_memory(name, x)
    if x.is_cuda:
        return _of_device(from_dlpack(name, x, torch_stream(x)))
    return _of_tensor(name, dlpack.read(name, x))


def _of_cupy(name: str, x: Any) -> Optional[Operand]:
    if not hasattr(x, "__cuda_array_interface__"):
        return None
    exchange.learn_cupy(type(x))
    if x.dtype.name == "bfloat16":
        return _of_device(from_dlpack(name, x, cupy_stream()))
    return _of_device(from_interface(name, x, f"cuda:{x.device.id}", cupy_stream()))


def _of_pyarrow(name: str, x: Any) -> Optional[Operand]:
    if hasattr(x, "num_columns"):  # a table, a batch of records
        return _of_columns([_of_column(name, arrow.read(name, column)) for column in x.columns],
                           x.num_rows)
    if hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"):
        return _of_column(name, arrow.read(name, x))
    return None  # a buffer, a tensor


def _of_polars(name: str, x: Any) -> Optional[Operand]:
    if hasattr(x, "get_columns"):  # a table
        return _of_columns([_of_column(name, arrow.read(name, column))
                            for column in x.get_columns()], x.height)
    if hasattr(x, "__arrow_c_stream__"):
        return _of_column(name, arrow.read(name, x))
    return of_array(name, _as_array(name, x))


def _of_pandas(name: str, x: Any) -> Optional[Operand]:
    if hasattr(type(x), "columns"):  # of a series, a label may have that name
        return _of_frame(name, x)
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, np.dtype):
        return of_array(name, x.to_numpy())
    values = getattr(x, "array", x)
    if is_pandas_nullable(values):
        made = of_array(name, values._data)
        if values._mask.any():
            made.valid = ~values._mask
        return made
    if hasattr(dtype, "pyarrow_dtype"):
        return _of_column(name, arrow.read(name, values.__arrow_array__()))
    if dtype is not None and not hasattr(dtype, "fill_value"):
        refuse(name, dtype)  # categories, dates of a zone, intervals, strings
    return of_array(name, _as_array(name, x))


def _of_frame(name: str, x: Any) -> Operand:
    """A table of pandas, whose columns may have any names: its values, in two dimensions."""
    values = frame_values(x)
    if values is not None:
        return of_array(name, values)
    if all(isinstance(dtype, np.dtype) for dtype in x.dtypes):
        return of_array(name, x.to_numpy())
    return _of_columns([_of_pandas(name, x.iloc[:, i]) for i in range(x.shape[1])], len(x))


def _of_columns(columns: list[Operand], rows: int) -> Operand:
    """A table of columns, each of which lies in one line: the elements along axis 0."""
    table = np.stack([column.host for column in columns]) if columns else np.empty((0, rows))
    made = of_array("a", table.T)
    if any(column.valid is not None for column in columns):
        made.valid = np.stack([np.ones(rows, bool) if column.valid is None else column.valid
                               for column in columns]).T
    made.copied = True
    return made


def _of_xarray(name: str, x: Any) -> Optional[Operand]:
    data = getattr(x, "data", None)  # of a dataset there is none
    if not isinstance(data, ndarray):
        return None
    return _of_numpy(name, data) if type(data) is not ndarray else of_array(name, data)


_OF = {"torch": _of_torch, "cupy": _of_cupy, "pyarrow": _of_pyarrow, "polars": _of_polars,
       "pandas": _of_pandas, "xarray": _of_xarray}


# ---- protocols ----------------------------------------------------------------------------------


def _buffer(name: str, x: Any) -> Optional[memoryview]:
    """A view of the memory that an object lends by the buffer protocol; None: it has none."""
    try:
        return memoryview(x)
    except TypeError:
        return None
    except (BufferError, ValueError) as error:  # an array of NumPy whose dtype no buffer can say
        if hasattr(x, "__array__"):
            return None
        raise BufferError(f"{name}: {type(x).__name__} lends no buffer: {error}") from error


def _of_buffer(name: str, view: memoryview) -> Operand:
    if view.suboffsets:
        raise BufferError(f"{name}: buffers with suboffsets are not supported by heddle; copy it")
    try:
        array = np.asarray(view)
    except (RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{name}: a buffer of format {view.format!r} is not supported by heddle; "
                        f"{SUPPORTED}") from error
    if array.dtype == object:
        refuse(name, f"of format {view.format!r}")
    return of_array(name, array)


def _of_arrow(name: str, x: Any) -> Optional[Operand]:
    if hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"):
        return _of_column(name, arrow.read(name, x))
    return None


def _of_other(name: str, x: Any) -> Operand:
    if isinstance(x, ndarray):
        return _of_numpy(name, x)
    if type(x) in _PLAIN or isinstance(x, np.generic):
        made = of_array(name, _as_array(name, x))
        made.copied = True
        return made
    if isinstance(x, DeviceArray):
        return _of_device(x)
    library = library_of(type(x))
    if library:
        of_library = _OF[library](name, x)
        if of_library is not None:
            of_library.source, of_library.library = x, library
            learn(type(x), library)
            return of_library
    return _of_protocol(name, x)


def _of_protocol(name: str, x: Any) -> Operand:
    if isinstance(x, type):  # whose methods, unbound, look like those of an array
        raise TypeError(f"{name}: the class {x.__name__} is no array")
    view = _buffer(name, x)
    if view is not None:
        column = _nulls(name, x)
        return _of_buffer(name, view) if column is None else column
    if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
        column = _nulls(name, x)
        return _of_dlpack(name, x) if column is None else column
    if hasattr(x, "__cuda_array_interface__"):
        return _of_device(from_interface(name, x))
    made = _of_arrow(name, x)
    if made is None:
        made = of_array(name, _as_array(name, x))
        made.copied = not hasattr(x, "__array_interface__")
    return made


def _nulls(name: str, x: Any) -> Optional[Operand]:
    """The column of an object that offers Arrow beside other protocols, if it has nulls."""
    try:
        made = _of_arrow(name, x)
    except (TypeError, ValueError):  # the other protocol says what it is
        return None
    return made if made is not None and made.valid is not None else None


def _of_dlpack(name: str, x: Any) -> Operand:
    """By DLPack; an object that refuses it may offer the same memory by another protocol."""
    try:
        kind, _ = dlpack.device_of(name, x)
        if kind in dlpack.CUDA_KINDS:
            return _of_device(from_dlpack(name, x))
        return _of_tensor(name, dlpack.read(name, x))
    except BufferError:
        if hasattr(x, "__cuda_array_interface__"):
            return _of_device(from_interface(name, x))
        made = _of_arrow(name, x)
        if made is None:
            raise
        return made
