// Device query in the usual shape, occupancy calculator, launch bounds, cache and shared-memory configuration.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <iostream>

const int kOneWarp = 32;

__global__ void square(int *array, int n) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < n) array[idx] *= array[idx];
}

template <int MinBlocks> __global__ void __launch_bounds__(256, MinBlocks) bounded(int *p) {
  p[threadIdx.x] = MinBlocks;
}

static double occupancy_of(void *kernel, int blockSize, size_t bytes) {
  int device, resident;
  cudaDeviceProp prop;
  cudaGetDevice(&device);
  cudaGetDeviceProperties(&prop, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, blockSize, bytes);
  return (double)resident * (blockSize / prop.warpSize) /
         (prop.maxThreadsPerMultiProcessor / prop.warpSize);
}

int main() {
  int devices = 0, driver = 0, runtime = 0, bad = 0;
  cudaError_t count_error = cudaGetDeviceCount(&devices);
  if (count_error != cudaSuccess) {
    printf("no count: %d, %s\n", static_cast<int>(count_error), cudaGetErrorString(count_error));
    exit(EXIT_FAILURE);
  }
  printf("%d devices\n", devices);
  for (int dev = 0; dev < devices; ++dev) {
    cudaSetDevice(dev);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, dev);
    printf("\nDevice %d: \"%s\"\n", dev, p.name);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    printf("  Driver / runtime: %d.%d / %d.%d\n", driver / 1000, (driver % 100) / 10,
           runtime / 1000, (runtime % 100) / 10);
    printf("  Capability: %d.%d\n", p.major, p.minor);
    printf("  Global memory: %.0f MBytes (%llu bytes)\n", (float)p.totalGlobalMem / 1048576.0f,
           (unsigned long long)p.totalGlobalMem);
    printf("  (%03d) Multiprocessors\n", p.multiProcessorCount);
    printf("  Constant: %zu, shared: %zu, registers: %d, warp: %d\n", p.totalConstMem,
           p.sharedMemPerBlock, p.regsPerBlock, p.warpSize);
    printf("  Threads a block %d, dim (%d, %d, %d), grid (%d, %d, %d)\n", p.maxThreadsPerBlock,
           p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0],
           p.maxGridSize[1], p.maxGridSize[2]);
    printf("  Unified addressing: %s, managed: %s, concurrent kernels: %s, ECC %s, bus %d\n",
           p.unifiedAddressing ? "Yes" : "No", p.managedMemory ? "Yes" : "No",
           p.concurrentKernels ? "Yes" : "No", p.ECCEnabled ? "on" : "off", p.pciBusID);
    printf("  L2 %d, memory bus %d bit, pitch %lu, texture alignment %lu\n", p.l2CacheSize,
           p.memoryBusWidth, p.memPitch, p.textureAlignment);
    bad += p.maxThreadsPerBlock != 1024 || p.warpSize != 32 || p.maxGridSize[0] != 2147483647;
    bad += p.maxGridSize[1] != 65535 || p.sharedMemPerBlock != 49152 || p.major != 9;
  }
  size_t freeMem = 0, total = 0;
  cudaMemGetInfo(&freeMem, &total);
  bad += freeMem == 0 || freeMem > total;
  printf("free %zu of %zu\n", freeMem, total);

  int count = 100000, *a = (int *)malloc(count * sizeof(int)), *d;
  for (int i = 0; i < count; i++) a[i] = i % 1000;
  cudaMalloc(&d, count * sizeof(int));
  cudaMemcpy(d, a, count * sizeof(int), cudaMemcpyHostToDevice);
  int blockSize, minGridSize;
  cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, square, 0, count);
  int gridSize = (count + blockSize - 1) / blockSize;
  square<<<gridSize, blockSize>>>(d, count);
  cudaDeviceSynchronize();
  double occupancy = occupancy_of((void *)square, blockSize, 0);
  double low = occupancy_of((void *)square, kOneWarp, 0);
  double smem = occupancy_of((void *)square, 128, 48 * 1024);
  std::cout << "best block " << blockSize << ", occupancy " << occupancy * 100 << "% " << low * 100
            << "% " << smem * 100 << "%" << std::endl;
  cudaMemcpy(a, d, count * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++) bad += a[i] != (i % 1000) * (i % 1000);
  bad += occupancy <= 0.5 || occupancy > 1 || low != 0.5 || smem > 0.3;
  cudaFuncSetCacheConfig(square, cudaFuncCachePreferShared);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  bounded<2><<<1, 256>>>(d);
  cudaMemcpy(a, d, sizeof(int), cudaMemcpyDeviceToHost);
  bad += a[0] != 2;
  std::cout << (bad ? "FAILED" : "PASSED") << std::endl;
  cudaFree(d);
  return bad;
}
