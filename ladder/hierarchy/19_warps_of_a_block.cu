// A block is cut into warps of 32, and the last one may be mostly empty.
//
//! title: 64 threads are 2 warps, 65 are 3
//! expect: right
//
// Idea    a warp is 32 consecutive threads of a block, in the order x, then y, then z. A block of
//         65 threads takes three warps; the third has one thread and 31 idle lanes, and costs as
//         much as a full one.
// Cost    ceil(threads/32) warps a block.
// Shows   warp and lane of every thread: t / 32 and t % 32. Counted by the threads themselves,
//         each warp's first lane asks for the lanes that run with it. Block sizes should be
//         multiples of 32.
// Source  course topic: warps; Lindholm, Nickolls, Oberman and Montrym, NVIDIA Tesla: a unified
//         graphics and computing architecture, IEEE Micro 28(2), 2008.
#include "../common/ladder.h"

__global__ void census(unsigned int *lanes_of_warp) {
  const unsigned int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned int mine = __ballot_sync(0xffffffffu, 1); // lanes that are not there do not vote
  LADDER_STEP();
  LADDER_WORK(1);
  if (t % 32 == 0) lanes_of_warp[t / 32] = (unsigned int)__popc(mine);
}

static void count(dim3 threads, unsigned int *device) {
  unsigned int got[32], want[32] = {0}, warps = 0, lanes = 0;
  const unsigned int all = threads.x * threads.y * threads.z;
  CHECK(cudaMemset(device, 0, sizeof got));
  ladder_start();
  census<<<1, threads>>>(device);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (unsigned int t = 0; t < all; ++t) ++want[t / 32];
  for (int w = 0; w < 32; ++w) {
    warps += got[w] != 0;
    lanes += got[w];
  }
  printf("%4u threads (%u x %u x %u): %2u warps, %2u idle lanes\n", all, threads.x, threads.y,
         threads.z, warps, 32 * warps - lanes);
  ladder_same_u32("lanes of a warp", got, want, 32);
}

int main(int argc, char **argv) {
  unsigned int *device;
  ladder_begin(argc, argv, __FILE__, 65, 65, 0);
  CHECK(cudaMalloc((void **)&device, 32 * sizeof *device));
  count(dim3(64, 1, 1), device);
  count(dim3(65, 1, 1), device);
  count(dim3(1, 1, 1), device);
  count(dim3(33, 31, 1), device);
  count(dim3(8, 8, 8), device);
  count(dim3(1024, 1, 1), device);
  if (ladder.size <= 1024) count(dim3((unsigned int)ladder.size, 1, 1), device);
  CHECK(cudaFree(device));
  return ladder_end();
}
