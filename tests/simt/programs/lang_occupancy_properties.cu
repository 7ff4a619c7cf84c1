// Device query in the usual shape, occupancy calculator, launch bounds, cache and shared-memory configuration.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

const int manualBlockSize = 32;

__global__ void square(int *array, int arrayCount) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < arrayCount) array[idx] *= array[idx];
}

template <int MinBlocks> __global__ void __launch_bounds__(256, MinBlocks) bounded(int *p) { p[threadIdx.x] = MinBlocks; }

static double reportPotentialOccupancy(void *kernel, int blockSize, size_t dynamicSMem) {
  int device, numBlocks;
  cudaDeviceProp prop;
  cudaGetDevice(&device);
  cudaGetDeviceProperties(&prop, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, kernel, blockSize, dynamicSMem);
  return (double)numBlocks * (blockSize / prop.warpSize) / (prop.maxThreadsPerMultiProcessor / prop.warpSize);
}

int main() {
  int deviceCount = 0, driver = 0, runtime = 0, bad = 0;
  cudaError_t error_id = cudaGetDeviceCount(&deviceCount);
  if (error_id != cudaSuccess) {
    printf("cudaGetDeviceCount returned %d\n-> %s\n", static_cast<int>(error_id), cudaGetErrorString(error_id));
    exit(EXIT_FAILURE);
  }
  printf("Detected %d CUDA Capable device(s)\n", deviceCount);
  for (int dev = 0; dev < deviceCount; ++dev) {
    cudaSetDevice(dev);
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, dev);
    printf("\nDevice %d: \"%s\"\n", dev, deviceProp.name);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    printf("  Driver / runtime: %d.%d / %d.%d\n", driver / 1000, (driver % 100) / 10, runtime / 1000, (runtime % 100) / 10);
    printf("  Capability: %d.%d\n", deviceProp.major, deviceProp.minor);
    printf("  Global memory: %.0f MBytes (%llu bytes)\n", (float)deviceProp.totalGlobalMem / 1048576.0f,
           (unsigned long long)deviceProp.totalGlobalMem);
    printf("  (%03d) Multiprocessors\n", deviceProp.multiProcessorCount);
    printf("  Constant: %zu, shared: %zu, registers: %d, warp: %d\n", deviceProp.totalConstMem, deviceProp.sharedMemPerBlock,
           deviceProp.regsPerBlock, deviceProp.warpSize);
    printf("  Threads a block %d, dim (%d, %d, %d), grid (%d, %d, %d)\n", deviceProp.maxThreadsPerBlock,
           deviceProp.maxThreadsDim[0], deviceProp.maxThreadsDim[1], deviceProp.maxThreadsDim[2],
           deviceProp.maxGridSize[0], deviceProp.maxGridSize[1], deviceProp.maxGridSize[2]);
    printf("  Unified addressing: %s, managed: %s, concurrent kernels: %s, ECC %s, bus %d\n",
           deviceProp.unifiedAddressing ? "Yes" : "No", deviceProp.managedMemory ? "Yes" : "No",
           deviceProp.concurrentKernels ? "Yes" : "No", deviceProp.ECCEnabled ? "on" : "off", deviceProp.pciBusID);
    printf("  L2 %d, memory bus %d bit, pitch %lu, texture alignment %lu\n", deviceProp.l2CacheSize,
           deviceProp.memoryBusWidth, deviceProp.memPitch, deviceProp.textureAlignment);
    bad += deviceProp.maxThreadsPerBlock != 1024 || deviceProp.warpSize != 32 || deviceProp.maxGridSize[0] != 2147483647;
    bad += deviceProp.maxGridSize[1] != 65535 || deviceProp.sharedMemPerBlock != 49152 || deviceProp.major != 9;
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
  double occupancy = reportPotentialOccupancy((void *)square, blockSize, 0);
  double low = reportPotentialOccupancy((void *)square, manualBlockSize, 0);
  double smem = reportPotentialOccupancy((void *)square, 128, 48 * 1024);
  std::cout << "Suggested block size: " << blockSize << ", occupancy " << occupancy * 100 << "% " << low * 100 << "% "
            << smem * 100 << "%" << std::endl;
  cudaMemcpy(a, d, count * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++) bad += a[i] != (i % 1000) * (i % 1000);
  bad += occupancy <= 0.5 || occupancy > 1 || low != 0.5 || smem > 0.3;
  cudaFuncSetCacheConfig(square, cudaFuncCachePreferShared);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  bounded<2><<<1, 256>>>(d);
  cudaMemcpy(a, d, sizeof(int), cudaMemcpyDeviceToHost);
  bad += a[0] != 2;
  std::cout << (bad ? "FAILED" : "PASSED") << std::endl;
  return bad;
}
