// After cudaDeviceReset the device's variables have their first values again.
// expect: pass
#include <cstdio>

__device__ int symbol = 7;
__constant__ float table[3] = {1, 2, 3};
__global__ void change() { symbol = 100; }

int main() {
  int s = 0, bad = 0;
  float t[3] = {9, 9, 9};
  cudaMemcpyToSymbol(table, t, sizeof t);
  change<<<1, 1>>>();
  cudaMemcpyFromSymbol(&s, symbol, sizeof s);
  bad += s != 100;
  cudaDeviceReset();
  cudaMemcpyFromSymbol(&s, symbol, sizeof s);
  cudaMemcpyFromSymbol(t, table, sizeof t);
  printf("%d %g\n", s, t[2]);
  bad += s != 7 || t[2] != 3;
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
