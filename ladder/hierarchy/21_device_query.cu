// What the device says of itself.
//
//! title: device query
//! expect: right
//
// Idea    cudaGetDeviceProperties fills a structure with the limits that the other rungs run
//         into; cudaDeviceGetAttribute gives them one by one.
// Cost    none.
// Shows   the numbers to calculate with: multiprocessors, threads, registers, shared memory,
//         warp size, grid. Both ways of asking must agree, and the warp size must be the kernel's.
// Source  course topic: device query.
#include "../common/ladder.h"

__global__ void ask(int *warp_size) { *warp_size = warpSize; }

static int attribute(enum cudaDeviceAttr which) {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

static void line(const char *name, size_t value, enum cudaDeviceAttr which) {
  printf("%-34s %zu\n", name, value);
  if ((size_t)attribute(which) != value)
    ladder_wrong("%s: %zu as a property, %d as an attribute", name, value, attribute(which));
}

int main(int argc, char **argv) {
  struct cudaDeviceProp p;
  int devices = 0, *device, warp = 0;
  ladder_begin(argc, argv, __FILE__, 1, 1, 0);
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaGetDeviceProperties(&p, 0));
  printf("%-34s %d, the first: %s\n", "devices", devices, p.name);
  printf("%-34s %d.%d\n", "compute capability", p.major, p.minor);
  printf("%-34s %.1f GiB\n", "global memory", (double)p.totalGlobalMem / (1 << 30));
  line("multiprocessors", (size_t)p.multiProcessorCount, cudaDevAttrMultiProcessorCount);
  line("warp size", (size_t)p.warpSize, cudaDevAttrWarpSize);
  line("threads a block", (size_t)p.maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
  line("threads a multiprocessor", (size_t)p.maxThreadsPerMultiProcessor,
       cudaDevAttrMaxThreadsPerMultiProcessor);
  line("blocks a multiprocessor", (size_t)p.maxBlocksPerMultiProcessor,
       cudaDevAttrMaxBlocksPerMultiprocessor);
  line("registers a block", (size_t)p.regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
  line("registers a multiprocessor", (size_t)p.regsPerMultiprocessor,
       cudaDevAttrMaxRegistersPerMultiprocessor);
  line("shared bytes a block", p.sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
  line("shared bytes a block, on request", p.sharedMemPerBlockOptin,
       cudaDevAttrMaxSharedMemoryPerBlockOptin);
  line("shared bytes a multiprocessor", p.sharedMemPerMultiprocessor,
       cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  line("constant bytes", p.totalConstMem, cudaDevAttrTotalConstantMemory);
  line("grid x", (size_t)p.maxGridSize[0], cudaDevAttrMaxGridDimX);
  line("grid y", (size_t)p.maxGridSize[1], cudaDevAttrMaxGridDimY);
  line("grid z", (size_t)p.maxGridSize[2], cudaDevAttrMaxGridDimZ);
  line("copies beside kernels", (size_t)p.asyncEngineCount, cudaDevAttrAsyncEngineCount);
  line("cooperative launch", (size_t)p.cooperativeLaunch, cudaDevAttrCooperativeLaunch);
  CHECK(cudaMalloc((void **)&device, sizeof *device));
  ask<<<1, 1>>>(device);
  CHECK(cudaMemcpy(&warp, device, sizeof warp, cudaMemcpyDeviceToHost));
  ladder_same_i32("warp size in a kernel", &warp, &p.warpSize, 1);
  CHECK(cudaFree(device));
  return ladder_end();
}
