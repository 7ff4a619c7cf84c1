// find: race shared same-value barrier
// All threads that find the key write the same 1 without a barrier or an atomic.
// Fixed: The threads that find the key say so by an atomic.
#include <cstdio>

__global__ void any_equal(const int *in, int *out, int key) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
#ifdef FIXED
  if (in[threadIdx.x] % 4 == key) atomicExch(&found, 1);
#else
  if (in[threadIdx.x] % 4 == key) found = 1; // BUG
#endif
  __syncthreads();
  out[threadIdx.x] = found;
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
  any_equal<<<1, 128>>>(in, out, 3);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
