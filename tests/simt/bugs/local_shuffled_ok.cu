// find: nothing
// Lanes hand on what only one of them has written; structs grow at their end; the last step of a loop that
// reads ahead moves what it has not read.
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

__global__ void ahead(const int *in, int *out, int steps) {
  int now[2], next[2], sum = 0;
  for (int k = 0; k < 2; ++k) now[k] = in[k];
  for (int i = 1; i <= steps; ++i) {
    if (i < steps)
      for (int k = 0; k < 2; ++k) next[k] = in[2 * i + k];
    sum += now[0] * now[1];
    for (int k = 0; k < 2; ++k) now[k] = next[k];
  }
  out[threadIdx.x] = sum;
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
  ahead<<<1, 32>>>(out, out + 96, 1);
  cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(counter);
  cudaFree(out);
  cudaFree(open);
  return host == 96 ? 0 : 1;
}
