// Managed memory with the prefetch and advice calls of before CUDA 13, which take a device number.
// expect: pass
// nvcc: no
#include <iostream>
#include <math.h>

__global__ void add(int n, float *x, float *y) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = index; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] + y[i];
}

int main(void) {
  const int n = 1 << 18;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float), cudaMemAttachGlobal);
  for (int i = 0; i < n; i++) x[i] = 1.0f, y[i] = 2.0f;
  int device = -1;
  cudaGetDevice(&device);
  cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, device);
  cudaMemAdvise(y, n * sizeof(float), cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
  cudaMemPrefetchAsync(x, n * sizeof(float), device, NULL);
  cudaMemPrefetchAsync(y, n * sizeof(float), device);
  add<<<(n + 255) / 256, 256>>>(n, x, y);
  cudaMemPrefetchAsync(y, n * sizeof(float), cudaCpuDeviceId, 0);
  cudaDeviceSynchronize();
  float worst = 0.0f;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(y[i] - 3.0f));
  std::cout << "worst " << worst << ", " << cudaGetErrorString(cudaGetLastError()) << std::endl;
  std::cout << (worst == 0 ? "PASSED" : "FAILED") << std::endl;
  cudaFree(x);
  cudaFree(y);
  return worst != 0;
}
