"""Bad input: NumPy's type of exception where NumPy refuses it, too, and a message that names the
argument. What NumPy takes and heddle does not is TypeError or ValueError, as docs/python.md says.
"""

import datetime

import numpy as np
import pytest

import heddle as hd

REDUCTIONS = ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std",
              "describe")
SCANS = ("cumsum", "cumprod", "minimum_accumulate", "maximum_accumulate")
UNARY = REDUCTIONS + SCANS
#: Totals alone are computed in the dtype of `out`, as NumPy has it.
EXTREMES_AND_MOMENTS = ("min", "max", "mean", "var", "std") + SCANS[2:]
SQUARE = np.arange(12.0).reshape(3, 4)
LINE = np.arange(5.0)

#: Arrays of dtypes that heddle has not.
DTYPES = {
    "object": np.array([1, 2], object),
    "of None": np.array([None]),
    "string": np.array(["a", "b"]),
    "bytes": np.array([b"a"]),
    "StringDType": np.array(["a"], np.dtypes.StringDType()),
    "datetime64": np.array(["2020-01-01"], "M8[D]"),
    "timedelta64": np.array([1, 2], "m8[s]"),
    "complex64": np.ones(2, np.complex64),
    "complex128": np.ones(2, np.complex128),
    "longdouble": np.ones(2, np.longdouble),
    "clongdouble": np.ones(2, np.clongdouble),
    "void": np.zeros(2, "V4"),
    "structured": np.zeros(2, [("x", "f4"), ("y", "f4")]),
    "swapped complex": np.ones(2, ">c16"),
}
#: The same without NumPy.
OBJECTS = {
    "str": "abc", "list of str": ["a", "b"], "None": None, "complex": 1j, "list of None": [None],
    "dict": {}, "set": {1, 2}, "object": object(), "date": datetime.date(2020, 1, 1),
    "big integer": 2 ** 70, "generator": (i for i in range(3)), "function": len,
}


def of_numpy(function):
    """NumPy's function of the name; None where it has none."""
    if function.endswith("_accumulate"):
        return getattr(np, function.partition("_")[0]).accumulate
    return getattr(np, function, None)


def refused(kind, names, call, *arguments, **more):
    """A call that raises; the message has the argument's name at its beginning, or as a word."""
    with pytest.raises(kind) as caught:
        call(*arguments, **more)
    message = str(caught.value)
    assert any(name in message for name in names.split("|")), message
    assert "Traceback" not in message and message.strip() == message and len(message) < 400
    return caught.value


def alike(names, function, *arguments, **more):
    """Both refuse it, with the same type of exception."""
    error = refused(Exception, names, getattr(hd, function), *arguments, **more)
    with pytest.raises(Exception) as caught:
        of_numpy(function)(*arguments, **more)
    assert isinstance(error, type(caught.value)), (error, caught.value)


# ---- elements ------------------------------------------------------------------------------------

@pytest.mark.parametrize("function", UNARY)
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_that_are_not_heddles(function, dtype):
    array = DTYPES[dtype]
    message = str(refused(TypeError, "a: ", getattr(hd, function), array))
    assert message.startswith("a: ") and "dtype" in message and "supported" in message
    refused(TypeError, "a: ", getattr(hd, function), array, axis=0)
    refused(TypeError, "a: ", getattr(hd, function), array[:0])
    refused(TypeError, "a: ", getattr(hd, function), array[::-1])


@pytest.mark.parametrize("function", UNARY)
@pytest.mark.parametrize("kind", OBJECTS)
def test_objects_that_are_no_arrays(function, kind):
    refused(TypeError, "a: ", getattr(hd, function), OBJECTS[kind])


@pytest.mark.parametrize("function", UNARY)
def test_ragged_lists(function):
    refused(ValueError, "a: ", getattr(hd, function), [[1, 2], [3]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_dot_names_the_argument(dtype):
    array = DTYPES[dtype]
    refused(TypeError, "a: ", hd.dot, array, np.ones(len(array)))
    refused(TypeError, "b: ", hd.dot, np.ones(len(array)), array)


# ---- axes ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("function", [name for name in UNARY if name != "describe"])
def test_axis(function):
    for axis in (2, -3, 100, -100):
        alike("axis", function, SQUARE, axis)
    for axis in (1.0, "0", 0.5, object()):
        alike("axis", function, SQUARE, axis)
    alike("axis", function, SQUARE, (0, 2) if function not in ("argmin", "argmax") + SCANS else (0, 1))
    if function in ("argmin", "argmax") + SCANS:
        return
    alike("axis", function, SQUARE, (0, 0))
    alike("axis", function, SQUARE, (0, -2))
    alike("axis", function, SQUARE, (0, "1"))
    alike("axis", function, np.float64(3), 1)


def test_axis_is_of_numpys_type():
    for function in UNARY + ("dot",):
        with pytest.raises(np.exceptions.AxisError):
            getattr(hd, function)(*[SQUARE] * (2 if function == "dot" else 1), axis=2)


def test_axis_of_describe():
    refused(TypeError, "axis", hd.describe, SQUARE, 1.0)
    refused(ValueError, "axis", hd.describe, SQUARE, (1, 1))


# ---- no elements ------------------------------------------------------------------------------------

@pytest.mark.parametrize("function", ["min", "max", "argmin", "argmax"])
def test_nothing_has_no_extreme(function):
    words = "minimum|maximum|argmin|argmax"
    alike(words, function, np.zeros(0))
    alike(words, function, np.zeros(0, "i4"))
    alike(words, function, [])
    alike(words, function, np.zeros((0, 3)), 0)
    alike(words, function, np.zeros((0, 0)), 0)
    alike(words, function, np.zeros((3, 0)), 1)
    assert getattr(hd, function)(np.zeros((3, 0)), 0).shape == (0,)
    refused(ValueError, "NaN", getattr(hd, function), [np.nan], skipna=True)
    refused(ValueError, "NaN", getattr(hd, function), [[np.nan], [1]], axis=1, skipna=True)
    refused(ValueError, "NaN", getattr(hd, function), np.full(8, np.nan)[::2], skipna=True)


@pytest.mark.parametrize("function", ["min", "max"])
def test_where_needs_initial(function):
    alike("initial", function, LINE, where=LINE > 1)


# ---- out ---------------------------------------------------------------------------------------------

@pytest.mark.parametrize("function", [name for name in UNARY if name != "describe"])
def test_out(function):
    call = getattr(hd, function)
    for out in (np.zeros(7), np.zeros((1, 4)), np.zeros((4, 4, 4))):
        alike("out", function, SQUARE, 0, out=out)
    for out in ([0] * 4, 3, "out", object()):
        alike("out", function, SQUARE, 0, out=out)
    locked = call(SQUARE, 0)
    locked.flags.writeable = False
    alike("out", function, SQUARE, 0, out=locked)
    if function in EXTREMES_AND_MOMENTS:
        refused(TypeError, "out", call, SQUARE, 0, out=call(SQUARE, 0).astype(np.int32))


def test_out_of_dot():
    alike("out", "dot", LINE, LINE, np.zeros(3))
    alike("out", "dot", LINE, LINE, [0])


# ---- dtype ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("function", ["sum", "prod", "mean", "var", "std"] + list(SCANS))
def test_dtype(function):
    for dtype in ("no such", object()):
        alike("dtype", function, LINE, dtype=dtype)
    for dtype in (np.complex128, object, "S3", "M8[s]", np.longdouble, "V4"):
        refused(TypeError, "dtype", getattr(hd, function), LINE, dtype=dtype)


# ---- initial and where ------------------------------------------------------------------------------

def test_initial():
    for initial in ("three", object(), [1, 2], 1j):
        refused((TypeError, ValueError), "initial", hd.sum, LINE, initial=initial)
        refused((TypeError, ValueError), "initial", hd.min, LINE, initial=initial)
    for initial in (300, -1):
        refused((OverflowError, ValueError), "initial", hd.min, np.ones(3, np.uint8), initial=initial)


@pytest.mark.parametrize("function", ["sum", "prod", "any", "all", "mean", "var", "std"])
def test_where(function):
    alike("where", function, LINE, where=np.ones(4, bool))
    alike("where", function, LINE, where=np.ones((2, 5), bool))


# ---- threads and device -----------------------------------------------------------------------------

@pytest.mark.parametrize("function", UNARY)
def test_threads_and_device(function):
    call = getattr(hd, function)
    for threads in (0, -1, 1025, 10 ** 30):
        refused(ValueError, "threads", call, LINE, threads=threads)
    for threads in (1.5, "2", [1]):
        refused(TypeError, "threads", call, LINE, threads=threads)
    for device in (0, 1.5, b"cpu", ["cpu"]):
        refused(TypeError, "device", call, LINE, device=device)
    for device in ("gpu", "cpu:x", "cpu:0", "cuda:-1", "cpu:2:3", "cpu\0"):
        refused((ValueError, hd.DeviceError), "device|cuda", call, LINE, device=device)
    refused(ValueError, "threads", call, LINE, threads=2, device="cuda")


def test_a_device_that_is_not_there():
    error = refused(RuntimeError, "cuda", hd.sum, LINE, device="cuda:77")
    assert isinstance(error, hd.DeviceError)


# ---- dot ---------------------------------------------------------------------------------------------

def test_shapes_of_dot():
    alike("b: ", "dot", LINE, np.arange(4.0))
    alike("b: ", "dot", LINE, np.arange(0.0))
    for left, right in ((SQUARE, SQUARE), (np.float64(2), np.float64(3))):
        refused(ValueError, "a: ", hd.dot, left, right)
    refused(ValueError, "b: ", hd.dot, SQUARE, SQUARE.T, axis=0)
    refused(ValueError, "b: ", hd.dot, SQUARE, LINE)
    refused(TypeError, "a: ", hd.dot, [True, False], [True, True])


# ---- after an error -----------------------------------------------------------------------------------

def test_nothing_is_left_of_an_error():
    for _ in range(3):
        for call in (lambda: hd.min([]), lambda: hd.sum(["a"]), lambda: hd.sum(LINE, 7),
                     lambda: hd.sum(LINE, device="gpu")):
            with pytest.raises((TypeError, ValueError, hd.DeviceError)):
                call()
        assert hd.sum(LINE) == 10 and hd.cumsum(LINE)[-1] == 10 and hd.mean(LINE) == 2


NAMED = {
    "x": [lambda: hd.unique_all(["a"]), lambda: hd.topk(["a"], 1), lambda: hd.kthvalue(["a"], 1)],
    "ddof": [lambda: hd.var([1.0], ddof=[1]), lambda: hd.std([1.0], ddof="1"),
             lambda: hd.groupby([1]).var([1.0], [2])],
    "correction": [lambda: hd.var([1.0], correction=1j)],
    "initial": [lambda: hd.segment_min([1], [0, 1], initial=np.ma.masked)],
    "groups": [lambda: hd.group_sum([0], [1.0], np.ma.masked)],
    "range": [lambda: hd.profile([1.0], [1.0], 2, 5),
              lambda: hd.binned_statistic([1.0], [1.0], range=(1, 2, 3))],
    "arr": [lambda: hd.extract([1], np.array(["abc"]))],
    "k": [lambda: hd.topk([1], "1"), lambda: hd.TopK(1.5)],
    "start": [lambda: hd.Moments(start=[1])],
    "sorter": [lambda: hd.searchsorted([1, 2], 1, sorter=[0.5, 1])],
    "kth": [lambda: hd.partition([1, 2], 0.5)],
    "axis": [lambda: hd.average([[1.0]], axis=0.5, weights=[1.0]), lambda: hd.add_reduceat([1], [0], axis=[0])],
}


@pytest.mark.parametrize("name", NAMED)
def test_messages_begin_with_the_argument(name):
    for call in NAMED[name]:
        with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
            call()


def test_an_axis_that_is_not_there():
    for axis in (0, 1):
        with pytest.raises(np.exceptions.AxisError):
            hd.average(3.0, axis=axis, weights=[1.0])


def test_a_number_is_a_line_without_an_axis():
    for number in (np.array(3), np.array(3, ">i4"), 3):
        for call in (hd.maximum_accumulate, hd.minimum_accumulate):
            assert call(number, None).tolist() == [3]
            with pytest.raises(TypeError, match="cannot accumulate on a scalar"):
                call(number)
