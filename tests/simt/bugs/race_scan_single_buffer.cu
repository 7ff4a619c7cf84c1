// find: race shared read/write barrier
// Hillis-Steele scan in one buffer: a thread writes what its neighbour still reads.
// Fixed: Hillis-Steele scan in one buffer: a barrier between reading and writing too.
#include <cstdio>
#include <vector>

__global__ void scan(const int *in, int *out) {
  __shared__ int s[96];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = 0;
    if (t >= d) v = s[t - d]; // BUG
#ifdef FIXED
    __syncthreads();
#endif
    s[t] += v; // BUG
    __syncthreads();
  }
  out[t] = s[t];
}

int main() {
  const int n = 96;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  scan<<<1, 96>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
