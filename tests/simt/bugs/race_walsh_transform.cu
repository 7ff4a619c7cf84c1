// find: race shared barrier
// A fast Walsh transform: two butterfly stages follow each other without a barrier.
// Fixed: A fast Walsh transform in shared memory, a barrier before each stage.
#include <cstdio>
#include <vector>

__global__ void walsh(const int *in, int *out, int log2n) {
  extern __shared__ int s[];
  const int n = 1 << log2n, t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride >>= 1) {
    const int low = t & (stride - 1), i0 = ((t - low) << 1) + low, i1 = i0 + stride;
    const int a = s[i0]; // BUG
    const int b = s[i1]; // BUG
    s[i0] = a + b;       // BUG
    s[i1] = a - b;       // BUG
#ifdef FIXED
    __syncthreads();
  }
#else
  }
  __syncthreads();
#endif
  for (int i = t; i < n; i += blockDim.x) out[i] = s[i];
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
  walsh<<<1, 128, 256 * sizeof(int)>>>(in, out, 8);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
