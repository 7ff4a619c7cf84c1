"""A state of the library: what came of an array so far, which can be saved, loaded and merged.

Pieces of one array may be taken by states of their own, on several threads, devices or hosts;
merged, by any tree of merges, they give the bits of the plain call on the whole.
"""

from __future__ import annotations

import copy
import functools
import threading
from typing import Any, Callable, TypeVar, cast

import numpy as np

from .. import _native as n
from .._arrays.operand import Operand, operand
from .._arrays.pieces import pieces
from .._axes import context_of, pointer_of, skipped, whole
from .._context import context
from .._native import byref, c_size_t, c_void_p, check, fast, lib


_M = TypeVar("_M", bound=Callable[..., Any])


def locked(method: _M) -> _M:
    """A method of a state that threads may share: one call at a time, which is all that the library takes."""
    @functools.wraps(method)
    def within(self: Any, *arguments: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *arguments, **options)

    return cast(_M, within)


def taken_pair(a: Any, b: Any) -> tuple[Operand, Operand]:
    """Two operands of the host, of one dtype and length, without nulls."""
    x, y = operand(a, "a"), operand(b, "b")
    for name, z in (("a", x), ("b", y)):
        if z.host is None:
            raise TypeError(f"{name}: pieces are arrays of the host")
        if z.valid is not None and not z.valid.all():
            raise ValueError(f"{name}: dots in pieces are of arrays without nulls")
    if x.shape != y.shape:
        raise ValueError(f"b: shapes {x.shape} and {y.shape} not aligned")
    if (x.dtype, x.is_bfloat16) != (y.dtype, y.is_bfloat16):
        raise TypeError(f"b: its dtype is {y.dtype}, that of a is {x.dtype}")
    if x.dtype.kind == "b":
        raise TypeError("a: heddle.Dot is for numbers; of two bool arrays use numpy.dot")
    return x, y


class Pieces:
    """A state of the library that is begun with the first piece, whose dtype is that of all."""

    _verb: str  # as in the names of the library's entries
    _is_bfloat16 = False

    def __init__(self, skipna: bool, threads: int | None, device: str | None,
                 start: int = 0) -> None:
        if not 0 <= (start := whole(start, "start")) < 2**64:
            raise ValueError(f"start: an index is wanted, not {start}")
        self.start = start
        self._nan = n.NAN_SKIP if skipna else n.NAN_PROPAGATE
        self._threads, self._device = threads, device
        self._state: Any = None
        self._context: Any = None  # outlives the state
        self._lock = threading.RLock()
        self._broken = False
        self.dtype: np.dtype | None = None
        self.count = self.nulls = 0

    def __del__(self) -> None:
        if getattr(self, "_state", None) and not fast.heddle_py_has_ended():
            lib.heddle_state_free(self._state)
            self._state = None

    def __repr__(self) -> str:
        return f"<heddle.{type(self).__name__} of {self.count} elements of {self.dtype}>"

    def _unbroken(self) -> None:
        if self._broken:
            raise RuntimeError(f"{type(self).__name__}: an earlier update failed half way; begin "
                               "anew")

    def _begun(self, x: Operand) -> tuple[Any, ...]:
        """The arguments of the library's `begin`, for operands like x."""
        raise NotImplementedError

    def _converted(self, x: Operand) -> Operand:
        """The operand as the state takes it."""
        return x

    def _take(self, chunk: Any) -> Operand:
        """The next piece, without its nulls; the first one begins the state."""
        self._unbroken()
        x = chunk if isinstance(chunk, Operand) else operand(chunk, "chunk")
        if x.host is None:
            raise TypeError("chunk: pieces are arrays of the host")
        dtype = np.dtype(np.float32) if x.is_bfloat16 else x.dtype
        if self.dtype is not None and (dtype, x.is_bfloat16) != (self.dtype, self._is_bfloat16):
            raise TypeError(f"chunk: its dtype is {dtype}, that of the first was {self.dtype}")
        x = skipped(x, None, "chunk")
        context = context_of(x, self._device, self._threads)  # bools are 0 and 1 from then on
        if self._state is None:
            self._context = context
            self._begin(x)
            self.dtype, self._is_bfloat16 = dtype, x.is_bfloat16
        self.nulls += x.nulls
        self.count += x.size
        return self._converted(x)

    def _begin(self, x: Operand) -> None:
        state = c_void_p()
        check(getattr(lib, f"heddle_{self._verb}_begin")(self._context.handle, *self._begun(x),
                                                         byref(state)))
        self._state = state

    def _ready(self) -> Any:
        """This state; before the first piece one of nothing, of float64, so that pieces may be of any dtype."""
        self._unbroken()
        if self._state is not None:
            return self
        made = copy.copy(self)
        made._take(np.empty(0))
        return made

    def _feed(self, *operands: Operand, target: np.ndarray | None = None,
              verb: str | None = None) -> None:
        update, done = getattr(lib, f"heddle_{verb or self._verb}_update"), 0
        arrays = tuple(x.host for x in operands)
        whole = all(array.flags.c_contiguous for array in arrays)
        self._broken = True
        for parts in ((arrays,) if whole else pieces(arrays, order="C")):
            more = () if target is None else (pointer_of(target) + done * target.itemsize,)
            check(update(self._state, *map(pointer_of, parts), parts[0].size, *more))
            done += parts[0].size
        self._broken = False

    def _like(self, other: Any) -> None:
        """Raises unless other is of the same call."""
        if type(other) is not type(self) or self._call() != other._call():
            raise TypeError(f"other: {other!r} is not of the same call as {self!r}")
        self._unbroken()
        other._unbroken()

    def _call(self) -> tuple[Any, ...]:
        """What two pieces of one array have in common."""
        return (self._nan,)

    def merge(self, other: Any) -> Any:
        """Takes what `other` holds of the same array, which stays as it is.

        What depends on the order of elements merges with a neighbour: `start` and what came say
        where a piece lies.
        """
        if not isinstance(other, Pieces):
            self._like(other)
        first, second = sorted((self._lock, other._lock), key=id)  # the same order for either merge of two
        with first, second:
            self._like(other)
            return self._merged(other)

    def _merged(self, other: Any) -> Any:
        if other._state is None:
            return self
        if self._state is None:
            self.__setstate__({**other.__getstate__(), "_threads": self._threads,
                               "_device": self._device})
            return self
        if (self.dtype, self._is_bfloat16) != (other.dtype, other._is_bfloat16):
            raise TypeError(f"other: its dtype is {other.dtype}, that of this one {self.dtype}")
        check(lib.heddle_state_merge(self._state, other._state))
        self.start = min(self.start, other.start)
        self.count += other.count
        self.nulls += other.nulls
        return self

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, Pieces):
            return NotImplemented
        return copy.copy(self).merge(other)

    @locked
    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items()
                if name not in ("_state", "_context", "_lock")}
        self._unbroken()
        if self._state is None:
            return kept
        size = c_size_t(0)
        check(lib.heddle_state_save(self._state, None, byref(size)))
        buffer = np.empty(size.value, np.uint8)
        check(lib.heddle_state_save(self._state, pointer_of(buffer), byref(size)))
        return {**kept, "saved": buffer.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        kept = dict(kept)
        saved = kept.pop("saved", None)
        self._state = self._context = None
        self._lock = self.__dict__.get("_lock") or threading.RLock()
        self.__dict__.update(kept)
        if saved is None:
            return
        state, buffer = c_void_p(), np.frombuffer(saved, np.uint8)
        self._context = context(self._device, self._threads)
        check(lib.heddle_state_load(self._context.handle, pointer_of(buffer), buffer.size, None,
                                    byref(state)))
        self._state = state
