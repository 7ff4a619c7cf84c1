// find: race shared barrier
// The memory of a table of floats is used for counters before all threads are done with the
// table.
// Fixed: The memory of a table of floats is used for counters behind a barrier.
#include <cstdio>
#include <vector>

__global__ void classify(const float *in, float *out) {
  __shared__ union {
    float table[64];
    int count[64];
  } u;
  const int t = threadIdx.x;
  u.table[t] = in[t] * in[t];
  __syncthreads();
  const float v = u.table[(t * 5 + 3) % 64]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  u.count[t] = 0; // BUG
  __syncthreads();
  atomicAdd(&u.count[static_cast<int>(v) % 64], 1);
  __syncthreads();
  out[t] = static_cast<float>(u.count[t]);
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
  classify<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
