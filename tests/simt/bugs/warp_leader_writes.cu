// find: race shared read/write syncwarp
// Lane 0 stores what its warp shall use; the other lanes read it without __syncwarp.
// Fixed: Lane 0 stores what its warp shall use; __syncwarp, then all lanes read it.
#include <cstdio>
#include <vector>

struct Job {
  int first, count;
};

__global__ void warps_take_jobs(const int *in, int *out, int n) {
  __shared__ Job jobs[2];
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int all = (blockIdx.x << 1) + warp;
  if (lane == 0) {
    jobs[warp].first = all * 32;              // BUG
    jobs[warp].count = min(32, n - all * 32); // BUG
  }
#ifdef FIXED
  __syncwarp();
#endif
  if (lane < jobs[warp].count) {           // BUG
    const int i = jobs[warp].first + lane; // BUG
    out[i] = in[i] ^ warp;
  }
}

int main() {
  const int n = 120;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  warps_take_jobs<<<2, 64>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
