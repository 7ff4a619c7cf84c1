"""What `describe` gives: a named tuple of figures, which a notebook shows as a table."""

from __future__ import annotations

import html
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _native as n
from ._arrays.exchange import TENSORS

#: The library's struct.
FIGURES = np.dtype({"names": [name for name, _ in n.Description._fields_],
                     "formats": ["u8"] * 4 + ["f8"] * 6})


class Description(NamedTuple):
    """What `describe` found: numbers, or arrays with one element a row.

    `variance` and `std` are the population's, `skewness` is (M3 / n) / variance**1.5.
    """

    count: Any
    nan: Any
    infinite: Any
    nulls: Any
    min: Any
    max: Any
    sum: Any
    mean: Any
    variance: Any
    std: Any
    skewness: Any

    def _repr_html_(self) -> str:
        """A table: a line a figure, a column a row; of many rows the first and the last."""
        columns = [np.asarray(figure).reshape(-1) for figure in self]
        rows = columns[0].size
        shown = range(rows) if rows <= 10 else [*range(5), None, *range(rows - 5, rows)]
        lines = []
        if rows != 1 or np.ndim(self.count):
            names = "".join(f"<th>{'&hellip;' if i is None else i}</th>" for i in shown)
            lines.append(f"<tr><th></th>{names}</tr>")
        for name, column in zip(self._fields, columns):
            cells = ("&hellip;" if i is None else _text(column[i if column.size == rows else 0])
                     for i in shown)
            lines.append(f"<tr><th>{name}</th>"
                         + "".join(f"<td style='text-align: right'>{cell}</td>" for cell in cells)
                         + "</tr>")
        return f"<table>{''.join(lines)}</table>"


def _text(value: Any) -> str:
    return html.escape(f"{value:,}" if isinstance(value, (int, np.integer)) else f"{value:.6g}")


def description_of(figures: np.ndarray, nulls: Any) -> Description:
    """The library's figures, as `describe` gives them."""
    with np.errstate(invalid="ignore"):
        found = {name: figures[name][()] for name in Description._fields if name in FIGURES.names}
        return Description(nulls=nulls, std=np.sqrt(figures["variance"])[()], **found)


def of_tensor(x: Any, skipna: bool) -> Optional[Description]:
    """The figures of all of a tensor on a device, for which the call waits; None: it is another array."""
    found = n.methods.device_describe(x, bool(skipna)) if type(x) in TENSORS else n.DECLINED
    return None if found is n.DECLINED else Description(*found[:3], 0, *found[3:])
