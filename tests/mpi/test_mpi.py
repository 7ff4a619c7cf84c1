"""heddle_mpi.h under Open MPI and MPICH, 1 to 8 ranks, and the command heddle mpi.

The program test_mpi.c has all cases of the header in one launch; the command's output has to be that of
the same command without MPI, letter by letter.
"""
import os
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEDDLE = os.environ["HEDDLE"]
TOOL = pathlib.Path(os.environ["HEDDLE_BUILD"]) / "libexec/heddle/heddle-mpi"
# More ranks than processors, by root in a container, without a network.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# MPICH: states in several pieces, as those of large histograms are.
EXTRA = {"openmpi": (), "mpich": ("-DHEDDLE_MPI_PIECE=500", "-rdynamic", str(HERE / "sleep.c"), "-ldl")}


def launcher(kind, ranks):
    many = ["--oversubscribe"] if kind == "openmpi" else []
    return [f"mpirun.{kind}", *many, "-n", str(ranks)]


def launch(kind, ranks, *command, **options):
    return subprocess.run([*launcher(kind, ranks), *map(str, command)], capture_output=True, text=True, timeout=300,
                          check=False, env={**os.environ, **OPEN_MPI}, **options)


@pytest.fixture(scope="module", params=["openmpi", "mpich"])
def program(request, tmp_path_factory):
    kind = request.param
    compiler = shutil.which(f"mpicc.{kind}")
    if not compiler or not shutil.which(f"mpirun.{kind}"):
        pytest.skip(f"there is no mpicc.{kind}")
    library = pathlib.Path(os.environ["HEDDLE_LIBRARY"])
    made = tmp_path_factory.mktemp(kind) / "test_mpi"
    subprocess.run([compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
                    f"-I{ROOT / 'include'}", str(HERE / "test_mpi.c"), str(HERE / "cases.c"), *EXTRA[kind],
                    str(library), f"-Wl,-rpath,{library.parent}", "-o", str(made)], check=True, timeout=300)
    return kind, made


@pytest.mark.parametrize("ranks", [1, 2, 3, 8])
def test_every_call_has_the_bits_of_the_plain_one(program, ranks):
    kind, made = program
    result = launch(kind, ranks, made)
    assert result.returncode == 0, result.stdout + result.stderr[-4000:]
    assert result.stdout.startswith(f"{ranks} ranks, ") and result.stdout.endswith(" 0 failed\n")
    assert int(result.stdout.split()[2]) > 3000


def test_the_program_of_the_guide(program, tmp_path):
    kind, _ = program
    guide, library = (ROOT / "docs/scale.md").read_text(), pathlib.Path(os.environ["HEDDLE_LIBRARY"])
    (tmp_path / "slices.c").write_text(re.search(r"```c\n(.*?)```", guide, re.DOTALL).group(1))
    expected = re.findall(r"^\d ranks: .*$", guide, re.MULTILINE)
    subprocess.run([f"mpicc.{kind}", "-O2", "-Wall", f"-I{ROOT / 'include'}", "slices.c", "-o", "slices", str(library),
                    f"-Wl,-rpath,{library.parent}"], cwd=tmp_path, check=True, timeout=300)
    assert len(expected) == 3
    for line in expected if kind == "openmpi" else expected[:2]:  # the rest has no processors here
        result = launch(kind, int(line.split()[0]), tmp_path / "slices")
        assert result.stdout == line + "\n", result.stderr


@pytest.mark.parametrize("language", ["c++", "c99"])
def test_the_header_compiles_as_other_languages(program, tmp_path, language):
    kind, _ = program
    source = tmp_path / ("a.cc" if language == "c++" else "a.c")
    source.write_text("#include <heddle_mpi.h>\nint main(void) { return heddle_mpi_message()[0]; }\n")
    compiler = f"mpicxx.{kind}" if language == "c++" else f"mpicc.{kind}"
    options = ["-Wno-cast-function-type"] if language == "c++" else ["-std=c99", "-Wpedantic"]
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", *options, f"-I{ROOT / 'include'}", "-c", str(source),
                    "-o", str(tmp_path / "a.o")], check=True, timeout=300)


# ---- the command ---------------------------------------------------------------------------

@pytest.fixture(scope="module")
def mpi():
    """The MPI that the command is built with."""
    if not TOOL.exists():
        pytest.skip("there is no heddle-mpi in this build: no MPI was found")
    libraries = subprocess.run(["ldd", TOOL], capture_output=True, text=True, check=True).stdout
    return "mpich" if "mpich" in libraries else "openmpi"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, r = tmp_path_factory.mktemp("files"), np.random.default_rng(1)
    np.save(folder / "a.npy", r.standard_normal(100_003))
    np.save(folder / "b.npy", r.standard_normal(100_003))
    np.save(folder / "table.npy", r.standard_normal((70, 300)).astype(np.float32))
    np.save(folder / "whole.npy", r.integers(-5, 5, 70_000))
    np.save(folder / "none.npy", np.zeros(0))
    np.save(folder / "few.npy", r.standard_normal(9).astype(np.float32))
    r.standard_normal(50_001).astype(np.float32).tofile(folder / "x.raw")
    (folder / "text.txt").write_text("1\n2\n")
    return folder


SAME = ["sum a.npy", "sum --exact a.npy", "min a.npy --json", "max x.raw --type f32", "reduce --op argmax a.npy",
        "reduce --op argmin whole.npy --csv", "reduce --op prod --type f32 x.raw",
        "sum --type f32 --offset 4 --count 40000 x.raw", "sum --offset 3 --count 9000 a.npy", "dot a.npy b.npy",
        "dot --exact a.npy b.npy --json", "dot whole.npy whole.npy", "describe a.npy", "describe few.npy --csv",
        "describe table.npy", "sum none.npy", "describe none.npy", "reduce --op sum whole.npy --init 5",
        "sum few.npy --acc f64", "sum --bytes x.raw", "reduce --op sum_squares --exact few.npy", "sum --help",
        "median a.npy", "quantile 0.1,0.5,0.99 --type f32 x.raw --csv", "quantile 0.5 whole.npy --method hazen --json",
        "median few.npy --nan skip", "top a.npy", "top -k 5000 --least --csv whole.npy", "top -k 7 --json --type f32 x.raw",
        "top -k 20 few.npy", "nth 0,50000,100002 a.npy", "nth 7 --type f32 x.raw --csv", "nth 3,0,3 whole.npy --json"]


@pytest.mark.parametrize("line", SAME)
def test_the_output_is_that_of_the_command_alone(mpi, files, line):
    alone = subprocess.run([HEDDLE, *line.split()], cwd=files, capture_output=True, text=True, check=True)
    assert alone.stdout
    for ranks in (3, 4) if line == "sum a.npy" else (4,):
        result = launch(mpi, ranks, HEDDLE, "mpi", *line.split(), cwd=files)
        assert (result.returncode, result.stdout) == (0, alone.stdout), result.stderr


@pytest.mark.parametrize("line, code, words", [
    ("min none.npy", 1, "the min of no values is not defined"),
    ("sum gone.npy", 1, "cannot open gone.npy"),
    ("dot a.npy table.npy", 1, "holds f64, but table.npy holds f32"),
    ("dot a.npy none.npy", 1, "none.npy ends after 0 elements, but a.npy has more"),
    ("sum text.txt", 2, "heddle convert makes one"),
    ("sum --axis 0 table.npy", 2, "--axis"),
    ("sum a.npy b.npy", 2, "takes one file, but 2 were given"),
    ("sum --exact whole.npy", 2, "--exact is for floats"),
    ("sum --nonsense a.npy", 2, "unknown option"),
    ("sort a.npy", 2, "has no 'sort'"),
    ("median none.npy", 1, "no element came"),
    ("nth 5,9 few.npy", 2, "9"),
    ("nth -- 0.5 few.npy", 2, "is no rank"),
    ("top text.txt", 2, "heddle convert makes one"),
])
def test_a_failure_is_told_once_and_ends_all_ranks(mpi, files, line, code, words):
    result = launch(mpi, 3, HEDDLE, "mpi", *line.split(), cwd=files)
    said = [said for said in result.stderr.splitlines() if said.startswith("heddle: ")]
    assert result.returncode == code and not result.stdout
    assert len(said) == 1 and words in said[0], result.stderr


def test_a_rank_that_fails_alone_is_named(mpi, files):
    """Rank 2 finds no file where it stands."""
    script = 'test "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 2 && cd /; exec "$0" mpi sum a.npy'
    result = launch(mpi, 3, "sh", "-c", script, HEDDLE, cwd=files)
    assert result.returncode == 1 and not result.stdout
    assert "heddle: rank 2: cannot open a.npy" in result.stderr


def test_a_rank_that_dies_ends_all(mpi, files):
    script = 'test "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 && kill -9 $$; exec "$0" mpi sum a.npy'
    result = launch(mpi, 3, "sh", "-c", script, HEDDLE, cwd=files)
    assert result.returncode != 0 and not result.stdout


def test_the_launcher_of_another_mpi_is_refused(mpi, files):
    other = "mpich" if mpi == "openmpi" else "openmpi"
    if not shutil.which(f"mpirun.{other}"):
        pytest.skip(f"there is no mpirun.{other}")
    result = launch(other, 2, HEDDLE, "mpi", "sum", "a.npy", cwd=files)
    assert result.returncode == 2 and not result.stdout and "built with another MPI" in result.stderr


def test_without_mpirun_it_is_the_command(mpi, files):
    alone = subprocess.run([HEDDLE, "sum", "a.npy"], cwd=files, capture_output=True, text=True, check=True)
    result = subprocess.run([HEDDLE, "mpi", "sum", "a.npy"], cwd=files, capture_output=True, text=True, timeout=100,
                            check=True, env={**os.environ, **OPEN_MPI})
    assert mpi and result.stdout == alone.stdout
