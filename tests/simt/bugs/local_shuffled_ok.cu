// find: nothing
// Lanes hand on what only one of them has written; structs grow at their end.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

struct Open {
  int count, list[1];
};

__device__ int next(int *counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int first;
  if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(group.size()));
  return group.shfl(first, 0) + group.thread_rank();
}

__global__ void number(int *counter, int *out, Open *open) {
  int mine;
  if (threadIdx.x % 32 == 0) mine = atomicAdd(counter, 32);
  mine = __shfl_sync(0xffffffff, mine, 0) + threadIdx.x % 32;
  out[mine] = 1;
  if (threadIdx.x % 2) out[next(counter)] = 1;
  if (threadIdx.x < 4) open->list[threadIdx.x] = threadIdx.x;
}

int main() {
  int *counter, *out, host = 0;
  Open *open;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMalloc(&open, sizeof(Open) + 3 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  number<<<1, 64>>>(counter, out, open);
  cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(counter);
  cudaFree(out);
  cudaFree(open);
  return host == 96 ? 0 : 1;
}
