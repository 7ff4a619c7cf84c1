"""The fast path of each function: nobody sees it but by the clock, and its table names what there is."""

import inspect
import pickle
import warnings

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain

NAMES = sorted(_plain.FUNCTIONS)
OFFSETS = np.array([0, 3, 100, 650])
FLOATS, INTEGERS = np.linspace(-1, 3, 700, dtype=np.float32), np.arange(700, dtype=np.int16) % 9


def outcome_of(function, *arguments, **options):
    """The result, or what is raised and with which words."""
    try:
        return repr(function(*arguments, **options))
    except Exception as error:
        return type(error), str(error)


def arrays_of(name):
    """What a function takes in front."""
    if name.startswith("segment_") or name.endswith("_reduceat"):
        return FLOATS, OFFSETS
    if name == "average":
        return FLOATS, None, FLOATS**2 + 1
    if name in ("topk", "kthvalue", "partition", "argpartition"):
        return FLOATS, 5
    if name in ("quantile", "percentile"):
        return FLOATS, 0.25
    if name in ("searchsorted", "digitize"):
        return FLOATS, FLOATS[::2].copy()
    if name in ("compress", "extract"):
        return FLOATS > 1, FLOATS
    if name == "take":
        return FLOATS, OFFSETS
    return (FLOATS, FLOATS[::-1].copy()) if name in ("dot", "fdot") else \
        (INTEGERS,) if name == "bincount" else (FLOATS,)


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


def test_only_functions_with_a_row_have_one():
    wrapped = {name for name in hd.__all__ if hasattr(getattr(hd, name), "__wrapped__")}
    assert wrapped == set(NAMES)


def test_the_function_is_the_one_that_is_written(name):
    function = getattr(hd, name)
    written = function.__wrapped__
    assert inspect.signature(function, follow_wrapped=False) == inspect.signature(written)
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__",
                      "__globals__", "__defaults__", "__kwdefaults__"):
        assert getattr(function, attribute) == getattr(written, attribute), attribute
    assert pickle.loads(pickle.dumps(function)) is function
    assert inspect.getsource(function).startswith(f"@plain\ndef {name}(")


def test_a_row_names_arguments_of_its_function(name):
    parameters = inspect.signature(getattr(hd, name)).parameters
    arguments = _plain.FUNCTIONS[name].arguments
    assert arguments[0] == next(iter(parameters))
    assert {a for a in arguments if isinstance(a, str)} <= set(parameters)


@pytest.mark.parametrize("options", [{}, {"threads": 1}, {"threads": np.int64(2)}, {"threads": None},
                                     {"device": "cpu"}, {"axis": 0}, {"axis": -1}, {"axis": 1}, {"axis": True},
                                     {"axis": 2**32}, {"axis": 2**70}, {"skipna": True}, {"out": None},
                                     {"ddof": 1}, {"ddof": True}, {"minlength": 12}, {"bins": 3},
                                     {"where": np.True_}, {"dtype": "f8"}, {"dtype": np.int32},
                                     {"dtype": "no"}, {"include_initial": True}, {"include_initial": 1},
                                     {"skipna": 1}, {"keepdims": 1}, {"keepdims": np.True_},
                                     {"skipna": np.ones(2)}])
def test_both_paths_agree(name, options):
    function = getattr(hd, name)
    if not set(options) <= set(inspect.signature(function).parameters):
        return
    expected = outcome_of(function.__wrapped__, *arrays_of(name), **options)
    assert outcome_of(function, *arrays_of(name), **options) == expected


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_it_is_taken_for_plain_arrays_alone(name, monkeypatch):
    whole, along = [], []

    def declining(taken):
        return lambda *arguments: taken.append(arguments) or _native.DECLINED

    path, masked = _plain.FUNCTIONS[name], []
    monkeypatch.setitem(_plain.FUNCTIONS, name, path._replace(
        entry=declining(whole), along=path.along and declining(along),
        where=path.where and declining(masked)))
    function = _plain.plain(getattr(hd, name).__wrapped__)
    arrays = arrays_of(name)
    parameters = inspect.signature(function).parameters
    has_axis = "axis" in parameters and parameters["axis"].default is not None
    taken = along if path.along and (has_axis or path.skips == "True") else whole
    function(*arrays)
    function(*arrays, threads=2)
    numbers = [a for a in path.arguments if isinstance(a, int)]
    assert len(taken) == 2 and all(arguments[0] is arrays[0] for arguments in taken)
    assert all(set(numbers) <= {a for a in arguments if isinstance(a, int)} for arguments in taken)
    if "threads" in path.arguments:
        assert [arguments[-1] for arguments in taken] == [None, 2]
    function(arrays[0].tolist(), *arrays[1:])
    function(arrays[0].view(np.ma.MaskedArray), *arrays[1:])
    function(*arrays, device="cpu")
    for option, value in {"weights": arrays[0].tolist(), "dtype": np.float64, "full": True,
                          "density": 1}.items():
        if option in parameters and (name, option) != ("average", "weights"):
            if option != "dtype" or option not in (*path.arguments, *path.said):
                outcome_of(function, *arrays, **{option: value})
    assert len(taken) == 2
    if path.along:
        keeps, skips = [False] * ("keepdims" in parameters), [path.skips == "True"] * bool(path.skips)
        function(*arrays, axis=-1)
        more = len(keeps + skips)
        assert along[-1][-2 - more:] == (-1, *keeps, *skips, None)
        assert len(whole) + len(along) == 3 and not masked
        if keeps:
            function(*arrays, keepdims=True)
            assert along[-1][-2 - more:-1] == (None, True, *skips)
        if path.skips == "skipna":
            function(*arrays, skipna=True)
            assert along[-1][-4:] == (None, False, True, None)
    given = {"dtype": "f8", "initial": 2, "where": FLOATS > 0}
    if path.where and not path.along:
        given["skipna"] = True
    for option in [option for option in given if option in path.said]:
        before = len(masked)
        outcome_of(function, *arrays, **{option: given[option]})
        assert len(masked) == before + 1 and len(masked[-1]) == len(path.said)
        assert masked[-1][path.said.index(option)] is given[option]
        for other in {"initial": (None, True, np.float64(1), "2"), "dtype": (),
                      "where": (given["where"].tolist(), np.True_, False, 1)}.get(option, ()):
            outcome_of(function, *arrays, **{option: other})
        assert len(masked) == before + 1


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**32 + 1, 1.0, "2", True])
def test_threads_are_looked_at(name, threads):
    function = getattr(hd, name)
    expected = outcome_of(function.__wrapped__, *arrays_of(name), threads=threads)
    assert outcome_of(function, *arrays_of(name), threads=threads) == expected


@pytest.mark.parametrize("arguments, options", [
    ((), {}), ((FLOATS, 0, None, None, False, 0, True, 8, 9), {}), ((FLOATS,), {"nothing": 1}),
    ((FLOATS, None), {"axis": None}), ((FLOATS,), {"device": "cuda:99"})])
def test_errors_are_those_of_the_written_function(arguments, options):
    for function in (hd.sum, hd.mean, hd.cumsum):
        assert outcome_of(function, *arguments, **options) == \
            outcome_of(function.__wrapped__, *arguments, **options)


@pytest.mark.parametrize("call", [
    lambda: hd.mean(np.empty(0)), lambda: hd.mean(np.ones(2), where=[False, False]),
    lambda: hd.var(np.ones(1), ddof=1), lambda: hd.std([]), lambda: hd.nanmean(np.empty(0)),
    lambda: hd.nanvar(np.ones(1), ddof=1), lambda: hd.nanstd([1.0], where=[False]),
    lambda: hd.nanmean([1.0], where=[False]), lambda: hd.nanmax(np.array([np.nan])),
    lambda: hd.segment_mean(np.ones(1), [0, 0, 1]), lambda: hd.nanmean(np.array([np.nan])),
    lambda: hd.histogram(np.array([True, False]))])
def test_warnings_name_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    assert [warning.filename for warning in found] == [__file__] and found[0].lineno > 100
