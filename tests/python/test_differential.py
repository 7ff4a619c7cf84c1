"""Arguments of reductions and scans drawn at random, against NumPy: values, dtypes, shapes, refusals.

Values are such that sums are exact, so that any order of adding gives NumPy's result.
"""


import numpy as np
import pytest

import heddle as hd

from outcomes import outcome

NAMES = ("sum", "prod", "min", "max", "any", "all", "mean", "argmin", "argmax", "cumsum")
AXES = (None, None, 0, -1, 1, 2, (0,), (0, 1), (), (0, -1), (1, 0), np.int64(0), [0], True)
INITIALS = (True, False, None, 0, 1, 2.5, -1, 300, 2**40, np.float32(1.5))


def draw(rng):
    """A function's name, an array, and words."""
    pick = lambda some: some[rng.integers(len(some))]  # noqa: E731
    shape = tuple(rng.choice([0, 1, 2, 3, 5], rng.integers(4)).tolist())
    name, dtype = pick(NAMES), np.dtype(pick("?bBhHiIlLefd"))
    small = rng.integers(0 if dtype.kind in "bu" else -3, 4, shape)
    a = (small / 2 if dtype.kind == "f" and name != "prod" else small).astype(dtype)
    if dtype.kind == "b":
        a = rng.choice(np.array([0, 0, 1, 255], np.uint8), shape).view(bool)
    a = np.asfortranarray(a) if rng.random() < 0.3 else a
    words = {"axis": pick(AXES)}
    if name in ("sum", "prod", "min", "max") and rng.random() < 0.4:
        words["initial"] = pick(INITIALS)
    if name in ("sum", "prod", "cumsum") and rng.random() < 0.3:
        words["dtype"] = pick("bHiLfd")
    if name != "cumsum" and rng.random() < 0.3:
        words["keepdims"] = True
    if name not in ("argmin", "argmax", "cumsum") and rng.random() < 0.3:
        words["where"] = rng.random(shape) < 0.7
    return name, a, words


@pytest.mark.parametrize("seed", range(8))
def test_as_numpy(seed):
    rng = np.random.default_rng([seed, 2026])
    for _ in range(250):
        name, a, words = draw(rng)
        got, want = (outcome(getattr(m, name), a, **words) for m in (hd, np))
        if isinstance(want, type) or isinstance(got, type):  # which of two mistakes is told may differ
            assert isinstance(want, type) and isinstance(got, type), (name, a, words, got, want)
            continue
        assert type(got) is type(want) and got.dtype == want.dtype, (name, a, words)
        if want.dtype.kind == "f":
            np.testing.assert_allclose(got, want, rtol=1e-3 if want.dtype.itemsize == 2 else 1e-6,
                                       err_msg=str((name, a, words)))
        else:
            np.testing.assert_array_equal(got, want, str((name, a, words)))
