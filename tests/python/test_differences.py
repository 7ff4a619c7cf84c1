"""The table "Differences from NumPy" of docs/python.md: each line is true of both."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import heddle as hd

TEXT = (Path(__file__).resolve().parents[2] / "docs/python.md").read_text()
INTS, FLOATS, BOOLS = np.array([3, 300, 2]), np.array([1.5, 2.75, 0.5]), np.array([True, True])
MASKED = np.ma.array([[1.0, 2.0], [4.0, 8.0]], mask=[[True, True], [False, True]])
HUGE = np.array([1e308, 1e308])


class Ufunc(np.ndarray):
    def __array_ufunc__(self, *arguments, **words):
        return "its own"


class Wrapped(np.ndarray):
    def __array_wrap__(self, *arguments, **words):
        return "its own"


def zeros(dtype, shape=()):
    return np.zeros(shape, dtype)


def accumulate(m):
    return m.maximum_accumulate if m is hd else m.maximum.accumulate


#: The first cell of a line -> (call, NumPy's result, heddle's); exceptions by their type.
LINES = {
    "`sort` of zeros of both signs": [
        (lambda m: np.signbit(m.sort([0.0, -0.0], kind="stable")).tolist(), [False, True],
         [True, False])],
    "`cumsum`, `cumprod` with `dtype=bool`": [
        (lambda m: m.cumsum(BOOLS, dtype=bool).tolist(), [True, True], TypeError),
        (lambda m: m.cumprod(INTS, out=zeros(bool, 3)).tolist(), [True] * 3, TypeError)],
    "`mean`, `var`, `std` with an integer": [
        (lambda m: m.mean(FLOATS, dtype=int), 1, TypeError),
        (lambda m: m.var(FLOATS, out=zeros(int)), 0, TypeError),
        (lambda m: m.var(FLOATS, out=zeros(bool)), True, TypeError)],
    "`min`, `max` with an `out` of a lesser kind": [
        (lambda m: m.max(FLOATS, out=zeros(int)), 2, TypeError),
        (lambda m: m.min(-INTS, out=zeros("u8")), 2**64 - 300, TypeError)],
    "`min`, `max`, `argmin`, `argmax` with an `out` too narrow": [
        (lambda m: m.max(INTS, out=zeros("i1")), 44, OverflowError),
        (lambda m: m.argmax(np.arange(300), out=zeros("i1")), 43, OverflowError)],
    "`sum`, `prod` of floats with an integer `out`": [
        (lambda m: m.sum(np.array([300.0]), out=zeros("i1")) is not None, True, OverflowError)],
    "`maximum.accumulate` with `out=(array,)`": [
        (lambda m: accumulate(m)(INTS, out=(zeros(int, 3),)).tolist(), [3, 300, 300], TypeError)],
    "`initial` that is complex": [(lambda m: m.max(BOOLS, initial=1j), True, TypeError)],
    "`argmin`, `argmax` of masked arrays": [
        (lambda m: m.argmax(np.ma.masked_all(3)), 0, ValueError)],
    "`sum`, `mean`, ... of masked arrays": [
        (lambda m: m.sum(np.ma.masked_all(3)) is np.ma.masked, True, False),
        (lambda m: str(m.sum(np.ma.masked_all(3))), "--", "0.0"),
        (lambda m: str(m.mean(np.ma.masked_all(3))), "--", "nan"),
        (lambda m: m.sum(MASKED, axis=0).tolist(), [4, None], [4, 0])],
    "`numpy.matrix`, `recarray`": [
        (lambda m: type(m.sum(np.matrix([[1, 2]]), axis=0)), np.matrix, np.ndarray),
        (lambda m: type(m.cumsum(np.rec.array(FLOATS))), np.recarray, np.ndarray)],
    "subclasses with `__array_ufunc__`": [
        (lambda m: str(m.sum(FLOATS.view(Ufunc))), "its own", "4.75"),
        (lambda m: str(m.sum(FLOATS.view(Wrapped))), "its own", "4.75")],
    "totals that overflow on the way": [
        (lambda m: m.sum(np.array([*HUGE, np.inf])), FloatingPointError, np.inf),
        (lambda m: str(m.sum(np.array([*HUGE, np.nan]))), FloatingPointError, "nan"),
        (lambda m: m.cumprod(np.array([*HUGE, np.inf]))[-1], FloatingPointError, np.inf)],
    "`mean` of float64 or float32 whose sum": [
        (lambda m: quiet(m.mean, HUGE), np.inf, 1e308),
        (lambda m: quiet(m.mean, np.array([3e38, 3e38], "f")), np.inf, np.float32(3e38))],
    "`var`, `std` of equal elements": [(lambda m: quiet(m.var, HUGE), np.inf, 0)],
    "`histogram` of integer weights": [
        (lambda m: m.histogram([0.5, 0.5], 1, (0, 1), weights=[2**53, 1])[0][0], 2**53, 2**53 + 1)],
    "`bincount` of weights": [
        (lambda m: m.bincount([0] * 3, [2.0**53, 1, 1])[0], 2.0**53, 2.0**53 + 2)],
    "`histogram` with NaN among the edges": [
        (lambda m: m.histogram([1.0], [0, np.nan, 2])[0].shape, (2,), ValueError)],
    "`dot` of two bool arrays": [(lambda m: m.dot(BOOLS, BOOLS), True, TypeError)],
    "`dot` of a number": [(lambda m: m.dot(3, 4), 12, ValueError)],
    "`histogram` with ends of `range`": [
        (lambda m: m.histogram(INTS, 1, (0, 2**65))[0].tolist(), TypeError, [3])],
    "`quantile` of integers with a `q` of 0 or 1": [
        (lambda m: m.quantile(INTS, 1).dtype, np.int64, np.float64)],
    "`quantile` of float16 or integers with a `q` of float32": [
        (lambda m: m.quantile(FLOATS.astype("f2"), np.float32(0.3)).dtype, np.float32, np.float64),
        (lambda m: m.quantile(np.arange(12), np.float32(0.3)) == 11 * float(np.float32(0.3)), False, True)],
    "`quantile` with `weights`, of which q is a share but for rounding": [
        (lambda m: m.quantile([1, 2, 3, 4, 5], 0.2, method="inverted_cdf", weights=np.ones(5)), 1, 2)],
    "indices, edges, keys, `where`, weights of quantiles that are masked": [
        (lambda m: m.take(INTS, np.ma.array([0, 1], mask=[True, False])).tolist(), [3, 300], ValueError),
        (lambda m: m.sum(INTS, where=np.ma.array([True] * 3, mask=[True] * 3)), 305, ValueError)],
}


def quiet(call, *arguments):
    with np.errstate(all="ignore"):
        return call(*arguments)


def outcome(call, m):
    with warnings.catch_warnings(), np.errstate(over="raise", invalid="raise"):
        warnings.simplefilter("ignore")
        try:
            return call(m)
        except (TypeError, OverflowError, ValueError, FloatingPointError) as error:
            return type(error)


def rows():
    """The first cells of the table."""
    part = TEXT.split("### Differences from NumPy")[1].split("\n\n")[2]
    return [line.split(" | ")[0].removeprefix("| ") for line in part.splitlines()[2:]]


def test_the_table_is_that_of_the_test():
    found = rows()
    assert len(found) == len(LINES)
    for row, start in zip(found, LINES):
        assert row.startswith(start)


@pytest.mark.parametrize("start", LINES)
def test_line(start):
    for call, numpys, heddles in LINES[start]:
        if start.startswith("`sum`, `prod` of floats"):
            numpys = outcome(call, np)  # a cast that is undefined
        for m, want in ((np, numpys), (hd, heddles)):
            got = outcome(call, m)
            if isinstance(want, type) and issubclass(want, Exception):
                assert isinstance(got, type) and issubclass(got, want), (m, got)
            else:
                assert got == want, (m, got)
