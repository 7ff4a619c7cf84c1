// find: leak
//
// Pinned memory of the host is freed by nobody.
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
  int *a, *h;
  check(cudaMalloc(&a, 400));
  check(cudaMallocHost(&h, 400)); // BUG
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
#ifdef FIXED
  check(cudaFreeHost(h));
#endif
}
