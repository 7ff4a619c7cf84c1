"""Columns with nulls, long and short: the bits of the same call on the elements that are not null, for every
pattern of nulls, on each instruction set."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import heddle as hd
from heddle import _native, _plain
from heddle._arrays import columns
from producers import ArrayColumn

LETTERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8",
           "e": "f2", "f": "f4", "g": "f8"}
FUNCTIONS = ["sum", "prod", "sum_squares", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax"]
BLOCK = 64 * 64  # elements that are moved together at a time
#: Elements of 8 bytes and of one from which on a column is read in pieces, and those of a piece.
PIECE = 16 * 1024
LENGTHS = [1, 63, 64, 65, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 64, 4 * PIECE // 8 - 1, 4 * PIECE // 8,
           4 * PIECE // 8 + 1, 5 * PIECE // 8 + 77, 4 * PIECE - 1, 4 * PIECE, 4 * PIECE + 65]


def patterns(length):
    rng = np.random.default_rng(length)
    draw, place = rng.random(length), np.arange(length)
    yield from (draw < 0.5, draw < 0.01, draw < 0.99, place % 2 == 0, place % 3 != 1)
    yield from (place // 64 % 2 == 0, place // 64 % 3 != 0, place // 8 % 2 == 1, place < 1, place == length - 1)
    yield place // (PIECE // 8) % 2 == 1  # pieces of nothing else
    yield (place >= 64) & (draw < 0.7)


def numbers(dtype, length):
    rng = np.random.default_rng(length + 5)
    made = rng.integers(0, 100, length).astype(dtype)
    if made.dtype.kind == "f":
        made = made * made.dtype.type(0.37) - made.dtype.type(11.1)
    return made


def result(function, x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(x)
        except ValueError as error:
            return type(error)
    return found.dtype, found.tobytes()


def compare(letter, lengths, names, every=1):
    """With nulls that are bits, and with a mask of bytes."""
    dtype = np.dtype(LETTERS[letter])
    calls = 0
    for length in lengths:
        x = numbers(dtype, length)
        for p, valid in enumerate(patterns(length)):
            places = np.flatnonzero(valid)
            column = ArrayColumn(letter, (x, valid), offset=(0, 13, 8)[p % 3])
            for i, name in enumerate(names):
                if (p + i + length) % every:
                    continue
                function = getattr(hd, name)
                want = result(function, x[valid])
                if name.startswith("arg") and len(places):
                    want = np.dtype(np.intp), places[function(x[valid])].tobytes()
                got = result(function, column)
                assert got == want, (letter, length, p, name)
                calls += 1
                if name in ("sum", "max"):
                    op = _native.SUM if name == "sum" else _native.MAX
                    masked = _plain.FUNCTIONS[name].entry((x, ~valid), op, None)
                    got = got if masked is _native.DECLINED else (masked.dtype, masked.tobytes())
                    assert got == want, (letter, length, p, name)
    return calls


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch):
    monkeypatch.setitem(columns.COLUMNS, ArrayColumn, columns._arrow_array)


@pytest.mark.parametrize("letter", LETTERS)
def test_the_bits_are_those_of_what_is_not_null(letter):
    full = bool(os.environ.get("HEDDLE_TEST_FULL"))
    assert compare(letter, LENGTHS, FUNCTIONS, 1 if full else 5) > 200


@pytest.mark.parametrize("isa", ["scalar", "avx2"])
def test_on_other_instruction_sets(isa):
    code = """if True:
        import test_column_pieces as t
        t.columns.COLUMNS[t.ArrayColumn] = t.columns._arrow_array
        for i, letter in enumerate(t.LETTERS):
            t.compare(letter, t.LENGTHS[i % 2::2], ["sum", "max", "argmin"], 2)
        print("done")
    """
    path = os.pathsep.join([os.path.dirname(__file__), os.environ["PYTHONPATH"]])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "HEDDLE_ISA": isa, "PYTHONPATH": path})
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr


@pytest.mark.parametrize("length", [40, 70_000])
def test_overflow_is_reported(length):
    x = np.full(length, 3e38, "f4")
    valid = np.arange(length) % 3 > 0
    for row, words in ((x, ["overflow"]), (np.where(np.arange(length) == 7, np.float32(np.inf), x), [])):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            assert np.isinf(hd.sum(ArrayColumn("f", (row, valid))))
        assert [str(w.message).split(" enc")[0] for w in said] == words


@pytest.mark.parametrize("name", FUNCTIONS)
def test_long_columns_of_nothing_but_nulls(name):
    x = numbers("f4", 70_000)
    function = getattr(hd, name)
    assert result(function, ArrayColumn("f", (x, np.zeros(70_000, bool)))) == result(function, x[:0])
