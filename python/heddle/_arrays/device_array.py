"""Arrays in the memory of a GPU, or of the software device: what they are, not what is in them.

A DeviceArray is either memory of its own (device_memory.py), which ends with it, or a view of another
library's array, which it keeps. It goes to CuPy, PyTorch, Numba and JAX without a copy, by
__cuda_array_interface__ and by DLPack.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any, Optional

import numpy as np

from .._context import context
from .._native import MAX_DIMS, check, lib, byref
from . import dlpack
from .device_memory import Block, device_of_pointer

#: CUDA's own numbers of its two default streams; heddle knows the first as None.
_LEGACY, _PER_THREAD = 1, 2
_ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL

def _ordinal(pointer: int) -> int:
    """The GPU that a pointer of somebody else's is of, as the driver that they use knows it."""
    number = ctypes.c_int(0)
    try:
        ask = ctypes.CDLL("libcuda.so.1").cuPointerGetAttribute
    except (OSError, AttributeError):
        return 0
    known = ask(byref(number), _ORDINAL, ctypes.c_uint64(pointer)) == 0
    return max(number.value, 0) if known else 0


def device_name(device: str) -> str:
    """A device as a DeviceArray names it: "cuda:0", "cuda:1" or "simt"."""
    if not isinstance(device, str):
        raise TypeError(f"device: a name such as 'cuda:0' is wanted, not {device!r}")
    if device.partition(":")[0] == "cpu":
        raise ValueError(f"device: arrays of {device!r} are NumPy's; a GPU is wanted, 'cuda' or "
                         "'cuda:1', or 'simt'")
    if device == "cuda":
        device = context(device).device
    return "simt" if device.startswith("simt") else device


class DeviceArray:
    """An array in device memory.

    Attributes
    ----------
    pointer : int
        The device's address of the first element.
    shape : tuple of int
    dtype : numpy.dtype
        bool, an integer or a float; for bfloat16 uint16, and `is_bfloat16` is set.
    strides : tuple of int or None
        In elements; None for C order without gaps.
    device : str
        "cuda:0", "cuda:1", ... or "simt".
    stream : int or None
        CUDA's stream that work on it is queued on; None: the default one. Memory that others may have
        used is waited for when it ends.
    owner : object
        What keeps the memory.
    readonly : bool
    made : object
        The array of another library that was made for this one and is the same; None: there is none.

    Examples
    --------
    An array of its own, and the same memory as another library's array, are made by::

        a = DeviceArray.from_host(np.arange(10), "cuda")
        t = torch.from_dlpack(a)
        c = cupy.asarray(a)
    """

    made: Any = None

    def __init__(self, pointer: int, shape: tuple[int, ...], dtype: Any, device: str,
                 strides: Optional[tuple[int, ...]] = None, stream: Optional[int] = None,
                 owner: Any = None, is_bfloat16: bool = False, readonly: bool = False) -> None:
        self.pointer = pointer
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self.device = device
        in_order = strides is None or dlpack.is_in_order(shape, strides)
        self.strides = None if in_order else strides
        self.owner = owner
        self.stream = stream
        self.is_bfloat16 = is_bfloat16
        self.readonly = readonly

    @classmethod
    def empty(cls, shape: Any, dtype: Any, device: str, stream: Optional[int] = None,
              is_bfloat16: bool = False) -> DeviceArray:
        """Memory of its own, not cleared, in C order. Work on `stream` is to write it."""
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        dtype = np.dtype(dtype)
        device = device_name(device)
        block = Block(device, math.prod(shape) * dtype.itemsize, stream)
        return cls(block.pointer, shape, dtype, device, None, stream, block, is_bfloat16)

    @classmethod
    def from_host(cls, array: Any, device: str, stream: Optional[int] = None) -> DeviceArray:
        """A copy of a host array in device memory."""
        array = np.asarray(array)
        if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
            raise TypeError(f"array: dtype {array.dtype} is not supported by heddle")
        array = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        made = cls.empty(array.shape, array.dtype, device, stream)
        made._copy(made.pointer, array.ctypes.data, array.nbytes)
        return made

    def to_host(self) -> np.ndarray:
        """A copy in host memory, when the work queued on its stream is done."""
        item = self.dtype.itemsize
        first, count = 0, self.size
        if self.strides is not None and self.size:
            reach = [(n - 1) * step for n, step in zip(self.shape, self.strides)]
            first = sum(r for r in reach if r < 0)
            count = sum(abs(r) for r in reach) + 1
        flat = np.empty(count, self.dtype)
        self._copy(flat.ctypes.data, self.pointer + first * item, flat.nbytes)
        if self.strides is None or not self.size:
            return flat.reshape(self.shape)
        return np.ndarray(self.shape, self.dtype, flat, -first * item,
                          tuple(step * item for step in self.strides))

    def _copy(self, to: int, source: int, size: int) -> None:
        if not size:
            return
        ctx = context(self.device)
        ctx.use_stream(self.stream)
        check(lib.heddle_copy(ctx.handle, to, source, size))

    @property
    def stream(self) -> Optional[int]:
        """CUDA's stream that work on it is queued on; None: the default one."""
        return self._stream

    @stream.setter
    def stream(self, stream: Optional[int]) -> None:
        self._stream = stream
        if stream is not None:
            self._is_lent()

    def _is_lent(self) -> None:
        """Memory of our own may be used on any stream from now on."""
        owner = self.owner
        while isinstance(owner, DeviceArray):
            owner = owner.owner
        if isinstance(owner, Block):
            owner.in_order = False

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __repr__(self) -> str:
        dtype = "bfloat16" if self.is_bfloat16 else self.dtype
        return f"<heddle.DeviceArray {dtype} {self.shape} on {self.device}>"

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise TypeError(f"a DeviceArray on {self.device} does not become a NumPy array by itself: "
                        "use its to_host()")

    # ---- out ------------------------------------------------------------------------------------

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.is_bfloat16:
            raise AttributeError("__cuda_array_interface__ has no bfloat16: use __dlpack__")
        self._is_lent()
        strides = self.strides and tuple(step * self.dtype.itemsize for step in self.strides)
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str,
                "data": (self.pointer if self.size else 0, self.readonly), "strides": strides,
                "stream": self.stream or _LEGACY}

    def __dlpack_device__(self) -> tuple[int, int]:
        number = self.device.partition(":")[2]
        return dlpack.CUDA, int(number or 0)

    def __dlpack__(self, *, stream: Optional[int] = None,
                   max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None,
                   copy: Optional[bool] = None) -> Any:
        """A DLPack capsule, for any library's `from_dlpack`.

        Raises
        ------
        BufferError
            A copy or another device is asked for, or a read-only array by a library that knows
            no such arrays.
        """
        own = self.__dlpack_device__()
        if dl_device is not None and (int(dl_device[0]), int(dl_device[1])) != own:
            raise BufferError(f"dl_device: the array is on {self.device}; copy it by to_host()")
        if copy:
            raise BufferError("copy: heddle exports its memory as it is")
        versioned = max_version is not None and max_version[0] >= 1
        if self.readonly and not versioned:
            raise BufferError("a read-only array needs DLPack 1.0, which the other library does "
                              "not ask for by max_version")
        self.make_wait(stream)
        kind, number = own
        return dlpack.write(
            dlpack.Tensor(self.pointer if self.size else 0, self.shape, self.strides, self.dtype,
                           self.is_bfloat16, self.readonly, kind, number,
                           self if self.owner is None else self.owner), versioned)

    def make_wait(self, stream: Optional[int]) -> None:
        """What is queued is done before `stream`, of DLPack's numbers, reads the array, whose memory
        stays until what it does then is done."""
        if stream is not None and (isinstance(stream, bool) or not isinstance(stream, int)):
            raise TypeError(f"stream: a whole number or None is wanted, not {stream!r}")
        if stream == 0 or (stream is not None and stream < -1):
            raise ValueError(f"stream: {stream} is none of DLPack's streams for CUDA: -1, 1, 2 or "
                             "the address of one")
        if stream not in (None, _LEGACY, _PER_THREAD):
            self._is_lent()
        if stream == -1 or (stream or _LEGACY) == (self.stream or _LEGACY):
            return
        if stream == _PER_THREAD and not self.stream:
            return  # CUDA orders its two default streams
        ctx = context(self.device)
        ctx.use_stream(self.stream)
        ctx.synchronize()


# ---- in ---------------------------------------------------------------------------------------


def stream_of(name: str, stream: Any) -> Optional[int]:
    """The stream that heddle is to use, from one that __cuda_array_interface__ names.

    The default stream of each thread is ordered with the default one, which stands for it."""
    if stream is None or stream in (_LEGACY, _PER_THREAD):
        return None
    if not isinstance(stream, int) or stream <= 0:
        raise ValueError(f"{name}: its __cuda_array_interface__ gives stream {stream!r}; None, 1, "
                         "2 or the address of one is possible")
    return stream


def _interface(name: str, x: Any) -> dict[str, Any]:
    try:
        found = x.__cuda_array_interface__
    except (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError,
            ValueError) as error:
        raise TypeError(f"{name}: {type(x).__name__}.__cuda_array_interface__ refuses: "
                        f"{error}") from error
    if not isinstance(found, dict):
        raise TypeError(f"{name}: its __cuda_array_interface__ is {found!r}, where a dictionary is "
                        "wanted")
    return found


def _whole(name: str, what: str, numbers: Any) -> tuple[int, ...]:
    try:
        return tuple(int(n.__index__()) for n in numbers)
    except (AttributeError, TypeError):
        raise ValueError(f"{name}: its __cuda_array_interface__ gives {what} {numbers!r}, where "
                         "whole numbers are wanted") from None


def _element(name: str, typestr: Any) -> np.dtype:
    try:
        dtype = np.dtype(typestr)
    except TypeError:
        raise TypeError(f"{name}: its __cuda_array_interface__ gives typestr {typestr!r}") from None
    if dtype.kind not in "biuf" or dtype.itemsize > 8 or not dtype.isnative:
        raise TypeError(f"{name}: dtype {dtype} of device memory is not supported by heddle; it "
                        "takes bool, integers, float16, float32 and float64 in native byte order")
    return dtype


def _steps(name: str, strides: Any, shape: tuple[int, ...],
           item: int) -> Optional[tuple[int, ...]]:
    """Strides in elements."""
    if strides is None:
        return None
    steps = _whole(name, "strides", strides)
    if len(steps) != len(shape):
        raise ValueError(f"{name}: its __cuda_array_interface__ gives {len(steps)} strides for "
                         f"{len(shape)} dimensions")
    if any(step % item for step in steps):
        raise ValueError(f"{name}: strides {steps} of device memory are no multiples of the {item} "
                         "bytes of an element; copy the array")
    return tuple(step // item for step in steps)


def from_interface(name: str, x: Any, device: Optional[str] = None,
                   stream: Any = ...) -> DeviceArray:
    """A view of the array that `x` offers by __cuda_array_interface__.

    `device` and `stream` say better than the interface where it is and what it waits for."""
    found = _interface(name, x)
    if found.get("mask") is not None:
        raise TypeError(f"{name}: masks of __cuda_array_interface__ are not supported by heddle")
    try:
        (pointer, readonly), shape = found["data"], found["shape"]
        dtype = _element(name, found["typestr"])
        pointer = int(pointer or 0)
    except (KeyError, TypeError, ValueError) as error:
        if str(error).startswith(f"{name}: "):
            raise
        raise ValueError(f"{name}: its __cuda_array_interface__ lacks data, shape or typestr, or "
                         f"gives them in another form: {found!r}") from None
    shape = _whole(name, "shape", shape)
    if len(shape) > MAX_DIMS:
        raise ValueError(f"{name}: {len(shape)} dimensions, more than {MAX_DIMS}")
    strides = _steps(name, found.get("strides"), shape, dtype.itemsize)
    dlpack.check_extent(name, pointer, shape, strides, dtype.itemsize)
    given = found.get("stream") if stream is ... else stream
    device = device or device_of_pointer(pointer) or f"cuda:{_ordinal(pointer)}"
    return DeviceArray(pointer, shape, dtype, device, strides, stream_of(name, given), x,
                       readonly=bool(readonly))


def from_dlpack(name: str, x: Any, stream: Any = ...) -> DeviceArray:
    """A view of the array in device memory that `x` offers by __dlpack__.

    `stream`: the producer's current one, which heddle will use; by default CUDA's default one,
    which the producer then makes wait."""
    tensor = dlpack.read(name, x, _LEGACY if stream is ... else -1)
    device = device_of_pointer(tensor.pointer) or f"cuda:{tensor.number}"
    return DeviceArray(tensor.pointer, tensor.shape, tensor.dtype, device, tensor.strides,
                       None if stream is ... else stream_of(name, stream), tensor.owner,
                       tensor.is_bfloat16, tensor.readonly)
