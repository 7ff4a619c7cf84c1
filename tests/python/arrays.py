"""Arrays that the tests try the package with: every dtype, length, layout and sort of value.

Result   `Case.array()`: an array from a few words and numbers, which is what Hypothesis draws and
         prints. `lines`, `blocks`: strategies of cases of one dimension, of several. `grid`: the
         parameters device x function x dtype of a test. `try_examples`: a property on one of those.
Method   NumPy's generator makes the values from a seed; a layout then moves them to other memory
         and gives a view that has them in the same order, amid elements that must not count.
Limits   on the software device, which compiles a kernel for each function, dtype and way through
         memory, a few dtypes of each function and short arrays.
"""

import os
import tempfile
import zlib
from typing import NamedTuple

import ml_dtypes
import numpy as np
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from heddle import DeviceArray

DEVICES = [name.strip() for name in os.environ.get("HEDDLE_TEST_DEVICES", "cpu").split(",")]

BF16 = np.dtype(ml_dtypes.bfloat16)
INTEGERS = ("?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8")
FLOATS = ("f2", "bf16", "f4", "f8")
DTYPES = INTEGERS + FLOATS

#: Around the ends of vectors, lanes, chunks of f32 and f64, pieces, and of 16 bits.
LENGTHS = (0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512,
           513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 65535, 65536, 65537)
SHORT = tuple(n for n in LENGTHS if n <= 4097)
SIMT_LENGTHS = (0, 1, 33, 1025, 2049, 4097)

#: What the software device is tried with.
SIMT_DTYPES = {
    "sum": ("f4", "f8", "i4"), "prod": ("f4",), "min": ("f4",), "max": ("u1",), "argmin": ("f4",),
    "argmax": ("i2",), "any": ("f2",), "all": ("?",), "mean": ("f4",), "var": ("f8",),
    "std": ("f4",), "describe": ("f8",), "dot": ("f4",), "cumsum": ("f4", "i4"),
    "cumprod": ("f8",), "minimum_accumulate": ("u2",), "maximum_accumulate": ("f4",),
}

FLOAT_VALUES = ("small", "whole", "equal", "specials", "words", "finite", "wide", "tiny", "huge",
                "zeros", "near1")
INTEGER_VALUES = ("small", "equal", "words", "extremes", "zeros", "odd")
LAYOUTS = ("C", "reversed", "strided", "backwards", "offset", "swapped", "swapped_backwards",
           "readonly", "memmap", "broadcast", "fortran", "permuted", "sliced")
#: Those that are something else than another one has in one dimension.
LINE_LAYOUTS = tuple(name for name in LAYOUTS if name not in ("fortran", "permuted", "sliced"))


def dtype_of(name):
    """The dtype with a name of DTYPES."""
    return BF16 if name == "bf16" else np.dtype(name)


def is_float(name):
    return name in FLOATS


def values_of(name):
    return FLOAT_VALUES if is_float(name) else INTEGER_VALUES


def layouts_of(name, layouts=LAYOUTS):
    return tuple(layout for layout in layouts if name != "bf16" or "swapped" not in layout)


# ---- values -------------------------------------------------------------------------------------

def _words(rng, dtype, count):
    return np.frombuffer(rng.bytes(dtype.itemsize * count), dtype).copy()


def _specials(rng, count, numbers):
    marks = (np.nan, np.inf, -np.inf, -0.0, 0.0)
    for _ in range(rng.integers(1, 4)):
        if count:
            numbers[rng.integers(count)] = marks[rng.integers(len(marks))]
    return numbers


def _floats(kind, dtype, count, rng):
    """Numbers in f64 or in the dtype itself; those of f64 are rounded to it."""
    top = float(ml_dtypes.finfo(dtype).max)
    if kind in ("small", "specials"):
        numbers = rng.standard_normal(count) * 10
        return numbers if kind == "small" else _specials(rng, count, numbers)
    if kind == "whole":
        return rng.integers(-8, 9, count)
    if kind == "equal":
        return np.full(count, rng.standard_normal())
    if kind in ("words", "finite"):
        numbers = _words(rng, dtype, count)
        if kind == "finite":
            numbers[~np.isfinite(numbers)] = 1
        return numbers
    if kind == "wide":
        span = 7 if dtype == np.float16 else 30
        return rng.standard_normal(count) * 2.0 ** rng.integers(-span, span, count)
    if kind == "tiny":
        return rng.integers(-40, 41, count) * float(ml_dtypes.finfo(dtype).smallest_subnormal)
    if kind == "huge":
        return rng.choice([-1, 0.5, 1], count) * top
    if kind == "zeros":
        return rng.choice([-0.0, 0.0], count) if rng.integers(3) else np.full(count, -0.0)
    return 1 + rng.choice([-1, 1], count) * float(ml_dtypes.finfo(dtype).eps)  # near1


def _integers(kind, dtype, count, rng):
    if dtype.kind == "b":
        chance = {"zeros": 0, "equal": 1, "small": 0.02, "extremes": 0.98}.get(kind, 0.5)
        return rng.random(count) < chance
    lowest, highest = np.iinfo(dtype).min, np.iinfo(dtype).max
    if kind == "small":
        return rng.integers(max(lowest, -9), 10, count)
    if kind == "equal":
        return np.full(count, highest - 2, dtype)
    if kind == "extremes":
        return rng.choice(np.array([lowest, highest, 0, 1, highest - 1], dtype), count)
    if kind == "zeros":
        return np.zeros(count)
    numbers = _words(rng, dtype, count)
    return numbers | dtype.type(1) if kind == "odd" else numbers


def make_values(kind, name, count, number):
    """`count` elements of one sort, in C order; `number` is the seed."""
    dtype = dtype_of(name)
    rng = np.random.default_rng([number, count])
    with np.errstate(all="ignore"):
        numbers = (_floats if is_float(name) else _integers)(kind, dtype, count, rng)
        return numbers.astype(dtype)


# ---- layouts -----------------------------------------------------------------------------------

def _amid(values, steps):
    """A view with the given steps that has the values, in memory whose other elements are 1s."""
    memory = np.ones([n * abs(step) for n, step in zip(values.shape, steps)], values.dtype)
    view = memory[tuple(slice(None, None, step) for step in steps)]
    view[...] = values
    return view


def _mapped(values):
    """The values in a file that is mapped read-only, at an offset that is no multiple of a page."""
    with tempfile.TemporaryFile() as file:
        file.write(b"\1" * 64 + values.tobytes())
        file.flush()
        return np.memmap(file, values.dtype, "r", 64, values.shape)


def _offset(values):
    """The values one byte beside where they ought to be."""
    memory = np.zeros(values.nbytes + 1, np.uint8)
    view = memory[1:].view(values.dtype).reshape(values.shape)
    view[...] = values
    return view


def _locked(values):
    values.flags.writeable = False
    return values


def _permuted(values):
    return np.ascontiguousarray(values.transpose()).transpose()[::-1][::-1]


def _sliced(values):
    """All but the ends of each axis of a bigger array."""
    memory = np.ones([n + 2 for n in values.shape], values.dtype)
    view = memory[tuple(slice(1, -1) for _ in values.shape)]
    view[...] = values
    return view


def _swapped(values):
    return values.astype(values.dtype.newbyteorder())


_LAY = {
    "C": lambda v: v,
    "reversed": lambda v: _amid(v, [-1] * v.ndim),
    "strided": lambda v: _amid(v, [3] * v.ndim),
    "backwards": lambda v: _amid(v, [-2] * v.ndim),
    "offset": _offset,
    "swapped": _swapped,
    "swapped_backwards": lambda v: _amid(_swapped(v), [-2] * v.ndim),
    "readonly": _locked,
    "memmap": lambda v: _mapped(v) if v.size else _locked(v),
    "broadcast": lambda v: np.broadcast_to(v[:1], v.shape) if v.size else v,
    "fortran": np.asfortranarray,
    "permuted": _permuted,
    "sliced": _sliced,
}


class Case(NamedTuple):
    """How an array is made."""

    dtype: str
    shape: tuple
    layout: str = "C"
    values: str = "small"
    seed: int = 0

    def array(self):
        count = int(np.prod(self.shape))
        values = make_values(self.values, self.dtype, count, self.seed).reshape(self.shape)
        return _LAY[self.layout if self.shape else "C"](values)


def plain(array):
    """The same elements in native order of bytes and in C order, as an array of NumPy's."""
    return np.array(array, array.dtype.newbyteorder("=") if array.dtype != BF16 else BF16,
                    order="C", subok=False)


def placed(array, device):
    """The array in the memory of a device; for a CPU that is where it is."""
    if device.startswith("cpu"):
        return array
    return DeviceArray.from_host(array, device)


def fetched(result):
    """A result as NumPy has it, a number if it has no dimensions."""
    if not isinstance(result, DeviceArray):
        return result
    host = result.to_host()
    return host if host.ndim else host[()]


# ---- strategies ---------------------------------------------------------------------------------

def _kinds(name, values):
    return st.sampled_from([kind for kind in values_of(name) if values is None or kind in values])


def every_layout(dtype, device):
    """A case of each layout, of one dimension and of two."""
    for layout in layouts_of(dtype):
        for shape in ((2049,), (5, 129)) if device != "simt" else ((1025,),):
            yield Case(dtype, shape, layout, "small", len(layout))


def every_sort_of_value(dtype, device):
    """A case of each sort of value, shorter than a chunk and of several."""
    for values in values_of(dtype):
        for n in (33, 4097) if device != "simt" else (1025,):
            yield Case(dtype, (n,), "C", values, n)


def lines(name, device="cpu", values=None, lengths=None):
    """Cases of one dimension."""
    lengths = lengths or (SIMT_LENGTHS if device == "simt" else LENGTHS)
    return st.builds(Case, st.just(name), st.sampled_from(lengths).map(lambda n: (n,)),
                     st.sampled_from(layouts_of(name, LINE_LAYOUTS)), _kinds(name, values),
                     st.integers(0, 999))


_SIDES = st.sampled_from((0, 1, 2, 3, 5, 17, 64, 129, 1025))


@st.composite
def _shapes(draw, device):
    shape, most = [], 5000 if device == "simt" else 40000
    for _ in range(draw(st.integers(0, 4))):
        side = draw(_SIDES)
        shape.append(side if side <= most else 2)
        most //= max(shape[-1], 1)
    return tuple(draw(st.permutations(shape)))


def blocks(name, device="cpu", values=None):
    """Cases of none to four dimensions."""
    return st.builds(Case, st.just(name), _shapes(device), st.sampled_from(layouts_of(name)),
                     _kinds(name, values), st.integers(0, 999))


def axes(dims, several=True):
    """Arguments `axis` for an array of so many dimensions."""
    one = st.integers(-dims, dims - 1) if dims else st.nothing()
    some = st.lists(st.integers(0, dims - 1), unique=True).map(tuple) if dims else st.just(())
    return st.one_of(st.none(), one, some) if several else st.one_of(st.none(), one)


# ---- tests --------------------------------------------------------------------------------------

def grid(functions, dtypes=DTYPES, devices=None):
    """The arguments of a mark `parametrize("device, function, dtype", ..., indirect=["device"])`."""
    return [(device, function, dtype) for device in devices or DEVICES for function in functions
            for dtype in dtypes if device != "simt" or dtype in SIMT_DTYPES[function]]


def some(count):
    """Some of the first numbers, or all of them if they are few."""
    return range(count) if count <= 12 else sorted({0, 1, count - 1, *range(7, count, count // 9)})


def try_examples(strategy, holds, device="cpu", count=20):
    """Has Hypothesis try a property; on the software device with few examples."""
    if device == "simt":
        count = min(count, 4)

    def example(case):
        holds(case)

    phases = (Phase.generate, Phase.shrink)
    example = settings(max_examples=count, phases=phases)(given(strategy)(example))
    if settings.default.derandomize:  # other examples for every test, the same in every run
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        example = seed(zlib.crc32(test.encode()))(example)
    example()
