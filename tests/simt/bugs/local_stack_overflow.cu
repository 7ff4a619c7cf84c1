// find: out-of-bounds
// A search of a tree with a local stack of 4 needs 5.
#include <cstdio>

__global__ void count_leaves(const int2 *children, int *leaves) {
#ifdef FIXED
  int stack[8], top = 0, count = 0;
#else
  int stack[4], top = 0, count = 0;
#endif
  stack[top++] = 0;
  while (top > 0) {
    int2 c = children[stack[--top]]; // BUG?
    if (c.x == 0 && c.y == 0) count++;
    if (c.x) stack[top++] = c.x; // BUG?
    if (c.y) {
      stack[top++] = c.y; // BUG
    }
  }
  *leaves = count;
}

int main() {
  const int n = 13;
  int2 h[n] = {};
  for (int i = 0; i + 2 < n; i += 2) h[i] = make_int2(i + 1, i + 2);
  h[1] = make_int2(0, 0);
  int2 *d;
  int *leaves;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&leaves, sizeof(int));
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  count_leaves<<<1, 1>>>(d, leaves);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
  cudaFree(leaves);
}
