// find: race shared read/write barrier
// Hillis-Steele scan with two buffers, but without the barrier that makes a step wait for the one
// before.
// Fixed: Hillis-Steele scan with two buffers and one barrier a step: nothing else is needed.
#include <cstdio>

#define THREADS 64

__global__ void scan2(const unsigned *in, unsigned *out) {
  __shared__ unsigned s[2][THREADS];
  int from = 0;
  unsigned t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (unsigned d = 1; d < THREADS; d <<= 1) {
    if (t >= d)
      s[1 - from][t] = s[from][t] + s[from][t - d]; // BUG
    else
      s[1 - from][t] = s[from][t]; // BUG
    from = 1 - from;
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[t] = s[from][t];
}

int main() {
  constexpr int n = 64;
  unsigned *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<unsigned>(i * 31 % 101);
    out[i] = 0;
  }
  scan2<<<1, THREADS>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
