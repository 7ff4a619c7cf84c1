"""What a repeated call asks the driver for: no memory, and no wait unless its result is on the host.

A process of its own runs on the software device by a driver that counts: its entries stand before those of
the device's, which it is linked to and which has all others.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: The parameters of each entry that is counted, and its arguments.
ENTRIES = {
    "cuMemAlloc_v2": ("pointer *out, size_t bytes", "out, bytes"),
    "cuMemFree_v2": ("pointer at", "at"),
    "cuMemAllocAsync": ("pointer *out, size_t bytes, void *stream", "out, bytes, stream"),
    "cuMemFreeAsync": ("pointer at, void *stream", "at, stream"),
    "cuMemHostAlloc": ("void **out, size_t bytes, unsigned flags", "out, bytes, flags"),
    "cuStreamSynchronize": ("void *stream", "stream"),
    "cuEventSynchronize": ("void *event", "event"),
    "cuStreamQuery": ("void *stream", "stream"),
    "cuEventQuery": ("void *event", "event"),
    "cuCtxSynchronize": ("void", ""),
    "cuMemcpyDtoHAsync_v2": ("void *to, pointer from, size_t bytes, void *stream", "to, from, bytes, stream"),
    "cuMemcpyHtoDAsync_v2": ("pointer to, void *from, size_t bytes, void *stream", "to, from, bytes, stream"),
    "cuLaunchKernel": ("void *f, unsigned x, unsigned y, unsigned z, unsigned i, unsigned j, unsigned k, "
                       "unsigned shared, void *stream, void **arguments, void **extra",
                       "f, x, y, z, i, j, k, shared, stream, arguments, extra"),
}
HEAD = """
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
typedef uint64_t pointer;
unsigned long driver_calls[COUNT];
static void *real(const char *name) {
  static void *driver;
  if (!driver) driver = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
  return dlsym(driver, name);
}
"""
WAITS = {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize", "cuStreamQuery", "cuEventQuery",
         "cuMemcpyDtoHAsync_v2"}
#: Calls of one kernel.
ONE_LAUNCH = {"sum", "sum 1", "max", "mean", "mean 1", "var", "std 1", "argmax", "cumsum", "dot"}
#: What arrays of the package's own take and give back: the driver's pool, in the order of its stream.
POOL = {"cuMemAllocAsync", "cuMemFreeAsync"}

PROGRAM = """
import ctypes, json, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import heddle as hd
from frames import NUMBER, framework
from heddle._arrays import exchange
from heddle import DeviceArray

exchange.DEVICES[NUMBER] = "simt"
Frame = framework("simt")
assert exchange.learn(Frame)
counted = (ctypes.c_ulong * int(sys.argv[3])).in_dll(ctypes.CDLL(sys.argv[2]), "driver_calls")
rng = np.random.default_rng(1)
a = rng.standard_normal((5, 600)).astype("f4")
edges, whole = np.array([-1, 0, 0.5]), rng.integers(0, 60, 3000)
kept = []

def calls(of):
    x, w, i = of(a), of(a), of(whole)
    line = of(a.reshape(-1))
    yield "sum", lambda: hd.sum(x)
    yield "sum 1", lambda: hd.sum(x, 1)
    yield "max", lambda: hd.max(x)
    yield "mean", lambda: hd.mean(x)
    yield "mean 1", lambda: hd.mean(x, 1)
    yield "var", lambda: hd.var(x, ddof=1)
    yield "std 1", lambda: hd.std(x, 1)
    yield "argmax", lambda: hd.argmax(x)
    yield "cumsum", lambda: hd.cumsum(x)
    yield "dot", lambda: hd.dot(line, line)
    yield "histogram", lambda: hd.histogram(x, 10, (0, 1))
    yield "edges", lambda: hd.histogram(x, edges)
    yield "weights", lambda: hd.histogram(x, edges, weights=w)
    yield "bincount", lambda: hd.bincount(i, length=70)
    yield "describe", lambda: hd.describe(x)
    yield "found range", lambda: hd.histogram(x, 10)
    yield "greatest", lambda: hd.bincount(i)

# Results of the framework's are memory of a stock, as frameworks have it: heddle's calls alone are counted.
stock = {}

def empty(shape, dtype, device, stream=None, is_bfloat16=False):
    key = shape, np.dtype(dtype)
    if not stock.get(key):
        stock[key] = [made(shape, dtype, device) for _ in range(60)]
        kept.extend(stock[key])
    return stock[key].pop()

found = {}
made = DeviceArray.empty
for kind in ("tensor", "array"):
    of = Frame.of if kind == "tensor" else lambda host: DeviceArray.from_host(host, "simt")
    for name, call in [*calls(of)]:
        if kind == "tensor":
            DeviceArray.empty = empty
        kept.extend(call() for _ in range(4))
        before = list(counted)
        result = call()
        after = list(counted)
        del result
        found[f"{kind} {name}"] = [after, before, list(counted)]
        DeviceArray.empty = made
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def folder(build, tmp_path_factory):
    """The software device's libraries, with a driver that counts in front of its own."""
    real, made = build / "lib/heddle", tmp_path_factory.mktemp("driver")
    if not (real / "libsimt_cuda.so").exists():
        pytest.skip("a build without the software device")
    for file in real.iterdir():
        if file.name != "libsimt_cuda.so":
            (made / file.name).symlink_to(file)
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    source = made / "driver.c"
    source.write_text(HEAD + "".join(
        f"int {name}({parameters}) {{\n  driver_calls[{i}]++;\n"
        f"  return ((int (*)({parameters}))real(\"{name}\"))({arguments});\n}}\n"
        for i, (name, (parameters, arguments)) in enumerate(ENTRIES.items())))
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", f"-DCOUNT={len(ENTRIES)}",
                    f'-DREAL="{real}/libsimt_cuda.so"', source, "-Wl,--no-as-needed",
                    real / "libsimt_cuda.so", "-ldl", f"-Wl,-rpath,{real}", "-o",
                    made / "libsimt_cuda.so"], check=True)
    return made


def test_repeated_calls(gpu, folder):
    if gpu != "simt":
        pytest.skip("a GPU's driver is nobody's to stand in front of")
    env = {**os.environ, "HEDDLE_SIMT": str(folder)}
    arguments = [HERE, folder / "libsimt_cuda.so", str(len(ENTRIES))]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], env=env,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == 34
    for call, (after, before, ended) in found.items():
        asked = {name for name, a, b in zip(ENTRIES, after, before) if a > b}
        launches = after[[*ENTRIES].index("cuLaunchKernel")] - before[[*ENTRIES].index("cuLaunchKernel")]
        assert launches == 1 or call.partition(" ")[2] not in ONE_LAUNCH, (call, launches)
        asked.discard("cuLaunchKernel")
        waited = call.partition(" ")[2] in ("describe", "found range", "greatest")
        allowed = (WAITS if waited else set()) | (POOL if call.startswith("array") else set())
        assert asked <= allowed | ({"cuMemcpyHtoDAsync_v2"} if "range" in call else set()), call
        assert bool(asked & WAITS) == waited, call
        gone = {name for name, a, b in zip(ENTRIES, ended, after) if a > b}
        is_pools = call.startswith("array") and not call.endswith("describe")
        assert gone == ({"cuMemFreeAsync"} if is_pools else set()), call
