// find: race shared read/write barrier
// A double in shared memory is written; another thread reads its upper 32 bits.
// Fixed: The upper 32 bits of doubles in shared memory, read behind a barrier.
#include <cstdio>

template <typename T> struct Slots { T slot[96]; };

template <typename T> __global__ void exponents(const T *in, T *out) {
  __shared__ Slots<T> slots;
  const unsigned t = threadIdx.x;
  slots.slot[t] = in[t] * T(3); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const unsigned *words = reinterpret_cast<const unsigned *>(slots.slot);
  out[t] = T(words[2 * (95 - t) + 1] >> 20); // BUG
}

int main() {
  constexpr int n = 96;
  double *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<double>(i * 31 % 101);
    out[i] = 0;
  }
  exponents<<<1, 96>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
