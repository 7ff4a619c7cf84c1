// find: out-of-bounds local
// text: before the 24 bytes of a local variable
// A window of three begins at the first element.
// Fixed: It begins at the second.
#include <cstdio>

__device__ __noinline__ float around(const float *p) { return p[-1] + p[0] + p[1]; } // BUG

__global__ void smooth(float *out) {
  float values[6] = {1, 2, 3, 4, 5, 6};
  float sum = 0;
#ifdef FIXED
  for (int i = 1; i < 5; ++i) sum += around(&values[i]);
#else
  for (int i = 0; i < 5; ++i) sum += around(&values[i]);
#endif
  out[threadIdx.x] = sum;
}

int main() {
  float *out;
  cudaMalloc(&out, 32 * sizeof(float));
  smooth<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
