// find: race shared read/write barrier
// Warps reduce by shuffles and store their sums; the first warp reads them without a barrier.
// Fixed: The block reduction by shuffles: warps store their sums, a barrier, the first warp
// adds them.
#include <cstdio>

template <typename T> __inline__ __device__ T warp_sum(T v) {
#pragma unroll
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}

template <typename T> __inline__ __device__ T block_sum(T v) {
  static __shared__ T shared[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warp_sum(v);
  if (lane == 0) shared[warp] = v; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  v = threadIdx.x < blockDim.x / warpSize ? shared[lane] : T(0); // BUG
  if (warp == 0) v = warp_sum(v);
  return v;
}

template <typename T> __global__ void total(const T *in, T *out) {
  const T sum = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

int main() {
  constexpr int n = 256;
  float *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i * 31 % 101);
    out[i] = 0;
  }
  total<<<2, 128>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
