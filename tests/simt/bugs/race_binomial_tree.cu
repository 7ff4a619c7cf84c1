// find: race shared read/write
// A binomial tree is folded in place: one barrier a level is not enough.
// Fixed: A binomial tree is folded in place, with a barrier between reading and writing each
// level.
#include <cstdio>
#include <vector>

template <int LEVELS> __global__ void option(const float *in, float *out) {
  __shared__ float call[LEVELS + 1];
  const int t = threadIdx.x;
  call[t] = fmaxf(in[t] - 4.0f, 0.0f);
  if (t == 0) call[LEVELS] = in[LEVELS];
  for (int level = LEVELS; level > 0; --level) {
    __syncthreads();
    float v = 0;
    if (t < level) v = 0.5f * call[t + 1] + 0.49f * call[t]; // BUG
#ifdef FIXED
    __syncthreads();
#endif
    if (t < level) call[t] = v; // BUG
  }
  if (t == 0) out[blockIdx.x] = call[0];
}

int main() {
  const int n = 65;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  option<64><<<2, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
