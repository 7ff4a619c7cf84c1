/* Calls a library with kernels: the C++ compiler links it. */
#include <cuda_runtime_api.h>
#include <cstdio>
#include "device/sum.h"
int main() {
  int count = 0;
  const int sum = sum_weighed(100);
  std::printf("sum %d\n", sum);
  return cudaGetDeviceCount(&count) || count < 1 || sum != SCALE * 4950;
}
