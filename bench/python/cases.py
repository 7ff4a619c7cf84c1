"""Cases of the hunt: a function of an array of some shape, layout, dtype and content, along an axis.

Cases are drawn by a seed. Each function meets each kind of shape equally often; sizes, layouts, axes
and dtypes are drawn for each case. All arrays are views of one buffer a dtype and content, so that a
case takes no time to make.
"""
import dataclasses

import numpy as np

FUNCTIONS = ("sum", "mean", "var", "min", "max", "argmax", "cumsum", "any", "all", "prod",
             "maximum_accumulate")
#: Of one axis only, which is not None for n-D arrays of the last.
ONE_AXIS = ("argmax", "cumsum", "maximum_accumulate")
DTYPES = ("f4", "f8", "i8", "i4", "u1", "?", "f2")
#: float32 and float64 are what most people have.
WEIGHTS = (0.24, 0.24, 0.14, 0.1, 0.12, 0.08, 0.08)
MOST = 10**7  # elements of a line
BUFFER = 2 * 1080 * 1920 * 4  # elements of the largest image, and as many to be left out by a step
KEPT = 10  # buffers
LAYOUTS = ("C", "C", "F", "T", "[::2]", "[:, ::2]", "[::-1]", "inner")


@dataclasses.dataclass(frozen=True)
class Case:
    """One row of the table; `content` is random, zeros or ones."""

    function: str
    kind: str
    shape: tuple
    layout: str
    axis: object
    dtype: str
    content: str

    def __str__(self):
        shape = " x ".join(f"{n:,}" for n in self.shape)
        layout = "" if self.layout == "C" else f" {self.layout}"
        content = "" if self.content == "random" else f" of {self.content}"
        return f"{self.function} {np.dtype(self.dtype).name} {shape}{layout} axis={self.axis}{content}"


def about(rng, low, high):
    """A number between two, by its logarithm: sometimes a power of two, as people have them."""
    found = int(np.exp(rng.uniform(np.log(low), np.log(high + 1))))
    if rng.random() < 0.2:
        found = 1 << int(round(np.log2(found)))
    return min(max(found, low), high)


def pick(rng, values, weights=None):
    return values[int(rng.choice(len(values), p=weights))]


# ---- kinds of shapes: (shape, layout, axes to draw from) -----------------------------------------


def line(rng):
    return (about(rng, 10, MOST),), "C", (None,)


def short_line(rng):
    return (about(rng, 10, 1000),), "C", (None, 0)


def stepped_line(rng):
    layout = pick(rng, ("[::2]", "[::3]", "[::-1]", "column", "field"))
    return (about(rng, 1000, MOST // 4),), layout, (None,)


def square(rng):
    n = about(rng, 32, 2000)
    return (n, n), pick(rng, LAYOUTS), (None, 0, 1)


def wide(rng):
    n = about(rng, 17, 200)
    return (n, about(rng, 1000, 4 * 10**6 // n)), pick(rng, LAYOUTS), (None, 0, 1)


def tall(rng):
    n = about(rng, 17, 500)
    return (about(rng, 1000, 4 * 10**6 // n), n), pick(rng, LAYOUTS), (None, 0, 1)


def short_rows(rng):
    n = about(rng, 2, 16)
    return (about(rng, 10**3, 2 * 10**6 // n), n), pick(rng, ("C", "C", "[::2]", "inner")), (-1,)


def short_columns(rng):
    n = about(rng, 2, 16)
    return (n, about(rng, 10**3, 2 * 10**6 // n)), pick(rng, ("C", "C", "[:, ::2]", "inner")), (0,)


def few_columns(rng):
    n = about(rng, 2, 16)
    return (about(rng, 10**3, 2 * 10**6 // n), n), "C", (0,)


def three(rng):
    shape = tuple(about(rng, 8, 160) for _ in range(3))
    return shape, pick(rng, LAYOUTS), (None, 0, 1, 2, (0, 1), (1, 2), (0, 2))


def five(rng):
    shape = tuple(about(rng, 2, 18) for _ in range(5))
    return shape, pick(rng, ("C", "C", "F", "[::2]", "inner")), (0, 1, 2, 3, 4, (0, 4), (1, 2),
                                                                 (2, 3, 4), (0, 1, 2))


def image(rng):
    height = about(rng, 120, 1080)
    shape = (height, height * 16 // 9, pick(rng, (3, 4)))
    return shape, pick(rng, ("C", "C", "[::2]", "inner")), (None, 0, 1, 2, (0, 1))


def batch(rng):
    side = about(rng, 8, 96)
    shape = (about(rng, 4, 64), side, side, pick(rng, (1, 3, 16)))
    return shape, "C", (0, 3, (1, 2), (0, 1, 2), (2, 3))


KINDS = {"1-D": line, "1-D up to 1,000": short_line, "1-D with a step": stepped_line,
         "square": square, "wide": wide, "tall": tall, "rows of 2 to 16": short_rows,
         "columns of 2 to 16": short_columns, "2 to 16 columns": few_columns, "3-D": three,
         "5-D": five, "images": image, "batches": batch}


def draw(seed, count):
    """So many different cases, the same for the same seed."""
    rng, found = np.random.default_rng(seed), {}
    kinds = list(KINDS)
    while len(found) < count:
        i = len(found)
        function, kind = FUNCTIONS[i % len(FUNCTIONS)], kinds[i // len(FUNCTIONS) % len(kinds)]
        shape, layout, axes = KINDS[kind](rng)
        if function in ONE_AXIS:
            axes = [a for a in axes if not isinstance(a, tuple)] or [0]
        axis = pick(rng, axes)
        if function == "maximum_accumulate" and axis is None:
            axis = 0
        contents = ("random", "zeros", "ones") if function in ("any", "all") else ("random",)
        case = Case(function, kind, shape, layout, axis, pick(rng, DTYPES, WEIGHTS),
                    pick(rng, contents))
        found[case] = None
    return list(found)


# ---- arrays ---------------------------------------------------------------------------------------


class Arrays:
    """The arrays of cases, of one buffer for each dtype and content."""

    def __init__(self, seed):
        self._seed, self._buffers = seed, {}

    def of(self, case):
        near_one = case.function == "prod"
        made = self._shaped(self._buffer(case.dtype, case.content, near_one), case)
        assert made.shape == case.shape
        return made

    def _buffer(self, dtype, content, near_one):
        key = dtype, content, near_one
        if key not in self._buffers:
            if len(self._buffers) == KEPT:
                self._buffers.clear()
            self._buffers[key] = self._filled(*key)
        return self._buffers[key]

    def _filled(self, dtype, content, near_one):
        rng, count = np.random.default_rng(self._seed), BUFFER
        if content != "random":
            return np.full(count, content == "ones", dtype)
        if np.dtype(dtype).kind in "ui":
            high = 256 if dtype == "u1" else 10**6
            return rng.integers(0 if dtype == "u1" else -high, high, count, np.dtype(dtype))
        if dtype == "?":
            return rng.random(count, np.float32) < 0.5
        values = rng.standard_normal(count, np.float32)
        if near_one:  # a product that stays in the range of any type
            values = np.copysign(1 + values / 4096, values)
        return values.astype(dtype)

    def _shaped(self, buffer, case):
        shape, layout = case.shape, case.layout
        whole = lambda *shape: buffer[:int(np.prod(shape))].reshape(shape)
        if layout == "C":
            return whole(*shape)
        if layout == "F":
            return whole(*shape[::-1]).T
        if layout == "T":  # the last two axes exchanged
            return whole(*shape[:-2], shape[-1], shape[-2]).swapaxes(-1, -2)
        if layout == "inner":
            made = whole(*(n + 3 for n in shape))
            return made[tuple(slice(1, 1 + n) for n in shape)]
        if layout == "column":
            return whole(shape[0], 3)[:, 1]
        if layout == "field":  # of records of four numbers
            record = np.dtype([(name, buffer.dtype) for name in "xyzw"])
            return buffer[:4 * shape[0]].view(record)["y"]
        step = {"[::2]": 2, "[::3]": 3, "[::-1]": -1, "[:, ::2]": 2}[layout]
        axis = 1 if layout == "[:, ::2]" else 0
        longer = [n * abs(step) if i == axis else n for i, n in enumerate(shape)]
        cut = [slice(None, None, step) if i == axis else slice(None) for i in range(len(shape))]
        return whole(*longer)[tuple(cut)]
