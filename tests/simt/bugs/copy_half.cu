// find: uninitialised
//
// Half of the input is copied: elements were counted instead of bytes.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1; // BUG
}

int main() {
  int *a, h[100] = {0};
  check(cudaMalloc(&a, sizeof h));
#ifdef FIXED
  check(cudaMemcpy(a, h, 100 * sizeof(int), cudaMemcpyHostToDevice));
#else
  check(cudaMemcpy(a, h, 100, cudaMemcpyHostToDevice));
#endif
  add_one<<<1, 128>>>(a, 100);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
}
