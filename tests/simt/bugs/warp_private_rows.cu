// find: race shared read/write syncwarp
// Each warp sorts its own row of shared memory by odd-even exchange, without __syncwarp.
// Fixed: Each warp sorts its own row of shared memory: __syncwarp between the phases, no
// barrier is needed.
#include <cstdio>
#include <vector>

__global__ void sort_rows(const int *in, int *out) {
  __shared__ int rows[4][32];
  const int lane = threadIdx.x % 32;
  int *row = rows[threadIdx.x / 32];
  row[lane] = in[threadIdx.x]; // BUG
#ifdef FIXED
  __syncwarp();
#endif
  for (int phase = 0; phase < 32; ++phase) {
    const int left = lane - (lane + phase) % 2;
    int keep = row[lane];
    if (left >= 0 && left + 1 < 32) {
      const int a = row[left], b = row[left + 1]; // BUG
      keep = lane == left ? min(a, b) : max(a, b);
    }
#ifdef FIXED
    __syncwarp();
#endif
    row[lane] = keep; // BUG
#ifdef FIXED
    __syncwarp();
#endif
  }
  out[threadIdx.x] = row[lane];
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  sort_rows<<<1, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
