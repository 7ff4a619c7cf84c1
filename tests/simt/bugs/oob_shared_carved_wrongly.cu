// find: out-of-bounds shared
// Dynamic shared memory is divided among a double and an int array; the sum of sizes forgets that
// doubles are larger.
#include <cstdio>

__global__ void pack(const double *in, double *out, int n) {
  extern __shared__ char raw[];
  double *values = (double *)raw;
  int *order = (int *)(raw + n * sizeof(double));
  int t = threadIdx.x;
  values[t] = in[t];
  order[t] = n - 1 - t; // BUG
  __syncthreads();
  out[t] = values[order[t]]; // BUG?
}

int main() {
  const int n = 64;
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(in, 0, n * sizeof(double));
#ifdef FIXED
  pack<<<1, n, n *(sizeof(double) + sizeof(int))>>>(in, out, n);
#else
  pack<<<1, n, n *(sizeof(float) + sizeof(int))>>>(in, out, n);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
