"""Occupancy of named GPUs: known figures, and the software device's own, which is an H200.

The table is compiled here into a library and called through ctypes; the known figures are those
of NVIDIA's occupancy calculator.
"""
import ctypes
import json
import subprocess

import pytest

from conftest import ROOT, find_run

LIMITS = ("warps", "blocks", "registers", "shared memory", "threads a block")


class Occupancy(ctypes.Structure):
    _fields_ = [("blocks", ctypes.c_uint), ("warps", ctypes.c_uint), ("percent", ctypes.c_double),
                ("limit", ctypes.c_uint), ("by_warps", ctypes.c_uint), ("by_blocks", ctypes.c_uint),
                ("by_registers", ctypes.c_uint), ("by_shared", ctypes.c_uint)]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("gpu") / "profile_gpu.so"
    subprocess.run(["gcc", "-std=c11", "-shared", "-fPIC", "-o", path,
                    ROOT / "simt/report/profile/gpu.c"], check=True)
    found = ctypes.CDLL(str(path))
    found.gpu_find.restype = found.gpu_at.restype = ctypes.c_void_p
    found.gpu_limit_name.restype = ctypes.c_char_p
    found.gpu_occupancy.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_size_t,
                                    ctypes.POINTER(Occupancy)]
    return found


def occupancy(library, gpu, threads, registers=32, shared=0):
    result = Occupancy()
    at = library.gpu_find(gpu.encode())
    assert at, gpu
    library.gpu_occupancy(at, threads, registers, shared, ctypes.byref(result))
    return result


KB = 1024
KNOWN = [  # GPU, threads, registers, shared bytes: blocks, warps, percent, limit
    ("h200", 256, 32, 0, 8, 64, 100.0, "warps"),
    ("h200", 256, 33, 0, 6, 48, 75.0, "registers"),  # 1,056 registers a warp become 1,280
    ("h200", 1024, 64, 0, 1, 32, 50.0, "registers"),
    ("h200", 1024, 65, 0, 0, 0, 0.0, "registers"),
    ("h200", 128, 255, 0, 2, 8, 12.5, "registers"),
    ("h200", 128, 256, 0, 0, 0, 0.0, "registers"),
    ("h200", 32, 32, 0, 32, 32, 50.0, "blocks"),
    ("h200", 33, 32, 0, 32, 64, 100.0, "warps"),
    ("h200", 256, 32, 48 * KB, 4, 32, 50.0, "shared memory"),
    ("h200", 256, 32, 227 * KB, 1, 8, 12.5, "shared memory"),
    ("h200", 256, 32, 227 * KB + 1, 0, 0, 0.0, "shared memory"),
    ("h200", 1025, 32, 0, 0, 0, 0.0, "threads a block"),
    ("h200", 0, 32, 0, 0, 0, 0.0, "threads a block"),
    ("h100", 192, 40, 0, 8, 48, 75.0, "registers"),
    ("b200", 512, 32, 0, 4, 64, 100.0, "warps"),
    ("a100", 256, 32, 48 * KB, 3, 24, 37.5, "shared memory"),
    ("a100", 128, 32, 10 * KB, 14, 56, 87.5, "shared memory"),
    ("v100", 256, 32, 48 * KB, 2, 16, 25.0, "shared memory"),
    ("v100", 64, 16, 1, 32, 64, 100.0, "warps"),
    ("t4", 256, 32, 48 * KB, 1, 8, 25.0, "shared memory"),
    ("t4", 32, 32, 0, 16, 16, 50.0, "blocks"),
    ("t4", 1024, 64, 0, 1, 32, 100.0, "warps"),
    ("rtx3090", 256, 32, 0, 6, 48, 100.0, "warps"),
    ("rtx3090", 1024, 32, 0, 1, 32, 100 * 32 / 48, "warps"),
    ("rtx3090", 64, 32, 0, 16, 32, 100 * 32 / 48, "blocks"),
    ("a10", 256, 64, 0, 4, 32, 100 * 32 / 48, "registers"),
    ("rtx4090", 32, 32, 0, 24, 24, 50.0, "blocks"),
    ("l4", 64, 32, 0, 24, 48, 100.0, "warps"),
    ("l40s", 128, 32, 99 * KB, 1, 4, 100 * 4 / 48, "shared memory"),
]


@pytest.mark.parametrize("known", KNOWN, ids=lambda k: "-".join(map(str, k[:4])))
def test_known_figures(library, known):
    got = occupancy(library, *known[:4])
    assert (got.blocks, got.warps, LIMITS[got.limit]) == (known[4], known[5], known[7])
    assert got.percent == pytest.approx(known[6])
    assert library.gpu_limit_name(got.limit).decode() == known[7]


def test_names(library):
    for name in ("H200", "NVIDIA H200", "nvidia-h200", "RTX 4090", "GeForce RTX 4090", "rtx-4090",
                 "Tesla T4", "NVIDIA GeForce RTX 3090", " l40s "):
        assert library.gpu_find(name.encode()), name
    for name in ("", "h", "h2000", "nvidia", "4090", "rtx", "l40", "gtx480"):
        assert not library.gpu_find(name.encode()), name
    assert library.gpu_at(10) and not library.gpu_at(11)


AGREES = r"""
#include <cstdio>
__global__ void nothing() {}
int main() {
  cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
  printf("[");
  for (int threads = 1; threads <= 1025; threads += threads < 130 ? 1 : 37)
    for (int shared = 0; shared <= 228 * 1024; shared += shared < 2048 ? 97 : 5003) {
      int blocks = -1;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, threads, shared);
      printf("[%d, %d, %d],\n", threads, shared, blocks);
    }
  printf("[32, 0, 32]]\n");
}
"""


def test_the_software_device_is_an_h200(library, tmp_path):
    source = tmp_path / "agrees.cu"
    source.write_text(AGREES)
    done = subprocess.run([find_run(), source], capture_output=True, text=True, check=True,
                          timeout=120)
    table = json.loads(done.stdout)
    assert len(table) > 10000
    for threads, shared, blocks in table:
        got = occupancy(library, "h200", threads, 32, shared)
        assert got.blocks == blocks, (threads, shared)
