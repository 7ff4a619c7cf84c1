// find: uninitialised
// A kernel fills only those elements whose condition holds; the next reads all.
#include <cstdio>

__global__ void mark_multiples(int *flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) flag[i] = i % 3 == 0;
#else
  if (i < n && i % 3 == 0) flag[i] = 1;
#endif
}

__global__ void count(const int *flag, int n, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag[i] == 1) atomicAdd(out, 1); // BUG
}

int main() {
  const int n = 300;
  int *flag, *out, h = 0;
  cudaMalloc(&flag, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  mark_multiples<<<3, 128>>>(flag, n);
  count<<<3, 128>>>(flag, n, out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(flag);
  cudaFree(out);
}
