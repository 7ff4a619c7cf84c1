// find: misaligned
// Doubles behind an odd number of bytes in dynamic shared memory.
#include <cstdio>

__global__ void sums(const double *in, double *out, int flags) {
  extern __shared__ char raw[];
  char *flag = raw;
#ifdef FIXED
  double *part = reinterpret_cast<double *>(raw + (flags + 7) / 8 * 8);
#else
  double *part = reinterpret_cast<double *>(raw + flags);
#endif
  int t = threadIdx.x;
  flag[t] = t & 1;
  part[t] = in[t]; // BUG
  __syncthreads();
  out[t] = flag[t] ? part[t] : part[t ^ 1]; // BUG?
}

int main() {
  const int n = 36;
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(in, 0, n * sizeof(double));
  sums<<<1, n, 40 + n * sizeof(double)>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
