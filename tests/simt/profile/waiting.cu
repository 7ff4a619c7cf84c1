// Threads that wait for each other in ways that a lowest-address-first schedule would never end.
#include <cooperative_groups.h>
#include <cstdio>

__device__ int lock, counter, flag, order[64];
__device__ volatile int ready;

__global__ void spin_lock() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  ++counter; // line: critical
  __threadfence();
  atomicExch(&lock, 0);
}

// Lane 31 comes last and sets what the others poll.
__global__ void lane_polls() {
  if (threadIdx.x % 32 != 31) {
    while (!ready) {
    }
  } else {
    ready = 1;
  }
}

// Block 0 waits for the last block.
__global__ void block_polls() {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0)
      while (atomicAdd(&flag, 0) == 0) {
      }
    __syncthreads();
  } else if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    atomicExch(&flag, 1);
  }
}

__global__ void shuffles(int *out) {
  int v = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d); // line: shuffle
  if (threadIdx.x % 32 < 7) v += __popc(__ballot_sync(0x7f, v > 3));
  __syncwarp();
  out[threadIdx.x] = v;
}

__global__ void divergent_then_barrier(int *out) {
  int v = 0;
  for (int i = 0; i < threadIdx.x % 5; ++i) v += i;
  __syncthreads(); // line: barrier
  out[threadIdx.x] = v;
  if (threadIdx.x == 3) printf("lane 3\n");
}

__global__ void whole_grid(int *out) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  out[grid.thread_rank()] = 1;
  grid.sync();
  int n = out[(grid.thread_rank() + 32) % grid.size()];
  grid.sync();
  out[grid.thread_rank()] = n;
}

int main() {
  int *out, counted = 0;
  cudaMalloc(&out, 4096);
  spin_lock<<<4, 64>>>();
  lane_polls<<<2, 64>>>();
  block_polls<<<3, 64>>>();
  shuffles<<<1, 64>>>(out);
  divergent_then_barrier<<<1, 64>>>(out);
  void *arguments[] = {&out};
  cudaLaunchCooperativeKernel((void *)whole_grid, dim3(4), dim3(64), arguments, 0, 0);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
  puts(counted == 256 ? "PASSED" : "FAILED");
  return counted == 256 ? 0 : 1;
}
