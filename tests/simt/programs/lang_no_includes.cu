// What a program gets without including more than stdio.h: malloc, memset, maths, clock, min and max.
// expect: pass
#include <stdio.h>

__global__ void k(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = sqrtf(p[i]) + fabs(-1.0f) + max(0, i) + min(1.5f, 2.5f) + powf(2.0f, 3.0f) + floor(2.5);
  if (i == 0) printf("from the device\n");
}

int main(int argc, char **argv) {
  const int n = 100;
  float *h = (float *)malloc(n * sizeof(float)), *d;
  memset(h, 0, n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = i * i;
  clock_t t = clock();
  cudaMalloc((void **)&d, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  k<<<(n + 31) / 32, 32>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++) bad += fabsf(h[i] - (2 * i + 1 + 1.5f + 8 + 2)) > 1e-4f;
  bad += max(3, 4) != 4 || min(2u, 1u) != 1 || max(1.0f, 2.0f) != 2.0f || min(7L, 9L) != 7 ||
         abs(-3) != 3;
  bad += max(1.5, 2.0f) != 2.0 || max(5ull, 4ull) != 5;
  size_t bytes = n;
  unsigned int seconds = (unsigned int)((clock() - t) / CLOCKS_PER_SEC);
  printf("%d wrong, %u s, %zu\n%s\n", bad, seconds, bytes, bad ? "FAILED" : "PASSED");
  free(h);
  cudaFree(d);
  return bad ? 1 : 0;
}
