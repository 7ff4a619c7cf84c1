"""What the built library exports and what it takes from the system, read by nm.

abi.txt is the list of exported symbols. Adding an entry adds a line; a line that goes away is
a break of the ABI and needs a new SOVERSION.
"""
import re
import subprocess

import tree

# A library has no business with the program's streams, its locale or its life.
FORBIDDEN_IMPORTS = {
    "stdout", "stderr", "stdin", "printf", "vprintf", "puts", "putchar", "perror",
    "__printf_chk", "__vprintf_chk", "exit", "_exit", "_Exit", "quick_exit", "abort",
    "__assert_fail", "setlocale", "signal", "sigaction", "atexit", "system", "setenv",
    "putenv", "unsetenv", "getenv_s", "srand", "rand", "strtok", "localeconv"}


def nm(path, *options):
    result = subprocess.run(["nm", *options, str(path)], check=True, capture_output=True,
                            text=True)
    return [line.split()[-1] for line in result.stdout.splitlines() if line.strip()]


def exported():
    names = nm(tree.from_environment("HEDDLE_LIBRARY"), "-D", "--defined-only")
    return sorted(name for name in names if name != "HEDDLE_0")


def imported():
    names = nm(tree.from_environment("HEDDLE_LIBRARY"), "-D", "--undefined-only")
    return {name.split("@")[0] for name in names}


def listed():
    lines = tree.read("tests/structure/abi.txt").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def declared():
    code = tree.without_comments(tree.read("include/heddle.h"))
    code = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", code, flags=re.M)
    return sorted(re.findall(r"HEDDLE_API[^;{]*?\b(heddle_\w+)\s*\(", code))


def test_exports_are_exactly_the_list():
    assert exported() == listed()


def test_every_declared_entry_is_exported_and_nothing_else():
    assert declared(), "no HEDDLE_API declaration was found in the header"
    assert [f"{name}@@HEDDLE_0" for name in declared()] == listed()


def test_imports_leave_streams_locale_and_process_alone():
    assert "malloc" in imported() or "pthread_create" in imported(), "nm saw no imports"
    assert sorted(imported() & FORBIDDEN_IMPORTS) == []


def test_soname():
    library = tree.from_environment("HEDDLE_LIBRARY")
    result = subprocess.run(["readelf", "-d", str(library)], check=True, capture_output=True,
                            text=True)
    assert "[libheddle.so.0]" in result.stdout


def test_the_stack_is_not_executable():
    library = tree.from_environment("HEDDLE_LIBRARY")
    result = subprocess.run(["readelf", "-W", "-l", str(library)], check=True,
                            capture_output=True, text=True)
    assert re.search(r"GNU_STACK.* RW +0x", result.stdout), result.stdout


def test_each_isa_object_exports_one_symbol():
    build = tree.from_environment("HEDDLE_BUILD")
    objects = sorted((build / "src").rglob("isa/*.c.o"))
    assert objects, f"no isa/*.c.o below {build}/src"
    several = {path.name: names for path in objects
               if len(names := nm(path, "--defined-only", "--extern-only")) != 1}
    assert not several


def python_library():
    path = tree.from_environment("HEDDLE_BUILD") / "python/heddle/_lib/libheddle_python.so"
    return path if path.exists() else None  # a build without the Python package


def test_the_python_library_exports_its_entries_only():
    if path := python_library():
        names = nm(path, "-D", "--defined-only")
        assert names and all(name.startswith("heddle_py_") for name in names)


def test_the_python_library_is_not_compiled_against_cpython():
    if path := python_library():
        names = {name.split("@")[0] for name in nm(path, "-D", "--undefined-only")}
        assert "dlsym" in names, "nm saw no imports"
        assert not [name for name in names if name.startswith(("Py", "_Py"))]
        assert sorted(names & FORBIDDEN_IMPORTS) == []
