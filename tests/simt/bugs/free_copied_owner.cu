// find: double-free
//
// An owner of device memory is copied: both copies free it.
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

struct Owner {
  int *p;
  explicit Owner(size_t n) { check(cudaMalloc(&p, n * sizeof(int))); }
#ifdef FIXED
  Owner(const Owner &) = delete;
#endif
  ~Owner() { cudaFree(p); } // BUG
};

int main() {
  Owner a(100);
#ifdef FIXED
  Owner &b = a;
#else
  Owner b = a;
#endif
  fill<<<1, 128>>>(b.p, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
