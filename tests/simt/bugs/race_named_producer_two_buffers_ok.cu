// find: nothing
// Two buffers and one barrier a round: while three warps use one buffer, the first fills the
// other. One barrier is enough.
#include <cstdio>
#include <vector>

__global__ void feed(const float *in, float *out, int rounds) {
  __shared__ float buffer[2][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  if (warp == 0) buffer[0][lane] = in[lane];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    if (warp == 0) {
      if (r + 1 < rounds) buffer[(r + 1) % 2][lane] = in[(r + 1) * 32 + lane];
    } else {
      sum += buffer[r % 2][31 - lane] * warp;
    }
    __syncthreads();
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
