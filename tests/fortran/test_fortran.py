"""The Fortran module: the bits of the Python package, by gfortran; failures with and without stat."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(pathlib.Path(os.environ["HEDDLE_BUILD"]) / "python"))
import heddle as hd  # noqa: E402


def compiled(source, folder, *options):
    if not shutil.which("gfortran"):
        pytest.skip("there is no gfortran")
    library = pathlib.Path(os.environ["HEDDLE_LIBRARY"])
    subprocess.run(["gfortran", "-O1", *options, str(ROOT / "include/heddle.f90"), str(source), str(library),
                    f"-Wl,-rpath,{library.parent}", "-o", "sums"], cwd=folder, check=True, timeout=300)
    return folder / "sums"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled(HERE / "sums.f90", tmp_path_factory.mktemp("fortran"), "-std=f2018", "-Wall", "-Wextra",
                    "-Wno-compare-reals", "-Werror", "-fcheck=all,no-array-temps")


@pytest.mark.parametrize("count", [0, 7, 2_100, 100_002])
def test_the_bits_are_those_of_every_other_language(program, tmp_path, count):
    r = np.random.default_rng(count)
    x, y = r.standard_normal((2, count)) * np.exp2(r.integers(-9, 9, count))
    (tmp_path / "data").write_bytes(np.int64(count).tobytes() + x.tobytes() + y.tobytes())
    result = subprocess.run([program, tmp_path / "data"], capture_output=True, text=True, timeout=100, check=False)
    said = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    a, b = x.astype(np.float32), y.astype(np.float32)
    expected = {"sum_f32": hd.sum(a), "sum_f64": hd.sum(x), "exact_sum_f32": np.float32(hd.fsum(a)),
                "exact_sum_f64": hd.fsum(x), "dot_f32": hd.dot(a, b), "dot_f64": hd.dot(x, y),
                "exact_dot_f32": hd.dot(a, b, exact=True), "exact_dot_f64": hd.dot(x, y, exact=True),
                "backwards_f64": hd.sum(x[::-1].copy()), "every_third_f64": hd.sum(x[::3].copy()),
                "matrix_f64": hd.sum(x)}
    for name, value in expected.items():
        word = np.uint32 if name.endswith("f32") else np.uint64
        dtype = np.float32 if name.endswith("f32") else np.float64
        assert int(said[name], 16) == int(np.asarray(value, dtype).view(word)), name
    assert said["lengths"] == ("1" if count else "0")
    assert said["closed"].startswith("1 heddle_reduce: ") and said["device"].startswith("5 heddle_open: ")
    assert result.returncode != 0 and "heddle_reduce: " in result.stderr and "stops" not in said


def test_the_program_of_the_guide(tmp_path):
    guide = (ROOT / "docs/scale.md").read_text()
    (tmp_path / "guide.f90").write_text(re.search(r"```fortran\n(.*?)```", guide, re.DOTALL).group(1))
    said = subprocess.run([compiled(tmp_path / "guide.f90", tmp_path)], capture_output=True, text=True, timeout=100,
                          check=True).stdout
    assert f"$ ./sums\n{said}" in guide
