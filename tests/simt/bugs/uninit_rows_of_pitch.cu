// find: uninitialised
// cudaMemset2D clears half of each row's width.
#include <cstdio>

__global__ void sum_rows(const char *m, size_t pitch, int width, float *out) {
  const float *row = (const float *)(m + threadIdx.x * pitch);
  float s = 0;
  for (int x = 0; x < width; x++) s += row[x]; // BUG
  out[threadIdx.x] = s;
}

int main() {
  const int width = 30, height = 10;
  char *m;
  size_t pitch;
  float *out;
  cudaMallocPitch((void **)&m, &pitch, width * sizeof(float), height);
  cudaMalloc(&out, height * sizeof(float));
#ifdef FIXED
  cudaMemset2D(m, pitch, 0, width * sizeof(float), height);
#else
  cudaMemset2D(m, pitch, 0, width * sizeof(float) / 2, height);
#endif
  sum_rows<<<1, height>>>(m, pitch, width, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(m);
  cudaFree(out);
}
