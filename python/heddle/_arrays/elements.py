"""Operand: what a call works on, elements of one of the library's types, of the host or a device.

Which dtypes there are is decided here, and nowhere else.
"""

from __future__ import annotations

from typing import Any, NoReturn, Optional

import numpy as np

from .._native import BF16, TYPES
from .device_array import DeviceArray
from .dlpack import SUPPORTED
from .kinds import GIVE


class Operand:
    """An argument of a call: where its elements are, of which type, and what results become.

    Attributes
    ----------
    host : numpy.ndarray or None
        The caller's memory, of any strides (which need not be multiples of an element's size),
        maybe read-only, in native byte order; None for device memory. bfloat16 is seen as uint16.
    device_array : DeviceArray or None
        The caller's device memory.
    valid : numpy.ndarray of bool or None
        False where the element is null, of the shape of `host`; None: none is.
    type : int
        The library's type of the elements; bool counts as u8.
    is_bfloat16 : bool
    copied : bool
        Whether `host` is not the caller's memory: bytes were swapped, chunks joined, bits unpacked,
        or there was no array to begin with.
    nulls : int
        How many elements `without_nulls` has left out.
    outer : int or None
        The number of dimensions before it did, if it did.
    along : numpy.ndarray of bool or None
        What `valid` was, where nulls are to be replaced along an axis (_nulls.py).
    source : object
        The caller's object, where results become its kind.
    library : str
        "torch", "cupy", "pyarrow", "polars", "pandas", "masked" (numpy.ma) or "".
    """

    device_array: Optional[DeviceArray] = None
    valid: Optional[np.ndarray] = None
    is_bfloat16: bool = False
    copied: bool = False
    nulls: int = 0
    outer: Optional[int] = None
    along: Optional[np.ndarray] = None
    source: Any = None
    library: str = ""

    def __init__(self, host: Optional[np.ndarray], number: int) -> None:
        self.host = host
        self.type = number

    @property
    def array(self) -> Any:
        """The NumPy array or the DeviceArray, whichever there is."""
        return self.device_array if self.host is None else self.host

    @property
    def dtype(self) -> np.dtype:
        return self.array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def size(self) -> int:
        return self.array.size

    @property
    def ndim(self) -> int:
        return self.array.ndim

    def current_stream(self) -> Optional[int]:
        """CUDA's stream that the caller's library queues work on; None: the default one."""
        return None if self.device_array is None else self.device_array.stream

    def join(self, other: Operand, name: str) -> None:
        """An operand beside it, of another stream perhaps, is ready for work on this one's.

        Raises
        ------
        ValueError
            If it is on another device.
        """
        own, its = self.device_array, other.device_array
        if own is None or its is None:
            return
        if own.device != its.device:
            raise ValueError(f"{name}: it is on {its.device}, and the array beside it on {own.device}")
        its.make_wait(own.stream or 1)

    def replaced(self, array: np.ndarray) -> Operand:
        """An operand of other elements, without nulls, whose results are of the same kind."""
        made = of_array("a", array)
        made.copied, made.source, made.library = True, self.source, self.library
        made.nulls, made.outer = self.nulls, self.outer
        return made

    def without_nulls(self) -> Operand:
        """The elements that are not null, in one dimension."""
        return self if self.valid is None else self.chosen(self.valid)

    def chosen(self, valid: np.ndarray) -> Operand:
        """The elements where `valid`, in one dimension."""
        made = self.replaced(self.array[valid])
        made.nulls, made.outer = self.size - made.size, self.ndim
        made.type, made.is_bfloat16 = self.type, self.is_bfloat16
        return made

    def in_c_order(self) -> Operand:
        """The elements of the host without gaps, and with the strides of that along axes of length 1, too."""
        line = np.ascontiguousarray(self.host).reshape(-1)
        made = self.replaced(line.reshape(self.shape))
        made.type, made.is_bfloat16 = self.type, self.is_bfloat16
        return made

    def astype(self, dtype: Any) -> Operand:
        """The elements converted, as NumPy converts them; null where they were.

        Raises
        ------
        TypeError
            For device memory: its own library converts it.
        """
        if self.host is None:
            raise TypeError(f"dtype: an array on {self.array.device} is converted by its own "
                            f"library; heddle takes it as {self.dtype}")
        host = self.host
        if self.is_bfloat16:
            host = (host.astype(np.uint32) << 16).view(np.float32)
        made = self.replaced(host.astype(dtype))
        made.valid = self.valid
        return made

    def give(self, result: Any, aligned: Optional[bool] = None) -> Any:
        """A result as the caller's kind of array; see `give_masked`."""
        if not self.library:
            return result
        return self.give_masked(result, None, aligned)

    def give_masked(self, result: Any, valid: Optional[np.ndarray],
                    aligned: Optional[bool] = None) -> Any:
        """A result, some of whose elements are null, as the caller's kind of array.

        Parameters
        ----------
        result : numpy.ndarray or DeviceArray
            Anything else, such as a scalar, comes back as it is.
        valid : numpy.ndarray of bool or None
            False where the result is null. A caller whose arrays know no nulls gets a
            numpy.ma.MaskedArray.
        aligned : bool, optional
            Whether elements of the result belong to elements of the operand, so that pandas' index
            is theirs, too. The default: if the shapes are equal.
        """
        if not isinstance(result, (np.ndarray, DeviceArray)):
            return result
        if isinstance(result, DeviceArray) and self.library not in ("torch", "cupy"):
            return result
        if aligned is None:
            aligned = result.shape == self.shape
        return GIVE[self.library](self.source, result, valid, aligned)


def refuse(name: str, dtype: Any) -> NoReturn:
    raise TypeError(f"{name}: dtype {dtype} is not supported by heddle; {SUPPORTED}")


def of_array(name: str, array: np.ndarray) -> Operand:
    """The operand of an array of any dtype."""
    dtype = array.dtype
    number = TYPES.get(dtype)
    if number is not None:
        return Operand(array, number)
    if dtype.kind == "V" and dtype.name == "bfloat16":  # of the package ml_dtypes
        bits = array.view(np.uint16)
        made = Operand(bits if dtype.isnative else bits.byteswap(), BF16)
        made.is_bfloat16, made.copied = True, not dtype.isnative
        return made
    number = TYPES.get(dtype.newbyteorder("=")) if dtype.kind in "biuf" else None
    if number is None:
        refuse(name, dtype)
    made = Operand(array.astype(dtype.newbyteorder("=")), number)
    made.copied = True
    return made
