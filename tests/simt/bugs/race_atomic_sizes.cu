// find: race shared|global atomic/plain
// A 64-bit counter is raised by atomicAdd, its low half is cleared by plain 32-bit stores.
// Fixed: A 64-bit counter raised by 64-bit atomics only; its halves are read in the next
// kernel.
#include <cstdio>

union Wide {
  unsigned long long whole;
  unsigned half[2];
};

__device__ Wide counter;

__global__ void count(const int *in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counter.whole, (unsigned long long)in[i]); // BUG
#ifndef FIXED
  if (i == 100) counter.half[0] = 0; // BUG
#endif
}

__global__ void halves(int *out) {
  out[0] = static_cast<int>(counter.half[0]);
  out[127] = static_cast<int>(counter.half[1]);
}

void run(const int *in, int *out) {
  count<<<2, 64>>>(in);
  halves<<<1, 1>>>(out);
}

int main() {
  constexpr int n = 128;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 31 % 101);
    out[i] = 0;
  }
  run(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
