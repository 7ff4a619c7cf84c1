// Equal names in two files: static kernels, static device functions, __device__ and __constant__ variables.
// expect: pass
#include <stdio.h>

static __device__ int helper(int v) { return v + 1; }
__device__ int state = 10;
__constant__ int factor = 3;
static __global__ void run(int *p) { *p = helper(*p) * factor + state; }
__global__ static void only_here(int *p) { state = *p; }

void other(int *p);

int main(void) {
  int *p, bad = 0;
  cudaMallocManaged(&p, sizeof(int));
  *p = 1;
  run<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  bad += *p != 16;
  other(p);
  bad += *p != (16 - 1) * 5 + 20;
  only_here<<<1, 1>>>(p);
  int s = 0;
  cudaMemcpyFromSymbol(&s, state, sizeof s);
  bad += s != 95;
  printf("%d\n%s\n", s, bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}
