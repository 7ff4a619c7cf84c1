// An array on the host's stack handed to a kernel.
// expect: status 1, stderr "host"
#include <cstdio>

__global__ void sum(const int *v, int n, int *out) {
  int s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

int main() {
  int v[20], *out, h = -1;
  for (int i = 0; i < 20; i++) v[i] = i;
  cudaMalloc(&out, sizeof(int));
  sum<<<1, 1>>>(v, 20, out);
  cudaError_t e = cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s %d\n", cudaGetErrorString(e), h);
  return e == cudaSuccess ? 0 : 1;
}
