// find: leak
//
// A class whose destructor forgets one of its two buffers.
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

struct Buffers {
  int *first, *second;
  explicit Buffers(size_t n) {
    check(cudaMalloc(&first, n * sizeof(int)));
    check(cudaMalloc(&second, n * sizeof(int))); // BUG
  }
#ifdef FIXED
  ~Buffers() {
    cudaFree(first);
    cudaFree(second);
  }
#else
  ~Buffers() { cudaFree(first); }
#endif
};

int main() {
  Buffers b(100);
  fill<<<1, 128>>>(b.first, 100, 1);
  fill<<<1, 128>>>(b.second, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
