// find: race shared atomic/plain barrier
// A counter is read plainly while other threads still count.
// Fixed: A counter is read plainly, but behind a barrier.
#include <cstdio>
#include <vector>

struct Tally {
  int hits;
  int misses;
};

__global__ void tally(const int *in, int *out) {
  __shared__ Tally tally;
  if (threadIdx.x == 0) tally.hits = tally.misses = 0;
  __syncthreads();
  const int v = in[threadIdx.x];
  atomicAdd(v > 8 ? &tally.hits : &tally.misses, 1); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  out[threadIdx.x] = tally.hits - tally.misses; // BUG
}

int main() {
  const int n = 96;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  tally<<<1, 96>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
