// find: race shared read/write syncwarp
// A vote stands between the stores and the loads of a warp; it orders no memory.
// Fixed: A vote, then __syncwarp, then the loads.
#include <cstdio>
#include <vector>

__global__ void ranks(const unsigned *in, unsigned *out) {
  __shared__ unsigned list[32];
  const unsigned lane = threadIdx.x;
  const bool mine = in[lane] % 3 == 0;
  const unsigned votes = __ballot_sync(~0u, mine);
  list[lane] = 0;
  __syncwarp();
  if (mine) list[__popc(votes & ((1u << lane) - 1))] = lane; // BUG
  const bool any = __any_sync(~0u, mine);
#ifdef FIXED
  __syncwarp();
#endif
  out[lane] = any ? list[(lane + 1) % 32] : 0; // BUG
}

int main() {
  const int n = 32;
  std::vector<unsigned> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i % 17);
  unsigned *in, *out;
  cudaMalloc(&in, n * sizeof(unsigned));
  cudaMalloc(&out, n * sizeof(unsigned));
  cudaMemcpy(in, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(unsigned));
  ranks<<<1, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
