// find: race shared read/write barrier
// Whole structures are stored and read by another thread without a barrier.
// Fixed: Whole structures are stored, a barrier, then read by another thread.
#include <cstdio>
#include <vector>

struct Body {
  float x, y, z, mass;
};

__host__ __device__ Body operator+(const Body &a, const Body &b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.mass + b.mass};
}

__global__ void bodies(const float *in, float *out) {
  __shared__ Body s[64];
  const unsigned t = threadIdx.x;
  const Body mine = {in[t], 1.0f, 2.0f, 3.0f};
  s[t] = mine; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const Body other = s[63 - t]; // BUG
  const Body both = mine + other;
  out[t] = both.x * both.y + both.z - both.mass;
}

int main() {
  const int n = 64;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  bodies<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
