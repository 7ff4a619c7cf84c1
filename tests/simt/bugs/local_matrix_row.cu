// find: out-of-bounds
// A local 3 by 3 matrix is read in its fourth row.
#include <cstdio>

__global__ void determinant(const float *in, float *out) {
  float m[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) m[r][c] = in[threadIdx.x * 9 + r * 3 + c];
  float sum = 0;
  for (int c = 0; c < 3; c++) {
    int d = (c + 1) % 3, e = (c + 2) % 3;
#ifdef FIXED
    sum += m[0][c] * (m[1][d] * m[2][e] - m[1][e] * m[2][d]);
#else
    float below = m[c + 1][d]; // BUG
    sum += m[0][c] * (m[1][d] * m[2][e] - m[1][e] * m[2][d]) + 0 * below;
#endif
  }
  out[threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * 9 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * 9 * sizeof(float));
  determinant<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
