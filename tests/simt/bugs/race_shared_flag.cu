// find: race shared read/write barrier
// A flag that thread 0 sets for the whole block; nobody waits until it is set.
// Fixed: A flag that thread 0 sets for the whole block, read behind a barrier.
#include <cstdio>

__global__ void clip(const int *in, int *out, int n) {
  __shared__ bool last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) last = blockIdx.x == gridDim.x - 1; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  if (last && i >= n - 3) { // BUG
    out[i] = -1;
  } else {
    out[i] = in[i];
  }
}

int main() {
  constexpr int n = 256;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 31 % 101);
    out[i] = 0;
  }
  clip<<<4, 64>>>(in, out, 256);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
