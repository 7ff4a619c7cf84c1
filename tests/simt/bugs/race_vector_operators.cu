// find: race shared read/write barrier
// Points in shared memory as float4, used by operators that take them by value, without a
// barrier.
// Fixed: Points in shared memory as float4, used by operators that take them by value, behind a
// barrier.
#include <cstdio>
#include <vector>

inline __host__ __device__ float4 operator-(float4 a, float4 b) {
  return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
inline __host__ __device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void distances(const float4 *points, float *out) {
  __shared__ float4 s[32];
  const unsigned t = threadIdx.x;
  if (t < 32) s[t] = points[t]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const float4 d = s[(t + 1) % 32] - s[t / 2]; // BUG
  out[t] = dot(d, d);
}

void run(const float *in, float *out) {
  distances<<<1, 64>>>(reinterpret_cast<const float4 *>(in), out);
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
  run(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
