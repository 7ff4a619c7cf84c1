// find: nothing
// Memory from the device's heap: one allocation a block, its pointer in shared memory behind a
// barrier.
#include <cstdio>
#include <vector>

__global__ void heaps(const int *in, int *out) {
  __shared__ int *scratch;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) scratch = static_cast<int *>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  if (!scratch) return;
  scratch[t] = in[i];
  __syncthreads();
  out[i] = scratch[blockDim.x - 1 - t];
  __syncthreads();
  if (t == 0) free(scratch);
}

int main() {
  const int n = 256;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  heaps<<<4, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
