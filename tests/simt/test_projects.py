"""Whole projects: heddle-nvcc under CMake and by itself, heddle check of a command.

project/ has several directories: a static library compiled separately, a shared library one of
whose kernels races, a program that each compiler links. It is configured and built once, for checking.
"""
import json
import os
import pathlib
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

from conftest import HERE, find_run

RUN = find_run()
NVCC, CHECK = (RUN and str(RUN.with_name(name)) for name in ("heddle-nvcc", "heddle-check"))
VARIABLES = ("HEDDLE_NVCC_FLAGS", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CUDAFLAGS", "CXXFLAGS", "LDFLAGS")


@pytest.fixture(scope="session")
def environment(simt_environment):
    return {k: v for k, v in simt_environment.items() if k not in VARIABLES}


def call(folder, environment, *words, **more):
    return subprocess.run([str(w) for w in words], cwd=folder, env={**environment, **more}, capture_output=True,
                          text=True, timeout=120, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def built(tmp_path_factory, environment):
    """The project, built."""
    if not shutil.which("cmake") or not shutil.which("ninja"):
        pytest.skip("no cmake or no ninja")
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(HERE / "project", folder / "source")
    done = call(folder, environment, "cmake", "-G", "Ninja", "source", f"-DCMAKE_CUDA_COMPILER={NVCC}",
                "-DCMAKE_CUDA_FLAGS=--check", "-DCMAKE_CXX_FLAGS=-O0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NVIDIA 13.0.88" in done.stdout and 'found version "13.0.88"' in done.stdout
    done = call(folder, environment, "ninja")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_cmake_knows_where_things_are(built):
    text = next(built.glob("CMakeFiles/*/CMakeCUDACompiler.cmake")).read_text()
    toolkit = RUN.parents[2] / "lib/heddle/cuda"
    assert f'HOST_LINK_LAUNCHER "{NVCC}"' in text and f'COMPILER_TOOLKIT_ROOT "{toolkit}"' in text
    assert 'RUNTIME_LIBRARY_DEFAULT "STATIC"' in text
    assert "/usr/include" in text.split("IMPLICIT_INCLUDE_DIRECTORIES", 1)[1].splitlines()[0]


def test_reports_of_all_processes_are_one(built, environment):
    done = call(built, environment, CHECK, "--json=r.json", "--sarif", "r.sarif", "--junit", "r.xml", "--", "ctest")
    assert done.returncode == 3 and "100% tests passed" in done.stdout
    assert "1 finding (race 1)" in done.stderr and "of 3 processes" in done.stderr
    report = json.loads((built / "r.json").read_text())
    assert report["status"] == 3 and report["run"]["status"] == 0 and report["unchecked"] == []
    assert [(p["program"].split("/")[-1], p["findings"]) for p in report["processes"]] == [
        ("cxx_app sum", 0), ("cuda_app flip", 0), ("cuda_app race", 1)]
    found, = report["findings"]
    assert found["program"].endswith("cuda_app race") and found["processes"] == 1
    assert {(pathlib.Path(p["file"]).name, p["line"]) for p in found["places"]} == {("flip.cu", 5), ("flip.cu", 7)}
    run, = json.loads((built / "r.sarif").read_text())["runs"]
    result, = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert result["ruleId"] == run["tool"]["driver"]["rules"][0]["id"] == "race" and result["level"] == "error"
    assert place["artifactLocation"]["uri"].endswith("source/image/flip.cu") and place["region"]["startLine"] == 5
    suite = xml.etree.ElementTree.parse(built / "r.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    assert [len(case) for case in suite] == [0, 0, 1] and "flip.cu:7" in suite[2][0].text


def test_equal_findings_of_several_processes_are_one(built, environment):
    done = call(built, environment, CHECK, "--", "sh", "-c", "app/cuda_app race; app/cuda_app race x; exit 5")
    assert done.returncode == 3 and done.stderr.count("race: ") == 1
    assert "in app/cuda_app race and 1 other process\n" in done.stderr and "128 times" in done.stderr


def test_a_command_keeps_its_status(built, environment):
    done = call(built, environment, CHECK, "--", "sh", "-c", "app/cuda_app flip; exit 5")
    assert done.returncode == 5 and "no findings in 2 launches, 2 blocks of 1 process\n" in done.stderr
    done = call(built, environment, CHECK, "--", "sh", "-c", "kill -9 $$")
    assert done.returncode == 137 and "no program with kernels was run" in done.stderr
    done = call(built, environment, CHECK, "--", "no-such-command")
    assert done.returncode == 2 and "no program no-such-command" in done.stderr


def test_files_that_are_no_findings(built, environment):
    """What a command does to the folder is its own to answer for; it neither stops nor misleads the report."""
    done = call(built, environment, CHECK, "--", "sh", "-c", 'cd "$SIMT_CHECK"; echo junk >1.0.findings; '
                'mkfifo 2.0.findings 3.0.unchecked; ln -s /etc/passwd 4.0.unchecked; : >5.0.findings; mkdir 6.0.findings; '
                f'{built}/app/cuda_app flip; mv *.0.program old; exit 0')
    assert done.returncode == 3 and "4 processes have overwritten the list of their findings" in done.stderr
    assert "no findings in 2 launches, 2 blocks of 1 process" in done.stderr and "root:" not in done.stderr


def test_touched_header_builds_what_includes_it(built, environment):
    (built / "source/image/flip.h").touch()
    done = call(built, environment, "ninja", "-n")
    assert "flip.cu.o" in done.stdout and "sum.cu.o" not in done.stdout


# ---- by itself -----------------------------------------------------------------------------------

KERNEL = '#include "n.h"\n__global__ void k(int *p) { *p = N; }\nint make() { int *p, h = 0; cudaMalloc(&p, 4); k<<<1,1>>>(p);' \
         " cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); return h; }\n"


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "n.h").write_text("#define N 7\n")
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "main.cpp").write_text("int make(); int main() { return make(); }\n")
    return tmp_path


def test_inputs_of_all_kinds_in_one_call(sources, environment):
    (sources / "all.rsp").write_text("-O0 --options-file 'more one.rsp'\n")
    (sources / "more one.rsp").write_text('k.o\n-DUNUSED="a b" -Xlinker --no-undefined,-z,defs')
    done = call(sources, environment, NVCC, "-c", "k.cu", "-MD", "-MT", "k.o", "-MF", "k.d", "-MP",
                NVCC_PREPEND_FLAGS="-O0 --compiler-options=-fPIC")
    rule = (sources / "k.d").read_text()
    assert done.returncode == 0 and rule.startswith("k.o: k.cu \\\n") and "\nn.h:\n" in rule, done.stderr
    assert call(sources, environment, NVCC, "main.cpp", "@all.rsp", "-o", "p").returncode == 0
    assert call(sources, environment, "./p").returncode == 7
    # As Meson writes it: the commas are the word's own.
    done = call(sources, environment, NVCC, "k.o", "-shared", "-o", "libk.so", "-Xcompiler=-Wl\\,-rpath\\,'$ORIGIN/'")
    assert done.returncode == 0 and "[$ORIGIN/:" in call(sources, environment, "readelf", "-d", "libk.so").stdout
    (sources / "libk.so").unlink()
    done = call(sources, environment, NVCC, "-lib", "k.o", "-o", "libk.a")
    assert done.returncode == 0 and call(sources, environment, "ar", "t", "libk.a").stdout == "k.o\n"
    done = call(sources, environment, NVCC, "-run", "-O0", "main.cpp", "-L.", "-lk", "-cudart", "shared")
    assert done.returncode == 7, done.stderr
    done = call(sources, environment, NVCC, "-MM", "k.cu")
    assert done.stdout == "k.o: k.cu \\\n n.h\n"


def test_not_checked_is_said(sources, environment):
    assert call(sources, environment, NVCC, "-O0", "main.cpp", "k.cu", "-o", "p").returncode == 0
    done = call(sources, environment, CHECK, "--", "./p")
    assert done.returncode == 7 and f"not checked: {sources}/p was not built with --check" in done.stderr


def test_flags_of_the_environment_build_for_checking(sources, environment):
    done = call(sources, environment, NVCC, "k.cu", "main.cpp", "-o", "p", HEDDLE_NVCC_FLAGS="--check")
    assert done.returncode == 0, done.stderr
    done = call(sources, environment, CHECK, "--", "./p")
    assert done.returncode == 7 and "no findings in 1 launch, 1 block of 1 process" in done.stderr


@pytest.mark.parametrize("words, parts", [
    (["--no-such", "k.cu"], ["unknown option '--no-such'", "-Xcompiler", "-forward-unknown-to-host-compiler"]),
    (["-expt-relaxed-constexp", "k.cu"], ["unknown option '-expt-relaxed-constexp'; did you mean"]),
    (["-Wl,-z,defs", "k.cu"], ["unknown option '-Wl,-z,defs'"]),
    (["-ptx", "k.cu"], ["--ptx", "makes no PTX"]),
    (["--cubin", "k.cu"], ["makes no cubin"]),
    (["-fatbin", "k.cu"], ["makes no fatbin"]),
    (["k.foo"], ["don't know what to do with 'k.foo'", "-x cu"]),
    (["-o"], ["option '-o' needs a value"]),
    (["-rdc=maybe", "k.cu"], ["-rdc is one of true, false; not 'maybe'"]),
    (["-cudart", "both", "k.cu"], ["-cudart is one of none, shared, static; not 'both'"]),
    (["-x", "fortran", "k.cu"], ["-x is one of cu, c++, c; not 'fortran'"]),
    (["-ccbin", "clang++", "k.cu"], ["-ccbin clang++", "g++ alone"]),
    (["--options-file", "none.rsp"], ["cannot read the response file none.rsp"]),
    (["@self.rsp"], ["response files name each other more than 8 deep"]),
    (["@open.rsp"], ["a quote in open.rsp is not closed"]),
    ([], ["no input files"]),
    (["-c", "k.cu", "main.cpp", "-o", "x.o"], ["-c with -o takes one source"]),
])
def test_hostile_lines(sources, environment, words, parts):
    (sources / "self.rsp").write_text("@self.rsp")
    (sources / "open.rsp").write_text("k.cu '-DA")
    done = call(sources, environment, NVCC, *words)
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith("heddle-nvcc: ") and done.stderr.count("\n") == 1
    for part in parts:
        assert part in done.stderr


def test_who_needs_the_library_by_which_name(built, environment):
    """Programs that g++ links have no rpath to it; the libraries beside it may be moved with it."""
    home = RUN.parents[2] / "lib/heddle"
    for path, name in ((built / "app/cxx_app", home / "libsimt.so"), (built / "app/cuda_app", "libsimt.so"),
                       (home / "libsimt_cuda.so", "libsimt.so"), (home / "libsimt_nvrtc.so", "libsimt.so")):
        assert f"[{name}]" in call(built, environment, "readelf", "-d", path).stdout, path


def test_what_builds_ask_for(sources, environment):
    done = call(sources, environment, NVCC, "--version")
    assert "nvcc: NVIDIA (R) Cuda compiler driver\n" in done.stdout and "release 13.0, V13.0.88" in done.stdout
    done = call(sources, environment, NVCC, "-v", "__cmake_determine_cuda")
    assert done.returncode == 1 and "#$ TOP=" in done.stderr and "don't know what to do" in done.stderr
    done = call(sources, environment, NVCC, "--dryrun", "k.cu", "-o", "p")
    assert done.returncode == 0 and "-arch compute_75" in done.stderr and not (sources / "p").exists()
    libraries = next(t for t in done.stderr.splitlines() if "LIBRARIES=" in t).split("=", 1)[1].strip()
    assert libraries in done.stderr.splitlines()[-1] and "-lcudart_static" in done.stderr.splitlines()[-1]
    assert "compute_75\n" in call(sources, environment, NVCC, "--list-gpu-arch").stdout
    toolkit = RUN.parents[2] / "lib/heddle/cuda"
    assert os.path.samefile(toolkit / "bin/nvcc", NVCC) and (toolkit / "include/cuda_runtime.h").exists()
