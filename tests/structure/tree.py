"""The source tree, as the checks in this folder read it."""
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("include", "base", "src", "cli", "python", "simt", "ladder", "bench", "conformance",
         "tests")
# CUDA programs in the manner of many authors: their form is part of what they test.
AS_PASTED = pathlib.Path("tests/simt/programs")


def c_files():
    """Every C file of the project, as paths relative to its root."""
    return [path for path in source_files() if path.suffix in (".c", ".h")]


def source_files():
    """The same with CUDA C programs and the C++ headers that they include."""
    found = [path.relative_to(ROOT) for part in PARTS
             for path in sorted((ROOT / part).rglob("*"))
             if path.suffix in (".c", ".h", ".hpp", ".cu")]
    assert found, f"no C file below {ROOT}"
    return [path for path in found if AS_PASTED not in path.parents]


def python_files():
    """The Python package with its tests and benchmarks."""
    parts = ("python/heddle", "tests/python", "tests/wheel", "bench/python")
    found = [path.relative_to(ROOT) for part in parts
             for path in sorted((ROOT / part).rglob("*.py"))]
    return [pathlib.Path("example.py"), *found]


def text_files():
    """Every file of the project that people write, relative to its root."""
    skipped = {".git", ".gpu", "build", ".venv", "__pycache__", ".pytest_cache", ".hypothesis",
               "corpus"}
    kept = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(f for f in folders
                            if f not in skipped and not f.startswith("build-"))
        kept += [pathlib.Path(folder, name).relative_to(ROOT) for name in sorted(names)]
    return [path for path in kept if is_text(ROOT / path)]


def is_text(path):
    try:
        path.read_text(encoding="utf-8")
        return True
    except (UnicodeDecodeError, OSError):
        return False


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def without_comments(text):
    """C with comments and the contents of literals blanked out; line numbers are kept."""
    def blank(match):
        token = match.group(0)
        if token[0] in "\"'":
            return token[0] + " " * (len(token) - 2) + token[0]
        return re.sub(r"[^\n]", " ", token)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def from_environment(name):
    """A path that ctest hands over: the library, the build folder and so on."""
    value = os.environ.get(name)
    assert value, f"${name} is not set: run these tests by ctest, or set it"
    return pathlib.Path(value)
