// find: race shared read/write barrier|syncwarp
// A Haar transform: the averages of a level go where other threads still read the last level.
// Fixed: A Haar transform with a barrier between reading a level and writing the next.
#include <cstdio>
#include <vector>

__global__ void haar(const float *in, float *out, unsigned n) {
  __shared__ float s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + blockDim.x] = in[t + blockDim.x];
  for (unsigned half = n / 2; half > 0; half /= 2) {
    __syncthreads();
    float a = 0, b = 0;
    if (t < half) {
      a = s[2 * t];     // BUG
      b = s[2 * t + 1]; // BUG
      out[half + t] = (a - b) * 0.5f;
    }
#ifdef FIXED
    __syncthreads();
#endif
    if (t < half) s[t] = (a + b) * 0.5f; // BUG
  }
  if (t == 0) out[0] = s[0];
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
  haar<<<1, 64>>>(in, out, 128);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
