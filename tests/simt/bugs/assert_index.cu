// find: assert
// text: assertion `i < n' in void square(const int*, int*, int)
// A grid of whole blocks for a number that is none of theirs: the kernel's assertion says so.
// Fixed: The assertion holds: threads without an element have returned.
#include <cassert>
#include <cstdio>

__global__ void square(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i >= n) return;
#endif
  assert(i < n); // BUG
  out[i] = in[i] * in[i];
}

int main() {
  const int n = 40;
  int host[n], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = i % 7;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  square<<<2, 32>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess) return 1;
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
  return 0;
}
