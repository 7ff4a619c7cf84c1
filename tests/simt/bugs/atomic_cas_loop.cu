// find: race global atomic/plain blocks|fence
// A maximum of floats: threads store plainly what others raise by atomicCAS.
// Fixed: A maximum of floats by a loop of atomicCAS on their bits.
#include <cstdio>
#include <vector>

__device__ float atomic_max(float *where, float v) {
  int *bits = reinterpret_cast<int *>(where);
  int old = __float_as_int(0.0f);
  while (__int_as_float(old) < v) {
    const int seen = atomicCAS(bits, old, __float_as_int(v)); // BUG
    if (seen == old) break;
    old = seen;
  }
  return __int_as_float(old);
}

__global__ void maximum(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_max(out, in[i]);
#ifndef FIXED
  if (i == n - 1) *out = fmaxf(20.0f, in[i]); // BUG
#endif
}

int main() {
  const int n = 192;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  maximum<<<3, 64>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
