"""The types of arguments, for editors and type checkers.

Results are Any: they are of the caller's kind of array, or scalars of NumPy.
"""

from __future__ import annotations

from typing import Any, Protocol, SupportsIndex, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

__all__ = ["Array", "Axis", "DType", "Out", "Scalar"]


class _DLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...


class _CudaArray(Protocol):
    @property
    def __cuda_array_interface__(self) -> Any: ...


class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = ...) -> Any: ...


class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...


#: What holds numbers: NumPy's arrays, lists and numbers, buffers, and arrays of other libraries.
Array = Union[ArrayLike, _DLPack, _CudaArray, _ArrowArray, _ArrowStream]
#: One axis, some, or all.
Axis = Union[SupportsIndex, Tuple[SupportsIndex, ...], None]
#: A dtype, or none: the function's own choice.
DType = Union[DTypeLike, None]
#: What takes a result.
Out = Union[np.ndarray, None]
#: One number.
Scalar = Union[int, float, np.number, np.bool_, None]
