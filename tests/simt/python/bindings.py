"""A program over cuda.bindings that knows nothing of the software device; `race` takes the barrier out."""
import sys

import numpy as np
from cuda.bindings import driver, nvrtc

KERNEL = b"""
extern "C" __global__ void turn(int *data, int add) {
  __shared__ int s[64];
  s[threadIdx.x] = data[threadIdx.x];
  BARRIER;
  data[threadIdx.x] = s[63 - threadIdx.x] + add;
}
"""


def ok(result):
    if result[0]:
        raise SystemExit(str(result[0]))
    return result[1] if len(result) == 2 else result[1:]


def main():
    barrier = b"" if sys.argv[1:] == ["race"] else b"__syncthreads()"
    ok(driver.cuInit(0))
    device = ok(driver.cuDeviceGet(0))
    context = ok(driver.cuDevicePrimaryCtxRetain(device))
    ok(driver.cuCtxSetCurrent(context))
    program = ok(nvrtc.nvrtcCreateProgram(KERNEL.replace(b"BARRIER", barrier), b"turn.cu", 0, [], []))
    options = [b"--gpu-architecture=sm_90"]
    ok(nvrtc.nvrtcCompileProgram(program, len(options), options))
    image = b" " * ok(nvrtc.nvrtcGetCUBINSize(program))
    ok(nvrtc.nvrtcGetCUBIN(program, image))
    assert ok(nvrtc.nvrtcGetLTOIRSize(program)) == 0
    ok(nvrtc.nvrtcDestroyProgram(program))
    module = ok(driver.cuModuleLoadData(image))
    kernel = ok(driver.cuModuleGetFunction(module, b"turn"))
    data = np.arange(64, dtype=np.int32)
    memory = ok(driver.cuMemAlloc(data.nbytes))
    ok(driver.cuMemcpyHtoD(memory, data.ctypes.data, data.nbytes))
    arguments = (memory, 100), (None, np.ctypeslib.ctypes.c_int)
    ok(driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, arguments, 0))
    ok(driver.cuMemcpyDtoH(data.ctypes.data, memory, data.nbytes))
    ok(driver.cuMemFree(memory))
    ok(driver.cuModuleUnload(module))
    print(ok(driver.cuDeviceGetName(64, device)).rstrip(b"\0").decode(), data[0], data[63])


main()
