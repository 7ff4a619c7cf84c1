"""A Series of pandas around a new array, with the labels and the name of another one.

pandas' constructor asks of any argument what it may be, which takes longer than a thousand running
totals. What it ends with, a manager of one block and a Series around it, is three calls, which pandas
does not promise to keep: before they are used, they have to give what the constructor gives.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np


def _by_manager(source: Any, array: np.ndarray) -> Any:
    manager = source._mgr
    manager = type(manager)(manager.blocks[0].make_block_same_class(array), source.index)
    made = source._constructor_from_mgr(manager, manager.axes)
    object.__setattr__(made, "_name", source.name)
    return made


def _by_constructor(source: Any, array: np.ndarray) -> Any:
    return type(source)(array, source.index, None, source.name, False)


def _parts(made: Any, array: np.ndarray) -> tuple[Any, ...]:
    """What two Series of one array have in common if they are made of the same."""
    block, = made._mgr.blocks
    state = {name: type(value) for name, value in vars(made).items()}
    return (type(made), state, made.name, id(made.index), made.dtype, made.shape, type(made._mgr),
            type(block), block.ndim, block.mgr_locs.as_array.tolist(), id(made._mgr.axes[0]),
            block.refs.has_reference(), np.shares_memory(made.to_numpy(), array),
            made.flags.allows_duplicate_labels, made.attrs, made.tolist())


@functools.lru_cache(maxsize=8)
def _maker(kind: type) -> Callable[[Any, np.ndarray], Any]:
    """Of pandas.Series."""
    try:
        for dtype in (np.float64, np.float32, np.float16, np.int64, np.int8, np.uint64, np.bool_):
            array = np.arange(3).astype(dtype)
            for source in (kind([1.5, 2.5, 3.5], ["x", "y", "z"], name="name"), kind([1, 2, 3]),
                           kind([True, False, True])):
                made = _by_manager(source, array)
                if _parts(made, array) != _parts(_by_constructor(source, array), array):
                    return _by_constructor
    except Exception:  # another pandas
        return _by_constructor
    return _by_manager


def series_like(source: Any, array: np.ndarray) -> Any:
    """A Series, of pandas' own type, around an array as long as one that is given.

    Examples
    --------
    >>> import pandas as pd
    >>> series_like(pd.Series([1, 2], ["a", "b"]), np.array([0.5, 1.5]))
    a    0.5
    b    1.5
    dtype: float64
    """
    return _maker(type(source))(source, array)
