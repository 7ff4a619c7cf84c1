"""axis=: whatever NumPy takes and refuses, for arrays of none, one and two dimensions."""


import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

FOLDS = ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std")
LINES = ("argmin", "argmax", "cumsum", "cumprod")
ARRAYS = {"a scalar": np.float64(3), "no dimensions": np.array(3), "a number": 2.5, "one": np.array(True),
          "a line": np.array([1.5, 2.5]), "a table": np.array([[1.0, 5.0, 3.0], [7.0, 3.0, 2.0]])}
#: Axes of every sort; those which are none.
AXES = [None, 0, -1, 1, -2, (), (0,), (-1,), (0, 1), (1, 0), (0, 0), np.int8(0), np.array(0),
        np.uint64(1)]
NONE = [[0], [], [0, 1], [[0]], 1.0, 0.0, True, False, np.True_, (True,), "0", np.array([0]), {0},
        range(1), object()]


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("name", FOLDS + LINES)
def test_axis(name, array):
    a = ARRAYS[array]
    for axis in AXES:
        got, want = (outcome(lambda m=m: getattr(m, name)(a, axis=axis)) for m in (hd, np))
        if isinstance(want, type):
            assert got is want, axis
        else:
            np.testing.assert_array_equal(got, want, f"axis {axis}", strict=True)
            assert type(got) is type(want)


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("name", FOLDS + LINES)
def test_what_is_no_axis(name, array):
    """A list among them: NumPy has tuples of axes only."""
    a = ARRAYS[array]
    for axis in NONE:
        assert isinstance(outcome(lambda: getattr(np, name)(a, axis=axis)), type)
        with pytest.raises(TypeError, match="^axis: "):
            getattr(hd, name)(a, axis=axis)


@pytest.mark.parametrize("axis", NONE, ids=lambda axis: type(axis).__name__)
def test_what_is_no_axis_of_heddles_own(axis):
    table = ARRAYS["a table"]
    for call in (lambda: hd.describe(table, axis=axis), lambda: hd.dot(table, table, axis=axis),
                 lambda: hd.maximum_accumulate(table, axis=axis)):
        with pytest.raises(TypeError, match="^axis: "):
            call()
