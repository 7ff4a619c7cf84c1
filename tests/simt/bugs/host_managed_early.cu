// find: race read/write host
//
// The host reads managed memory while the kernel may still run.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i; // BUG
}

int main() {
  int *a;
  check(cudaMallocManaged(&a, 400));
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaDeviceSynchronize());
#endif
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += a[i]; // BUG
  printf("%d\n", sum);
  check(cudaFree(a));
}
