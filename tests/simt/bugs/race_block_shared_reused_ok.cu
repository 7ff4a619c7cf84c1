// find: nothing
// Many blocks use the same shared memory one after the other, and many kernels the same global
// memory.
#include <cstdio>
#include <vector>

__global__ void turn(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void shift(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i + 1) % n];
}

void run(int *in, int *out, int n) {
  for (int k = 0; k < 5; ++k) {
    turn<<<n / 32, 32>>>(in, out);
    shift<<<(n + 99) / 100, 100>>>(out, in, n);
  }
}

int main() {
  const int n = 640;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  run(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
