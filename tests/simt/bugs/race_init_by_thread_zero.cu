// find: race shared atomic/plain barrier
// Thread 0 sets the counter to 0 while other warps may count already.
// Fixed: Thread 0 sets the counter to 0; a barrier stands before the others count.
#include <cstdio>
#include <vector>

__global__ void count_odd(const int *in, int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  if (in[blockIdx.x * blockDim.x + threadIdx.x] & 1) atomicAdd(&count, 1); // BUG
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
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
  count_odd<<<2, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
