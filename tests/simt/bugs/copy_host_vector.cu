// find: out-of-bounds
//
// The input is shorter than the array on the device.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

#include <vector>

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

int main() {
  const int n = 1000;
#ifdef FIXED
  std::vector<int> h(n, 1);
#else
  std::vector<int> h(n / 2, 1);
#endif
  int *a;
  check(cudaMalloc(&a, n * sizeof(int)));
  check(cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice)); // BUG
  add_one<<<4, 256>>>(a, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h.data(), a, n / 2 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
}
