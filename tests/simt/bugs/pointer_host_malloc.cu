// find: host-pointer
// Memory from malloc is given to a kernel.
#include <cstdio>
#include <cstdlib>

__global__ void twice(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2; // BUG
}

int main() {
  const int n = 10000;
#ifdef FIXED
  int *x;
  cudaMallocHost(&x, n * sizeof(int));
#else
  int *x = (int *)malloc(n * sizeof(int));
#endif
  for (int i = 0; i < n; i++) x[i] = i;
  twice<<<(n + 255) / 256, 256>>>(x, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef FIXED
  cudaFreeHost(x);
#else
  free(x);
#endif
}
