"""Other libraries' arrays: which library one is of, and how a result becomes such an array again.

A library is found by the module of a type and used through sys.modules, where the caller has put
it: heddle imports none of them. `give` functions take the caller's array, a result and which of its
elements are valid (None: all).
"""

from __future__ import annotations

import functools
import sys
from typing import Any, Callable, Optional

import numpy as np

from .device_array import DeviceArray
from .series import series_like

_LIBRARIES = ("torch", "cupy", "pyarrow", "polars", "pandas", "xarray")


@functools.lru_cache(maxsize=256)
def library_of(kind: type) -> str:
    """The library that a type is of, its bases included; "" for any other."""
    for base in kind.__mro__:
        top = base.__module__.partition(".")[0]
        if top in _LIBRARIES:
            return top
    return ""


def torch_memory(name: str, x: Any) -> Any:
    """A tensor whose elements are those of memory, and which asks for no gradient.

    Raises
    ------
    TypeError
        For a tensor without one array of elements: sparse, nested, quantized, on no device.
    """
    for flag, kind in (("is_sparse", "sparse"), ("is_sparse_csr", "sparse"), ("is_nested", "nested"),
                       ("is_mkldnn", "mkldnn"), ("is_quantized", "quantized"), ("is_meta", "meta")):
        if getattr(x, flag, False) is True:
            raise TypeError(f"{name}: {kind} tensors are not supported by heddle, which reads "
                            "elements in memory; give a dense tensor on a CPU or a GPU")
    if getattr(x, "requires_grad", False) is True:
        x = x.detach()
    return x.resolve_neg() if hasattr(x, "resolve_neg") else x


def torch_stream(x: Any) -> Optional[int]:
    """PyTorch's current stream on the device of a tensor; None: the default one."""
    return sys.modules["torch"].cuda.current_stream(x.device).cuda_stream or None


def cupy_stream() -> Optional[int]:
    """CuPy's current stream; None: the default one."""
    return sys.modules["cupy"].cuda.get_current_stream().ptr or None


def new_of_torch(source: Any, shape: tuple[int, ...], dtype: np.dtype) -> tuple[Any, int]:
    """A tensor on the device of another one, of PyTorch's own allocator, and its memory."""
    torch = sys.modules["torch"]
    made = torch.empty(shape, dtype=getattr(torch, dtype.name), device=source.device)
    return made, made.data_ptr()


def new_of_cupy(source: Any, shape: tuple[int, ...], dtype: np.dtype) -> tuple[Any, int]:
    """The same of CuPy."""
    with source.device:
        made = sys.modules["cupy"].empty(shape, dtype)
    return made, made.data.ptr


#: What makes an array for results on a device, in memory of the library's own.
NEW = {"torch": new_of_torch, "cupy": new_of_cupy}


def in_c_order(library: str, source: Any) -> tuple[Any, int]:
    """An array of PyTorch or CuPy without gaps, which may be a copy, and its memory."""
    if library == "torch":
        made = torch_memory("a", source).contiguous()
        return made, made.data_ptr()
    made = sys.modules["cupy"].ascontiguousarray(source)
    return made, made.data.ptr


def widened(x: Any, bits: Any) -> Any:
    """bfloat16 on a device, whose bits are those of an array made for an operand, as that one's kind.

    As float32 where its library converts them; of heddle's own array, as bfloat16.
    """
    if x.library == "torch":
        torch = sys.modules["torch"]
        return bits.made.view(torch.bfloat16).to(torch.float32)
    bits.is_bfloat16 = True
    return x.give(bits)


#: Divisors on devices, by their count and device; they stay, since graphs that were captured may read them.
_DIVISORS: dict[tuple[int, Any], Any] = {}
_DIVISORS_MOST = 256


def _divisor_of_torch(count: int, like: Any) -> Any:
    """A number on the device of a tensor, which the first that asks for it waits for."""
    torch = sys.modules["torch"]
    key = count, like.device
    found = _DIVISORS.get(key)
    if found is None:
        found = torch.full((), count, dtype=like.dtype, device=like.device)
        if len(_DIVISORS) < _DIVISORS_MOST and like.is_cuda \
                and not torch.cuda.is_current_stream_capturing():
            torch.cuda.current_stream(like.device).synchronize()  # others read it on their streams
            _DIVISORS[key] = found
    return found


def quotients(library: str, totals: Any, count: int, dtype: np.dtype) -> Any:
    """Totals in float64 on a device, divided there, and rounded once more to a dtype."""
    if library == "torch":
        torch = sys.modules["torch"]
        made = torch.empty_like(totals, dtype=getattr(torch, dtype.name))
        # By a number PyTorch multiplies with its reciprocal, which rounds once more.
        return torch.div(totals, _divisor_of_torch(count, totals), out=made)
    cupy = sys.modules["cupy"]
    with totals.device:
        made = cupy.empty(totals.shape, dtype)
        return cupy.divide(totals, float(count), out=made, casting="unsafe")


def _masked(result: np.ndarray, valid: Optional[np.ndarray]) -> Any:
    return result if valid is None else np.ma.MaskedArray(result, ~valid)


def _give_array(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    return _masked(result, valid)


def _give_masked_array(source: Any, result: Any, valid: Optional[np.ndarray],
                       aligned: bool) -> Any:
    return np.ma.MaskedArray(result, False if valid is None else ~valid)


def _give_torch(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    torch = sys.modules["torch"]
    if isinstance(result, DeviceArray):
        if result.made is not None:
            return result.made
        return torch.from_dlpack(result)
    # PyTorch takes no negative strides and warns of read-only memory.
    own = result.flags.c_contiguous and result.flags.writeable
    tensor = torch.from_numpy(result if own else result.copy(order="C"))
    return tensor.to(source.device) if source.is_cuda else tensor


def _give_cupy(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    cupy = sys.modules["cupy"]
    if isinstance(result, DeviceArray) and result.made is not None:
        return result.made
    if isinstance(result, DeviceArray) and result.is_bfloat16:
        return cupy.from_dlpack(result)
    with source.device:
        return cupy.asarray(result)  # of device memory a view, which keeps it


def _give_pyarrow(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    pyarrow = sys.modules["pyarrow"]
    if result.ndim == 2 and aligned and hasattr(source, "num_columns"):
        columns = [pyarrow.array(result[:, i], mask=None if valid is None else ~valid[:, i])
                   for i in range(result.shape[1])]
        return pyarrow.table(columns, names=source.schema.names)
    if result.ndim != 1:
        return _masked(result, valid)
    return pyarrow.array(result, mask=None if valid is None else ~valid)


def _give_polars(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    polars = sys.modules["polars"]
    if result.ndim == 1 and valid is None and type(source) is polars.Series:
        return polars.Series(source.name, result)

    def series(name: str, values: np.ndarray, valid: Optional[np.ndarray]) -> Any:
        made = polars.Series(name, values)
        return made if valid is None else made.set(polars.Series(~valid), None)

    if result.ndim == 2 and aligned and hasattr(source, "get_columns"):
        return polars.DataFrame([
            series(name, np.ascontiguousarray(result[:, i]), None if valid is None else valid[:, i])
            for i, name in enumerate(source.columns)])
    if result.ndim != 1:
        return _masked(result, valid)
    return series(getattr(source, "name", ""), result, valid)


def _give_pandas(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    pandas = sys.modules["pandas"]
    if aligned and valid is None and type(source) is pandas.Series and result.ndim == 1 \
            and isinstance(source.dtype, np.dtype):  # most are, and the rest takes as long again
        return series_like(source, result)
    if result.ndim == 2 and aligned and isinstance(source, pandas.DataFrame):
        return pandas.DataFrame(result, index=source.index, columns=source.columns)
    if result.ndim != 1 or (not aligned and valid is None):
        return _masked(result, valid)
    values = _pandas_values(pandas, source, result, valid)
    if not aligned or not isinstance(source, pandas.Series):
        return values
    return pandas.Series(values, index=source.index, name=source.name, copy=False)


def _pandas_values(pandas: Any, source: Any, result: np.ndarray,
                   valid: Optional[np.ndarray]) -> Any:
    """A result in the caller's family of dtypes: NumPy's, pandas' nullable ones, Arrow's."""
    dtype = getattr(source, "dtype", None)
    if isinstance(dtype, getattr(pandas, "ArrowDtype", ())):
        array = sys.modules["pyarrow"].array(result, mask=None if valid is None else ~valid)
        return pandas.arrays.ArrowExtensionArray(array)
    if not is_pandas_nullable(source) and valid is None:
        return result
    mask = np.zeros(result.shape, bool) if valid is None else ~valid
    if result.dtype == bool:
        return pandas.arrays.BooleanArray(result, mask)
    if result.dtype.kind in "iu":
        return pandas.arrays.IntegerArray(result, mask)
    if result.dtype == np.float16:  # pandas' nullable floats begin at 32 bits
        result = result.astype(np.float32)
    return pandas.arrays.FloatingArray(result, mask)


def is_pandas_nullable(x: Any) -> bool:
    """Whether an array, series or index of pandas holds values and a mask ("Int64", "boolean")."""
    array = getattr(x, "array", x)
    return isinstance(getattr(array, "_mask", None), np.ndarray) and hasattr(array, "_data")


def frame_values(x: Any) -> Optional[np.ndarray]:
    """The values of a data frame of pandas whose columns lie in one array; None: they do not.

    Public attributes say so in 60 us: a list of dtypes is made for them.
    """
    blocks = getattr(getattr(x, "_mgr", None), "blocks", ())
    if len(blocks) != 1 or type(blocks[0].values) is not np.ndarray:
        return None
    return blocks[0].values.T


def _give_xarray(source: Any, result: Any, valid: Optional[np.ndarray], aligned: bool) -> Any:
    if aligned and valid is None:
        return source.copy(data=result)
    return _masked(result, valid)


Give = Callable[[Any, Any, Optional[np.ndarray], bool], Any]
GIVE: dict[str, Give] = {
    "": _give_array, "masked": _give_masked_array, "torch": _give_torch, "cupy": _give_cupy,
    "pyarrow": _give_pyarrow, "polars": _give_polars, "pandas": _give_pandas,
    "xarray": _give_xarray,
}
