"""The package's numbers are those of the C headers, and its structs have the library's sizes."""

import ast
import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

from heddle import _constants, _native

ROOT = Path(__file__).resolve().parents[2]
ENUMERATOR = re.compile(r"\bHEDDLE_(\w+)\s*=\s*(-?\d+)")


def enumerators():
    """The members of the headers' enums, by a reading of their own."""
    for name in ("include/heddle.h", "python/native/fast.h"):
        text = re.sub(r"/\*.*?\*/", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
        for body in re.findall(r"\benum\b[^;{]*\{(.*?)\}", text, flags=re.DOTALL):
            for member in filter(None, map(str.strip, body.split(","))):
                yield ENUMERATOR.fullmatch(member).groups()


def test_every_enumerator_is_a_number_of_the_package():
    expected = {name: int(value) for name, value in enumerators()}
    assert len(expected) >= 50 and expected["CUSTOM"] and expected["PY_DEFAULT"] < 0
    assert {name: getattr(_constants, name, None) for name in expected} == expected
    assert all(getattr(_native, name) == value for name, value in expected.items())


def test_macros_that_are_numbers():
    assert _native.MAX_DIMS == 32 and _native.FIND_EXPONENT == -2**31 and _native.ABI == 0
    names = re.findall(r"^#define HEDDLE_(\w+) +\(?-?\d", (ROOT / "include/heddle.h").read_text(),
                       flags=re.M)
    assert set(names) <= set(vars(_constants))


def test_no_module_writes_a_number_for_a_name():
    """A call of the library or of libheddle_python that names an operator by its number."""
    for path in Path(_native.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
                ordered = any(isinstance(op, (ast.Lt, ast.Gt, ast.LtE, ast.GtE)) for op in node.ops)
                assert not (ordered and node.left.attr == "type"), f"{path}:{node.lineno}: a range"


@pytest.mark.parametrize("dtype", sorted(_native.TYPES, key=str), ids=str)
def test_types_are_the_dtypes(dtype):
    number = _native.TYPES[dtype]
    assert _native.lib.heddle_type_size(number) == dtype.itemsize
    assert (number in _native.FLOATS) == (dtype.kind == "f")
    assert dtype.kind in "b" + _native.DTYPES[number].kind


@pytest.mark.parametrize("dtype", sorted(_native.TYPES, key=str), ids=str)
def test_totals_are_numpys(dtype):
    assert _native.TOTALS[dtype] == np.sum(np.zeros(2, dtype)).dtype
    assert _native.TOTALS[dtype] == np.cumprod(np.zeros(2, dtype)).dtype


def test_the_library_is_asked_for_results():
    n = _native
    for dtype, number in n.TYPES.items():
        for op in (n.MIN, n.MAX):
            assert n.result_type(op, number) == number
        assert n.result_type(n.ANY, number) == n.result_type(n.ALL, number) == n.U8
    assert ctypes.sizeof(n.Options) == n.Options().size
    with pytest.raises(TypeError, match="^and is not defined for f32"):
        n.result_type(n.AND, n.F32)
