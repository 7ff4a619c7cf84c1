"""libsimt_cuda.so and libsimt_nvrtc.so: the driver API and NVRTC for programs that load them.

The cases are C programs (driver/*.c) that were not built for simt; here they are built, run as
they are and under heddle-check, and given environments.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import textwrap

import pytest

from conftest import find_run

RUN = find_run()
CHECK = RUN and RUN.with_name("heddle-check")
HERE = pathlib.Path(__file__).resolve().parent / "driver"
LIBRARIES = RUN and RUN.parents[2] / "lib/heddle"
LIMIT = 240

pytestmark = pytest.mark.skipif(not RUN or not shutil.which("gcc"), reason="heddle-run is not built, or no gcc")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Compiles a program of driver/ once: its path."""
    folder = tmp_path_factory.mktemp("driver")
    known = {}

    def build(name, *flags, source=None):
        key = (name, flags)
        if key not in known:
            path = folder / f"{name}-{len(known)}"
            subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1", "-g",
                            f"-I{HERE}", *flags, "-o", path, source or HERE / f"{name}.c", "-ldl", "-lpthread"],
                           check=True)
            known[key] = path
        return known[key]
    return build


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    temporary = tmp_path_factory.mktemp("tmp")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SIMT_")}
    return {**kept, "SIMT_CACHE_DIR": str(cache), "TMPDIR": str(temporary), "SIMT_TIMEOUT": "30"}


def call(command, environment, **more):
    return subprocess.run(list(map(str, command)), env={**environment, **more}, capture_output=True,
                          text=True, errors="replace", timeout=LIMIT, stdin=subprocess.DEVNULL)


def run(built, environment, program, case, **more):
    done = call([built(program), LIBRARIES, case], environment, **more)
    assert done.returncode == 0, f"{program} {case}: status {done.returncode}\n{done.stderr}"
    return done


def cases(program):
    text = (HERE / f"{program}.c").read_text()
    return re.findall(r'\{"(\w+)",', text)


@pytest.mark.parametrize("program,case", [(p, c) for p in ("objects", "kernels", "library", "shared", "failures",
                                                           "compile", "devices")
                                          for c in cases(p)])
def test_case(built, environment, program, case):
    more = {"SIMT_MEMORY": "64M"} if program == "objects" else {}
    if case == "device":
        more |= {"SIMT_ARCH": "sm_86", "SIMT_MULTIPROCESSORS": "7"}
    if program == "devices":
        more |= {"SIMT_DEVICES": "4"}
    if program == "shared":
        more |= {"SIMT_THREADS": "1"}  # blocks of one grid take turns
    run(built, environment, program, case, **more)


def test_memory_of_a_device_that_is_no_peer_is_named(built, environment):
    said = run(built, environment, "devices", "refused", SIMT_DEVICES="4").stderr
    assert re.search(r"out of bounds: kernel add \(.*byte 0 of the 4000 bytes at 0x\w+ from cudaMalloc on device 2, "
                     r"which the kernel's is no enabled peer of", said), said
    done = call([CHECK, "--exec", built("devices"), LIBRARIES, "refused"], environment, SIMT_DEVICES="4")
    assert "on device 2, which the kernel's is no enabled peer of" in done.stdout + done.stderr


@pytest.mark.parametrize("devices,count", [("1", 1), ("16", 16), ("17", 1), ("0", 1), ("-2", 1), ("2x", 1), ("", 1)])
def test_how_many_devices_there_are(environment, devices, count):
    code = "import ctypes, sys; d = ctypes.CDLL(sys.argv[1]); n = ctypes.c_int(); " \
           "assert d.cuInit(0) == 0 == d.cuDeviceGetCount(ctypes.byref(n)); print(n.value)"
    done = call([sys.executable, "-c", code, LIBRARIES / "libsimt_cuda.so"], environment, SIMT_DEVICES=devices)
    assert done.stdout == f"{count}\n", done.stderr


def test_no_temporary_files_stay(built, environment):
    run(built, environment, "compile", "messages")
    run(built, environment, "compile", "headers")
    assert not list(pathlib.Path(environment["TMPDIR"]).iterdir())


def test_schedules(built, environment):
    orders = {s: run(built, environment, "kernels", "order", SIMT_SCHEDULE=s, SIMT_THREADS="1").stdout
              for s in ("forward", "reverse", "random:3", "random:4")}
    assert orders["forward"] == "012345" and orders["reverse"] == "543210"
    assert all(sorted(o) == list("012345") for o in orders.values())
    assert orders["random:3"] != orders["random:4"]


# ---- the cache ------------------------------------------------------------------------------------

def test_what_was_compiled_is_kept(built, environment, tmp_path):
    def images():
        return {p: p.read_bytes() for p in cache.glob("*.image")}
    cache = tmp_path / "cache"
    run(built, environment, "kernels", "globals", SIMT_CACHE_DIR=str(cache))
    first = images()
    assert len(first) == 1 and len(list(cache.glob("*.gch"))) == 1
    run(built, environment, "kernels", "globals", SIMT_CACHE_DIR=str(cache))
    assert images() == first
    image = next(iter(first))
    for damaged in (b"", first[image][:1000], first[image][:-1], first[image].replace(b"ELF", b"ELG", 1),
                    first[image] + b"x"):
        image.write_bytes(damaged)
        run(built, environment, "kernels", "globals", SIMT_CACHE_DIR=str(cache))
        assert images() == first  # made again
    # From a header that is damaged nothing is made, and from the text all the same.
    next(cache.glob("*.gch")).write_bytes(b"nonsense")
    image.unlink()
    run(built, environment, "kernels", "globals", SIMT_CACHE_DIR=str(cache))


def test_without_a_cache(built, environment, tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    run(built, environment, "kernels", "globals", SIMT_CACHE_DIR=str(open_to_all))
    assert not list(open_to_all.iterdir())


def test_several_processes_fill_one_cache(built, environment, tmp_path):
    program = built("kernels")
    cache = {**environment, "SIMT_CACHE_DIR": str(tmp_path / "cache")}
    all_of_them = [subprocess.Popen([program, LIBRARIES, "launches"], env=cache) for _ in range(4)]
    assert [p.wait(LIMIT) for p in all_of_them] == [0] * 4


# ---- the checker ------------------------------------------------------------------------------------

PLANTED = r'''
#include "libraries.h"
static const char text[] =
    "// a text of its own\n"
    "extern \"C\" __global__ void race(int *p) {\n"
    "  __shared__ int s[64];\n"
    "  s[threadIdx.x] = p[threadIdx.x];\n"
    "  p[threadIdx.x] = s[63 - threadIdx.x];\n"
    "}\n"
    "#line 100 \"part.cuh\"\n"
    "static __device__ void put(int *p, int i) {\n"
    "  p[i] = i;\n"
    "}\n"
    "extern \"C\" __global__ void outside(int *p) { put(p, threadIdx.x); }\n"
    "extern \"C\" __global__ void unwritten(int *p, int *q) { q[threadIdx.x] = p[threadIdx.x]; }\n"
    "extern \"C\" __global__ void shared(int *p) {\n"
    "  __shared__ int s[64];\n"
    "  s[p[0] + threadIdx.x] = 1;\n"
    "}\n"
    "extern \"C\" __global__ void vectors(int *p) {\n"
    "  __shared__ __align__(16) unsigned char s[64 * 16];\n"
    "  ((uint4 *)s)[threadIdx.x] = make_uint4(1, 2, 3, 4);\n"
    "  __syncthreads();\n"
    "  p[threadIdx.x] = ((int *)s)[255 - threadIdx.x];\n"
    "}\n";
static void race(void) {
  pointer p = device_memory(256);
  void *a[] = {&p};
  OK(cuMemsetD8_v2(p, 0, 256));
  OK(cuLaunchKernel(function_of(module_of(text), "race"), 1, 1, 1, 64, 1, 1, 0, NULL, a, NULL));
  OK(cuCtxSynchronize());
  OK(cuMemFree_v2(p));
}
static void outside(void) {
  pointer p = device_memory(4000);
  void *a[] = {&p};
  OK(cuLaunchKernel(function_of(module_of(text), "outside"), 1, 1, 1, 1024, 1, 1, 0, NULL, a, NULL));
  cuCtxSynchronize();
}
static void freed(void) {
  pointer p = device_memory(4096);
  void *a[] = {&p};
  OK(cuMemFree_v2(p));
  OK(cuLaunchKernel(function_of(module_of(text), "outside"), 1, 1, 1, 32, 1, 1, 0, NULL, a, NULL));
  cuCtxSynchronize();
}
static void unwritten(void) {
  pointer p = device_memory(128), q = device_memory(128);
  void *a[] = {&p, &q};
  OK(cuLaunchKernel(function_of(module_of(text), "unwritten"), 1, 1, 1, 32, 1, 1, 0, NULL, a, NULL));
  OK(cuCtxSynchronize());
  OK(cuMemFree_v2(p));
  OK(cuMemFree_v2(q));
}
static void shared(void) {
  pointer p = device_memory(4);
  void *a[] = {&p};
  OK(cuMemsetD32_v2(p, 40, 1));
  OK(cuLaunchKernel(function_of(module_of(text), "shared"), 1, 1, 1, 32, 1, 1, 0, NULL, a, NULL));
  cuCtxSynchronize();
}
static void behind(void) { /* too near to fault: told by the next call, though the kernel is gone */
  for (unsigned n = 1; n < 3; ++n) {
    handle module = module_of(text);
    pointer p = device_memory(5);
    void *a[] = {&p};
    OK(cuLaunchKernel(function_of(module, "outside"), 1, 1, 1, n, 1, 1, 0, NULL, a, NULL));
    OK(cuModuleUnload(module));
    OK(cuCtxSynchronize());
  }
}
static void leak(void) { device_memory(1000); }
static void clean(void) {
  pointer p = device_memory(4096);
  for (int i = 0; i < 3; ++i) { /* the same object, loaded again */
    void *a[] = {&p};
    handle module = module_of(text);
    OK(cuLaunchKernel(function_of(module, "outside"), 1, 1, 1, 1024, 1, 1, 0, NULL, a, NULL));
    OK(cuLaunchKernel(function_of(module, "vectors"), 1, 1, 1, 64, 1, 1, 0, NULL, a, NULL));
    OK(cuModuleUnload(module));
  }
  OK(cuMemFree_v2(p));
}
static void plain_image(void) {
  FILE *f = fopen(getenv("IMAGE"), "rb");
  char *image = calloc(1, 1 << 20);
  handle module;
  EXPECT(fread(image, 1, 1 << 20, f) > 0, 1);
  EXPECT(cuModuleLoadData(&module, image), atoi(getenv("EXPECTED")));
}
static void write_image(void) {
  size_t bytes;
  char *image = image_of(text, &bytes);
  FILE *f = fopen(getenv("IMAGE"), "wb");
  EXPECT(fwrite(image, 1, bytes, f), bytes);
  fclose(f);
}
int main(int argc, char **argv) {
  static const struct test_case cases[] = {
      {"race", race}, {"outside", outside}, {"freed", freed}, {"unwritten", unwritten}, {"shared", shared},
      {"leak", leak}, {"behind", behind}, {"clean", clean}, {"plain_image", plain_image}, {"write_image", write_image}, {NULL, NULL}};
  if (argc < 3) return 2;
  for (const struct test_case *c = cases; c->name; ++c) {
    if (strcmp(c->name, argv[2]) != 0) continue;
    load(argv[1]);
    start();
    c->run();
    return 0;
  }
  return 2;
}
'''


@pytest.fixture(scope="module")
def planted(built, tmp_path_factory):
    source = tmp_path_factory.mktemp("planted") / "planted.c"
    source.write_text(textwrap.dedent(PLANTED))
    return built("planted", source=source)


def check(planted, environment, case, *options, **more):
    return call([CHECK, *options, "--exec", planted, LIBRARIES, case], environment, **more)


@pytest.mark.parametrize("schedule", ["forward", "reverse", "random:11"])
@pytest.mark.parametrize("case,wanted", [
    ("race", [r"^race: read/write in shared memory, missing __syncthreads", r"write of 4 bytes +case\.cu:4 ",
              r"s\[threadIdx\.x\] = p\[threadIdx\.x\];", r"read of 4 bytes +case\.cu:5 ",
              r"p\[threadIdx\.x\] = s\[63 - threadIdx\.x\];", "in kernel race", "shared variable s"]),
    ("outside", [r"^out-of-bounds: write outside of global memory", r"part\.cuh:101 ", r"p\[i\] = i;",
                 r"called from part\.cuh:103|part\.cuh:103", r"0 bytes behind the 4000 bytes from cuMemAlloc_v2",
                 r"in kernel outside"]),
    ("freed", [r"^use-after-free: ", r"part\.cuh:101 ", "cuMemFree_v2"]),
    ("unwritten", [r"^uninitialised: ", r"part\.cuh:104 ", "in kernel unwritten"]),
    ("shared", [r"^out-of-bounds: ", r"part\.cuh:107 ", r"s\[p\[0\] \+ threadIdx\.x\] = 1;", "in kernel shared"]),
    ("leak", [r"^leak: ", "1000 bytes from cuMemAlloc_v2"]),
])
def test_planted_bugs_are_found(planted, environment, case, wanted, schedule):
    leaks = ["--leaks", "yes" if case == "leak" else "no"]
    done = check(planted, environment, case, "--schedule", schedule, *leaks)
    assert done.returncode == 3, done.stderr
    for text in wanted:
        assert re.search(text, done.stderr, re.M), f"no {text!r} in\n{done.stderr}"
    again = check(planted, environment, case, "--schedule", schedule, *leaks)
    assert again.stderr == done.stderr


def test_a_call_is_named_though_another_library_makes_it(environment):
    script = (f"import ctypes; cu = ctypes.CDLL('{LIBRARIES}/libsimt_cuda.so'); c = ctypes.c_void_p(); "
              "p = ctypes.c_uint64(); cu.cuInit(0); cu.cuCtxCreate_v2(ctypes.byref(c), 0, 0); "
              "cu.cuMemAlloc_v2(ctypes.byref(p), ctypes.c_size_t(1000))")
    done = call([CHECK, "--leaks", "yes", "--exec", sys.executable, "-c", script], environment)
    assert done.returncode == 3 and "1000 bytes from cuMemAlloc_v2" in done.stderr, done.stderr


def test_a_clean_program_is_clean(planted, environment):
    done = check(planted, environment, "clean")
    assert done.returncode == 0 and "no findings" in done.stderr, done.stderr


@pytest.mark.parametrize("program,case", [("kernels", "modules"), ("kernels", "launches"), ("kernels", "threads"),
                                          ("failures", "replay"), ("compile", "names"), ("kernels", "globals"),
                                          ("shared", "late"), ("objects", "alignment")])
def test_cases_are_right_when_they_are_checked(built, environment, program, case):
    done = call([CHECK, "--leaks", "no", "--exec", built(program), LIBRARIES, case], environment)
    assert done.returncode == 0 and "no findings" in done.stderr, done.stderr


def test_a_write_just_behind_a_block_is_told(planted, environment):
    done = call([planted, LIBRARIES, "behind"], environment)
    assert done.returncode == 3 and done.stderr.count("wrote just behind the 5 bytes") == 1, done.stderr
    assert "kernel outside (part.cuh:103)" in done.stderr


def test_a_plain_image_is_refused_where_it_would_go_unchecked(planted, environment, tmp_path):
    image = str(tmp_path / "image")
    assert call([planted, LIBRARIES, "write_image"], environment, IMAGE=image).returncode == 0
    assert call([planted, LIBRARIES, "plain_image"], environment, IMAGE=image, EXPECTED="0").returncode == 0
    done = check(planted, environment, "plain_image", IMAGE=image, EXPECTED="200")
    assert done.returncode == 0, done.stderr
    # One that was built for checking is loaded by anybody.
    assert call([planted, LIBRARIES, "write_image"], environment, IMAGE=image, SIMT_NVRTC="check").returncode == 0
    assert call([planted, LIBRARIES, "plain_image"], environment, IMAGE=image, EXPECTED="0").returncode == 0
    assert check(planted, environment, "plain_image", IMAGE=image, EXPECTED="0").returncode == 0


def test_the_command_line_of_exec(planted, environment, tmp_path):
    assert call([CHECK, "--exec"], environment).returncode == 2
    done = call([CHECK, "--exec", tmp_path / "none"], environment)
    assert done.returncode == 2 and "no program" in done.stderr
    assert call([CHECK, "a.cu", "--exec", "true"], environment).returncode == 2
    done = call([CHECK, "--exec", "sh", "-c", "echo \"$1\"; exit 5", "--", "--json"], environment)
    assert done.returncode == 5 and done.stdout == "--json\n"
    done = call([CHECK, "--json", "--exec", planted, LIBRARIES, "race"], environment)
    assert done.returncode == 3 and '"race"' in done.stderr
    assert not [p for p in pathlib.Path(environment["TMPDIR"]).iterdir()]


# ---- other processes ----------------------------------------------------------------------------------

@pytest.mark.parametrize("case", ["launches", "modules", "threads"])
def test_under_the_address_sanitizer(built, environment, case):
    done = call([built("kernels", "-fsanitize=address"), LIBRARIES, case], environment,
                ASAN_OPTIONS="detect_leaks=0")
    assert done.returncode == 0, done.stderr


# The loader's own reading of $ORIGIN, eight bytes at a time.
LOADER = "{\n loader\n Memcheck:Addr8\n fun:strncmp\n ...\n fun:_dl_map_object*\n}\n"


# It takes the switch between stacks of a kernel's threads for errors, but runs all.
@pytest.mark.parametrize("program,case,status", [("objects", "memory", 9), ("kernels", "launches", 0)])
def test_under_valgrind(built, environment, tmp_path, program, case, status):
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    (tmp_path / "supp").write_text(LOADER)
    done = call(["valgrind", "-q", f"--error-exitcode={status}", f"--suppressions={tmp_path}/supp", built(program),
                 LIBRARIES, case], environment, SIMT_MEMORY="64M", SIMT_MARCH="x86-64-v2", SIMT_THREADS="1")
    assert done.returncode == 0, done.stderr


def test_a_library_that_was_preloaded_does_not_reach_the_compiler(built, environment):
    done = call([built("compile"), LIBRARIES, "language"], environment, LD_PRELOAD="/nowhere/none.so")
    assert done.returncode == 0


def test_a_program_that_is_stopped_leaves_no_child(built, environment, tmp_path):
    program = subprocess.Popen([built("kernels"), LIBRARIES, "threads"],
                               env={**environment, "SIMT_CACHE_DIR": str(tmp_path)})
    program.send_signal(signal.SIGTERM)
    assert program.wait(LIMIT) == -signal.SIGTERM
