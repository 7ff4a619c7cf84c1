// Dynamic shared memory: several arrays in one, more than 48 KB by opt-in, and the error without it.
// expect: pass
#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(func)                                                   \
  {                                                                        \
    cudaError_t status = (func);                                           \
    if (status != cudaSuccess) {                                           \
      printf("CUDA API failed at line %d with error: %s (%d)\n", __LINE__, \
             cudaGetErrorString(status), status);                          \
      return EXIT_FAILURE;                                                 \
    }                                                                      \
  }

__global__ void several(int nI, int nF, int nC, int *out) {
  extern __shared__ int s[];
  int *integerData = s;
  float *floatData = (float *)&integerData[nI];
  char *charData = (char *)&floatData[nF];
  int t = threadIdx.x;
  for (int i = t; i < nI; i += blockDim.x) integerData[i] = i;
  for (int i = t; i < nF; i += blockDim.x) floatData[i] = i * 0.5f;
  for (int i = t; i < nC; i += blockDim.x) charData[i] = i % 100;
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < nI; i++) sum += integerData[i];
    for (int i = 0; i < nF; i++) sum += (int)(2 * floatData[i]);
    for (int i = 0; i < nC; i++) sum += charData[i];
    *out = sum;
  }
}

__global__ void reverse(int *d, int n) {
  extern __shared__ int big[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) big[i] = d[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) d[i] = big[n - 1 - i];
}

__global__ void both(int *out) {
  __shared__ int fixed[64];
  extern __shared__ int flexible[];
  fixed[threadIdx.x] = threadIdx.x;
  flexible[threadIdx.x] = 1000;
  __syncthreads();
  out[threadIdx.x] = fixed[63 - threadIdx.x] + flexible[threadIdx.x ^ 1];
}

int main() {
  int *d, bad = 0;
  const int n = 24 * 1024; // 96 KB
  int *h = (int *)malloc(n * sizeof(int));
  CHECK_CUDA(cudaMalloc(&d, n * sizeof(int)));
  several<<<1, 96, 100 * sizeof(int) + 60 * sizeof(float) + 333>>>(100, 60, 333, d);
  CHECK_CUDA(cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost));
  int sum = 99 * 50 + 59 * 30;
  for (int i = 0; i < 333; i++) sum += i % 100;
  bad += *h != sum;

  for (int i = 0; i < n; i++) h[i] = i;
  CHECK_CUDA(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
  reverse<<<1, 256, n * sizeof(int)>>>(d, n);
  cudaError_t e = cudaGetLastError();
  printf("without the attribute: %s\n", cudaGetErrorName(e));
  bad += e != cudaErrorInvalidValue;
  CHECK_CUDA(
      cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(int)));
  reverse<<<1, 256, n * sizeof(int)>>>(d, n);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) bad += h[i] != n - 1 - i;
  e = cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
  bad += e == cudaSuccess;
  cudaGetLastError();

  both<<<1, 64, 64 * sizeof(int)>>>(d);
  CHECK_CUDA(cudaMemcpy(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) bad += h[i] != 1063 - i;
  int optin = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  printf("opt-in limit %d\n", optin);
  free(h);
  CHECK_CUDA(cudaFree(d));
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
