// A program of some fifty lines, as people write their second one: how long until it runs?
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return printf("failed: %s\n", #call), 1;

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void total(const float *in, float *out, int n) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  tile[t] = 0;
  for (int i = t; i < n; i += blockDim.x) tile[t] += in[i];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }
  if (t == 0) *out = tile[0];
}

int main(void) {
  const int n = 1000;
  float *a, *b, *c, *sum, *host = (float *)malloc(n * sizeof(float)), result;
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMalloc(&c, n * sizeof(float)));
  CHECK(cudaMalloc(&sum, sizeof(float)));
  for (int i = 0; i < n; ++i) host[i] = (float)i;
  CHECK(cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, host, n * sizeof(float), cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  CHECK(cudaGetLastError());
  total<<<1, 256>>>(c, sum, n);
  CHECK(cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost));
  printf("%g\n", result);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(sum);
  free(host);
  return result == 999000 ? 0 : 1;
}
