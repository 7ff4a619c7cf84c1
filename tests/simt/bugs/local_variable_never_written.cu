// find: uninitialised local
// Sums begin with what a variable without a value holds: a number, and a member of a struct.
// Fixed: They begin with 0.
#include <cstdio>

struct Sum {
  float value, rest;
};

__global__ void add(const float *x, float *out, int n) {
#ifdef FIXED
  float plain = 0;
  Sum sum = {0, 0};
#else
  float plain;
  Sum sum;
  sum.value = 0;
#endif
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    plain += x[i];                                      // BUG
    const float y = x[i] - sum.rest, t = sum.value + y; // BUG
    sum.rest = (t - sum.value) - y;
    sum.value = t;
  }
  out[threadIdx.x] = plain + sum.value; // BUG?
}

int main() {
  float *x, *out;
  cudaMalloc(&x, 100 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(x, 0, 100 * sizeof(float));
  add<<<1, 32>>>(x, out, 100);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(out);
}
