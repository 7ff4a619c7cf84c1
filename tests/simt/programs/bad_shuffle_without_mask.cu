// expect: compile error, stderr "bad_shuffle_without_mask.cu:8", stderr "__shfl_down_sync"
// nvcc: no
// Shuffles without a mask went with Volta.
#include <cstdio>

__global__ void sum(int *v) {
  int s = v[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down(s, d);
  if (threadIdx.x == 0) v[0] = s;
}

int main() {
  int *v;
  cudaMalloc(&v, 32 * sizeof *v);
  cudaMemset(v, 0, 32 * sizeof *v);
  sum<<<1, 32>>>(v);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
