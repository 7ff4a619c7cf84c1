// find: race shared read/write barrier
// Reverses an array within a block: the element of another thread is read without waiting for it.
// Fixed: Reverses an array within a block, with the barrier between store and load.
#include <cstdio>

__global__ void reverse(int *data, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[t]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  data[t] = s[n - t - 1]; // BUG: no barrier between the store and this
}

int main() {
  const int n = 64;
  int host[n], result[n], *device;
  for (int i = 0; i < n; i++) host[i] = i;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(device, n);
  cudaMemcpy(result, device, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += result[i] != n - 1 - i;
  std::printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(device);
  return 0;
}
