"""The fast path: calls on plain arrays that say little else, done by one call of libheddle_python.

Columns of data frames are plain, too, once `operand` has met one of their type; and so are tensors of
a framework with an exchange table, on a device as well.

`plain` puts it in front of a function, which is written as if there were none and does every call
that the fast path does not: on other arrays, with other arguments, or declined by libheddle_python.
FUNCTIONS says, function by function, what the fast path calls and what may be said.

A thousand floats are summed in less time than Python takes for a second function with as many
arguments, so that the test is not a function of its own: `plain` writes it, with the arguments that
the function has, as the standard library's dataclasses write theirs. Each name of its own that it
uses costs a call some nanoseconds, so that those of rarer calls are in one, `other`.
"""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, Callable, NamedTuple, TypeVar, Union, cast

from . import _native as n
from ._arrays.columns import COLUMNS, give_bins, give_line, memory
from ._arrays.exchange import TENSORS
from ._native import DECLINED, PLAIN, methods

_SQUARE, _ROOT = 0, 1  # what is given of the second moment


class Path(NamedTuple):
    """What a function's calls on a plain array come to.

    Attributes
    ----------
    entry : callable
        Gives the result, or DECLINED.
    arguments : tuple of str, int or None
        The entry's: numbers, None, and arguments of the function by name. Those may have any value that
        _TESTS lets pass; all others must have their defaults.
    along : callable or None
        The entry for an `axis`, which is its last argument but `threads`, or but `keepdims` and
        `threads` if the function has those.
    skips : str
        What it takes behind `keepdims`: "skipna", or for a function without that "True" or
        "False", whether NaN are skipped; "" for nothing. Where they always are, `along` does all.
    where : callable or None
        The entry for all arguments but `out`.
    said : tuple of str, int or None
        Its arguments, as `arguments` are.
    give : callable or None
        Makes results the caller's kind of column; None: they are numbers.
    device : callable or None
        The entry for tensors, on a device or not, with the arguments `said`, or without those
        `arguments`; None: those of the host are done as arrays are.
    looked_at : tuple of str
        Arguments that change nothing, of which _TESTS say which values may pass.
    arrays : bool
        It is for NumPy's arrays alone.
    """

    entry: Callable[..., Any]
    arguments: tuple[Union[str, int, None], ...]
    along: Union[Callable[..., Any], None] = None
    skips: str = ""
    where: Union[Callable[..., Any], None] = None
    said: tuple[Union[str, int, None], ...] = ()
    give: Union[Callable[[Any, Any], Any], None] = None
    device: Union[Callable[..., Any], None] = None
    looked_at: tuple[str, ...] = ()
    arrays: bool = False


def _reduction(op: int, skips: str, *, numbers: bool = True, begins: bool = True) -> Path:
    """`numbers`: it has an argument `dtype`; `begins`: it has `initial`."""
    return Path(methods.reduce, ("a", op, "threads"), methods.reduce_axis, skips,
                methods.reduce_where,
                ("a", op, "axis", "keepdims", skips, "dtype" if numbers else None,
                 "initial" if begins else None, "where", "threads"),
                device=methods.device_reduce)


def _mean(skips: str) -> Path:
    return Path(methods.mean, ("a", "threads"), methods.mean_axis, skips, methods.mean_where,
                ("a", "axis", "keepdims", skips, "dtype", "where", "threads"), device=methods.device_mean)


def _variance(root: int, skips: str) -> Path:
    return Path(methods.variance, ("a", "ddof", root, "threads"), methods.variance_axis, skips,
                methods.variance_where,
                ("a", "ddof", root, "axis", "keepdims", skips, "dtype", "where", "threads"),
                device=methods.device_variance)


def _scan(op: int, first: str) -> Path:
    return Path(methods.scan, (first, "out", op, "threads"), methods.scan_axis,
                where=methods.scan_as, give=give_line, device=methods.device_scan,
                said=(first, "out", op, "axis", "skipna", "dtype", n.PY_TOTALS, "threads"))


def _index(which: int, skips: str) -> Path:
    return Path(methods.argreduce, ("a", which, "threads"), methods.argreduce_axis, skips,
                said=("a", which, "axis", "keepdims", skips, "threads"),
                device=methods.device_argreduce)


def _elements(entry: Callable[..., Any], *arguments: Union[str, int]) -> Path:
    return Path(entry, (*arguments, "threads"), arrays=True)


FUNCTIONS: dict[str, Path] = {
    **{name: _reduction(op, "skipna")
       for name, op in (("sum", n.SUM), ("prod", n.PROD), ("sum_squares", n.SUM_SQUARES))},
    **{name: _reduction(op, "skipna", numbers=False)
       for name, op in (("min", n.MIN), ("max", n.MAX))},
    **{name: _reduction(op, "False", numbers=False, begins=False)
       for name, op in (("any", n.ANY), ("all", n.ALL))},
    **{name: _reduction(op, "True") for name, op in (("nansum", n.SUM), ("nanprod", n.PROD))},
    **{name: _reduction(op, "True", numbers=False)
       for name, op in (("nanmin", n.MIN), ("nanmax", n.MAX))},
    **{name: _index(which, "skipna")
       for name, which in (("argmin", n.ARGMIN), ("argmax", n.ARGMAX))},
    **{name: _index(which, "True")
       for name, which in (("nanargmin", n.ARGMIN), ("nanargmax", n.ARGMAX))},
    "mean": _mean("skipna"), "nanmean": _mean("True"),
    "var": _variance(_SQUARE, "skipna"), "std": _variance(_ROOT, "skipna"),
    "nanvar": _variance(_SQUARE, "True"), "nanstd": _variance(_ROOT, "True"),
    "count_nonzero": Path(methods.count_nonzero, ("a", "axis", "keepdims", "threads")),
    "average": Path(methods.average, ("a", "axis", "weights", "keepdims", "threads")),
    "ptp": Path(methods.ptp, ("a", "axis", "keepdims", "skipna", "threads")),
    **{f"segment_{name}": Path(methods.segments,
                               ("x", "offsets", op, "dtype", "initial", "skipna", "threads"))
       for name, op in (("sum", n.SUM), ("prod", n.PROD))},
    **{f"segment_{name}": Path(methods.segments,
                               ("x", "offsets", op, None, "initial", "skipna", "threads"))
       for name, op in (("min", n.MIN), ("max", n.MAX))},
    **{f"segment_{name}": Path(methods.segments, ("x", "offsets", op, None, None, False, "threads"))
       for name, op in (("any", n.ANY), ("all", n.ALL))},
    "segment_mean": Path(methods.segment_mean, ("x", "offsets", "dtype", "skipna", "threads")),
    "segment_cumsum": Path(methods.segment_scan,
                           ("x", "offsets", n.SUM, "dtype", "skipna", "threads")),
    **{f"segment_{name}": Path(methods.segment_argreduce,
                               ("x", "offsets", which, "skipna", "threads"))
       for name, which in (("argmin", n.ARGMIN), ("argmax", n.ARGMAX))},
    **{f"{name}_reduceat": Path(methods.reduceat, ("a", "indices", op, "threads"))
       for name, op in (("add", n.SUM), ("multiply", n.PROD), ("minimum", n.MIN),
                        ("maximum", n.MAX), ("logical_or", n.ANY), ("logical_and", n.ALL))},
    "dot": Path(methods.dot, ("a", "b", "threads"), device=methods.device_dot),
    "fsum": Path(methods.exact, ("a", n.SUM, "axis", "keepdims", "skipna", "dtype", "threads")),
    "fmean": Path(methods.exact_mean, ("a", "axis", "keepdims", "skipna", "dtype", "threads")),
    "fdot": Path(methods.exact_dot, ("a", "b", "threads")),
    "cumsum": _scan(n.SUM, "a"), "cumprod": _scan(n.PROD, "a"),
    "minimum_accumulate": _scan(n.MIN, "array"), "maximum_accumulate": _scan(n.MAX, "array"),
    **{name: Path(methods.scan_as,
                  ("a", "out", op, "axis", True, "dtype", n.PY_TOTALS, "threads"),
                  give=give_line, device=methods.device_scan)
       for name, op in (("nancumsum", n.SUM), ("nancumprod", n.PROD))},
    **{name: Path(methods.scan_as,
                  ("x", "out", op, "axis", "skipna", "dtype", "include_initial", "threads"),
                  give=give_line, device=methods.device_scan)
       for name, op in (("cumulative_sum", n.SUM), ("cumulative_prod", n.PROD))},
    "histogram": Path(methods.histogram, ("a", "bins", "range", "density", "weights", "threads"),
                      give=give_bins, device=methods.device_histogram),
    **{name: Path(entry, ("a", "axis", "descending", "nan_first", "threads"), give=give_line,
                  device=device, looked_at=("kind", "stable"))
       for name, entry, device in (("sort", methods.sort, methods.device_sort),
                                   ("argsort", methods.argsort, methods.device_argsort))},
    "bincount": Path(methods.bincount, ("x", "weights", "minlength", "length", "threads"),
                     give=give_bins, device=methods.device_bincount),
    "median": _elements(methods.median, "a", "axis", "keepdims"),
    **{name: _elements(methods.quantile, "a", "q", "axis", "keepdims", most)
       for name, most in (("quantile", 1), ("percentile", 100))},
    "topk": _elements(methods.topk, "x", "k", "largest", "axis"),
    "kthvalue": _elements(methods.kthvalue, "x", "k", "axis"),
    **{name: _elements(entry, "a", "kth", "axis")
       for name, entry in (("partition", methods.partition), ("argpartition", methods.argpartition))},
    "compress": _elements(methods.compress, "condition", "a", "axis"),
    "extract": _elements(methods.extract, "condition", "arr"),
    "flatnonzero": _elements(methods.flatnonzero, "a"),
    "nonzero": _elements(methods.nonzero, "a"),
    "searchsorted": _elements(methods.searchsorted, "a", "v", "side"),
    "digitize": _elements(methods.digitize, "x", "bins", "right"),
    "take": _elements(methods.take, "a", "indices", "axis"),
    "unique": _elements(methods.unique, "ar", "return_index", "return_inverse", "return_counts"),
}

#: What must hold of arguments that need not have their defaults; "": the entries look at it themselves.
#: `threads` may always be given: a call too short for them is done by one.
_TESTS = {
    "axis": "",
    "dtype": "",
    "include_initial": "(include_initial is False or include_initial is True)",
    "b": "type(b) is PLAIN",
    "offsets": "type(offsets) is PLAIN",
    "indices": "type(indices) is PLAIN",
    "keepdims": "",
    "skipna": "",
    "threads": "",
    "descending": "",
    "nan_first": "",
    "kind": "(kind is None or kind == 'stable')",
    "stable": "(stable is None or stable is True and kind is None)",
    "where": "(where is True or type(where) is PLAIN)",
    "initial": "(initial is initial_default or type(initial) in NUMBERS)",
    "ddof": "type(ddof) in NUMBERS and -EXACT < ddof < EXACT",
    "out": "(out is None or type(out) is PLAIN)",
    "bins": "(type(bins) is int or type(bins) is PLAIN)",
    "density": "(density is None or type(density) is bool)",
    "weights": "(weights is None or type(weights) is PLAIN)",
    "a": "type(a) is PLAIN",
    "arr": "type(arr) is PLAIN",
    "k": "type(k) is int",
    "kth": "type(kth) is int",
    "minlength": "type(minlength) is int and 0 <= minlength < LONG",
    "length": "(length is None or type(length) is int and 0 <= length < LONG)",
}
#: The same of columns, which have one axis, where it is another; segments' results are columns, too.
_COLUMN_TESTS = {
    "b": "(type(b) is PLAIN or type(b) in other.COLUMNS)",
    "offsets": "False",
    "indices": "False",
    "keepdims": "not keepdims",
    "where": "where is True",
    "out": "out is None",
    "include_initial": "not include_initial",
    "weights": "(weights is None or type(weights) is PLAIN or type(weights) in other.COLUMNS)",
}
#: The same of tensors.
_TENSOR_TESTS = {
    "b": "type(b) in other.TENSORS",
    "offsets": "type(offsets) is PLAIN",
    "where": "where is True",
    "out": "out is None",
    "bins": "(type(bins) is int or type(bins) is PLAIN)",
    "weights": "(weights is None or type(weights) in other.TENSORS)",
}
_NAMES = {"PLAIN": PLAIN, "DECLINED": DECLINED, "NUMBERS": (int, float), "EXACT": 1 << 53,
          "LONG": 1 << 63}
_TEXT = """\
def within({names}):
    def {name}({parameters}):
        if {test}:
            result = {call}
            if result is not DECLINED{plainly}:
                return result
{delivered}        elif type({first}) in other.TENSORS and {tensor_test}:
            result = {tensor_call}
            if result is not DECLINED:
                return result
        elif type({first}) in other.COLUMNS and {column_test}:
            result = {column_call}
            if result is not DECLINED:
                return {given}
        return other.function({passed})
    return {name}
"""
#: Of arrays alone.
_ARRAYS_TEXT = """\
def within({names}):
    def {name}({parameters}):
        if {test}:
            result = {call}
            if result is not DECLINED{plainly}:
                return result
{delivered}        return other.function({passed})
    return {name}
"""
#: An `out` that is none of the entry's arguments takes results of its own dtype and shape.
_DELIVERED = """\
            if result is not DECLINED and out is not None and out.dtype == result.dtype \\
                    and out.shape == result.shape and out.flags.writeable:
                out[...] = result
                return out
"""

_F = TypeVar("_F", bound=Callable[..., Any])


def _tests(defaults: dict[str, Any], path: Path, tests: dict[str, str]) -> Iterator[str]:
    """The conditions on the arguments behind the array."""
    taken = {"threads", "out", path.skips, *path.arguments, *path.said, *path.looked_at}
    taken.update(("axis", "keepdims") if path.along else ())
    for name, default in defaults.items():
        if name in tests and name in taken:
            if tests[name]:
                yield tests[name]
        elif name not in path.arguments:
            same = f"{name} is {default}" if default is None or default is True else \
                f"{name} is {name}_default"
            yield f"not {name}" if default is False else same


#: Arguments that the entry for all of them is needed for, and what says that it is not.
_PLAINLY = {"where": "where is True", "initial": "initial is initial_default",
            "dtype": "dtype is None", "skipna": "not skipna"}


def _call(path: Path, names: Iterable[str], said: dict[str, str]) -> str:
    """The call of the entry, of that along an axis or with a mask; `names`: the function's arguments;
    `said`: what is passed for some of the entry's."""
    words = [said.get(str(name), str(name)) for name in path.arguments]
    call = f"entry({', '.join(words)})"
    if path.along is None:
        return call
    options = [name for name in ("keepdims", "skipna") if name in names]
    more = ["axis", *options[:"keepdims" in options], *([path.skips] if path.skips else [])]
    along = f"along({', '.join([*words[:-1], *more, words[-1]])})"
    if path.skips == "True":
        call = along
    else:
        plainly = "".join(f" and not {name}" for name in options if name in more)
        call = f"{call} if axis is None{plainly} else {along}"
    if path.where is None:
        return call
    where = f"other.where({', '.join(said.get(str(name), str(name)) for name in path.said)})"
    plainly = " and ".join(text for name, text in _PLAINLY.items()
                           if name in path.said and name not in (*more, *path.arguments))
    return f"({call}) if {plainly} else {where}"


def _text(function: Callable[..., Any], path: Path, names: Iterable[str],
          defaults: dict[str, Any]) -> str:
    """The program of the function with its fast path."""
    code = function.__code__
    delivers = "out" in defaults and "out" not in path.arguments
    first, *rest = code.co_varnames[:code.co_argcount]
    last = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    column = {first: f"other.COLUMNS[type({first})]({first})", "b": "other.memory(b)",
              "weights": "other.memory(weights)"}
    entry = f"other.device({', '.join(str(name) for name in path.said or path.arguments)})"
    return (_ARRAYS_TEXT if path.arrays else _TEXT).format(
        name=function.__name__,
        names=", ".join(names),
        first=first,
        parameters=", ".join([first, *["/"][:code.co_posonlyargcount], *rest, "*", *last]),
        test=" and ".join([f"type({first}) is PLAIN", *_tests(defaults, path, _TESTS)]),
        call=_call(path, defaults, {}),
        tensor_test=" and ".join(_tests(defaults, path, {**_TESTS, **_TENSOR_TESTS})),
        tensor_call=_call(path, defaults, {}) if path.device is None else entry,
        column_test=" and ".join(_tests(defaults, path, {**_TESTS, **_COLUMN_TESTS})),
        column_call=_call(path, defaults, column),
        given="result" if path.give is None else f"other.give({first}, result)",
        plainly=" and out is None" if delivers else "",
        delivered=_DELIVERED if delivers else "",
        passed=", ".join([first, *rest, *(f"{name}={name}" for name in last)]))


def plain(function: _F) -> _F:
    """The function with its fast path, and all else as it was: its signature, its documentation.

    Examples
    --------
    >>> import inspect
    >>> import heddle as hd
    >>> list(inspect.signature(hd.dot).parameters)
    ['a', 'b', 'out', 'axis', 'exact', 'threads', 'device']
    """
    path = FUNCTIONS[function.__name__]
    parameters = list(inspect.signature(function).parameters.values())
    defaults = {p.name: p.default for p in parameters[1:]}
    other = SimpleNamespace(function=function, where=path.where, give=path.give, COLUMNS=COLUMNS,
                            memory=memory, TENSORS=TENSORS, device=path.device)
    names = {**_NAMES, "entry": path.entry, "along": path.along, "other": other,
             **{f"{name}_default": default for name, default in defaults.items()}}
    text, file = _text(function, path, names, defaults), f"<the fast path of {function.__name__}>"
    made: dict[str, Any] = {}
    exec(compile(text, file, "exec"), function.__globals__, made)  # where doctest looks for it
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    fast_one = made["within"](**names)
    fast_one.__defaults__, fast_one.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return cast(_F, functools.update_wrapper(fast_one, function))
