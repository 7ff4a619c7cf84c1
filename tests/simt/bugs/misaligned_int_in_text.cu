// find: misaligned
// Four characters at a time, from a place in the text that is no multiple of four.
#include <cstdio>
#include <cstring>

__global__ void find(const char *text, int n, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 4 > n) return;
#ifdef FIXED
  unsigned word = 0;
  for (int k = 3; k >= 0; k--) word = word << 8 | (unsigned char)text[i + k];
  if (word == 0x61647563) atomicAdd(count, 1); // "cuda"
#else
  unsigned word = *(const unsigned *)(text + i); // BUG
  if (word == 0x61647563) atomicAdd(count, 1);   // "cuda"
#endif
}

int main() {
  const char *text = "the cuda of cudas: barracuda";
  int n = strlen(text), *count, h = 0;
  char *d;
  cudaMalloc(&d, n);
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(d, text, n, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  find<<<1, 32>>>(d, n, count);
  cudaMemcpy(&h, count, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
  cudaFree(count);
}
