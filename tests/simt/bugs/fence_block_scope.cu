// find: race global read/write fence
// __threadfence_block before a flag that another block reads: it reaches this block only.
// Fixed: __threadfence before a flag that another block reads.
#include <cstdio>
#include <vector>

__device__ int ready;

__global__ void hand_over(const int *in, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < 16; ++i) out[i] = in[i] + 1; // BUG
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 16; ++i) sum += out[i]; // BUG
    out[16] = sum;
  }
}

int main() {
  const int n = 32;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  hand_over<<<2, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
