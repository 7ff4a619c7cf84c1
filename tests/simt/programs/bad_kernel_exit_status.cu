// A program that fails its own check ends with its own status, and with nothing added to its output.
// expect: status 7, stdout "FAILED: 3 wrong"
#include <cstdio>

__global__ void k() {}

int main() {
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("FAILED: 3 wrong\n");
  return 7;
}
