"""NumPy's arrays by their fields: as their buffers say, and only where every array of a sample shows it."""

import subprocess
import sys

import numpy as np
import pytest

import heddle as hd

#: A few calls of each kind, and what they come to.
CALLS = """
import sys
import numpy as np
{before}
import heddle as hd
from heddle import _native
{then}
x = np.arange(24, dtype="f4").reshape(4, 6)
print([hd.sum(x), hd.cumsum(x[:, ::2], axis=0), hd.max(x, axis=(0, 1), keepdims=True), hd.any(x > 3, axis=1),
       hd.argmin(x[::-1], axis=1), hd.sum(x.T, axis=0, dtype="f8"), hd.bincount(np.array([1, 3])),
       hd.histogram(x), hd.maximum_accumulate(x, axis=1, out=np.empty_like(x)), hd.std(x[0].astype("e"))])
"""
WITHOUT = "[sys.modules.pop(f'numpy.{core}._multiarray_umath', None) for core in ('_core', 'core')]"


def said(before="", then=""):
    """What a process prints of the calls, and whether arrays are read by their fields in it."""
    text = CALLS.format(before=before, then=then) + "print(_native._use_numpy())\n"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    *results, used = done.stdout.splitlines()
    return results, used == "True"


def test_it_is_used_here_and_results_are_those_of_buffers():
    by_fields, used = said()
    assert used
    by_buffers, used = said(before=WITHOUT)
    assert not used and by_buffers == by_fields


@pytest.mark.parametrize("wrong", ["head=head + 8", "head=head - 8", "arrays=arrays[1:] + arrays[:1]",
                                   "table=_native.DECLINED"])
def test_what_is_not_as_it_should_be_is_left(wrong):
    then = f"""
def load(table, head, arrays, dtypes, real=_native.fast.heddle_py_numpy):
    {wrong}
    return real(table, head, arrays, dtypes)
load.argtypes = None
_native.fast = type("Fast", (), {{"heddle_py_numpy": load}})
assert not _native._use_numpy()
"""
    results, used = said(then=then)
    assert not used and results == said()[0]


@pytest.mark.parametrize("make", [
    lambda: np.lib.stride_tricks.as_strided(np.arange(9.0), (3,), (12,)), lambda: np.arange(3.0)[:, None][:, 0],
    lambda: np.frombuffer(b"x" + np.arange(3.0).tobytes(), "u1")[1:].view("f8"), lambda: np.arange(3.0)[::-1],
    lambda: np.arange(3, dtype=">i4"), lambda: np.zeros(3, [("a", "i1"), ("b", "f8")])["b"],
    lambda: np.empty((3, 0)), lambda: np.array(2.5), lambda: np.empty((1, 0, 2))[0], lambda: np.ones((1, 1, 3)),
    lambda: np.arange(3, dtype=np.longlong), lambda: np.float16([1, 2, 3]), lambda: np.arange(6.0)[None, ::2]])
def test_arrays_of_all_kinds(make):
    for function in (hd.sum, hd.cumsum, hd.any, hd.mean):
        x = make()
        with np.errstate(all="ignore"):
            if x.size:
                assert np.array_equal(function(x), function.__wrapped__(x))
    before = sys.getrefcount(x)
    for _ in range(5):
        hd.sum(x)
    assert sys.getrefcount(x) == before
