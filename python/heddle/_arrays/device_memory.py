"""Device memory of the package's own: from the driver's pool, and back to it.

It goes back in the order of CUDA's default stream, without a wait, unless another stream may have used it:
then the device is waited for.
"""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any, Optional

from .._context import Context
from .._native import byref, c_void_p, check, fast

# Memory is allocated and freed on contexts that do no other work: the end of an array may come in
# the middle of a call, in a signal's handler, when the context of that call must not be used.
_keepers: dict[str, Context] = {}
_keepers_lock = threading.RLock()
# Where memory of our own is, for pointers that come back through another library's array.
blocks: dict[int, tuple[int, str]] = {}


#: The pool's calls, which do not need the interpreter's lock.
_pool = ctypes.CDLL(fast._name)
_pool.heddle_py_pool.argtypes = [c_void_p, ctypes.c_char_p]
_pool.heddle_py_pool_alloc.argtypes = [c_void_p, ctypes.c_size_t, c_void_p, ctypes.c_void_p]
_pool.heddle_py_pool_free.argtypes = [c_void_p, c_void_p, ctypes.c_int]


def _driver(device: str) -> str:
    """The driver's library, as libheddle has loaded it."""
    if not device.startswith("simt"):
        return "libcuda.so.1"
    return os.path.join(os.environ.get("HEDDLE_SIMT", ""), "libsimt_cuda.so")


def _keeper(device: str) -> Context:
    with _keepers_lock:
        found = _keepers.get(device)
        if found is None or found._process != os.getpid():
            found = _keepers[device] = Context(device)
            _pool.heddle_py_pool(found.handle, _driver(device).encode())
        return found


class Block:
    """Device memory of our own, for work on a stream; `in_order` until another than a default one may
    have used it."""

    def __init__(self, device: str, size: int, stream: Optional[int]) -> None:
        self._keeper = _keeper(device)
        self._process = os.getpid()
        self._free = _pool.heddle_py_pool_free
        self.in_order = stream is None
        pointer = c_void_p()
        check(_pool.heddle_py_pool_alloc(self._keeper.handle, max(size, 1), stream, byref(pointer)))
        self.pointer: int = pointer.value or 0
        blocks[self.pointer] = (size, device)

    def __del__(self, getpid: Any = os.getpid, known: Any = blocks) -> None:
        pointer = getattr(self, "pointer", 0)
        if not pointer:
            return
        known.pop(pointer, None)
        if self._process == getpid():  # a GPU's memory does not survive a fork
            self._free(self._keeper.handle, pointer, self.in_order)


def device_of_pointer(pointer: int) -> Optional[str]:
    """The device of memory of our own, wherever in it the pointer is."""
    for start, (size, device) in list(blocks.items()):
        if 0 <= pointer - start < max(size, 1):
            return device
    return None
