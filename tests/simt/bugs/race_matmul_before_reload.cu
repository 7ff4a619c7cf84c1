// find: race shared read/write barrier|syncwarp
// Tiled matrix product: the next tiles are loaded while other warps may still use these.
// Fixed: Tiled matrix product of doubles with both barriers.
#include <cstdio>

template <typename T, int TILE>
__global__ void product(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c,
                        int n) {
  __shared__ T left[TILE][TILE], right[TILE][TILE];
  const int col = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  T sum{};
  for (int first = 0; first < n; first += TILE) {
    left[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];    // BUG
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + col]; // BUG
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x]; // BUG
#ifdef FIXED
    __syncthreads();
#endif
  }
  c[row * n + col] = sum;
}

int main() {
  constexpr int n = 1024;
  double *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<double>(i * 31 % 101);
    out[i] = 0;
  }
  product<double, 8><<<dim3(4, 4), dim3(8, 8)>>>(in, in, out, 32);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
