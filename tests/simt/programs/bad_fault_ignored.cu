// A program that does not look at its errors does not end well for that: status 3.
// expect: status 3, stderr "out of bounds", stdout "done"
#include <cstdio>

__global__ void over(int *p, int n) { p[threadIdx.x * n] = 1; }

int main() {
  int *p;
  cudaMalloc(&p, 64 * sizeof *p);
  over<<<1, 64>>>(p, 1000);
  cudaDeviceSynchronize();
  printf("done\n");
}
