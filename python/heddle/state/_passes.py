"""What is found of data that come in pieces, several times over: a pass narrows what the next one looks for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._native import byref, c_int, check, lib
from ._base import Pieces, locked


class Passes(Pieces):
    """A state that takes all data once a pass."""

    def __init__(self, skipna: bool, threads: int | None, device: str | None) -> None:
        super().__init__(skipna, threads, device)
        self.passes = 0

    def _like(self, other: Any) -> None:
        super()._like(other)
        if other.passes != self.passes:
            raise ValueError(f"other: {self.passes} of its passes are wanted, it has "
                             f"{other.passes}; states of one pass merge")

    @locked
    def round(self) -> bool:
        """Ends a pass over all data; True: all of them are wanted once more."""
        self._unbroken()
        if self._state is None:
            self._take(np.empty(0))
        again = c_int()
        self._broken = True
        check(lib.heddle_quantiles_round(self._state, byref(again)))
        self._broken = False
        self.passes += 1
        self.count = self.nulls = 0
        return bool(again.value)
