// find: race shared read/write barrier
// One warp fills a buffer that three others use: the barrier after their use is missing.
// Fixed: One warp fills a buffer that three others use, with a barrier before and after their
// use.
#include <cstdio>
#include <vector>

__global__ void feed(const float *in, float *out, int rounds) {
  __shared__ float buffer[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (warp == 0) buffer[lane] = in[r * 32 + lane]; // BUG
    __syncthreads();
    if (warp != 0) sum += buffer[31 - lane] * warp; // BUG
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[threadIdx.x] = sum;
}

int main() {
  const int n = 128;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  feed<<<1, 128>>>(in, out, 4);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
