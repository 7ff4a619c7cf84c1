"""Contexts: what a call runs on.

Each Python thread has a context of its own for each device that it uses, so that calls of two
threads run at once; they share the library's threads. Contexts end with their thread.
"""

from __future__ import annotations


import operator
import os
import threading
from typing import Any

from ._native import DeviceInfo, byref, c_void_p, check, fast, lib


class Context:
    """A context on a device, of the thread that made it.

    Attributes
    ----------
    handle : int
        The library's context.
    device : str
        As the library names it: "cpu:2", "cuda:0", "simt:0".
    on_gpu : bool
        Whether arrays of the host have to travel.
    """

    def __init__(self, device: str | None) -> None:
        handle = c_void_p()
        check(lib.heddle_open(device.encode() if device else None, byref(handle)))
        self.handle = handle.value
        self._close, self._has_ended = lib.heddle_close, fast.heddle_py_has_ended
        check(lib.heddle_set_poll(self.handle, fast.heddle_py_poll, None))
        info = DeviceInfo()
        check(lib.heddle_info(self.handle, byref(info)))
        self.device = info.device.decode()
        self.name = info.name.decode(errors="replace")
        self.isa = info.isa.decode()
        self.threads = info.threads
        self.on_gpu = not self.device.startswith("cpu")
        self._process = os.getpid()

    def __del__(self) -> None:
        # At Python's end other threads may be in calls on theirs.
        if getattr(self, "handle", None) and not self._has_ended() and self.survives():
            self._close(self.handle)
            self.handle = None

    def survives(self) -> bool:
        """Whether this process can use it: a GPU's context does not survive a fork."""
        return not self.on_gpu or self._process == os.getpid()

    def use_stream(self, stream: int | None) -> None:
        """The calls to come are queued on this stream of CUDA's; None: its default one."""
        if self.on_gpu:  # libheddle_python sets others meanwhile
            check(lib.heddle_set_stream(self.handle, stream))

    def synchronize(self) -> None:
        """Waits for what was queued."""
        check(lib.heddle_sync(self.handle))


class _Own(threading.local):
    def __init__(self) -> None:
        self.contexts: dict[Any, Context] = {}


_own = _Own()


def _count(threads: Any) -> int:
    try:
        count = operator.index(threads)
    except TypeError:
        raise TypeError(f"threads: a whole number is wanted, not {threads!r}") from None
    if not 1 <= count <= 1024:
        raise ValueError(f"threads: 1 to 1024 are possible, not {count}")
    return count


def _named(device: str | None, threads: int | None) -> str | None:
    """The library's name of a device with so many threads."""
    if device is not None and not isinstance(device, str):
        raise TypeError(f"device: a name such as 'cpu' or 'cuda:1' is wanted, not {device!r}")
    if device is not None and "\0" in device:
        raise ValueError(f"device: no device is called {device!r}")
    if threads is None:
        return device
    if device not in (None, "cpu"):
        raise ValueError(f"threads: they are of device 'cpu', not {device!r}")
    return f"cpu:{threads}"


def context(device: str | None = None, threads: int | None = None) -> Context:
    """The calling thread's context on a device.

    Parameters
    ----------
    device : str, optional
        "cpu", "cpu:4", "cuda", "cuda:1", "simt", or several GPUs as one, "cuda:0,1" or
        "cuda:all"; the default is ``$HEDDLE_DEVICE``, or "cpu".
    threads : int, optional
        At most so many threads of a CPU.
    """
    if threads is not None:
        threads = _count(threads)
    key = (device, threads, fast.heddle_py_depth())
    try:
        found = _own.contexts[key]
    except TypeError:
        raise TypeError(f"device: a name such as 'cpu' or 'cuda:1' is wanted, not {device!r}") \
            from None
    except KeyError:
        found = None
    if found is None or not found.survives():
        name = _named(device, threads)
        found = _own.contexts.get((name, None, key[2]))
        if found is None or not found.survives():
            found = Context(name)
        _own.contexts[name, None, key[2]] = _own.contexts[key] = found
    return found


def synchronize(device: str | None = None) -> None:
    """Waits until everything that this thread has queued is done, on a device or on all.

    Results in host memory are complete when a call returns; those in device memory are complete
    for what is queued on the same stream behind them.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.synchronize()
    """
    for found in {id(c): c for c in _own.contexts.values()}.values():
        kind, _, number = (device or found.device).partition(":")
        here = found.device.partition(":")
        if found.on_gpu and found.survives() and here[0] == kind and number in ("", "all", here[2]):
            found.synchronize()


def devices() -> list[str]:
    """The devices of this machine, "cpu" first.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.devices()[0].partition(":")[0]
    'cpu'
    """
    found = [context("cpu").device]
    number = 0
    while True:
        handle = c_void_p()
        if lib.heddle_open(f"cuda:{number}".encode(), byref(handle)) != 0:
            return found
        lib.heddle_close(handle)
        found.append(f"cuda:{number}")
        number += 1


