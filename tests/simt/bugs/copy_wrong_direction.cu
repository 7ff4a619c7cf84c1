// find: host-pointer
//
// Device to host, but it says host to device.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

int main() {
  int *a, h[100] = {0};
  check(cudaMalloc(&a, 400));
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
#ifdef FIXED
  cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost);
#else
  cudaMemcpy(h, a, 400, cudaMemcpyHostToDevice); // BUG
#endif
  printf("%d\n", h[99]);
  check(cudaFree(a));
}
