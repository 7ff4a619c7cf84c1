"""Figures: histograms as SVG that needs nothing else, as the command line tool draws them.

Bars stand between the true edges, on a logarithmic axis where edges rise by a ratio. Up to 200
carry their figures as tool tips, more are one outline; beyond 1,200 neighbours are merged, since
there are no more pixels than that. Where an edge is infinite all bins are drawn of one width.
Colours follow the viewer's light or dark setting; the rules name the picture's own class, so that
in a notebook they touch nothing else.

Source: SVG 1.1; Heckbert 1990, "Nice numbers for graph labels".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 400, 84, 24, 56, 52
_ACROSS, _FLOOR = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _BOTTOM
_TIPS, _FINEST = 200, 1200

_LIGHT = {".page": "fill:#ffffff", ".bar": "fill:#2f7f86", ".grid": "stroke:#d9dee3;stroke-width:1",
          ".axis": "stroke:#6b7480;stroke-width:1",
          "text": "fill:#3c444d;font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
                  "'Helvetica Neue',Arial,sans-serif;font-size:12px",
          ".title": "font-size:16px;font-weight:600;fill:#1d2329", ".note": "fill:#6b7480",
          ".end": "text-anchor:end", ".middle": "text-anchor:middle"}
_DARK = {".page": "fill:#14181c", ".bar": "fill:#56b3ba", ".grid": "stroke:#2b323a",
         ".axis": "stroke:#8a949f", "text": "fill:#c3cad2", ".title": "fill:#f0f3f6",
         ".note": "fill:#8a949f"}


@dataclass(frozen=True)
class Figure:
    """What a picture shows.

    Attributes
    ----------
    values, edges : numpy.ndarray
        A value a bin, one edge more.
    noun : str
        What the values are: "counts", "sums of weights", "density".
    count : int
        Elements.
    outside : tuple of (str, int)
        Names for elements that are in no bin, and how many there are.
    """

    values: np.ndarray
    edges: np.ndarray
    noun: str
    count: int
    outside: tuple[tuple[str, int], ...]


def draw_svg(figure: Figure, title: str | None) -> str:
    """The picture as a document."""
    return _Canvas(figure, title).draw()


def draw_html(figure: Figure) -> str:
    """The picture as a part of a page."""
    return f'<div style="max-width:{_WIDTH}px;overflow:auto">{draw_svg(figure, None)}</div>'


# ---- texts and numbers ------------------------------------------------------------------------


def _escaped(text: str) -> str:
    """Text of XML: markup escaped; characters that XML has not become blanks."""
    kept = "".join(c if ord(c) >= 0x20 and not 0xD800 <= ord(c) <= 0xDFFF
                   and ord(c) not in (0xFFFE, 0xFFFF) else " " for c in text)
    for mark, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"),
                       ("'", "&#39;")):
        kept = kept.replace(mark, name)
    return kept


def _value_text(value: float) -> str:
    """A count with a comma before each three digits, another value with four digits."""
    if value == math.floor(value) and abs(value) < 1e15 if math.isfinite(value) else False:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _edge_text(edge: float, digits: int) -> str:
    """An edge, without an exponent where it only confuses."""
    if math.isfinite(edge) and abs(edge) < 1e9 \
            and (edge == math.floor(edge) or abs(edge) >= 10.0**digits):
        return f"{edge if edge else 0.0:.0f}"
    return f"{edge:.{digits}g}"


def _digits(lo: float, hi: float) -> int:
    """The least digits with which two edges stay within a fiftieth of what is between them."""
    width = hi - lo if math.isfinite(hi - lo) and hi > lo else max(abs(lo), abs(hi))
    for digits in range(3, 17):
        if all(not math.isfinite(e) or abs(float(_edge_text(e, digits)) - e) <= 0.02 * width
               for e in (lo, hi)):
            return digits
    return 17


def _ticks(lo: float, hi: float, most: int) -> tuple[list[float], float]:
    """Multiples of 1, 2 or 5 times a power of ten: at most `most` steps; and the step."""
    if not math.isfinite(hi - lo) or not hi > lo:
        return [], 0.0
    rough = (hi - lo) / most
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 0.0
    if not power > 0:
        return [], 0.0
    step = next(m for m in (1, 2, 5, 10) if rough / power <= m or m == 10) * power
    if not (math.isfinite(step) and math.isfinite(lo / step)):
        return [], 0.0
    first = math.ceil(lo / step - 1e-9) * step
    steps = math.floor((hi - first) / step + 1e-9)
    return [first + i * step for i in range(max(steps, -1) + 1)], step


# ---- the picture ------------------------------------------------------------------------------


def _rises_by_ratio(edges: np.ndarray) -> bool:
    """Whether edges are those of a logarithmic axis."""
    if len(edges) < 4 or not (edges > 0).all() or not edges[-1] >= 10 * edges[0]:
        return False
    steps = np.diff(np.log(edges))
    return bool(np.ptp(steps) <= 1e-3 * np.mean(steps))


class _Canvas:
    def __init__(self, figure: Figure, title: str | None) -> None:
        self.figure, self.title = figure, title
        self.edges = np.asarray(figure.edges, np.float64)
        self.lines: list[str] = []
        count = len(figure.values)
        group = max(-(-count // _FINEST), 1)
        self.starts = list(range(0, count, group))
        values = np.asarray(figure.values, np.float64)
        with np.errstate(all="ignore"):
            self.values = np.add.reduceat(values, self.starts) if count else values
            if figure.noun == "density" and count:
                self.values = self.values / np.diff([*self.starts, count])
            self._set_positions()
        finite = self.values[np.isfinite(self.values)]
        self.most = float(max(finite.max(initial=0.0), 0.0))

    def _set_positions(self) -> None:
        """Where edges stand, from the left."""
        edges = self.edges
        self.scale = "indexed"
        shares = np.arange(max(len(edges), 2)) / max(len(edges) - 1, 1)
        if len(edges) > 1 and np.isfinite(edges[-1] - edges[0]) and edges[-1] > edges[0]:
            self.scale = "logarithmic" if _rises_by_ratio(edges) else "linear"
            shares = self._share(edges)
        self.positions = _LEFT + shares * _ACROSS

    def _share(self, edge: np.ndarray) -> np.ndarray:
        lo, hi = self.edges[0], self.edges[-1]
        if self.scale == "logarithmic":
            return np.log(edge / lo) / np.log(hi / lo)
        return (edge - lo) / (hi - lo)

    def _level(self, value: float) -> float:
        share = 0.0
        if value > 0 and (self.most > 0 or math.isinf(value)):
            share = value / self.most if value < self.most else 1.0
        return _FLOOR - share * (_FLOOR - _TOP)

    def draw(self) -> str:
        self._head()
        self._value_axis()
        (self._bars if len(self.figure.values) <= _TIPS else self._outline)()
        self._edge_axis()
        return "\n".join([*self.lines, "</svg>"])

    def _head(self) -> None:
        figure = self.figure
        name = _escaped(self.title if self.title is not None else "Histogram")
        mine = "svg.heddle-histogram "
        rules = "".join(f"{mine}{k}{{{v}}}" for k, v in _LIGHT.items())
        dark = "".join(f"{mine}{k}{{{v}}}" for k, v in _DARK.items())
        outside = [f", {_value_text(n)} {name}" for name, n in figure.outside if n]
        top = 30 if self.title is None else 44
        self.lines += [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="heddle-histogram" '
            f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img">',
            f"<title>{name}</title>",
            f"<style>{rules}@media (prefers-color-scheme:dark){{{dark}}}</style>",
            f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>']
        if self.title is not None:
            self.lines.append(f'<text class="title" x="{_LEFT}" y="26">{name}</text>')
        self.lines += [
            f'<text class="note" x="{_LEFT}" y="{top}">{_value_text(figure.count)} '
            f'element{"" if figure.count == 1 else "s"}{"".join(outside)}</text>',
            f'<text class="note end" x="{_WIDTH - _RIGHT}" y="{top}">'
            f'{_escaped(figure.noun)}</text>']

    def _value_axis(self) -> None:
        for value in _ticks(0.0, self.most or 1.0, 5)[0]:
            y = self._level(value) if self.most else float(_FLOOR)
            text = _value_text(value)
            if value:
                self.lines.append(f'<line class="grid" x1="{_LEFT}" y1="{y:.2f}" '
                                  f'x2="{_WIDTH - _RIGHT}" y2="{y:.2f}"/>')
            self.lines.append(f'<text class="end" x="{_LEFT - 8}" y="{y + 4:.2f}">'
                              f'{text if len(text) <= 11 else f"{value:.3g}"}</text>')

    def _bars(self) -> None:
        count = len(self.values)
        gap = 1 if _ACROSS > 5 * count else 0
        for i, value in enumerate(self.values.tolist()):
            x, y = float(self.positions[i]), self._level(value)
            width = max(float(self.positions[i + 1]) - x - gap, 0.0)
            lo, hi = float(self.edges[i]), float(self.edges[i + 1])
            digits = _digits(lo, hi)
            end = "]" if i + 1 == count else ")"
            self.lines.append(
                f'<rect class="bar" x="{x + gap / 2:.2f}" y="{y:.2f}" width="{width:.2f}" '
                f'height="{_FLOOR - y:.2f}"><title>[{_edge_text(lo, digits)}, '
                f'{_edge_text(hi, digits)}{end}: {_value_text(value)}</title></rect>')

    def _outline(self) -> None:
        path = [f'<path class="bar" d="M{_LEFT} {_FLOOR}']
        for value, end in zip(self.values.tolist(), [*self.starts[1:], len(self.figure.values)]):
            path.append(f"V{self._level(value):.2f}H{self.positions[end]:.2f}")
        self.lines.append("".join(path) + f'V{_FLOOR}Z"/>')

    def _tick(self, x: float, text: str) -> None:
        self.lines.append(f'<line class="axis" x1="{x:.2f}" y1="{_FLOOR}" x2="{x:.2f}" '
                          f'y2="{_FLOOR + 5}"/><text class="middle" x="{x:.2f}" '
                          f'y="{_FLOOR + 20}">{text}</text>')

    def _power_ticks(self) -> None:
        first = math.ceil(math.log10(self.edges[0]) - 1e-9)
        last = math.floor(math.log10(self.edges[-1]) + 1e-9)
        for power in range(first, last + 1, max(-(-(last - first + 1) // 10), 1)):
            text = _edge_text(10.0**power, 3) if abs(power) < 5 else \
                f'10<tspan dy="-5" font-size="9">{power}</tspan>'
            self._tick(float(_LEFT + self._share(np.float64(10.0**power)) * _ACROSS), text)

    def _edge_axis(self) -> None:
        self.lines.append(f'<line class="axis" x1="{_LEFT}" y1="{_FLOOR}" x2="{_WIDTH - _RIGHT}" '
                          f'y2="{_FLOOR}"/>')
        if self.scale == "logarithmic" and self.edges[-1] >= 100 * self.edges[0]:
            self._power_ticks()
        elif self.scale == "linear":
            marks, step = _ticks(float(self.edges[0]), float(self.edges[-1]), 8)
            digits = max(_digits(marks[0], marks[0] + step), 6) if marks else 6
            for at in marks:
                at = 0.0 if abs(at) < 1e-9 * step else at
                self._tick(float(_LEFT + self._share(np.float64(at)) * _ACROSS),
                           _edge_text(at, digits))
        elif len(self.edges):
            for i in sorted({k * (len(self.edges) - 1) // 4 for k in range(5)}):
                self._tick(float(self.positions[i]), _edge_text(float(self.edges[i]), 4))
