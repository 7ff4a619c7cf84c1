"""The fast path with `out`: what the slow one writes there, returns and raises."""

import inspect

import numpy as np
import pytest

import heddle as hd
from heddle import _plain
from test_plain import arrays_of

NAMES = sorted(name for name, path in _plain.FUNCTIONS.items()
               if "out" in inspect.signature(getattr(hd, name)).parameters)
TABLE = np.linspace(-3, 3, 60, dtype=np.float32).reshape(5, 12)


def outs(right):
    """Arrays that fit a result, and such that do not."""
    shape, dtype = right.shape, right.dtype
    yield np.empty(shape, dtype)
    yield np.full(shape, 9, dtype)[...].copy(order="F")
    yield np.empty((*shape, 2), dtype)[..., 0]
    yield np.empty(shape, dtype).view(np.matrix) if len(shape) == 2 else np.ma.zeros(shape, dtype)
    yield np.empty(shape, dtype.newbyteorder())
    yield np.empty((*shape, 1), dtype)
    yield np.empty(shape, "f8")
    yield np.empty(shape, "i2")
    yield np.empty(shape, bool)
    fixed = np.empty(shape, dtype)
    fixed.flags.writeable = False
    yield fixed
    yield [0.0]


def written(function, arrays, out, axis):
    """What comes back or is raised, and what is in `out` then."""
    try:
        result = function(*arrays, **({} if axis is None else {"axis": axis}), out=out)
    except Exception as error:
        return type(error), str(error)
    return result is out, type(result), np.asarray(result).tobytes(), np.asarray(out).tobytes()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", NAMES)
def test_both_paths_agree(name):
    function = getattr(hd, name)
    first, *behind = arrays_of(name)
    for x, axis in ((first, None), (TABLE, 0), (TABLE, 1), (TABLE.T, None)):
        if x is not first and (name in ("dot", "fdot") or axis is None and name.startswith("cumulative")):
            continue
        more = {} if axis is None else {"axis": axis}
        right = np.asarray(function.__wrapped__(x, *behind, **more))
        for k, (one, other) in enumerate(zip(outs(right), outs(right))):
            for out in (one, other):
                if isinstance(out, np.ndarray) and out.flags.writeable:
                    out[...] = 0
            got = written(function, (x, *behind), one, axis)
            assert got == written(function.__wrapped__, (x, *behind), other, axis), (axis, k)


@pytest.mark.parametrize("name", ["sum", "min", "mean", "nanvar", "ptp"])
def test_it_may_lie_in_the_array(name):
    x, y = TABLE.copy(), TABLE.copy()
    function = getattr(hd, name)
    function(x, axis=0, out=x[2])
    function.__wrapped__(y, axis=0, out=y[2])
    assert x.tobytes() == y.tobytes()
