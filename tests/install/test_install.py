"""An installed tree that has been moved still serves CMake, pkg-config, C, C++ and the command.

Method   install without root into a temporary prefix, rename the tree, then build client.c and
         the program in README.md against it, for the shared and for the static library.
Needs    HEDDLE_BUILD (a build of the shared library with the command), gcc, g++, pkg-config.
"""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
EXPECTED = "0.1.0 10\n"
CMAKE_CLIENT = """cmake_minimum_required(VERSION 3.23)
project(client LANGUAGES {language})
set(CMAKE_C_STANDARD 11)
find_package(heddle 0.1 REQUIRED)
add_executable(client {source})
target_link_libraries(client PRIVATE heddle::heddle)
"""


def run(*command, **options):
    """stdout of a command that has to succeed without a library path in the environment."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    environment.update(options.pop("env", {}))
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            env=environment, timeout=300, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def install(build, folder):
    """Installs into one place, moves the tree to another and makes the first unusable."""
    first, moved = folder / "first", folder / "moved to" / "here"
    run("cmake", "--install", build, "--prefix", first)
    moved.parent.mkdir()
    first.rename(moved)
    return moved


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return install(os.environ["HEDDLE_BUILD"], tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    folder = tmp_path_factory.mktemp("static")
    run("cmake", "-S", ROOT, "-B", folder / "build", "-G", "Ninja", "-DBUILD_SHARED_LIBS=OFF",
        "-DHEDDLE_CLI=OFF", "-DHEDDLE_SIMT=OFF", "-DHEDDLE_SCALAR=ON", "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_INSTALL_LIBDIR=lib/{run('gcc', '-print-multiarch').strip()}")
    run("cmake", "--build", folder / "build", "--parallel", str(os.cpu_count()))
    return install(folder / "build", folder)


@pytest.fixture(params=["shared", "static"])
def tree(request):
    return request.getfixturevalue(request.param)


def library_folder(tree):
    return next(path.parent for path in tree.rglob("libheddle.*"))


def with_pkg_config(tree, source, program, compiler):
    pc = {"PKG_CONFIG_PATH": str(library_folder(tree) / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "heddle", env=pc)
    # Paths with blanks come back with the blanks escaped, as for a shell.
    run("sh", "-c", f"{compiler} -o '{program}' '{source}' {flags}")
    return run(program, env={"LD_LIBRARY_PATH": str(library_folder(tree))})


@pytest.mark.parametrize("language", ["C", "CXX"])
def test_find_package(tree, tmp_path, language):
    source = tmp_path / ("client.c" if language == "C" else "client.cpp")
    shutil.copy(ROOT / "tests/install/client.c", source)
    tmp_path.joinpath("CMakeLists.txt").write_text(
        CMAKE_CLIENT.format(language=language, source=source.name))
    run("cmake", "-S", tmp_path, "-B", tmp_path / "b", "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={tree}", f"-DCMAKE_{language}_FLAGS={' '.join(STRICT)}")
    run("cmake", "--build", tmp_path / "b")
    assert run(tmp_path / "b" / "client") == EXPECTED


def test_the_archive_has_no_names_but_its_own(static):
    lines = run("nm", "-g", "--defined-only", library_folder(static) / "libheddle.a").splitlines()
    names = {line.split()[2] for line in lines if len(line.split()) == 3}
    assert "heddle_reduce" in names
    assert [name for name in sorted(names) if not name.startswith("heddle_")] == []


@pytest.mark.parametrize("wanted, found", [("0.1", True), ("0.1.0", True), ("0.2", False),
                                           ("1.0", False), ("0.0", False)])
def test_find_package_takes_the_same_minor_version_only(shared, tmp_path, wanted, found):
    tmp_path.joinpath("CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(p LANGUAGES C)\n"
        f"find_package(heddle {wanted} QUIET)\nmessage(\"found=${{heddle_FOUND}}\")\n")
    result = subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path / "b", "-G", "Ninja",
                             f"-DCMAKE_PREFIX_PATH={shared}"], capture_output=True, text=True)
    assert f"found={1 if found else 0}" in result.stderr


@pytest.mark.parametrize("compiler, name", [("gcc -std=c11", "client.c"),
                                            ("g++ -std=c++11", "client.cpp")])
def test_pkg_config(tree, tmp_path, compiler, name):
    source = tmp_path / name
    shutil.copy(ROOT / "tests/install/client.c", source)
    command = " ".join([compiler, *STRICT])
    assert with_pkg_config(tree, source, tmp_path / "client", command) == EXPECTED


def test_pkg_config_version(shared):
    pc = {"PKG_CONFIG_PATH": str(library_folder(shared) / "pkgconfig")}
    assert run("pkg-config", "--modversion", "heddle", env=pc) == "0.1.0\n"


def readme_programs():
    return re.findall(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.M | re.S)


def readme_outputs():
    return re.findall(r"^```text\n(.*?)^```", (ROOT / "README.md").read_text(),
                      flags=re.M | re.S)


def commands_after(document, heading):
    """The lines of the indented blocks between a heading and the next one, as a shell's."""
    part = (ROOT / document).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^    (\S.*)$", re.sub(r"^```.*?^```", "", part, flags=re.M | re.S), flags=re.M)


def in_a_new_home(home, lines):
    """What the lines print where Heddle is installed as the documents say, in ~/.local."""
    run("cmake", "--install", os.environ["HEDDLE_BUILD"], "--prefix", home / ".local")
    return run("sh", "-e", "-c", "\n".join(lines), cwd=home,
               env={"HOME": str(home), "PKG_CONFIG_PATH": "", "LD_RUN_PATH": ""})


def test_the_commands_of_the_readme(tmp_path):
    lines = commands_after("README.md", "Ten lines of C")
    assert any(line.startswith("cc ") for line in lines)
    (tmp_path / "sums.c").write_text(readme_programs()[0])
    assert in_a_new_home(tmp_path, lines) == readme_outputs()[0]


def test_the_commands_of_the_installation_guide(tmp_path):
    lines = [line for line in commands_after("docs/install.md", "In a program of yours")
             if line.startswith(("export ", "cc "))]
    assert len(lines) == 3
    shutil.copy(ROOT / "tests/install/client.c", tmp_path / "program.c")
    assert in_a_new_home(tmp_path, [*lines[1:], "./a.out"]) == EXPECTED


def test_the_list_of_what_is_installed(shared):
    guide = (ROOT / "docs/install.md").read_text().split("\n## What is installed\n")[1]
    listed = set()
    for line in re.findall(r"^    (\S.*)$", guide.split("\n## ")[0], flags=re.M):
        first, *others = re.split(r",? {2,}", line)[0].split(", ")
        listed |= {first, *(str(pathlib.PurePath(first).with_name(name)) for name in others)}
    if not (pathlib.Path(os.environ["HEDDLE_BUILD"]) / "libexec/heddle/heddle-mpi").exists():
        listed.discard("libexec/heddle/heddle-mpi")  # no MPI was found
    lib = str(library_folder(shared).relative_to(shared))
    names = [re.sub(f"^{lib}/", "lib/", str(path.relative_to(shared)))
             for path in sorted(shared.rglob("*")) if not path.is_dir()]
    folders = tuple(name for name in listed if name.endswith("/"))
    assert [name for name in names if name not in listed and not name.startswith(folders)] == []
    absent = [name for name in listed if name not in names and not name.endswith("/")]
    absent += [folder for folder in folders if not any(n.startswith(folder) for n in names)]
    assert absent == []


def test_the_program_in_the_readme(shared, tmp_path):
    programs, outputs = readme_programs(), readme_outputs()
    assert len(programs) == 1 and len(outputs) == 1
    source = tmp_path / "sums.c"
    source.write_text(programs[0])
    command = " ".join(["gcc -std=c11", *STRICT])
    assert with_pkg_config(shared, source, tmp_path / "sums", command) == outputs[0]


def test_the_moved_command_finds_its_library(shared, tmp_path):
    numbers = tmp_path / "numbers.txt"
    numbers.write_text("1\n2\n3\n4\n")
    assert "10" in run(shared / "bin" / "heddle", "sum", numbers)
    needed = run("ldd", shared / "bin" / "heddle")
    assert str(shared) in os.path.realpath(
        re.search(r"libheddle\.so\.0 => (.*) \(0x", needed).group(1))


def test_the_moved_heddle_mpi_finds_its_library(shared):
    if not (shared / "libexec/heddle/heddle-mpi").exists():
        pytest.skip("this build has no heddle-mpi: no MPI was found")
    # root in a container, without a launcher: one rank
    text = run(shared / "bin/heddle", "mpi", "--help", env={"OMPI_ALLOW_RUN_AS_ROOT": "1",
                                                            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    assert text.startswith("usage: mpirun -n RANKS heddle mpi COMMAND")


def test_the_manual_and_the_completions_are_installed(shared):
    for path in ["share/man/man1/heddle.1", "share/bash-completion/completions/heddle",
                 "share/zsh/site-functions/_heddle",
                 "share/fish/vendor_completions.d/heddle.fish"]:
        assert (shared / path).stat().st_size > 200, path


def test_the_public_headers_and_no_private_file_are_installed(shared):
    assert sorted(path.name for path in (shared / "include").rglob("*") if path.is_file()) == [
        "heddle.f90", "heddle.h", "heddle_mpi.h", "heddle_nccl.h"]
    # what stands for a toolkit has its libraries' names (simt/tools/toolkit.cmake)
    private = [path for path in shared.rglob("*") if path.suffix in (".a", ".o", ".map")]
    assert all(path.parent == shared / "lib/heddle/cuda/lib64" for path in private), private


def test_no_absolute_path_of_the_build_is_left_in_the_tree(tree):
    texts = [path for path in tree.rglob("*") if path.suffix in (".cmake", ".pc")]
    assert len(texts) >= 4
    for path in texts:
        text = path.read_text()
        assert str(ROOT) not in text and "/first" not in text, path


CUDA_PROGRAM = """#include <cstdio>
__global__ void square(int *p) { p[threadIdx.x] = threadIdx.x * threadIdx.x; }
int main() {
  int *p;
  cudaMallocManaged(&p, 8 * sizeof *p);
  square<<<1, 8>>>(p);
  cudaDeviceSynchronize();
  printf("%d\\n", p[7]);
}
"""


@pytest.mark.parametrize("folder", ["lib64", "lib/x86_64-linux-gnu"])
def test_cuda_programs_run_where_a_distribution_keeps_libraries(shared, tmp_path, folder):
    if not (shared / "libexec/heddle/heddle-run").exists():
        return  # a build without the software device
    tree = tmp_path / "usr"
    (tree / folder).parent.mkdir(parents=True)
    shutil.copytree(shared / "libexec", tree / "libexec")
    shutil.copytree(library_folder(shared) / "heddle", tree / folder / "heddle")
    program = tmp_path / "square.cu"
    program.write_text(CUDA_PROGRAM, encoding="utf-8")
    assert run(tree / "libexec/heddle/heddle-run", program,
               env={"SIMT_CACHE_DIR": str(tmp_path / "cache")}) == "49\n"


def test_cuda_programs_run_from_a_moved_tree(shared, tmp_path):
    if not (shared / "libexec/heddle/heddle-run").exists():
        return  # a build without the software device
    program = tmp_path / "square.cu"
    program.write_text(CUDA_PROGRAM, encoding="utf-8")
    cache = {"SIMT_CACHE_DIR": str(tmp_path / "cache")}
    assert run(shared / "bin/heddle", "run", program, env=cache) == "49\n"
    assert run(shared / "bin/heddle", "ladder", "warp", "08", env=cache).endswith(
        "1 right, 0 caught, 0 wrong\n")
    executable = tmp_path / "square"
    run(shared / "libexec/heddle/heddle-cc", program, "-o", executable)
    assert run(executable) == "49\n"
