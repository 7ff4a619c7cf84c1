// find: race shared read/write barrier|syncwarp
// Tiled matrix product: the barrier between loading the tiles and using them is missing.
// Fixed: Tiled matrix product with both barriers.
#include <cstdio>
#include <vector>

constexpr int T = 8;

__global__ void matmul(const float *a, float *c, int n) {
  __shared__ float as[T][T];
  __shared__ float bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int m = 0; m < n / T; ++m) {
    as[ty][tx] = a[row * n + m * T + tx];   // BUG
    bs[ty][tx] = a[(m * T + ty) * n + col]; // BUG
#ifdef FIXED
    __syncthreads();
#endif
    for (int k = 0; k < T; ++k) {
      sum += as[ty][k] * // BUG
             bs[k][tx];  // BUG
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}

int main() {
  const int n = 256;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  matmul<<<dim3(2, 2), dim3(T, T)>>>(in, out, 16);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
