// find: race shared read/write barrier
// A float4 in shared memory is written; another thread reads one of its components.
// Fixed: A float4 in shared memory, read by components behind a barrier.
#include <cstdio>
#include <vector>

__global__ void spread(const float *in, float *out) {
  __shared__ float4 quads[64];
  const int t = threadIdx.x;
  const float v = in[t];
  quads[t] = make_float4(v, v + 1, v + 2, v + 3); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const float *flat = &quads[0].x;
  out[t] = flat[255 - t]; // BUG
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
  spread<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
