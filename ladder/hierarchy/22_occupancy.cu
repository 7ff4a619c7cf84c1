// How many blocks a multiprocessor holds at a time.
//
//! title: occupancy from registers, shared memory, threads
//! expect: right
//
// Idea    a block is resident as a whole or not at all. A multiprocessor has so many thread
//         slots, block slots, registers and bytes of shared memory; the first to run out decides.
//         Occupancy is resident threads over thread slots.
// Cost    arithmetic only; nothing runs.
// Shows   the calculation by hand beside cudaOccupancyMaxActiveBlocksPerMultiprocessor. 96
//         threads a block leave slots unused (2048 = 21 * 96 + 32), 32 threads meet the limit of
//         32 blocks, 64 KiB of shared memory each leave room for 3 blocks.
// Limits  registers are handed out in units of 256 a warp, to one of four quarters of the
//         multiprocessor; shared memory in units of 128 bytes, 1 KiB a block being the system's.
// Source  course topic: occupancy; CUDA C++ Best Practices Guide, Calculating Occupancy.
#include "../common/ladder.h"

extern __shared__ unsigned int scratch[];

__global__ void task(unsigned int *out) {
  scratch[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}

static int up(int value, int unit) { return (value + unit - 1) / unit * unit; }

static int smaller(int *least, int value, const char *reason, const char **why) {
  if (value < *least) {
    *least = value;
    *why = reason;
  }
  return *least;
}

// The first of four limits that a multiprocessor runs into.
static int by_hand(const struct cudaDeviceProp *p, const struct cudaFuncAttributes *kernel,
                   int threads, size_t shared, const char **why) {
  const int warps = up(threads, 32) / 32;
  const int a_warp = up((kernel->numRegs ? kernel->numRegs : 1) * 32, 256);
  const int by_registers = p->regsPerMultiprocessor / 4 / a_warp * 4 / warps;
  const int bytes = up((int)(shared + kernel->sharedSizeBytes + p->reservedSharedMemPerBlock), 128);
  int blocks = p->maxBlocksPerMultiProcessor;
  *why = "block slots";
  smaller(&blocks, p->maxThreadsPerMultiProcessor / 32 / warps, "thread slots", why);
  smaller(&blocks, by_registers, "registers", why);
  smaller(&blocks, (int)p->sharedMemPerMultiprocessor / bytes, "shared memory", why);
  return blocks;
}

int main(int argc, char **argv) {
  static const struct {
    int threads;
    int kib;
  } cases[] = {{32, 0},   {64, 0},   {96, 0},   {128, 0},  {256, 0},   {512, 0},    {768, 0},
               {1024, 0}, {256, 16}, {256, 48}, {256, 64}, {256, 100}, {1024, 100}, {256, 227}};
  struct cudaDeviceProp p;
  struct cudaFuncAttributes kernel;
  ladder_begin(argc, argv, __FILE__, 1, 1, 0);
  CHECK(cudaGetDeviceProperties(&p, 0));
  CHECK(cudaFuncGetAttributes(&kernel, task));
  CHECK(cudaFuncSetAttribute(task, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const int threads = cases[i].threads;
    const size_t shared = (size_t)cases[i].kib * 1024;
    const char *why;
    int got = 0;
    const int want = by_hand(&p, &kernel, threads, shared, &why);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, task, threads, shared));
    printf("%4d threads, %3d KiB: %2d blocks, %4d threads, occupancy %3d%%, limit: %s\n", threads,
           cases[i].kib, got, got * threads, 100 * got * threads / p.maxThreadsPerMultiProcessor,
           why);
    if (got != want)
      ladder_wrong("%d threads, %d KiB: %d blocks, by hand %d", threads, cases[i].kib, got, want);
  }
  return ladder_end();
}
