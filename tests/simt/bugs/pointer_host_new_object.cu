// find: host-pointer
// An object made by new on the host is used through a pointer in the kernel.
#include <cstdio>

class Counter {
public:
  __host__ __device__ Counter() : total(0) {}
  __device__ void add(int v) {
    atomicAdd(&total, v); // BUG
  }
  int total;
};

__global__ void count(Counter *c) { c->add(threadIdx.x); }

int main() {
#ifdef FIXED
  Counter *c;
  cudaMallocManaged(&c, sizeof(Counter));
  c->total = 0;
#else
  Counter *c = new Counter;
#endif
  count<<<1, 64>>>(c);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s\n", e == cudaSuccess ? c->total : -1, cudaGetErrorString(e));
#ifdef FIXED
  cudaFree(c);
#else
  delete c;
#endif
}
