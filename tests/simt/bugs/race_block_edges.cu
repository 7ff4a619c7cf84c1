// find: race global read/write blocks
// A barrier orders a block's own elements; those of the next block are read unordered.
// Fixed: The block's first element is kept from the kernel before: it is read from another
// array.
#include <cstdio>
#include <vector>

__global__ void differences(const int *in, int *doubled, const int *before) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  doubled[i] = 2 * in[i]; // BUG?
  __syncthreads();
  const bool inside = threadIdx.x + 1 < blockDim.x;
  int next = 0;
  if (inside) next = doubled[i + 1];
  __syncthreads();
#ifdef FIXED
  if (!inside && blockIdx.x + 1 < gridDim.x) next = 2 * before[i + 1];
#else
  if (!inside && blockIdx.x + 1 < gridDim.x) next = doubled[i + 1]; // BUG
#endif
  if (inside)
    doubled[i] = next - doubled[i]; // BUG?
  else
    doubled[i] -= next;
}

int main() {
  const int n = 192;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  differences<<<3, 64>>>(in, out, in);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
