// Small host allocations, by new and inside a vector, handed to a kernel.
// expect: status 1, stderr "host"
#include <cstdio>
#include <vector>

__global__ void twice(float *v) { v[threadIdx.x] *= 2; }

int main() {
  std::vector<float> v(8, 1.0f);
  float *p = new float[8]();
  twice<<<1, 8>>>(v.data());
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  twice<<<1, 8>>>(p);
  delete[] p;
  return e == cudaSuccess ? 0 : 1;
}
