// find: race shared write/write barrier
// Each thread clears five elements of its four: the last one is its neighbour's.
// Fixed: Each thread fills its own four elements.
#include <cstdio>
#include <vector>

__global__ void chunks(const short *in, short *out) {
  __shared__ short s[64 * 4 + 1];
  const int first = threadIdx.x * 4;
#ifdef FIXED
  for (int i = first; i < first + 4; ++i) s[i] = in[i & 255] + threadIdx.x;
#else
  const int last = first + 4;
  for (int i = first; i <= last; ++i) s[i] = in[i & 255] + threadIdx.x; // BUG
#endif
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = s[i];
}

int main() {
  const int n = 256;
  std::vector<short> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<short>(i % 17);
  short *in, *out;
  cudaMalloc(&in, n * sizeof(short));
  cudaMalloc(&out, n * sizeof(short));
  cudaMemcpy(in, host.data(), n * sizeof(short), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(short));
  chunks<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(short), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
