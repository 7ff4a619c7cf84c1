// 2^31-1 empty blocks: streamed, in bounded time and memory.
// expect: pass
#include <cstdio>

__global__ void touch(int *p) {
  if (blockIdx.x == 2147483646u && threadIdx.x == 0) *p = 9;
}

int main() {
  int *p, h = 0;
  cudaMalloc(&p, sizeof(int));
  touch<<<2147483647, 1>>>(p);
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) e = cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s %d\n", cudaGetErrorName(e), h);
  puts(h == 9 ? "PASSED" : "FAILED");
  return h != 9;
}
