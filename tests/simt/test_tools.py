"""heddle-run and heddle-cc: options, messages, the cache, and text that is no program."""
import os
import pathlib
import shutil
import stat
import subprocess

import pytest

from conftest import find_run

RUN = find_run()
HELLO = """#include <cstdio>
#include <cstdlib>
__global__ void fill(int *p) { p[threadIdx.x] = VALUE + threadIdx.x; }
int main(int argc, char **argv) {
  int *p, h[4];
  cudaMalloc(&p, sizeof h);
  fill<<<1, 4>>>(p);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %s\\n", h[3], argc, argc > 1 ? argv[1] : "-");
  return h[0];
}
"""
LITTLE = "int main() { return VALUE; }\n"


@pytest.fixture
def folder(tmp_path):
    """A working folder with a compiler that counts its calls in calls.log."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("g++", "gcc"):
        path = bin_folder / name
        path.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls.log\nexec {shutil.which(name)} "$@"\n')
        path.chmod(0o755)
    return tmp_path


def tool(name):
    return str(RUN if name == "heddle-run" else pathlib.Path(RUN).with_name(name))


def call(folder, *words, name="heddle-run", path=None, **more):
    environment = {k: v for k, v in os.environ.items() if k.startswith(("ASAN_", "UBSAN_", "TMPDIR", "SIMT_HOME"))}
    environment |= {"PATH": path or f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder),
                    "SIMT_CACHE_DIR": str(folder / "cache")} | more
    return subprocess.run([tool(name), *map(str, words)], capture_output=True, text=True, cwd=folder,
                          errors="replace", timeout=120, env=environment)


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def calls(folder):
    log = folder / "calls.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


# ---- running ---------------------------------------------------------------------------------


def test_status_and_arguments(folder):
    write(folder, "hello.cu", HELLO)
    done = call(folder, "hello.cu", "-DVALUE=7", "--", "--threads", "x y")
    assert (done.returncode, done.stdout) == (7, "10 3 --threads\n"), done.stderr


def test_a_signal_ends_as_in_a_shell(folder):
    write(folder, "stop.cu", "#include <cstdlib>\nint main() { abort(); }\n")
    assert call(folder, "stop.cu").returncode in (-6, 134)


def test_options_reach_the_program(folder):
    write(folder, "env.cu", """#include <cstdio>
#include <cstdlib>
int main() {
  for (const char *n : {"LC_ALL", "SIMT_SCHEDULE", "SIMT_THREADS", "SIMT_TIMEOUT", "SIMT_COUNTS"})
    printf("%s ", getenv(n) ? getenv(n) : "-");
}
""")
    done = call(folder, "env.cu", "--schedule", "random:9", "--threads=3", "--timeout", "5", "--counts", "c")
    assert done.stdout == "- random:9 3 5 c ", done.stderr
    assert call(folder, "env.cu").stdout == "- - - - - "


def test_name_with_blanks_and_several_sources(folder):
    write(folder, "my prog.cu", '#include "sub/f.h"\nint g();\nint main() { return f() + g(); }\n')
    (folder / "sub").mkdir()
    write(folder, "sub/f.h", "inline int f() { return 4; }\n")
    write(folder, "g.cpp", "int g() { return 2; }\n")
    assert call(folder, "my prog.cu", "g.cpp").returncode == 6


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--version"]])
@pytest.mark.parametrize("name", ["heddle-run", "heddle-cc"])
def test_help(folder, name, words):
    done = call(folder, *words, name=name)
    assert done.returncode == 0 and done.stdout and not done.stderr


@pytest.mark.parametrize("name", ["heddle-run", "heddle-cc"])
def test_wrong_command_line(folder, name):
    for words in ([], ["--no-such-option", "x.cu"], ["x.cu", "-o"]):
        done = call(folder, *words, name=name)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


# ---- messages --------------------------------------------------------------------------------


def only_line(done):
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_compile_error_names_the_users_line(folder):
    write(folder, "part.h", "#pragma once\n\n__device__ int half(int a) { return a / undefined_thing; }\n")
    write(folder, "bad.cu", '#include "part.h"\n__global__ void k(int *p) {\n  p[0] = half(2);\n}\n'
                            "int main() { k<<<1, 1>>>(0); }\n")
    done = call(folder, "bad.cu")
    assert done.returncode == 1 and "part.h:3: error: 'undefined_thing' was not" in done.stderr
    assert "lambda" not in done.stderr and "simt::" not in done.stderr


def test_error_behind_a_split_launch_keeps_its_line(folder):
    write(folder, "bad.cu", "__global__ void k(int) {}\nint main() {\n  k\n  <<<1,\n  1>>>\n  (3);\n  wrong;\n}\n")
    assert "bad.cu:7: error: 'wrong' was not declared" in call(folder, "bad.cu").stderr


@pytest.mark.parametrize("text,line", [
    ("int main() {\n  cudaFrobnicate(3);\n}\n", "x.cu:2: error: simt has no 'cudaFrobnicate'"),
    ("#include <cuda_no_such_thing.h>\nint main() {}\n", "x.cu:1: error: simt has no 'cuda_no_such_thing.h'"),
    ("#include <stdio.h>\n#include <cublas_v2.h>\nint main() {}\n", "x.cu:2: error: simt has no cuBLAS (cublas_v2.h)"),
    ("__global__ void k(int *p) {\n\n  *p = __frob_sync(1);\n  *p = __frob_sync(2);\n}\nint main() {}\n",
     "x.cu:3: error: simt has no '__frob_sync'"),
    ("template <class T> __global__ void k(T *p) {\n  *p = __frob(3);\n}\nint main() {}\n",
     "x.cu:2: error: simt has no '__frob'"),
    ("int main() {\n  cudaDeviceProp p;\n  p.frob = 1;\n}\n", "x.cu:3: error: simt has no 'frob'"),
    ('__global__ void k(int *p) {\n  asm("ldmatrix.x4 %0, %1;" : "=r"(*p) : "r"(1));\n}\nint main() {}\n',
     "x.cu:2: error: simt has no PTX 'ldmatrix.x4'"),
    ("__global__ void k() {}\nint main() {\n  k<<<1>>>();\n}\n",
     "x.cu:3: error: a launch needs a grid and a block: <<<grid, block>>>"),
    ("__global__ void k() {}\nint main() {\n  k<<<1, 1>>>;\n}\n",
     "x.cu:3: error: expected '(' and the kernel's arguments behind >>>"),
])
def test_what_is_missing_is_one_line(folder, text, line):
    write(folder, "x.cu", text)
    assert only_line(call(folder, "x.cu")) == line


def test_an_undefined_name_at_the_link(folder):
    write(folder, "x.cu", "__global__ void k(int *);\nint main() { k<<<1, 1>>>(0); }\n")
    done = call(folder, "x.cu")
    assert done.returncode == 1 and "undefined reference" in done.stderr


def test_no_compiler(folder):
    write(folder, "x.cu", "int main() {}\n")
    (folder / "empty").mkdir()
    line = only_line(call(folder, "x.cu", path=str(folder / "empty")))
    assert "g++ is not installed" in line and "apt install g++" in line


def test_no_such_source(folder):
    done = call(folder, "none.cu")
    assert done.returncode == 1 and "none.cu" in done.stderr


@pytest.mark.parametrize("text", [
    '"open\n', "'", "/* never closed", 'R"x(never closed', "((((((", "}}}}", "k<<<", "k<<<1>>>(", "__shared__",
    "__global__", "__global__ void k(", "template <", "__global__ void k() { return", "\\", "#", "# 1", "\0\0\0",
    "__launch_bounds__(", "extern __shared__ a,b,;", "asm(", "<<<>>>()", "operator <<<", "__align__( x",
    "__global__ void k() { [&](", "namespace {" * 500, "[" * 5000, "a<" * 3000, "\xff\xfe\x00",
])
def test_text_that_is_no_program(folder, text):
    (folder / "x.cu").write_bytes(text.encode("latin-1") + b"\nint main() { return 0 }\n")
    done = call(folder, "x.cu")
    assert done.returncode == 1 and done.stderr, done.returncode


def test_a_large_source(folder):
    functions = "".join(f"__device__ int f{i}(int a) {{ return a + {i}; }}\n" for i in range(20000))
    write(folder, "x.cu", functions + "__global__ void k(int *p) { *p = f1(*p); }\nint main() { return 5; }\n")
    assert call(folder, "x.cu", "-O0").returncode == 5


# ---- the cache -------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["-O2", "-g"])  # -g, which heddle check gives, names the folder
def test_the_second_run_compiles_nothing(folder, more):
    write(folder, "hello.cu", HELLO)
    first = call(folder, "hello.cu", "-DVALUE=1", more)
    count = calls(folder)
    second = call(folder, "hello.cu", "-DVALUE=1", more)
    assert count > 0 and calls(folder) == count
    assert (second.returncode, second.stdout) == (first.returncode, first.stdout) == (1, "4 1 -\n")


def test_what_counts_and_what_does_not(folder):
    write(folder, "value.h", "#define VALUE 1\n")
    source = write(folder, "hello.cu", '#include "value.h"\n' + HELLO)
    assert call(folder, "hello.cu").returncode == 1
    count = calls(folder)
    os.utime(source)
    os.utime(folder / "value.h")
    assert call(folder, "hello.cu").returncode == 1 and calls(folder) == count  # same bytes
    write(folder, "value.h", "#define VALUE 2\n")
    assert call(folder, "hello.cu").returncode == 2 and calls(folder) > count
    count = calls(folder)
    assert call(folder, "hello.cu", "-O1").returncode == 2 and calls(folder) > count
    count = calls(folder)
    source.write_text(source.read_text().replace("return h[0]", "return h[1]"))
    assert call(folder, "hello.cu").returncode == 3 and calls(folder) > count


def test_a_damaged_entry_is_made_anew(folder):
    write(folder, "hello.cu", HELLO)
    assert call(folder, "hello.cu", "-DVALUE=1").returncode == 1
    manifest, = (folder / "cache").glob("*.manifest")
    whole = manifest.read_bytes()
    for part in (b"", whole[:40], whole[:-9], whole.replace(b"program", b"porgram", 1), b"\0" * 99,
                 whole.replace(b"simt 2", b"simt 0")):
        manifest.write_bytes(part)
        count = calls(folder)
        assert call(folder, "hello.cu", "-DVALUE=1").returncode == 1 and calls(folder) > count
    for program in (folder / "cache").glob("*.program"):
        program.unlink()
    assert call(folder, "hello.cu", "-DVALUE=1").returncode == 1


@pytest.mark.parametrize("kind", ["open", "link", "file", "closed"])
def test_a_folder_that_is_not_safe_is_not_used(folder, kind):
    write(folder, "hello.cu", HELLO)
    cache = folder / "cache"
    if kind == "open":
        cache.mkdir()
        cache.chmod(0o777)
    elif kind == "link":
        (folder / "elsewhere").mkdir()
        cache.symlink_to(folder / "elsewhere")
    elif kind == "file":
        cache.write_text("")
    elif os.geteuid() != 0:
        cache.mkdir()
        cache.chmod(0o500)
    else:
        return  # root may write everywhere
    done = call(folder, "hello.cu", "-DVALUE=9", TMPDIR=str(folder))
    assert (done.returncode, done.stdout) == (9, "12 1 -\n"), done.stderr
    assert kind == "file" or not list(cache.iterdir())
    assert not list(folder.glob("simt-*"))


def test_nobody_else_can_write_the_programs(folder):
    write(folder, "hello.cu", HELLO)
    call(folder, "hello.cu", "-DVALUE=1")
    for path in [folder / "cache", *(folder / "cache").glob("*.program")]:
        assert not path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def test_several_at_once(folder):
    write(folder, "hello.cu", HELLO)
    environment = {"PATH": os.environ["PATH"], "SIMT_CACHE_DIR": str(folder / "cache"),
                   **{k: v for k, v in os.environ.items() if k == "SIMT_HOME"}}
    running = [subprocess.Popen([tool("heddle-run"), "hello.cu", f"-DVALUE={v}"], cwd=folder, env=environment,
                                stdout=subprocess.DEVNULL) for v in (1, 2, 1, 2)]
    assert [p.wait(120) for p in running] == [1, 2, 1, 2]
    assert len(list((folder / "cache").glob("*.manifest"))) == 2
    assert not [p for p in (folder / "cache").iterdir()
                if p.suffix not in {".manifest", ".program", ".hpp", ".gch", ".files"}]


def programs(folder):
    return set((folder / "cache").glob("*.program"))


def test_many_at_once_over_one_new_program(folder):
    for turn in range(3):
        write(folder, "hello.cu", LITTLE.replace("VALUE", str(turn + 1)))
        environment = {"PATH": os.environ["PATH"], "SIMT_CACHE_DIR": str(folder / "cache"),
                       **{k: v for k, v in os.environ.items() if k == "SIMT_HOME"}}
        running = [subprocess.Popen([tool("heddle-run"), "hello.cu", "-O0"], cwd=folder, env=environment,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(6)]
        ends = [(p.communicate(timeout=120)[1], p.returncode) for p in running]
        assert ends == [(b"", turn + 1)] * 6


def test_a_program_that_may_be_about_to_start_stays(folder):
    def replace(value):
        write(folder, "hello.cu", LITTLE.replace("VALUE", str(value)))
        assert call(folder, "hello.cu").returncode == value
        return programs(folder)

    first = replace(1)
    both = replace(2)
    assert first < both and len(both) == 2
    for program in both:
        os.utime(program, (os.stat(program).st_atime - 100, os.stat(program).st_mtime - 100))
    assert len(both & replace(3)) == 1  # the one that was replaced is gone
    assert call(folder, "hello.cu").returncode == 3


def damages(program):
    whole = program.read_bytes()
    yield whole[:3000]
    yield b""
    yield whole[:-1]
    yield whole + b"\0"
    for at in (40, len(whole) // 2, len(whole) - 1):
        yield whole[:at] + bytes([whole[at] ^ 64]) + whole[at + 1:]
    yield whole[:4096] + bytes(4096) + whole[8192:]  # a block that never reached the disk


def test_a_damaged_program_is_not_run(folder):
    write(folder, "hello.cu", LITTLE)
    assert call(folder, "hello.cu", "-DVALUE=1").returncode == 1
    program, = programs(folder)
    for damaged in damages(program):
        program.write_bytes(damaged)
        count = calls(folder)
        done = call(folder, "hello.cu", "-DVALUE=1")
        assert (done.returncode, done.stderr) == (1, "") and calls(folder) > count
        program.unlink()
        program, = programs(folder)


@pytest.mark.parametrize("where", ["beside", "quoted include", "first -I", "has_include", "dead branch",
                                   "missing folder", "include of an include", "next", "-include"])
def test_a_header_that_comes_to_be_preferred(folder, where):
    text = {"has_include": '#if __has_include("v.h")\n#include "v.h"\n#else\n#define VALUE 3\n#endif\n',
            "dead branch": '#if __has_include(<v.h>)\n#include <v.h>\n#else\n#define VALUE 3\n#endif\n',
            "include of an include": '#include "outer.h"\n',
            "-include": "", "next": '#include "w.h"\n'}.get(where, '#include "v.h"\n')
    first, second = folder / "first", folder / "second"
    first.mkdir()
    second.mkdir()
    (second / "v.h").write_text("#define VALUE 3\n")
    (second / "outer.h").write_text('#include <v.h>\n')
    (second / "w.h").write_text("#include_next <w.h>\n")
    (folder / "third").mkdir()
    (folder / "third/w.h").write_text("#define VALUE 3\n")
    options = ["-Ifirst", "-Isecond", "-Ithird"]
    target = {"beside": folder, "has_include": folder, "quoted include": folder, "-include": folder}
    if "has_include" in text:
        (second / "v.h").unlink()
    if where == "missing folder":
        options.insert(0, "-Ilater")
        target[where] = folder / "later"
    if where == "-include":
        options += ["-include", "v.h"]
    name = "w.h" if where == "next" else "v.h"
    write(folder, "hello.cu", text + LITTLE)
    assert call(folder, "hello.cu", *options).returncode == 3
    count = calls(folder)
    assert call(folder, "hello.cu", *options).returncode == 3 and calls(folder) == count
    place = target.get(where, first)
    place.mkdir(exist_ok=True)
    (place / name).write_text("#define VALUE 4\n")
    assert call(folder, "hello.cu", *options).returncode == 4
    (place / name).unlink()
    assert call(folder, "hello.cu", *options).returncode == 3


def test_a_header_in_front_of_the_systems(folder):
    (folder / "inc").mkdir()
    write(folder, "hello.cu", "#include <vector>\n#ifndef VALUE\n#define VALUE 3\n#endif\n" + LITTLE)
    assert call(folder, "hello.cu", "-Iinc").returncode == 3
    (folder / "inc/bits").mkdir()
    (folder / "inc/bits/stl_vector.h").write_text("#define VALUE 4\n#include_next <bits/stl_vector.h>\n")
    assert call(folder, "hello.cu", "-Iinc").returncode == 4


@pytest.mark.parametrize("word", ["__TIME__", "__DATE__", "__TIMESTAMP__"])
def test_what_tells_the_time_is_not_kept(folder, word):
    write(folder, "now.h", f"static const char *now = {word};\n")
    write(folder, "hello.cu", '#include "now.h"\n' + LITTLE.replace("VALUE", "int(now[0] != 0)"))
    for _ in range(2):
        count = calls(folder)
        assert call(folder, "hello.cu").returncode == 1 and calls(folder) > count
    write(folder, "hello.cu", LITTLE)
    for _ in range(2):
        count = calls(folder)
        assert call(folder, "hello.cu", f"-DVALUE=({word}[0] != 0)").returncode == 1
        assert calls(folder) > count
    assert not programs(folder)


@pytest.mark.parametrize("words", [["value.o"], ["libvalue.a"], ["-L.", "-lvalue"],
                                   ["-Lfirst", "-L.", "-lvalue"], ["-L.", "-l:libvalue.a"]])
def test_objects_and_libraries_count(folder, words):
    def compile_value(value):
        write(folder, "value.c", f"int value(void) {{ return {value}; }}\n")
        subprocess.run(["gcc", "-c", "value.c"], cwd=folder, check=True)
        (folder / "libvalue.a").unlink(missing_ok=True)
        subprocess.run(["ar", "rc", "libvalue.a", "value.o"], cwd=folder, check=True)

    (folder / "first").mkdir()
    write(folder, "hello.cu", 'extern "C" int value();\n' + LITTLE.replace("VALUE", "value()"))
    compile_value(5)
    assert call(folder, "hello.cu", *words).returncode == 5
    count = calls(folder)
    assert call(folder, "hello.cu", *words).returncode == 5 and calls(folder) == count
    compile_value(6)
    assert call(folder, "hello.cu", *words).returncode == 6
    if words[0] == "-Lfirst":
        compile_value(7)
        shutil.copy(folder / "libvalue.a", folder / "first")
        compile_value(6)
        assert call(folder, "hello.cu", *words).returncode == 7


# ---- precompiled headers -----------------------------------------------------------------------


def made(folder):
    """How many headers were precompiled."""
    return (folder / "calls.log").read_text().count("c++-header")


def number(folder, value, *words, text=HELLO, **more):
    """Runs a new program that ends with status `value`; True if it does."""
    write(folder, f"p{value}.cu", text.replace("VALUE", str(value)))
    done = call(folder, f"p{value}.cu", *words, **more)
    assert done.returncode == value, done.stderr
    return True


def test_headers_are_precompiled_for_the_second_program(folder):
    assert number(folder, 1) and made(folder) == 0  # alone it would only wait
    assert number(folder, 2) and made(folder) == 1
    assert number(folder, 3) and made(folder) == 1
    assert number(folder, 4, "-DOTHER") and number(folder, 5, "-O1") and made(folder) == 1
    assert number(folder, 6, text="#include <vector>\n" + HELLO) and made(folder) == 1
    assert number(folder, 7, "-DOTHER") and made(folder) == 2
    assert call(folder, "p1.cu", "--schedule", "reverse").returncode == 1 and made(folder) == 2
    for path in (folder / "cache").iterdir():
        assert not path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH), path


def test_a_damaged_precompiled_header_does_no_harm(folder):
    assert number(folder, 1) and number(folder, 2) and made(folder) == 1
    value = 3
    for pattern in ("*.gch", "*.files"):
        path, = (folder / "cache").glob(pattern)
        whole = path.read_bytes()
        for part in (b"", whole[:99], whole[:-1], whole[: len(whole) // 2], b"\0" * len(whole)):
            path.write_bytes(part)
            assert number(folder, value)
            value += 1
        path.unlink()
        assert number(folder, value)
        value += 1
    assert made(folder) > 5  # a damaged list is noticed


def test_a_changed_header_is_precompiled_anew(folder):
    given = os.environ.get("SIMT_HOME") or pathlib.Path(RUN).parents[2] / "lib/heddle"
    home = folder / "home"
    shutil.copytree(f"{given}/include", home / "include")
    (home / "libsimt.so").symlink_to(f"{given}/libsimt.so")
    plain = (home / "include/cuda_runtime.h").read_text()
    text = HELLO.replace("VALUE", "(VALUE - VALUE + MEANING)")
    for value, meaning, count in ((1, 1, 0), (2, 2, 1), (3, 3, 2), (4, 3, 2)):
        write(home / "include", "cuda_runtime.h", plain + f"\n#define MEANING {meaning}\n")
        write(folder, f"p{value}.cu", text.replace("VALUE", str(value)))
        assert call(folder, f"p{value}.cu", SIMT_HOME=str(home)).returncode == meaning
        assert made(folder) >= count


def test_errors_are_the_same_with_precompiled_headers(folder):
    write(folder, "wrong.cu", HELLO.replace("VALUE", "what"))
    said = [call(folder, "wrong.cu") for _ in range(3)]
    assert made(folder) == 1 and {done.returncode for done in said} == {1}
    assert len({done.stderr for done in said}) == 1 and "wrong.cu:3: error: " in said[0].stderr
    write(folder, "links.cu", "int nowhere();\n" + HELLO.replace("VALUE", "nowhere()"))
    assert {call(folder, "links.cu").stderr.count("nowhere") > 0 for _ in range(3)} == {True}


def test_host_and_device_apart_are_read_whole(folder):
    write(folder, "arch.h", "__host__ __device__ inline int side() {\n#ifdef __CUDA_ARCH__\n"
                            "  return 1;\n#else\n  return 0;\n#endif\n}\n")
    text = HELLO.replace("__global__", '#include "arch.h"\n__global__')
    for value in (1, 2, 3):
        write(folder, f"p{value}.cu", text.replace("VALUE", f"{value} + side()"))
        assert call(folder, f"p{value}.cu").returncode == value + 1


# ---- heddle-cc -------------------------------------------------------------------------------


def test_program_objects_and_link(folder):
    write(folder, "hello.cu", HELLO)
    write(folder, "part.cu", "__global__ void k(int *p) { *p = 3; }\nvoid go(int *p) { k<<<1, 1>>>(p); }\n")
    write(folder, "main.cpp", "#include <cuda_runtime.h>\nvoid go(int *);\nint main() {\n  int *p, h;\n"
                              "  cudaMalloc((void **)&p, 4);\n  go(p);\n"
                              "  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n  return h;\n}\n")
    assert call(folder, "hello.cu", "-DVALUE=4", name="heddle-cc").returncode == 0
    assert subprocess.run([folder / "a.out"], stdout=subprocess.DEVNULL).returncode == 4
    assert call(folder, "-c", "part.cu", "main.cpp", name="heddle-cc").returncode == 0
    assert call(folder, "part.o", "main.o", "-o", "both", name="heddle-cc").returncode == 0
    assert subprocess.run([folder / "both"]).returncode == 3


def test_options_of_nvcc_are_taken(folder):
    (folder / "toolkit").mkdir()
    for name in ("cuda_runtime_api.h", "cuda_runtime.h", "vector_types.h", "stdio.h"):
        write(folder, f"toolkit/{name}", "#error a header of the toolkit\n")
    write(folder, "hello.cu", HELLO)
    words = """-O2 -std=c++11 -arch=sm_90 -arch sm_80 -gencode arch=compute_90,code=sm_90 --gpu-architecture=sm_70
        -lineinfo -rdc=false -rdc false --expt-relaxed-constexpr --expt-extended-lambda --extended-lambda
        -maxrregcount=64 -maxrregcount 32 --use_fast_math -use_fast_math -Wno-deprecated-gpu-targets -g -G
        -Xcompiler -Wall,-Wextra -Xcompiler=-O2 -Xptxas -v -Xptxas=-O3 --ptxas-options=-v -lcudart -lcudadevrt -lm
        -m64 -w -ccbin g++ -cudart static --std=c++17 -diag-suppress 177 --default-stream per-thread -D VALUE=6
        -t 2 -Werror all-warnings -U NOTHING -I . -isystem . -I toolkit -isystem toolkit -lcublas -lcuda""".split()
    done = call(folder, "hello.cu", "-o", "hello", *words, name="heddle-cc")
    assert done.returncode == 0, done.stderr
    assert subprocess.run([folder / "hello"], stdout=subprocess.DEVNULL).returncode == 6


def test_keep_shows_the_rewritten_text(folder):
    write(folder, "hello.cu", HELLO)
    assert call(folder, "hello.cu", "-DVALUE=0", "--keep").returncode == 0
    kept = (folder / "hello.cu.simt.ii").read_text()
    assert "(simt::configure(1, 4), fill(p))" in kept and "simt::enter<SIMT_PLAIN>" in kept


def test_two_texts_for_host_and_device(folder):
    write(folder, "x.cu", """#include <cstdio>
__host__ __device__ int place() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ + 0 * __LINE__;
#else
  return __LINE__;
#endif
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *, double);
#endif
#ifdef __CUDA_ARCH__
__device__ int only() { return 5; }
#endif
__global__ void k(int *p) {
  p[0] = place();
#if __CUDA_ARCH__
  p[1] = only();
#endif
  p[2] = __LINE__;
}
int main() {
  int *p;
  cudaMallocManaged(&p, 12);
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\\n", p[0], p[1], p[2], place());
}
""")
    assert call(folder, "x.cu").stdout == "900 5 21 6\n"


# ---- programs to be watched ----------------------------------------------------------------------


def compile_line(folder):
    """The command that compiled the rewritten text last."""
    return [line for line in (folder / "calls.log").read_text().splitlines() if " -c " in f" {line} "][-1].split()


@pytest.mark.parametrize("words,level", [
    ([], "-O0"), (["-O2"], "-O0"), (["-O3", "-g", "-G"], "-O0"), (["--optimize=3"], "-O0"),
    (["-O1"], "-O1"), (["--optimize"], "-O1"), (["--optimize", "1"], "-O1"), (["-O3", "-O1"], "-O1"),
])
def test_check_compiles_the_source_as_it_stands(folder, words, level):
    write(folder, "hello.cu", HELLO)
    done = call(folder, "--check", *words, "-DVALUE=3", "hello.cu", "-o", "hello", name="heddle-cc")
    assert done.returncode == 0, done.stderr
    line = compile_line(folder)
    assert [w for w in line if w.startswith("-O")] == [level]
    assert {"-fsanitize=thread", "-fsanitize=bounds-strict", "-fsanitize=alignment", "-g1",
            "-fno-omit-frame-pointer"} <= set(line)
    assert not {"-g", "-march=ignored"} & set(line)
    link = (folder / "calls.log").read_text().splitlines()[-1]
    assert "-fsanitize" not in link and "-lsimt" in link
    # Nobody watches: it just runs.
    assert subprocess.run([folder / "hello", "x"], capture_output=True, text=True).stdout == "6 2 x\n"


def test_profile_compiles_every_block_to_tell(folder):
    write(folder, "hello.cu", HELLO)
    done = call(folder, "--profile", "-O3", "-DVALUE=3", "hello.cu", "-o", "hello", name="heddle-cc")
    assert done.returncode == 0, done.stderr
    line = compile_line(folder)
    assert [w for w in line if w.startswith("-O")] == ["-O1"]
    assert {"-fsanitize=thread", "-fsanitize-coverage=trace-pc"} <= set(line) and "-fsanitize=bounds-strict" not in line
    assert subprocess.run([folder / "hello"], capture_output=True, text=True).stdout == "6 1 -\n"


def test_watched_objects_link_with_each_other(folder):
    write(folder, "a.cu", "__global__ void a(int *p) { *p = 4; }\nvoid f(int *p) { a<<<1, 1>>>(p); }\n")
    write(folder, "b.cu", "void f(int *);\nint main() {\n  int *p, h;\n  cudaMalloc(&p, 4);\n  f(p);\n"
                          "  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n  return h;\n}\n")
    for name in "ab":
        assert call(folder, "--check", "-c", f"{name}.cu", name="heddle-cc").returncode == 0
    done = call(folder, "--check", "a.o", "b.o", "-o", "ab", name="heddle-cc")
    assert done.returncode == 0, done.stderr
    assert subprocess.run([folder / "ab"]).returncode == 4


def test_only_saxpys_own_accesses_are_told(folder):
    """The parameters, the coordinates and the launch are nobody's business: three calls."""
    write(folder, "s.cu", "__global__ void saxpy(int n, float a, const float *x, float *y) {\n"
                          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "  if (i < n) y[i] = a * x[i] + y[i];\n}\n")
    assert call(folder, "--check", "-c", "s.cu", name="heddle-cc").returncode == 0
    code = subprocess.run(["objdump", "-dr", folder / "s.o"], capture_output=True, text=True, check=True).stdout
    told = [line.split()[-1] for line in code.splitlines() if "__tsan_" in line and "R_X86" in line]
    assert sorted(t.split("-")[0] for t in told if "init" not in t) == \
        ["__tsan_read4", "__tsan_read4", "__tsan_write4"]


def test_shared_variables_and_gaps_alternate(folder):
    """Whatever a variable's alignment, a gap follows it at once, in templates too."""
    write(folder, "g.cu", """__shared__ int of_file[3];
struct P { float a; int b; };
template <int N> __global__ void t(int *o) {
  __shared__ float tile[N][N + 1];
  __shared__ P p; alignas(64) __shared__ unsigned char bytes[5];
  tile[0][0] = 1, p.b = 2, bytes[0] = 3, of_file[0] = 4;
  *o = tile[0][0] + p.b + bytes[0] + of_file[0];
}
__global__ void k(int *o) { __shared__ double last[2]; last[1] = 1; *o = last[1]; }
int main() { t<4><<<1, 1>>>(nullptr); t<8><<<1, 1>>>(nullptr); k<<<1, 1>>>(nullptr); }
""")
    for words in ([], ["-O1"]):
        assert call(folder, "--check", *words, "g.cu", "-o", "g", name="heddle-cc").returncode == 0
        table = subprocess.run(["readelf", "-sW", folder / "g"], capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in table.splitlines() if " TLS " in line and " UND " not in line]
        found = sorted((int(r[1], 16), int(r[2]), r[7]) for r in rows)
        names = [name for _, _, name in found]
        assert ["gap" in name for name in names] == [i % 2 == 0 for i in range(len(names))] and len(names) == 17, names
        for (at, size, name), (gap, bytes_, gap_name) in zip(found[1::2], found[2::2]):
            assert gap >= at + size and gap - at - size < 16 and bytes_ == 256, (name, gap_name)
