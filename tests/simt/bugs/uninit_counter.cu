// find: uninitialised
// atomicAdd on a counter that nobody set to zero.
#include <cstdio>

__global__ void count_even(const int *in, int n, int *counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0) atomicAdd(counter, 1); // BUG
}

int main() {
  const int n = 600;
  int *in, *counter, h = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
#ifdef FIXED
  cudaMemcpy(counter, &h, sizeof h, cudaMemcpyHostToDevice);
#endif
  count_even<<<3, 256>>>(in, n, counter);
  cudaMemcpy(&h, counter, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(counter);
}
