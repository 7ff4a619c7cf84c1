"""`pip install .` in a clean copy of the tree, the README's example with it, and `python -m build`.

Method   The tree is copied without what Git ignores. pip builds and installs it into a new virtual
         environment, as a user does, but without optimisation and vector kernels, which take a minute:
         those are the gcc build's, whose package tests/python has at work. build makes the source
         distribution and, from that, a wheel as plain, whose content is looked at.
Needs    a C compiler, CMake, Python's venv, and a registry for NumPy and scikit-build-core
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
IGNORED = shutil.ignore_patterns(".git", ".gpu", "build", "build-*", ".venv", "__pycache__",
                                 "*.pyc", ".hypothesis", ".pytest_cache", "out")
UNOPTIMISED = {"SKBUILD_CMAKE_DEFINE": "CMAKE_C_FLAGS_RELEASE=-O0;HEDDLE_SCALAR=ON"}
INFO = {f"heddle-0.1.0.dist-info/{name}"
        for name in ["METADATA", "RECORD", "WHEEL", "licenses/LICENSE"]}
# Folders of the source distribution; of the documents it has the guide to the package alone.
SOURCES = ["cmake", "docs", "include", "python", "src"]
FILES = {"CHANGELOG.md", "CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "example.py",
         "heddle.pc.in", "pyproject.toml"}


def run(*command, more=(), **options):
    """stdout of a command that has to succeed, in an environment without the package."""
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("PYTHONPATH", "LD_LIBRARY_PATH") and not k.startswith("HEDDLE")}
    environment.update(more)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=environment, timeout=1200, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the tree as a clone has it."""
    return shutil.copytree(ROOT, tmp_path_factory.mktemp("tree of") / "heddle", symlinks=True,
                           ignore=IGNORED)


@pytest.fixture(scope="module")
def package(clone):
    """The files of the installed package."""
    folder = clone / "python/heddle"
    modules = [str(path.relative_to(folder)) for path in folder.rglob("*.py")]
    assert "__init__.py" in modules
    made = ["_constants.py", "_lib/libheddle.so.0", "_lib/libheddle_python.so"]
    return {f"heddle/{name}" for name in [*modules, "py.typed", *made]}


@pytest.fixture(scope="module")
def installed(clone):
    """The Python of the virtual environment `v`, where pip has installed the copy."""
    before = {path.relative_to(clone) for path in clone.rglob("*")}
    run(sys.executable, "-m", "venv", "v", cwd=clone)
    run("v/bin/pip", "install", ".", cwd=clone, more=UNOPTIMISED)
    left = {path.relative_to(clone) for path in clone.rglob("*")} - before
    assert {path.parts[0] for path in left} == {"v"}, "pip leaves files in the tree"
    return clone / "v/bin/python"


def readme(language):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.M | re.S)


def test_the_readme_shows_the_example():
    program = (ROOT / "example.py").read_text(encoding="utf-8")
    assert [program[program.index("import"):]] == readme("python")


def test_the_example_prints_what_the_readme_says(installed, clone):
    shown = [block for block in readme("console") if "example.py" in block]
    command, _, output = shown[0].partition("\n")
    assert len(shown) == 1 and command.endswith("v/bin/python example.py")
    assert run(installed, "example.py", cwd=clone) == output


def test_the_installed_package_is_the_wheels(installed, clone, package):
    site = pathlib.Path(run(installed, "-c", "import heddle; print(heddle.__path__[0])").strip())
    assert clone / "v" in site.parents
    record = (site.parent / "heddle-0.1.0.dist-info/RECORD").read_text().splitlines()
    names = {line.split(",")[0] for line in record if "__pycache__" not in line}
    assert package <= names
    extra = {"INSTALLER", "REQUESTED", "direct_url.json"}  # pip's own
    assert {name for name in names - package - INFO if name.split("/")[-1] not in extra} == set()
    wheel = (site.parent / "heddle-0.1.0.dist-info/WHEEL").read_text()
    assert re.search(r"^Tag: py3-none-linux_\w+$", wheel, flags=re.M)


def test_the_libraries_need_the_system_and_one_another_only(installed):
    site = run(installed, "-c", "import heddle; print(heddle.__path__[0])").strip()
    for name in ("libheddle.so.0", "libheddle_python.so"):
        entries = run("readelf", "-d", f"{site}/_lib/{name}")
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", entries))
        system = {n for n in needed if re.match(r"lib(c|m|dl|pthread)\.so|ld-linux", n)}
        assert needed - system <= {"libheddle.so.0"}
        assert re.findall(r"R(?:UN)?PATH.*\[(.*)\]", entries) in ([], ["$ORIGIN"])
        assert not [s for s in run("nm", "-D", "--undefined-only", f"{site}/_lib/{name}").split()
                    if re.match(r"_?Py", s)], "compiled against one Python"


@pytest.fixture(scope="module")
def distributions(clone, tmp_path_factory):
    """The folder with what `python -m build` makes: the plainest build, for time."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "-o", out, "-C", "cmake.build-type=Debug",
        "-C", "cmake.define.HEDDLE_SCALAR=ON", clone)
    return out


def test_build_makes_one_wheel_for_any_python(distributions):
    names = sorted(path.name for path in distributions.iterdir())
    assert len(names) == 2 and names[1] == "heddle-0.1.0.tar.gz"
    assert re.fullmatch(r"heddle-0\.1\.0-py3-none-linux_\w+\.whl", names[0])


def test_the_wheel_holds_the_package_and_nothing_else(distributions, package):
    with zipfile.ZipFile(next(distributions.glob("*.whl"))) as wheel:
        assert sorted(wheel.namelist()) == sorted(package | INFO)
        metadata = wheel.read("heddle-0.1.0.dist-info/METADATA").decode()
    head = metadata.partition("\n\n")[0]
    for line in ("Name: heddle", "Version: 0.1.0", "License-Expression: Apache-2.0",
                 "Requires-Python: >=3.9", "Requires-Dist: numpy>=1.26"):
        assert line in head.splitlines()
    assert head.count("Requires-Dist") == 1
    assert "Description-Content-Type: text/markdown" in head.splitlines()
    page = metadata.partition("\n\n")[2]
    assert page.startswith("# Heddle") and not re.search(r"\]\((?!https://)", page), \
        "on a registry's page links into the sources lead nowhere"


def test_the_source_distribution_holds_what_the_build_needs(distributions, clone):
    with tarfile.open(next(distributions.glob("*.tar.gz"))) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert {name for name in names if "/" not in name} == FILES
    kept = {str(path.relative_to(clone)) for folder in SOURCES
            for path in (clone / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}
    kept = {name for name in kept if not name.startswith("docs/")} | {"docs/python.md"}
    assert {name for name in names if "/" in name} == kept - {"cmake/aarch64.cmake"}
