// find: out-of-bounds shared
// A tile of 16 rows of 17 is written to its column 17, which is the next row's first.
#include <cstdio>

__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
#ifdef FIXED
  int column = threadIdx.x + 1;
#else
  int column = threadIdx.x + 2;
#endif
  tile[threadIdx.y][column] = in[y * n + x]; // BUG
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
#ifdef FIXED
  out[y * n + x] = tile[threadIdx.x][threadIdx.y + 1];
#else
  out[y * n + x] = tile[threadIdx.x][threadIdx.y + 2]; // BUG
#endif
}

int main() {
  const int n = 64;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemset(in, 0, n * n * sizeof(float));
  transpose<<<dim3(4, 4), dim3(16, 16)>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
