// find: out-of-bounds shared
// The keys' array is overrun into the values', which stands behind it.
#include <cstdio>

__global__ void join(const int *in, int *out, int count) {
  __shared__ int keys[64];
  __shared__ int values[64];
  int t = threadIdx.x;
  if (t < 64) values[t] = 1;
  __syncthreads();
  int *k = keys;
#ifdef FIXED
  if (t < count && t < 64) k[t] = in[t];
#else
  if (t < count) k[t] = in[t]; // BUG
#endif
  __syncthreads();
  if (t < 64) out[t] = keys[t] * values[t];
}

int main() {
  const int n = 128;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
#ifdef FIXED
  join<<<1, 64>>>(in, out, 64);
#else
  join<<<1, 64 + 1>>>(in, out, 65);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
