// find: device-pointer
//
// The host writes into memory of the device.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

int main() {
  int *a, h[100];
  check(cudaMalloc(&a, 400));
#ifdef FIXED
  for (int i = 0; i < 100; ++i) h[i] = i;
  check(cudaMemcpy(a, h, 400, cudaMemcpyHostToDevice));
#else
  for (int i = 0; i < 100; ++i) a[i] = i; // BUG
  check(cudaMemset(a, 0, 400));
#endif
  add_one<<<1, 128>>>(a, 100);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
}
