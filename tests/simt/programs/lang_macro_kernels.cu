// Kernels that a macro makes: the guard's return and the barrier stand on the same line.
// expect: pass
#include <cstdio>

#define FIRST_OF_BLOCK(name, T)                          \
  __global__ void name(T *out, int n) {                  \
    __shared__ T s[64];                                  \
    const int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) return;                                  \
    s[threadIdx.x] = T(i);                               \
    __syncthreads();                                     \
    out[i] = s[0];                                       \
  }

FIRST_OF_BLOCK(first_int, int)
FIRST_OF_BLOCK(first_double, double)

int main() {
  int *a, bad = 0;
  double *b;
  cudaMallocManaged(&a, 100 * sizeof *a);
  cudaMallocManaged(&b, 100 * sizeof *b);
  first_int<<<2, 64>>>(a, 100);
  first_double<<<2, 64>>>(b, 100);
  if (cudaDeviceSynchronize() != cudaSuccess) ++bad;
  for (int i = 0; i < 100; ++i) bad += a[i] != i / 64 * 64 || b[i] != a[i];
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(a); cudaFree(b);
  return bad;
}
