// find: race global read/write fence
// A barrier of all blocks by a counter, but the blocks do not fence before they arrive.
// Fixed: A barrier of all blocks by a counter: every thread fences, the block waits, its first
// thread arrives.
#include <cstdio>
#include <vector>

__device__ unsigned arrived;

__device__ void grid_barrier(unsigned goal) {
#ifdef FIXED
  __threadfence();
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < goal) {
    }
#ifdef FIXED
    __threadfence();
#endif
  }
  __syncthreads();
}

__global__ void two_steps(const int *in, int *middle, int *out) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  middle[i] = in[i] * 2; // BUG
  grid_barrier(gridDim.x);
  out[i] = middle[n - 1 - i] + 1; // BUG
}

int main() {
  const int n = 128;
  int *in, *middle, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&middle, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i;
  two_steps<<<4, 32>>>(in, middle, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %d\n", out[0], out[n - 1]);
  cudaFree(in);
  cudaFree(middle);
  cudaFree(out);
}
