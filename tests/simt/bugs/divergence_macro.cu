// find: barrier-divergence
// The whole kernel is one line, made by a macro.
// Fixed: In the one line that a macro makes, the return is before the barrier.
#include <cstdio>

// clang-format off
#define BODY(body) { const int i = threadIdx.x; body; data[i] = i; }
#define KERNEL(name, body) __global__ void name(int *data) BODY(body)
// clang-format on

#ifdef FIXED
KERNEL(early, if (i >= 20) return; __syncthreads())
#else
KERNEL(early, if (i < 20) __syncthreads()) // BUG
#endif

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  early<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
