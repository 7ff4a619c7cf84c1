"""heddle-simt: programs that find the CUDA driver and NVRTC by themselves get the software device's.

The programs are in python/ and are run by the tests' own interpreter, with the packages of requirements.txt.
"""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT, find_run

RUN = find_run()
SIMT = RUN and RUN.with_name("heddle-simt")
LIBRARIES = RUN and RUN.parents[2] / "lib/heddle"
HERE = pathlib.Path(__file__).resolve().parent / "python"
DEVICE = "simt (software CUDA device)"

pytestmark = pytest.mark.skipif(not SIMT or not SIMT.exists(), reason="heddle-simt is not built")
needs_packages = pytest.mark.skipif(not importlib.util.find_spec("cuda"),
                                    reason="cuda-bindings and cuda-core are not installed")


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    folder = tmp_path_factory.mktemp("python")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SIMT_", "CUDA_", "LD_"))}
    environment = {**kept, "SIMT_CACHE_DIR": str(folder), "TMPDIR": str(folder), "SIMT_TIMEOUT": "30",
                   "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*words, **more):
        return subprocess.run([str(w) for w in (SIMT, *words)], env={**environment, **more}, capture_output=True,
                              text=True, timeout=120, stdin=subprocess.DEVNULL)
    return run


@needs_packages
def test_a_program_over_the_bindings(call):
    done = call(sys.executable, HERE / "bindings.py")
    assert (done.returncode, done.stdout) == (0, f"{DEVICE} 163 100\n"), done.stderr


@needs_packages
def test_a_program_over_cuda_core(call):
    done = call("--schedule", "reverse", sys.executable, HERE / "core.py")
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first == "6.0 3000.0"
    assert "JIT_COMPILER_NOT_FOUND" in rest[0]
    assert re.search(r"^simt: PTX, such as Numba makes of kernels, cannot run", done.stderr, re.M)


@needs_packages
def test_a_race_is_reported_with_its_lines(call, tmp_path):
    report = tmp_path / "report.json"
    done = call("--check", "--json", report, sys.executable, HERE / "bindings.py", "race")
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith(DEVICE)
    finding, = json.loads(report.read_text())["findings"]
    places = {(p["access"], p["file"], p["line"]) for p in finding["places"] if p["access"] in ("read", "write")}
    assert finding["class"] == "race" and places == {("write", "turn.cu", 4), ("read", "turn.cu", 6)}
    assert "put __syncthreads() between turn.cu:4 and turn.cu:6" in finding["advice"]
    done = call("--check", "--quiet", sys.executable, HERE / "bindings.py")
    assert (done.returncode, done.stderr) == (0, "")


@needs_packages
def test_the_example_of_the_manual(call, tmp_path):
    """What is said is what docs/simt.md shows, but for the ends of lines."""
    manual = (ROOT / "docs/simt.md").read_text()
    program = re.search(r"^```python turn.py\n(.*?)^```$", manual, re.M | re.S).group(1)
    shown = re.search(r"^```console\n\$ heddle simt --check python3 turn.py\n(.*?)^```$", manual, re.M | re.S).group(1)
    (tmp_path / "turn.py").write_text(program)
    done = call("--check", sys.executable, tmp_path / "turn.py")
    said, last = done.stderr.rsplit("\n\n", 1)
    assert (done.returncode, said.split()) == (3, shown.split())
    assert last == "heddle check: 1 finding (race 1) in 1 launch, 1 block\n"


@needs_packages
def test_the_runtime_of_nvidia_says_what_it_lacks(call):
    done = call(sys.executable, "-c", "from cuda.bindings import runtime; print(runtime.cudaMalloc(4)[0])")
    assert done.returncode == 0 and "cudaSuccess" not in done.stdout
    assert done.stderr.count("simt: NVIDIA's CUDA runtime, which is linked into this program") == 1


def test_whose_libraries_a_process_gets(call, tmp_path):
    if not shutil.which("gcc"):
        pytest.skip("no gcc")
    for name in ("libcuda.so.1", "libnvrtc.so.13", "libcudafoo.so.1"):  # what a package has brought
        subprocess.run(["gcc", "-shared", "-x", "c", "/dev/null", "-o", tmp_path / name], check=True)
    done = call(sys.executable, HERE / "loader.py", tmp_path, LD_LIBRARY_PATH=str(tmp_path))
    wanted = "simt, simt, nvrtc 13, nvrtc 13, nvrtc 13, simt, simt\nFalse\n"
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, sorted(2 * wanted.splitlines())), done.stderr


def test_command_and_environment(call, tmp_path):
    show = "echo $SIMT_SCHEDULE $SIMT_THREADS $SIMT_TIMEOUT $CUDA_PATH $LD_AUDIT; exit 7"
    done = call("--schedule=reverse", "--threads", 1, "--timeout", 5, "--", "sh", "-c", show)
    redirect = LIBRARIES / "libsimt_redirect.so"
    assert done.returncode == 7
    assert done.stdout.split() == ["reverse", "1", "5", str(LIBRARIES / "cuda"), str(redirect)]
    assert call("sh", "-c", "echo $LD_AUDIT", LD_AUDIT=str(redirect)).stdout == f"{redirect}\n"
    other = call("sh", "-c", "echo $LD_AUDIT", LD_AUDIT=f"{redirect}2")
    assert other.stdout == f"{redirect}:{redirect}2\n"  # and ld.so has said that there is none
    assert call("--version").stdout.startswith("heddle-simt: ")
    assert "heddle-simt [options] COMMAND" in call("--help").stdout


@pytest.mark.parametrize("words,status,said", [
    ([], 2, "no command"), (["--check"], 2, "no command"), (["--quiet", "true"], 2, "only with --check: --quiet"),
    (["--json", "x", "true"], 2, "only with --check: --json=x"), (["--json"], 2, "a value is missing for --json"),
    (["--sideways", "true"], 2, "unknown option --sideways"), (["--check=1", "true"], 2, "unknown option"),
    (["no-such-command"], 127, "cannot start no-such-command"), (["/"], 126, "cannot start /"),
    (["--check", "--max", "x", "true"], 2, "--max is a whole number"),
])
def test_wrong_command_lines(call, words, status, said):
    done = call(*words)
    assert (done.returncode, done.stdout) == (status, "") and said in done.stderr, done.stderr


def test_an_installation_that_is_incomplete(call, tmp_path):
    for name in ("libsimt.so", "include/cuda_runtime.h"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    done = call("true", SIMT_HOME=str(tmp_path))
    assert done.returncode == 2 and "libsimt_redirect.so: No such file" in done.stderr
