"""The package as a whole: what it exports, its version, its types, how it is loaded."""

import ast
import inspect
import os
import pickle
import re
import subprocess
import sys
import typing
from pathlib import Path

import numpy as np
import pytest

import heddle as hd

PACKAGE = Path(hd.__file__).parent
# Of NumPy, whose names and first arguments they have.
OF_NUMPY = ["sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std",
            "dot", "cumsum", "cumprod", "histogram", "histogram2d", "histogramdd", "bincount"]
OF_UFUNCS = ["maximum_accumulate", "minimum_accumulate"]
OWN = ["describe", "sum_squares"] + [
    name for name in hd.__all__ if re.match("nan|segment_|exclusive_|cumulative_|.*_reduceat$", name)]
OWN += ["average", "count_nonzero", "minmax", "ptp"]


def functions():
    return [name for name in hd.__all__ if inspect.isfunction(getattr(hd, name))]


def test_the_staged_package_is_tested(build):
    assert PACKAGE == build / "python/heddle"


def test_names():
    assert set(OF_NUMPY + OF_UFUNCS + OWN) <= set(hd.__all__)
    assert list(hd.__all__) == sorted(set(hd.__all__))
    assert all(hasattr(hd, name) for name in hd.__all__)


def test_nothing_else_is_public():
    public = {name for name in vars(hd) if not name.startswith("_")}
    public -= {"dask", "torch"}  # there once they were imported
    assert public == set(hd.__all__)


@pytest.mark.parametrize("name", OF_NUMPY)
def test_arguments_are_numpys_by_name_and_place(name):
    try:
        theirs = inspect.signature(getattr(np, name)).parameters
    except ValueError:  # written in C: its documentation has them
        theirs = re.match(rf"{name}\((.*?)\)", getattr(np, name).__doc__ or "")
        theirs = re.findall(r"\w+", re.sub(r"=\S+", "", theirs.group(1))) if theirs else []
    ours = list(inspect.signature(getattr(hd, name)).parameters)
    shared = [p for p in theirs if p in ours]
    assert shared == [p for p in ours if p in shared]
    assert list(theirs)[:1] == ours[:1]


@pytest.mark.parametrize("name", OF_NUMPY + OF_UFUNCS + OWN)
def test_threads_and_device(name):
    parameters = inspect.signature(getattr(hd, name)).parameters
    for keyword in ("threads", "device"):
        assert parameters[keyword].default is None
        assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("name", sorted(functions()))
def test_functions_are_documented_with_types_and_an_example(name):
    function = getattr(hd, name)
    document = inspect.getdoc(function) or ""
    assert ">>> " in document, "an example"
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty, parameter.name
    named = all(re.search(rf"\b{parameter}\b", document) for parameter in signature.parameters)
    assert named or "arameters" in document, "its parameters, or whose they are"


@pytest.mark.skipif(sys.version_info < (3, 10), reason="annotations are in the form of later ones")
@pytest.mark.parametrize("name", sorted(functions()))
def test_types_of_arguments_are_known(name):
    hints = typing.get_type_hints(getattr(hd, name))
    for parameter in ("a", "x", "axis", "dtype", "out", "initial", "where", "weights"):
        assert hints.get(parameter) is not typing.Any, parameter


def test_version():
    header = (Path(__file__).resolve().parents[2] / "include/heddle.h").read_text()
    parts = [re.search(rf"HEDDLE_VERSION_{part} (\d+)", header).group(1)
             for part in ("MAJOR", "MINOR", "PATCH")]
    assert hd.__version__ == ".".join(parts)


def test_results_are_pickled():
    found = hd.histogram([0.5, 1.5, 1.7, np.nan], bins=2, range=(0, 2), full=True)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.svg() == found.svg()
    described = hd.describe([1.0, 2.0])
    assert pickle.loads(pickle.dumps(described)) == described
    earlier = b"cheddle._histogram\nHistogram\n."  # where they looked when it was a module
    assert pickle.loads(earlier) is hd.Histogram


def test_types_are_marked():
    assert (PACKAGE / "py.typed").exists()


def test_python_3_9_can_read_every_module():
    for path in PACKAGE.rglob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), path.name, feature_version=(3, 9))


def python(*arguments, **environment):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


def test_import_brings_in_no_library_but_numpy():
    code = ("import sys, heddle; "
            "print([m for m in ('torch', 'cupy', 'pandas', 'polars', 'pyarrow', 'ml_dtypes')"
            " if m in sys.modules])")
    assert python("-c", code).stdout == "[]\n"


def test_import_starts_no_thread_and_prints_nothing():
    code = "import heddle, os; assert len(os.listdir('/proc/self/task')) == 1"
    done = python("-c", code, OPENBLAS_NUM_THREADS="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_registry_s_page_shows_what_its_programs_print(capsys):
    page = (Path(__file__).resolve().parents[2] / "python/package.md").read_text(encoding="utf-8")
    blocks, names = re.findall(r"^```(\w+)\n(.*?)^```", page, flags=re.M | re.S), {}
    shown = ""
    for language, text in blocks:
        if language == "python":
            exec(text, names)
            shown = capsys.readouterr().out
        else:
            assert language == "console" and shown == text
    assert [language for language, _ in blocks] == ["python", "python", "console"]


def test_the_sources_alone_say_what_is_missing(tmp_path):
    sources = Path(__file__).resolve().parents[2] / "python"
    done = python("-c", "import heddle", PYTHONPATH=str(sources))
    assert done.returncode == 1
    assert "ImportError: heddle: " in done.stderr and "pip install" in done.stderr
