"""The fast path with a dtype, of running totals with options, of segments: as the slow one, to the bit."""

import inspect
import itertools

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain
from test_plain_axis import LAYOUTS, VIEWS, filled
from test_plain_where import both_agree, outcome

TYPES = "?BhIlLefd"
NAMES = sorted(name for name, path in _plain.FUNCTIONS.items()
               if "dtype" in (*path.said, *path.arguments) and not name.startswith("segment_"))
SCANS = ["cumsum", "cumprod", "minimum_accumulate", "maximum_accumulate", "nancumsum", "nancumprod"]
LONGER = ["cumulative_sum", "cumulative_prod"]
SEGMENTS = sorted(name for name in _plain.FUNCTIONS if name.startswith("segment_"))
DTYPES = [*TYPES, np.float64, np.dtype("f4"), float, int, bool, "float32", "<i4", ">f8", np.longlong, "q",
          "f16", "c8", "no", 1.5, np.dtype([("x", "f8")])]


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_both_paths_agree_on_a_dtype(name, dtype):
    """Of numbers that some dtypes do not hold, in one layout each."""
    has_mask = "where" in inspect.signature(getattr(hd, name)).parameters
    for shape in ((9,), (3, 70)):
        a = filled(dtype, shape)
        b = a if dtype not in "efd" else np.nan_to_num(a, posinf=3, neginf=-3)
        for i, (x, wanted) in enumerate(itertools.product((a, b * b.dtype.type(3)), DTYPES)):
            kind, view = list((LAYOUTS if x.ndim > 1 else VIEWS).items())[i % 7]
            x = view(x)
            for axis in (None, *range(x.ndim))[i % 2:]:
                both_agree(name, x, kind, axis=axis, dtype=wanted)
            if dtype in "lL":  # what f64 does not hold
                both_agree(name, x + np.array(2**62 + 2**9 - 1, dtype), kind, axis=i % x.ndim, dtype=wanted)
            if has_mask:
                both_agree(name, x, kind, axis=0, dtype=wanted, where=x != 1)


@pytest.mark.parametrize("name", [name for name in NAMES if "where" in _plain.FUNCTIONS[name].said])
def test_a_dtype_is_the_one_that_is_taken(name):
    path = _plain.FUNCTIONS[name]
    numbers = {"threads": 1, "ddof": 0, "axis": 0, "keepdims": False, "skipna": False, "True": True,
               "where": True}
    for x, dtype in itertools.product((np.ones((3, 4), "f"), np.ones((3, 4), "d")), ("f4", np.float64)):
        words = [x if word == "a" else dtype if word == "dtype" else numbers.get(word, word)
                 for word in path.said]
        result = path.where(*words)
        assert result is not _native.DECLINED and result.dtype == dtype


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", SCANS)
def test_both_paths_agree_on_what_scans_skip(name, dtype):
    for shape in ((1,), (70,), (4, 3, 2), (33, 65)):
        for i, (kind, view) in enumerate((LAYOUTS if len(shape) > 1 else VIEWS).items()):
            x = view(filled(dtype, shape))
            for axis in (None, *range(x.ndim), -1, x.ndim):
                more = {} if name.startswith("nan") else {"skipna": bool(i % 3)}
                both_agree(name, x, kind, axis=axis, **more)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", LONGER)
def test_both_paths_agree_on_what_comes_first(name, dtype):
    for shape in ((0,), (1,), (70,), (3, 4), (4, 1, 2), (5, 0), (33, 65), (700, 9)):
        for i, (kind, view) in enumerate((LAYOUTS if len(shape) > 1 else VIEWS).items()):
            x = view(filled(dtype, shape))
            for axis in (None, *range(x.ndim), -1, x.ndim):
                both_agree(name, x, kind, axis=axis, include_initial=True, skipna=i % 3 == 0)
                both_agree(name, x, kind, axis=axis)
            both_agree(name, x, kind, axis=0, include_initial=True, dtype=DTYPES[i])
    path = _plain.FUNCTIONS[name]
    for axis in (0, 1):
        words = ("f", None, path.arguments[2], axis, False, None, True, 1)
        assert path.entry(np.ones((3, 4)), *words[1:]) is not _native.DECLINED


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", SEGMENTS)
def test_both_paths_agree_on_segments(name, dtype):
    function, x = getattr(hd, name), filled(dtype, (3000,))
    fine = x if dtype not in "efd" else np.nan_to_num(x, posinf=3, neginf=-3)
    parameters = inspect.signature(function).parameters
    cuts = [[0, 7, 30, 2500, 3000], [0, 1], [3, 9, 9, 50], [0], [], [5, 3], [0, 3001], [-1, 5]]
    given = [{}, *({"skipna": True},) * ("skipna" in parameters),
             *({"dtype": wanted} for wanted in DTYPES if "dtype" in parameters),
             *({"initial": 2},) * ("initial" in parameters)]
    for a, cut, more in itertools.product((x, fine), cuts, given):
        for offsets in (np.array(cut, np.int64), np.array(cut, np.int64).astype("u8")):
            assert outcome(function, a, {"offsets": offsets, **more}) == \
                outcome(function.__wrapped__, a, {"offsets": offsets, **more}), (cut, more)
