// find: race global read/write fence|blocks
// Block 0 tells block 1, which tells block 2; block 1 passes the news on, but block 0 made no
// fence.
// Fixed: Block 0 tells block 1, which tells block 2: what block 0 stored before its fence
// reaches block 2.
#include <cstdio>
#include <vector>

__device__ int flags[2];

__device__ void wait_for(int *flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
}

__global__ void chain(const int *in, int *out) {
  if (threadIdx.x > 0) return;
  switch (blockIdx.x) {
  case 0: out[5] = in[5]; // BUG
#ifdef FIXED
    __threadfence();
#endif
    atomicExch(&flags[0], 1);
    break;
  case 1:
    wait_for(&flags[0]);
    atomicExch(&flags[1], 1);
    break;
  default: wait_for(&flags[1]); out[6] = out[5] + 1; // BUG
  }
}

int main() {
  const int n = 64;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  chain<<<3, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
