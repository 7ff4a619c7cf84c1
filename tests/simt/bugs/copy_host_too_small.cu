// find: out-of-bounds
//
// The buffer of the host is smaller than what is copied into it.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(double *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5 * i;
}

int main() {
  double *a;
#ifdef FIXED
  char *h = static_cast<char *>(malloc(800));
#else
  char *h = static_cast<char *>(malloc(800 - 8));
#endif
  check(cudaMalloc(&a, 800));
  fill<<<1, 128>>>(a, 100);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, 100 * sizeof(double), cudaMemcpyDeviceToHost)); // BUG
  printf("%g\n", reinterpret_cast<double *>(h)[98]);
  check(cudaFree(a));
  free(h);
}
