"""The two C libraries of the package, which lie in `_lib` beside this file."""

from __future__ import annotations

import ctypes
import pathlib
from typing import Any

_FOLDER = pathlib.Path(__file__).absolute().parent / "_lib"


def _load(name: str, how: type[ctypes.CDLL]) -> Any:
    path = _FOLDER / name
    if not path.exists():
        raise ImportError(f"heddle: {path} is missing: install the package (pip install .), or put "
                          "the build's folder `python` in PYTHONPATH; the sources alone have no "
                          "library")
    return how(str(path))


lib: Any = _load("libheddle.so.0", ctypes.CDLL)
fast: Any = _load("libheddle_python.so", ctypes.PyDLL)
