// find: race global blocks
// A histogram in global memory without atomics.
// Fixed: A histogram in global memory with atomics.
#include <stdio.h>
#include <stdlib.h>

__global__ void histo(const unsigned int *in, unsigned int *bins, int n) {
  int stride = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
    unsigned int *bin = bins + in[i] % 8;
#ifdef FIXED
    atomicAdd(bin, 1u);
#else
    *bin = *bin + 1; // BUG
#endif
  }
}

#define CHECK(call) check((call), __FILE__, __LINE__)
static void check(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  exit(1);
}

int main(void) {
  size_t n = 300, bytes = n * sizeof(unsigned int), i;
  unsigned int *h = (unsigned int *)malloc(bytes), *in, *out;
  for (i = 0; i < n; i++) h[i] = (unsigned int)(i * 7 % 29);
  CHECK(cudaMalloc((void **)&in, bytes));
  CHECK(cudaMalloc((void **)&out, bytes));
  CHECK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, bytes));
  histo<<<2, 32>>>(in, out, 300);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, out, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", (double)h[0], (double)h[n - 1]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h);
  return 0;
}
