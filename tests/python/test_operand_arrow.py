"""Arrow's C data interface: values, nulls, offsets, chunks; releases; what a column may not say."""

import ctypes
import gc
import sys

import numpy as np
import pytest

from heddle import _native
from heddle._arrays import arrow
from heddle._arrays.operand import device_of, operand
from producers import ArrayColumn, Column, Lender, StreamColumn, capsule

LETTERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8",
           "e": "f2", "f": "f4", "g": "f8", "b": "?"}
LENGTHS = [0, 1, 7, 8, 9, 63, 64, 65, 200]


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("offset", [0, 1, 7, 8, 13])
def test_columns(letter, offset):
    for length in LENGTHS:
        a = (np.arange(length) * 7 % 5 % 2).astype(LETTERS[letter])
        valid = np.arange(length) % 3 != 1
        for nulls in (None, valid):
            column = ArrayColumn(letter, (a, nulls), offset=offset)
            taken = operand(column)
            np.testing.assert_array_equal(taken.host, a, strict=True)
            assert taken.type == _native.TYPES[a.dtype] and taken.copied == (letter == "b")
            if nulls is None or valid.all():
                assert taken.valid is None
            else:
                np.testing.assert_array_equal(taken.valid, valid, strict=True)
    assert device_of(column) == "cpu" and taken.give(a) is a
    assert isinstance(taken.give_masked(a, valid), np.ma.MaskedArray)


@pytest.mark.parametrize("letter", LETTERS)
def test_no_values_need_no_memory(letter):
    field = dict(arrow._Array._fields_)["buffers"]
    nothing = ctypes.cast((ctypes.c_void_p * 2)(), field)
    column = ArrayColumn(letter, (np.empty(0, LETTERS[letter]), None), array={
        "offset": 3, "buffers": nothing})
    assert operand(column).shape == (0,)


def test_a_column_is_not_copied():
    column = ArrayColumn("g", (np.arange(5.0), None), offset=2)
    taken = operand(column)
    column.kept[1][3] = 42  # its data: two skipped, then the values
    assert 42 in taken.host or 42 in column.kept[2]
    data = next(k for k in column.kept if isinstance(k, np.ndarray) and k.dtype == float)
    assert taken.host.ctypes.data == data.ctypes.data + 16


def test_chunks_are_joined():
    column = StreamColumn("i", (np.arange(5, dtype="i4"), None), (np.empty(0, "i4"), None),
                          (np.arange(5, 9, dtype="i4"), [1, 0, 1, 1]), offset=3)
    taken = operand(column)
    assert taken.host.tolist()[:6] == [0, 1, 2, 3, 4, 5] and taken.copied
    assert taken.valid.tolist() == [True] * 6 + [False, True, True]
    gc.collect()
    assert column.released == {"schema": 1, "array": 3, "stream": 1}


def test_one_chunk_is_not_copied():
    column = StreamColumn("f", (np.empty(0, "f4"), None), (np.arange(5, dtype="f4"), None))
    taken = operand(column)
    data = [k for k in column.kept if isinstance(k, np.ndarray) and len(k) == 5][0]
    assert taken.host.ctypes.data == data.ctypes.data and not taken.copied
    gc.collect()
    assert column.released["stream"] == 1 and column.released["array"] == 1
    del taken
    gc.collect()
    assert column.released == {"schema": 1, "array": 2, "stream": 1}


def test_no_chunks():
    for letter, dtype in LETTERS.items():
        taken = operand(StreamColumn(letter))
        assert taken.shape == (0,) and taken.dtype == np.dtype(dtype) and taken.valid is None


def test_released_once_with_the_last_view():
    column = ArrayColumn("g", (np.arange(5.0), [1, 1, 0, 1, 1]))
    view = operand(column).host[1:]
    gc.collect()
    assert column.released["array"] == 0 and view.tolist() == [1, 2, 3, 4]
    del view
    gc.collect()
    assert column.released["array"] == 1


def test_an_array_is_preferred_to_a_stream():
    class Both(Column):
        def __arrow_c_array__(self):
            return self.schema_and_array()

        def __arrow_c_stream__(self):
            raise AssertionError("not asked")

    assert operand(Both("i", (np.arange(2, dtype="i4"), None))).host.tolist() == [0, 1]


# ---- what is refused ----------------------------------------------------------------------------

NONSENSE = [
    ({"length": -1}, "length -1"), ({"offset": -1}, "offset -1"),
    ({"length": 2**62}, "more than memory can hold"),
    ({"offset": 2**62}, "more than memory can hold"),
    ({"length": 2**63 - 1, "offset": 2**63 - 1}, "more than memory can hold"),
    ({"null_count": -2}, "counts -2 nulls"), ({"null_count": 5}, "counts 5 nulls"),
    ({"null_count": 2}, "no bitmap"), ({"n_buffers": 3}, "3 buffers"),
    ({"n_buffers": 1}, "1 buffers"),
    ({"n_children": 1}, "1 children"), ({"buffers": None}, "buffers"),
    ({"buffers": (ctypes.c_void_p * 2)()}, "no memory for 4 values"),
]


@pytest.mark.parametrize("says,message", NONSENSE, ids=str)
@pytest.mark.parametrize("kind", [ArrayColumn, StreamColumn])
def test_nonsense(kind, says, message):
    if says.get("buffers"):
        field = dict(arrow._Array._fields_)["buffers"]
        says = {"buffers": ctypes.cast(says["buffers"], field)}
    elif "buffers" in says:
        says = {"buffers": dict(arrow._Array._fields_)["buffers"]()}
    column = kind("g", (np.arange(4.0), None), array=says)
    with pytest.raises(ValueError, match=f"^weights: .*{message}"):
        operand(column, "weights")
    gc.collect()
    assert column.released["array"] == 1
    assert kind is ArrayColumn or column.released == {"schema": 1, "array": 1, "stream": 1}


@pytest.mark.parametrize("letter,word", [
    ("u", "string"), ("vu", "string"), ("U", "string"), ("z", "binary"), ("w:4", "binary"),
    ("n", "null"), ("d:5,2", "decimal"), ("tdD", "date"), ("tts", "time"), ("tsu:UTC", "timestamp"),
    ("tDn", "duration"), ("tiM", "interval"), ("+s", "struct"), ("+l", "list"), ("+vL", "list"),
    ("+w:2", "list"), ("+m", "map"), ("+ud:0,1", "union"), ("+r", "run-end encoded"),
    ("gg", "'gg'"), ("", "''")])
@pytest.mark.parametrize("kind", [ArrayColumn, StreamColumn])
def test_refused_types(kind, letter, word):
    column = kind(letter, (np.arange(4.0), None))
    with pytest.raises(TypeError, match=f"^a: dtype {word} of Arrow is not supported"):
        operand(column)
    gc.collect()
    assert kind is ArrayColumn or column.released["stream"] == column.released["schema"] == 1


def test_categories():
    column = ArrayColumn("i", (np.arange(4, dtype="i4"), None), schema={"dictionary": 8})
    with pytest.raises(TypeError, match="^a: dtype dictionary"):
        operand(column)


@pytest.mark.parametrize("fails", [0, 1, 2])
def test_a_stream_that_fails(fails):
    chunk = (np.arange(4.0), None)
    column = StreamColumn("g", chunk, chunk, fails=fails)
    with pytest.raises(ValueError, match="^a: its producer's stream fails with 5: the disk"):
        operand(column)
    gc.collect()
    assert column.released == {"schema": 1, "array": fails, "stream": 1}


def test_a_capsule_is_used_once():
    column = ArrayColumn("g", (np.arange(4.0), None))
    both = column.schema_and_array()
    lender = Lender(column)
    type(lender).__arrow_c_array__ = lambda self: both
    first = operand(lender)
    with pytest.raises(ValueError, match="^a: .* that is not yet released"):
        operand(lender)
    assert first.host.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("given", [None, 3, (1, 2), (None,), (capsule(ctypes.c_int(), b"x"),) * 2],
                         ids=str)
def test_what_is_no_capsule(given):
    lender = Lender(None)
    type(lender).__arrow_c_array__ = lambda self: given
    with pytest.raises((TypeError, ValueError), match="^a: "):
        operand(lender)
    lender = Lender(None)
    type(lender).__arrow_c_stream__ = lambda self: given
    with pytest.raises(ValueError, match="^a: "):
        operand(lender)


@pytest.mark.parametrize("error", [RuntimeError, TypeError, ValueError, NotImplementedError])
@pytest.mark.parametrize("method", ["__arrow_c_array__", "__arrow_c_stream__"])
def test_a_producer_that_refuses(error, method):
    def refuse(self):
        raise error("not today")

    lender = Lender(None)
    setattr(type(lender), method, refuse)
    with pytest.raises((TypeError, ValueError), match=f"^a: Lender.{method} refuses: not today"):
        operand(lender)


def test_structures_are_of_the_interface_s_size():
    sizes = {form: ctypes.sizeof(form) for form in (arrow._Schema, arrow._Array, arrow._Stream)}
    assert sizes == {arrow._Schema: 72, arrow._Array: 80, arrow._Stream: 40}


def test_no_reference_to_none_stays():
    """Pythons before 3.12 count them."""
    values = np.arange(3.0)

    def count():
        arrow.window(values.ctypes.data, values.shape, values.dtype, values)
        return sys.getrefcount(None)

    before = count()
    assert max(count() for _ in range(200)) - before < 100
