// find: race global read/write blocks
// A __device__ array is written and read in one kernel, by different blocks.
// Fixed: A __device__ array is written by one kernel and read by the next.
#include <cstdio>
#include <vector>

__device__ int squares[128];

__global__ void make(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = in[i] * in[i]; // BUG
#ifdef FIXED
  out[i] = 0;
#else
  __syncthreads();
  out[i] = squares[127 - i]; // BUG
#endif
}

__global__ void use(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += squares[127 - i];
}

void run(const int *in, int *out) {
  make<<<2, 64>>>(in, out);
  use<<<2, 64>>>(out);
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  run(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
