// find: nothing
// A buffer of which only a part is written is copied back as a whole and only that part is looked
// at. No kernel uses the rest.
#include <cstdio>

__global__ void compact(const int *in, int n, int *out, int *length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 50) out[atomicAdd(length, 1)] = in[i];
}

int main() {
  const int n = 100;
  int h[n], *in, *out, *length, count = 0;
  for (int i = 0; i < n; i++) h[i] = i * 37 % 101;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&length, sizeof(int));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(length, 0, sizeof(int));
  compact<<<1, 128>>>(in, n, out, length);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(&count, length, sizeof count, cudaMemcpyDeviceToHost);
  printf("%d %s\n", count, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(length);
}
