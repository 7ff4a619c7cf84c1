// How large a grid may be: then and now.
//
//! title: limits of grid and block
//! expect: right
//
// Idea    old devices took 65,535 blocks in x and in y, which with 128 threads a block is
//         8,388,480 elements at most: the reason for grid-stride loops. Since 2012 x goes to
//         2^31 - 1; y and z still end at 65,535. A block may be 1,024 x 1,024 x 64 with no more
//         than 1,024 threads in all.
// Cost    65,536 blocks of 128 threads, one addition each.
// Shows   each limit as the device tells it, and that one beyond it is refused in each
//         direction. The 2^31 - 1 blocks are really launched on a GPU, where an empty grid of
//         that size takes about a second.
// Source  course topic: launch limits; CUDA C++ Programming Guide, technical specifications.
#include "../common/ladder.h"

__global__ void count(unsigned int *marks) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  marks[i] = i ^ 0x5a5a5a5au;
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

__global__ void nothing(void) {}

static void try_grid(dim3 blocks, dim3 threads, int want) {
  nothing<<<blocks, threads>>>();
  const cudaError_t launch = cudaGetLastError();
  const cudaError_t error = launch == cudaSuccess ? cudaDeviceSynchronize() : launch;
  printf("<<<(%u,%u,%u), (%u,%u,%u)>>>: %s\n", blocks.x, blocks.y, blocks.z, threads.x, threads.y,
         threads.z, error == cudaSuccess ? "runs" : "refused");
  if ((error == cudaSuccess) != want)
    ladder_wrong("grid (%u,%u,%u) of (%u,%u,%u): %s", blocks.x, blocks.y, blocks.z, threads.x,
                 threads.y, threads.z, cudaGetErrorString(error));
}

static void beyond_the_old_limit(void) {
  const unsigned int n = 65536 * 128;
  unsigned int *marks, *got = (unsigned int *)ladder_host_memory(n * sizeof *got);
  size_t wrong = 0;
  CHECK(cudaMalloc((void **)&marks, n * sizeof *marks));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(marks, 0, n * sizeof *marks));
    ladder_start();
    count<<<65536, 128>>>(marks);
    CHECK(ladder_stop());
  }
  ladder_moves((double)n * sizeof *marks);
  CHECK(cudaMemcpy(got, marks, n * sizeof *marks, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < n; ++i) wrong += got[i] != (i ^ 0x5a5a5a5au);
  if (wrong) ladder_wrong("%zu of %u elements", wrong, n);
  printf("old limit 65535 * 128 = %d elements; 65536 blocks of 128: %u elements, %zu wrong\n",
         65535 * 128, n, wrong);
  CHECK(cudaFree(marks));
  free(got);
}

int main(int argc, char **argv) {
  struct cudaDeviceProp p;
  ladder_begin(argc, argv, __FILE__, 65536 * 128, 65536 * 128, 0);
  CHECK(cudaGetDeviceProperties(&p, 0));
  printf("threads a block %d, block (%d,%d,%d), grid (%d,%d,%d)\n", p.maxThreadsPerBlock,
         p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0],
         p.maxGridSize[1], p.maxGridSize[2]);
  beyond_the_old_limit();
  try_grid(dim3(1, 65535, 1), dim3(1, 1, 1), 1);
  try_grid(dim3(1, 1, 65535), dim3(1, 1, 1), 1);
  try_grid(dim3(1, 65536, 1), dim3(1, 1, 1), 0);
  try_grid(dim3(1, 1, 65536), dim3(1, 1, 1), 0);
  try_grid(dim3(2147483648u, 1, 1), dim3(1, 1, 1), 0);
  try_grid(dim3(1, 1, 1), dim3(1, 1024, 1), 1);
  try_grid(dim3(1, 1, 1), dim3(16, 1, 64), 1);
  try_grid(dim3(1, 1, 1), dim3(1, 1, 65), 0);
  try_grid(dim3(1, 1, 1), dim3(32, 33, 1), 0);
  if (!ladder.on_simt) try_grid(dim3(2147483647u, 1, 1), dim3(1, 1, 1), 1);
  return ladder_end();
}
