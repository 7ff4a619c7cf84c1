// find: double-free
//
// Two pointers to one allocation, both freed.
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

#ifdef FIXED
static void give_back(int *p) { (void)p; }
#else
static void give_back(int *p) {
  cudaFree(p); // BUG
}
#endif

int main() {
  int *a;
  check(cudaMalloc(&a, 400));
  int *b = a;
  fill<<<1, 128>>>(b, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
  give_back(b);
}
