// find: out-of-bounds
// A text of 1001 bytes was copied without its final zero, and the kernel looks for that.
#include <cstdio>
#include <cstring>

__global__ void length(const char *text, int *result) {
  int n = 0;
  while (text[n] != 0) n++; // BUG
  *result = n;
}

int main() {
  char text[1002];
  memset(text, 'x', 1001);
  text[1001] = 0;
  char *d;
  int *result, n = 0;
#ifdef FIXED
  size_t bytes = strlen(text) + 1;
#else
  size_t bytes = strlen(text);
#endif
  cudaMalloc(&d, bytes);
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(d, text, bytes, cudaMemcpyHostToDevice);
  length<<<1, 1>>>(d, result);
  cudaMemcpy(&n, result, sizeof n, cudaMemcpyDeviceToHost);
  printf("%d %s\n", n, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
  cudaFree(result);
}
