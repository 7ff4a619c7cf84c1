// find: out-of-bounds local
// A stack of 16 grows by a pointer to as many elements as the thread's number says.
// Fixed: Its size is kept.
#include <cstdio>

__global__ void push(int *out) {
  int stack[16], *top = stack;
  int n = threadIdx.x + 1, sum = 0;
#ifdef FIXED
  n = min(n, 16);
#endif
  for (int i = 0; i < n; ++i) *top++ = i; // BUG
  while (top != stack) sum += *--top;     // BUG?
  out[threadIdx.x] = sum;
}

int main() {
  int *out;
  cudaMalloc(&out, 17 * sizeof(int));
  push<<<1, 17>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
