// find: misaligned
// Rows of 30 floats are read as float4: row 1 begins at byte 120.
#include <cstdio>

__global__ void row_sums(const float *m, float *out, int width) {
  const float4 *row = (const float4 *)(m + threadIdx.x * width);
  float sum = 0;
  for (int k = 0; k < 28 / 4; k++) {
    float4 v = row[k]; // BUG
    sum += v.x + v.y + v.z + v.w;
  }
  out[threadIdx.x] = sum;
}

int main() {
#ifdef FIXED
  const int width = 32, rows = 8;
#else
  const int width = 30, rows = 8;
#endif
  float *m, *out;
  cudaMalloc(&m, width * rows * sizeof(float));
  cudaMalloc(&out, rows * sizeof(float));
  cudaMemset(m, 0, width * rows * sizeof(float));
  row_sums<<<1, rows>>>(m, out, width);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(m);
  cudaFree(out);
}
