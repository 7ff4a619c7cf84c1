// find: leak
// text: 36864 bytes in 9 allocations
//
// A buffer for each round, of which only the last is freed: 9 of one line.
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
  int *a = nullptr;
  for (int round = 0; round < 10; ++round) {
    check(cudaMalloc(&a, 4096)); // BUG
    fill<<<8, 128>>>(a, 1024, round);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
#ifdef FIXED
    check(cudaFree(a));
  }
#else
  }
  check(cudaFree(a));
#endif
}
