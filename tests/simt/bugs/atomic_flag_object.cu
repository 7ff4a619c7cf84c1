// find: race global read/write fence
// flags: -std=c++17
// cuda::atomic as a shared counter; its relaxed increments do not publish the partial sums.
// Fixed: cuda::atomic as a counter whose acquire-release increments publish the partial sums.
#include <cstdio>
#include <cuda/atomic>

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> finished;
__device__ double partial[4];

__global__ void mean(const double *in, double *out) {
  if (threadIdx.x != 0) return;
  double sum = 0;
  for (unsigned i = 0; i < 16; ++i) sum += in[blockIdx.x * 16 + i];
  partial[blockIdx.x] = sum; // BUG
#ifdef FIXED
  unsigned before = finished.fetch_add(1, cuda::memory_order_acq_rel);
#else
  unsigned before = finished.fetch_add(1, cuda::memory_order_relaxed);
#endif
  if (before == gridDim.x - 1) {
    double all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b]; // BUG
    out[0] = all / (16 * gridDim.x);
  }
}

int main() {
  constexpr int n = 64;
  double *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<double>(i * 31 % 101);
    out[i] = 0;
  }
  mean<<<4, 32>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
