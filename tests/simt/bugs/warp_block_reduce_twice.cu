// find: race shared read/write barrier
// A block reduction is called twice; the second one stores while the first warp still reads.
// Fixed: A block reduction is called twice: a barrier between the calls.
#include <cstdio>
#include <vector>

__device__ int reduce(int v, int *s) {
  v = __reduce_add_sync(0xffffffffu, v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v; // BUG
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : 0; // BUG
    v = __reduce_add_sync(0xffffffffu, v);
  }
  return v;
}

__global__ void two_sums(const int *in, int *out) {
  __shared__ int s[4];
  const int v = in[threadIdx.x];
  const int sum = reduce(v, s);
#ifdef FIXED
  __syncthreads();
#endif
  const int squares = reduce(v * v, s);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = squares;
  }
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
  two_sums<<<1, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
