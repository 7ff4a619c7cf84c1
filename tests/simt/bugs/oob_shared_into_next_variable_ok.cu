// find: nothing
// oob_shared_into_next_variable.cu without its bug, which is: the keys' array is overrun into the
// values', which stands behind it.
#include <cstdio>

__global__ void join(const int *in, int *out, int count) {
  __shared__ int keys[64];
  __shared__ int values[64];
  int t = threadIdx.x;
  if (t < 64) values[t] = 1;
  __syncthreads();
  int *k = keys;
  if (t < count && t < 64) k[t] = in[t];
  __syncthreads();
  if (t < 64) out[t] = keys[t] * values[t];
}

int main() {
  const int n = 128;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  join<<<1, 64>>>(in, out, 64);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
