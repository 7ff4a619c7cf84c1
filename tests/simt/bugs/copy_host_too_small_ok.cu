// find: nothing
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
  char *h = static_cast<char *>(malloc(800));
  check(cudaMalloc(&a, 800));
  fill<<<1, 128>>>(a, 100);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, 100 * sizeof(double), cudaMemcpyDeviceToHost));
  printf("%g\n", reinterpret_cast<double *>(h)[98]);
  check(cudaFree(a));
  free(h);
}
