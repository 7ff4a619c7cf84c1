"""Every kernel that the CUDA back end can ask for compiles, for every kind of GPU, without spills.

The library runs on a driver and a compiler of no-ops (stub_driver.c, record_nvrtc.c) and makes all
its calls (ask.c); NVIDIA's NVRTC then compiles each text that was asked for. Registers, stack and
shared memory of each kernel go to kernels.csv in the build folder.

Of all but the first text of a file for sm_90 those are taken whose turn it is (tests/turn.py), a twelfth; of
the others a turn compiles those of a sixth of the files for sm_75 or for sm_100: all turns have all.

HEDDLE_KERNELS=full compiles the whole matrix for all four (hours of one processor). The default is
a part of it: for sm_90 as many texts of a file as it takes to have each value of each of its -D
options once, for sm_75 and sm_100, and with HEDDLE_TEST_FULL for each of the others, one text of each file,
of those that may not spill: the large custom elements that may take ten seconds each, and sm_90's say
whether they compile.
"""

import concurrent.futures
import csv
import ctypes
import glob
import os
import re
import subprocess
import sys
import sysconfig
import zlib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from turn import is_taken, turn  # noqa: E402

BUILD = Path(os.environ["HEDDLE_BUILD"])
HERE = BUILD / "tests/kernels"
MATRIX = os.environ.get("HEDDLE_KERNELS", "reduced")
FULL = bool(os.environ.get("HEDDLE_TEST_FULL"))
PARTS = 12
TURN, TURNS = turn(PARTS)
OTHERS = (75, 100)
# Some files are for sm_75 alone: that they are asked for is seen in every turn.
ARCHS = ((75, 80, 90, 100) if FULL or MATRIX == "full" else
         (75, 90, 100) if TURNS == 1 or TURN % 2 else (75, 90))
FUNCTION = re.compile(r"Compiling entry function '(\w+)'.*?"
                      r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
                      r".*?Used (\d+) registers(?:.*?(\d+) bytes smem)?", re.DOTALL)


def find_compiler():
    """$HEDDLE_NVRTC, the wheel beside this Python, a toolkit; the wheel's own library first."""
    given = os.environ.get("HEDDLE_NVRTC")
    folders = [given] if given else []
    folders += glob.glob(sysconfig.get_path("purelib") + "/nvidia/*/lib")
    folders += [f"{os.environ.get('CUDA_PATH', '/usr/local/cuda')}/lib64"]
    for folder in folders:
        found = [folder] if Path(folder).is_file() else \
            sorted(p for p in glob.glob(f"{folder}/libnvrtc.so.*") if p.count(".so.") == 1)
        if found:
            return found[0]
    return None


COMPILER = find_compiler()
if COMPILER is None:
    message = "no NVRTC: pip install -r tests/requirements_nvrtc.txt, or name one in $HEDDLE_NVRTC"
    if os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message, allow_module_level=True)

nvrtc = None


def load():
    global nvrtc
    for builtins in glob.glob(f"{Path(COMPILER).parent}/libnvrtc-builtins.so.*"):
        if "alt" not in builtins:
            ctypes.CDLL(builtins)
    nvrtc = ctypes.CDLL(COMPILER)


def asked(arch, folder):
    """The texts that the library asks for on a GPU of compute capability arch."""
    folder.mkdir()
    env = {**os.environ, "STUB_CC": str(arch), "RECORD_NVRTC": str(folder),
           "HEDDLE_NVRTC": str(HERE / "stub/libnvrtc.so"), "HEDDLE_CACHE_DIR": str(folder / "cache"),
           "LD_LIBRARY_PATH": f"{HERE}/stub"}
    done = subprocess.run([HERE / "ask_kernels", MATRIX], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return sorted(folder.glob("*.cu"))


def asked_of(path):
    """(file, options) of a text, from its first lines: the texts of an architecture are 600 MB."""
    options = []
    with open(path, encoding="utf-8") as text:
        for line in text:
            if line.startswith("// option "):
                options.append(line.removeprefix("// option ").rstrip("\n"))
            elif named := re.match(r'#line 1 "kernels/([\w/]+\.cu)"', line):
                return named[1], options
    raise AssertionError(f"{path} names no file of src/kernels")


def may_spill(options):
    """Custom elements of more than 32 bytes: two of them and an operator fill the registers."""
    lanes = re.search(r"-DHEDDLE_LANES=(\d+)", options)
    return "-DHEDDLE_TYPE=13" in options and lanes is not None and int(lanes[1]) < 16


def is_turn_of(file, arch):
    """Whether it is the turn of a file for an architecture other than sm_90: one of two a turn, some files."""
    return TURNS == 1 or (arch == OTHERS[TURN % 2]
                          and zlib.crc32(file.encode()) % (TURNS // 2) == TURN // 2)


def chosen(arch, paths):
    """The texts to compile: all of them, or a part by a fixed rule."""
    if MATRIX == "full":
        return paths
    by_file = {}
    for path in paths:
        file, options = asked_of(path)
        by_file.setdefault(file, []).append((path, frozenset(o for o in options if o.startswith("-D"))))
    part = []
    for file, texts in by_file.items():
        left = set().union(*(defines for _, defines in texts))
        if arch != 90:
            if not is_turn_of(file, arch):
                continue
            texts = [t for t in texts if not may_spill(" ".join(t[1]))] or texts
            part.append(texts[arch % len(texts)][0])
            continue
        is_first = True
        while left:
            path, defines = max(texts, key=lambda t: len(t[1] & left))
            if is_first or is_taken(" ".join(sorted(defines)) + file, PARTS):
                part.append(path)
            is_first = False
            left -= defines
    return sorted(set(part))


def compile_one(path):
    """(path, log, rows): rows are (function, stack, stores, loads, registers, shared)."""
    text = Path(path).read_text()
    options = [o.encode() for o in asked_of(path)[1]] + [b"--ptxas-options=-v"]
    program = ctypes.c_void_p()
    size = ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None)
    failed = nvrtc.nvrtcCompileProgram(program, len(options),
                                       (ctypes.c_char_p * len(options))(*options))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    words = log.value.decode(errors="replace")
    rows = [(m[1], *(int(v or 0) for v in m.groups()[1:])) for m in FUNCTION.finditer(words)]
    return str(path), words if failed else "", "warning" in words, words, rows


@pytest.fixture(scope="session")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        asks = {arch: pool.submit(asked, arch, folder / str(arch)) for arch in ARCHS}
        return {arch: ask.result() for arch, ask in asks.items()}


def test_every_file_is_asked_for(texts):
    """Each kernel file of src/kernels is among the texts: ask.c knows of it."""
    root = Path(__file__).resolve().parents[2]
    asked_for = {asked_of(p)[0] for paths in texts.values() for p in paths}
    assert {str(p.relative_to(root / "src/kernels")) for p in (root / "src/kernels").rglob("*.cu")} <= asked_for


def test_compiles_without_spills(texts):
    jobs = [str(p) for arch, paths in texts.items() for p in chosen(arch, paths)]
    bad, table = [], []
    with concurrent.futures.ProcessPoolExecutor(initializer=load) as pool:
        for path, error, warned, words, rows in pool.map(compile_one, jobs):
            name, options = asked_of(path)
            options = " ".join(options)
            table += [(name, options, *row) for row in rows]
            spilled = [row for row in rows if (row[2] or row[3]) and not may_spill(options)]
            if error or warned or not rows or spilled:
                bad.append(f"{name} {options}\n{words[:1500] if not spilled else spilled}")
    with open(BUILD / "kernels.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["file", "options", "kernel", "stack", "spill_stores", "spill_loads",
                      "registers", "shared"])
        out.writerows(sorted(table))
    assert not bad, f"{len(bad)} of {len(jobs)} texts:\n" + "\n".join(bad[:12])
