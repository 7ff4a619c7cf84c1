// find: out-of-bounds
// A closing bracket too many pops an empty stack in local memory.
#include <cstdio>
#include <cstring>

__global__ void match(const char *text, int n, int *partner) {
  int open[8], depth = 0;
  for (int i = 0; i < n; i++) {
    partner[i] = -1;
    if (text[i] == '(') open[depth++] = i;
#ifdef FIXED
    if (text[i] == ')' && depth > 0) {
#else
    if (text[i] == ')') {
#endif
      int at = open[--depth]; // BUG
      partner[i] = at;
    }
#ifndef FIXED
    if (depth < 0) depth = 0;
#endif
  }
}

int main() {
  const char *text = "(a(b)c))(d)";
  int n = strlen(text), *partner;
  char *d;
  cudaMalloc(&d, n);
  cudaMalloc(&partner, n * sizeof(int));
  cudaMemcpy(d, text, n, cudaMemcpyHostToDevice);
  match<<<1, 1>>>(d, n, partner);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
  cudaFree(partner);
}
