"""Columns of data frames, and frames of one dtype, as libheddle_python takes them.

The fast path's part of operand.py.

COLUMNS has a type's reader from the first call on an object of that type, which operand.py does.
What it gives is an array, two capsules or one of Arrow's interface, or values with a mask beside
them; of anything else, such as a producer that refuses, libheddle_python declines.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .kinds import GIVE, frame_values, is_pandas_nullable, library_of

#: A type of column -> what reads one.
COLUMNS: dict[type, Callable[[Any], Any]] = {}


def _arrow_array(x: Any) -> Any:
    try:
        return x.__arrow_c_array__()
    except Exception:  # it is asked again, by arrow.py, which says what is wrong
        return None


def _arrow_stream(x: Any) -> Any:
    try:
        return x.__arrow_c_stream__()
    except Exception:
        return None


def _pandas(x: Any) -> Any:
    dtype = x.dtype
    if isinstance(dtype, np.dtype):
        return x.to_numpy()
    values = x.array
    if is_pandas_nullable(values):
        return values._data, values._mask
    if hasattr(dtype, "pyarrow_dtype"):
        return _arrow_stream(values.__arrow_array__())
    return None


def _reader_of(kind: type, library: str) -> Callable[[Any], Any] | None:
    if library in ("pandas", "polars") and kind.__name__ == "Series":
        return _pandas if library == "pandas" else _arrow_stream
    if library == "pandas" and kind.__name__ == "DataFrame":
        return frame_values
    if library == "pyarrow" and kind.__name__ == "ChunkedArray":
        return _arrow_stream
    if library == "pyarrow" and any(base.__name__ == "Array" for base in kind.__mro__):
        return _arrow_array
    return None


def learn(kind: type, library: str) -> None:
    """Notes how a type of a library's own is read; not one that others have derived from it."""
    if kind not in COLUMNS and kind.__module__.partition(".")[0] == library:
        reader = _reader_of(kind, library)
        if reader is not None:
            COLUMNS[kind] = reader


def memory(x: Any) -> Any:
    """A second argument of the fast path: a column as its memory, anything else as it is."""
    reader = COLUMNS.get(type(x))
    return x if reader is None else reader(x)


def give_line(source: Any, result: Any) -> Any:
    """Running totals as the caller's kind of column; of one with nulls also which are none."""
    totals, valid = result if isinstance(result, tuple) else (result, None)
    aligned = totals.ndim == getattr(source, "ndim", 1)
    return GIVE[library_of(type(source))](source, totals, valid, aligned)


def give_bins(source: Any, result: Any) -> Any:
    """Counts, or counts and edges, as the caller's kind of column."""
    give = GIVE[library_of(type(source))]
    if isinstance(result, tuple):
        return tuple(give(source, array, None, False) for array in result)
    return give(source, result, None, False)
