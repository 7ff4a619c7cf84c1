// The flags of a usual Makefile, the toolkit's folders among them.
// expect: pass
// flags: -O3 -std=c++14 -arch=sm_70 -gencode arch=compute_90,code=sm_90 --use_fast_math -lineinfo -Xptxas -v -Xcompiler -Wall,-O2 -maxrregcount=64 -DCOUNT=100 -DNAME="abc" -I/usr/local/cuda/include -L/usr/local/cuda/lib64 -lcudart -lm -Wno-deprecated-gpu-targets --ptxas-options=-O3 -ccbin g++ -m64 --expt-extended-lambda -w
// nvcc: no
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__global__ void k(float *p) {
  int i = threadIdx.x;
  if (i < COUNT) p[i] = __expf(0.0f) + sinf(0.0f) + i / 2.0f;
}

int main() {
  float *p;
  cudaMallocManaged(&p, COUNT * sizeof(float));
  k<<<1, 128>>>(p);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int i = 0; i < COUNT; i++) bad += p[i] != 1 + i / 2.0f;
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}
