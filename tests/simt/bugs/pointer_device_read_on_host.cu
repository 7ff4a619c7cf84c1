// find: device-pointer
// main reads the result through the device's pointer.
#include <cstdio>

__global__ void sum(const int *x, int *out, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  *out = s;
}

int main() {
  int h[10] = {1, 2, 3}, *x, *out;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(x, out, 10);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef FIXED
  int result;
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
#else
  int result = *out; // BUG
#endif
  printf("%d\n", result);
  cudaFree(x);
  cudaFree(out);
}
