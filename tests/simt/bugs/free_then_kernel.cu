// find: use-after-free
//
// A kernel gets a pointer that was freed.
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

__global__ void add_one(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1; // BUG
}

int main() {
  int *a, *b;
  check(cudaMalloc(&a, 400)); // ALLOC
  check(cudaMalloc(&b, 400));
  fill<<<1, 128>>>(a, 100, 1);
  fill<<<1, 128>>>(b, 100, 1);
  check(cudaGetLastError());
  check(cudaFree(a)); // FREE
#ifdef FIXED
  add_one<<<1, 128>>>(b, 100);
#else
  add_one<<<1, 128>>>(a, 100);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(b);
}
