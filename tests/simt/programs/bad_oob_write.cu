// A missing bounds check: the last block writes one element behind the array.
// expect: status nonzero, stderr "scale"
#include <cstdio>
#include <cstdlib>

__global__ void scale(float *v, float s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i] *= s;
}

int main() {
  const int n = 1023;
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemset(d, 0, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(d, 2.0f);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  cudaFree(d);
  return 0;
}
