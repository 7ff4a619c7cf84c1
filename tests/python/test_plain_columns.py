"""The fast path on columns of data frames: what the written functions give, to the bit."""

import functools
import inspect
import re
import warnings

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain
from heddle._arrays import arrow, columns
from heddle._arrays.kinds import library_of
import producers
from outcomes import is_sampled
from producers import ArrayColumn

LETTERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8",
           "e": "f2", "f": "f4", "g": "f8", "b": "?"}
NAMES = sorted(name for name, path in _plain.FUNCTIONS.items() if not path.arrays)
LENGTHS = [0, 1, 9, 65, 2049]


class StreamColumn(producers.StreamColumn):
    """Whose stream begins again, as those of chunked arrays do."""

    def __arrow_c_stream__(self, requested_schema=None):
        self.next = 0
        return super().__arrow_c_stream__()


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch):
    """The stand-ins are columns, too."""
    monkeypatch.setitem(columns.COLUMNS, ArrayColumn, columns._arrow_array)
    monkeypatch.setitem(columns.COLUMNS, StreamColumn, columns._arrow_stream)


def numbers(dtype, length):
    rng = np.random.default_rng(length)
    made = rng.integers(0, 2 if dtype == "?" else 7, length).astype(dtype)
    if made.dtype.kind == "f":
        made = made * made.dtype.type(0.37) - made.dtype.type(1.1)
        made[5::41] = np.nan
    return made


def valid_of(length, kind):
    """Which elements are not null."""
    if kind == "none":
        return None
    valid = np.random.default_rng(length + 1).random(length) < 0.6
    return np.zeros(length, bool) if kind == "no one" else valid | (kind == "all")


def bits_of(result):
    """Everything of a result: the bits of its elements, its type and that of elements, its nulls."""
    if isinstance(result, tuple):
        return tuple(map(bits_of, result))
    if isinstance(result, np.ma.MaskedArray):
        return type(result), bits_of(result.data), bits_of(np.ma.getmaskarray(result))
    if isinstance(result, (np.ndarray, np.generic)):
        return type(result), result.dtype, result.shape, result.tobytes()
    if hasattr(result, "columns"):
        return type(result), result.index.tolist(), list(result.columns), bits_of(result.to_numpy())
    if library_of(type(result)) == "pandas":
        return type(result), str(result.dtype), result.index.tolist(), result.name, repr(list(result))
    return type(result), str(getattr(result, "type", getattr(result, "dtype", ""))), \
        getattr(result, "name", ""), repr(result.to_pylist() if hasattr(result, "to_pylist")
                                          else result.to_list())


def outcome(function, *arguments, **options):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            result = bits_of(function(*arguments, **options))
        except Exception as error:
            return type(error), re.sub("0x[0-9a-f]+", "", str(error))
    return result, [(str(w.message), w.category) for w in found]


@functools.cache
def parameters_of(name):
    return set(inspect.signature(getattr(hd, name)).parameters)


def both_agree(name, make, **options):
    """`make` gives the argument anew."""
    if not set(options) <= parameters_of(name):
        return
    function = getattr(hd, name)
    places = (np.array([0, 3, 3, 8]),) if name.startswith("segment_") or "reduceat" in name else ()
    got, want = (outcome(f, *[make() for _ in range(1 + (name in ("dot", "fdot")))], *places,
                         **{key: value() if callable(value) else value
                            for key, value in options.items()})
                 for f in (function, function.__wrapped__))
    assert got == want, (name, options)


OPTIONS = [{}, {"axis": 0}, {"axis": -1}, {"axis": (0,)}, {"axis": 1}, {"keepdims": True},
           {"skipna": True}, {"threads": 1}, {"initial": 2}, {"out": lambda: np.empty(())}, {"ddof": 1},
           {"minlength": 20}, {"range": (0, 3)}, {"range": (0.0, 2.5), "bins": 3, "density": True},
           {"bins": np.array([0.0, 1.0, 3.0])}, {"dtype": np.float64}]


@pytest.mark.parametrize("name, letter", [(name, letter) for i, name in enumerate(NAMES)
                                          for letter in list(LETTERS)[i % 3::3]])
def test_columns_of_arrow_agree(name, letter):
    for length in LENGTHS:
        x = numbers(LETTERS[letter], length)
        for kind in ("none", "all", "some", "no one"):
            valid = valid_of(length, kind)
            for k, (offset, form) in enumerate(((0, ArrayColumn), (13, ArrayColumn), (8, StreamColumn))):
                def make():
                    return form(letter, (x, valid), offset=offset)
                for i, options in enumerate(OPTIONS[k::3] if length == 9 else OPTIONS[:1]):
                    if is_sampled(name, letter, length, kind, k, i):
                        both_agree(name, make, **options)
                if length == 65:
                    both_agree(name, make, threads=2, skipna=True)
                    both_agree(name, make, weights=x)
                    both_agree(name, make, weights=make)


def test_nulls_of_one_of_two_leave_out_elements_of_both():
    x, valid = numbers("i4", 9), valid_of(9, "some")
    assert 0 < valid.sum() < 9
    for one, other in ((valid, None), (None, valid), (valid, valid[::-1]), (valid, valid)):
        pair = ArrayColumn("i", (x, one)), ArrayColumn("i", (x[::-1].copy(), other))
        assert outcome(hd.dot, *pair) == outcome(hd.dot.__wrapped__, *pair)
        for name in ("histogram", "bincount"):
            for weights in (pair[1], np.ones(valid.sum()), np.ones(9)):
                function = getattr(hd, name)
                assert outcome(function, pair[0], weights=weights) == \
                    outcome(function.__wrapped__, pair[0], weights=weights)


def test_an_array_as_long_as_what_is_not_null_is_of_another_shape():
    x, valid = numbers("i4", 9), valid_of(9, "some")
    column, other = ArrayColumn("i", (x, valid)), ArrayColumn("i", (x[:valid.sum()], None))
    for pair in ((column, other), (other, column)):
        assert outcome(hd.dot, *pair) == outcome(hd.dot.__wrapped__, *pair)


@pytest.mark.parametrize("name", ["sum", "argmax", "cumsum", "histogram"])
def test_chunks_agree(name):
    x, valid = numbers("f8", 30), valid_of(30, "some")
    for chunks in ((), ((x[:0], None),), ((x[:0], None), (x, None)), ((x, valid), (x[:0], None)),
                   ((x[:10], None), (x[10:], valid[10:])), ((x[:9], None),) * 3,
                   ((x[:0], None), (x[:0], None))):
        both_agree(name, lambda: StreamColumn("g", *chunks))


@pytest.mark.parametrize("form", [ArrayColumn, StreamColumn])
@pytest.mark.parametrize("wrong", [
    {"length": -1}, {"length": -1, "null_count": -1}, {"offset": -1}, {"offset": 2**62},
    {"null_count": 8}, {"null_count": -2},
    {"null_count": 1}, {"null_count": 0}, {"n_buffers": 1}, {"n_buffers": 3}, {"n_children": 1},
    {"dictionary": 8}, {"buffers": dict(arrow._Array._fields_)["buffers"]()}, {}])
def test_what_cannot_be_is_refused_alike(form, wrong):
    for name in ("sum", "histogram", "cumsum"):
        for valid in (None, [1, 0, 1, 1, 0]):
            both_agree(name, lambda: form("g", (np.arange(5.0), valid), array=wrong))
    for schema in ({"format": b"gg"}, {"format": b"tdD"}, {"format": b""}, {"dictionary": 8},
                   {"format": None}, {"release": dict(arrow._Schema._fields_)["release"]()}):
        both_agree("sum", lambda: form("g", (np.arange(5.0), None), schema=schema))


def test_releases():
    """What is moved out of a stream is released once; an array stays its capsule's."""
    for chunks in (1, 2, 3):
        column = StreamColumn("g", *[(np.arange(5.0), [1, 0, 1, 1, 1])] * chunks)
        got = _plain.FUNCTIONS["sum"].entry(column.__arrow_c_stream__(), _native.SUM, 1)
        assert (got is _native.DECLINED) == (chunks > 1)
        assert column.released == {"schema": 1, "array": min(chunks, 2), "stream": 1}
    column = ArrayColumn("g", (np.arange(5.0), [1, 0, 1, 1, 1]))
    assert _plain.FUNCTIONS["sum"].entry(column.__arrow_c_array__(), _native.SUM, 1) == 9
    assert sum(column.released.values()) == 0


@pytest.mark.parametrize("fails", [0, 1])
def test_streams_that_fail_agree(fails):
    both_agree("sum", lambda: StreamColumn("g", (np.arange(5.0), None), fails=fails))


class Refusing(ArrayColumn):
    def __arrow_c_array__(self, requested_schema=None):
        raise ValueError("not today")


class Odd(ArrayColumn):
    """Gives whatever it is told."""

    def __arrow_c_array__(self, requested_schema=None):
        return self.gives


def test_producers_that_refuse_agree(monkeypatch):
    monkeypatch.setitem(columns.COLUMNS, Refusing, columns._arrow_array)
    monkeypatch.setitem(columns.COLUMNS, Odd, columns._arrow_array)
    both_agree("sum", lambda: Refusing("g", (np.arange(5.0), None)))
    other = ArrayColumn("g", (np.arange(5.0), None)).__arrow_c_array__()
    for gives in (None, (), (1, 2), (1, 2, 3), other[:1], other[::-1], other[0]):
        odd = Odd("g")
        odd.gives = gives
        both_agree("sum", lambda: odd)


def test_masks():
    """Values with a mask beside them, as pandas' nullable columns are."""
    entry = _plain.FUNCTIONS["sum"].entry
    x, mask = np.arange(6.0), np.array([0, 1, 0, 0, 1, 0], bool)
    assert entry((x, mask), _native.SUM, 1) == 10
    assert entry((x, mask & False), _native.SUM, 1) == 15 and entry((x, mask | True), _native.SUM, 1) == 0
    for wrong in ((x[:, None], mask), (x, mask[:, None]), (x, mask[:5]), (x, mask.view("u1")),
                  (x[None], mask), (x, mask[None]), (x,), (), (x[::2], mask[::2]), (x, x),
                  (x, mask, mask), (x, None), (None, mask), (x.view("c16"), mask[::2].copy())):
        assert entry(wrong, _native.SUM, 1) is _native.DECLINED, wrong


# ---- libraries ----------------------------------------------------------------------------------


def series(library, dtype, length, kind):
    """A column of a library; None: it has no such."""
    module = pytest.importorskip(library.partition(" ")[0])
    x, valid = numbers(dtype, length), valid_of(length, kind)
    if library == "polars":
        made = module.Series("p", x)
        return made if valid is None else made.set(module.Series(~valid, dtype=module.Boolean), None)
    if library.startswith("pyarrow"):
        made = module.array(x, mask=None if valid is None else ~valid)
        if library == "pyarrow slice":
            return made[3:]
        return made if library == "pyarrow" else module.chunked_array([made])
    made = module.Series(x, index=[f"i{k}" for k in range(length)], name="n")
    if library == "pandas":
        return made if valid is None else None
    if library == "pandas of arrow":
        arrow = pytest.importorskip("pyarrow")
        made = made.astype(module.ArrowDtype(arrow.from_numpy_dtype(x.dtype)))
    elif dtype == "f2":
        return None
    else:
        name = {"f4": "Float32", "f8": "Float64", "?": "boolean"}.get(dtype) or \
            ("UInt" if dtype[0] == "u" else "Int") + str(8 * int(dtype[1]))
        made = made.astype(name)
    if valid is not None and length:
        made[~valid] = module.NA
    return made


KINDS = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8"]
LIBRARIES = ["pandas", "pandas nullable", "pandas of arrow", "polars", "pyarrow", "pyarrow slice",
             "pyarrow chunked"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_columns_of_libraries_agree(library, dtype):
    names = NAMES[(KINDS.index(dtype) + LIBRARIES.index(library)) % 3::3]
    for length in (0, 9, 100):
        for kind in ("none", "all", "some", "no one"):
            x = series(library, dtype, length, kind)
            if x is None:
                continue
            hd.any(x)
            assert type(x) in columns.COLUMNS
            for name in names:
                for i, options in enumerate(OPTIONS if length == 9 else OPTIONS[:1]):
                    if is_sampled(name, library, dtype, length, kind, i):
                        both_agree(name, lambda: x, **options)
                if length == 9:
                    both_agree(name, lambda: x, weights=x)


@pytest.mark.parametrize("library", ["pandas", "pandas nullable", "pandas of arrow", "polars",
                                     "pyarrow", "pyarrow chunked"])
def test_it_is_the_one_that_is_taken(library, monkeypatch):
    integers, floats = (series(library, dtype, 5, "none") for dtype in ("i4", "f4"))
    hd.sum(integers), hd.sum(floats)
    for name in NAMES:
        x = floats if name in ("fdot", "fmean", "fsum") else integers  # exact sums are of floats
        if name in ("average", "bincount") or "segment_" in name or "reduceat" in name:
            continue  # which have other conditions
        def written(*arguments, **options):
            raise AssertionError(name)

        function = getattr(hd, name)
        cells = dict(zip(function.__code__.co_freevars, function.__closure__))
        monkeypatch.setattr(cells["other"].cell_contents, "function", written)
        function(*(x, x) if name in ("dot", "fdot") else (x,),
                 **{"range": (0, 1)} if name == "histogram" else {})


FRAMES = ["?", "u1", "i4", "i8", "f2", "f4", "f8", "several", "nullable", "none", "times"]


def frame(pandas, kind):
    x = numbers("i4" if kind not in LETTERS.values() else kind, 24).reshape(3, 8)
    made = pandas.DataFrame({name: row for name, row in zip("xyz", x)}, index=range(8, 0, -1))
    if kind == "several":
        made["y"] = made["y"] * 0.5
    elif kind == "nullable":
        made = made.astype("Int64").mask(made == 3)
    elif kind == "none":
        made = made[[]]
    elif kind == "times":
        made = made.astype("datetime64[ns]")
    return made


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", FRAMES)
def test_frames_agree(kind):
    x = frame(pytest.importorskip("pandas"), kind)
    hd.any(frame(pytest.importorskip("pandas"), "i4"))
    assert type(x) in columns.COLUMNS
    for name in NAMES:
        for options in (*OPTIONS, {"axis": 1, "skipna": True}, {"axis": (0, 1)}, {"axis": 2}):
            for own in (x, x.iloc[::2], x.iloc[:, 1:]):
                both_agree(name, lambda: own, **options)


def test_other_types_are_not_learned(monkeypatch):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")

    class Series(pandas.Series):
        pass

    table = pandas.DataFrame({"a": [1.0, 2.0]})
    class DataFrame(pandas.DataFrame):
        pass

    for x in (Series([1.0, 2.0]), DataFrame(table), table.index, pyarrow.table(table),
              pyarrow.record_batch([pyarrow.array([1.0])], ["a"]), np.ones(2)):
        hd.sum(x)
        assert type(x) not in columns.COLUMNS
