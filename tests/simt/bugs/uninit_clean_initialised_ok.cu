// find: nothing
// Many ways to give memory its first values: fills, copies of all kinds, symbols, kernels,
// volatile and atomic stores, vectors, memset in a kernel.
#include <cstdio>
#include <cstring>

__device__ int device_zero[32];
__device__ float device_set[4] = {1, 2, 3, 4};
__constant__ int constant_set[2];
__managed__ int managed_zero[8];

__global__ void by_kernel(float4 *v, volatile int *w, int *x, char *bytes) {
  int i = threadIdx.x;
  v[i] = make_float4(i, i, i, i);
  w[i] = i;
  atomicExch(&x[i], i);
  if (i == 0) memset(bytes, 1, 32);
}

__global__ void use(const float *v, const int *w, const int *x, const char *bytes, long long *out) {
  int i = threadIdx.x;
  long long sum = (long long)v[4 * i + 3] + w[i] + x[i] + bytes[i];
  sum += device_zero[i] + (int)device_set[i % 4] + constant_set[i % 2] + managed_zero[i % 8];
  out[i] = sum;
}

int main() {
  const int n = 32;
  float4 *v;
  int *w, *x, two[2] = {1, 2};
  char *bytes, *copy;
  long long *out, *out2, h[n];
  cudaMalloc(&v, n * sizeof(float4));
  cudaMalloc(&w, n * sizeof(int));
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&bytes, n);
  cudaMallocManaged(&copy, n);
  cudaMalloc(&out, n * sizeof(long long));
  cudaMalloc(&out2, n * sizeof(long long));
  cudaMemcpyToSymbol(constant_set, two, sizeof two);
  by_kernel<<<1, n>>>(v, w, x, bytes);
  cudaMemcpy(copy, bytes, n, cudaMemcpyDefault);
  use<<<1, n>>>((const float *)v, w, x, copy, out);
  cudaMemcpyAsync(out2, out, sizeof h, cudaMemcpyDeviceToDevice);
  use<<<1, n>>>((const float *)v, w, x, bytes, out);
  cudaMemcpy(h, out2, sizeof h, cudaMemcpyDeviceToHost);
  printf("%lld %s\n", h[5], cudaGetErrorString(cudaGetLastError()));
  cudaFree(v);
  cudaFree(w);
  cudaFree(x);
  cudaFree(bytes);
  cudaFree(copy);
  cudaFree(out);
  cudaFree(out2);
}
